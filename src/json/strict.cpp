#include "json/strict.h"

#include "base/utf8.h"
#include "json/number.h"
#include "json/scan.h"

#include <algorithm>

namespace belay::json {
namespace {

constexpr std::size_t kSegment = 16384;  // UTF-8 is checked this far ahead, while the bytes are in the cache
constexpr std::string_view kLiterals[] = {"true", "false", "null"};
constexpr Tag kLiteralTags[] = {Tag::yes, Tag::no, Tag::null};

// What the character after a backslash stands for; 0 when it is not a short escape.
constexpr std::array<char, 256> make_escapes() {
  std::array<char, 256> t{};
  t['"'] = '"';
  t['\\'] = '\\';
  t['/'] = '/';
  t['b'] = '\b';
  t['f'] = '\f';
  t['n'] = '\n';
  t['r'] = '\r';
  t['t'] = '\t';
  return t;
}
constexpr auto kEscapes = make_escapes();

constexpr std::array<bool, 256> make_number_bytes() {
  std::array<bool, 256> t{};
  for (char c : std::string_view("0123456789+-.eE")) t[static_cast<unsigned char>(c)] = true;
  return t;
}
constexpr auto kNumberBytes = make_number_bytes();

constexpr std::uint64_t head(Tag tag, std::size_t size) {
  return static_cast<std::uint64_t>(tag) | static_cast<std::uint64_t>(size) << 8;
}

}  // namespace

// Reads one escape at p. `more`: it may be whole when more bytes come. `bad`: JSON has no such escape.
Strict::Escape Strict::escape(const char*& p, const char* end, char*& out) {
  auto left = end - p;
  if (left < 2) return Escape::more;
  if (p[1] != 'u') {
    char c = kEscapes[static_cast<unsigned char>(p[1])];
    if (!c) return why_ = ErrorKind::bad_escape, Escape::bad;
    known_escape_ |= p[1] >= 'a';
    *out++ = c;
    p += 2;
    return Escape::done;
  }
  for (std::ptrdiff_t i = 2; i < 6; ++i) {
    if (i == left) return Escape::more;
    if (hex(p[i]) < 0) return why_ = ErrorKind::bad_escape, Escape::bad;
  }
  auto c = static_cast<std::uint32_t>(hex4(p + 2));
  if (c >= 0xD800 && c <= 0xDFFF) {
    why_ = ErrorKind::lone_surrogate;
    if (c >= 0xDC00) return Escape::bad;
    if (left > 6 && p[6] != '\\') return Escape::bad;
    if (left > 7 && p[7] != 'u') return Escape::bad;
    for (std::ptrdiff_t i = 8; i < 12 && i < left; ++i)
      if (hex(p[i]) < 0) return Escape::bad;
    if (left < 12) return why_ = ErrorKind::none, Escape::more;
    auto low = static_cast<std::uint32_t>(hex4(p + 8));
    if (low < 0xDC00 || low > 0xDFFF) return Escape::bad;
    why_ = ErrorKind::none;
    known_escape_ = true;
    out = utf8::put(0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00), out);
    p += 12;
    return Escape::done;
  }
  known_escape_ = true;
  out = utf8::put(c, out);
  p += 6;
  return Escape::done;
}

bool Strict::string_live(std::uint64_t now) const {
  const Tape& t = s_.builder.tape();
  if (string_ == Tape::kNone || at_ == At::string || now - closed_ > kHold) return false;
  if (string_ + 1 == t.size()) return true;
  return at_ == At::colon && string_ + 2 == t.size();
}

