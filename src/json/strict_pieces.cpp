// Pieces: where the bytes were cut must not matter. Escapes and characters that were cut wait here for their rest.
#include "base/utf8.h"
#include "json/scan.h"
#include "json/strict.h"
#include "json/strict_tables.h"

#include <algorithm>

namespace BELAY_NAMESPACE::json {

// Reads one escape at p. `more`: it may be whole when more bytes come. `bad`: JSON has no such escape.
Strict::Escape Strict::escape(const char*& p, const char* end, char*& out) {
  auto left = end - p;
  if (left < 2) return Escape::more;
  if (p[1] != 'u') {
    char c = kEscapes[static_cast<unsigned char>(p[1])];
    if (!c) return why_ = ErrorKind::bad_escape, Escape::bad;
    known_escape_ |= tells(p[1]);
    *out++ = c;
    p += 2;
    return Escape::done;
  }
  if (left < 6 || hex4(p + 2) < 0) {
    for (std::ptrdiff_t i = 2; i < 6; ++i) {
      if (i == left) return Escape::more;
      if (hex(p[i]) < 0) return why_ = ErrorKind::bad_escape, Escape::bad;
    }
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

void Tail::append_many(const char* from, std::size_t n) {
  if (n == 0) return;
  if (bytes_.size() - size_ < n) bytes_.resize(std::max(2 * bytes_.size(), size_ + n + 64));
  std::memcpy(bytes_.data() + size_, from, n);
  size_ += n;
}

// Keeps the raw bytes that may have to be read again, or that are not certain enough for the text output.
void Strict::keep_tail_on(const char* from, const char* to) {
  if (s_.options.text) {
    tail_.append(from, to);
    // A token that is still open waits for its end, however long it is: in one piece it would not be seen half.
    // Half a character stands at the end of the piece, which is not reached when something before it deviates.
    std::size_t open = pending_ + (why_ == ErrorKind::none ? std::size_t{utf8_pending_} : 0);
    if (at_ == At::number) open = number_.size();
    if (at_ == At::literal) open = matched_;
    std::size_t pass = tail_.size() > open ? tail_.size() - open : 0;
    if (!overrun_ && pass <= kHold) return;
    // Beyond the bound the strict reading stands: from here on bytes pass as they come, whole tokens at least.
    overrun_ = true;
    if (pass > passed_) s_.text += tail_.view().substr(passed_, pass - passed_);
    passed_ = std::max(passed_, pass);
    // What may have to be read again stays: that bound is counted from the byte in question, which came later.
    const auto drop = static_cast<std::size_t>(std::min<std::uint64_t>(passed_, doubtful() - tail_from_));
    if (drop == 0) return;
    tail_.drop_front(drop);
    tail_from_ += drop;
    passed_ -= drop;
  } else if ((at_ == At::colon && base_ - closed_key_ <= kHold) ||
             (first_bracket_open() && token_end() - top_ <= kHold)) {
    tail_.append(from, to);
  } else {
    tail_.clear();
  }
}

void Strict::show_string(Node& node) {
  Arena& arena = s_.tape().arena();
  node = {head(Tag::string, arena.open_size() - utf8_pending_), reinterpret_cast<std::uint64_t>(arena.open_string())};
  plain_node_ = (pending_ | utf8_pending_) == 0 ? open_node_ : nullptr;
}

void Strict::sync_open_string() {
  Node& node = s_.tape().at(string_);
  if (!s_.options.text && why_ == ErrorKind::none) open_node_ = &node;
  show_string(node);
}

// The first bytes of a small piece, where the last one was cut inside an escape or a character. Gives how many belong
// to that; nothing when it is for the main loop.
std::size_t Strict::resume_small(std::string_view piece, char*& out) {
  if (pending_ > 0) {
    char e = pending_ == 1 ? kEscapes[static_cast<unsigned char>(piece[0])] : '\0';
    if (!e) return 0;
    known_escape_ |= tells(piece[0]);
    *out++ = e;
    pending_ = 0;
    return 1;
  }
  bool ok = true;
  std::size_t used = resume_utf8(piece, ok);
  if (!ok) return 0;
  std::memcpy(out, piece.data(), used);
  out += used;
  return used;
}

std::size_t Strict::push_small(std::string_view piece) {
  std::size_t n = piece.size();
  if (n - 1 >= 32 || limit_ - base_ < n) return 0;
  // The end of the string is for the main loop, which goes on from there.
  if (piece[0] == '"' && pending_ == 0) return 0;
  Arena& arena = s_.tape().arena();
  arena.ensure(64);
  char* out = arena.at();
  std::size_t used = 0, tail = 0;
  // A character that was cut goes on: with enough before it, it is checked with all the others.
  const bool joins = utf8_pending_ != 0 && arena.open_size() >= 3;
  if (pending_ != 0 || (utf8_pending_ != 0 && !joins)) {
    used = resume_small(piece, out);
    if (used == 0) return 0;
    tail = utf8_pending_;
  }
  const char *raw = piece.data() + used, *end = piece.data() + n;
  if (raw != end) {
    auto left = static_cast<std::size_t>(end - raw);
    Small small = copy_small(raw, left, out);
    if (joins || (!small.ascii && arena.open_size() >= 3)) {
      Wide wide = check_wide(out, left);
      if (!wide.right && joins) return 0;  // what is wrong is for the main loop
      if (!wide.right) small.special = wide.tail = 0, end = raw;
      tail = wide.tail;
    } else if (!small.ascii) {
      utf8::Extent e = utf8::extent({raw, left});
      if (e.whole + e.tail < left) small.special = 0, end = raw;
      tail = e.tail;
    }
    std::uint64_t mask = small.special;
    if (mask != 0) {
      // A copy that may be read beyond its end, and that nothing is written to meanwhile.
      copy_rest(raw, left, raw_.data());
      raw = raw_.data();
      end = raw + left;
      do {
        auto k = std::countr_zero(mask);
        raw += k;
        out += k;
        if (*raw != '\\') break;
        if (raw + 1 == end) {
          escape_[0] = '\\';
          pending_ = 1;
          raw = end;
          break;
        }
        std::ptrdiff_t length = 2;
        if (char e = kEscapes[static_cast<unsigned char>(raw[1])]) {
          known_escape_ |= tells(raw[1]);
          *out++ = e;
        } else {
          // A character of the first plane; the rest is for the main loop.
          int c = raw[1] == 'u' && end - raw >= 6 ? hex4(raw + 2) : -1;
          if (c < 0 || (c >= 0xD800 && c <= 0xDFFF)) break;
          known_escape_ = true;
          out = utf8::put(static_cast<std::uint32_t>(c), out);
          length = 6;
        }
        raw += length;
        mask = mask >> k >> length;
        move32(raw, out);
      } while (mask != 0);
      if (mask == 0) {
        out += end - raw;
        used = n;
      } else {
        used = n - static_cast<std::size_t>(end - raw);
        if (raw != end) tail = 0;  // not reached
      }
    } else {
      out += end - raw;
      used += static_cast<std::size_t>(end - raw);
    }
    utf8_pending_ = static_cast<std::uint8_t>(tail);
  }
  arena.set_at(out);
  base_ += used;
  show_string(*open_node_);
  return used;
}

// The main loop, and where keys do not repeat the one for such texts: each goes on where the other stops.
std::size_t Strict::read(const char* from, const char* to) {
  if (s_.options.text) return run<true, Piece::any>(from, to);
  const char* p = from;
  while (true) {
    p += shapeless_ ? run<false, Piece::step>(p, to) : run<false, Piece::any>(p, to);
    if (p >= to || why_ != ErrorKind::none) break;
    if ((at_ != At::after && at_ != At::value && at_ != At::first_value) || to - p <= kStride) continue;
    p = stride(p, to);
    if (to - p <= kStride) p += stride_last(to, static_cast<std::size_t>(to - p));
  }
  return static_cast<std::size_t>(p - from);
}

// The last bytes of a piece, of which more has been read: a copy with zeros behind it, since a zero ends every token as
// what is not plain. A short text has many of these bytes for its size. Gives how many were read.
std::size_t Strict::stride_last(const char* to, std::size_t left) {
  switch (at_) {
    case At::after:
    case At::value:
    case At::first_value: break;
    case At::string:
      // The nodes of a string and of what follows it lie in one chunk, but for one in some thousand.
      if (&s_.tape().at(string_) + 1 == room_.from) break;
      return 0;
    default: return 0;
  }
  std::array<char, 2 * kStride> bytes;
  std::memcpy(bytes.data(), to - kStride, kStride);
  std::memset(bytes.data() + kStride, 0, kStride);
  const char* const from = bytes.data() + kStride - left;
  return static_cast<std::size_t>(stride(from, bytes.data() + bytes.size()) - from);
}

std::size_t Strict::push_on(std::string_view piece, std::size_t used) {
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
    used += read(segment.data(), segment.data() + good);
    if (why_ != ErrorKind::none) {
      utf8_pending_ = 0;  // the deviation came before it
    } else if (good < segment.size() && !pending_) {
      // In a string it is the encoding that is wrong; elsewhere such a byte fits nowhere anyway.
      if (at_ == At::string || at_ == At::key_string) {
        why_ = ErrorKind::invalid_utf8;
      } else {
        const char* bad = segment.data() + good;
        used += read(bad, bad + 1);
      }
    }
  }
  sync_string();
  return used;
}

// The rest of the key that was expected, and the colon: what recall does for a member in one piece. Gives how many
// bytes of the piece these are, nothing when it is something else.
std::size_t Strict::finish_key(std::string_view piece) {
  Memo& m = memos_[expected_];
  std::size_t rest = std::size_t{m.quoted} - waiting_;
  if (piece.size() <= rest || piece[rest] != ':' || limit_ - offset() <= rest ||
      !same(m.bytes + waiting_, piece.data(), rest))
    return 0;
  if (m.generation != generation_ && !renew(m)) return 0;
  KeyIndex& keys = s_.builder.keys();
  if (s_.options.mode != Mode::strict && !keys.adds(m.hash) &&
      !keys.adds_by_name(s_.tape(), s_.tape().innermost(), s_.tape().size(), {m.key, std::size_t{m.size}}))
    return 0;
  if (m.lines != 0) {
    for (std::uint8_t i = 0; i < m.quoted; ++i)
      if (m.bytes[i] == '\n') ++line_, line_start_ = base_ + i + 1;
  }
  Tape& tape = s_.tape();
  Tape::Ends& ends = tape.ends();
  *room_.from++ = {head(Tag::key, m.size), reinterpret_cast<std::uint64_t>(m.key)};
  ++ends.size;
  if (room_.from == room_.to) [[unlikely]] {
    room_ = tape.room(ends.size);
    container_ = &tape.at(ends.innermost);
  }
  memo_ = expected_;
  ++hits_;
  at_ = At::value;
  base_ += std::size_t{m.quoted} + 1;
  waiting_ = 0;
  // With the colon it is certain that the string before the key has ended.
  tail_.clear();
  return rest + 1;
}

std::size_t Strict::read_again(std::string_view piece) {
  char joined[2 * kMemoBytes];
  std::size_t had = waiting_;
  std::size_t take = std::min<std::size_t>(piece.size(), kMemoBytes);
  take = static_cast<std::size_t>(std::min<std::uint64_t>(take, s_.options.limits.bytes - offset()));
  std::memcpy(joined, memos_[expected_].bytes, kMemoBytes);
  if (take > 0) std::memcpy(joined + had, piece.data(), take);
  waiting_ = 0;
  settling_ = take < piece.size() || piece.empty();  // nothing waits again before the end of the piece
  std::size_t used = push({joined, had + take});
  settling_ = false;
  // What waited is read to its end in any case: the first thing that can be wrong with it is a key that stands twice,
  // and that shows at the key's last quote.
  return used - had;
}

// Feeds the bytes of a character that was cut, one decision for all: gives how many of them belong to it.
std::size_t Strict::resume_utf8(std::string_view piece, bool& ok) {
  char bytes[8];
  std::size_t had = utf8_pending_;
  const char* end = s_.tape().arena().at();
  std::memcpy(bytes, end - had, had);
  std::size_t more = std::min<std::size_t>(piece.size(), 4);
  if (more > 0) std::memcpy(bytes + had, piece.data(), more);
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
    s_.text += tail_.view().substr(passed_);
    s_.text.append(piece, 0, used);
    tail_.clear();
    overrun_ = false;
    passed_ = 0;
    tail_from_ = base_;
  } else {
    keep_tail(piece.data(), piece.data() + used);
  }
  return used;
}

}  // namespace BELAY_NAMESPACE::json
