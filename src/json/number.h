// Numbers as JSON spells them, compared and converted without losing digits.
#pragma once

#include <belay/version.h>

#include <cstdint>
#include <optional>
#include <string_view>

namespace BELAY_NAMESPACE::json {

/// True when the whole text is a number by RFC 8259.
bool is_number(std::string_view text) noexcept;

/// True when it is one, or can become one with more characters.
bool begins_number(std::string_view text);

/// True when two JSON numbers have the same value, however they are written.
bool same_number(std::string_view a, std::string_view b);

/// The integer with sign and magnitude, if the number is one below 2^64 in size.
struct Integer {
  bool negative = false;
  std::uint64_t magnitude = 0;
};
std::optional<Integer> integer(std::string_view text);

}  // namespace BELAY_NAMESPACE::json
