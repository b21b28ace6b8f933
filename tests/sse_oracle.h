// What a decoder of streams said, in a form that can be compared, and a second decoder, written from the WHATWG text
// without regard to speed or memory, that sees the whole stream at once. Shared by the tests and the fuzz target.
#pragma once

#include <belay/sse.h>

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace belay::check {

/// An event, or a `retry:`.
struct Said {
  std::string data;
  std::uint64_t offset = 0;
  std::string event = {};
  std::string id = {};
  std::optional<std::uint64_t> retry = {};
  bool operator==(const Said&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Said& said);

struct Heard {
  std::vector<Said> said;
  std::uint64_t left_over = 0;
  sse::Trouble trouble = sse::Trouble::none;
  std::string message;
  std::string beginning;
  std::string unfinished;
  bool comments_only = false;
  bool operator==(const Heard&) const = default;
};

/// Decodes the pieces. Each is gone after its push, so that a sanitizer sees what refers to it too long.
Heard hear(const std::vector<std::string_view>& pieces, sse::Framing framing, sse::Ended ended,
           std::uint64_t event_bytes = Limits{}.event_bytes);

/// What differs, as a sentence; empty when nothing does.
std::string difference(const Heard& a, const Heard& b);
/// What differs from the whole stream when it comes byte by byte, or in two pieces, cut at any place.
std::string cut_difference(const Heard& whole, std::string_view input, sse::Framing framing, sse::Ended ended,
                           std::uint64_t event_bytes = Limits{}.event_bytes);

/// What the second decoder hears otherwise; nothing when the stream is no event stream, or compressed.
std::string naive_difference(const Heard& heard, std::string_view input, sse::Framing framing, sse::Ended ended,
                             std::uint64_t event_bytes = Limits{}.event_bytes);

/// For JSON framing: events are parts of the input in order, and nothing but white space, commas and the brackets
/// around items lies between them. A sentence where it is not so.
std::string lost(const Heard& heard, std::string_view input);

}  // namespace belay::check
