// How a text ends, as far as it matters for what follows it.
#pragma once

#include "text/scan.h"

#include <string>
#include <string_view>

namespace BELAY_NAMESPACE::text {

/// The last bytes of a text, and what they say. What is farther away than kBytes does not matter.
class Trail {
 public:
  static constexpr std::size_t kBytes = 64;

  void add(std::string_view bytes) {
    if (bytes.size() >= kBytes) {
      tail_ = bytes.substr(bytes.size() - kBytes);
      return;
    }
    tail_ += bytes;
    if (tail_.size() > kBytes) tail_.erase(0, tail_.size() - kBytes);
  }
  void clear() { tail_.clear(); }

  /// Nothing but white space.
  [[nodiscard]] bool blank() const { return said().empty(); }
  /// The first byte of what closes the quote at its very end; 0: there is none. `wide`: one that may stand apart.
  [[nodiscard]] char quote(bool& wide) const {
    const std::string_view s = said();
    wide = s.ends_with('`') || s.ends_with('|') || s.ends_with("\"\"\"") || s.ends_with("'''");
    if (wide) return s.back();
    if (tail_.ends_with('"') || tail_.ends_with('\'')) return tail_.back();
    for (std::string_view quote : {"“", "”", "„", "‘", "’", "‚", "«", "»", "‹", "›"})
      if (tail_.ends_with(quote)) return quote.front();
    return 0;
  }
  /// <pre>, <code>: an element whose text is shown begins.
  [[nodiscard]] bool opens_example() const {
    const std::string_view s = said();
    for (std::string_view tag : {"<pre>", "<code>", "<samp>", "<blockquote>", "<example>", "<examples>"})
      if (s.size() >= tag.size() && same_word(s.substr(s.size() - tag.size()), tag)) return true;
    return false;
  }
  /// A row of backticks with at most one word behind it: a fence that begins behind words.
  [[nodiscard]] bool opens_fence(std::size_t marks) const {
    const std::string_view s = said();
    std::size_t end = s.size();
    while (end > 0 && (is_name_byte(s[end - 1]) || s[end - 1] == '+' || s[end - 1] == '#')) --end;
    while (end > 0 && (s[end - 1] == ' ' || s[end - 1] == '\t')) --end;
    const std::size_t from = s.substr(0, end).find_last_not_of('`');
    return end - (from == std::string_view::npos ? 0 : from + 1) == marks;
  }
  /// A sentence ended, or a colon says that something follows: "Sure: ". Not "1. ", which is a list.
  [[nodiscard]] bool ends_sentence() const {
    const std::string_view s = said();
    if (s.size() < 2 || s.size() == tail_.size()) return false;
    const char end = s.back(), before = lower(s[s.size() - 2]);
    return (end == '.' || end == '!' || end == '?' || end == ':') &&
           ((before >= 'a' && before <= 'z') || before == ')' || before == '"' || before == '\'' || before == '*');
  }
  /// It ends in the middle of a sentence's words, without a blank: "Hello".
  [[nodiscard]] bool ends_word() const {
    if (tail_.empty()) return false;
    const char c = lower(tail_.back());
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '!' || c == '?' || c == ',';
  }
  /// Backticks are the last that was said.
  [[nodiscard]] bool ends_with_tick() const { return said().ends_with('`'); }
  /// An expression of some language goes on behind it.
  [[nodiscard]] bool goes_on() const {
    const std::string_view s = said();
    if (s.ends_with("\"\"\"") || s.ends_with("'''")) return true;
    const char end = s.empty() ? '\0' : s.back();
    return end == '(' || end == '[' || end == '{' || end == '=' || end == '+' || end == '|';
  }
  /// Its last line has nothing but marks of a quotation.
  [[nodiscard]] bool ends_with_mark() const {
    const std::size_t at = tail_.find_last_not_of("> \t\r");
    return at == std::string::npos ? tail_.size() < kBytes : tail_[at] == '\n';
  }
  [[nodiscard]] bool ends_with_tag() const { return said().ends_with('>'); }
  /// <example>: an element of some markup was opened, and is not closed.
  [[nodiscard]] bool opens_element() const {
    const std::string_view s = said();
    if (!s.ends_with('>') || s.ends_with("/>")) return false;
    const std::size_t tag = s.rfind('<');
    if (tag == std::string_view::npos || tag + 1 >= s.size()) return false;
    const char c = lower(s[tag + 1]);
    return c >= 'a' && c <= 'z';
  }
  /// An indented block of Markdown: four blanks or a tab, behind an empty line.
  [[nodiscard]] bool indents() const {
    const std::string_view all = tail_;
    const std::size_t line = all.rfind('\n');
    if (line == std::string_view::npos) return false;
    const std::string_view indent = all.substr(line + 1);
    if (indent.size() < 4 && indent.find('\t') == std::string_view::npos) return false;
    std::size_t n = line;
    while (n > 0 && (all[n - 1] == ' ' || all[n - 1] == '\t' || all[n - 1] == '\r')) --n;
    return n > 0 && all[n - 1] == '\n';
  }

 private:
  // Without the white space behind it.
  [[nodiscard]] std::string_view said() const { return without_trailing_spaces(tail_); }

  std::string tail_;
};

}  // namespace BELAY_NAMESPACE::text
