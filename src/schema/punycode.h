// Punycode (RFC 3492): the labels of host names, with characters beyond ASCII written in ASCII.
#pragma once

#include <belay/version.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace BELAY_NAMESPACE::schema {

/// One label of a host name as code points. A fixed size: nothing longer is a label, in ASCII or before it is encoded.
class Label {
 public:
  static constexpr std::size_t kMost = 63;

  [[nodiscard]] bool full() const { return size_ == kMost; }
  [[nodiscard]] std::size_t size() const { return size_; }
  std::uint32_t operator[](std::size_t i) const { return code_points_[i]; }
  /// Not when full().
  void insert(std::size_t at, std::uint32_t code_point);
  void push_back(std::uint32_t code_point) { insert(size_, code_point); }
  [[nodiscard]] std::span<const std::uint32_t> code_points() const { return {code_points_.data(), size_}; }
  bool operator==(const Label& other) const;

 private:
  std::array<std::uint32_t, kMost> code_points_{};
  std::size_t size_ = 0;
};

/// The label that an A-label, in lower case and with its "xn--", stands for; nothing when its Punycode is wrong. What
/// it gives may be no Unicode and need not encode to what it came from.
std::optional<Label> from_a_label(const Label& label);

/// The label with "xn--" and Punycode; nothing when that is longer than a label.
std::optional<Label> to_a_label(const Label& label);

}  // namespace BELAY_NAMESPACE::schema
