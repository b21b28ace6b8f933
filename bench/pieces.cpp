#include "documents.h"
#include "readers.h"
#include "sections.h"

#include <cstdio>

namespace belay::bench {

void measure_pieces(const Plan& plan, Results& results) {
  std::printf("Pieces, the partial value read after each: time, and how many times our own one piece\n");
  Table table({"document", "size", "piece", "ms", "MB/s", "ns a push", "x one piece", "target"});
  std::vector<std::size_t> sizes = {kKB, 16 * kKB, 128 * kKB, kMB, 16 * kMB};
  if (plan.quick) sizes = {kKB, 128 * kKB, kMB};
  for (Shape shape : kShapes) {
    for (std::size_t size : sizes) {
      const std::vector<std::string> documents = make_documents(shape, size);
      const auto count = static_cast<double>(documents.size());
      Contender contenders[] = {
          {"whole", belay_reused(documents)},
          belay_in_pieces(documents, shape, 4),
          belay_in_pieces(documents, shape, 32),
      };
      const std::size_t bytes = Texts(documents).bytes();
      auto pushes_of = [&](std::size_t piece) {
        std::size_t pushes = 0;
        for (const std::string& document : documents) pushes += (document.size() + piece - 1) / piece;
        return static_cast<double>(pushes);
      };
      auto misses = [&](const std::vector<double>& t) {
        return t[2] > 3 * t[0] || (t[1] > 8 * t[0] && t[1] / pushes_of(4) > 15e-9);
      };
      int repeats = 0;
      std::vector<double> seconds = race_again(contenders, plan.effort(), misses, repeats);
      for (std::size_t i : {1u, 2u}) {
        std::size_t piece = i == 1 ? 4 : 32;
        double ns = seconds[i] / pushes_of(piece) * 1e9;
        double times = seconds[i] / seconds[0];
        std::string what =
            "pieces of " + std::to_string(piece) + " B, " + std::string(name(shape)) + ", " + size_text(size);
        std::string mark = piece == 4
                               ? results.target(what + ", times one piece (or 15 ns a push)", times, 8, false, ns <= 15)
                               : results.target(what + ", times one piece", times, 3, false);
        table.add({std::string(name(shape)), size_text(size), std::to_string(piece) + " B", ms_text(seconds[i] / count),
                   fixed(static_cast<double>(bytes) / seconds[i] / 1e6, 0), fixed(ns, 1), fixed(times, 2), mark});
        results.add("pieces", {{"document", name(shape)},
                               {"size", size},
                               {"bytes", bytes / documents.size()},
                               {"piece", piece},
                               {"seconds", seconds[i] / count},
                               {"ns_a_push", ns},
                               {"times_whole", times}});
      }
    }
  }
  table.print();
}

}  // namespace belay::bench
