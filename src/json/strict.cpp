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

constexpr std::size_t kLongString = std::size_t{1} << 16;

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

template <bool kText>
std::size_t Strict::run(const char* const from, const char* const to) {
  Tape& tape = s_.tape();
  Arena& arena = tape.arena();
  KeyIndex& keys = s_.builder.keys();
  // What the loop touches for every token lives in locals: stores of characters could alias anything else.
  std::size_t n = tape.size();
  Tape::Room room = room_.from ? room_ : tape.room(n);
  std::size_t current = tape.innermost(), last_closed = tape.last_closed();
  Node* container = container_;
  bool object = container && container->tag() == Tag::object;
  std::uint64_t depth = s_.builder.depth();
  arena.ensure(0);
  char* out = arena.at();
  char* limit = arena.limit() - Arena::kSlack;
  char* text = arena.open_string();
  const bool keep_repeats = s_.options.mode == Mode::strict;
  const char* p = from;
  const char* commit = nullptr;  // what comes before it is certain
  const char* start = nullptr;
  Node* slot = at_ == At::string ? &tape.at(string_) : nullptr;
  const char* member = nullptr;  // where the separator before the current key began, in this piece
  std::uint8_t memo = keys.empty() ? kNoMemo : keys.note(), guess = kNoMemo;
  std::string_view digits;
  At at = at_;

  auto offset = [&](const char* q) { return base_ + static_cast<std::uint64_t>(q - from); };
  auto push_node = [&](std::uint64_t h, std::uint64_t b) {
    *room.from++ = {h, b};
    ++n;
    if (room.from == room.to) [[unlikely]] {
      room = tape.room(n);
      // The first chunk moves when it grows.
      if (current != Tape::kNone) container = &tape.at(current);
    }
  };
  auto count = [&] {
    if (container) container->head += 256;
  };
  // The arena may move the open string when it grows.
  auto more_room = [&](std::size_t bytes) {
    arena.set_at(out);
    arena.set_open(text);
    arena.ensure(bytes);
    out = arena.at();
    text = arena.open_string();
    limit = arena.limit() - Arena::kSlack;
  };

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
  if (is_space(*p)) [[unlikely]] {
    do {
      if (*p == '\n') ++line_, line_start_ = offset(p) + 1;
      if (++p == to) goto out;
    } while (is_space(*p));
  }
  switch (*p) {
    case '"':
      if (!container && s_.options.root == Root::object) goto unexpected;
      string_at_ = offset(p);
      known_escape_ = false;
      if (out > limit) [[unlikely]]
        more_room(16);
      text = out;
      count();
      string_ = n;
      slot = room.from;
      push_node(head(Tag::string, 0), reinterpret_cast<std::uint64_t>(text));
      if (room.from != slot + 1) slot = &tape.at(string_);
      at = At::string;
      ++p;
      goto string;
    case '{':
      if (depth >= s_.options.limits.depth) [[unlikely]] {
        why_ = ErrorKind::limit;
        goto out;
      }
      ++depth;
      if (!container) {
        top_ = offset(p);
        mark_line_ = line_;
        mark_line_start_ = line_start_;
        if (!kText) commit = p;
      } else {
        container->head += 256;
      }
      {
        std::size_t i = n;
        push_node(head(Tag::object, 0) | Node::kOpen, current);
        current = i;
        container = &tape.at(i);
      }
      if (!keys.empty()) keys.note() = memo;
      keys.enter();
      object = true;
      memo = kFirstMemo;
      at = At::first_key;
      ++p;
      // The first bracket may yet turn out to be prose.
      if (kText && depth > 1) commit = p;
      if (p == to) goto out;
      member = p;
      guess = first_memo_;
      if (guess != kNoMemo && to - p > memos_[guess].length) goto recall;
      goto key;
    case '[':
      if (!container && s_.options.root == Root::object) goto unexpected;
      if (depth >= s_.options.limits.depth) [[unlikely]] {
        why_ = ErrorKind::limit;
        goto out;
      }
      ++depth;
      if (!container) {
        top_ = offset(p);
        mark_line_ = line_;
        mark_line_start_ = line_start_;
        if (!kText) commit = p;
      } else {
        container->head += 256;
      }
      {
        std::size_t i = n;
        push_node(head(Tag::array, 0) | Node::kOpen, current);
        current = i;
        container = &tape.at(i);
      }
      object = false;
      at = At::first_value;
      ++p;
      if (kText && depth > 1) commit = p;
      if (p == to) goto out;
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
    case '9':
      if (!container && s_.options.root == Root::object) goto unexpected;
      goto number;
    case 't': literal_ = 0; goto literal;
    case 'f': literal_ = 1; goto literal;
    case 'n': literal_ = 2; goto literal;
    case ']':
      if (at == At::first_value) goto after_here;
      [[fallthrough]];
    default: goto unexpected;
  }

string:
  while (to - p >= 32) {
    if (out > limit) [[unlikely]] {
      // A long string gets all the room that the rest of the piece can need, so that it moves only once.
      auto size = static_cast<std::size_t>(out - text);
      auto rest = static_cast<std::size_t>(to - p) + behind_;
      more_room(size >= kLongString ? rest : std::min(rest, std::max<std::size_t>(size, 128)));
    }
    std::uint64_t mask = copy32(p, out);
    if (mask == 0) {
      p += 32;
      out += 32;
      continue;
    }
    // All that is special in these bytes, one after the other, from the one mask.
    const char* const block = p + 32;
    while (true) {
      auto k = std::countr_zero(mask);
      p += k;
      out += k;
      if (*p == '"') goto string_end;
      if (*p != '\\') goto control;
      if (to - p < 2) break;
      auto c = static_cast<unsigned char>(p[1]);
      char e = kEscapes[c];
      if (!e) break;
      known_escape_ |= c >= 'a';
      *out++ = e;
      p += 2;
      if (p >= block) goto string;
      mask >>= k + 2;
      if (to - p < 32) goto string;
      move32(p, out);
      if (mask == 0) {
        out += block - p;
        p = block;
        goto string;
      }
    }
    Escape e = escape(p, to, out);
    if (e == Escape::done) continue;
    if (e == Escape::bad) goto out_in_string;
    goto escape_more;
  }
  if (out > limit) [[unlikely]]
    more_room(32);
  while (p != to) {
    // The last bytes of a piece.
    auto left = static_cast<std::size_t>(to - p);
    Small small = copy_small(p, left, out);
    auto k = small.special ? std::countr_zero(small.special) : static_cast<int>(left);
    p += k;
    out += k;
    if (p == to) break;
    if (*p == '"') goto string_end;
    if (*p != '\\') goto control;
    Escape e = escape(p, to, out);
    if (e == Escape::done) continue;
    if (e == Escape::bad) goto out_in_string;
    goto escape_more;
  }
  goto out_in_string;

string_end:
  if (at == At::string) {
    *slot = {head(Tag::string, static_cast<std::size_t>(out - text)), reinterpret_cast<std::uint64_t>(text)};
    text = nullptr;
    closed_ = offset(p);
    mark_line_ = line_;
    mark_line_start_ = line_start_;
    if (!kText || container) commit = p;
    ++p;
    if (!container) {
      at = At::done;
      if (p == to) goto out;
      goto done;
    }
    at = At::after;
    if (p == to) goto out;
    goto after;
  }
  {
    std::string_view name(text, static_cast<std::size_t>(out - text));
    std::size_t k = n;
    push_node(head(Tag::key, name.size()), reinterpret_cast<std::uint64_t>(text));
    text = nullptr;
    at = At::colon;
    closed_key_ = offset(p);
    if (string_ + 2 != n) {
      mark_line_ = line_;
      mark_line_start_ = line_start_;
      if (!kText) commit = p;
    }
    ++p;
    std::uint64_t h = keys.hash(name);
    if (!keep_repeats && !keys.adds(h)) [[unlikely]] {
      tape.set(n, current, last_closed);
      if (keys.slow_repeats(tape, current, k, h)) {
        repeated_key_ = true;
        why_ = ErrorKind::unexpected_byte;
        goto out;
      }
    }
    memo = remember(name, h, member, p, to, memo);
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
    if (out > limit) [[unlikely]]
      more_room(16);
    text = out;
    at = At::key_string;
    ++p;
    goto string;
  }
  if (*p == '}' && at == At::first_key) goto after_here;
  goto unexpected;

recall: {
  // The bytes that followed the last member like this one probably follow again.
  const Memo& m = memos_[guess];
  if (follow(m, p, to) && (keep_repeats || keys.adds(m.hash))) {
    if (kText && at == At::after) comma_ = offset(p);
    push_node(head(Tag::key, m.size), reinterpret_cast<std::uint64_t>(m.key));
    if (m.lines) line_ += m.lines, line_start_ = offset(p) + m.last_line;
    memo = guess;
    at = At::value;
    p += m.length;
    goto value;
  }
  if (at == At::first_key) goto key;
  goto comma;
}

number:
  start = p;
  token_ = offset(p);
  while (p != to && kNumberBytes[static_cast<unsigned char>(*p)]) ++p;
  if (p == to) {
    number_.assign(start, p);
    at = At::number;
    goto out;
  }
  digits = {start, static_cast<std::size_t>(p - start)};
  goto number_end;

number_on:
  start = p;
  while (p != to && kNumberBytes[static_cast<unsigned char>(*p)]) ++p;
  number_.append(start, p);
  if (p == to) goto out;
  digits = number_;

number_end: {
  std::size_t size = digits.size();
  bool ok = false;
  if (size <= 8) {
    // Mostly short integers: digits only, and no zero in front.
    std::size_t i = digits[0] == '-' ? 1 : 0;
    if (i < size && (digits[i] != '0' || size == i + 1)) {
      while (i < size && is_digit(digits[i])) ++i;
      ok = i == size;
    }
  }
  // What ends a number must be able to stand behind one.
  bool ended = is_space(*p) || (container && (*p == ',' || *p == '}' || *p == ']'));
  if (!ended || (!ok && !is_number(digits))) {
    if (at != At::number) p = start;
    why_ = ErrorKind::bad_number;
    goto out;
  }
  count();
  if (size <= 8) {
    std::uint64_t body = 0;
    std::memcpy(&body, digits.data(), size);
    push_node(head(Tag::short_number, size), body);
  } else {
    if (limit < out || static_cast<std::size_t>(limit - out) < size) more_room(size);
    std::memcpy(out, digits.data(), size);
    push_node(head(Tag::number, size), reinterpret_cast<std::uint64_t>(out));
    out += size;
  }
  if (at == At::number) number_.clear();
}
  if (kText && container) commit = p;
  at = container ? At::after : At::done;
  if (at == At::done) goto done;
  goto after;

literal:
  if (!container && s_.options.root == Root::object) goto unexpected;
  token_ = offset(p);
  matched_ = 0;
  at = At::literal;
literal_on: {
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
  if (!is_space(*p) && !(container && (*p == ',' || *p == '}' || *p == ']'))) {
    why_ = ErrorKind::bad_literal;
    goto out;
  }
}
  count();
  push_node(head(kLiteralTags[literal_], 0), 0);
  if (kText && container) commit = p;
  at = container ? At::after : At::done;
  if (at == At::done) goto done;

after:
  if (is_space(*p)) [[unlikely]] {
    do {
      if (*p == '\n') ++line_, line_start_ = offset(p) + 1;
      if (++p == to) goto out;
    } while (is_space(*p));
  }
after_here:
  switch (*p) {
    case ',':
      if (at != At::after) goto unexpected;
      if (object) {
        guess = memo < kMemos ? memos_[memo].next : kNoMemo;
        if (guess != kNoMemo && to - p > memos_[guess].length) goto recall;
      }
      goto comma;
    case '}':
    case ']': {
      if (object != (*p == '}')) goto unexpected;
      last_closed = current;
      current = static_cast<std::size_t>(container->body);
      container->head &= ~Node::kOpen;
      container->body = n;
      if (object) {
        keys.leave();
        memo = keys.empty() ? kNoMemo : keys.note();
      }
      --depth;
      if constexpr (kText)
        if (string_ + 1 != n) commit = current == Tape::kNone ? p : p + 1;
      ++p;
      if (current == Tape::kNone) {
        container = nullptr;
        object = false;
        top_end_ = offset(p);
        at = At::done;
        if (p == to) goto out;
        goto done;
      }
      container = &tape.at(current);
      object = container->tag() == Tag::object;
      at = At::after;
      if (p == to) goto out;
      goto after;
    }
    default: goto unexpected;
  }

comma:
  token_ = comma_ = offset(p);
  member = p;
  ++p;
  at = object ? At::key : At::value;
  if (p == to) goto out;
  if (object) goto key;
  goto value;

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
  if (kText && at == At::string && container) commit = p;
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
    if (at == At::string && container) {
      if (why_ != ErrorKind::none)
        commit = p;
      else if (p - from >= utf8_pending_)
        commit = p - utf8_pending_;
    }
  }

