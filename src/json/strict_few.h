// A few bytes inside a string, read in one register: most tokens of a model are that short. For reader.cpp.
#pragma once

#include "json/strict.h"

namespace BELAY_NAMESPACE::json {

inline std::size_t Strict::push_escaped(std::string_view piece) {
  const std::size_t n = piece.size();
  if (!open_node_ || n - 1 >= 8 || pending_ > 1 || utf8_pending_ != 0 || limit_ - base_ < n) return 0;
  Arena::Cursor& cursor = s_.tape().arena().cursor();
  if (cursor.end - cursor.at < 16) return 0;
  std::uint64_t word = load_few(piece.data(), n);
  std::uint32_t special = special8(word) & ((1u << n) - 1);
  char* out = cursor.at;
  std::size_t left = n;
  bool known = false;
  auto take = [&](std::uint64_t kind) {
    const char c = kEscapes[static_cast<unsigned char>(kind)];
    *out = c;
    known |= c != 0 && tells(static_cast<char>(kind));
    return c != 0;
  };
  if (pending_ != 0) {
    if (!take(word)) return 0;
    ++out, --left;
    word >>= 8;
    special >>= 1;
  }
  std::uint8_t pending = 0;
  while (special != 0) {
    const auto plain = first(special);
    std::memcpy(out, &word, 8);
    out += plain;
    left -= plain;
    word >>= 8 * plain;
    if (static_cast<char>(word) != '\\') break;
    if (left == 1) {
      escape_[0] = '\\';
      pending = 1;
      left = 0;
      break;
    }
    if (!take(word >> 8)) break;
    ++out;
    left -= 2;
    word >>= 16;
    special >>= plain + 2;
  }
  if (special == 0) {
    std::memcpy(out, &word, 8);
    out += left;
    left = 0;
  }
  pending_ = pending;
  known_escape_ |= known;
  base_ += n - left;
  cursor.at = out;
  open_node_->head = head(Tag::string, static_cast<std::size_t>(out - cursor.open));
  plain_node_ = pending == 0 ? open_node_ : nullptr;
  return n - left;
}

inline std::size_t Strict::push_odd(std::string_view piece) {
  // What the last piece left incomplete, an escape or a character, comes first; a surrogate's is for others.
  const std::size_t had = std::size_t{pending_} + utf8_pending_;
  if (!open_node_ || piece.empty() || had > 5) return 0;
  const std::size_t taken = std::min(piece.size(), 8 - had);
  Arena::Cursor& cursor = s_.tape().arena().cursor();
  if (limit_ - base_ < taken || cursor.end - cursor.at < 16) return 0;
  std::uint64_t word = load_few(piece.data(), taken);
  char* out = cursor.at - utf8_pending_;
  if (had != 0) {
    std::uint64_t before;
    std::memcpy(&before, pending_ != 0 ? escape_.data() : out, 8);
    word = word << (8 * had) | (before & ((std::uint64_t{1} << (8 * had)) - 1));
  }
  std::size_t left = taken + had;
  std::uint8_t pending = 0, utf8_pending = 0;
  bool known = false;
  while (left != 0) {
    std::memcpy(out, &word, 8);
    const std::uint64_t odd = odd_few(word, left);
    if (odd == 0) {
      out += left;
      left = 0;
      break;
    }
    const auto plain = static_cast<std::size_t>(std::countr_zero(odd)) / 8;
    word >>= 8 * plain;
    out += plain;
    left -= plain;
    if (static_cast<char>(word) == '\\') {
      const char kind = left == 1 ? 'u' : static_cast<char>(word >> 8);
      if (const char c = kEscapes[static_cast<unsigned char>(kind)]) {
        known |= tells(kind);
        *out++ = c;
        word >>= 16;
        left -= 2;
        continue;
      }
      if (kind != 'u') break;
      char digits[8];
      std::memcpy(digits, &word, 8);
      if (left < 6) {
        bool right = true;
        for (std::size_t i = 2; i < left; ++i) right = right && hex(digits[i]) >= 0;
        if (!right) break;
        std::memcpy(escape_.data(), digits, 8);
        pending = static_cast<std::uint8_t>(left);
        left = 0;
        break;
      }
      const int code = hex4(digits + 2);
      if (code < 0 || (code >= 0xD800 && code <= 0xDFFF)) break;
      known = true;
      out = put_plane(static_cast<std::uint32_t>(code), out);
      word >>= 48;
      left -= 6;
    } else if ((word & 0x80) != 0) {
      const utf8::Step st = utf8::step(out, left);
      if (st.is == utf8::Step::Is::invalid) break;
      out += st.length;
      left -= st.length;
      if (st.is == utf8::Step::Is::incomplete) {
        utf8_pending = st.length;
        break;
      }
      word >>= 8 * st.length;
    } else {
      break;
    }
  }
  if (left > taken) return 0;  // what was cut does not go on like that
  pending_ = pending;
  utf8_pending_ = utf8_pending;
  known_escape_ |= known;
  base_ += taken - left;
  cursor.at = out;
  open_node_->head = head(Tag::string, static_cast<std::size_t>(out - cursor.open) - utf8_pending);
  plain_node_ = (pending | utf8_pending) == 0 ? open_node_ : nullptr;
  return taken - left;
}

}  // namespace BELAY_NAMESPACE::json
