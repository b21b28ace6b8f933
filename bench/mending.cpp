#include "documents.h"
#include "readers.h"
#include "sections.h"

#include <belay/json.h>

#include <cstdio>

namespace belay::bench {

void measure_mending(const Plan& plan, Results& results) {
  std::printf("Mending: damaged documents in one piece and in pieces of 32 bytes, MB/s\n");
  Table table({"document", "size", "verdict", "edits", "MB/s", "target", "32 B, MB/s"});
  for (Damage damage : damages()) {
    bool mixed = damage == Damage::code_mixed || damage == Damage::todo_mixed;
    std::vector<std::size_t> sizes = {kMB};
    if (mixed && !plan.quick) sizes = {kKB, 16 * kKB, 128 * kKB, kMB, 16 * kMB};
    for (std::size_t size : sizes) {
      std::string document = make_damaged(damage, size);
      json::Reading reading = json::read(document);
      std::string word(name(reading.verdict.word()));
      Shape shape = damage < Damage::todo_mixed ? Shape::code : Shape::todo;
      Contender contenders[] = {
          {"whole", belay_reused(document, false)},
          {"32", belay_pieces(document, shape, 32, false)},
      };
      constexpr double kTarget = 100;  // MB/s
      auto misses = [&](const std::vector<double>& t) {
        return static_cast<double>(document.size()) / t[0] / 1e6 < kTarget;
      };
      int repeats = 0;
      std::vector<double> seconds = race_again(contenders, plan.effort(), misses, repeats);
      double speed = static_cast<double>(document.size()) / seconds[0] / 1e6;
      double in_pieces = static_cast<double>(document.size()) / seconds[1] / 1e6;
      std::string mark;
      if (size == kMB) mark = results.target("mending, " + std::string(name(damage)) + ", MB/s", speed, kTarget, true);
      table.add({std::string(name(damage)), size_text(size), word, std::to_string(reading.edits_total), fixed(speed, 0),
                 mark, fixed(in_pieces, 0)});
      results.add("mending", {{"document", name(damage)},
                              {"what", describe(damage)},
                              {"size", size},
                              {"bytes", document.size()},
                              {"verdict", word},
                              {"edits", reading.edits_total},
                              {"seconds", seconds[0]},
                              {"seconds_pieces", seconds[1]}});
    }
  }
  table.print();
}

}  // namespace belay::bench
