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
  std::function<std::function<void()>(const std::string&)> reader;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (Shape shape : kShapes) {
    auto make = [=](std::size_t n) { return make_document(shape, n); };
    all.push_back({std::string(name(shape)) + ", whole", make, [](const std::string& d) { return belay_reused(d); }});
    all.push_back(
        {std::string(name(shape)) + ", 32 B", make, [=](const std::string& d) { return belay_pieces(d, shape, 32); }});
  }
  for (Damage damage : {Damage::code_mixed, Damage::todo_mixed}) {
    auto make = [=](std::size_t n) { return make_damaged(damage, n); };
    Shape shape = damage == Damage::code_mixed ? Shape::code : Shape::todo;
    all.push_back(
        {std::string(name(damage)) + ", whole", make, [](const std::string& d) { return belay_reused(d, false); }});
    all.push_back({std::string(name(damage)) + ", 32 B", make,
                   [=](const std::string& d) { return belay_pieces(d, shape, 32, false); }});
  }
  return all;
}

}  // namespace

void measure_growth(const Plan& plan, Results& results) {
  std::printf("Growth: ms at each size; the worst time of twice the document by the time of it\n");
  std::size_t largest = plan.quick ? 8 : 64;
  std::vector<std::string> header = {"document"};
  for (std::size_t mb = 1; mb <= largest; mb *= 2) header.push_back(size_text(mb * kMB));
  header.insert(header.end(), {"worst", "target"});
  Table table(header);
  Effort effort = plan.effort();
  effort.total = plan.quick ? 0.02 : 0.1;
  effort.rounds = plan.quick ? 3 : 5;
  for (const Case& c : cases()) {
    // All sizes take turns: a slow minute of the machine must not look like growth.
    std::vector<std::string> documents;
    for (std::size_t mb = 1; mb <= largest; mb *= 2) documents.push_back(c.make(mb * kMB));
    std::vector<Contender> contenders;
    for (const std::string& document : documents) contenders.push_back({c.name, c.reader(document)});
    std::vector<double> seconds = race(contenders, effort);
    std::vector<std::string> row = {c.name};
    double worst = 0;
    for (std::size_t i = 0; i < seconds.size(); ++i) {
      double ratio = i > 0 ? seconds[i] / seconds[i - 1] : 0;
      worst = std::max(worst, ratio);
      row.push_back(ms_text(seconds[i]));
      results.add("growth", {{"document", c.name},
                             {"size", kMB << i},
                             {"bytes", documents[i].size()},
                             {"seconds", seconds[i]},
                             {"ratio", ratio}});
    }
    row.push_back(fixed(worst, 2));
    row.push_back(results.target("growth, " + c.name + ", twice the document", worst, 2.3, false));
    table.add(std::move(row));
  }
  table.print();
}

}  // namespace belay::bench
