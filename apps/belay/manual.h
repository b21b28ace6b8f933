// What a manual says about its command, for programs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace belay::cli {

/// One of a line as `    -n, --limit N` or `    --allow RULE, --deny RULE`, in any section but those of prose.
struct ManualOption {
  std::vector<std::string> names;  ///< -n, --limit
  std::string value;               ///< N, DIR, complete|cut; empty for none
  std::string what;                ///< what it does: the first sentence, or what stands on the first line of it
};
std::vector<ManualOption> options_in(std::string_view manual);

/// The summary under NAME, without the command.
std::string summary_in(std::string_view manual);

/// What may stand at a place of the command line, as SYNOPSIS has it.
struct ManualWords {
  std::vector<std::string> verbs;   ///< words to be typed as they stand, behind the command's name
  std::vector<std::string> places;  ///< FILE, ID: everything else that is no option nor an option's value; each once
};
ManualWords words_in(std::string_view manual);

}  // namespace belay::cli
