// Values without quotes: numbers, literals, calls, or just text.
#include "base/utf8.h"
#include "json/scan.h"
#include "json/word.h"
#include "text/members_state.h"

namespace BELAY_NAMESPACE::text {
namespace {

std::string_view without_last_blanks(std::string_view s) {
  while (!s.empty() && is_blank(s.back())) s.remove_suffix(1);
  return s;
}

bool plain(char c) {
  switch (c) {
    case ' ':
    case '\t':
    case '\n':
    case '\r':
    case '\f':
    case '\v':
    case ',':
    case ';':
    case '(':
    case ')':
    case '[':
    case ']':
    case '{':
    case '}':
    case '"':
    case '\'':
    case '#':
    case '\\':
    case '<': return false;
    default: return true;
  }
}

// Numbers as Python spells them: what is an oddity in JSON is none here, but a zero in front is.
json::WordValue python_word(std::string_view word) {
  if (word == "True") return {.tag = json::Tag::yes, .number = {}};
  if (word == "False") return {.tag = json::Tag::no, .number = {}};
  if (word == "None") return {.tag = json::Tag::null, .number = {}};
  const bool sign = word[0] == '-' || word[0] == '+';
  const std::string_view digits = word.substr(sign);
  if (digits.empty() || !(json::is_digit(digits[0]) || digits[0] == '.')) return json::read_word(word);
  std::string plain_digits;
  bool separated = false;
  const bool radix = digits.size() > 2 && digits[0] == '0' && starts_name(digits[1]) && digits[1] != '_';
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (word[i] == '_' && i > 0 && i + 1 < word.size() &&
        (radix ? word[i - 1] != '_' && json::hex(word[i + 1]) >= 0
               : json::is_digit(word[i - 1]) && json::is_digit(word[i + 1]))) {
      separated = true;
      continue;
    }
    plain_digits += word[i];
  }
  json::WordValue value = json::read_word(separated ? std::string_view(plain_digits) : word);
  if (value.tag != json::Tag::number) return json::read_word(word);
  const bool whole = digits.find_first_not_of("0123456789_") == std::string_view::npos;
  const bool zeros = digits.find_first_not_of("0_") == std::string_view::npos;
  if (!(digits.size() > 1 && digits[0] == '0' && whole && !zeros)) value.edited = false;
  return value;
}

}  // namespace

void Members::State::start_word() {
  word_.clear();
  word_at_ = word_end_ = offset();
  word_spaced_ = never_scalar_ = false;
  word_depth_ = 0;
  in_ = In::word;
}

// What has something else in it never becomes a number: not asking again keeps long words linear.
bool Members::State::word_is_scalar() const { return !never_scalar_ && json::is_scalar(without_last_blanks(word_)); }

// Gemma leaves out the quotes of strings now and then; where only a string fits, the text goes up to the next comma.
bool Members::State::only_string() const {
  return !python() && value_shape_->declared && value_shape_->types == kString;
}

