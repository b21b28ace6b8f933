// Servers added, removed and approved.
#include "mcp.h"

#include <belay/json.h>

#include "asking.h"
#include "interrupt.h"
#include "terminal.h"

#include <algorithm>
#include <chrono>

namespace belay::cli {
namespace {

std::string quoted(std::string_view text) {
  std::string out;
  json::write_string(text, out);
  return out;
}

std::string object_of(const std::vector<std::pair<std::string, std::string>>& pairs) {
  std::string out = "{";
  for (const auto& [name, value] : pairs) out += (out.size() > 1 ? "," : "") + quoted(name) + ":" + quoted(value);
  return out + "}";
}

// As the command line says it, in the words of the file.
std::string definition_of(const McpOptions& options) {
  std::string out = "{";
  if (!options.type.empty()) out += R"("type":)" + quoted(options.type) + ",";
  if (options.url.empty()) {
    out += R"("command":)" + quoted(options.command.front()) + R"(,"args":[)";
    for (std::size_t i = 1; i < options.command.size(); ++i) out += (i == 1 ? "" : ",") + quoted(options.command[i]);
    out += "]";
  } else {
    out += R"("url":)" + quoted(options.url);
  }
  if (!options.env.empty()) out += R"(,"env":)" + object_of(options.env);
  if (!options.headers.empty()) out += R"(,"headers":)" + object_of(options.headers);
  return out + "}";
}

std::string described(const mcp::ServerConfig& config) {
  std::string out = "The server " + printable(config.name) + ", from " + printable(config.file) + "\n";
  if (config.type == mcp::ServerConfig::Type::stdio) {
    out += "  runs      " + printable(config.command);
    for (const std::string& argument : config.args) out += " " + printable(quoted(argument));
    out += "\n  in        " + printable(config.cwd) + "\n";
  } else {
    out += "  is at     " + printable(config.url) + "\n";
  }
  for (const auto& [name, value] : config.env)
    out += "  with      " + printable(name) + "=" + clipped(value, 50) + "\n";
  for (const net::Header& header : config.headers) out += "  sends     " + printable(header.name) + ": ...\n";
  return out;
}

}  // namespace

Exit add_mcp_server(const McpOptions& options, const McpSetting& setting, Output& out, Output& err) {
  const std::string definition = definition_of(options);
  // It has to be one that would be read again.
  const auto check = mcp::servers_in("{\"mcpServers\":{" + quoted(options.server) + ":" + definition + "}}",
                                     setting.user_file, mcp::ServerConfig::Origin::user,
                                     [](std::string_view) { return std::optional<std::string>("x"); });
  if (!check) return mcp_trouble(err, check.error(), Exit::usage);
  if (check->servers.empty()) return mcp_trouble(err, check->notes.at(0), Exit::usage);
  if (!check->servers[0].withheld.empty()) return mcp_trouble(err, check->servers[0].withheld, Exit::usage);
  const auto changed = mcp::change_file(setting.user_file, options.server, definition);
  if (!changed) return mcp_trouble(err, changed.error(), Exit::failed);
  if (!*changed)
    return mcp_trouble(err, options.server + " is there already; belay mcp remove " + options.server + " removes it",
                       Exit::usage);
  out << "added " << printable(options.server) << " to " << printable(setting.user_file) << "\n";
  return end_mcp(out, err, Exit::done);
}

Exit remove_mcp_server(const McpOptions& options, const McpSetting& setting, Output& out, Output& err) {
  const auto changed = mcp::change_file(setting.user_file, options.server, "");
  if (!changed) return mcp_trouble(err, changed.error(), Exit::failed);
  if (!*changed) return mcp_trouble(err, setting.user_file + " has no server '" + options.server + "'", Exit::usage);
  out << "removed " << printable(options.server) << " from " << printable(setting.user_file) << "\n";
  return end_mcp(out, err, Exit::done);
}

Exit approve_mcp_server(const McpOptions& options, McpSetting setting, Output& out, Output& err) {
  auto& configs = setting.configuration.servers;
  std::erase_if(configs, [&](const mcp::ServerConfig& c) { return c.name != options.server; });
  if (configs.empty())
    return mcp_trouble(err, "no server '" + options.server + "'; belay mcp list has them", Exit::usage);
  mcp::ServerConfig& config = configs.front();
  const bool unapproved = config.origin == mcp::ServerConfig::Origin::workspace &&
                          !setting.approvals.server(config.file, config.name, config.hash);
  if (unapproved) {
    out << described(config);
    out.flush();
    if (!options.yes) {
      const auto said = ask_person("It runs with your rights, outside of the sandbox. Approve of it? [y/N] ", err);
      if (!said) return mcp_trouble(err, "there is nobody to ask; --yes approves of it", Exit::failed);
      if (!*said) return mcp_trouble(err, "not approved", Exit::failed);
    }
    const auto kept =
        setting.approvals.update([&](mcp::Approvals& a) { a.approve_server(config.file, config.name, config.hash); });
    if (!kept) return mcp_trouble(err, kept.error(), Exit::failed);
    out << "approved " << printable(config.name) << "\n";
    // What keeps it from starting besides stays.
    if (config.withheld.find("belay mcp approve") != std::string::npos) config.withheld.clear();
  }
  // Its tools as they are now.
  const Interrupt interrupt;
  const auto servers = mcp::Servers::make(configs, mcp_servers_options(options.workspace));
  servers->wait(std::chrono::milliseconds(static_cast<std::int64_t>(config.startup_timeout * 1000) + 10'000),
                interrupt.token());
  const mcp::Status status = servers->status().at(0);
  if (status.state != mcp::State::ready)
    return mcp_trouble(
        err, "its tools could not be looked at: it is " + std::string(mcp::name(status.state)) + ": " + status.reason,
        Exit::failed);
  bool asks = false;
  for (const mcp::ToolDefinition& tool : servers->tools(config.name)) {
    const auto before = setting.approvals.tool(config.hash, tool.name);
    if (before && *before == mcp::hash_of(tool)) continue;
    asks = asks || before.has_value();
    out << (before ? "changed  " : "new      ") << printable(tool.name) << "\n         "
        << folded(mcp::shown(tool.description.substr(0, 2000)), 9) << "\n";
  }
  out.flush();
  if (asks && !options.yes) {
    const auto said = ask_person("Approve of these tools as they are now? [y/N] ", err);
    if (!said) return mcp_trouble(err, "there is nobody to ask; --yes approves of them", Exit::failed);
    if (!*said) return mcp_trouble(err, "not approved", Exit::failed);
  }
  if (const auto kept = mcp::approve_tools(setting.approvals, *servers, config.name); !kept)
    return mcp_trouble(err, kept.error(), Exit::failed);
  out << "approved " << std::to_string(status.tools) << (status.tools == 1 ? " tool" : " tools") << " of "
      << printable(config.name) << "\n";
  return end_mcp(out, err, Exit::done);
}

}  // namespace belay::cli
