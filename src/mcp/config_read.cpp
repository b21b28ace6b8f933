// One file of servers.
#include <belay/mcp/config.h>
#include <belay/sandbox/path_error.h>

#include "mcp/config_check.h"
#include "mcp/config_trouble.h"
#include "mcp/fields.h"
#include "mcp/sha256.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

namespace BELAY_NAMESPACE::mcp {
namespace {

constexpr std::size_t kServers = 200;

// Reads the members of one server; the first thing that is wrong counts.
class Entry {
 public:
  Entry(ServerConfig& config, const Environment& environment, std::vector<std::string>& notes)
      : config_(config), environment_(environment), notes_(notes) {}

  void read(json::Value v) {
    for (const json::Member& member : v.members()) one(member.key, member.value);
    const bool remote = !config_.url.empty();
    if (remote && !config_.command.empty())
      wrong("it has a command and a url; which one is meant would have to be guessed: leave one of them out");
    if (remote && !config_.url.starts_with("http://") && !config_.url.starts_with("https://"))
      wrong("its url has to begin with http:// or https://");
    if (!typed_) config_.type = remote ? ServerConfig::Type::http : ServerConfig::Type::stdio;
    if (config_.type == ServerConfig::Type::stdio ? config_.command.empty() : !remote)
      wrong(config_.type == ServerConfig::Type::stdio ? "it has neither a command nor a url" : "it has no url");
    if (std::string why = unusable(config_); !why.empty()) wrong(std::move(why));
    config_.trouble = config_.withheld = wrong_;
  }

 private:
  void wrong(std::string why) {
    if (wrong_.empty()) wrong_ = std::move(why);
  }
  void note(std::string text) { notes_.push_back("the server " + config_.name + ": " + std::move(text)); }