out:
  at_ = at;
  arena.set_at(out);
  arena.set_open(text);
  tape.set(n, current, last_closed);
  room_ = room;
  container_ = container;
  if (!keys.empty()) keys.note() = memo;
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

// Keeps the bytes around a key with the key, if it was seen before: from the separator to the value.
std::uint8_t Strict::remember(std::string_view name, std::uint64_t hash, const char* from, const char* p,
                              const char* to, std::uint8_t before) {
  auto i = static_cast<std::uint8_t>(hash >> 6 & (kMemos - 1));
  auto tag = static_cast<std::uint32_t>(hash >> 32) ^ generation_;
  Memo& m = memos_[i];
  if (m.hash == hash && m.generation == generation_) {
    // Known; it may follow another key than last time, or be spaced in another way.
  } else if (memo_tags_[i] != tag) {
    memo_tags_[i] = tag;
    return kNoMemo;
  } else {
    m.next = kNoMemo;
    m.generation = 0;
  }
  if (!from || p == to || *p != ':') return m.generation == generation_ ? i : kNoMemo;
  ++p;
  while (p != to && is_space(*p)) ++p;
  auto length = static_cast<std::size_t>(p - from);
  if (p == to || length > static_cast<std::size_t>(kMemoBytes)) return m.generation == generation_ ? i : kNoMemo;
  m.hash = hash;
  m.generation = generation_;
  m.key = name.data();
  m.size = name.size();
  m.length = static_cast<std::uint8_t>(length);
  m.need = length == 32 ? 0xffffffffu : (1u << length) - 1;
  std::memcpy(m.bytes, from, length);
  m.lines = m.last_line = 0;
  for (std::size_t k = 0; k < length; ++k)
    if (from[k] == '\n') ++m.lines, m.last_line = static_cast<std::uint8_t>(k + 1);
  if (before == kFirstMemo)
    first_memo_ = i;
  else if (before != kNoMemo)
    memos_[before].next = i;
  return i;
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
  } else if (string_live(base_) || (at_ == At::colon && base_ - closed_key_ <= kHold) ||
             (first_bracket_open() && base_ - top_ <= kHold)) {
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

// A small piece inside a string, where the last one was cut inside an escape or a character.
std::size_t Strict::push_small(std::string_view piece) {
  Arena& arena = s_.tape().arena();
  arena.ensure(64);
  char* out = arena.at();
  std::size_t used = 0;
  if (pending_ > 0) {
    char e = pending_ == 1 ? kEscapes[static_cast<unsigned char>(piece[0])] : '\0';
    if (!e) return 0;
    known_escape_ |= piece[0] >= 'a';
    *out++ = e;
    pending_ = 0;
    used = 1;
  } else {
    bool ok = true;
    used = resume_utf8(piece, ok);
    if (!ok) return 0;
    std::memcpy(out, piece.data(), used);
    out += used;
    if (utf8_pending_) {
      arena.set_at(out);
      base_ += used;
      sync_string();
      return used;
    }
  }
  Small small{0, true};
  if (used < piece.size()) small = copy_small(piece.data() + used, piece.size() - used, out);
  return unescape(piece, out, small, used);
}

// A small piece that lies behind the open string, at `out`, from piece[used] on: decoded where it lies. Gives how far
// that went: to the end, or to what the main loop has to look at.
std::size_t Strict::unescape(std::string_view piece, char* out, Small small, std::size_t used) {
  std::size_t left = piece.size() - used, tail = 0;
  std::uint64_t mask = small.special;
  if (!small.ascii) {
    utf8::Extent e = utf8::extent(piece.substr(used));
    if (e.whole + e.tail < left) mask = 0, left = 0;  // what is wrong is for the main loop
    tail = e.tail;
  }
  bool stopped = left == 0 && used < piece.size();
  while (mask != 0) {
    auto k = static_cast<std::size_t>(std::countr_zero(mask));
    out += k;
    left -= k;
    if (*out != '\\') break;
    if (left == 1) {
      escape_[0] = '\\';
      pending_ = 1;
      left = 0;
      mask = 0;
      break;
    }
    char e = kEscapes[static_cast<unsigned char>(out[1])];
    if (!e) break;
    known_escape_ |= out[1] >= 'a';
    *out++ = e;
    left -= 2;
    mask = mask >> k >> 2;
    // The rest moves up by one. From the piece, not from where it lies: that was only just written.
    copy_rest(piece.data() + piece.size() - left, left, out);
  }
  if (stopped) {
  } else if (mask == 0) {
    used = piece.size();
    out += left;
    utf8_pending_ = static_cast<std::uint8_t>(tail);
  } else {
    used = piece.size() - left;
  }
  Arena& arena = s_.tape().arena();
  arena.set_at(out);
  base_ += used;
  sync_string();
  return used;
}

std::size_t Strict::push(std::string_view piece) {
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
    if (std::size_t rest = segment.size() - good; rest > 0) {
      if (rest <= 32 && ascii_small(segment.data() + good, rest)) {
        good += rest;
      } else {
        utf8::Extent e = utf8::extent(segment.substr(good));
        good += e.whole + e.tail;
        tail = e.tail;
      }
    }
    utf8_pending_ = static_cast<std::uint8_t>(tail);
    behind_ = piece.size() - used - good;
    used += s_.options.text ? run<true>(segment.data(), segment.data() + good)
                            : run<false>(segment.data(), segment.data() + good);
    if (why_ != ErrorKind::none) {
      utf8_pending_ = 0;  // the deviation came before it
    } else if (good < segment.size() && !pending_) {
      // In a string it is the encoding that is wrong; elsewhere such a byte fits nowhere anyway.
      if (at_ == At::string || at_ == At::key_string) {
        why_ = ErrorKind::invalid_utf8;
      } else {
        const char* bad = segment.data() + good;
        used += s_.options.text ? run<true>(bad, bad + 1) : run<false>(bad, bad + 1);
      }
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

Position Strict::position() const {
  std::uint64_t at = base_;
  if (why_ != ErrorKind::none) {
    // The token that does not fit, wherever the pieces were cut.
    if (at_ == At::number)
      at -= number_.size();
    else if (at_ == At::literal)
      at -= matched_;
    else
      at -= static_cast<std::uint64_t>(pending_) + utf8_pending_;
  }
  return {at, line_, at - line_start_ + 1};
}

bool Strict::finish(Ending ending) {
  Tape& tape = s_.tape();
  // A number that was cut may lack digits.
  if (at_ == At::number && tape.innermost() == Tape::kNone && is_number(number_) && ending == Ending::complete) {
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
  h.top = top_;
  h.top_end = top_end_;
  h.key = key_;
  h.repeated_key = repeated_key_;
  if (overrun_) {
    // Behind a whole value only white space has passed; anywhere else the text cannot be mended any more.
    if (at_ == At::done && tape.node(0).container())
      h.closer_passed = true;
    else
      s_.text_stopped = true;
  }
  if (first_bracket_open() && base_ - top_ <= kHold && !overrun_) {
    // What follows the first bracket is no value: start over, the bracket may be prose.
    h.again = tail_.substr(static_cast<std::size_t>(top_ - tail_from_));
    h.line = mark_line_;
    h.line_start = mark_line_start_;
    h.offset = top_;
    h.at = At::start;
    s_.builder.clear();
    return h;
  }
  if (s_.options.text && !overrun_ && tape.innermost() != Tape::kNone && tail_from_ <= top_ &&
      tail_.size() > top_ - tail_from_)
    s_.text += tail_.substr(0, static_cast<std::size_t>(top_ - tail_from_) + 1);
  else if (s_.options.text && !overrun_ && tail_from_ <= comma_ && comma_ < base_ && !string_live(base_))
    s_.text += tail_.substr(0, static_cast<std::size_t>(comma_ - tail_from_));
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
    h.token = string_at_;
    h.closing = true;
    h.offset = closed_;
    h.again = std::move(tail_);
    if (tail_from_ < closed_) h.again.erase(0, static_cast<std::size_t>(closed_ - tail_from_));
    h.line = mark_line_;
    h.line_start = mark_line_start_;
    h.repeated_key = false;
    tail_.clear();
    return h;
  }
  h.offset = base_;
  if (at_ == At::colon && !repeated_key_ && why_ != ErrorKind::none && base_ - closed_key_ <= kHold && !overrun_) {
    // No colon behind a key: its last quote may have been part of it.
    Node key = tape.node(tape.size() - 1);
    arena.reopen(reinterpret_cast<const char*>(key.body), static_cast<std::size_t>(key.size()));
    s_.builder.forget_key();
    s_.builder.keys().rebuild(tape);
    h.at = At::key_string;
    h.again = tail_.substr(static_cast<std::size_t>(closed_key_ - tail_from_));
    h.offset = closed_key_;
    h.line = mark_line_;
    h.line_start = mark_line_start_;
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
  if (h.at == At::string || (h.at == At::done && tape.node(0).tag() == Tag::string)) h.token = string_at_;
  if (at_ == At::colon) h.key_length = base_ - key_;
  return h;
}

bool Strict::first_bracket_open() const {
  const Tape& t = s_.builder.tape();
  return t.size() == 1 && t.innermost() == 0 &&
         (at_ == At::first_key || at_ == At::first_value || at_ == At::number || at_ == At::literal);
}

bool Strict::shown_slow() const {
  const Tape& t = s_.builder.tape();
  // A first bracket with nothing in it yet may turn out to be prose.
  if (t.node(0).container()) return !first_bracket_open() || base_ - top_ > kHold;
  return base_ - (t.node(0).tag() == Tag::string ? string_at_ : token_) > kHold;
}

void Strict::clear() {
  at_ = At::start;
  why_ = ErrorKind::none;
  known_escape_ = repeated_key_ = overrun_ = false;
  literal_ = matched_ = pending_ = utf8_pending_ = 0;
  mark_line_ = 1;
  mark_line_start_ = base_ = line_start_ = token_ = string_at_ = top_end_ = comma_ = key_ = top_ = closed_key_ =
      closed_ = tail_from_ = 0;
  line_ = 1;
  string_ = Tape::kNone;
  room_ = {};
  container_ = nullptr;
  number_.clear();
  tail_.clear();
  // What was remembered points into the last text: a new generation forgets it all at once.
  first_memo_ = kNoMemo;
  ++generation_;
}

}  // namespace belay::json
