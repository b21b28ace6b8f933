// What the reader changed, and how sure it is. See docs/reader.md for the catalogue.
#pragma once

#include <belay/version.h>

#include <cstdint>
#include <string_view>

namespace BELAY_NAMESPACE::json {
BELAY_API_BEGIN

/// How certain the meaning was. The order is the order of trust.
enum class Grade : std::uint8_t {
  strict,  ///< nothing was changed
  safe,    ///< one reading only
  guess,   ///< more than one reading; this one was chosen
};

/// The kinds of mends. Their names (see name()) are stable: they appear in receipts, records and statistics.
enum class EditKind : std::uint8_t {
  // around the value
  byte_order_mark,    ///< a BOM before the text
  odd_space,          ///< white space that JSON does not know
  fence,              ///< a Markdown fence line
  prose,              ///< text around or between values
  special_token,      ///< a tag or special token around a value: </tool>, <|im_end|>
  comment,            ///< //, /* */, #, <!-- -->
  surplus_closer,     ///< a bracket that closes nothing
  surplus_separator,  ///< a comma or semicolon around a whole value
  missing_opener,     ///< members without the brace before them
  quoted_document,    ///< quotes or backslashes around a whole document
  weak_value,         ///< brackets in prose that hold too little to be sure that they are a value
  // commas, colons, brackets
  trailing_comma,  ///< a comma before a closer
  leading_comma,   ///< a comma after an opener
  doubled_comma,   ///< a comma after a comma
  comma_spelling,  ///< ; or a full-width comma
  missing_comma,   ///< nothing between two values
  doubled_colon,   ///< a colon after a colon
  colon_spelling,  ///< =, => or a full-width colon
  missing_colon,   ///< nothing between key and value
  missing_value,   ///< a key without a value: null; at the end of the text it goes
  missing_key,     ///< a value without a key: not kept
  missing_closer,  ///< a container that was left open
  wrong_closer,    ///< a closer of another kind
  wrong_opener,    ///< a parenthesis for a bracket
  // strings
  quote_spelling,     ///< other quote characters
  missing_quote,      ///< a string that has one quote, or never ends
  inner_quote,        ///< a quote inside a string that was not escaped
  unquoted_key,       ///< a key without quotes
  unquoted_string,    ///< a string value without quotes
  string_prefix,      ///< b"", u"", r"", f""
  concatenated,       ///< "a" + "b": one string
  control_character,  ///< a raw control character in a string
  escaped_quote,      ///< \' and its kind
  unknown_escape,     ///< an escape that JSON lacks; the backslash stays
  foreign_escape,     ///< \x41 and a backslash before a line's end
  broken_escape,      ///< \u without four hexadecimal digits
  lone_surrogate,     ///< half of a surrogate pair: U+FFFD
  invalid_utf8,       ///< bytes that are not UTF-8: U+FFFD
  // other values
  literal_spelling,  ///< True, None, undefined, NULL
  foreign_literal,   ///< nil, NaN, Infinity: null
  number_spelling,   ///< +1, .5, 1., 0x1F
  foreign_number,    ///< 007, 1_000, 0b11
  wrapper_call,      ///< ObjectId("…"): the argument stands for the call
  ellipsis,          ///< ... for left-out items: not kept
  duplicate_key,     ///< a key again in one object: the first stands
  stray_bytes,       ///< bytes that fit nowhere: not kept
  // calls in text (docs/formats.md)
  marker_spelling,  ///< a marker or tag in other spelling
  missing_marker,   ///< a marker or tag that is not there
  surplus_marker,   ///< a marker or tag once too often
  key_alias,        ///< another word for `name` or `arguments`
  loose_arguments,  ///< arguments beside the name, not in a member of their own
  tag_in_text,      ///< raw text that holds what would also be its end
};
inline constexpr std::size_t kEditKinds = static_cast<std::size_t>(EditKind::tag_in_text) + 1;

/// One mend. `offset` and `length` are bytes of the input; a length of 0 is an insertion.
struct Edit {
  EditKind kind = EditKind::prose;
  Grade grade = Grade::safe;
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  bool operator==(const Edit&) const = default;
};

std::string_view name(EditKind) noexcept;
std::string_view name(Grade) noexcept;

BELAY_API_END
}  // namespace BELAY_NAMESPACE::json
