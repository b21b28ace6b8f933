// A tool's result as bytes, for the way from one process to another of the same program.
#pragma once

#include <belay/tool.h>

#include <optional>
#include <string>
#include <string_view>

namespace BELAY_NAMESPACE::run {

/// Texts and images of a result. Other blocks are left out: tools do not give them.
std::string packed(const tool::Result& result);
/// Nothing when the bytes are not all there, or are none of packed().
std::optional<tool::Result> unpacked(std::string_view bytes);

}  // namespace BELAY_NAMESPACE::run
