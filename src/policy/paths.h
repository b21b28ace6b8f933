// Paths judged by their text alone.
#pragma once

#include "shell_tree.h"

#include <string_view>

namespace belay::policy {

struct PathVerdict {
  enum class Is : std::uint8_t {
    inside,  ///< in the workspace, as far as its text says
    system,  ///< the system's own, which only root can change: headers, libraries, documentation
    refused,
  };
  Is is = Is::inside;
  std::string_view reason;  ///< when refused
};

/// `workspace`: an absolute path without a slash at its end; paths below it are inside. May be empty.
PathVerdict judge_path(const Word& word, std::string_view workspace);

}  // namespace belay::policy
