// Where a reading stands: for who looks for the end of a value inside a longer text, and must not see strings and
// comments otherwise than the reader does.
#include "json/glyph.h"
#include "json/mender.h"
#include "json/scan.h"
#include "json/state.h"

#include <algorithm>

namespace BELAY_NAMESPACE::json {
namespace {

std::size_t past_space(std::string_view text, std::size_t from) {
  while (from < text.size() && is_space(text[from])) ++from;
  return from;
}

// What may stand behind a string: its colon, a closer, or a comma and something that begins another key or value.
std::optional<bool> fits_behind_string(std::string_view text, bool final) {
  const auto at_end = [&] { return final ? std::optional(false) : std::nullopt; };
  std::size_t i = past_space(text, 0);
  if (i == text.size()) return at_end();
  if (text[i] == ':' || text[i] == '}' || text[i] == ']') return true;
  if (text[i] != ',') return false;
  i = past_space(text, i + 1);
  if (i == text.size()) return at_end();
  return std::string_view("\"'{[}]-0123456789").find(text[i]) != std::string_view::npos;
}

}  // namespace

Place Mender::place() const {
  switch (in_) {
    case In::top:
    case In::top_word:
    case In::top_scalar:
    case In::top_string: return Place::outside;
    case In::line_comment:
    case In::block_comment:
    case In::html_comment: return frames_.empty() ? Place::outside : Place::comment;
    case In::string:
      // Behind a quote that waits for what follows it: that has not ended the string only if it goes on with text.
      if (!ahead_.idle()) return ahead_.in_string() ? Place::string : Place::inside;
      // Two quotes and nothing between them.
      return held_.starts_with('"') && offset() == content_at_ ? Place::inside : Place::string;
    case In::arguments: return argument_quote_ ? Place::string : Place::inside;
    default: return Place::inside;
  }
}

// Reads what is held back as far as it can be read; `final`: the text is over, so all of it.
void Mender::look_again(bool final) {
  spare_ = 0;
  if (ended_ || held_.empty()) return;
  data_ = held_.data();
  size_ = held_.size();
  run(final);
  spare_ = ended_ ? held_.size() : 0;
  if (ended_) held_.clear();
}

// What is held back is the end of the last value, now that another one follows it.
void Mender::go_on() {
  look_again(true);
  ended_ = false;
}

// A key may be read again from its colon on.
std::uint64_t Mender::undecided() const {
  const std::uint64_t end = base_ + held_.size();
  const bool key = in_ == In::string && is_key_ && end - content_at_ <= kHold;
  return key ? end - content_at_ : held_.size();
}

// Without its colon, a key may be the end of a string before it and what follows that, or a key that ends earlier. A
// last bracket may be part of the string before it.
std::uint64_t Strict::undecided() const {
  if (waiting_ != 0) return waiting_;
  if (at_ == At::done) return string_live(base_) ? 1 : 0;
  if (at_ != At::key_string && at_ != At::colon) return 0;
  const std::uint64_t key = base_ - key_ - 1;
  return key <= kHold ? key : 0;
}

std::size_t Reader::push_strict(std::string_view bytes) {
  State& s = *state_;
  if (s.mending || s.failed || s.finished || s.strict.deviates()) return 0;
  s.stops = true;
  s.left = 0;
  push(bytes);
  s.stops = false;
  return bytes.size() - s.left;
}

// Bytes that wait in the hope of a certain key are read as they are.
void Reader::settle() {
  State& s = *state_;
  s.settle();
  if (!s.mending) return;
  s.mender.look_again(false);
  s.mended -= s.mender.spare();
  show();
}

Place Reader::place() {
  settle();
  const State& s = *state_;
  if (s.mending) return s.mender.place();
  switch (s.strict.at()) {
    case At::start:
    case At::done: return Place::outside;
    case At::string:
    case At::key_string: return Place::string;
    default: return Place::inside;
  }
}

bool Reader::ended() const { return state_->mending && state_->mender.ended(); }

void Reader::over() {
  State& s = *state_;
  if (!s.mending || s.failed || s.finished) return;
  s.mender.look_again(true);
  s.mended -= s.mender.spare();
  show();
}

void Reader::go_on() {
  State& s = *state_;
  if (s.failed || s.finished) return;
  settle();
  if (!s.mending) {
    s.mending = true;
    s.strict.stop();
    s.mender.take_over(s.strict.hand_over());
  }
  s.mender.go_on();
  show();
}

std::uint64_t Reader::undecided() const {
  const State& s = *state_;
  if (s.failed) return 0;
  return s.mending ? s.mender.undecided() : s.strict.undecided();
}

std::optional<bool> Reader::string_ends_in(std::string_view next, bool final) const {
  const State& s = *state_;
  const Quote quote = s.mending ? s.mender.quote() : Quote::straight_double;
  const bool escaped = quote == Quote::escaped_double || quote == Quote::escaped_single;
  std::size_t i = 0;
  while (i < next.size()) {
    const char c = next[i];
    if (c == '\\' && !escaped) {
      i += 2;
      continue;
    }
    const bool may = static_cast<unsigned char>(c) >= 0x80 || c == first_byte(quote) || c == '"';
    if (!may) {
      ++i;
      continue;
    }
    const Glyph g = glyph(next.data() + i, next.size() - i, final);
    if (g.is == Is::more) break;
    i += g.length;
    if (g.is == Is::fence || (g.is == Is::quote && can_close(quote, g.quote)))
      return fits_behind_string(next.substr(i), final);
  }
  return final ? std::optional(false) : std::nullopt;
}

}  // namespace BELAY_NAMESPACE::json
