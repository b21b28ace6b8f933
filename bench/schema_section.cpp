// Schemas of tools: compiled, and arguments checked and aligned.
#include "readers.h"
#include "schemas.h"
#include "sections.h"

#include <belay/json.h>
#include <belay/schema.h>

#include <cstdio>
#include <stdexcept>

namespace belay::bench {
namespace {

std::string microseconds(double seconds) { return fixed(seconds * 1e6, seconds < 1e-5 ? 3 : 1); }

}  // namespace

void measure_schema(const Plan& plan, Results& results) {
  std::printf("Schemas: compiled, and arguments that satisfy them read, checked and aligned; microseconds\n");
  Table table({"schema", "compile", "read", "valid", "check", "align", "target"});
  for (const ToolSchema& tool : make_schemas()) {
    const json::Reading schema_text = json::read(tool.schema), arguments = json::read(tool.arguments);
    const json::Value root = arguments.document.root();
    auto compiled = schema::Schema::compile(schema_text.document.root());
    if (!compiled || !compiled->valid(root)) throw std::runtime_error("a schema, or what satisfies it, is not so");
    const Contender contenders[] = {
        {"compile", [&] { keep(schema::Schema::compile(schema_text.document.root())); }},
        {"read", belay_reused(tool.arguments)},
        {"valid", [&] { keep(compiled->valid(root)); }},
        {"check", [&] { keep(compiled->check(root)); }},
        {"align", [&] { keep(compiled->align(root)); }},
    };
    const std::vector<double> seconds = race(contenders, plan.effort());
    std::string mark;
    if (tool.name.starts_with("search"))
      mark = results.target("schema, check of 7 parameters, µs", seconds[3] * 1e6, 2, false);
    else if (tool.name.starts_with("write"))
      mark = results.target("schema, check of 1 MB of content, times reading it", seconds[3] / seconds[1], 1, false);
    else
      mark = results.target("schema, compile of 50 parameters, µs", seconds[0] * 1e6, 200, false);
    std::vector<std::string> row = {tool.name};
    for (double s : seconds) row.push_back(microseconds(s));
    row.push_back(mark);
    table.add(std::move(row));
    results.add("schema", {{"schema", tool.name},
                           {"compile", seconds[0]},
                           {"read", seconds[1]},
                           {"valid", seconds[2]},
                           {"check", seconds[3]},
                           {"align", seconds[4]}});
  }
  table.print();
}

}  // namespace belay::bench
