#include <belay/json/reader.h>

#include "base/utf8.h"
#include "json/state.h"
#include "json/strict_few.h"

#include <algorithm>

namespace BELAY_NAMESPACE::json {

void Session::fail_limit(std::string_view name, std::uint64_t value, Position at) {
  std::string n(name);
  fail(ErrorKind::limit, at,
       "the text passes the limit of " + std::to_string(value) + " for " + n + "; raise it with --limit " + n +
           "=N (Limits::" + n + ")");
}

namespace {

std::string_view explain(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::bad_escape: return "a string has an escape that JSON does not know";
    case ErrorKind::bad_number: return "a number is not spelled as JSON wants it";
    case ErrorKind::bad_literal: return "only true, false and null may stand without quotes";
    case ErrorKind::control_character: return "a string has a raw control character; it must be escaped";
    case ErrorKind::invalid_utf8: return "the bytes are not UTF-8";
    case ErrorKind::lone_surrogate: return "an escape is half of a surrogate pair";
    case ErrorKind::trailing_bytes: return "something follows the value";
    case ErrorKind::unclosed: return "the text ends inside a value";
    default: return "this byte cannot stand here";
  }
}

// What RFC 8259 has at this place, for a byte that it does not have there.
std::string_view wanted(At at) {
  switch (at) {
    case At::start:
    case At::value: return ": JSON wants a value";
    case At::first_value: return ": JSON wants a value, or the closing bracket";
    case At::key: return ": JSON wants a key in double quotes";
    case At::first_key: return ": JSON wants a key in double quotes, or the closing bracket";
    case At::colon: return ": JSON wants a colon behind the key";
    case At::after: return ": JSON wants a comma, or the closing bracket";
    default: return "";
  }
}

// True when the characters beyond ASCII, at the places of the mask, are whole and right; false also when that is better
// asked of more bytes at a time.
bool right_characters(std::string_view s, std::uint64_t high) {
  if (std::popcount(high) > 8) return false;
  do {
    auto i = static_cast<std::size_t>(std::countr_zero(high));
    utf8::Step st = utf8::step(s.data() + i, s.size() - i);
    if (st.is != utf8::Step::Is::whole) return false;
    high &= ~std::uint64_t{0} << (i + st.length);
  } while (high != 0);
  return true;
}

}  // namespace

void Reader::State::push(std::string_view piece) {
  if (failed || finished) return;
  settle();
  const std::uint64_t limit = session.options.limits.bytes;
  bool over = piece.size() > limit - offset();
  if (over) piece = piece.substr(0, static_cast<std::size_t>(limit - offset()));
  if (!mending) {
    std::size_t used = strict.push(piece);
    if (strict.deviates()) deviate(piece.substr(used));
  } else {
    mender.push(piece);
    mended += piece.size() - mender.spare();
  }
  if (session.error) failed = true;
  if (over && !failed) {
    settle();
    Position at = mending ? mender.position() : strict.position();
    session.fail_limit("bytes", limit, at);
    failed = true;
  }
}

void Reader::State::deviate(std::string_view rest) {
  if (stops) {
    left = rest.size();
    strict.stop();
    return;
  }
  ErrorKind why = strict.why();
  Position at = strict.position();
  if (why == ErrorKind::limit) {
    session.fail_limit("depth", session.options.limits.depth, at);
  } else if (session.options.mode == Mode::strict) {
    bool other = session.options.root == Root::object && strict.at() == At::start;
    std::string message = other ? "an object was wanted here; send one JSON object" : std::string(explain(why));
    if (why == ErrorKind::unexpected_byte && !other) message += wanted(strict.at());
    session.fail(why, at, std::move(message));
  } else {
    mending = true;
    strict.stop();
    mender.take_over(strict.hand_over());
    mender.push(rest);
    mended += rest.size() - mender.spare();
  }
}

// Whatever comes now, it is not the rest of the key that was expected.
void Reader::State::settle() {
  if (mending || !strict.waits()) return;
  strict.resume({});
  if (strict.deviates()) deviate({});
}

std::string Reader::State::nothing_here(Ending ending) const {
  return std::string("there is no JSON here: the text is ") + (offset() == 0 ? "empty" : "white space only") +
         (ending == Ending::cut ? "; ask for the rest" : "; send one JSON value");
}

std::string Reader::State::no_value(Ending ending) const {
  const bool object = session.options.root == Root::object;
  const std::string what = object ? "there is no JSON object in this text" : "there is no JSON value in this text";
  if (ending == Ending::cut) return what + "; ask for the rest";
  return what + (object ? "; send one JSON object"
                        : "; send one JSON value (a number, literal or string counts only when it is the whole text)");
}

