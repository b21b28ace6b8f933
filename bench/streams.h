// Answers as the providers stream them: one long call, or one long text, in small deltas. The same bytes in every run.
#pragma once

#include <belay/wire.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace belay::bench {

inline constexpr std::size_t kKiB = 1024;
inline constexpr std::size_t kMiB = 1024 * kKiB;
/// Bytes of arguments, or of text, that a delta carries; one more where a character would be cut.
inline constexpr std::size_t kDelta = 8;
/// Bytes that are handed over at a time, to Belay and to the SDKs: what a TLS record holds.
inline constexpr std::size_t kNetworkRead = 16 * kKiB;

struct Stream {
  std::string body;
  std::size_t payload = 0;  ///< bytes of arguments or of text
  std::size_t deltas = 0;
};

/// An answer of this wire with `payload` bytes or a little more: the arguments of one call that writes a file; for
/// Ollama, which sends calls whole, text.
Stream make_stream(wire::Wire wire, std::size_t payload);

}  // namespace belay::bench
