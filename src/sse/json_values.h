// JSON values in a row: one a line, glued, over many lines, or the items of an array.
#pragma once

#include "sse/delivery.h"
#include "sse/json_scan.h"

#include <string>

namespace BELAY_NAMESPACE::sse {

class JsonValues {
 public:
  explicit JsonValues(Delivery& out) : out_(out) {}

  /// A piece that is not empty; `offset` is its place in the stream.
  void push(std::string_view piece, std::uint64_t offset);
  void finish(Ended ended);
  /// Bytes of the value that has begun, when the stream is `end` bytes long.
  [[nodiscard]] std::uint64_t left_over(std::uint64_t end) const;
  [[nodiscard]] std::string_view unfinished() const { return carried_; }

 private:
  enum class Part : std::uint8_t {
    between,  ///< values
    value,    ///< an object, an array or a string
    word,     ///< something without quotes: a scalar, or garbage
    garbage,  ///< up to the end of the line
  };

  void begin(char first, std::uint64_t offset);
  const char* pass_between(const char* p, const char* end);
  std::string_view joined(const char*& from, const char* to);
  void deliver(std::string_view text);

  Delivery& out_;
  Part part_ = Part::between;
  bool in_array_ = false;  // whose items are the values
  ValueScan scan_;
  std::uint64_t begin_ = 0;  // of the value
  std::string carried_;      // what earlier pieces held of it
};

}  // namespace BELAY_NAMESPACE::sse
