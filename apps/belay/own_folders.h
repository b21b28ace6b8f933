// Where Belay keeps its own files, for the tools that must not touch them.
#pragma once

#include <belay/config.h>

#include <string>
#include <vector>

namespace belay::cli {

/// The folders of the configuration and of the data, for WorkspaceOptions::protected_folders. A folder above
/// `workspace` is left out: what is beneath the workspace is none of its files. Empty where the person has no folders
/// at all.
std::vector<std::string> own_folders(const config::Environment& environment, const std::string& workspace);

}  // namespace belay::cli
