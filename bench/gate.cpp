// The gate and the permissions: what one call costs between its end and its run.
#include "sections.h"

#include <belay/policy.h>
#include <belay/turn.h>

#include <cstdio>
#include <stdexcept>
#include <utility>

namespace belay::bench {
namespace {

tool::Registry make_tools() {
  tool::Registry tools;
  auto add = [&](std::string name, tool::Effect effect, std::string parameters) {
    tool::Spec spec;
    spec.name = std::move(name);
    spec.effect = effect;
    spec.parameters = std::move(parameters);
    auto made = tool::Tool::make(std::move(spec), {});
    if (!made || !tools.add(std::move(*made))) throw std::runtime_error("a tool of the bench cannot be made");
  };
  add("write_to_file", tool::Effect::write,
      R"({"type":"object","properties":{"path":{"type":"string"},"content":{"type":"string"}},"required":["path","content"]})");
  add("execute_command", tool::Effect::execute,
      R"({"type":"object","properties":{"command":{"type":"string"}},"required":["command"]})");
  return tools;
}

turn::Call call_of(const tool::Registry& tools, std::string_view name, std::string_view arguments) {
  struct Nothing final : turn::EventSink {
  } sink;
  turn::LedgerOptions options;
  options.tools = tools.known();
  options.any_tool = false;
  turn::Ledger ledger(sink, std::move(options));
  ledger.on(chat::delta::Call{.key = {.index = 0, .id = "c"}, .name = name, .arguments = arguments});
  ledger.on(chat::delta::Stop{chat::StopReason::tool_calls});
  ledger.on(chat::delta::End{});
  return std::move(ledger.finish().calls.at(0));
}

}  // namespace

void measure_gate(const Plan& plan, Results& results) {
  std::printf("The gate and the permissions for one call, microseconds\n");
  Table table({"call", "gate", "gate and permissions", "target"});
  const tool::Registry tools = make_tools();
  policy::Permissions permissions;
  permissions.workspace = "/home/somebody/project";
  for (const char* rule : {"execute_command(rm:*)", "write_to_file(secrets/**)", "write_to_file(**/*.pem)"})
    permissions.rules.push_back(*policy::rule_from(policy::Decision::deny, rule));
  permissions.rules.push_back(*policy::rule_from(policy::Decision::allow, "execute_command(npm test:*)"));
  struct Case {
    const char *what, *name, *arguments;
  };
  constexpr Case cases[] = {
      {"write_to_file, mended", "write_to_file", R"({'path': 'src/app/main.ts', 'content': 'export const a = 1;\n',})"},
      {"execute_command, a pipe", "execute_command",
       R"({"command":"git log --oneline -n 20 | grep -v Merge | head -n 5"})"},
      {"execute_command, a list", "execute_command",
       R"({"command":"cd build && cmake --build . -j2 && ctest --output-on-failure"})"},
  };
  for (const Case& c : cases) {
    const turn::Call call = call_of(tools, c.name, c.arguments);
    if (!call.trusted) throw std::runtime_error("a call of the bench is not trusted");
    const Contender contenders[] = {
        {"gate", [&] { keep(policy::Gate(tools).plan(call)); }},
        {"both",
         [&] {
           const policy::Plan p = policy::Gate(tools).plan(call);
           keep(policy::clear(permissions, p, 0));
         }},
    };
    const std::vector<double> seconds = race(contenders, plan.effort());
    const std::string mark =
        results.target(std::string("gate and permissions, ") + c.what + ", µs", seconds[1] * 1e6, 20, false);
    table.add({c.what, fixed(seconds[0] * 1e6, 2), fixed(seconds[1] * 1e6, 2), mark});
    results.add("gate", {{"call", c.what}, {"gate", seconds[0]}, {"both", seconds[1]}});
  }
  table.print();
}

}  // namespace belay::bench
