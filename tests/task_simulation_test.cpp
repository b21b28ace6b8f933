// Seeds of made-up worlds: every promise is looked at after every step. A seed that once failed is kept below.
//   belay_task_simulation_test                    the seeds of every test run
//   belay_task_simulation_test FROM COUNT         others
//   belay_task_simulation_test --show SEED        one, with everything that happens
#include "sim/simulation.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

namespace {

constexpr std::uint64_t kFailedOnce[] = {0, 738, 1073, 3479, 3707};

// What a thousand worlds must have seen for their silence to mean something.
constexpr const char* kMustBeSeen[] = {"intent",
                                       "finding",
                                       "approved",
                                       "todos",
                                       "child",
                                       "fold: summary",
                                       "fold: results",
                                       "changed",
                                       "failed",
                                       "said",
                                       "end: completed",
                                       "end: aborted",
                                       "end: turns",
                                       "end: time",
                                       "end: stuck",
                                       "became: mended",
                                       "became: split",
                                       "became: re_asked",
                                       "became: lost",
                                       "end: tokens",
                                       "end: cost",
                                       "end: failed",
                                       "end: authentication",
                                       "became: guessed",
                                       "crash: within",
                                       "denied",
                                       "effect from text",
                                       "estimated",
                                       "fork",
                                       "healed",
                                       "image",
                                       "interrupted",
                                       "quoted",
                                       "too long"};

}  // namespace

int main(int argc, char** argv) {
  using belay::sim::Outcome;
  using belay::sim::simulate;
  if (argc == 3 && std::strcmp(argv[1], "--show") == 0) {
    const Outcome outcome = simulate(std::strtoull(argv[2], nullptr, 10), true);
    std::printf("%s\n", outcome.fault.empty() ? "well" : outcome.fault.c_str());
    return outcome.fault.empty() ? 0 : 1;
  }
  std::uint64_t from = argc == 3 ? std::strtoull(argv[1], nullptr, 10) : 1;
  std::uint64_t count = argc == 3 ? std::strtoull(argv[2], nullptr, 10) : 1'000;
  std::vector<std::uint64_t> seeds(std::begin(kFailedOnce), std::end(kFailedOnce));
  for (std::uint64_t i = 0; i < count; ++i) seeds.push_back(from + i);

  std::map<std::string, std::uint64_t> seen;
  Outcome sum;
  int failed = 0;
  for (std::uint64_t seed : seeds) {
    Outcome outcome = simulate(seed);
    if (seed % 25 == 0 && outcome.fault.empty() && simulate(seed).trace != outcome.trace)
      outcome.fault = "the same seed gives another trace";
    if (!outcome.fault.empty()) {
      std::printf("seed %llu: %s\n", static_cast<unsigned long long>(seed), outcome.fault.c_str());
      if (++failed == 20) break;
    }
    for (const auto& [what, n] : outcome.seen) seen[what] += n;
    sum.events += outcome.events;
    sum.records += outcome.records;
    sum.crashes += outcome.crashes;
    sum.turns += outcome.turns;
    sum.tasks += outcome.tasks;
    sum.effects += outcome.effects;
  }
  std::printf("%zu worlds: %llu tasks, %llu turns, %llu facts, %llu records, %llu crashes, %llu effects\n",
              seeds.size(), static_cast<unsigned long long>(sum.tasks), static_cast<unsigned long long>(sum.turns),
              static_cast<unsigned long long>(sum.events), static_cast<unsigned long long>(sum.records),
              static_cast<unsigned long long>(sum.crashes), static_cast<unsigned long long>(sum.effects));
  for (const auto& [what, n] : seen) std::printf("  %-20s %llu\n", what.c_str(), static_cast<unsigned long long>(n));
  if (count >= 1'000)
    for (const char* what : kMustBeSeen)
      if (seen[what] == 0) {
        std::printf("nowhere: %s\n", what);
        failed = 1;
      }
  return failed == 0 ? 0 : 1;
}
