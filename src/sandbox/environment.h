// The environment of a command: made of what it may have, not of what Belay has.
#pragma once

#include <belay/version.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace BELAY_NAMESPACE::sandbox {

struct EnvironmentOptions {
  std::vector<std::string> without;  ///< entries of PATH below these are left out: the workspace, hidden places
  std::vector<std::string> with;     ///< but not those below these
  std::string home;                  ///< the private folder
  std::string temporary;
  std::string shell;
  std::vector<std::pair<std::string, std::string>> more;
};
/// NAME=VALUE lines. `own` is this process's environment, as environ gives it.
std::vector<std::string> environment_of(const char* const* own, const EnvironmentOptions& options);

}  // namespace BELAY_NAMESPACE::sandbox
