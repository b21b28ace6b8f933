// Writes RE2's syntax, so that RE2 accepts it.
#pragma once

#include "regex/code_set.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace BELAY_NAMESPACE::regex {

/// How often something stands: {min,max}, or {min,} when there is no max.
struct Repeat {
  std::uint64_t min = 0;
  std::optional<std::uint64_t> max;
};

/// A pattern for RE2 in the making. Only whether something matches is kept, not what or how far: groups do not capture,
/// lazy and greedy are the same.
class Re2Text {
 public:
  Re2Text() : groups_(1) {}

  void literal(char32_t c);
  void one_of(CodeSet set);
  /// Something that takes no characters, in RE2's spelling.
  void assertion(std::string_view re2);
  void open_group();
  void alternative();
  void close_group();
  /// Repeats what was written last: a literal, a set or a group.
  void repeat(Repeat times);

  /// True when the text, or what RE2 would make of it, is beyond all bounds. It is then of no use.
  [[nodiscard]] bool full() const { return full_; }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  // A part of the text.
  struct Part {
    std::size_t start = 0;
    std::uint64_t repeats = 1;  // what the counts of nested repetitions in it multiply to, at most
    std::uint64_t copies = 0;   // what RE2 has of literals, sets and so on when it has carried out the repetitions
  };

  void write(std::string_view text);
  void write_code_point(char32_t c);
  void write_count(Repeat times);
  void write_times(std::string_view piece, std::uint64_t count);
  void write_up_to(std::string_view piece, std::uint64_t count);
  void finish_part(Part part);

  std::string text_;
  bool full_ = false;
  std::vector<Part> groups_;  // those that are open; the first is the whole
  Part last_;                 // what repeat() applies to
};

}  // namespace BELAY_NAMESPACE::regex
