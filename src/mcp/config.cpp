// Which files count, and for what.
#include <belay/mcp/config.h>

#include "mcp/files.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

namespace BELAY_NAMESPACE::mcp {
namespace {

// Adds the servers of one file to those that are there already.
void add(Configuration& all, Configuration file) {
  std::ranges::move(file.notes, std::back_inserter(all.notes));
  for (ServerConfig& server : file.servers) {
    const auto same = std::ranges::find(all.servers, server.name, &ServerConfig::name);
    if (same == all.servers.end()) {
      all.servers.push_back(std::move(server));
    } else {
      all.notes.push_back("the server " + server.name + " of " + server.file + " is left out: " + same->file +
                          " has one of that name");
    }
  }
}

std::expected<std::optional<Configuration>, std::string> read_file(const std::string& path, ServerConfig::Origin origin,
                                                                   const Environment& environment) {
  const auto text = read_small(path);
  if (!text) return std::unexpected(text.error());
  if (!text->has_value()) return std::nullopt;
  auto servers = servers_in(text->value_or(""), path, origin, environment);
  if (!servers) return std::unexpected(servers.error());
  return std::move(*servers);
}

// As one word of a shell.
std::string word(const std::string& text) {
  const bool plain = !text.empty() && text[0] != '-' && std::ranges::all_of(text, [](unsigned char c) {
    return std::isalnum(c) != 0 || std::string_view("._-/+@:,=").contains(static_cast<char>(c));
  });
  if (plain) return text;
  std::string out = "'";
  for (const char c : text) c == '\'' ? out += "'\\''" : out += c;
  return out + "'";
}

}  // namespace

std::string_view name(ServerConfig::Type type) noexcept {
  constexpr std::string_view names[] = {"stdio", "http", "sse"};
  return names[static_cast<std::size_t>(type)];
}
std::string_view name(ServerConfig::Origin origin) noexcept {
  constexpr std::string_view names[] = {"user", "given", "workspace"};
  return names[static_cast<std::size_t>(origin)];
}

std::string approve_command(const ServerConfig& config) {
  std::string out = "belay mcp approve " + word(config.name);
  if (config.origin == ServerConfig::Origin::given && !config.file.empty()) out += " --mcp-config " + word(config.file);
  if (config.origin == ServerConfig::Origin::workspace) {
    std::error_code ignored;
    const std::filesystem::path folder = std::filesystem::path(config.file).parent_path();
    if (folder != std::filesystem::current_path(ignored)) out += " --workspace " + word(folder.string());
  }
  return out;
}

std::expected<Configuration, std::string> read_configuration(const ConfigOptions& options, const Approvals& approvals) {
  Configuration all;
  for (auto path = options.given.rbegin(); path != options.given.rend(); ++path) {
    auto file = read_file(*path, ServerConfig::Origin::given, options.environment);
    if (!file) return std::unexpected(file.error());
    std::optional<Configuration>& found = *file;
    if (!found) return std::unexpected("there is no file " + *path);
    add(all, std::move(*found));
  }
  if (options.strict) return all;
  // A file that nobody asked for now must not keep everything else from working; but it is not passed over either.
  auto also = [&](const std::string& path, ServerConfig::Origin origin) -> std::optional<Configuration> {
    auto file = read_file(path, origin, options.environment);
    if (file) return std::move(*file);
    all.notes.push_back(file.error());
    all.broken.push_back(file.error());
    return std::nullopt;
  };
  if (!options.user_file.empty())
    if (auto user = also(options.user_file, ServerConfig::Origin::user)) add(all, std::move(*user));
  if (options.workspace.empty()) return all;
  std::error_code ignored;
  const std::filesystem::path folder = std::filesystem::weakly_canonical(options.workspace, ignored);
  auto workspace = also((folder / ".mcp.json").string(), ServerConfig::Origin::workspace);
  if (!workspace) return all;
  for (ServerConfig& server : workspace->servers) {
    if (server.cwd.empty()) server.cwd = folder.string();
    server.unapproved = !approvals.server(server.file, server.name, server.hash);
    // What is wrong with it besides keeps it from starting in any case, and is said first.
    if (server.unapproved)
      server.withheld += (server.trouble.empty() ? "" : "; besides, ") +
                         ("the workspace names it, and you have not approved of it as it is; " +
                          approve_command(server) + " shows it and asks");
  }
  add(all, std::move(*workspace));
  return all;
}

}  // namespace BELAY_NAMESPACE::mcp