template <bool kText> std::size_t Strict::run(const char* const from, const char* const to) {
  Tape& tape = s_.tape();
  Arena& arena = tape.arena();
  KeyIndex& keys = s_.builder.keys();
  Node* nodes = tape.data();
  std::size_t n = tape.size(), capacity = tape.capacity();
  std::size_t current = tape.innermost(), last_closed = tape.last_closed();
  std::uint64_t depth = s_.builder.depth();
  const std::uint64_t max_depth = s_.options.limits.depth;
  const bool keep_repeats = s_.options.mode == Mode::strict;
  bool object = current != Tape::kNone && nodes[current].tag() == Tag::object;
  const char* p = from;
  const char* commit = nullptr;  // what comes before it is certain
  const char* start = nullptr;
  At at = at_;

  auto offset = [&](const char* q) { return base_ + static_cast<std::uint64_t>(q - from); };
  auto push_node = [&](std::uint64_t h, std::uint64_t b) {
    if (n == capacity) [[unlikely]] {
      tape.set(n, current, last_closed);
      tape.reserve(1);
      nodes = tape.data();
      capacity = tape.capacity();
    }
    nodes[n] = {h, b};
    return n++;
  };
  auto count = [&] {
    if (current != Tape::kNone) nodes[current].head += 256;
  };
  // The top may take any value, or only an object.
  auto fits_top = [&](char c) { return current != Tape::kNone || s_.options.root == Root::any || c == '{'; };

  if (p == to) return 0;
  switch (at) {
    case At::start:
    case At::value:
    case At::first_value: goto value;
    case At::key:
    case At::first_key: goto key;
    case At::colon: goto colon;
    case At::after: goto after;
    case At::done: goto done;
    case At::string:
    case At::key_string: goto string;
    case At::number: goto number_on;
    case At::literal: goto literal_on;
  }

value:
  while (is_space(*p)) {
    if (*p == '\n') ++line_, line_start_ = offset(p) + 1;
    if (++p == to) goto out;
  }
  if (!fits_top(*p)) [[unlikely]] goto unexpected;
  switch (*p) {
    case '"':
      token_ = offset(p);
      known_escape_ = false;
      count();
      arena.ensure(0);
      arena.open();
      string_ = push_node(head(Tag::string, 0), reinterpret_cast<std::uint64_t>(arena.at()));
      at = At::string;
      ++p;
      goto string;
    case '{':
    case '[':
      if (depth >= max_depth) [[unlikely]] {
        why_ = ErrorKind::limit;
        goto out;
      }
      ++depth;
      object = *p == '{';
      if (current == Tape::kNone) top_ = offset(p);
      count();
      current = push_node(head(object ? Tag::object : Tag::array, 0) | Node::kOpen, current);
      if (object) keys.enter();
      at = object ? At::first_key : At::first_value;
      ++p;
      // The first bracket may yet turn out to be prose.
      if (kText && depth > 1) commit = p;
      if (p == to) goto out;
      if (object) goto key;
      goto value;
    case '-':
    case '0':
    case '1':
    case '2':
    case '3':
    case '4':
    case '5':
    case '6':
    case '7':
    case '8':
    case '9': goto number;
    case 't': literal_ = 0; goto literal;
    case 'f': literal_ = 1; goto literal;
    case 'n': literal_ = 2; goto literal;
    case ']':
      if (at == At::first_value) goto after;
      [[fallthrough]];
    default: goto unexpected;
  }

string : {
  char* out = arena.at();
  char* limit = arena.limit() - 16;
  while (true) {
    if (to - p < 16) break;
    if (out > limit) [[unlikely]] {
      arena.set_at(out);
      arena.ensure(std::min(static_cast<std::size_t>(to - p), std::max<std::size_t>(arena.open_size(), 128)));
      out = arena.at();
      limit = arena.limit() - 16;
    }
    std::uint32_t mask = copy16(p, out, '"');
    if (mask == 0) {
      p += 16;
      out += 16;
      continue;
    }
    auto k = std::countr_zero(mask);
    p += k;
    out += k;
    if (*p == '"') {
      arena.set_at(out);
      goto string_end;
    }
    if (*p != '\\') {
      arena.set_at(out);
      goto control;
    }
    if (char c = p[1]; p + 1 < to && c != 'u' && kEscapes[static_cast<unsigned char>(c)]) [[likely]] {
      known_escape_ |= c >= 'a';
      *out++ = kEscapes[static_cast<unsigned char>(c)];
      p += 2;
      continue;
    }
    Escape e = escape(p, to, out);
    if (e == Escape::done) continue;
    arena.set_at(out);
    if (e == Escape::bad) goto out_in_string;
    goto escape_more;
  }
  arena.set_at(out);
  arena.ensure(16);
  out = arena.at();
  while (p != to) {
    auto c = static_cast<unsigned char>(*p);
    if (c == '"' || c < 0x20) break;
    if (c == '\\') {
      Escape e = escape(p, to, out);
      if (e == Escape::done) continue;
      arena.set_at(out);
      if (e == Escape::bad) goto out_in_string;
      goto escape_more;
    }
    *out++ = static_cast<char>(c);
    ++p;
  }
  arena.set_at(out);
  if (p == to) goto out_in_string;
  if (*p != '"') goto control;
}

string_end:
  if (at == At::string) {
    nodes[string_] = {head(Tag::string, arena.open_size()), reinterpret_cast<std::uint64_t>(arena.open_string())};
    arena.close();
    closed_ = offset(p);
    if (!kText || current != Tape::kNone) commit = p;
    at = current == Tape::kNone ? At::done : At::after;
    if (++p == to) goto out;
    if (at == At::done) goto done;
    goto after;
  }
  {
    std::size_t k = push_node(head(Tag::key, arena.open_size()), reinterpret_cast<std::uint64_t>(arena.open_string()));
    arena.close();
    at = At::colon;
    closed_key_ = offset(p);
    ++p;
    if (keys.repeats(tape, current, k) && !keep_repeats) [[unlikely]] {
      repeated_key_ = true;
      why_ = ErrorKind::unexpected_byte;
      goto out;
    }
  }
  if (p == to) goto out;

colon:
  while (is_space(*p)) {
    if (*p == '\n') ++line_, line_start_ = offset(p) + 1;
    if (++p == to) goto out;
  }
  if (*p != ':') goto unexpected;
  ++p;
  at = At::value;
  if (p == to) goto out;
  goto value;

key:
  while (is_space(*p)) {
    if (*p == '\n') ++line_, line_start_ = offset(p) + 1;
    if (++p == to) goto out;
  }
  if (*p == '"') {
    key_ = offset(p);
    known_escape_ = false;
    arena.ensure(0);
    arena.open();
    at = At::key_string;
    ++p;
    goto string;
  }
  if (*p == '}' && at == At::first_key) goto after;
  goto unexpected;

number:
  start = p;
  token_ = offset(p);
  while (p != to && kNumberBytes[static_cast<unsigned char>(*p)]) ++p;
  if (p == to) {
    number_.assign(start, p);
    at = At::number;
    goto out;
  }
  {
    auto size = static_cast<std::size_t>(p - start);
    bool ok = false;
    if (size <= 8) {
      // Mostly short integers: digits only, and no zero in front.
      std::size_t i = *start == '-' ? 1 : 0;
      if (i < size && (start[i] != '0' || size == i + 1)) {
        while (i < size && is_digit(start[i])) ++i;
        ok = i == size;
      }
    }
    if (!ok && !is_number({start, size})) {
      p = start;
      why_ = ErrorKind::bad_number;
      goto out;
    }
    // What ends a number must be able to stand behind one.
    if (*p != ',' && *p != '}' && *p != ']' && !is_space(*p) && current != Tape::kNone) {
      p = start;
      why_ = ErrorKind::bad_number;
      goto out;
    }
    count();
    if (size <= 8) {
      std::uint64_t body = 0;
      std::memcpy(&body, start, size);
      push_node(head(Tag::short_number, size), body);
    } else {
      arena.ensure(size);
      char* text = arena.at();
      arena.append({start, size});
      push_node(head(Tag::number, size), reinterpret_cast<std::uint64_t>(text));
    }
  }
  if (kText && current != Tape::kNone) commit = p;
  at = current == Tape::kNone ? At::done : At::after;
  if (at == At::done) goto done;
  goto after;

number_on:
  start = p;
  while (p != to && kNumberBytes[static_cast<unsigned char>(*p)]) ++p;
  number_.append(start, p);
  if (p == to) goto out;
  if (!is_number(number_) || (*p != ',' && *p != '}' && *p != ']' && !is_space(*p) && current != Tape::kNone)) {
    why_ = ErrorKind::bad_number;
    goto out;
  }
  tape.set(n, current, last_closed);
  tape.number(number_);
  nodes = tape.data();
  capacity = tape.capacity();
  n = tape.size();
  number_.clear();
  if (kText && current != Tape::kNone) commit = p;
  at = current == Tape::kNone ? At::done : At::after;
  if (at == At::done) goto done;
  goto after;

literal:
  token_ = offset(p);
  matched_ = 0;
  at = At::literal;
literal_on : {
  std::string_view word = kLiterals[literal_];
  while (matched_ < word.size()) {
    if (p == to) goto out;
    if (*p != word[matched_]) {
      why_ = ErrorKind::bad_literal;
      goto out;
    }
    ++p;
    ++matched_;
  }
  if (p == to) goto out;
  if (*p != ',' && *p != '}' && *p != ']' && !is_space(*p) && current != Tape::kNone) {
    why_ = ErrorKind::bad_literal;
    goto out;
  }
}
  count();
  push_node(head(kLiteralTags[literal_], 0), 0);
  if (kText && current != Tape::kNone) commit = p;
  at = current == Tape::kNone ? At::done : At::after;
  if (at == At::done) goto done;

after:
  while (is_space(*p)) {
    if (*p == '\n') ++line_, line_start_ = offset(p) + 1;
    if (++p == to) goto out;
  }
  switch (*p) {
    case ',':
      if (at != At::after) goto unexpected;
      token_ = offset(p);
      ++p;
      at = object ? At::key : At::value;
      if (p == to) goto out;
      if (object) goto key;
      goto value;
    case '}':
    case ']': {
      if (object != (*p == '}')) goto unexpected;
      if (object) keys.leave();
      Node& node = nodes[current];
      last_closed = current;
      current = static_cast<std::size_t>(node.body);
      node.head &= ~Node::kOpen;
      node.body = n;
      --depth;
      if constexpr (kText)
        if (string_ + 1 != n) commit = current == Tape::kNone ? p : p + 1;
      ++p;
      if (current == Tape::kNone) {
        at = At::done;
        if (p == to) goto out;
        goto done;
      }
      object = nodes[current].tag() == Tag::object;
      at = At::after;
      if (p == to) goto out;
      goto after;
    }
    default: goto unexpected;
  }

done:
  while (is_space(*p)) {
    if (*p == '\n') ++line_, line_start_ = offset(p) + 1;
    if (++p == to) goto out;
  }
  why_ = ErrorKind::trailing_bytes;
  goto out;

control:
  why_ = ErrorKind::control_character;
  goto out_in_string;

escape_more:
  if (kText && at == At::string && current != Tape::kNone) commit = p;
  pending_ = static_cast<std::uint8_t>(to - p);
  std::memcpy(escape_.data(), p, pending_);
  p = to;
  goto out;

unexpected:
  why_ = ErrorKind::unexpected_byte;
  goto out;

out_in_string:
  // A scalar at the top may yet turn out to be prose: its text waits.
  if constexpr (kText) {
    if (at == At::string && current != Tape::kNone) {
      if (why_ != ErrorKind::none)
        commit = p;
      else if (p - from >= utf8_pending_)
        commit = p - utf8_pending_;
    }
  }

out:
  at_ = at;
  tape.set(n, current, last_closed);
  s_.builder.set_depth(depth);
  base_ += static_cast<std::uint64_t>(p - from);
  if (kText || commit || !tail_.empty()) {
    if (commit) {
      if constexpr (kText) {
        s_.text += tail_;
        s_.text.append(from, commit);
      }
      tail_.clear();
      overrun_ = false;
      tail_from_ = base_ - static_cast<std::uint64_t>(p - commit);
      keep_tail(commit, p);
    } else {
      keep_tail(from, p);
    }
  }
  return static_cast<std::size_t>(p - from);
}

