// One JSON object inside a text: found by its brackets, read by the tolerant reader.
#pragma once

#include "text/payload.h"
#include "text/span.h"

namespace belay::text {

class ObjectPart {
 public:
  ObjectPart(Context& context, const Row& row);

  void begin(Position at);
  enum class Then : std::uint8_t {
    more,    ///< give the rest again, with more
    closed,  ///< its own closer was read
    marker,  ///< a marker follows where none can be: the object is not whole
  };
  /// Takes bytes and says how many. What it takes goes to the reader and out as a delta.
  std::size_t read(std::string_view window, bool final, Then& then);
  /// Another object follows, glued to this one, behind some white space: gives how many bytes were taken.
  std::size_t again(std::string_view window, std::size_t space);
  /// What was read. `cut`: nothing that could have ended it came.
  json::Reading finish(bool cut);

  [[nodiscard]] json::MaybePartial value() const { return reader_.value(); }
  [[nodiscard]] std::uint64_t size() const { return reader_.offset(); }
  [[nodiscard]] Position begun_at() const { return at_; }

 private:
  Context& context_;
  const Row& row_;
  ByteSet marks_;
  json::Reader reader_;
  Span span_;
  Position at_;
};

}  // namespace belay::text
