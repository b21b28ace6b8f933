#include "documents.h"
#include "heap.h"
#include "readers.h"
#include "sections.h"

#include <algorithm>
#include <cstdio>

namespace belay::bench {

void measure_heap(const Plan& plan, Results& results) {
  std::printf("Heap: the most bytes allocated at one time, as a multiple of the document (which is not counted)\n");
  Table table({"document", "size", "belay", "4 B", "32 B", "calls", "simdjson", "RapidJSON", "nlohmann", "target"});
  std::vector<std::size_t> sizes = {16 * kKB, 128 * kKB, kMB, 16 * kMB};
  if (plan.quick) sizes = {128 * kKB, kMB};
  for (Shape shape : kShapes) {
    for (std::size_t size : sizes) {
      std::string document = make_document(shape, size);
      Contender contenders[] = {
          {"belay", belay_cold(document)},
          {"belay, 4 B", belay_pieces_cold(document, shape, 4)},
          {"belay, 32 B", belay_pieces_cold(document, shape, 32)},
          {"simdjson", simdjson_cold(document)},
          {"RapidJSON", rapidjson_dom(document)},
          {"nlohmann", nlohmann_dom(document)},
      };
      std::vector<std::string> row = {std::string(name(shape)), size_text(size)};
      double worst = 0;
      for (std::size_t i = 0; i < std::size(contenders); ++i) {
        std::size_t peak = 0, calls = 0;
        {
          HeapCount count;
          contenders[i].run();
          peak = count.peak();
          calls = count.calls();
        }
        double times = static_cast<double>(peak) / static_cast<double>(document.size());
        if (i < 3) worst = std::max(worst, times);
        row.push_back(fixed(times, 2));
        if (i == 2) row.push_back(std::to_string(calls));
        results.add("heap", {{"document", name(shape)},
                             {"size", size},
                             {"bytes", document.size()},
                             {"reader", contenders[i].name},
                             {"peak", peak},
                             {"calls", calls},
                             {"times", times}});
      }
      std::string what = "heap, " + std::string(name(shape)) + ", " + size_text(size) + ", times the document";
      bool has_target = size >= kMB && (shape == Shape::code || shape == Shape::todo);
      row.push_back(has_target ? results.target(what, worst, shape == Shape::code ? 1.3 : 2.2, false) : "");
      table.add(std::move(row));
    }
  }
  table.print();
}

}  // namespace belay::bench
