// What servers there are, how they are, and what they offer.
#include "mcp.h"

#include <belay/builtin.h>
#include <belay/json.h>
#include <belay/regex.h>

#include "interrupt.h"
#include "json_string.h"
#include "mcp_lines.h"
#include "result_json.h"
#include "table.h"
#include "terminal.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace belay::cli {
namespace {

std::string quiet_string(std::string_view text) { return quiet_json(json_string(text)); }

// Longer than any server may take to start.
std::chrono::milliseconds patience(const mcp::Configuration& configuration) {
  double most = 0;
  for (const mcp::ServerConfig& server : configuration.servers) most = std::max(most, server.startup_timeout);
  return std::chrono::milliseconds(static_cast<std::int64_t>(most * 1000) + 10'000);
}

// As it is written: what ${VAR} stands for may be a key.
std::string target(const mcp::ServerConfig& server) {
  const mcp::AsWritten written = mcp::as_written(server);
  if (server.type != mcp::ServerConfig::Type::stdio) return written.url;
  std::string out = written.command;
  for (const std::string& argument : written.args) out += " " + argument;
  return out;
}

std::string notes_json(const std::vector<std::string>& notes) {
  std::string out = "[";
  for (const std::string& note : notes) out += (out.ends_with('[') ? "" : ",") + quiet_string(note);
  return out + "]";
}

// What of a server is not what was approved.
struct Strange {
  std::vector<std::string> changed, added;
  bool words = false;
  [[nodiscard]] bool any() const { return !changed.empty() || !added.empty() || words; }
};
Strange strange_of(const mcp::Approvals& approvals, const mcp::ServerConfig& config, const mcp::Offer& offer) {
  Strange out;
  for (const mcp::ToolDefinition& tool : offer.tools) {
    const mcp::Standing standing = approvals.standing(config.hash, tool);
    if (standing == mcp::Standing::changed) out.changed.push_back(tool.name);
    if (standing == mcp::Standing::added) out.added.push_back(tool.name);
  }
  out.words = approvals.standing(config.hash, offer.instructions) == mcp::Standing::changed;
  return out;
}

std::string sentence_of(const Strange& strange, const mcp::ServerConfig& config) {
  std::string names;
  for (const auto* list : {&strange.changed, &strange.added})
    for (const std::string& name : *list) names += (names.empty() ? "" : ", ") + mcp::shown(name);
  if (strange.words) names += (names.empty() ? "" : ", ") + std::string("what it says of itself");
  return "not as it was approved: " + names + "; " + mcp::approve_command(config);
}

std::string as_json(const mcp::ServerConfig& config, const mcp::Status& status, const Strange& strange) {
  std::string out = R"({"name":)" + quiet_string(config.name) + R"(,"state":)" + quiet_string(mcp::name(status.state)) +
                    R"(,"reason":)" + quiet_string(status.reason) + R"(,"type":)" +
                    quiet_string(mcp::name(config.type)) + R"(,"target":)" + quiet_string(target(config)) +
                    R"(,"origin":)" + quiet_string(mcp::name(config.origin)) + R"(,"file":)" +
                    quiet_string(config.file) + R"(,"version":)" +
                    (status.version ? quiet_string(mcp::name(*status.version)) : "null") + R"(,"server":{"name":)" +
                    quiet_string(status.peer.name) + R"(,"version":)" + quiet_string(status.peer.version) +
                    R"(},"tools":)" + std::to_string(status.tools) + R"(,"changed":)" + notes_json(strange.changed) +
                    R"(,"added":)" + notes_json(strange.added) + R"(,"instructions_changed":)" +
                    (strange.words ? "true" : "false") + R"(,"notes":)" + notes_json(status.notes);
  return out + "}";
}

// What is wrong with the files: as an error where a whole one could not be read.
void say_notes(const mcp::Configuration& configuration, Output& err) {
  for (const std::string& note : configuration.notes)
    err << (std::ranges::find(configuration.broken, note) == configuration.broken.end() ? "note: " : "belay mcp: ")
        << printable(note) << "\n";
}

// A file that was not read may have had what was looked for: then the answer is not the whole one.
Exit exit_of(const mcp::Configuration& configuration, bool doubtful) {
  if (!configuration.broken.empty()) return Exit::usage;
  return doubtful ? Exit::doubtful : Exit::done;
}

bool down(const mcp::Status& status) {
  return status.state != mcp::State::ready &&
         !(status.state == mcp::State::disabled && status.reason == "its config says so");
}

}  // namespace

Exit list_mcp_servers(const McpOptions& options, const McpSetting& setting, Output& out, Output& err) {
  if (options.names) {
    for (const mcp::ServerConfig& server : setting.configuration.servers) out << printable(server.name) << "\n";
    return end_mcp(out, err, exit_of(setting.configuration, false));
  }
  const Interrupt interrupt;
  const auto servers = mcp::Servers::make(setting.configuration.servers, mcp_servers_options(options.workspace));
  servers->wait(patience(setting.configuration), interrupt.token());
  const std::vector<mcp::Status> all = servers->status();
  const auto& configs = servers->configs();
  std::vector<Strange> strange;
  strange.reserve(configs.size());
  for (const mcp::ServerConfig& config : configs)
    strange.push_back(strange_of(setting.approvals, config, mcp::offer_of(*servers, config.name)));
  if (options.json) {
    std::string text;
    for (std::size_t i = 0; i < all.size(); ++i) text += (i == 0 ? "" : ",") + as_json(configs[i], all[i], strange[i]);
    out << R"({"servers":[)" << text << R"(],"notes":)" << notes_json(setting.configuration.notes) << "}\n";
  } else {
    if (all.empty() && setting.configuration.broken.empty()) out << "no servers; belay mcp add NAME COMMAND adds one\n";
    const McpLines lines(out);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const mcp::Status& s = all[i];
      out << padded(s.name, out.is_terminal() ? 20 : std::max<std::size_t>(20, columns(s.name))) << " ";
      if (s.state == mcp::State::ready)
        out << padded(mcp::name(s.state), 11) << " " << std::to_string(s.tools) << (s.tools == 1 ? " tool" : " tools")
            << ", MCP " << (s.version ? mcp::name(*s.version) : "?") << ", "
            << lines.cut(s.peer.name + " " + s.peer.version, 59);
      else
        out << mcp::name(s.state);
      out << "\n    " << lines.cut(target(configs[i]), 4) << "\n    from " << lines.cut(configs[i].file, 9) << "\n";
      if (!s.reason.empty()) out << "    " << lines.fold(s.reason, 4) << "\n";
      for (const std::string& note : s.notes) out << "    " << lines.fold(note, 4) << "\n";
      if (strange[i].any()) out << "    " << lines.fold(sentence_of(strange[i], configs[i]), 4) << "\n";
    }
    out.flush();
    say_notes(setting.configuration, err);
  }
  return end_mcp(
      out, err,
      exit_of(setting.configuration, std::ranges::any_of(all, down) || std::ranges::any_of(strange, &Strange::any)));
}

