#include "shell_text.h"

#include <base/utf8.h>

#include <cstdint>

namespace belay::policy {
namespace {

constexpr std::string_view kOrder = "it has characters that change the order in which text is shown";
constexpr std::string_view kInvisible = "it has characters that cannot be seen";
constexpr std::string_view kSpace = "it has a space that the shell does not take for one";
constexpr std::string_view kControl = "it has control characters, which a terminal obeys instead of showing";

struct Range {
  std::uint32_t first;
  std::uint32_t last;
  std::string_view reason;
};
constexpr Range kHidden[] = {
    {0x80, 0x9F, kControl},         {0xA0, 0xA0, kSpace},           {0xAD, 0xAD, kInvisible},
    {0x34F, 0x34F, kInvisible},     {0x61C, 0x61C, kOrder},         {0x115F, 0x1160, kInvisible},
    {0x1680, 0x1680, kSpace},       {0x17B4, 0x17B5, kInvisible},   {0x180B, 0x180F, kInvisible},
    {0x2000, 0x200A, kSpace},       {0x200B, 0x200D, kInvisible},   {0x200E, 0x200F, kOrder},
    {0x2028, 0x2029, kControl},     {0x202A, 0x202E, kOrder},       {0x202F, 0x202F, kSpace},
    {0x205F, 0x205F, kSpace},       {0x2060, 0x2065, kInvisible},   {0x2066, 0x2069, kOrder},
    {0x206A, 0x206F, kInvisible},   {0x2800, 0x2800, kInvisible},   {0x3000, 0x3000, kSpace},
    {0x3164, 0x3164, kInvisible},   {0xE000, 0xF8FF, kInvisible},   {0xFE00, 0xFE0D, kInvisible},
    {0xFEFF, 0xFEFF, kInvisible},   {0xFFA0, 0xFFA0, kInvisible},   {0xFFF0, 0xFFFB, kInvisible},
    {0x1BCA0, 0x1BCA3, kInvisible}, {0x1D173, 0x1D17A, kInvisible}, {0xE0000, 0x10FFFF, kInvisible},
};

std::uint32_t code_point(std::string_view bytes) {
  const auto lead = static_cast<unsigned char>(bytes[0]);
  if (bytes.size() == 1) return lead;
  std::uint32_t value = lead & (0x7Fu >> bytes.size());
  for (char c : bytes.substr(1)) value = value << 6 | (static_cast<unsigned char>(c) & 0x3Fu);
  return value;
}

}  // namespace

std::string_view hidden_text(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte == 0x7F || (byte < 0x20 && byte != '\t' && byte != '\n')) return kControl;
    if (byte < 0x80) {
      ++i;
      continue;
    }
    const utf8::Step step = utf8::step(text.data() + i, text.size() - i);
    if (step.is != utf8::Step::Is::whole) return "it has bytes that are not UTF-8";
    const std::uint32_t point = code_point(text.substr(i, step.length));
    for (const Range& range : kHidden)
      if (point >= range.first && point <= range.last) return range.reason;
    i += step.length;
  }
  return {};
}

}  // namespace belay::policy
