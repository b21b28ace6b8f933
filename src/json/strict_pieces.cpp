// Pieces: where the bytes were cut must not matter. Escapes and characters that were cut wait here for their rest.
#include "base/utf8.h"
#include "json/scan.h"
#include "json/strict.h"
#include "json/strict_tables.h"

#include <algorithm>

namespace belay::json {

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

// Keeps the raw bytes that may have to be read again, or that are not certain enough for the text output.
void Strict::keep_tail(const char* from, const char* to) {
  if (s_.options.text) {
    tail_.append(from, to);
    if (!overrun_ && tail_.size() <= kHold) return;
    // Beyond the bound the strict reading stands: from here on bytes pass as they come, whole tokens at least.
    overrun_ = true;
    std::size_t open = static_cast<std::size_t>(pending_) + utf8_pending_;
    if (at_ == At::number) open = number_.size();
    if (at_ == At::literal) open = matched_;
    std::size_t pass = tail_.size() > open ? tail_.size() - open : 0;
    s_.text.append(tail_, 0, pass);
    tail_.erase(0, pass);
    tail_from_ += pass;
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

}  // namespace belay::json
