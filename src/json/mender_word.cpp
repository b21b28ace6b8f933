// Values and keys without quotes.
#include "base/utf8.h"
#include "json/mender.h"
#include "json/plain.h"
#include "json/scan.h"
#include "json/word.h"

#include <belay/json/writer.h>

#include <algorithm>
#include <utility>

namespace BELAY_NAMESPACE::json {
namespace {

std::string_view trimmed(std::string_view s) {
  std::size_t end = s.size();
  while (end > 0 && (s[end - 1] == ' ' || s[end - 1] == '\t' || s[end - 1] == '\r')) --end;
  return s.substr(0, end);
}

// Others may be apostrophes.
bool closes_bare_key(Quote q) {
  return q == Quote::straight_double || q == Quote::straight_single || q == Quote::backtick ||
         q == Quote::smart_double || q == Quote::guillemet || q == Quote::wide_double;
}

bool holds_quote(std::string_view word) {
  for (std::size_t i = 0; i < word.size();) {
    if (is_bare(word[i])) {
      ++i;
      continue;
    }
    Glyph g = glyph(word.data() + i, word.size() - i, true);
    if (g.is == Is::quote) return true;
    i += g.length;
  }
  return false;
}

}  // namespace

void Mender::build_word(std::string_view word, std::uint64_t at, std::uint64_t length) {
  build_word(read_word(word), word, at, length);
}

void Mender::build_word(const WordValue& v, std::string_view word, std::uint64_t at, std::uint64_t length) {
  if (v.edited) s_.edit(v.kind, v.grade, at, length);
  if (!frames_.empty()) text_before_value();
  bool text = s_.wants_text() && !frames_.empty();
  switch (v.tag) {
    case Tag::yes:
    case Tag::no:
      s_.builder.boolean(v.tag == Tag::yes);
      if (text) s_.text += v.tag == Tag::yes ? "true" : "false";
      break;
    case Tag::null:
      s_.builder.null();
      if (text) s_.text += "null";
      break;
    case Tag::number:
      s_.builder.number(v.number);
      if (text) s_.text += v.number;
      break;
    default: s_.builder.string(word); break;
  }
}

// Whether the word so far is a number or a literal. What has something else in it never becomes one: not asking again
// keeps long words linear.
bool Mender::word_is_scalar() const { return !never_scalar_ && is_scalar(trimmed(word_)); }

void Mender::start_word() {
  word_.clear();
  word_at_ = word_end_ = offset();
  word_spaced_ = never_scalar_ = word_quoted_ = false;
  word_elided_ = std::exchange(elided_, false);
  word_brackets_ = 0;
}

// [1, ... 5 more] and {"a":1, ... and so on}: the words say what was left out.
void Mender::drop_word() {
  guess(EditKind::ellipsis, word_at_, word_end_ - word_at_);
  word_.clear();
  value_done();
}

void Mender::add_to_word(const Glyph& g) {
  if (static_cast<unsigned char>(*here()) >= 0x80 && g.odd && g.is == Is::word) {
    guess(EditKind::invalid_utf8, offset(), g.length);
    word_ += utf8::kReplacement;
  } else {
    word_.append(here(), g.length);
  }
  skip(g);
  word_end_ = offset();
}

void Mender::end_word() {
  if (word_elided_ && !word_is_scalar()) return drop_word();
  build_word(trimmed(word_), word_at_, word_end_ - word_at_);
  word_.clear();
  value_done();
}

Mender::Next Mender::step_word() {
  while (pos_ < size_) {
    const std::size_t n = bare_length(here(), here() + left());
    if (n > 0) {
      if (word_spaced_ && !in_object() && word_is_scalar()) {
        // [1 2 3], [true false]: numbers and literals that lack their commas.
        constexpr std::size_t kLongest = 16;
        const bool number = is_digit(*here());
        if (!number && n == left() && !final_ && n <= kLongest) return Next::wait;
        if (number || (n <= kLongest && is_scalar({here(), n}))) {
          end_word();
          return Next::go;
        }
      }
      constexpr std::size_t kLongestKey = 64;
      if (word_spaced_ && in_object() && frames_.back().bare_keys && n <= kLongestKey && word_is_scalar()) {
        // {a: 1 b: 2}: a number or literal, then a word with a colon, in an object of keys without quotes.
        std::size_t k = std::max(n, seek_);
        while (k < left() && k <= kHold && here()[k] == ' ') ++k;
        seek_ = k;
        if (k == left() && !final_ && k <= kHold) return Next::wait;
        seek_ = 0;
        if (k < left() && k <= kHold && here()[k] == ':') {
          end_word();
          return Next::go;
        }
      }
      seek_ = 0;
      never_scalar_ |= word_spaced_;
      word_.append(here(), n);
      pos_ += n;
      word_end_ = offset();
      word_spaced_ = false;
      continue;
    }
    Glyph g = look();
    if (g.is == Is::more) return Next::wait;
    switch (g.is) {
      case Is::space:
        if (*here() == '\\') {
          // A path, more likely than white space.
          if (word_is_scalar()) {
            end_word();
            return Next::go;
          }
          break;
        }
        if (*here() == '\n') {
          end_word();
          return Next::go;
        }
        if (g.odd && word_is_scalar()) {
          end_word();
          return Next::go;
        }
        never_scalar_ |= g.odd;
        word_.append(here(), g.length);
        word_spaced_ = true;
        skip(g);
        continue;
      case Is::comma:
        if (!word_is_scalar()) {
          Answer a = ahead_.ends_item(here() + g.length, left() - g.length, final_, frames_);
          if (a == Answer::more) return Next::wait;
          if (a == Answer::no) break;
        }
        end_word();
        return Next::go;
      case Is::close_bracket:
        if (word_brackets_ > 0) {  // a[0]
          --word_brackets_;
          break;
        }
        [[fallthrough]];
      case Is::close_brace: end_word(); return Next::go;
      case Is::open_bracket:
        if (!word_spaced_) ++word_brackets_;
        if (!word_spaced_ || !word_is_scalar()) break;
        end_word();  // [2 [3]]
        return Next::go;
      case Is::open_brace:
      case Is::ellipsis:
        if (!word_is_scalar()) break;
        end_word();
        return Next::go;
      case Is::close_paren:
        if (closes(g.is, frames_, frames_.size()) == 0 && !word_is_scalar()) break;
        end_word();
        return Next::go;
      case Is::open_paren:
        if (!is_callee(word_)) break;
        guess(EditKind::wrapper_call, word_at_, word_.size() + 1);
        word_.clear();
        frames_.push_back({Frame::Type::wrapper});
        comma_seen_ = colon_seen_ = false;
        in_ = In::value;
        skip(g);
        return Next::go;
      case Is::quote: {
        bool single = g.quote == Quote::straight_single || g.quote == Quote::backtick;
        // {“a”:1 “b”:2} and [2 'x']: the comma is missing.
        if (word_spaced_ && g.quote != Quote::backtick && word_is_scalar()) {
          end_word();
          return Next::go;
        }
        if (g.quote != Quote::straight_double && !single) break;
        if (word_spaced_ && !single && word_is_scalar()) {
          end_word();
          return Next::go;
        }
        if (word_spaced_ && in_object()) {
          // value "b": 1 — the comma is missing.
          Answer a = key_follows(0);
          if (a == Answer::more) return Next::wait;
          if (a == Answer::yes) {
            end_word();
            return Next::go;
          }
        }
        if (!word_spaced_ && g.quote != Quote::backtick) {
          // b"}: the string lacks its first quote.
          std::size_t k = past_space(std::max<std::size_t>(seek_, 1));
          seek_ = k;
          if (k == left() && !final_ && k <= kHold) return Next::wait;
          seek_ = 0;
          // echo "hi"}: the one that ends a pair.
          if (!single && !word_quoted_ && k <= kHold &&
              (k == left() || here()[k] == ',' || here()[k] == '}' || here()[k] == ']')) {
            guess(EditKind::missing_quote, word_at_, 0);
            s_.builder.string(word_);
            word_.clear();
            skip(g);
            value_done();
            return Next::go;
          }
          if (is_string_prefix(word_)) {
            guess(EditKind::string_prefix, word_at_, word_.size());
            raw_next_ = word_.find_first_of("rR") != word_.npos;
            word_.clear();
            in_ = In::value;
            return Next::go;
          }
          if (!single && word_is_scalar()) {
            end_word();
            return Next::go;
          }
        }
        word_quoted_ ^= g.quote == Quote::straight_double;
        break;
      }
      case Is::line_comment:
      case Is::block_comment:
      case Is::html_comment:
        if (!word_spaced_ && g.hash && word_is_scalar()) {
          // 1# one: a comment. 1#2: a word.
          if (left() < 2 && !final_) return Next::wait;
          if (left() < 2 || here()[1] != ' ') break;
        } else if (!word_spaced_ && !word_is_scalar()) {
          break;
        }
        end_word();
        return Next::go;
      case Is::tag:
        if (word_.starts_with('<')) break;  // <b>x</b>
        [[fallthrough]];
      case Is::fence: end_word(); return Next::go;
      default: break;
    }
    if (is_control(*here()) && word_is_scalar()) {
      end_word();
      return Next::go;
    }
    // Anything else is part of the word.
    if (*here() != '.') never_scalar_ = true;
    word_spaced_ = false;
    add_to_word(g);
  }
  return Next::go;
}

// {"a":"f(\"b", end="\")"}: one of a pair of quotes in the string before is escaped, the other may have ended it. An
// apostrophe has a letter on either side, an inch mark a digit before it and a space behind it. `style`: keys have no
// quotes here, so that only brackets that are open in the string make it doubtful.
bool Mender::behind_half(bool style) const {
  const Tape& tape = s_.tape();
  if (tape.size() == 0 || tape.node(tape.size() - 1).tag() != Tag::string) return false;
  const char quote = quote_ == Quote::straight_single ? '\'' : quote_ == Quote::backtick ? '`' : '"';
  const std::string_view text = tape.text(tape.size() - 1);
  if (text.find(quote) == text.npos || std::ranges::count(text, quote) % 2 == 0) return false;
  std::size_t quotes = 0;
  for (std::size_t i = text.find(quote); i != text.npos; i = text.find(quote, i + 1)) {
    const bool within = i > 0 && i + 1 < text.size();
    const bool apostrophe = within && quote == '\'' && in_name(text[i - 1]) && in_name(text[i + 1]);
    const bool inch = within && quote == '"' && is_digit(text[i - 1]) && text[i + 1] == ' ';
    quotes += !apostrophe && !inch;
  }
  auto open = [&](char opener, char closer) {
    return std::ranges::count(text, opener) != std::ranges::count(text, closer);
  };
  return quotes % 2 != 0 && (!style || open('(', ')') || open('[', ']') || open('{', '}'));
}

void Mender::end_key_word(bool colon) {
  name_key(trimmed(word_), word_end_ - word_at_, colon);
  word_.clear();
}

// The word without quotes that began at word_at_ is a key.
void Mender::name_key(std::string_view key, std::uint64_t length, bool colon) {
  // {code: "x = \"a", lang: 1}: where keys have no quotes, this one is what it looks like.
  const bool style = std::exchange(frames_.back().bare_keys, true) && colon;
  // while (x) { y = 1 }
  const bool code = frames_.size() == 1 && prose_.body();
  const bool doubtful = holds_quote(key) || code || behind_half(style);
  s_.edit(EditKind::unquoted_key, doubtful ? Grade::guess : grade_key(key), word_at_, length);
  key_quote_ = Quote::none;
  if (!s_.builder.key(key)) guess(EditKind::duplicate_key, word_at_, length);
  in_ = In::colon;
}

Mender::Next Mender::step_key_word() {
  while (pos_ < size_) {
    const std::size_t n = bare_length(here(), here() + left());
    if (n > 0) {
      word_.append(here(), n);
      pos_ += n;
      word_end_ = offset();
      continue;
    }
    Glyph g = look();
    switch (g.is) {
      case Is::more: return Next::wait;
      case Is::space:
        word_.append(g.odd || *here() == '\n' ? " " : std::string_view(here(), 1));
        skip_space(g);
        continue;
      case Is::quote:
        if (word_elided_ && word_.ends_with(' ')) {
          drop_word();
          return Next::go;
        }
        // {a 'b'}: the colon is missing.
        if (closes_bare_key(g.quote) && word_.ends_with(' ')) {
          end_key_word(false);
          return Next::go;
        }
        // Bytes that are no text, and then a key.
        if (closes_bare_key(g.quote) && !word_.empty() && word_.find_first_not_of(utf8::kReplacement) == word_.npos) {
          guess(EditKind::stray_bytes, word_at_, word_end_ - word_at_);
          in_ = In::key;
          return Next::go;
        }
        // a": 1 — the key lacks its first quote.
        if (closes_bare_key(g.quote)) {
          if (is_string_prefix(word_) && g.length == 1) {
            Glyph next = glyph(here() + 1, left() - 1, final_);
            if (next.is == Is::more && !final_) return Next::wait;
            if (next.is == Is::word) {
              guess(EditKind::string_prefix, word_at_, word_.size());
              open_string(g, true);
              return Next::go;
            }
          }
          guess(EditKind::missing_quote, word_at_, 0);
          skip(g);
          end_key_word(false);
          return Next::go;
        }
        break;
      case Is::word: break;
      default:
        if (word_elided_ && g.is != Is::colon)
          drop_word();
        else
          end_key_word(g.is == Is::colon && *here() == ':');
        return Next::go;
    }
    add_to_word(g);
  }
  return Next::go;
}

}  // namespace BELAY_NAMESPACE::json
