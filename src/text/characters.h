// Whole characters out of pieces of bytes.
#pragma once

#include "base/utf8.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

namespace BELAY_NAMESPACE::text {

/// Makes pieces of whole characters out of pieces of bytes. What is not UTF-8 becomes U+FFFD.
class Characters {
 public:
  template <class F>
  void push(std::string_view bytes, F&& give);
  /// The bytes end here: half a character is none.
  template <class F>
  void flush(F&& give);
  [[nodiscard]] bool empty() const { return size_ == 0; }

 private:
  std::array<char, 4> held_{};
  std::size_t size_ = 0;
};

template <class F>
void Characters::push(std::string_view bytes, F&& give) {
  while (size_ > 0 && !bytes.empty()) {
    held_[size_++] = bytes.front();
    utf8::Step step = utf8::step(held_.data(), size_);
    if (step.is == utf8::Step::Is::incomplete) {
      bytes.remove_prefix(1);
      continue;
    }
    if (step.is == utf8::Step::Is::whole) {
      bytes.remove_prefix(1);
      give(std::string_view(held_.data(), size_));
    } else {
      // The new byte did not belong to it.
      give(utf8::kReplacement);
    }
    size_ = 0;
  }
  while (!bytes.empty()) {
    utf8::Extent extent = utf8::extent(bytes);
    if (extent.whole > 0) give(bytes.substr(0, extent.whole));
    bytes.remove_prefix(extent.whole);
    if (extent.tail == bytes.size()) break;
    utf8::Step step = utf8::step(bytes.data(), bytes.size());
    give(utf8::kReplacement);
    bytes.remove_prefix(std::max<std::size_t>(1, step.length));
  }
  if (!bytes.empty()) std::memcpy(held_.data(), bytes.data(), bytes.size());
  size_ = std::max(size_, bytes.size());
}

template <class F>
void Characters::flush(F&& give) {
  if (size_ > 0) give(utf8::kReplacement);
  size_ = 0;
}

}  // namespace BELAY_NAMESPACE::text
