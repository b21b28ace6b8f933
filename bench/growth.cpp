#include "documents.h"
#include "readers.h"
#include "sections.h"

#include <algorithm>
#include <cstdio>

namespace belay::bench {
namespace {

struct Case {
  std::string name;
  std::function<std::string(std::size_t)> make;
  std::function<Contender(const std::string&)> reader;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (Shape shape : kShapes) {
    auto make = [=](std::size_t n) { return make_document(shape, n); };
    all.push_back({std::string(name(shape)) + ", whole", make,
                   [](const std::string& d) { return Contender{"", belay_reused(d)}; }});
    all.push_back({std::string(name(shape)) + ", 32 B", make,
                   [=](const std::string& d) { return belay_in_pieces(d, shape, 32); }});
  }
  for (Damage damage : {Damage::code_mixed, Damage::todo_mixed}) {
    auto make = [=](std::size_t n) { return make_damaged(damage, n); };
    Shape shape = damage == Damage::code_mixed ? Shape::code : Shape::todo;
    all.push_back({std::string(name(damage)) + ", whole", make,
                   [](const std::string& d) { return Contender{"", belay_reused(d, false)}; }});
    all.push_back({std::string(name(damage)) + ", 32 B", make,
                   [=](const std::string& d) { return belay_in_pieces(d, shape, 32, false); }});
  }
  return all;
}

constexpr double kTarget = 2.3;

double worst_doubling(const std::vector<double>& seconds) {
  double worst = 0;
  for (std::size_t i = 1; i < seconds.size(); ++i) worst = std::max(worst, seconds[i] / seconds[i - 1]);
  return worst;
}

}  // namespace

void measure_growth(const Plan& plan, Results& results) {
  std::printf(
      "Growth: ms at each size, read from memory; the worst time of twice the document by the time of it, there and "
      "with warm caches\n");
  std::size_t largest = plan.quick ? 8 : 64;
  std::vector<std::string> header = {"document"};
  for (std::size_t mb = 1; mb <= largest; mb *= 2) header.push_back(size_text(mb * kMB));
  header.insert(header.end(), {"worst", "repeats", "target", "warm"});
  Table table(header);
  Effort effort = plan.effort();
  effort.total = plan.quick ? 0.01 : 0.05;
  effort.rounds = plan.quick ? 5 : 9;
  // A document that fits into a cache, with all that is made of it, is read faster than one that does not, by the same
  // steps: between the two lies one doubling that takes more than twice the time on any machine with a fast cache. What
  // is asked here is whether the reader's work grows, so all sizes come from the same place. All have the same number
  // of turns: a small one that went on when the others have done would find its text in a large cache again.
  Effort warm = effort;
  warm.caches = Caches::warm;
  effort.caches = Caches::cold;
  effort.total = 0;
  effort.rounds = plan.quick ? 5 : 15;
  for (const Case& c : cases()) {
    std::vector<std::string> documents;
    for (std::size_t mb = 1; mb <= largest; mb *= 2) documents.push_back(c.make(mb * kMB));
    std::vector<Contender> contenders;
    for (const std::string& document : documents) contenders.push_back(c.reader(document));
    int repeats = 0;
    // All sizes take turns: a slow minute of the machine must not look like growth.
    std::vector<double> seconds = race_again(
        contenders, effort, [](const std::vector<double>& t) { return worst_doubling(t) > kTarget; }, repeats);
    const double worst = worst_doubling(seconds), worst_warm = worst_doubling(race(contenders, warm));
    std::vector<std::string> row = {c.name};
    for (std::size_t i = 0; i < seconds.size(); ++i) {
      double ratio = i > 0 ? seconds[i] / seconds[i - 1] : 0;
      row.push_back(ms_text(seconds[i]));
      results.add("growth", {{"document", c.name},
                             {"size", kMB << i},
                             {"bytes", documents[i].size()},
                             {"seconds", seconds[i]},
                             {"ratio", ratio},
                             {"worst_warm", worst_warm},
                             {"repeats", repeats}});
    }
    row.push_back(fixed(worst, 2));
    row.push_back(std::to_string(repeats));
    row.push_back(results.target("growth, " + c.name + ", twice the document", worst, kTarget, false));
    row.push_back(fixed(worst_warm, 2));
    table.add(std::move(row));
  }
  table.print();
}

}  // namespace belay::bench
