// Servers added, removed and approved.
#include "mcp.h"

#include <belay/json.h>

#include "asking.h"
#include "interrupt.h"
#include "json_string.h"
#include "mcp_lines.h"
#include "terminal.h"
#include "tool_changes.h"

#include <algorithm>
#include <chrono>

namespace belay::cli {
namespace {

std::string object_of(const std::vector<std::pair<std::string, std::string>>& pairs) {
  std::string out = "{";
  for (const auto& [name, value] : pairs)
    out += (out.size() > 1 ? "," : "") + json_string(name) + ":" + json_string(value);
  return out + "}";
}

// As the command line says it, in the words of the file.
std::string definition_of(const McpOptions& options) {
  std::string out = "{";
  if (!options.type.empty()) out += R"("type":)" + json_string(options.type) + ",";
  if (options.url.empty()) {
    out += R"("command":)" + json_string(options.command.front()) + R"(,"args":[)";
    for (std::size_t i = 1; i < options.command.size(); ++i)
      out += (i == 1 ? "" : ",") + json_string(options.command[i]);
    out += "]";
  } else {
    out += R"("url":)" + json_string(options.url);
  }
  if (!options.env.empty()) out += R"(,"env":)" + object_of(options.env);
  if (!options.headers.empty()) out += R"(,"headers":)" + object_of(options.headers);
  return out + "}";
}

// On one line, whatever is in it.
std::string line_of(std::string_view text) { return printable(mcp::shown(text)); }

}  // namespace

std::string described(const mcp::ServerConfig& config, const Output& to) {
  const McpLines lines(to);
  std::string out = lines.fold({"The server", line_of(config.name) + ",", "from", line_of(config.file)}, 2) + "\n";
  const mcp::AsWritten written = mcp::as_written(config);
  // Whole, and as the file has it: what is cut or replaced here would be agreed to unseen.
  auto row = [&](std::string_view what, const std::vector<std::string>& words) {
    out += "  " + std::string(what) + std::string(10 - what.size(), ' ') + lines.fold(words, 12) + "\n";
  };
  if (config.type == mcp::ServerConfig::Type::stdio) {
    std::vector<std::string> command = {line_of(written.command)}, now = {line_of(config.command)};
    for (const std::string& argument : written.args) command.push_back(line_of(json_string(argument)));
    for (const std::string& argument : config.args) now.push_back(line_of(json_string(argument)));
    row("runs", command);
    const bool keys = std::ranges::any_of(written.variables, &mcp::UsedVariable::secret);
    if (now != command && !keys) {
      now.insert(now.begin(), "now:");
      row("", now);
    }
    row("in", {line_of(config.cwd)});
  } else {
    row("is at", {line_of(written.url)});
    const bool keys = std::ranges::any_of(written.variables, &mcp::UsedVariable::secret);
    if (config.url != written.url && !keys) row("", {"now:", line_of(config.url)});
  }
  for (const auto& [name, value] : written.env) row("with", {line_of(name) + "=" + line_of(value)});
  for (const auto& [name, value] : written.headers) row("sends", {line_of(name) + ":", line_of(value)});
  for (const mcp::UsedVariable& variable : written.variables) {
    if (!variable.secret && !variable.leaves) continue;
    row("gets", {"your", line_of(variable.name) + (variable.leaves ? ", which goes to its host" : "")});
  }
  return out;
}

Exit add_mcp_server(const McpOptions& options, const McpSetting& setting, Output& out, Output& err) {
  if (const std::string why = mcp::name_trouble(options.server); !why.empty())
    return mcp_trouble(err, "the server '" + clipped(options.server, 80) + "' is not added: " + why, Exit::usage);
  const std::string definition = definition_of(options);
  // It has to be one that would be read again. Of a variable's value only that it may begin an address is assumed.
  const auto check = mcp::servers_in("{\"mcpServers\":{" + json_string(options.server) + ":" + definition + "}}",
                                     setting.user_file, mcp::ServerConfig::Origin::user,
                                     [](std::string_view) { return std::optional<std::string>("http://x"); });
  if (!check) return mcp_trouble(err, check.error(), Exit::usage);
  if (check->servers.empty()) return mcp_trouble(err, check->notes.at(0), Exit::usage);
  if (!check->servers[0].withheld.empty())
    return mcp_trouble(err, options.server + " is not added: " + check->servers[0].withheld, Exit::usage);
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
  if (configs.empty()) return no_such_server(options, setting, err);
  mcp::ServerConfig& config = configs.front();
  if (config.unapproved) {
    out << described(config, out);
    out.flush();
    // What it would run depends on what is missing: that would be another definition.
    if (!config.trouble.empty())
      return mcp_trouble(err, "not approved: it cannot be used as it is: " + config.trouble, Exit::failed);
    if (!options.yes) {
      const auto said = ask_person("It runs with your rights, outside of the sandbox. Approve of it? [y/N] ", err);
      if (!said) return mcp_trouble(err, "there is nobody to ask; --yes approves of it", Exit::failed);
      if (!*said) return mcp_trouble(err, "not approved", Exit::failed);
    }
    const auto kept =
        setting.approvals.update([&](mcp::Approvals& a) { a.approve_server(config.file, config.name, config.hash); });
    if (!kept) return mcp_trouble(err, kept.error(), Exit::failed);
    out << "approved " << printable(config.name) << "\n";
    out.flush();
    config.unapproved = false;
    config.withheld.clear();
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
  const mcp::Offer offer = mcp::offer_of(*servers, config.name);
  out << described_changes(setting, config, offer);
  out.flush();
  if (!setting.approvals.holds(config.hash, offer) && !options.yes) {
    const auto said = ask_person("Approve of these tools as they are now? [y/N] ", err);
    if (!said) return mcp_trouble(err, "there is nobody to ask; --yes approves of them", Exit::failed);
    if (!*said) return mcp_trouble(err, "not approved", Exit::failed);
  }
  if (const auto kept = approve_as_shown(setting, config, offer); !kept)
    return mcp_trouble(err, kept.error(), Exit::failed);
  out << "approved " << std::to_string(offer.tools.size()) << (offer.tools.size() == 1 ? " tool" : " tools") << " of "
      << printable(config.name) << "\n";
  return end_mcp(out, err, Exit::done);
}

}  // namespace belay::cli