// Keeps the raw bytes that may have to be read again, or that are not certain enough for the text output.
void Strict::keep_tail(const char* from, const char* to) {
  if (s_.options.text) {
    if (!overrun_) {
      tail_.append(from, to);
      if (tail_.size() <= kHold) return;
      // Beyond the bound the strict reading stands: from here on bytes pass as they come.
      s_.text += tail_;
      tail_.clear();
      overrun_ = true;
      return;
    }
    s_.text.append(from, to);
  } else if (string_live(base_)) {
    tail_.append(from, to);
  } else {
    tail_.clear();
  }
}

void Strict::sync_string() {
  if (at_ != At::string) return;
  Arena& arena = s_.tape().arena();
  s_.tape().at(string_) = {head(Tag::string, arena.open_size() - utf8_pending_),
                           reinterpret_cast<std::uint64_t>(arena.open_string())};
}

std::size_t Strict::push(std::string_view piece) {
  // Small pieces of a long string are the common case while a model streams.
  if (piece.size() <= 16 && at_ == At::string && (pending_ | utf8_pending_) == 0 && !s_.options.text &&
      plain_small(piece.data(), piece.size())) {
    Arena& arena = s_.tape().arena();
    arena.ensure(std::max<std::size_t>(piece.size(), 16));
    std::memcpy(arena.at(), piece.data(), piece.size());
    arena.set_at(arena.at() + piece.size());
    base_ += piece.size();
    sync_string();
    return piece.size();
  }
  std::size_t used = 0;
  while (used < piece.size() && why_ == ErrorKind::none) {
    if (pending_) {
      used += resume_escape(piece.substr(used));
      continue;
    }
    std::string_view segment = piece.substr(used, kSegment);
    std::size_t good = 0;
    if (utf8_pending_) {
      bool ok = true;
      good = resume_utf8(segment, ok);
      if (!ok) {
        why_ = ErrorKind::invalid_utf8;
        break;
      }
    }
    // A character that is incomplete at the end of this segment is kept out of the visible string.
    std::size_t tail = utf8_pending_;
    if (good < segment.size()) {
      utf8::Extent e = utf8::extent(segment.substr(good));
      good += e.whole + e.tail;
      tail = e.tail;
    }
    utf8_pending_ = static_cast<std::uint8_t>(tail);
    used += s_.options.text ? run<true>(segment.data(), segment.data() + good)
                            : run<false>(segment.data(), segment.data() + good);
    if (why_ != ErrorKind::none) {
      utf8_pending_ = 0;  // the deviation came before it
    } else if (good < segment.size()) {
      why_ = ErrorKind::invalid_utf8;
    }
  }
  sync_string();
  return used;
}

