#include "regex/escape.h"

#include "regex/unicode.h"

#include <optional>
#include <utility>

namespace BELAY_NAMESPACE::regex {
namespace {

constexpr std::string_view kNotEcma = "is not an escape of ECMA-262 with the u flag";

CodeSet digits() { return {{'0', '9'}}; }
CodeSet word() { return {{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}}; }
// ECMA-262's WhiteSpace, which has all of Zs, and LineTerminator.
CodeSet space() {
  return {{0x9, 0xD},       {' ', ' '},       {0xA0, 0xA0},     {0x1680, 0x1680}, {0x2000, 0x200A},
          {0x2028, 0x2029}, {0x202F, 0x202F}, {0x205F, 0x205F}, {0x3000, 0x3000}, {0xFEFF, 0xFEFF}};
}

CodeSet inverted(CodeSet set) {
  set.invert();
  return set;
}

int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// Exactly so many hexadecimal digits; when there are fewer the cursor stays where it is.
std::optional<char32_t> take_hex(Cursor& cursor, int count) {
  const std::size_t from = cursor.at();
  char32_t value = 0;
  for (int i = 0; i < count; ++i) {
    const int digit = hex_value(cursor.peek());
    if (digit < 0) {
      cursor.go_back_to(from);
      return std::nullopt;
    }
    value = value << 4 | static_cast<char32_t>(digit);
    cursor.next();
  }
  return value;
}

std::expected<char32_t, std::string> read_braced_hex(Cursor& cursor, std::size_t from) {
  char32_t value = 0;
  bool any = false;
  for (int digit; (digit = hex_value(cursor.peek())) >= 0; any = true) {
    cursor.next();
    value = value << 4 | static_cast<char32_t>(digit);
    if (value > kLastCodePoint) return refuse(cursor.since(from), from, "is beyond the last code point, \\u{10FFFF}");
  }
  if (!any || !cursor.take("}")) return refuse(cursor.since(from), from, "is not \\u{...} with hexadecimal digits");
  return value;
}

// \p{...} and \P{...}; the cursor is behind the p.
std::expected<Chars, std::string> read_property(Cursor& cursor, std::size_t from, bool inverse) {
  if (!cursor.take("{")) return refuse(cursor.since(from), from, "needs a property in braces, as in \\p{L}");
  const auto take_name = [&] {
    const std::size_t start = cursor.at();
    while (is_letter(cursor.peek()) || is_digit(cursor.peek()) || cursor.peek() == '_') cursor.next();
    return cursor.since(start);
  };
  const std::string_view name = take_name();
  const bool has_value = cursor.take("=");
  const std::string_view value = has_value ? take_name() : std::string_view{};
  if (!cursor.take("}")) return refuse(cursor.since(from), from, "is not the name of a property in braces");

  std::optional<CodeSet> set;
  if (!has_value || !value.empty()) set = unicode_property(name, value);
  if (!set && !has_value && is_script(name))
    return refuse(cursor.since(from), from,
                  "is a script: \\p{Script=" + std::string(name) + "} is how ECMA-262 asks for one");
  if (!set) return refuse(cursor.since(from), from, "is not a property that ECMA-262 knows");
  if (inverse) set->invert();
  return std::move(*set);
}

std::expected<Chars, std::string> read_control(Cursor& cursor, std::size_t from) {
  if (!is_letter(cursor.peek())) return refuse(cursor.since(from), from, "needs a letter, as in \\cA");
  return cursor.next() & 0x1F;
}

}  // namespace

CodeSet all_but_line_ends() { return inverted({{'\n', '\n'}, {'\r', '\r'}, {0x2028, 0x2029}}); }

std::expected<char32_t, std::string> read_unicode_escape(Cursor& cursor, std::size_t from) {
  if (cursor.take("{")) return read_braced_hex(cursor, from);
  const std::optional<char32_t> first = take_hex(cursor, 4);
  if (!first) return refuse(cursor.since(from), from, "needs four hexadecimal digits, or some in braces");
  if (*first < 0xD800 || *first > 0xDBFF) return *first;
  const std::size_t after = cursor.at();
  if (cursor.take("\\u")) {
    const std::optional<char32_t> second = take_hex(cursor, 4);
    if (second && *second >= 0xDC00 && *second <= 0xDFFF)
      return 0x10000 + ((*first - 0xD800) << 10) + (*second - 0xDC00);
    cursor.go_back_to(after);
  }
  return *first;
}

std::expected<Chars, std::string> read_escape(Cursor& cursor, Where where) {
  const std::size_t from = cursor.at();
  cursor.next();
  if (cursor.done()) return refuse("\\", from, "escapes nothing");
  const char32_t c = cursor.next();
  switch (c) {
    case 'd': return digits();
    case 'D': return inverted(digits());
    case 'w': return word();
    case 'W': return inverted(word());
    case 's': return space();
    case 'S': return inverted(space());
    case 'p': return read_property(cursor, from, false);
    case 'P': return read_property(cursor, from, true);
    case 't': return U'\t';
    case 'n': return U'\n';
    case 'v': return U'\v';
    case 'f': return U'\f';
    case 'r': return U'\r';
    case 'c': return read_control(cursor, from);
    case 'u': return read_unicode_escape(cursor, from);
    default: break;
  }
  if (c == 'x') {
    const std::optional<char32_t> value = take_hex(cursor, 2);
    if (!value) return refuse(cursor.since(from), from, "needs two hexadecimal digits");
    return *value;
  }
  if (c == 'b' && where == Where::char_class) return U'\b';
  if (c == '0' && !is_digit(cursor.peek())) return U'\0';
  if (c == '0') return refuse("\\0", from, "is followed by a digit; octal escapes do not go with the u flag");
  // ECMA-262 lets a backslash stand only before ^ $ \ . * + ? ( ) [ ] { } | / and, in a class, -. People put it before
  // other punctuation too, and mean that character.
  const bool plain = c < 0x80 && !is_letter(static_cast<char>(c)) && !is_digit(static_cast<char>(c));
  if (plain && c >= ' ' && c != 0x7F) return c;
  return refuse(cursor.since(from), from, kNotEcma);
}

}  // namespace BELAY_NAMESPACE::regex
