#include "schema/punycode.h"

#include <algorithm>
#include <cassert>
#include <string_view>

namespace BELAY_NAMESPACE::schema {
namespace {

constexpr std::string_view kPrefix = "xn--";
constexpr std::uint32_t kLastCodePoint = 0x10FFFF;

// The parameters of RFC 3492, 5.
constexpr std::uint32_t kBase = 36, kLeast = 1, kMost = 26, kSkew = 38, kDamp = 700, kFirstBias = 72, kFirst = 0x80;

std::uint32_t adapted(std::uint64_t delta, std::uint64_t points, bool first) {
  delta /= first ? kDamp : 2;
  delta += delta / points;
  std::uint32_t k = 0;
  for (; delta > ((kBase - kLeast) * kMost) / 2; k += kBase) delta /= kBase - kLeast;
  return k + static_cast<std::uint32_t>((kBase - kLeast + 1) * delta / (delta + kSkew));
}

std::uint32_t threshold(std::uint32_t k, std::uint32_t bias) { return k <= bias ? kLeast : std::min(k - bias, kMost); }

std::uint32_t to_digit(std::uint32_t value) { return value < 26 ? 'a' + value : '0' + (value - 26); }

std::optional<std::uint32_t> from_digit(std::uint32_t c) {
  if (c >= 'a' && c <= 'z') return c - 'a';
  if (c >= '0' && c <= '9') return c - '0' + 26;
  return std::nullopt;
}

// Writes a number in digits of varying weight: each says whether it is the last one.
bool append_number(std::uint64_t value, std::uint32_t bias, Label& out) {
  for (std::uint32_t k = kBase;; k += kBase) {
    if (out.full()) return false;
    const std::uint32_t t = threshold(k, bias);
    if (value < t) break;
    out.push_back(to_digit(t + static_cast<std::uint32_t>((value - t) % (kBase - t))));
    value = (value - t) / (kBase - t);
  }
  out.push_back(to_digit(static_cast<std::uint32_t>(value)));
  return true;
}

// Reads such a number from `at` on.
std::optional<std::uint64_t> take_number(const Label& label, std::size_t& at, std::uint32_t bias) {
  // From here on no step leads to a code point, whatever the place; 36 times as much still fits.
  constexpr std::uint64_t kTooMuch = std::uint64_t{kLastCodePoint + 1} * (Label::kMost + 1);
  std::uint64_t value = 0, weight = 1;
  for (std::uint32_t k = kBase;; k += kBase) {
    if (at == label.size()) return std::nullopt;
    const std::optional<std::uint32_t> digit = from_digit(label[at++]);
    if (!digit) return std::nullopt;
    value += *digit * weight;
    if (value >= kTooMuch) return std::nullopt;
    const std::uint32_t t = threshold(k, bias);
    if (*digit < t) return value;
    weight = std::min(weight * (kBase - t), kTooMuch);
  }
}

}  // namespace

void Label::insert(std::size_t at, std::uint32_t code_point) {
  assert(!full() && at <= size_);
  std::copy_backward(code_points_.begin() + static_cast<std::ptrdiff_t>(at),
                     code_points_.begin() + static_cast<std::ptrdiff_t>(size_),
                     code_points_.begin() + static_cast<std::ptrdiff_t>(size_ + 1));
  code_points_[at] = code_point;
  ++size_;
}

bool Label::operator==(const Label& other) const { return std::ranges::equal(code_points(), other.code_points()); }

std::optional<Label> from_a_label(const Label& label) {
  std::size_t at = kPrefix.size();
  Label out;
  for (std::size_t i = label.size(); i > at + 1; --i) {
    if (label[i - 1] != '-') continue;
    while (at < i - 1) out.push_back(label[at++]);
    at = i;
    break;
  }
  std::uint64_t code_point = kFirst, place = 0;
  std::uint32_t bias = kFirstBias;
  for (bool first = true; at < label.size(); first = false) {
    const std::optional<std::uint64_t> step = take_number(label, at, bias);
    if (!step) return std::nullopt;
    const std::uint64_t points = out.size() + 1;
    place += *step;
    code_point += place / points;
    if (code_point > kLastCodePoint) return std::nullopt;
    place %= points;
    bias = adapted(*step, points, first);
    out.insert(place++, static_cast<std::uint32_t>(code_point));
  }
  return out;
}

std::optional<Label> to_a_label(const Label& label) {
  Label out;
  for (char c : kPrefix) out.push_back(static_cast<std::uint32_t>(c));
  for (std::uint32_t c : label.code_points()) {
    if (c >= kFirst) continue;
    if (out.full()) return std::nullopt;
    out.push_back(c);
  }
  std::size_t done = out.size() - kPrefix.size();
  if (done > 0) {
    if (out.full()) return std::nullopt;
    out.push_back('-');
  }
  std::uint64_t next = kFirst, delta = 0;
  std::uint32_t bias = kFirstBias;
  for (bool first = true; done < label.size(); ++next, ++delta) {
    std::uint32_t least = kLastCodePoint;  // of those that are still to be written
    for (std::uint32_t c : label.code_points())
      if (c >= next) least = std::min(least, c);
    delta += (least - next) * (done + 1);
    next = least;
    for (std::uint32_t c : label.code_points()) {
      if (c < next) ++delta;
      if (c != next) continue;
      if (!append_number(delta, bias, out)) return std::nullopt;
      bias = adapted(delta, ++done, first);
      first = false;
      delta = 0;
    }
  }
  return out;
}

}  // namespace BELAY_NAMESPACE::schema