// Feeds the bytes of a character that was cut, one decision for all: gives how many of them belong to it.
std::size_t Strict::resume_utf8(std::string_view piece, bool& ok) {
  char bytes[8];
  std::size_t had = utf8_pending_;
  const char* end = s_.tape().arena().at();
  std::memcpy(bytes, end - had, had);
  std::size_t more = std::min<std::size_t>(piece.size(), 4);
  std::memcpy(bytes + had, piece.data(), more);
  utf8::Step st = utf8::step(bytes, had + more);
  if (st.is == utf8::Step::Is::invalid) return ok = false, 0;
  if (st.is == utf8::Step::Is::incomplete) {
    utf8_pending_ = static_cast<std::uint8_t>(had + more);
    return more;
  }
  utf8_pending_ = 0;
  return st.length - had;
}

// Feeds an escape that was cut, byte by byte, until it is whole or wrong.
std::size_t Strict::resume_escape(std::string_view piece) {
  std::size_t used = 0;
  Arena& arena = s_.tape().arena();
  arena.ensure(16);
  while (used < piece.size()) {
    escape_[pending_] = piece[used];
    const char* p = escape_.data();
    char* out = arena.at();
    Escape e = escape(p, escape_.data() + pending_ + 1, out);
    if (e == Escape::bad) break;
    ++used;
    ++pending_;
    if (e == Escape::more) continue;
    arena.set_at(out);
    pending_ = 0;
    break;
  }
  base_ += used;
  if (pending_ == 0 && at_ == At::string && s_.options.text && s_.tape().innermost() != Tape::kNone) {
    s_.text += tail_;
    s_.text.append(piece, 0, used);
    tail_.clear();
    overrun_ = false;
    tail_from_ = base_;
  } else {
    keep_tail(piece.data(), piece.data() + used);
  }
  return used;
}

