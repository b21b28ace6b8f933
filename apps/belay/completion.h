// `belay completion`: scripts with which shells complete command lines. They are made from the manuals, so that a
// command or an option that has a manual is completed.
#pragma once

#include "exit_code.h"
#include "io.h"

#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace belay::cli {

/// What can be offered at a place.
struct Values {
  enum class Kind : std::uint8_t { none, words, files, folders, tasks, servers };
  Kind kind = Kind::none;
  std::vector<std::string> words;
};

struct CompletedOption {
  std::vector<std::string> names;
  bool takes_value = false;
  Values values;
  std::string what;
};

struct CompletedCommand {
  std::string name, what;
  std::vector<CompletedOption> options;
  Values first, rest;              ///< the first word that is no option, and those behind it
  std::vector<std::string> verbs;  ///< first words behind which `rest` is one word more; empty: it is all that follow
  /// A verb with options of its own, in place of those above. Before there is a verb, both are offered.
  std::string other_verb;
  std::vector<CompletedOption> other_options;
};

/// A command and its manual.
struct Manual {
  std::string_view name, text;
};
/// All commands, `help` as the last.
std::vector<CompletedCommand> completed(std::span<const Manual> manuals);

/// A command of the shell that writes ids of tasks, one a line; behind an empty line of the list comes a remark. Only
/// such as no shell reads anything into: words that are offered are expanded by some.
inline constexpr std::string_view kTaskIds =
    "belay tasks list --limit 50 2>/dev/null | awk 'NR > 1 && !NF {exit} NR > 1 && $1 ~ /^[A-Za-z0-9._-]+$/ && NF > 3 "
    "{print $1}'";

/// The same for names of tool servers.
inline constexpr std::string_view kServerNames =
    "belay mcp list --names 2>/dev/null | awk '/^[A-Za-z0-9_][A-Za-z0-9._-]*$/'";

std::string bash_script(std::span<const CompletedCommand> commands);
std::string zsh_script(std::span<const CompletedCommand> commands);
std::string fish_script(std::span<const CompletedCommand> commands);

/// In single quotes for a shell of the Bourne family.
std::string shell_quoted(std::string_view text);
/// The words, with a space between them.
std::string spaced(std::span<const std::string> words);

struct CompletionOptions {
  bool help = false;
  std::string shell;
};
std::expected<CompletionOptions, std::string> parse_completion_options(std::span<const std::string> arguments);
Exit completion(const CompletionOptions& options, std::span<const Manual> manuals, Output& out, Output& err);

}  // namespace belay::cli
