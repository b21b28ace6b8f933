// The words a task gives a model: the system prompt, and what it is told when an answer cannot be used.
#pragma once

#include <belay/chat.h>

#include <string>
#include <string_view>
#include <vector>

namespace BELAY_NAMESPACE::task {
BELAY_API_BEGIN

/// What the prompt says of where the task runs. All of it is text that somebody else has found out.
struct Environment {
  std::string workspace{};     ///< its path
  std::string system{};        ///< `Linux`, ...
  std::string shell{};         ///< `/bin/bash`, ...
  std::string date{};          ///< as a person writes it
  std::string permissions{};   ///< one sentence on what is asked about
  std::string instructions{};  ///< AGENTS.md, as it is
  std::string extra{};         ///< the caller's own rules
  std::string servers{};       ///< of tool servers: what they say of themselves, marked as theirs
  bool person = true;          ///< somebody can be asked
};

/// The rules of using tools (one JSON object a call, lists for several items, results before completion, ...), the
/// environment, then the instructions.
std::string system_prompt(const Environment& environment);

BELAY_API_END
}  // namespace BELAY_NAMESPACE::task