void Reader::State::finish(Ending ending) {
  if (finished) return;
  if (!failed) settle();
  bool cut = false;
  if (!failed) {
    if (!mending && !strict.finish(ending)) {
      if (session.options.mode == Mode::strict) {
        bool nothing = session.tape().size() == 0 && strict.at() == At::start;
        if (const ErrorKind why = strict.why(); why != ErrorKind::none)
          session.fail(why, strict.position(), std::string(explain(why)));
        else if (ending == Ending::cut && !nothing)
          cut = true;
        else if (nothing)
          session.fail(ErrorKind::empty, strict.position(), nothing_here(ending));
        else
          session.fail(ErrorKind::unclosed, strict.position(), std::string(explain(ErrorKind::unclosed)));
      } else {
        mending = true;
        mender.take_over(strict.hand_over());
      }
    }
    if (mending) cut = mender.finish(ending);
  }
  finished = true;
  strict.stop();
  seal(ending, cut);
}

void Reader::State::seal(Ending ending, bool cut) {
  Tape& tape = session.tape();
  bool nothing = tape.size() == 0;
  // In strict mode, and after a limit, what was open stays open; close it so that the tree can be walked.
  if (session.error || (cut && !mending)) {
    if (tape.arena().open_string()) {
      if (strict.in_key()) {
        tape.arena().set_at(tape.arena().open_string());
      }
      tape.arena().close();
    }
    session.builder.close_all();
    nothing = tape.size() == 0;
  }
  Verdict& v = reading.verdict;
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < tape.size(); i = tape.next(i)) ++count;
  v.count = count;
  v.grade = session.grade;
  Position end = mending ? mender.position() : strict.position();
  if (session.error) {
    v.end = End::broken;
  } else if (cut) {
    v.end = End::cut;
    session.error = {ErrorKind::truncated, end,
                     "the input was cut off inside a value after " + std::to_string(offset()) +
                         (offset() == 1 ? " byte" : " bytes") + "; ask for the rest, or for smaller pieces"};
  } else if (nothing) {
    v.end = End::broken;
    bool empty = std::all_of(session.edits.begin(), session.edits.end(), [](const Edit& e) {
      return e.kind == EditKind::byte_order_mark || e.kind == EditKind::odd_space;
    });
    session.error = {empty ? ErrorKind::empty : ErrorKind::no_value, end,
                     empty ? nothing_here(ending) : no_value(ending)};
  } else {
    v.end = End::complete;
  }
  // A text that is right has neither, nor has what was read before it: reset() cleared that.
  if (!session.edits.empty()) {
    std::stable_sort(session.edits.begin(), session.edits.end(),
                     [](const Edit& a, const Edit& b) { return a.offset < b.offset; });
    reading.edits = session.edits;
  }
  reading.edits_total = session.edits_total;
  if (session.error) reading.error = session.error;
}

Reader::Reader(ReaderOptions options) : state_(std::make_unique<State>(options)) {}
Reader::~Reader() = default;
Reader::Reader(Reader&&) noexcept = default;
Reader& Reader::operator=(Reader&&) noexcept = default;

// The fast half has taken some bytes of a piece: all, or those before a deviation.
inline void Reader::after(std::string_view bytes, std::size_t used) {
  State& s = *state_;
  if (s.strict.deviates()) [[unlikely]] {
    s.deviate(bytes.substr(used));
    if (s.session.error) s.failed = true;
    return show();
  }
  if (shown_.end < 2) [[unlikely]]
    return show();
  // What was shown stays: this half takes nothing back.
  shown_.end = s.session.tape().size();
  shown_.held = s.strict.held_node();
}

void Reader::push(std::string_view bytes) {
  Strict& strict = state_->strict;
  if (strict.push_few(bytes)) return;
  if (bytes.size() >= 16) return push_line(bytes);
  if (strict.in_string() && bytes.size() <= 8) return push_escaped(bytes);
  push_more(bytes);
}

// These are apart so that most small pieces need no stack.
[[gnu::noinline]] void Reader::push_escaped(std::string_view bytes) {
  const std::size_t used = state_->strict.push_escaped(bytes);
  if (used == bytes.size()) return;
  bytes = {bytes.data() + used, bytes.size() - used};
  bytes[0] == '"' ? push_more(bytes) : push_odd(bytes);
}

[[gnu::noinline]] void Reader::push_odd(std::string_view bytes) {
  while (const std::size_t used = state_->strict.push_odd(bytes)) {
    bytes.remove_prefix(used);
    if (bytes.empty()) return;
  }
  push_more(bytes);
}

