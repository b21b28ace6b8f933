#include "tool.h"

#include "complaint.h"
#include "options.h"
#include "terminal.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace belay::cli {
namespace {

// Takes words from the front of a command line: options as --name VALUE or --name=VALUE.
class Words {
 public:
  explicit Words(std::span<const std::string> words) : words_(words) {}
  [[nodiscard]] bool empty() const { return words_.empty(); }
  std::string next() {
    std::string word = words_.front();
    words_ = words_.subspan(1);
    return word;
  }
  /// The value of the option that `word` is, or nothing when it is another word.
  std::optional<std::expected<std::string, std::string>> value(std::string_view option, const std::string& word) {
    if (word == option) {
      if (empty()) return wrong(std::string(option) + " needs a value");
      return next();
    }
    if (word.starts_with(std::string(option) + "=")) return word.substr(option.size() + 1);
    return std::nullopt;
  }

 private:
  std::span<const std::string> words_;
};

// --limit NAME=VALUE: the names are those that results and errors give.
std::expected<void, std::string> set_limit(ToolOptions& options, std::string_view setting) {
  const std::size_t equals = setting.find('=');
  if (equals == std::string_view::npos) return wrong("--limit needs NAME=VALUE, not " + cited(setting));
  const std::string_view name = setting.substr(0, equals);
  const auto value = parse_size(setting.substr(equals + 1));
  if (!value) return wrong("--limit " + clipped(name, 60) + ": " + value.error());
  if (!set_tool_limit(options.file_limits, options.command_limits, name, *value))
    return wrong("no limit " + cited(name) +
                 "; the names are file_bytes, scan_bytes, path_bytes, entries, folder_entries, depth, output_bytes, "
                 "flood_bytes, processes, memory_bytes, temporary_bytes, files, command_bytes");
  return {};
}

}  // namespace

bool set_tool_limit(sandbox::WorkspaceLimits& files, sandbox::CommandLimits& commands, std::string_view name,
                    std::uint64_t n) {
  const std::uint32_t few = static_cast<std::uint32_t>(std::min<std::uint64_t>(n, 1'000'000));
  if (name == "file_bytes")
    files.file_bytes = commands.file_bytes = n;
  else if (name == "scan_bytes")
    files.scan_bytes = n;
  else if (name == "path_bytes")
    files.path_bytes = n;
  else if (name == "entries")
    files.entries = n;
  else if (name == "folder_entries")
    files.folder_entries = n;
  else if (name == "depth")
    files.depth = n;
  else if (name == "output_bytes")
    commands.output_bytes = n;
  else if (name == "flood_bytes")
    commands.flood_bytes = n;
  else if (name == "processes")
    commands.processes = few;
  else if (name == "memory_bytes")
    commands.memory_bytes = n;
  else if (name == "temporary_bytes")
    commands.temporary_bytes = n;
  else if (name == "files")
    commands.files = few;
  else if (name == "command_bytes")
    commands.command_bytes = n;
  else
    return false;
  return true;
}

// By hand: the JSON may begin with a dash, and is never an option.
std::expected<ToolOptions, std::string> parse_tool_options(std::span<const std::string> arguments) {
  ToolOptions options;
  Words words(arguments);
  std::vector<std::string> plain;
  bool only_plain = false;
  while (!words.empty()) {
    const std::string word = words.next();
    if (only_plain || word == "-" || !word.starts_with('-') || plain.size() == 1) {
      plain.push_back(word);
    } else if (word == "--") {
      only_plain = true;
    } else if (word == "-h" || word == "--help") {
      options.help = true;
      return options;
    } else if (word == "-y" || word == "--yes") {
      options.yes = true;
    } else if (word == "--network") {
      options.network = true;
    } else if (word == "--insist") {
      options.insist = true;
    } else if (auto folder = words.value("--workspace", word)) {
      if (!*folder) return wrong(folder->error());
      options.workspace = **folder;
    } else if (auto limit = words.value("--limit", word)) {
      if (!*limit) return wrong(limit->error());
      if (auto set = set_limit(options, **limit); !set) return wrong(set.error());
    } else if (auto level = words.value("--sandbox", word)) {
      if (!*level) return wrong(level->error());
      const auto named = sandbox::level_named(**level);
      if (!named) return wrong("--sandbox is read-only, workspace-write or danger-full-access, not " + cited(**level));
      options.level = *named;
    } else if (auto mode = words.value("--permission-mode", word)) {
      if (!*mode) return wrong(mode->error());
      const auto named = policy::mode_named(**mode);
      if (!named)
        return wrong("--permission-mode is default, acceptEdits, plan, dontAsk or bypassPermissions, not " +
                     cited(**mode));
      options.mode = *named;
    } else {
      return wrong("no option " + cited(word));
    }
  }
  if (plain.empty()) return wrong("the NAME of a tool is needed; belay tools lists them");
  if (plain.size() == 1) return wrong("JSON is needed behind the name: the arguments of " + cited(plain[0]));
  if (plain.size() > 2) return wrong("NAME and JSON are all; " + cited(plain[2]) + " is one too many (quote the JSON)");
  options.name = plain[0];
  options.arguments = plain[1];
  return options;
}

std::expected<ToolsOptions, std::string> parse_tools_options(std::span<const std::string> arguments) {
  ToolsOptions options;
  for (const std::string& word : arguments) {
    if (word == "-h" || word == "--help") {
      options.help = true;
    } else if (word == "--json") {
      options.json = true;
    } else if (word.starts_with('-')) {
      return wrong("no option " + cited(word));
    } else if (!options.name.empty()) {
      return wrong("one NAME at most; " + cited(word) + " is one too many");
    } else {
      options.name = word;
    }
  }
  return options;
}

}  // namespace belay::cli
