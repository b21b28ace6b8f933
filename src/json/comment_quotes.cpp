#include "json/comment_quotes.h"

#include "json/plain.h"
#include "json/scan.h"
#include "json/word.h"

#include <algorithm>

namespace BELAY_NAMESPACE::json {

namespace {

constexpr std::string_view kEndsItem = "\"'`]}0123456789";

// Quotes that open and close a string in other ways than "straight" ones. Those of single quotes may be apostrophes.
constexpr struct {
  std::string_view open, close;
} kCurly[] = {{"\u201C", "\u201D"}, {"\u00AB", "\u00BB"}, {"\u300C", "\u300D"}, {"\u300E", "\u300F"}};

}  // namespace

void CommentQuotes::add(std::string_view bytes) {
  constexpr std::string_view kBehindString = ",:;=}])";
  const char* const end = bytes.data() + bytes.size();
  for (const char* p = bytes.data(); p < end; ++p) {
    // Words are nothing but the bytes before what follows them; only the first letter may follow a quote.
    if (!closing_) {
      const std::size_t words = words_length(p, end);
      p += words;
      for (std::size_t i = std::min(words, last_.size()); i > 0; --i)
        last_ = {p[-static_cast<std::ptrdiff_t>(i)], last_[0], last_[1]};
      if (p == end) return;
    }
    const char c = *p;
    if (closing_ && !is_space(c)) {
      loose_ |= kBehindString.find(c) != kBehindString.npos;
      closing_ = false;
    }
    // Curly quotes are known by their last byte: E2 80 98 to 9F.
    const auto byte = static_cast<unsigned char>(c);
    const bool curly = byte >= 0x98 && byte <= 0x9F && last_[0] == '\x80' && last_[1] == '\xE2';
    if (c == '\'' || c == '`')
      quote(c == '`' ? Kind::backtick : Kind::single, last_[0]);
    else if (c == '"')
      quote(Kind::twofold, last_[0]);
    else if (curly)
      quote(byte < 0x9C ? Kind::curly_single : Kind::curly_double, last_[2]);
    odd_ ^= c == '"';
    last_ = {c, last_[0], last_[1]};
  }
}

void CommentLosses::begin(Ends ends) {
  std::string text = std::move(text_);
  *this = {};
  text.clear();
  text_ = std::move(text);
  ends_ = ends;
  line_ = ends == Ends::line;
}

void CommentLosses::add(std::string_view bytes) {
  const char* const end = bytes.data() + bytes.size();
  for (const char* p = bytes.data(); p < end; ++p) {
    see(*p);
    // Behind a letter nothing waits for the next byte, and words that go on change nothing, but in a key.
    if (!is_letter(*p) || (line_ && !member_ && in_ != In::words)) continue;
    const std::string_view words(p + 1, words_length(p + 1, end));
    if (words.empty()) continue;
    if (ends_ == Ends::line && text_.size() <= kLongestText) text_ += words.substr(0, kLongestText + 1 - text_.size());
    p += words.size();
    last_ = *p;
  }
}

void CommentLosses::see(char c) {
  constexpr std::size_t kLongestKey = 64;
  constexpr std::string_view kDots = "...", kEllipsis = "\u2026", kBeginsValue = "\"'{[";
  spaced_ |= is_space(c) && !begun_;
  if (!begun_ && is_space(c)) return;
  // A member or item that was taken out on purpose is all of its comment. [deprecated] is none.
  if (!begun_) line_ &= kBeginsValue.find(c) == kBeginsValue.npos;
  if (ends_ == Ends::line && last_ == '[' && text_.size() == 1) line_ |= is_letter(c);
  begun_ = true;
  const bool inside = last_ == 0 && (c == '(' || c == '[');  // (...) and [...], too
  if (dotted_ && !inside) {
    dotted_ = c == kDots[dots_] || c == kEllipsis[dots_];
    if (dotted_) elided_ = ++dots_ == kDots.size();
    dotted_ &= !elided_;
  }
  if (ends_ == Ends::line && text_.size() <= kLongestText) text_ += c;
  see_second(c);
  if (c == ',') before_comma_ = last_;
  if (!is_space(c)) comma_ = c == ',';
  if (line_ && !member_) {
    switch (in_) {
      case In::words:
        if ((c == '"' || c == '\'') && !in_name(last_)) {
          quote_ = c;
          length_ = 0;
          in_ = In::key;
        }
        break;
      case In::key:
        if (c == quote_ && length_ > 0)
          in_ = In::key_done;
        else if ((!in_name(c) && c != ' ' && c != '/') || ++length_ > kLongestKey)
          in_ = In::words;
        break;
      case In::key_done:
        member_ = c == ':';
        if (c == '"' || c == '\'') {
          // was "x" "b": 2
          quote_ = c;
          length_ = 0;
          in_ = In::key;
        } else if (!is_space(c)) {
          in_ = In::words;
        }
        break;
    }
  }
  // A line end that was written out is one between words.
  last_ = c == 'n' && last_ == '\\' ? ' ' : c;
}

// [1, // one 2, // two: the sign of a second comment, which no word touches.
void CommentLosses::see_second(char c) {
  constexpr std::string_view kOpener = "<!--";
  const bool apart = is_space(last_) || last_ == ',' || last_ == ';';
  switch (ends_) {
    case Ends::line:
      // [1, //one 2, //two
      member_ |= line_ && sign_ && (is_space(c) || (!spaced_ && last_ == '/' && is_letter(c)));
      sign_ = (c == '#' && apart) || (slash_ && (c == '/' || c == '*'));
      break;
    case Ends::block: member_ |= (slash_ || ended_slash_) && c == '*' && worded_; break;
    case Ends::html:
      opener_ = c == kOpener[opener_] ? opener_ + 1 : c == '<' ? 1 : 0;
      if (opener_ == kOpener.size()) member_ |= worded_, opener_ = 0;
      break;
  }
  slash_ = c == '/' && apart;
  ended_slash_ = c == '/' && (last_ == '"' || last_ == '\'' || last_ == '}' || last_ == ']');
  worded_ |= in_name(c) && c != '-' && c != '.';
}

void CommentLosses::end() {
  for (const auto& quotes : kCurly) line_ &= !text_.starts_with(quotes.open);
  member_ |= line_ && comma_ && kEndsItem.find(before_comma_) != kEndsItem.npos;
  if (ends_ == Ends::line && !text_.empty() && text_.size() <= kLongestText) see_end();
}

bool CommentLosses::labelled() const {
  const auto name = static_cast<std::size_t>(std::ranges::find_if_not(text_, in_name) - text_.begin());
  return !spaced_ && name > 0 && name < text_.size() && text_[name] == ':' && text_[0] >= 'a' && text_[0] <= 'z';
}

void CommentLosses::see_end() {
  std::string_view text = text_;
  text.remove_suffix(text.size() - text.find_last_not_of(" \t\r") - 1);
  const std::string_view item = text.substr(0, text.find_last_not_of("}]);, \t") + 1);
  number_ = !item.empty() && (is_digit(item.back()) || item.back() == '.') && is_scalar(item);
  if (!line_) return;
  // One that ends in a comma: a literal, and with a space before the comma anything else.
  if (comma_ && !item.empty() && text.back() == ',') {
    const std::string_view last = item.substr(item.find_last_of(" :") + 1);
    member_ |= last.size() < item.size() && (is_scalar(last) || kEndsItem.find(item.back()) != kEndsItem.npos);
  }
  // One that is whole, and no apostrophe: a word and a space come before it.
  auto is_string = [](std::string_view s) {
    return s.size() > 1 && (s[0] == '"' || s[0] == '\'') && s.find(s[0], 1) == s.size() - 1;
  };
  const bool ascii = std::ranges::none_of(text, [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
  for (const auto& quotes : kCurly) {
    if (ascii) break;
    const std::string_view close = quotes.close;
    item_ |= text.ends_with(close);
    member_ |= comma_ && item.ends_with(close);
    for (std::size_t at = text.find(close); at != text.npos; at = text.find(close, at + 1)) {
      const std::size_t next = text.find_first_not_of(' ', at + close.size());
      member_ |= next != text.npos && text[next] == ':';
    }
  }
  const char quote = text.back();
  if (quote == '"' || quote == '\'') {
    const std::size_t opener = text.rfind(quote, text.size() - 2);
    item_ |= opener != text.npos && opener > 0 && (is_space(text[opener - 1]) || text[opener - 1] == ',');
  }
  const std::size_t colon = text.rfind(':');
  if (colon == text.npos || colon + 1 == text.size()) return;
  const std::string_view value = text.substr(std::min(text.find_first_not_of(' ', colon + 1), text.size()));
  std::size_t name = colon;
  while (name > 0 && (is_letter(text[name - 1]) || is_digit(text[name - 1]) || text[name - 1] == '_')) --name;
  bare_member_ = name < colon && name > 1 && text[name - 1] == ' ' && (is_scalar(value) || is_string(value));
}

void CommentQuotes::quote(Kind kind, char before) {
  constexpr std::string_view kBeforeString = "([{,:;=";
  if (kind == Kind::backtick && before == '`') return;  // a fence
  if (open_ == kind) {
    open_ = Kind::none;
  } else if (before == '\0' || is_space(before) || kBeforeString.find(before) != kBeforeString.npos) {
    if (open_ == Kind::none) open_ = kind;
  } else if (open_ == Kind::none) {
    closing_ = true;
    (kind == Kind::single ? stray_single_ : stray_) = true;
  }
}

}  // namespace BELAY_NAMESPACE::json
