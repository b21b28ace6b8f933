#include "json/loose_parts.h"

#include "json/scan.h"
#include "json/word.h"

#include <algorithm>
#include <utility>

namespace BELAY_NAMESPACE::json {
namespace {

constexpr std::size_t kLongestWord = 64;

bool is_name(std::string_view word) { return !word.empty() && std::ranges::all_of(word, in_name); }

// - and 1. before an item of a list, and 1) and a).
bool is_marker(std::string_view word) {
  if (word == "-" || word == "*" || word == "+") return true;
  if (word.size() < 2) return false;
  const std::string_view number = word.substr(0, word.size() - 1);
  const bool letter = number.size() == 1 && is_letter(number[0]);
  return (word.back() == '.' && std::ranges::all_of(number, is_digit)) ||
         (word.back() == ')' && (letter || std::ranges::all_of(number, is_digit)));
}

// > and | before what is quoted, $ and % before a command, bullets and arrows: no word of a sentence. Of a character
// beyond ASCII the first byte is kept: those of U+2000 to U+2FFF begin with E2, the middle dot and its like with C2.
bool is_sign(std::string_view word) {
  return std::ranges::all_of(word, [](char c) {
    return c == '\xE2' || c == '\xC2' || (c > 0 && !is_letter(c) && !is_digit(c) && !is_control(c));
  });
}

// arguments: {…} behind "name: read" names all of them.
bool names_arguments(std::string_view word) {
  for (std::string_view name : {"arg", "param", "input", "kwarg", "json", "output", "result", "response", "data",
                                "payload", "body", "call", "value", "action", "answer", "assistant", "tool"})
    for (std::size_t at = word.find(name); at != word.npos; at = word.find(name, at + 1))
      if (at == 0 || word[at - 1] == '_' || word[at - 1] == '-') return true;
  return false;
}

}  // namespace

void LooseParts::begin() {
  const bool named_value = named_value_;
  *this = {};
  named_value_ = named_value;
  behind_ = direct_ = chain_ = true;
}

void LooseParts::start_segment(bool behind_comma) {
  in_ = In::start;
  any_ = marked_ = small_ = labelled_ = named_ = behind_member_ = false;
  key_quote_ = Quote::none;
  behind_comma_ = behind_comma;
  word_.clear();
}

void LooseParts::append(char c) {
  if (word_.size() <= kLongestWord) word_ += c;
}

// {"a":1}, done.
bool LooseParts::ends_sentence() const {
  return word_.size() > 1 && !word_is_scalar() && (word_.back() == '.' || word_.back() == '!' || word_.back() == '?');
}

bool LooseParts::word_is_scalar() const { return word_.size() <= kLongestWord && is_scalar(word_); }

void LooseParts::add(const Glyph& g, char c, bool touches) {
  if (comment_ || ((in_ == In::quoted || in_ == In::string) && g.is != Is::quote)) return;
  switch (g.is) {
    case Is::comma:
      // A semicolon behind a value ends a statement.
      if (direct_ && !any_ && c != ';') direct_comma_ = true;
      end_segment(By::comma);
      break;
    case Is::colon: add_colon(); break;
    case Is::quote: add_quote(g, touches); break;
    case Is::tag: add_bracket(); break;
    case Is::close_brace:
    case Is::close_bracket:
      end_segment(By::other);
      in_ = In::words;
      break;
    case Is::line_comment:
      // a: "b"// what it is
      if (in_ == In::member || (in_ == In::scalar && word_is_scalar())) {
        comment_ = true;
        break;
      }
      [[fallthrough]];
    default:
      if (c == '<')
        add_bracket();
      else
        add_word(c, touches);
  }
}

bool LooseParts::behind_marker() const { return in_ == In::word && !behind_comma_ && is_marker(word_); }

// The first word of a segment has ended, and the segment goes on.
void LooseParts::end_word() {
  if (!marked_ && !behind_comma_ && is_marker(word_)) {
    marked_ = line_marked_ = true;
    in_ = In::start;
    return;
  }
  // > "a": {…}
  if (!behind_comma_ && is_sign(word_)) {
    in_ = In::start;
    word_.clear();
    return;
  }
  // {"a":1}, b 2 may be a part; {"a":1}, as requested is a sentence.
  if (behind_value_comma()) found_ |= word_is_scalar();
  in_ = behind_value_comma() ? In::second : In::words;
  behind_member_ = named_ && word_is_scalar();
  word_.clear();
}

void LooseParts::add_word(char c, bool touches) {
  any_ = true;
  if (in_ == In::word && !touches) {
    end_word();
  } else if (in_ == In::second && !touches) {
    found_ |= word_is_scalar();
    in_ = In::words;
  }
  switch (in_) {
    case In::start:
      word_ = c;
      in_ = In::word;
      break;
    case In::colon:
      word_ = c;
      in_ = In::scalar;
      break;
    case In::word:
    case In::second: append(c); break;
    case In::scalar:
      if (touches) {
        append(c);
        break;
      }
      behind_member_ = word_is_scalar();
      word_ = c;
      in_ = In::words;
      break;
    case In::quoted:
    case In::string: break;
    case In::quoted_done:
    case In::member:
      // "ls" env: …
      behind_member_ = in_ == In::member || named_ || (!behind_ && quote_ != Quote::backtick);
      word_ = c;
      in_ = In::words;
      break;
    case In::words:
      if (touches) {
        append(c);
      } else {
        behind_member_ &= word_.empty();
        word_ = c;
      }
      break;
  }
}

void LooseParts::add_plain(std::string_view run) {
  if (comment_) return;
  for (char c : run.substr(0, kLongestWord + 1)) add_word(c, true);
}

void LooseParts::add_string(Quote quote) {
  any_ = true;
  quote_ = quote;
  in_ = In::quoted_done;
}

void LooseParts::add_quote(const Glyph& g, bool touches) {
  any_ = true;
  // Behind a letter it is an apostrophe, or all that is left of a key's quotes.
  if (touches && (in_ == In::word || in_ == In::scalar)) return append('\'');
  if (in_ == In::word) {
    found_ |= behind_value_comma();
    end_word();
  }
  switch (in_) {
    case In::quoted_done:
      if (touches && quote_ == g.quote) {  // doubled, or the start of three
        in_ = In::quoted;
        break;
      }
      [[fallthrough]];
    case In::start:
      found_ |= behind_value_comma();
      quote_ = g.quote;
      in_ = In::quoted;
      break;
    case In::colon:
      quote_ = g.quote;
      in_ = In::string;
      break;
    case In::quoted:
      if (can_close(quote_, g.quote)) in_ = In::quoted_done;
      break;
    case In::string:
      if (can_close(quote_, g.quote)) in_ = In::member;
      break;
    case In::member:
      in_ = touches && quote_ == g.quote ? In::string : In::words;
      word_.clear();
      break;
    case In::words: append('\''); break;
    default: in_ = In::words;
  }
}

void LooseParts::add_colon() {
  const bool begins_line = !any_;
  any_ = true;
  switch (in_) {
    case In::quoted:
    case In::string:
    case In::colon: break;
    case In::quoted_done:
      // Behind the mark of a list, and in the quotes of code, what follows must look like a value as well.
      if (!marked_) found_ |= direct_ || quote_ != Quote::backtick;
      key_quote_ = quote_;
      labelled_ = true;
      in_ = In::colon;
      break;
    case In::word:
    case In::scalar:
      found_ |= behind_value_comma() || (word_.size() > 1 && word_.back() == '\'');
      if (!is_name(word_) || word_is_scalar()) {
        in_ = In::start;
        break;
      }
      // a: b, c: … and "b", c: …
      if (behind_comma_ && !labelled_ && !line_marked_ && (!behind_ || chain_)) found_ |= last_ != Part::none;
      // Letters of other scripts count as small ones, the symbols from U+2000 to U+2FFF do not.
      small_ = !(word_[0] >= 'A' && word_[0] <= 'Z') && word_[0] != '\xE2';
      key_quote_ = Quote::none;
      labelled_ = true;
      in_ = In::colon;
      break;
    case In::member:
      // args: "opts": {…
      found_ |= quote_ != Quote::backtick;
      in_ = In::start;
      break;
    case In::start:
      // a
      // : "b"
      found_ |= behind_value_comma() || (behind_ && begins_line && lone_name_);
      break;
    case In::second:
    case In::words:
      // Behind the colon of a sentence a key may stand again; or the sentence's last word was one itself.
      direct_ = false;
      named_ = is_name(word_) && !word_is_scalar();
      in_ = In::start;
      if (named_ && behind_member_) {
        // a: "b" c: …
        members_ = labelled_ = true;
        key_quote_ = Quote::none;
        in_ = In::colon;
      }
      break;
  }
}

void LooseParts::add_bracket() {
  if (comment_ || in_ == In::quoted || in_ == In::string) return;  // a: '{x}', …
  end_segment(By::other);
  start_segment(false);
}

LooseParts::Part LooseParts::part() const {
  switch (in_) {
    case In::word: return !word_is_scalar() ? Part::none : named_ ? Part::member : Part::item;
    case In::quoted_done: return named_ ? Part::member : Part::item;
    case In::scalar: return word_is_scalar() ? Part::member : Part::label;
    case In::member: return Part::member;
    default: return labelled_ ? Part::label : Part::none;
  }
}

void LooseParts::end_segment(By by) {
  const Part part = this->part();
  if (behind_value_comma()) found_ |= (in_ == In::word && !ends_sentence()) || (in_ == In::second && word_is_scalar());
  // [1] false: nothing but a number or literal behind the value may be its last item.
  found_ |= behind_ && direct_ && !behind_comma_ && !marked_ && in_ == In::word && word_is_scalar();
  if (part == Part::member) {
    const bool string = in_ == In::member;
    const bool code = string ? quote_ == Quote::backtick : marked_ && key_quote_ == Quote::backtick;
    // On a line of its own, "Confidence: 0.9" is a remark, and so is "Tool: `read`".
    const bool sure = by == By::comma || behind_comma_ || ((small_ || key_quote_ != Quote::none) && !code);
    members_ |= sure;
    found_ |= behind_ && !marked_ && chain_ && (sure || string);
    found_ |= behind_ && !line_marked_ && behind_comma_ && string;
    // - b: {"a":1}
    // - c: 2
    found_ |= behind_ && marked_ && chain_ && (named_value_ || key_quote_ == Quote::straight_double) && sure;
  }
  // - {"a":1}
  // - "b"
  found_ |= behind_ && marked_ && chain_ && (part == Part::item || (part == Part::member && in_ == In::member));
  items_ |= part == Part::item && marked_;
  const bool named = part == Part::label && small_ && key_quote_ == Quote::none;
  words_ |= !behind_ && by == By::line && named && (in_ == In::scalar || (in_ == In::words && !ends_sentence()));
  // content: hello, world
  if (by == By::line) words_ |= std::exchange(line_label_, false) && !ends_sentence();
  line_label_ |= !behind_ && by == By::comma && named && (in_ == In::scalar || in_ == In::words);
  // a: {"b":1}
  // c: d
  found_ |= behind_ && chain_ && named_value_ && named && in_ == In::scalar;
  if (any_) {
    direct_ = false;
    chain_ &= part == Part::member || (part == Part::label && small_ && in_ == In::scalar);
    last_ = by == By::comma ? part : Part::none;
  } else if (by == By::comma && !direct_comma_) {
    direct_ = false;
  }
  lone_name_ = any_ && by == By::line && in_ == In::word && is_name(word_);
  line_item_ |= any_ && by == By::line && part == Part::item && !marked_;
  start_segment(by == By::comma);
}

void LooseParts::new_line() {
  line_marked_ = comment_ = false;
  if (!any_) {
    words_ |= std::exchange(line_label_, false);  // content: hello,
    return;
  }
  // A string goes on behind the line end. A single quote may be an apostrophe.
  if ((in_ == In::quoted || in_ == In::string) && quote_ != Quote::straight_single && quote_ != Quote::smart_single)
    return;
  // path: "a",
  // opts:
  //   {"b":1}
  if (in_ == In::colon && behind_comma_) return;
  const bool label = in_ == In::colon && small_ && key_quote_ == Quote::none;
  const bool part = label && !names_arguments(word_);
  end_segment(By::line);
  lone_label_ = label;
  lone_part_ = part;
}

void LooseParts::fence() {
  lone_label_ = lone_part_ = false;
  if (behind_) return;
  start_segment(false);
  last_ = Part::none;
  members_ = items_ = words_ = line_item_ = line_label_ = false;
}

bool LooseParts::before_value() {
  comment_ = false;
  if (behind_ && (in_ == In::scalar || in_ == In::member)) end_segment(By::other);
  bool part = false;
  switch (in_) {
    case In::start:
      part = !any_ && behind_comma_ && (last_ == Part::item || last_ == Part::member);
      part |= !any_ && lone_part_ && (words_ || (!behind_ && (members_ || line_item_)));
      break;
    case In::word:
      found_ |= behind_value_comma();
      // {"a":1} true {"b":2}
      found_ |= behind_ && direct_ && !marked_ && !is_marker(word_) && word_is_scalar();
      part = behind_comma_ && last_ == Part::member && is_name(word_);
      part |= items_ && is_marker(word_);
      break;
    case In::second: found_ |= word_is_scalar(); break;
    case In::quoted:
    case In::string: part = quote_ != Quote::backtick; break;  // it stands in a string
    case In::colon:
      if (key_quote_ == Quote::none)
        part = members_ || ((words_ || (line_item_ && !behind_)) && small_ && !names_arguments(word_)) ||
               (behind_ && chain_ && named_value_ && small_);
      else
        part = key_quote_ != Quote::backtick || !marked_;
      break;
    default: break;
  }
  named_value_ = in_ == In::colon ? key_quote_ == Quote::none && small_ && !names_arguments(word_)
                                  : in_ == In::start && !any_ && lone_part_;
  return part || found_;
}

}  // namespace BELAY_NAMESPACE::json
