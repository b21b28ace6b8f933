// The readers that are measured: Belay's, and the peers from Debian.
#pragma once

#include "documents.h"
#include "harness.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace belay::bench {

// Each gives a function that reads the document once. The document must outlive it, and a zero must follow it (as in a
// std::string). The function throws std::runtime_error when the document is not read as what it is.

/// One Reader, reset() between texts: memory is used again.
std::function<void()> belay_reused(std::string_view document, bool valid = true);
/// A new Reader each time, and its Document freed at the end.
std::function<void()> belay_cold(std::string_view document, bool valid = true);
/// One Reader; after every piece the partial value is read: for code the string's length and last byte, for todo the
/// array's last item, for others the last value.
std::function<void()> belay_pieces(std::string_view document, Shape shape, std::size_t piece, bool valid = true);
/// The same, timed in laps if it is long enough for several.
Contender belay_in_pieces(std::string_view document, Shape shape, std::size_t piece, bool valid = true);
/// As belay_pieces(), with a new Reader each time.
std::function<void()> belay_pieces_cold(std::string_view document, Shape shape, std::size_t piece);

std::function<void()> simdjson_reused(std::string_view document);
std::function<void()> simdjson_cold(std::string_view document);
/// Given bytes and their number, as every reader here.
std::function<void()> rapidjson_dom(std::string_view document);
/// Given bytes that end with a zero: only then RapidJSON uses its vector code.
std::function<void()> rapidjson_zero_ended(std::string_view document);
/// Includes copying the document, which the parser overwrites.
std::function<void()> rapidjson_in_situ(std::string_view document);
std::function<void()> nlohmann_dom(std::string_view document);

/// The kernel that simdjson chose for this processor.
std::string simdjson_kernel();

}  // namespace belay::bench
