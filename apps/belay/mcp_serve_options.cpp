#include "mcp_serve.h"

#include "command_line.h"
#include "complaint.h"
#include "options.h"
#include "terminal.h"
#include "tool.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace belay::cli {
namespace {

constexpr std::array kServeOptions{Option{"--workspace", '\0', true},
                                   Option{"--http", '\0', true},
                                   Option{"--token-file", '\0', true},
                                   Option{"--permission-mode", '\0', true},
                                   Option{"--allow", '\0', true},
                                   Option{"--ask", '\0', true},
                                   Option{"--deny", '\0', true},
                                   Option{"--sandbox", '\0', true},
                                   Option{"--network"},
                                   Option{"--insist"},
                                   Option{"--log-level", '\0', true},
                                   Option{"--limit", '\0', true}};

std::expected<void, std::string> set_limit(ServeMcpOptions& options, const std::string& setting) {
  const std::size_t equals = setting.find('=');
  if (equals == setting.npos) return wrong("--limit needs NAME=VALUE, not " + cited(setting));
  const std::string name = setting.substr(0, equals);
  const auto value = parse_size(std::string_view(setting).substr(equals + 1));
  if (!value) return wrong("--limit " + clipped(name, 60) + ": " + value.error());
  mcp::ServeLimits& l = options.limits;
  const std::pair<std::string_view, std::size_t*> sizes[] = {
      {"workers", &l.workers},       {"waiting_bytes", &l.waiting_bytes},
      {"line_bytes", &l.line_bytes}, {"queue_bytes", &l.queue_bytes},
      {"body_bytes", &l.body_bytes}, {"connections", &l.connections},
      {"sessions", &l.sessions},     {"streams", &l.streams},
      {"calls", &l.session.calls},   {"repair_bytes", &options.repair_bytes}};
  const std::pair<std::string_view, std::int64_t*> times[] = {
      {"head_ms", &l.head_ms}, {"idle_ms", &l.idle_ms}, {"grace_ms", &l.grace_ms}, {"progress_ms", &l.progress_ms}};
  if (*value == 0) return wrong("--limit " + clipped(name, 60) + " has to be 1 or more");
  for (const auto& [known, place] : sizes)
    if (known == name) {
      *place = static_cast<std::size_t>(name == "workers" ? std::min<std::uint64_t>(*value, 1024) : *value);
      return {};
    }
  for (const auto& [known, place] : times)
    if (known == name) {
      *place = static_cast<std::int64_t>(std::min<std::uint64_t>(*value, 86'400'000));
      return {};
    }
  if (name == "depth") options.message_depth = *value;  // of what is sent, beside that of folders
  if (set_tool_limit(options.file_limits, options.command_limits, name, *value)) return {};
  std::string names;
  for (const auto& [known, place] : sizes) (names += known) += ", ";
  for (const auto& [known, place] : times) (names += known) += ", ";
  return wrong("no limit " + cited(name) + "; the names are " + names + "and those of belay tool");
}

// [HOST:]PORT; localhost is 127.0.0.1.
std::expected<void, std::string> set_http(ServeMcpOptions& options, const std::string& text) {
  const std::size_t colon = text.rfind(':');
  std::string host = colon == text.npos ? "127.0.0.1" : text.substr(0, colon);
  const std::string_view port = std::string_view(text).substr(colon == text.npos ? 0 : colon + 1);
  if (host == "localhost") host = "127.0.0.1";
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), options.port);
  if (error != std::errc() || end != port.data() + port.size() || port.empty() || host.empty())
    return wrong("--http is [HOST:]PORT, such as 8080, 0 (a free one) or [::1]:8080, not " + cited(text));
  options.address = std::move(host);
  return {};
}

}  // namespace

std::expected<ServeMcpOptions, std::string> parse_serve_mcp_options(std::span<const std::string> arguments) {
  ServeMcpOptions out;
  const auto line = read_command_line(arguments, kServeOptions);
  if (!line) return wrong(line.error());
  out.help = line->help;
  if (out.help) return out;
  if (!line->words.empty()) return wrong("takes no words, but options; " + cited(line->words.front()) + " is none");
  out.workspace = line->value("--workspace").value_or(".");
  out.token_file = line->value("--token-file").value_or("");
  out.flags.permission_mode = line->value("--permission-mode");
  out.flags.log_level = line->value("--log-level");
  out.flags.sandbox = line->value("--sandbox");
  if (line->has("--network")) out.flags.network = true;
  out.flags.allow = line->values("--allow");
  out.flags.ask = line->values("--ask");
  out.flags.deny = line->values("--deny");
  out.insist = line->has("--insist");
  if (const auto http = line->value("--http"))
    if (auto set = set_http(out, *http); !set) return wrong(set.error());
  if (!out.token_file.empty() && !out.address) return wrong("--token-file is for --http");
  for (const std::string& limit : line->values("--limit"))
    if (auto set = set_limit(out, limit); !set) return wrong(set.error());
  return out;
}

}  // namespace belay::cli
