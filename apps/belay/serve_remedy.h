// What would really allow a call that `belay mcp serve` refused.
#pragma once

#include <belay/policy.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace belay::cli {

/// Sentences for whoever reads the refusal. Each option that they name was tried: with it, beside the permissions of
/// now, this very run would not have to be asked about. Where none does, that is said. `reason` is why it was asked.
std::string serve_remedy(const policy::Permissions& now, const policy::Plan& plan, std::size_t run,
                         std::string_view reason);

}  // namespace belay::cli
