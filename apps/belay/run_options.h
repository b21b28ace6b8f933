// The options of `belay run` and `belay replay`.
#pragma once

#include "headless.h"

#include <belay/config.h>
#include <belay/sandbox.h>

#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace belay::cli {

struct RunOptions {
  bool help = false;
  std::string prompt;  ///< may be empty: standard input, or the person is asked
  bool print = false;  ///< -p: nobody is asked, the result goes to standard output
  OutputFormat format = OutputFormat::text;
  bool partial = false;
  bool go_on = false;                 ///< -c: the last task of this workspace
  std::optional<std::string> resume;  ///< -r; empty: one that the person chooses
  bool fork = false;
  std::string workspace;  ///< empty: the current folder
  std::string append_system_prompt;
  std::vector<std::string> mcp_config;  ///< files with servers
  bool strict_mcp_config = false;
  std::string record;  ///< a file for a cassette
  bool insist = false;
  std::optional<std::string> idle_timeout;  ///< seconds without a byte from the server
  config::Flags flags;
  Limits limits;
  // belay replay
  std::string cassette;
  bool serve = false;  ///< play it for others, run nothing
  double speed = 1;
};

std::expected<RunOptions, std::string> parse_run_options(std::span<const std::string> arguments);
std::expected<RunOptions, std::string> parse_replay_options(std::span<const std::string> arguments);

/// One option, for the parser, for suggestions and for completion.
struct RunOption {
  std::string_view name, letter;  ///< `--model`, `-m`; the letter may be empty
  std::string_view value;         ///< what it takes, as in the help; empty for a switch
  std::string_view choices;       ///< separated by spaces; empty for anything
  std::string_view about;
  bool replay_only = false;
  bool spelling = false;  ///< another spelling of the one before it, which no help shows
};
std::span<const RunOption> run_option_table();

}  // namespace belay::cli
