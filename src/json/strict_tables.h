// What the parts of Strict share: literals, escapes, the head of a node.
#pragma once

#include <belay/json/tape.h>

#include <array>
#include <string_view>

namespace BELAY_NAMESPACE::json {

inline constexpr std::size_t kSegment = 16384;  // UTF-8 is checked this far ahead, while the bytes are in the cache
inline constexpr std::string_view kLiteralWords[] = {"true", "false", "null"};
inline constexpr Tag kLiteralTags[] = {Tag::yes, Tag::no, Tag::null};

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
inline constexpr auto kEscapes = make_escapes();

/// Whether a writer who escapes so means an escape: \b \f \n \r \t \u and \/, where \" and \\ are everybody's.
constexpr bool tells(char escape) { return escape >= 'a' || escape == '/'; }

constexpr std::array<bool, 256> make_number_bytes() {
  std::array<bool, 256> t{};
  for (char c : std::string_view("0123456789+-.eE")) t[static_cast<unsigned char>(c)] = true;
  return t;
}
inline constexpr auto kNumberBytes = make_number_bytes();

// What can begin a value, by its first character.
enum class Begins : std::uint8_t { nothing, space, string, object, array, closer, number, yes, no, null };
constexpr std::array<Begins, 256> make_begins() {
  std::array<Begins, 256> t{};
  for (char c : std::string_view(" \n\r\t")) t[static_cast<unsigned char>(c)] = Begins::space;
  for (char c : std::string_view("-0123456789")) t[static_cast<unsigned char>(c)] = Begins::number;
  t['"'] = Begins::string;
  t['{'] = Begins::object;
  t['['] = Begins::array;
  t[']'] = Begins::closer;
  t['t'] = Begins::yes;
  t['f'] = Begins::no;
  t['n'] = Begins::null;
  return t;
}
inline constexpr auto kBegins = make_begins();

inline constexpr std::size_t kLongString = std::size_t{1} << 16;

constexpr std::uint64_t head(Tag tag, std::size_t size) {
  return static_cast<std::uint64_t>(tag) | static_cast<std::uint64_t>(size) << 8;
}

}  // namespace BELAY_NAMESPACE::json
