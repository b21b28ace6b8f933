#include "documents.h"
#include "readers.h"
#include "sections.h"

#include <algorithm>
#include <cstdio>
#include <vector>

namespace belay::bench {
namespace {

double target_against_simdjson(Shape shape) {
  switch (shape) {
    case Shape::code: return 1.0;
    case Shape::todo: return 0.6;
    case Shape::random_code: return 0.8;
    case Shape::random_todo: return 0.35;
  }
  return 0;
}
constexpr double kTargetAgainstRapidJson = 2.0;

}  // namespace

void measure_whole(const Plan& plan, Results& results) {
  std::printf("One piece: MB/s, and how many times as fast as simdjson's and RapidJSON's DOM (simdjson uses %s)\n",
              simdjson_kernel().c_str());
  Table table({"document", "size", "belay", "cold", "simdjson", "cold", "RapidJSON", "zero-ended", "in situ",
               "nlohmann", "x simdjson", "target", "x RapidJSON", "target"});
  std::vector<std::size_t> sizes = {kKB, 16 * kKB, 128 * kKB, kMB, 16 * kMB};
  if (plan.quick) sizes = {kKB, 128 * kKB, kMB};
  for (Shape shape : kShapes) {
    for (std::size_t size : sizes) {
      const std::vector<std::string> documents = make_documents(shape, size);
      const std::size_t bytes = Texts(documents).bytes();
      Contender contenders[] = {
          {"belay", belay_reused(documents)},
          {"belay, cold", belay_cold(documents)},
          {"simdjson", simdjson_reused(documents)},
          {"simdjson, cold", simdjson_cold(documents)},
          {"RapidJSON", rapidjson_dom(documents)},
          {"RapidJSON, zero-ended", rapidjson_zero_ended(documents)},
          {"RapidJSON in situ", rapidjson_in_situ(documents)},
          {"nlohmann", nlohmann_dom(documents)},
      };
      auto misses = [&](const std::vector<double>& t) {
        return t[2] < t[0] * target_against_simdjson(shape) || t[4] < t[0] * kTargetAgainstRapidJson;
      };
      int repeats = 0;
      std::vector<double> seconds = race_again(contenders, plan.effort(), misses, repeats);
      std::vector<std::string> row = {std::string(name(shape)), size_text(size)};
      for (std::size_t i = 0; i < seconds.size(); ++i) {
        double speed = static_cast<double>(bytes) / seconds[i] / 1e6;
        row.push_back(fixed(speed, 0));
        results.add("whole", {{"document", name(shape)},
                              {"size", size},
                              {"bytes", bytes / documents.size()},
                              {"reader", contenders[i].name},
                              {"seconds", seconds[i] / static_cast<double>(documents.size())}});
      }
      std::string what = "one piece, " + std::string(name(shape)) + ", " + size_text(size);
      double against_simdjson = seconds[2] / seconds[0], against_rapidjson = seconds[4] / seconds[0];
      row.push_back(fixed(against_simdjson, 2));
      row.push_back(results.target(what + ", times simdjson", against_simdjson, target_against_simdjson(shape), true));
      row.push_back(fixed(against_rapidjson, 2));
      row.push_back(results.target(what + ", times RapidJSON", against_rapidjson, kTargetAgainstRapidJson, true));
      table.add(std::move(row));
    }
  }
  table.print();
}

}  // namespace belay::bench
