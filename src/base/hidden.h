// Characters that a person does not see as they are: one table for everybody who shows or judges a stranger's text.
#pragma once

#include <belay/version.h>

#include <cstdint>

namespace BELAY_NAMESPACE {

/// How a character hides.
enum class Hidden : std::uint8_t {
  no,
  control,    ///< a terminal obeys it: C0, DEL, C1, the separators of lines and paragraphs
  space,      ///< looks like a space and is none to a shell
  order,      ///< changes the order in which text is drawn
  joiner,     ///< U+200C and U+200D, which some scripts and emoji need
  selector,   ///< U+FE00 to U+FE0F: the variant of the character before it; emoji need the last two
  filler,     ///< an empty glyph: the Hangul fillers, the Braille blank
  invisible,  ///< nothing at all: zero width, marks that only programs read, tags, further selectors
  own_use,    ///< means nothing but by private agreement
};

/// The class of a code point. A few comparisons.
constexpr Hidden hidden(std::uint32_t c) {
  struct Range {
    std::uint32_t first, last;
    Hidden is;
  };
  constexpr Range kRanges[] = {
      {0x00, 0x1F, Hidden::control},         {0x7F, 0x9F, Hidden::control},
      {0xA0, 0xA0, Hidden::space},           {0xAD, 0xAD, Hidden::invisible},
      {0x34F, 0x34F, Hidden::invisible},     {0x61C, 0x61C, Hidden::order},
      {0x115F, 0x1160, Hidden::filler},      {0x1680, 0x1680, Hidden::space},
      {0x17B4, 0x17B5, Hidden::invisible},   {0x180B, 0x180F, Hidden::invisible},
      {0x2000, 0x200A, Hidden::space},       {0x200B, 0x200B, Hidden::invisible},
      {0x200C, 0x200D, Hidden::joiner},      {0x200E, 0x200F, Hidden::order},
      {0x2028, 0x2029, Hidden::control},     {0x202A, 0x202E, Hidden::order},
      {0x202F, 0x202F, Hidden::space},       {0x205F, 0x205F, Hidden::space},
      {0x2060, 0x2065, Hidden::invisible},   {0x2066, 0x2069, Hidden::order},
      {0x206A, 0x206F, Hidden::invisible},   {0x2800, 0x2800, Hidden::filler},
      {0x3000, 0x3000, Hidden::space},       {0x3164, 0x3164, Hidden::filler},
      {0xE000, 0xF8FF, Hidden::own_use},     {0xFE00, 0xFE0F, Hidden::selector},
      {0xFEFF, 0xFEFF, Hidden::invisible},   {0xFFA0, 0xFFA0, Hidden::filler},
      {0xFFF0, 0xFFFB, Hidden::invisible},   {0x13430, 0x1343F, Hidden::invisible},
      {0x1BCA0, 0x1BCA3, Hidden::invisible}, {0x1D173, 0x1D17A, Hidden::invisible},
      {0xE0000, 0xE0FFF, Hidden::invisible}, {0xE1000, 0xEFFFF, Hidden::invisible},
      {0xF0000, 0x10FFFF, Hidden::own_use},
  };
  for (const Range& range : kRanges) {
    if (c < range.first) return Hidden::no;
    if (c <= range.last) return range.is;
  }
  return Hidden::no;
}

}  // namespace BELAY_NAMESPACE
