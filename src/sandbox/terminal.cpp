#include <belay/sandbox/command.h>

#include "base/hidden.h"
#include "base/utf8.h"

#include <cstdint>

namespace BELAY_NAMESPACE::sandbox {
namespace {

constexpr char kDigits[] = "0123456789abcdef";

std::uint32_t decoded(std::string_view s) {
  auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(s[i])); };
  if (s.size() == 1) return byte(0);
  if (s.size() == 2) return (byte(0) & 0x1f) << 6 | (byte(1) & 0x3f);
  if (s.size() == 3) return (byte(0) & 0x0f) << 12 | (byte(1) & 0x3f) << 6 | (byte(2) & 0x3f);
  return (byte(0) & 0x07) << 18 | (byte(1) & 0x3f) << 12 | (byte(2) & 0x3f) << 6 | (byte(3) & 0x3f);
}

void put_byte(std::uint32_t c, std::string& out) {
  out += "\\x";
  out += kDigits[c >> 4 & 15];
  out += kDigits[c & 15];
}
void put_wide(std::uint32_t c, std::string& out) {
  out += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) out += kDigits[c >> shift & 15];
}

// Characters that change the order in which a line is shown, or divide lines where no newline is.
bool reorders(std::uint32_t c) { return hidden(c) == Hidden::order || c == 0x2028 || c == 0x2029; }

}  // namespace

std::string for_terminal(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    utf8::Step step = utf8::step(text.data(), text.size());
    std::string_view here = text.substr(0, step.length);
    text.remove_prefix(step.length);
    if (step.is != utf8::Step::Is::whole) {
      for (char c : here) put_byte(static_cast<unsigned char>(c), out);
      continue;
    }
    std::uint32_t c = decoded(here);
    if (c == '\r' && text.starts_with('\n')) continue;
    if ((c < 0x20 && c != '\n' && c != '\t') || (c >= 0x7f && c < 0xa0))
      put_byte(c, out);
    else if (reorders(c))
      put_wide(c, out);
    else
      out += here;
  }
  return out;
}

}  // namespace BELAY_NAMESPACE::sandbox
