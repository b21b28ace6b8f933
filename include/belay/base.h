// base: what every module shares. Pure; no dependency.
#pragma once

#include <belay/version.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace BELAY_NAMESPACE {
BELAY_API_BEGIN

/// Where in an input something is. All three are about bytes: `offset` counts from 0,
/// `line` and `column` from 1, and a line ends at '\n'.
struct Position {
  std::uint64_t offset = 0;
  std::uint64_t line = 1;
  std::uint64_t column = 1;
  bool operator==(const Position&) const = default;
};

/// A value for "no limit" that still compares and adds up without overflow.
inline constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max() / 2;

/// Every bound of the engine, by name. Each is finite by default; each error that comes from one names it and
/// the flag that raises it (`--limit NAME=VALUE`).
struct Limits {
  std::uint64_t depth = 1024;               ///< containers open at once
  std::uint64_t bytes = 64ull << 20;        ///< bytes of one text: the arguments of one call
  std::uint64_t edits = 10'000;             ///< edits listed; further ones are counted only
  std::uint64_t values = 64;                ///< values glued in one text
  std::uint64_t subschemas = 100'000;       ///< schemas inside one schema, those it refers to included
  std::uint64_t schema_steps = 10'000'000;  ///< steps of checking one value, beside 100 for each value in it
  std::uint64_t violations = 32;            ///< violations of a schema listed; further ones are counted only
  std::uint64_t event_bytes = 8ull << 20;   ///< bytes of one event of a stream
  std::uint64_t calls = 1024;               ///< calls in one turn
  std::uint64_t name_bytes = 1024;          ///< bytes of a call's name or id

  bool operator==(const Limits&) const = default;

  /// Sets one limit by its name. False when there is no such name.
  bool set(std::string_view name, std::uint64_t value);
};

/// The version of the library that is linked; BELAY_VERSION is that of the headers.
const char* version() noexcept;

BELAY_API_END
}  // namespace BELAY_NAMESPACE