Members::State::Next Members::State::step_word() {
  const bool text = only_string();
  const Frame& frame = frames_.back();
  while (pos_ < size_) {
    std::size_t n = 0;
    while (n < left() && plain(here()[n])) ++n;
    if (n > 0) {
      if (word_spaced_ && !text && word_depth_ == 0) {
        if (!frame.named() && json::is_digit(*here()) && word_is_scalar()) {
          end_word();  // [1 2]
          return Next::go;
        }
        if (frame.named() && starts_name(*here())) {
          const Answer name = names_follow(0);  // f(a=1 b=2)
          if (name == Answer::more) return Next::wait;
          if (name == Answer::yes) {
            end_word();
            return Next::go;
          }
        }
        never_scalar_ = true;
      }
      word_.append(here(), n);
      pos_ += n;
      word_end_ = offset();
      word_spaced_ = false;
      continue;
    }
    const char c = *here();
    bool ends = false;
    if (is_blank(c)) {
      ends = c == '\n' && !text;
      if (!ends) {
        word_ += c;
        word_spaced_ = true;
        ++pos_;
        continue;
      }
    } else if (word_depth_ > 0) {
      if (is_closer(c)) --word_depth_;
      if (c == '(' || c == '[' || c == '{') ++word_depth_;
    } else if (c == ',') {
      ends = true;
    } else if (is_closer(c)) {
      ends = python() || closers_[c == ')' ? 0 : c == ']' ? 1 : 2] > 0 || word_is_scalar();
    } else if (c == '(' && !text && json::is_callee(without_last_blanks(word_))) {
      return call_in_word();
    } else if (c == '(' || c == '[' || c == '{') {
      if (!text) ++word_depth_;
    } else if (is_quote(c)) {
      if (python() && !word_spaced_ && json::is_string_prefix(word_)) return open_string(false, word_);
      ends = word_is_scalar();
    } else if (c == '<' && !python()) {
      const std::string_view quote = notation_.quote.substr(0, left());
      ends = !quote.empty() && rest().starts_with(quote);
      if (ends && quote.size() < notation_.quote.size() && !final_) return Next::wait;
    } else if (c == '\\') {
      // A line that goes on; otherwise a path, more likely.
      if (python() && left() < 2 && !final_) return Next::wait;
      ends = python() && left() >= 2 && (here()[1] == '\n' || here()[1] == '\r');
    } else if (c == '#') {
      ends = python() && (word_spaced_ || word_is_scalar());
    } else {
      ends = word_is_scalar();
    }
    if (ends) {
      end_word();
      return Next::go;
    }
    never_scalar_ = true;
    word_ += c;
    word_spaced_ = false;
    ++pos_;
    word_end_ = offset();
  }
  return Next::go;
}

// date(2024, 1, 1), Decimal("1.5"), Point(x=1): the arguments stand for the call.
Members::State::Next Members::State::call_in_word() {
  const Ahead::Stop stop = ahead_.look(rest().substr(1), final_);
  if (stop == Ahead::Stop::more) return Next::wait;
  guess(Kind::wrapper_call, word_at_, offset() + 1 - word_at_);
  word_.clear();
  Frame::Type type = Frame::Type::group;
  if (stop == Ahead::Stop::comma) type = Frame::Type::array;
  if (stop == Ahead::Stop::equals) type = Frame::Type::keywords;
  if (open(type, ')')) ++pos_;
  return Next::go;
}

void Members::State::end_word() {
  if (!utf8::valid(word_)) {
    guess(Kind::invalid_utf8, word_at_, word_end_ - word_at_);
    word_ = utf8::replaced(word_);
  }
  build_word(without_last_blanks(word_), word_end_ - word_at_);
  word_.clear();
  value_done();
}

void Members::State::build_word(std::string_view word, std::uint64_t length) {
  if (word == "..." || word == "\xE2\x80\xA6") {
    guess(Kind::ellipsis, word_at_, length);
    const bool needed = keyed_;
    nameless_ = false;
    begin_value();
    if (needed) builder_.null();
    return;
  }
  begin_value();
  json::WordValue value;
  if (word.empty()) {
    value.edited = true;
  } else if (python()) {
    value = python_word(word);
  } else {
    value = json::read_word(word);
    // A number for a string is exact, and put right by aligning; any other word is its text.
    if (only_string() && (value.tag != json::Tag::number || value.edited)) value = {.number = {}, .edited = true};
  }
  if (value.edited) receipt_.add(value.kind, value.grade, word_at_, length);
  switch (value.tag) {
    case json::Tag::yes:
    case json::Tag::no: builder_.boolean(value.tag == json::Tag::yes); break;
    case json::Tag::null: builder_.null(); break;
    case json::Tag::number: builder_.number(value.number); break;
    default: builder_.string(word); break;
  }
}

}  // namespace BELAY_NAMESPACE::text
