// Files that other programs run by themselves.
#pragma once

#include <belay/version.h>

#include <string_view>

namespace BELAY_NAMESPACE::policy {

/// True when a part of this path, in any case, is a name that an editor, an agent, a shell, a package manager, a
/// version control system or a build service looks for and obeys without being asked. By its text; links are not
/// followed.
bool starts_by_itself(std::string_view path);

}  // namespace BELAY_NAMESPACE::policy
