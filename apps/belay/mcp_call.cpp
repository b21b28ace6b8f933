// One call of a remote tool, with the same checks as an agent's but for the question: the person has typed it.
#include "mcp.h"

#include <belay/json.h>
#include <belay/regex.h>
#include <belay/run/gated.h>

#include "interrupt.h"
#include "result_json.h"
#include "terminal.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace belay::cli {
Exit call_mcp_tool(const McpOptions& options, McpSetting setting, Output& out, Output& err) {
  auto& configs = setting.configuration.servers;
  std::erase_if(configs, [&](const mcp::ServerConfig& c) { return c.name != options.server; });
  if (configs.empty()) return no_such_server(options, setting, err);
  std::string text = options.arguments;
  if (text == "-") {
    auto read = all_of_input();
    if (!read) return mcp_trouble(err, read.error(), Exit::usage);
    text = std::move(*read);
  }
  json::ReaderOptions object;
  object.root = json::Root::object;
  const json::Reading arguments = json::read(text, object);
  if (arguments.document.empty() || !arguments.verdict.trusted() || arguments.verdict.count != 1)
    return mcp_trouble(err,
                       arguments.error ? "the arguments: " + arguments.error.message
                                       : "the arguments are not one JSON object whose meaning is plain; belay repair "
                                         "says what is wrong with them",
                       Exit::usage);

  const Interrupt interrupt;
  const auto servers = mcp::Servers::make(configs, mcp_servers_options(options.workspace));
  servers->wait(std::chrono::milliseconds(static_cast<std::int64_t>(configs[0].startup_timeout * 1000) + 10'000),
                interrupt.token());
  const mcp::Status status = servers->status().at(0);
  if (status.state != mcp::State::ready)
    return mcp_trouble(err, options.server + " is " + std::string(mcp::name(status.state)) + ": " + status.reason,
                       Exit::failed);
  const auto regexes = regex::make_regexes();
  mcp::RemoteToolOptions how;
  how.regexes = regexes.get();
  how.approvals = &setting.approvals;
  how.approved = &setting.approved;
  mcp::RemoteTools all = mcp::remote_tools(servers, how);
  const auto found = std::ranges::find_if(
      all.origins, [&](const mcp::RemoteTool& t) { return t.tool == options.tool || t.name == options.tool; });
  if (found == all.origins.end()) {
    for (const mcp::ToolNote& note : all.notes)
      if (note.tool == options.tool &&
          (note.kind == mcp::ToolNote::Kind::refused || note.kind == mcp::ToolNote::Kind::changed))
        return mcp_trouble(err, note.tool + " is refused: " + note.text, Exit::failed);
    return mcp_trouble(err, "no tool '" + options.tool + "'; belay mcp tools " + options.server + " lists them",
                       Exit::usage);
  }
  tool::Registry tools;
  const std::string name = found->name;
  tools.add(std::move(all.tools[static_cast<std::size_t>(found - all.origins.begin())]));
  const tool::Tool& tool = *tools.find(name);
  // As the schema wants it, where that is certain.
  schema::Aligned aligned = tool.parameters().align(arguments.document.root());
  schema::doubt_respelled(aligned, arguments);
  const bool edited = aligned.valid && !aligned.edits.empty() && aligned.grade() != json::Grade::guess;
  const json::Value value = edited ? aligned.value.root() : arguments.document.root();
  if (const schema::Report report = tool.parameters().check(value); !report.valid()) {
    for (const schema::Violation& v : report.violations) err << "belay mcp: " << printable(v.message) << "\n";
    return end_mcp(out, err, Exit::usage);
  }
  // From here on as an agent's call goes, so that the result says what was mended.
  run::GatedCall call{.tool = name, .arguments = text};
  call.permissions.mode = policy::Mode::bypass;
  call.ask = [](const policy::Plan&, std::size_t, const std::string&) { return std::optional<tool::Result>(); };
  call.begin = [&] { return interrupt.token(); };
  // Asked for in any case: a server that tells of it has more time.
  call.progress = [&](std::string_view news) {
    if (!err.is_terminal()) return;
    err << printable(news.substr(0, news.find('\n'))) << "\n";
    err.flush();
  };
  const tool::Result result = run::run_gated(tools, call);
  out << result_json(name, result);
  return end_mcp(out, err, result.is_error ? Exit::failed : Exit::done);
}

}  // namespace belay::cli
