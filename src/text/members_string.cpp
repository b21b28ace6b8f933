// Strings: where they begin and end, and what stands between.
#include "base/utf8.h"
#include "json/scan.h"
#include "json/word.h"
#include "text/members_state.h"

#include <bit>
#include <cstring>

namespace BELAY_NAMESPACE::text {
namespace {

// Eight bytes without quote, backslash, control character or anything but ASCII; it may say no too often.
bool eight_plain(const char* p, char quote) {
  constexpr std::uint64_t kOnes = 0x0101010101010101ull;
  std::uint64_t w;
  std::memcpy(&w, p, 8);
  const std::uint64_t q = w ^ (static_cast<unsigned char>(quote) * kOnes), b = w ^ ('\\' * kOnes);
  return ((w | (w - 0x20 * kOnes) | (q - kOnes) | (b - kOnes)) & (0x80 * kOnes)) == 0;
}

}  // namespace

// A quote character stands here, and these letters before it. Behind a string it goes on with that one.
Members::State::Next Members::State::open_string(bool key, std::string_view prefix) {
  const char c = *here();
  const bool can_be_triple = python();
  bool triple = false;
  if (can_be_triple) {
    if (left() < 2 && !final_) return Next::wait;
    if (left() >= 2 && here()[1] == c) {
      if (left() < 3 && !final_) return Next::wait;
      triple = left() >= 3 && here()[2] == c;
    }
  }
  const std::uint64_t at = offset() - prefix.size();
  const std::size_t length = prefix.size();  // what it views may go
  bool raw = false, odd = false;
  for (char letter : prefix) {
    const char p = static_cast<char>(letter | 0x20);
    raw |= p == 'r';
    odd |= p == 'b' || p == 'f';
  }
  if (in_ != In::after_string && in_ != In::key_end) {
    word_at_ = at;
    begin_string(key);
  }
  if (odd) guess(Kind::string_prefix, at, length);
  if (!python() && (!notation_.quote.empty() || c != '"')) safe(Kind::quote_spelling, offset(), 1);
  quote_ = c;
  triple_ = triple;
  raw_ = raw;
  pos_ += triple ? 3 : 1;
  in_ = In::string;
  return Next::go;
}

// True when the notation's own quote begins here, or may: then `next` says what to do.
bool Members::State::open_token(bool key, Next& next) {
  const std::string_view quote = notation_.quote;
  if (quote.empty() || *here() != quote[0]) return false;
  const std::string_view seen = rest().substr(0, quote.size());
  if (!quote.starts_with(seen)) return false;
  if (seen.size() < quote.size()) {
    if (final_) return false;
    next = Next::wait;
    return true;
  }
  word_at_ = offset();
  begin_string(key);
  edges_.clear();
  quote_ = 0;
  pos_ += quote.size();
  in_ = In::string;
  next = Next::go;
  return true;
}

void Members::State::begin_string(bool key) {
  string_is_key_ = key;
  key_is_string_ = key;
  word_.clear();
  inner_quote_ = line_end_ = joined_ = known_escape_ = unknown_escape_ = false;
  first_unknown_ = receipt_.edits.size();
  if (key) return;
  begin_value();
  first_unknown_ = receipt_.edits.size();
  builder_.open_string();
}

void Members::State::add(std::string_view text) {
  if (string_is_key_)
    word_ += text;
  else
    builder_.append(text);
}

// Adds n bytes that may be any, whole characters only. True when something was taken.
bool Members::State::take_characters(std::size_t n) {
  const std::size_t from = pos_;
  while (n > 0) {
    const utf8::Extent extent = utf8::extent({here(), n});
    if (extent.whole > 0) {
      add({here(), extent.whole});
      pos_ += extent.whole;
      n -= extent.whole;
    }
    if (n == 0) break;
    const utf8::Step bad = utf8::step(here(), n);
    const bool cut = bad.is == utf8::Step::Is::incomplete && n == left();
    if (cut && !final_) break;
    guess(Kind::invalid_utf8, offset(), bad.length);
    // The text ends inside a character: half of one is nobody's text.
    if (!cut) add(utf8::kReplacement);
    pos_ += bad.length;
    n -= bad.length;
  }
  return pos_ > from;
}

// Strings between quote tokens hold no escapes.
Members::State::Next Members::State::step_token_string() {
  const std::string_view quote = notation_.quote;
  const void* found = std::memchr(here(), quote[0], left());
  const std::size_t n = found ? static_cast<std::size_t>(static_cast<const char*>(found) - here()) : left();
  if (n > 0) {
    const std::size_t from = pos_;
    const bool took = take_characters(n);
    edges_.add({here() - (pos_ - from), pos_ - from});
    return took ? Next::go : Next::wait;
  }
  const std::string_view seen = rest().substr(0, quote.size());
  if (quote.starts_with(seen)) {
    if (seen.size() == quote.size()) {
      // <|"|>>a, a<<|"|>: a part of the token twice.
      if (edges_.after(quote) || edges_.before(quote)) guess(Kind::inner_quote, word_at_, quote.size());
      pos_ += quote.size();
      end_string();
      return Next::go;
    }
    if (!final_) return Next::wait;
  }
  add(seen.substr(0, 1));
  edges_.add(seen.substr(0, 1));
  ++pos_;
  return Next::go;
}

Members::State::Next Members::State::step_string() {
  std::size_t n = 0;
  while (left() - n >= 16) {
    const std::uint32_t mask = json::special16(here() + n, quote_);
    if (mask) {
      n += static_cast<std::size_t>(std::countr_zero(mask));
      break;
    }
    n += 16;
  }
  if (left() - n >= 8 && eight_plain(here() + n, quote_)) n += 8;
  const auto special = [&](char c) { return static_cast<signed char>(c) < 0x20 || c == quote_ || c == '\\'; };
  while (n < left() && !special(here()[n])) ++n;
  if (n > 0) {
    add({here(), n});
    pos_ += n;
    if (left() == 0) return Next::go;
  }
  const char c = *here();
  if (c == '\\') return step_escape();
  if (c == quote_) return step_quote();
  if (static_cast<unsigned char>(c) >= 0x80) {
    n = 1;
    while (n < left() && static_cast<unsigned char>(here()[n]) >= 0x80) ++n;
    return take_characters(n) ? Next::go : Next::wait;
  }
  // A line's end needs three quotes in Python; other control characters are at home there.
  if (!python() || (c == '\n' && !triple_)) {
    receipt_.add(Kind::control_character, joined_ ? json::Grade::guess : json::Grade::safe, offset(), 1);
    line_end_ = true;
  }
  add({here(), 1});
  ++pos_;
  return Next::go;
}

Members::State::Next Members::State::step_quote() {
  if (triple_) {
    std::size_t run = 1;
    while (run < left() && run < 3 && here()[run] == quote_) ++run;
    if (run < 3 && run == left() && !final_) return Next::wait;
    if (run == 3) {
      pos_ += 3;
      end_string();
    } else {
      add({here(), 1});
      ++pos_;
    }
    return Next::go;
  }
  const Answer ends = string_is_key_ ? Answer::yes : quote_ends_string();
  if (ends == Answer::more) {
    at_quote_ = true;
    return Next::wait;
  }
  if (ends == Answer::yes) {
    ++pos_;
    end_string();
  } else {
    guess(Kind::inner_quote, offset(), 1);
    inner_quote_ = true;
    add({here(), 1});
    ++pos_;
  }
  return Next::go;
}

void Members::State::end_string() {
  if (string_is_key_) {
    word_end_ = offset();
    in_ = In::key_end;
  } else if (python()) {
    in_ = In::after_string;
  } else {
    builder_.close_string();
    value_done();
  }
}

}  // namespace BELAY_NAMESPACE::text
