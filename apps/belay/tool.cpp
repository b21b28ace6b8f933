#include "tool.h"

#include <belay/builtin.h>
#include <belay/policy.h>
#include <belay/regex.h>
#include <belay/run.h>
#include <belay/sandbox.h>

#include "approval.h"
#include "asking.h"
#include "interrupt.h"
#include "names.h"
#include "own_folders.h"
#include "result_json.h"
#include "terminal.h"

#include <unistd.h>
#include <cerrno>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>

namespace belay::cli {
namespace {

// Asks the person at the terminal. Nobody is there: nothing.
std::optional<bool> ask(const Question& question, const sandbox::Workspace& workspace, Output& err) {
  return ask_person(approval_text(question, workspace), err);
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
  where.protected_folders = own_folders(config::process_environment(), options.workspace);
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

  run::GatedCall call{.tool = options.name, .arguments = arguments};
  call.permissions.mode = options.mode;
  call.permissions.workspace = place.workspace->root();
  call.permissions.home = sandbox::is_home(place.workspace->root());
  // Only while a run is under way is Ctrl-C a request to stop; otherwise it ends the program as usual.
  std::optional<Interrupt> interrupt;
  call.ask = [&](const policy::Plan& plan, std::size_t n, const std::string& reason) -> std::optional<tool::Result> {
    if (options.yes) return std::nullopt;
    interrupt.reset();
    const std::string& name = plan.tool->spec().name;
    const auto said =
        ask({plan.tool->spec(), plan.runs[n].arguments.root(), reason, plan.receipt}, *place.workspace, err);
    if (!said) return policy::denied(name, reason + ", and there is nobody to ask; --yes approves of it");
    if (!*said) return policy::not_approved(name, "");
    return std::nullopt;
  };
  call.begin = [&] {
    interrupt.reset();
    interrupt.emplace();
    return interrupt->token();
  };
  const tool::Result result = run::run_gated(*tools, call);
  out << result_json(tools->find(options.name)->spec().name, result);
  return finish(out, err, result.is_error ? Exit::failed : Exit::done);
}

}  // namespace belay::cli
