// A stream of small decisions read from bytes. Property tests make the bytes with RapidCheck, fuzz targets take them
// from libFuzzer; both then build documents, damage and cuts with the same code, and both can shrink them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace belay::check {

class Choices {
 public:
  explicit Choices(std::string_view bytes) : bytes_(bytes) {}

  /// A number below n; 0 when the bytes are used up, so that everything built from them stays finite.
  std::size_t below(std::size_t n) {
    if (n < 2) return 0;
    std::size_t value = byte();
    for (std::size_t range = 256; range < n; range *= 256) value = value * 256 + byte();
    return value % n;
  }
  bool flip() { return below(2) == 1; }
  /// True once in n times, and never when the bytes are used up.
  bool once_in(std::size_t n) { return below(n) == n - 1; }
  template <class Range>
  const auto& pick(const Range& range) {
    return range[below(std::size(range))];
  }

  [[nodiscard]] bool used_up() const { return bytes_.empty(); }
  /// The bytes that no decision has used.
  [[nodiscard]] std::string_view rest() const { return bytes_; }

 private:
  std::size_t byte() {
    if (bytes_.empty()) return 0;
    auto value = static_cast<unsigned char>(bytes_.front());
    bytes_.remove_prefix(1);
    return value;
  }
  std::string_view bytes_;
};

}  // namespace belay::check
