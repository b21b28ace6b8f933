// Reads a command line by a table of options.
#pragma once

#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace belay::cli {

struct Option {
  std::string_view name;  ///< with its dashes: --json
  char letter = '\0';     ///< -j; NUL for none
  bool value = false;     ///< one follows, as --name VALUE or --name=VALUE
};

/// What was given. -h and --help are known to all commands.
struct CommandLine {
  std::vector<std::pair<std::string_view, std::string>> options;  ///< in their order; names are those of the table
  std::vector<std::string> words;                                 ///< what is no option
  bool help = false;

  [[nodiscard]] bool has(std::string_view name) const;
  /// The last one of this name.
  [[nodiscard]] std::optional<std::string> value(std::string_view name) const;
  [[nodiscard]] std::vector<std::string> values(std::string_view name) const;
};

/// Says of the words so far that with the next one a command line of another program begins.
using BeginsCommand = bool (*)(std::span<const std::string> words);

/// Options may stand anywhere before `--`, and before what `begins` says yes to: from there on everything is a word, as
/// it stands. The error is one sentence for standard error. The names in `options` must outlive the result.
std::expected<CommandLine, std::string> read_command_line(std::span<const std::string> arguments,
                                                          std::span<const Option> options,
                                                          BeginsCommand begins = nullptr);

}  // namespace belay::cli
