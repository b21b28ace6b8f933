// A visitor that leaves out what .gitignore says.
#pragma once

#include "builtin/ignore.h"

#include <belay/sandbox/workspace.h>

#include <string_view>

namespace BELAY_NAMESPACE::builtin {

/// Reads the .gitignore of every folder that a walk enters, and before that those of the folders above. What is ignored
/// is left out, with all that is in it. The folder in which the walk begins is never left out.
class IgnoringVisitor : public sandbox::Visitor {
 public:
  void enter(const sandbox::FolderView& folder) override;
  void leave() override;
  sandbox::Visit visit(const sandbox::Entry& entry, const sandbox::FolderView& folder) final;

  /// What is not ignored.
  virtual sandbox::Visit see(const sandbox::Entry& entry, const sandbox::FolderView& folder) = 0;

  [[nodiscard]] std::size_t ignored() const { return ignored_; }

  /// The rules of the folders above the one in which the walk begins. Before the walk.
  void read_above(const sandbox::Workspace& workspace, std::string_view place);

 private:
  IgnoreStack rules_;
  std::size_t ignored_ = 0;
};

}  // namespace BELAY_NAMESPACE::builtin
