// Names of files, to be completed.
#pragma once

#include <belay/version.h>

#include <string>
#include <string_view>
#include <vector>

namespace BELAY_NAMESPACE::screen {

/// What `beginning` can become: paths below the workspace, folders with a slash at their end, sorted; some of them
/// where there are very many. Nothing for paths that lead out of it. Only the person's own keys lead here.
std::vector<std::string> files_below(const std::string& workspace, std::string_view beginning);

}  // namespace BELAY_NAMESPACE::screen
