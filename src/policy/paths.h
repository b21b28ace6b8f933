// Paths judged by their text alone.
#pragma once

#include <belay/version.h>

#include "shell_tree.h"

#include <string_view>

namespace BELAY_NAMESPACE::policy {

struct PathVerdict {
  enum class Is : std::uint8_t {
    inside,  ///< in the workspace, as far as its text says
    system,  ///< the system's own, which only root can change: headers, libraries, documentation
    refused,
  };
  Is is = Is::inside;
  std::string_view reason = {};  ///< when refused
  bool finds_any = false;        ///< when inside: a pattern so wide that it finds names that keys have too
};

/// Who expands the patterns of a path.
enum class Reader : std::uint8_t {
  shell,
  git,  ///< it expands what is quoted too, and its `*` finds names with a dot in front
};

/// `workspace`: an absolute path without a slash at its end; paths below it are inside. May be empty.
PathVerdict judge_path(const Word& word, std::string_view workspace, Reader reader = Reader::shell);

}  // namespace BELAY_NAMESPACE::policy