  std::string text(std::string_view key, json::Value v) {
    if (!v.is_string()) {
      wrong("\"" + std::string(key) + "\" has to be a string");
      return {};
    }
    auto out = expanded(v.as_string(), environment_);
    if (!out) wrong("\"" + std::string(key) + "\": " + out.error());
    return out.value_or("");
  }
  double seconds(std::string_view key, json::Value v, double otherwise) {
    const double n = v.is_number() ? v.as_double() : 0;
    if (n > 0 && n <= 86'400) return n;
    wrong("\"" + std::string(key) + "\" has to be a number of seconds, a day at most");
    return otherwise;
  }
  bool flag(std::string_view key, json::Value v) {
    if (!v.is_bool()) wrong("\"" + std::string(key) + "\" has to be true or false");
    return v.as_bool();
  }
  // A variable or a header: numbers and booleans are meant as they are written.
  std::string plain(std::string_view key, json::Value v) {
    if (v.is_number() || v.is_bool()) return json::to_string(v);
    return text(key, v);
  }

  void one(std::string_view key, json::Value v) {
    if (key == "type" || key == "transport") {
      type(v.as_string());
    } else if (key == "command") {
      config_.command = text(key, v);
    } else if (key == "args") {
      if (!v.is_array()) wrong("\"args\" has to be a list of strings");
      for (json::Value item : v.items()) config_.args.push_back(plain(key, item));
    } else if (key == "env") {
      if (!v.is_object()) wrong("\"env\" has to be an object");
      for (const json::Member& m : v.members()) config_.env.emplace_back(m.key, plain(m.key, m.value));
    } else if (key == "cwd") {
      config_.cwd = text(key, v);
    } else if (key == "url") {
      config_.url = text(key, v);
    } else if (key == "headers") {
      if (!v.is_object()) wrong("\"headers\" has to be an object");
      for (const json::Member& m : v.members()) config_.headers.push_back({std::string(m.key), plain(m.key, m.value)});
    } else if (key == "timeout") {
      config_.timeout = seconds(key, v, config_.timeout);
    } else if (key == "startup_timeout") {
      config_.startup_timeout = seconds(key, v, config_.startup_timeout);
    } else if (key == "disabled") {
      config_.disabled = flag(key, v);
    } else if (key == "restarts") {
      config_.restarts = static_cast<std::size_t>(std::min<std::uint64_t>(v.as_uint64().value_or(0), 1000));
    } else if (key == "limits") {
      for (const json::Member& m : v.members()) limit(m.key, m.value);
    } else if (key == "trust_annotations") {
      const bool trust = flag(key, v);
      if (trust && config_.origin == ServerConfig::Origin::workspace)
        note("\"trust_annotations\" counts only in your own files");
      else
        config_.trust_annotations = trust;
    } else if (key == "autoApprove" || key == "alwaysAllow" || key == "trust") {
      note("\"" + std::string(key) + "\" is ignored: what may run without asking is said in Belay's own configuration");
    } else if (key != "description" && key != "name" && key != "$schema") {
      note("\"" + std::string(key.substr(0, 40)) + "\" is not known, and is ignored");
    }
  }

  void type(std::string_view text) {
    typed_ = true;
    if (text == "stdio")
      config_.type = ServerConfig::Type::stdio;
    else if (text == "sse")
      config_.type = ServerConfig::Type::sse;
    else if (text == "http" || text == "streamable-http" || text == "streamableHttp" || text == "streamable_http")
      config_.type = ServerConfig::Type::http;
    else
      wrong("\"type\" is stdio, http or sse, not \"" + std::string(text.substr(0, 40)) + "\"");
  }

  void limit(std::string_view key, json::Value v) {
    const auto n = v.as_uint64();
    if (!n || *n == 0 || *n > (1ull << 40))
      return wrong("the limit " + std::string(key) + " has to be a positive number");
    SessionLimits& s = config_.limits;
    TransportLimits& t = config_.transport;
    const std::array<std::pair<std::string_view, std::size_t*>, 13> sizes = {{{"pages", &s.pages},
                                                                              {"tools", &s.tools},
                                                                              {"list_bytes", &s.list_bytes},
                                                                              {"requests", &s.requests},
                                                                              {"asks", &s.asks},
                                                                              {"questions", &s.questions},
                                                                              {"rounds", &s.rounds},
                                                                              {"log_lines", &s.log_lines},
                                                                              {"log_bytes", &s.log_bytes},
                                                                              {"line_bytes", &t.line_bytes},
                                                                              {"queue_bytes", &t.queue_bytes},
                                                                              {"stderr_bytes", &t.stderr_bytes},
                                                                              {"resumes", &t.resumes}}};
    for (const auto& [name, value] : sizes)
      if (name == key) return void(*value = *n);
    if (key == "write_ms") return void(t.write_ms = static_cast<std::int64_t>(*n));
    if (key == "grace_ms") return void(t.grace_ms = static_cast<std::int64_t>(*n));
    wrong("there is no limit " + std::string(key.substr(0, 40)));
  }

  ServerConfig& config_;
  const Environment& environment_;
  std::vector<std::string>& notes_;
  std::string wrong_;
  bool typed_ = false;
};

// What a definition means by the variables that are set now. Another value is another program or another host, which
// nobody has approved of. The values of `env` and `headers` may change: tokens do.
std::string from_environment(const ServerConfig& config) {
  std::string out;
  if (config.written.find("${") == config.written.npos) return out;
  for (const std::string* text : {&config.command, &config.cwd, &config.url}) out += "\n" + *text;
  for (const std::string& argument : config.args) out += "\n" + argument;
  return out;
}

}  // namespace

std::expected<std::string, std::string> expanded(std::string_view text, const Environment& environment) {
  std::string out;
  while (!text.empty()) {
    const std::size_t begin = text.find("${");
    out += text.substr(0, begin);
    if (begin == text.npos) break;
    text.remove_prefix(begin + 2);
    const std::size_t end = text.find('}');
    if (end == text.npos) return std::unexpected("a \"${\" without its \"}\"");
    const std::string_view inside = text.substr(0, end);
    text.remove_prefix(end + 1);
    const std::size_t otherwise = inside.find(":-");
    const std::string_view name = inside.substr(0, otherwise);
    // ${env:NAME} is how Cursor and VS Code write it. Their other words with a colon ask for what is not there.
    const std::string_view variable = name.starts_with("env:") ? name.substr(4) : name;
    const bool known = !variable.contains(':');
    const auto value = environment && known ? environment(variable) : std::nullopt;
    // As in a shell, :- is for what is empty, too.
    if (value && (!value->empty() || otherwise == inside.npos))
      out += *value;
    else if (otherwise != inside.npos)
      out += inside.substr(otherwise + 2);
    else if (!known)
      return std::unexpected("${" + std::string(name.substr(0, 80)) +
                             "} is not known here; write ${NAME}, and set the environment variable NAME");
    else
      return std::unexpected("the environment variable " + std::string(variable.substr(0, 80)) +
                             " is not set; set it, or write ${" + std::string(variable.substr(0, 80)) + ":-default}");
  }
  return out;
}

std::expected<Configuration, std::string> servers_in(std::string_view text, const std::string& file,
                                                     ServerConfig::Origin origin, const Environment& environment) {
  json::ReaderOptions options;
  options.root = json::Root::object;
  options.limits.depth = 64;
  // People write comments and trailing commas; what would have to be guessed is refused.
  const json::Reading reading = json::read(text, options);
  const std::string shown = sandbox::shown_path(file);
  if (reading.document.empty() || !reading.verdict.trusted() || reading.verdict.count != 1)
    return std::unexpected(shown + ": " + json_trouble(text, reading));
  // Where a workspace's own file stands is no secret to it, and what Cursor and VS Code put in for this word.
  const Environment variables = [&](std::string_view name) -> std::optional<std::string> {
    auto value = environment ? environment(name) : std::nullopt;
    if (!value && name == "workspaceFolder" && origin == ServerConfig::Origin::workspace)
      value = std::filesystem::path(file).parent_path().string();
    if (!value && name == "userHome" && environment) value = environment("HOME");
    return value;
  };
  const json::Value root = reading.document.root();
  const auto list = root.find("mcpServers");
  Configuration out;
  if (!list && root.size() == 0) {
    out.notes.push_back(shown + " has no object \"mcpServers\"");
    return out;
  }
  if (!list || !list->is_object())
    return std::unexpected(shown + ": " + (list ? "\"mcpServers\" is no object" : "there is no \"mcpServers\" in it") +
                           "; servers stand in it as {\"mcpServers\": {\"NAME\": {\"command\": ...}}}");
  for (const json::Member& member : list->members()) {
    if (out.servers.size() >= kServers) {
      out.notes.push_back(shown + " names more than " + std::to_string(kServers) + " servers; the rest is left out");
      break;
    }
    const std::string left_out = shown + ": the server \"" + std::string(member.key.substr(0, 80)) + "\" is left out: ";
    if (const std::string why = name_trouble(member.key); !why.empty()) {
      out.notes.push_back(left_out + why);
      continue;
    }
    if (!member.value.is_object()) {
      out.notes.push_back(left_out +
                          "its definition has to be an object, such as {\"command\": \"npx\", \"args\": []}");
      continue;
    }
    ServerConfig config;
    config.name = member.key;
    config.origin = origin;
    config.file = file;
    config.written = json::to_string(member.value);
    Entry(config, variables, out.notes).read(member.value);
    config.hash = sha256(config.name + "\n" + config.written + from_environment(config));
    out.servers.push_back(std::move(config));
  }
  return out;
}

}  // namespace BELAY_NAMESPACE::mcp
