#include "regex/translate.h"

#include "base/utf8.h"
#include "regex/char_class.h"
#include "regex/cursor.h"
#include "regex/escape.h"
#include "regex/re2_text.h"
#include "regex/references.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace BELAY_NAMESPACE::regex {
namespace {

using Step = std::expected<void, std::string>;

// One pass over the pattern; what is open is on a stack of its own.
class Translator {
 public:
  explicit Translator(std::string_view pattern) : cursor_(pattern) {}

  /// Reads all of the pattern; an error when it is not ECMA-262.
  Step read();
  /// After read(): the translation, or why there is none.
  std::expected<std::string, std::string> translation();

 private:
  struct Group {
    std::size_t at;
    bool looks;  // (?= and its like
  };

  Step read_term();
  Step read_escape_or_reference();
  Step read_class_in_brackets();
  Step read_brace();
  Step repeat(std::size_t from, Repeat times);
  Step open_group();
  Step close_group();

  Step character(const Chars& chars);
  Step assertion(std::string_view re2);
  void not_linear(std::size_t from, std::string_view what);

  Cursor cursor_;
  Re2Text text_;
  References references_;
  std::vector<Group> groups_;  // those that are open
  bool repeatable_ = false;    // whether a * may follow
  bool within_words_ = false;  // whether there is a \B
  std::string not_linear_;     // about the first thing that RE2 cannot do
};

Step Translator::read() {
  while (!cursor_.done())
    if (Step step = read_term(); !step) return step;
  if (!groups_.empty()) return refuse("(", groups_.back().at, "is never closed");
  return references_.check();
}

std::expected<std::string, std::string> Translator::translation() {
  if (!not_linear_.empty()) return std::unexpected(not_linear_);
  if (text_.full())
    return std::unexpected(std::string("the pattern is too large: it repeats too much, or has too many large classes"));
  // RE2 begins a match at any byte, and \B holds within a character. Spelling out the characters before the match
  // lets it begin only where one does.
  if (within_words_) return "\\A[\\x{0}-\\x{10ffff}]*(?:" + text_.take() + ")";
  return text_.take();
}

Step Translator::read_term() {
  const std::size_t from = cursor_.at();
  if (cursor_.sees("\\")) return read_escape_or_reference();
  if (cursor_.sees("[")) return read_class_in_brackets();
  if (cursor_.sees("{")) return read_brace();
  if (cursor_.sees("(")) return open_group();
  if (cursor_.take(")")) return close_group();
  if (cursor_.take("^")) return assertion("\\A");
  if (cursor_.take("$")) return assertion("\\z");
  if (cursor_.take(".")) return character(all_but_line_ends());
  if (cursor_.take("*")) return repeat(from, {0, std::nullopt});
  if (cursor_.take("+")) return repeat(from, {1, std::nullopt});
  if (cursor_.take("?")) return repeat(from, {0, 1});
  if (cursor_.take("|")) {
    text_.alternative();
    repeatable_ = false;
    return {};
  }
  return character(cursor_.next());
}

Step Translator::character(const Chars& chars) {
  if (const char32_t* one = std::get_if<char32_t>(&chars))
    text_.literal(*one);
  else
    text_.one_of(std::get<CodeSet>(chars));
  repeatable_ = true;
  return {};
}

Step Translator::assertion(std::string_view re2) {
  text_.assertion(re2);
  repeatable_ = false;
  return {};
}

// Remembered, not refused at once: what comes after it may be wrong altogether.
void Translator::not_linear(std::size_t from, std::string_view what) {
  if (not_linear_.empty())
    not_linear_ = refuse("the " + std::string(what) + " " + std::string(cursor_.since(from)), from,
                         "is refused: linear time cannot do it")
                      .error();
}

Step Translator::read_escape_or_reference() {
  const std::size_t from = cursor_.at();
  if (cursor_.take("\\b")) return assertion("\\b");
  if (cursor_.take("\\B")) {
    within_words_ = true;
    return assertion("\\B");
  }
  const bool by_name = cursor_.take("\\k");
  if (!by_name) {
    cursor_.next();
    if (!is_digit(cursor_.peek()) || cursor_.peek() == '0') {
      cursor_.go_back_to(from);
      const std::expected<Chars, std::string> chars = read_escape(cursor_, Where::pattern);
      if (!chars) return std::unexpected(chars.error());
      return character(*chars);
    }
    references_.read_number(cursor_, from);
  } else if (Step step = references_.read_name(cursor_, from); !step) {
    return step;
  }
  // Something in its place, for what repeats it.
  text_.open_group();
  text_.close_group();
  repeatable_ = true;
  not_linear(from, "back-reference");
  return {};
}

Step Translator::read_class_in_brackets() {
  std::expected<CodeSet, std::string> set = read_class(cursor_);
  if (!set) return std::unexpected(set.error());
  return character(std::move(*set));
}

// {2}, {2,} and {2,3} repeat. Other braces are literal, unless they look like a repetition in another dialect.
Step Translator::read_brace() {
  const std::size_t from = cursor_.at();
  const auto take_number = [&] {
    std::optional<std::uint64_t> number;
    for (; is_digit(cursor_.peek()); cursor_.next())
      number = std::min<std::uint64_t>(number.value_or(0) * 10 + static_cast<std::uint64_t>(cursor_.peek() - '0'),
                                       std::uint64_t{1} << 40);
    return number;
  };
  cursor_.take("{");
  const std::optional<std::uint64_t> min = take_number();
  const bool comma = cursor_.take(",");
  const std::optional<std::uint64_t> max = comma ? take_number() : min;
  if (min && cursor_.take("}")) {
    if (max && *max < *min) return refuse(cursor_.since(from), from, "has its bounds in the wrong order");
    return repeat(from, {*min, max});
  }
  bool digits = min || max;
  for (; cursor_.peek() == ',' || cursor_.peek() == ' ' || is_digit(cursor_.peek()); cursor_.next())
    digits = digits || is_digit(cursor_.peek());
  if (digits && cursor_.take("}"))
    return refuse(cursor_.since(from), from, "is not a repetition of ECMA-262; a { of its own is \\{");
  cursor_.go_back_to(from);
  return character(cursor_.next());
}

Step Translator::repeat(std::size_t from, Repeat times) {
  if (!repeatable_) return refuse(cursor_.since(from), from, "has nothing to repeat");
  cursor_.take("?");  // lazy: the same, when only whether counts
  text_.repeat(times);
  repeatable_ = false;
  return {};
}

Step Translator::open_group() {
  const std::size_t from = cursor_.at();
  bool looks = false;
  if (!cursor_.take("(?")) {
    cursor_.take("(");
    references_.add_group();
  } else if (cursor_.take("=") || cursor_.take("!")) {
    looks = true;
    not_linear(from, "look-ahead");
  } else if (cursor_.take("<=") || cursor_.take("<!")) {
    looks = true;
    not_linear(from, "look-behind");
  } else if (cursor_.take("<")) {
    references_.add_group();
    if (Step step = references_.read_group_name(cursor_, from); !step) return step;
  } else if (!cursor_.take(":")) {
    if (!cursor_.done()) cursor_.next();
    return refuse(cursor_.since(from), from, "is not a group of ECMA-262 2024");
  }
  groups_.push_back({from, looks});
  text_.open_group();
  repeatable_ = false;
  return {};
}

Step Translator::close_group() {
  if (groups_.empty()) return refuse(")", cursor_.at() - 1, "closes nothing");
  text_.close_group();
  repeatable_ = !groups_.back().looks;
  groups_.pop_back();
  return {};
}

}  // namespace

std::expected<std::string, std::string> translate(std::string_view ecma) {
  if (!utf8::valid(ecma)) return std::unexpected("the pattern is not UTF-8");
  Translator translator(ecma);
  if (Step step = translator.read(); !step) return std::unexpected(step.error());
  return translator.translation();
}

bool is_ecma(std::string_view pattern) { return utf8::valid(pattern) && Translator(pattern).read().has_value(); }

}  // namespace BELAY_NAMESPACE::regex
