// Escapes with \u in the reader's inner loops, where a call or a branch for each of them would take longer than the
// work.
#pragma once

#include "base/utf8.h"
#include "json/scan.h"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace BELAY_NAMESPACE::json {

/// Writes a character of the first plane (not a surrogate) as UTF-8, and gives the end. Four bytes are written in any
/// case; nothing is decided by a branch, since nobody can foresee how long the next one is.
inline char* put_plane(std::uint32_t c, char* out) {
  const std::uint32_t second = c >= 0x80, third = c >= 0x800;
  const std::uint32_t low = 0x80 | (c & 0x3f), middle = c >> 6;
  // The first bytes of one, two and three, and what follows them.
  std::uint32_t bytes = c;
  bytes = second != 0 ? (0xc0 | middle) | low << 8 : bytes;
  bytes = third != 0 ? (0xe0 | c >> 12) | (0x80 | (middle & 0x3f)) << 8 | low << 16 : bytes;
  std::memcpy(out, &bytes, sizeof bytes);
  return out + 1 + second + third;
}

/// At p an escape: if it is one with \u and whole, writes its character to `out` and gives the length of the escape;
/// nothing when there is more to it. At `out` there is room for four bytes.
inline std::size_t copy_unicode(const char* p, std::size_t left, char*& out) {
  const int unit = left >= 6 && p[1] == 'u' ? hex4(p + 2) : -1;
  if (unit < 0) return 0;
  const auto code = static_cast<std::uint32_t>(unit);
  if (code - 0xd800 < 0x800) [[unlikely]] {
    const int low = left >= 12 && code < 0xdc00 && p[6] == '\\' && p[7] == 'u' ? hex4(p + 8) : -1;
    if (low < 0xdc00 || low > 0xdfff) return 0;
    out = utf8::put(0x10000 + ((code - 0xd800) << 10) + (static_cast<std::uint32_t>(low) - 0xdc00), out);
    return 12;
  }
  out = put_plane(code, out);
  return 6;
}

}  // namespace BELAY_NAMESPACE::json
