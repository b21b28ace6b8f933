// As much of JSON as finding the end of a value needs: brackets are counted, not paired, and strings are passed over.
#pragma once

#include <belay/version.h>

#include <cstdint>
#include <string_view>

namespace BELAY_NAMESPACE::sse {

inline bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// Goes through one object, array or string. Its state survives a cut at any byte.
class ValueScan {
 public:
  /// Takes the bytes from `p` on, at first those from the value's first byte on. Gives the place behind the value's
  /// last byte, or `end`; over() tells which.
  const char* run(const char* p, const char* end);
  [[nodiscard]] bool over() const { return over_; }

 private:
  std::uint64_t depth_ = 0;
  bool in_string_ = false;
  bool escaped_ = false;  // the next byte belongs to a backslash
  bool over_ = false;
};

/// true, false, null, or a number.
bool is_scalar(std::string_view text);

/// One value, with nothing but white space around it. `[DONE]` is one by its brackets.
bool is_whole_json(std::string_view text);

}  // namespace BELAY_NAMESPACE::sse
