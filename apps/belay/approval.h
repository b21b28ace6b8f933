// What a person sees before a call runs: short enough for one screen, whatever the call holds.
#pragma once

#include <belay/json/value.h>
#include <belay/sandbox/workspace.h>
#include <belay/tool.h>

#include <string>
#include <string_view>

namespace belay::cli {

struct Question {
  const tool::Spec& spec;
  json::Value arguments;     ///< exactly what would run
  std::string_view reason;   ///< why it is asked about
  std::string_view receipt;  ///< what was mended or guessed; empty for nothing
};

/// The tool, its arguments, one a line, the receipt, and the question with what it is about. A long text is cut, and
/// its size said; of a long command the end is shown too. Nothing in it steers a terminal. `workspace` is asked whether
/// a file that would be written is there.
std::string approval_text(const Question& question, const sandbox::Workspace& workspace);

}  // namespace belay::cli
