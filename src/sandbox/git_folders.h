// Where git keeps what it obeys (hooks, configuration) when that is not the folder .git of the workspace.
#pragma once

#include <belay/sandbox/workspace.h>

#include <string>
#include <vector>

namespace BELAY_NAMESPACE::sandbox {

/// The folders beneath the workspace that its `.git` leads to: by a file (`gitdir: elsewhere`), by a link, and by
/// `commondir` inside of the folder found, as linked worktrees have it. What lies outside is not listed: nobody writes
/// there. Only the `.git` at the root is asked.
struct GitFolders {
  std::vector<std::string> places;   ///< from the root on, without links; none lies in another one
  std::vector<std::string> missing;  ///< named, and no folder: whoever makes it there, makes what git obeys
  std::string odd;                   ///< why not all of them are known, to be read after the name; empty: they are
  /// Why a command must not run here: the same, or that something is missing. Empty: it may.
  [[nodiscard]] std::string trouble() const;
};

/// Reads at most 4 KiB of a file, follows links only outside of the workspace, and never waits. `root` is a descriptor
/// of the workspace, O_PATH is enough. It is the state of this moment: who can exchange `.git` itself is the person,
/// since neither tools nor commands in a cage can; a folder on the way could be renamed by a command that runs without
/// a cage at the same time, which could write to the hooks anyway.
GitFolders git_folders(int root);

/// The options with these folders protected as well. `root` is the workspace's path.
WorkspaceOptions with_git(WorkspaceOptions options, const std::string& root, const GitFolders& git);

}  // namespace BELAY_NAMESPACE::sandbox
