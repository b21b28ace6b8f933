// AGENTS.md: what the people of a workspace want every agent to know.
#pragma once

#include <string>
#include <vector>

namespace belay::cli {

struct Instructions {
  std::string text;                ///< of all files, the outermost first, each under its path
  std::vector<std::string> files;  ///< that were read
  std::vector<std::string> notes;  ///< what was left out, and why
};

/// `AGENTS.md`, or else `CLAUDE.md`, of the workspace (an absolute path) and of each folder above it. A file above the
/// workspace counts only when it belongs to the person or to root, so that nobody can plant one in a shared folder.
/// A link counts only within the workspace, and never one of /proc: what the file says goes to the model. At most
/// 256 KiB of each.
Instructions find_instructions(const std::string& workspace);

}  // namespace belay::cli
