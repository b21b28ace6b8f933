// Content-encodings. libcurl could decode them too, but takes a stream that is cut off for a whole one, and cannot stop
// in the middle of what a few bytes unpack to.
#pragma once

#include <belay/version.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

namespace BELAY_NAMESPACE::net {

/// What a request says that it can read.
inline constexpr std::string_view kAcceptedEncodings = "gzip, br, deflate";

class Decoder {
 public:
  virtual ~Decoder() = default;
  struct Step {
    std::size_t taken = 0;   ///< of the bytes that were given
    std::string_view out{};  ///< valid until the next call
    bool more = false;       ///< there may be more out of what was taken already: call again, with or without bytes
    bool damaged = false;
  };
  virtual Step run(std::string_view bytes) = 0;
  /// What was given so far is a whole stream.
  [[nodiscard]] virtual bool complete() const = 0;
};

enum class Encoding : std::uint8_t { identity, gzip, deflate, brotli, unknown };
/// By the value of content-encoding; one only, in whatever case.
Encoding encoding_of(std::string_view value);
/// Nothing for identity and unknown, and when memory runs out.
std::unique_ptr<Decoder> make_decoder(Encoding encoding);

}  // namespace BELAY_NAMESPACE::net
