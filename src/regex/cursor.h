// A place in a pattern, and the words for what is wrong there.
#pragma once

#include <belay/version.h>

#include <cstddef>
#include <expected>
#include <string>
#include <string_view>

namespace BELAY_NAMESPACE::regex {

/// Steps through a pattern, which is valid UTF-8 and outlives it.
class Cursor {
 public:
  explicit Cursor(std::string_view pattern) : pattern_(pattern) {}

  [[nodiscard]] bool done() const { return at_ == pattern_.size(); }
  [[nodiscard]] std::size_t at() const { return at_; }
  [[nodiscard]] std::string_view since(std::size_t from) const { return pattern_.substr(from, at_ - from); }

  /// The next byte; 0 at the end, which no part of the syntax is.
  [[nodiscard]] char peek() const { return done() ? '\0' : pattern_[at_]; }
  [[nodiscard]] bool sees(std::string_view what) const { return pattern_.substr(at_).starts_with(what); }

  /// Goes past `what`, if that is next.
  bool take(std::string_view what) {
    if (!sees(what)) return false;
    at_ += what.size();
    return true;
  }
  /// Goes past one code point; not at the end.
  char32_t next();
  void go_back_to(std::size_t at) { at_ = at; }

 private:
  std::string_view pattern_;
  std::size_t at_ = 0;
};

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// `what at offset N why`; of a long `what` only the beginning. Offsets count the pattern's bytes from 0.
std::unexpected<std::string> refuse(std::string_view what, std::size_t at, std::string_view why);

}  // namespace BELAY_NAMESPACE::regex