[[gnu::noinline]] void Reader::push_line(std::string_view bytes) {
  Strict& strict = state_->strict;
  Line line;
  if (!strict.begins_line(bytes, line))
    return strict.begins_within(bytes, line) ? push_wide(bytes, line.special) : push_structure(bytes);
  if (line.high != 0) return push_wide(bytes, line.special);
  std::size_t used = strict.take_line(bytes, line.special);
  if (used != bytes.size()) after(bytes, strict.push_line(bytes, used, line.special));
}

// 16 to 32 bytes that do not begin inside a string; others are passed on.
[[gnu::noinline]] void Reader::push_structure(std::string_view bytes) {
  State& s = *state_;
  Strict& strict = s.strict;
  if (bytes.size() > 32 || strict.in_string() || s.mending || s.failed || s.finished ||
      s.session.options.limits.bytes - strict.offset() < bytes.size())
    return push_more(bytes);
  std::size_t used = 0;
  if (strict.waits()) {
    if (strict.goes_on(bytes)) return;
    used = strict.resume(bytes);
  }
  Line line;
  if (used == bytes.size() || strict.deviates())
    after(bytes, used);
  else if (strict.pads_line(bytes, line) && (line.high == 0 || right_characters(bytes, line.high)))
    after(bytes, strict.push_line(bytes, used, line.special));
  else
    push_more(bytes.substr(used));
}

[[gnu::noinline]] void Reader::push_wide(std::string_view bytes, std::uint64_t special) {
  Strict& strict = state_->strict;
  Wide wide = strict.check_line(bytes.size());
  if (!wide.right) return push_more(bytes);
  std::size_t used = strict.take_wide(bytes, special, wide.tail);
  if (used == bytes.size()) return;
  if (wide.tail != 0) return push_more(bytes.substr(used));
  after(bytes, strict.push_line(bytes, used, special));
}

[[gnu::noinline]] void Reader::push_more(std::string_view bytes) {
  State& s = *state_;
  Strict& strict = s.strict;
  if (strict.in_string()) {
    std::size_t used = strict.end_string(bytes) ? 1 : strict.push_small(bytes);
    bytes.remove_prefix(used);
    if (used != 0 && bytes.empty()) return;
  } else if (s.mending || s.failed || s.finished) {
    s.push(bytes);
    return show();
  } else if (strict.waits()) {
    if (strict.goes_on(bytes)) return;
    bytes.remove_prefix(strict.resume(bytes));
  }
  if (s.session.options.limits.bytes - strict.offset() < bytes.size()) {
    s.push(bytes);
    return show();
  }
  if (!bytes.empty() && !strict.deviates()) {
    if (strict.begins_member(bytes)) return;
    if (strict.begins_string(bytes)) {
      shown_.end = s.session.tape().size();
      shown_.held = shown_.end - 1;
      return;
    }
  }
  after(bytes, strict.push(bytes));
}

void Reader::show() {
  const State& s = *state_;
  const Tape& tape = s.session.builder.tape();
  shown_.tape = &tape;
  bool shown = s.mending ? s.mender.shown() : s.strict.shown();
  shown_.end = shown ? std::min(tape.size(), s.session.builder.dropped_from()) : 0;
  shown_.held = s.mending ? s.mender.held_node() : s.strict.held_node();
}

const Reading& Reader::finish_in_place(Ending ending) {
  state_->finish(ending);
  state_->reading.document.swap(state_->session.tape());
  shown_ = {};
  return state_->reading;
}

Reading Reader::finish(Ending ending) {
  finish_in_place(ending);
  return std::exchange(state_->reading, {});
}

const std::vector<Edit>& Reader::edits() const { return state_->session.edits; }
std::uint64_t Reader::edits_total() const { return state_->session.edits_total; }
bool Reader::failed() const { return state_->failed; }
std::uint64_t Reader::offset() const { return state_->offset(); }
Grade Reader::grade() const { return state_->session.grade; }

bool Reader::text_stopped() const { return state_->session.text_stopped; }

std::string Reader::take_text() { return std::exchange(state_->session.text, {}); }

void Reader::reset() {
  State& s = *state_;
  if (s.finished) s.reading.document.swap(s.session.tape());
  s.session.clear();
  s.strict.clear();
  if (s.mending) s.mender.clear();
  s.mending = s.failed = s.finished = false;
  s.mended = 0;
  s.reading.edits.clear();
  s.reading.edits_total = 0;
  s.reading.verdict = {};
  if (s.reading.error) s.reading.error = {};
  shown_ = {};
}

Reading read(std::string_view text, ReaderOptions options, Ending ending) {
  Reader r(options);
  r.push(text);
  return r.finish(ending);
}

}  // namespace BELAY_NAMESPACE::json
