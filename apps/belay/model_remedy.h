// What the person can do about a model's server that does not answer as it should.
#pragma once

#include <belay/config.h>

#include <string>
#include <string_view>

namespace belay::cli {

/// For a failure of this kind (`unreachable`, `authentication`, `permission`, `not_found`): what was asked with what,
/// and which option changes that. A clause without capital and full stop; empty for every other kind.
std::string model_remedy(const config::Config& config, std::string_view kind);

/// The same as a sentence.
std::string model_remedy_sentence(const config::Config& config, std::string_view kind);

}  // namespace belay::cli
