// The tools for files: what is offered to a model, and the code that does it.
#pragma once

#include <belay/sandbox/workspace.h>
#include <belay/tool.h>

#include <cstddef>
#include <memory>

namespace BELAY_NAMESPACE::builtin {

/// Of text in one result.
inline constexpr std::size_t kShownBytes = 200 * 1024;

using SharedWorkspace = std::shared_ptr<const sandbox::Workspace>;

/// `read_file` {path, start_line?, end_line?}: a text, or an image.
tool::Spec read_file_spec();
tool::Code read_file_code(SharedWorkspace workspace);

/// `write_to_file` {path, content}: the whole file, and a diff of what changed.
tool::Spec write_to_file_spec();
tool::Code write_to_file_code(SharedWorkspace workspace);

/// `apply_diff` {path, diff}: search/replace blocks, all or none.
tool::Spec apply_diff_spec();
tool::Code apply_diff_code(SharedWorkspace workspace);

/// `list_files` {path, recursive?}.
tool::Spec list_files_spec();
tool::Code list_files_code(SharedWorkspace workspace);

/// `search_files` {path, regex, file_pattern?}.
tool::Spec search_files_spec();
tool::Code search_files_code(SharedWorkspace workspace);

}  // namespace BELAY_NAMESPACE::builtin
