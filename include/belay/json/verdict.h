// How far a read text can be trusted: three facts, one word.
#pragma once

#include <belay/base.h>
#include <belay/json/edit.h>

#include <string>
#include <string_view>

namespace BELAY_NAMESPACE::json {
BELAY_API_BEGIN

/// How the text ended.
enum class End : std::uint8_t {
  complete,  ///< every value was closed, or its end was mended
  cut,       ///< the stream was cut inside a value
  broken,    ///< there is no value, or a limit was passed, or (strict mode) it is not JSON
};

/// The one word for it. trusted() is true for valid, mended and split.
enum class Word : std::uint8_t { valid, mended, split, guessed, truncated, broken };

struct Verdict {
  End end = End::broken;
  Grade grade = Grade::strict;
  std::uint64_t count = 0;  ///< values found

  /// The first that applies: broken, truncated, guessed, split, mended, valid.
  [[nodiscard]] Word word() const noexcept;
  /// valid, mended or split: the value may be acted on, as far as the text decides that.
  [[nodiscard]] bool trusted() const noexcept;
  bool operator==(const Verdict&) const = default;
};

/// Why a text is truncated or broken. The names are stable.
enum class ErrorKind : std::uint8_t {
  none,
  empty,              ///< nothing but white space
  no_value,           ///< text without any JSON value in it
  truncated,          ///< cut inside a value
  unexpected_byte,    ///< strict mode: a byte that JSON does not allow here
  bad_escape,         ///< strict mode: an escape that JSON lacks
  bad_number,         ///< strict mode: not a number as JSON spells it
  bad_literal,        ///< strict mode: not true, false or null
  control_character,  ///< strict mode: a raw control character in a string
  invalid_utf8,       ///< strict mode: bytes that are not UTF-8
  lone_surrogate,     ///< strict mode: half of a surrogate pair, which UTF-8 cannot hold
  unclosed,           ///< strict mode: the text ended inside a value
  trailing_bytes,     ///< strict mode: something follows the value
  limit,              ///< a limit was passed; the message says which, and how to raise it
};

struct Error {
  ErrorKind kind = ErrorKind::none;
  Position position{};
  std::string message{};  ///< one sentence, with the remedy where there is one; empty when kind is none
  bool operator==(const Error&) const = default;
  explicit operator bool() const noexcept { return kind != ErrorKind::none; }
};

std::string_view name(Word) noexcept;
std::string_view name(End) noexcept;
std::string_view name(ErrorKind) noexcept;

BELAY_API_END
}  // namespace BELAY_NAMESPACE::json
