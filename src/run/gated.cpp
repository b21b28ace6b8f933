#include <belay/run/gated.h>

#include <belay/run/perform.h>
#include <belay/turn.h>

#include <utility>
#include <vector>

namespace BELAY_NAMESPACE::run {
namespace {

// The call as a model's turn would give it, read and judged in the same way.
turn::Call call_of(const tool::Registry& tools, std::string_view name, std::string_view arguments) {
  struct Nothing final : turn::EventSink {
  } sink;
  turn::LedgerOptions options;
  options.tools = tools.known();
  options.any_tool = false;
  options.shapes = tools.shapes();
  turn::Ledger ledger(sink, std::move(options));
  ledger.on(chat::delta::Call{.key = {.index = 0, .id = "call"}, .name = name, .arguments = arguments});
  ledger.on(chat::delta::Stop{chat::StopReason::tool_calls});
  ledger.on(chat::delta::End{});
  return std::move(ledger.finish().calls.at(0));
}

tool::Result one_run(const GatedCall& call, const policy::Plan& plan, std::size_t n) {
  const tool::Tool& tool = *plan.tool;
  const policy::Run& run = plan.runs[n];
  if (!tool.has_code()) return tool.run({run.arguments.root(), {}});
  const policy::Clearance clearance = policy::clear(call.permissions, plan, n);
  if (clearance.decision == policy::Decision::deny) return policy::denied(tool.spec().name, clearance.reason);
  if (clearance.decision == policy::Decision::ask) {
    if (!call.ask) return policy::denied(tool.spec().name, clearance.reason + ", and there is nobody to ask");
    if (auto instead = call.ask(plan, n, clearance.reason)) return *std::move(instead);
  }
  tool::Invocation invocation{run.arguments.root(), call.begin ? call.begin() : std::stop_token()};
  invocation.progress = call.progress;
  invocation.confined = clearance.confined;
  return perform(tool, invocation, call.limits);
}

}  // namespace

tool::Result run_gated(const tool::Registry& tools, const GatedCall& call) {
  policy::Gate gate(tools);
  const policy::Plan plan = gate.plan(call_of(tools, call.tool, call.arguments));
  std::vector<tool::Result> results;
  results.reserve(plan.runs.size());
  for (std::size_t n = 0; n < plan.runs.size(); ++n) results.push_back(one_run(call, plan, n));
  return policy::answer(plan, std::move(results));
}

}  // namespace BELAY_NAMESPACE::run
