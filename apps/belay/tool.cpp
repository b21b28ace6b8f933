#include "tool.h"

#include <belay/builtin.h>
#include <belay/call.h>
#include <belay/json/writer.h>
#include <belay/policy.h>
#include <belay/regex.h>
#include <belay/run.h>

#include "approval.h"
#include "asking.h"
#include "interrupt.h"
#include "names.h"
#include "result_json.h"
#include "terminal.h"

#include <unistd.h>
#include <cerrno>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

namespace belay::cli {
namespace {

// The call as a model's turn would give it, read and judged in the same way.
call::Call call_of(const tool::Registry& tools, const std::string& name, std::string_view arguments) {
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

// Asks the person at the terminal. Nobody is there: nothing.
std::optional<bool> ask(const Question& question, const sandbox::Workspace& workspace, Output& err) {
  return ask_person(approval_text(question, workspace), err);
}

tool::Result one_run(const ToolOptions& options, const policy::Plan& plan, std::size_t n,
                     const policy::Permissions& permissions, const sandbox::Workspace& workspace, Output& err) {
  const tool::Tool& tool = *plan.tool;
  const std::string& name = tool.spec().name;
  if (!tool.has_code()) return tool.run({plan.runs[n].arguments.root(), {}});
  const policy::Permit permit = policy::permit(permissions, plan, n);
  if (permit.decision == policy::Decision::deny) return policy::denied(name, permit.reason);
  if (permit.decision == policy::Decision::ask && !options.yes) {
    const auto said = ask({tool.spec(), plan.runs[n].arguments.root(), permit.reason, plan.receipt}, workspace, err);
    if (!said) return policy::denied(name, permit.reason + ", and there is nobody to ask; --yes approves of it");
    if (!*said) return policy::not_approved(name, "");
  }
  Interrupt interrupt;
  tool::Invocation invocation{plan.runs[n].arguments.root(), interrupt.token()};
  invocation.confined = permit.decision == policy::Decision::sandbox;
  return run::perform(tool, invocation);
}

Exit finish(Output& out, Output& err, Exit exit) {
  out.finish();
  if (out.error() == 0) return exit;
  if (out.error() != EPIPE)
    err << "belay tool: cannot write to standard output: " << std::strerror(out.error()) << "\n";
  return Exit::failed;
}

}  // namespace

Exit run_one_tool(const ToolOptions& options, Output& out, Output& err) {
  auto usage = [&](std::string_view message) {
    err << "belay tool: " << message << "\n";
    return Exit::usage;
  };
  sandbox::WorkspaceOptions where;
  where.limits = options.file_limits;
  auto workspace = sandbox::Workspace::open(options.workspace, where);
  if (!workspace) return usage("--workspace: " + workspace.error().message);
  std::string arguments = options.arguments;
  if (arguments == "-") {
    auto read = all_of_input();
    if (!read) return usage(read.error());
    arguments = std::move(*read);
  }

  builtin::Place place;
  place.workspace = std::make_shared<const sandbox::Workspace>(std::move(*workspace));
  place.level = options.level;
  place.network = options.network;
  place.insist = options.insist;
  place.limits = options.command_limits;
  const auto regexes = regex::make_regexes();
  auto tools = builtin::tools(place, regexes.get());
  if (!tools) return usage(tools.error());
  if (!tools->find(options.name)) return usage(no_such_tool(options.name, tools->near(options.name)));

  const call::Call call = call_of(*tools, options.name, arguments);
  policy::Gate gate(*tools);
  const policy::Plan plan = gate.plan(call);
  policy::Permissions permissions;
  permissions.mode = options.mode;
  permissions.workspace = place.workspace->root();
  std::vector<tool::Result> results;
  for (std::size_t n = 0; n < plan.runs.size(); ++n)
    results.push_back(one_run(options, plan, n, permissions, *place.workspace, err));
  const tool::Result result = policy::answer(plan, std::move(results));
  out << result_json(plan.tool ? plan.tool->spec().name : options.name, result);
  return finish(out, err, result.is_error ? Exit::failed : Exit::done);
}

}  // namespace belay::cli