Exit list_mcp_tools(const McpOptions& options, McpSetting setting, Output& out, Output& err) {
  auto& configs = setting.configuration.servers;
  if (!options.server.empty()) {
    std::erase_if(configs, [&](const mcp::ServerConfig& c) { return c.name != options.server; });
    if (configs.empty()) return no_such_server(options, setting, err);
  }
  const Interrupt interrupt;
  const auto servers = mcp::Servers::make(configs, mcp_servers_options(options.workspace));
  servers->wait(patience(setting.configuration), interrupt.token());
  const auto regexes = regex::make_regexes();
  mcp::RemoteToolOptions how;
  how.regexes = regexes.get();
  how.approvals = &setting.approvals;
  how.approved = &setting.approved;
  for (const tool::Spec& spec : builtin::specs()) {
    how.taken.push_back(spec.name);
    how.taken.insert(how.taken.end(), spec.aliases.begin(), spec.aliases.end());
  }
  const mcp::RemoteTools all = mcp::remote_tools(servers, how);
  if (options.json) {
    out << R"({"tools":[)";
    for (std::size_t i = 0; i < all.tools.size(); ++i) {
      const tool::Spec& spec = all.tools[i].spec();
      const mcp::RemoteTool& origin = all.origins[i];
      const json::Reading schema = json::read(spec.parameters);
      out << (i == 0 ? "" : ",") << R"({"name":)" << quiet_string(spec.name) << R"(,"server":)"
          << quiet_string(origin.server) << R"(,"tool":)" << quiet_string(origin.tool) << R"(,"effect":)"
          << quiet_string(tool::name(spec.effect)) << R"(,"changed":)" << (origin.changed ? "true" : "false")
          << R"(,"hash":)" << quiet_string(origin.hash) << R"(,"description":)" << quiet_string(spec.description)
          << R"(,"parameters":)" << quiet_json(json::to_string(schema.document.root())) << "}";
    }
    out << R"(],"notes":[)";
    bool first = true;
    for (const std::string& note : setting.configuration.notes)
      out << (std::exchange(first, false) ? "" : ",") << R"({"kind":"config","server":"","tool":"","text":)"
          << quiet_string(note) << "}";
    for (std::size_t i = 0; i < all.notes.size(); ++i)
      out << (std::exchange(first, false) ? "" : ",") << R"({"kind":)" << quiet_string(mcp::name(all.notes[i].kind))
          << R"(,"server":)" << quiet_string(all.notes[i].server) << R"(,"tool":)" << quiet_string(all.notes[i].tool)
          << R"(,"text":)" << quiet_string(all.notes[i].text) << "}";
    out << "]}\n";
  } else {
    const McpLines lines(out);
    for (const tool::Tool& tool : all.tools) {
      const tool::Spec& spec = tool.spec();
      const std::string first = spec.description.substr(0, spec.description.find('\n'));
      out << padded(tool::name(spec.effect), 8) << printable(spec.name) << "\n";
      if (!first.empty()) out << "        " << lines.cut(first, 8) << "\n";
    }
    out.flush();
    say_notes(setting.configuration, err);
    for (const mcp::ToolNote& note : all.notes)
      err << std::string(mcp::name(note.kind)) << ": " << printable(note.server)
          << (note.tool.empty() ? "" : " " + McpLines(err).cut(note.tool, 0, 60)) << ": " << printable(note.text)
          << "\n";
  }
  const auto eye = [](const mcp::ToolNote& n) {
    return n.kind == mcp::ToolNote::Kind::unavailable || n.kind == mcp::ToolNote::Kind::changed;
  };
  return end_mcp(out, err, exit_of(setting.configuration, std::ranges::any_of(all.notes, eye)));
}

}  // namespace belay::cli
