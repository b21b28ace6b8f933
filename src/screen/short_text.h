// Numbers, sizes and arguments, short enough for a line.
#pragma once

#include <belay/json/value.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace BELAY_NAMESPACE::screen {

/// 220,000
std::string grouped(std::uint64_t n);
/// 1 line, 12 lines
std::string counted(std::uint64_t n, std::string_view what);
/// 950, 12.4k, 1.3M
std::string tokens_text(std::uint64_t n);
/// 0.4 s, 12 s, 2 min 5 s, 1 h 3 min
std::string duration_text(std::int64_t milliseconds);
/// 0:07, 12:03, 1:02:03
std::string clock_text(std::int64_t milliseconds);
/// $0.0042, $1.27
std::string money_text(double dollars);
/// 1,204 bytes, 40 lines
std::string size_text(std::string_view text);
std::size_t line_count(std::string_view text);

/// The arguments of a call on one line of at most `width` columns: what it is about first, without its key; long texts
/// by their size. Without `about` that first part is left out. Bounded work for any value.
std::string short_arguments(json::Value arguments, std::size_t width, bool about = true);
/// The same for JSON text, as far as it can be read.
std::string short_arguments(std::string_view arguments, std::size_t width, bool about = true);

/// The string member of that name in JSON text, or "".
std::string member_of(std::string_view object, std::string_view key);
/// The number there, or 0.
double number_of(std::string_view object, std::string_view key);

}  // namespace BELAY_NAMESPACE::screen
