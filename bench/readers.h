// The readers that are measured: Belay's, and the peers from Debian.
#pragma once

#include "documents.h"
#include "harness.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace belay::bench {

/// What one run reads: a document, or several one after the other.
class Texts {
 public:
  // NOLINTBEGIN(google-explicit-constructor): one document is the same as a list of one
  Texts(std::string_view one) : all_{one} {}
  Texts(const std::string& one) : all_{one} {}
  Texts(const std::vector<std::string>& several) : all_(several.begin(), several.end()) {}
  // NOLINTEND(google-explicit-constructor)
  [[nodiscard]] auto begin() const { return all_.begin(); }
  [[nodiscard]] auto end() const { return all_.end(); }
  [[nodiscard]] std::size_t bytes() const {
    std::size_t sum = 0;
    for (std::string_view text : all_) sum += text.size();
    return sum;
  }

 private:
  std::vector<std::string_view> all_;
};

// Each gives a function that reads the texts once. They must outlive it, and a zero must follow each (as in a
// std::string). The function throws std::runtime_error when one is not read as what it is.

/// One Reader, reset() between texts: memory is used again.
std::function<void()> belay_reused(const Texts& texts, bool valid = true);
/// A new Reader each time, and its Document freed at the end.
std::function<void()> belay_cold(const Texts& texts, bool valid = true);
/// One Reader; after every piece the partial value is read: for code the string's length and last byte, for todo the
/// array's last item, for others the last value.
std::function<void()> belay_pieces(const Texts& texts, Shape shape, std::size_t piece, bool valid = true);
/// The same, timed in laps if it is long enough for several.
Contender belay_in_pieces(const Texts& texts, Shape shape, std::size_t piece, bool valid = true);
/// As belay_pieces(), with a new Reader each time.
std::function<void()> belay_pieces_cold(std::string_view document, Shape shape, std::size_t piece);

std::function<void()> simdjson_reused(const Texts& texts);
std::function<void()> simdjson_cold(const Texts& texts);
/// Given bytes and their number, as every reader here.
std::function<void()> rapidjson_dom(const Texts& texts);
/// Given bytes that end with a zero: only then RapidJSON uses its vector code.
std::function<void()> rapidjson_zero_ended(const Texts& texts);
/// Includes copying the document, which the parser overwrites.
std::function<void()> rapidjson_in_situ(const Texts& texts);
std::function<void()> nlohmann_dom(const Texts& texts);

/// The kernel that simdjson chose for this processor.
std::string simdjson_kernel();

}  // namespace belay::bench
