// Tokens and cost, also where the provider does not count.
#pragma once

#include <belay/chat.h>

#include <cstdint>

namespace BELAY_NAMESPACE::task {

/// What the provider did not count, by an estimate of it: its own count stands wherever there is one. Servers that do
/// not count say nothing, or 0.
chat::Usage uncounted(const chat::Usage& usage, std::uint64_t input, std::uint64_t output);

}  // namespace BELAY_NAMESPACE::task
