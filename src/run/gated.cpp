#include <belay/run/gated.h>

#include <belay/call.h>
#include <belay/run/perform.h>

#include <utility>
#include <vector>

namespace belay::run {
namespace {

// The call as a model's turn would give it, read and judged in the same way.
call::Call call_of(const tool::Registry& tools, std::string_view name, std::string_view arguments) {
  struct Nothing final : call::EventSink {
  } sink;
  call::AssemblerOptions options;
  options.tools = tools.known();
  options.any_tool = false;
  options.shapes = tools.shapes();
  call::Assembler assembler(sink, std::move(options));
  chat::Delta delta;
  delta.kind = chat::Delta::Kind::call;
  delta.index = 0;
  delta.id = "call";
  delta.name = name;
  delta.text = arguments;
  assembler.on(delta);
  delta = {};
  delta.kind = chat::Delta::Kind::stop;
  delta.stop = chat::StopReason::tool_calls;
  assembler.on(delta);
  delta.kind = chat::Delta::Kind::end;
  assembler.on(delta);
  return std::move(assembler.finish().at(0));
}

tool::Result one_run(const GatedCall& call, const policy::Plan& plan, std::size_t n) {
  const tool::Tool& tool = *plan.tool;
  if (!tool.has_code()) return tool.run({plan.runs[n].arguments.root(), {}});
  const policy::Permit permit = policy::permit(call.permissions, plan, n);
  if (permit.decision == policy::Decision::deny) return policy::denied(tool.spec().name, permit.reason);
  if (permit.decision == policy::Decision::ask) {
    if (!call.ask) return policy::denied(tool.spec().name, permit.reason + ", and there is nobody to ask");
    if (auto instead = call.ask(plan, n, permit.reason)) return *std::move(instead);
  }
  tool::Invocation invocation{plan.runs[n].arguments.root(), call.begin ? call.begin() : std::stop_token()};
  invocation.progress = call.progress;
  invocation.confined = permit.decision == policy::Decision::sandbox;
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

}  // namespace belay::run
