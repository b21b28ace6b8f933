// Text that is a view of the piece it came in for as long as that will do, and a copy from then on.
#pragma once

#include <belay/version.h>

#include <string>
#include <string_view>

namespace BELAY_NAMESPACE::sse {

class Held {
 public:
  [[nodiscard]] std::string_view view() const { return owned_ ? std::string_view(store_) : seen_; }

  /// Refers to bytes of the current piece.
  void see(std::string_view bytes) {
    seen_ = bytes;
    owned_ = false;
  }
  /// The text in memory of its own, to be added to. Costs a copy once; the memory is used again for the next text.
  std::string& own() {
    if (!owned_) store_.assign(seen_);
    owned_ = true;
    return store_;
  }
  /// Takes another string's text, and gives it the memory of the old one.
  void swap_in(std::string& text) {
    store_.swap(text);
    owned_ = true;
  }
  void clear() { see({}); }

 private:
  std::string_view seen_;
  std::string store_;
  bool owned_ = false;
};

}  // namespace BELAY_NAMESPACE::sse