Position Strict::position() const { return {base_, line_, base_ - line_start_ + 1}; }

bool Strict::finish() {
  Tape& tape = s_.tape();
  if (at_ == At::number && tape.innermost() == Tape::kNone && is_number(number_)) {
    tape.number(number_);
    at_ = At::done;
  } else if (at_ == At::literal && tape.innermost() == Tape::kNone && matched_ == kLiterals[literal_].size()) {
    tape.leaf(kLiteralTags[literal_]);
    at_ = At::done;
  }
  if (at_ != At::done || why_ != ErrorKind::none) return false;
  if (s_.options.text) s_.text += tail_;
  tail_.clear();
  return true;
}

Handover Strict::hand_over() {
  Tape& tape = s_.tape();
  Arena& arena = tape.arena();
  Handover h;
  h.at = at_;
  h.line = line_;
  h.line_start = line_start_;
  h.known_escape = known_escape_;
  h.token = token_;
  h.key = key_;
  h.repeated_key = repeated_key_;
  if (overrun_) s_.text_stopped = true;
  if ((at_ == At::first_key || at_ == At::first_value) && s_.builder.depth() == 1 && base_ - top_ <= kHold) {
    // What follows the first bracket is no value: start over, the bracket may be prose. White space is all between.
    h.again.assign(1, at_ == At::first_key ? '{' : '[');
    h.again.append(static_cast<std::size_t>(base_ - top_ - 1), ' ');
    h.offset = top_;
    h.at = At::start;
    s_.builder.clear();
    return h;
  }
  if (s_.options.text && !overrun_ && tape.innermost() != Tape::kNone && tail_from_ <= top_ &&
      tail_.size() > top_ - tail_from_)
    s_.text += tail_.substr(0, static_cast<std::size_t>(top_ - tail_from_) + 1);
  if (string_live(base_)) {
    // Read the end of the last string again: what came after it did not fit.
    if (arena.open_string()) {  // a key that was being read
      arena.set_at(arena.open_string());
      arena.close();
    }
    tape.truncate(string_ + 1);
    const Node& node = tape.node(string_);
    auto* start = reinterpret_cast<char*>(node.body);
    auto size = static_cast<std::size_t>(node.size());
    // A key behind the string is the only thing that can lie behind it in the arena.
    arena.reopen(start, size);
    std::size_t open = tape.innermost();
    std::size_t depth = s_.builder.depth();
    for (std::size_t i = 0; i < string_; ++i) {
      Node& c = tape.at(i);
      if (!c.container() || c.open() || c.body != string_ + 1) continue;
      c.head |= Node::kOpen;
      c.body = open;
      open = i;
      ++depth;
    }
    tape.set_innermost(open);
    s_.builder.set_depth(depth);
    s_.builder.keys().rebuild(tape);
    h.at = At::string;
    h.closing = true;
    h.offset = closed_;
    h.again = std::move(tail_);
    if (tail_from_ < closed_) h.again.erase(0, static_cast<std::size_t>(closed_ - tail_from_));
    // White space in between may have held line ends: they will be counted again.
    for (char c : h.again)
      if (c == '\n') --h.line;
    h.repeated_key = false;
    tail_.clear();
    return h;
  }
  h.offset = base_;
  if (at_ == At::colon && !repeated_key_ && why_ != ErrorKind::none && base_ - closed_key_ <= kHold) {
    // No colon behind a key: its last quote may have been part of it. Only white space can lie in between.
    Node key = tape.node(tape.size() - 1);
    arena.reopen(reinterpret_cast<const char*>(key.body), static_cast<std::size_t>(key.size()));
    s_.builder.forget_key();
    s_.builder.keys().rebuild(tape);
    h.at = At::key_string;
    h.again.assign(1, '"');
    h.again.append(static_cast<std::size_t>(base_ - closed_key_ - 1), ' ');
    h.offset = closed_key_;
    return h;
  }
  if (at_ == At::number) {
    h.again = number_;
    h.at = At::value;
  } else if (at_ == At::literal) {
    h.again = kLiterals[literal_].substr(0, matched_);
    h.at = At::value;
  } else if (pending_) {
    h.again.assign(escape_.data(), pending_);
  } else if (utf8_pending_) {
    char* end = arena.at();
    h.again.assign(end - utf8_pending_, utf8_pending_);
    arena.set_at(end - utf8_pending_);
  }
  h.offset -= h.again.size();
  if (h.at == At::value && tape.innermost() == Tape::kNone) h.at = At::start;
  if (at_ == At::colon) h.key_length = base_ - key_;
  return h;
}

std::size_t Strict::held_node() const {
  if (at_ == At::string) return string_;
  return string_live(base_) ? string_ : Tape::kNone;
}

bool Strict::shown() const {
  const Tape& t = s_.builder.tape();
  if (t.size() == 0) return false;
  return t.node(0).container() || base_ > kHold;
}

void Strict::clear() {
  Session& s = s_;
  std::string tail = std::move(tail_);
  std::string number = std::move(number_);
  this->~Strict();
  new (this) Strict(s);
  tail.clear();
  number.clear();
  tail_ = std::move(tail);
  number_ = std::move(number);
}

}  // namespace belay::json
