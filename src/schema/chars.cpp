#include "schema/chars.h"

#include "base/utf8.h"

namespace BELAY_NAMESPACE::schema {

std::uint32_t next_code_point(std::string_view& s) {
  const utf8::Step step = utf8::step(s.data(), s.size());
  auto byte = [&s](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(s[i])); };
  std::uint32_t code_point = kNoCodePoint;
  if (step.is == utf8::Step::Is::whole) {
    if (step.length == 1) code_point = byte(0);
    if (step.length == 2) code_point = (byte(0) & 0x1F) << 6 | (byte(1) & 0x3F);
    if (step.length == 3) code_point = (byte(0) & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F);
    if (step.length == 4)
      code_point = (byte(0) & 0x07) << 18 | (byte(1) & 0x3F) << 12 | (byte(2) & 0x3F) << 6 | (byte(3) & 0x3F);
  }
  s.remove_prefix(step.length);
  return code_point;
}

}  // namespace BELAY_NAMESPACE::schema
