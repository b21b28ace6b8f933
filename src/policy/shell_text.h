// Whether a person sees a command as it is.
#pragma once

#include <belay/version.h>

#include <string_view>

namespace BELAY_NAMESPACE::policy {

/// Why a command cannot be shown as it is: control characters, text that is drawn in another order or not at all, bytes
/// that are not UTF-8. Empty when it can. NUL is for the caller.
std::string_view hidden_text(std::string_view text);

}  // namespace BELAY_NAMESPACE::policy
