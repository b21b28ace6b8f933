// The last line of an output that comes in pieces.
#pragma once

#include <belay/version.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace BELAY_NAMESPACE::mcp {

/// The last line that is not empty, its first bytes: whole or as far as it has come. Memory: kBytes.
class LastLine {
 public:
  static constexpr std::size_t kBytes = 200;

  void add(std::string_view piece) {
    while (!piece.empty()) {
      const std::size_t end = piece.find_first_of("\r\n");
      const std::string_view part = piece.substr(0, end);
      if (!part.empty()) {
        if (over_) text_.clear();
        over_ = false;
        if (text_.size() < kBytes) text_ += part.substr(0, kBytes - text_.size());
      }
      if (end == piece.npos) return;
      over_ = true;
      piece.remove_prefix(end + 1);
    }
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
  bool over_ = false;
};

}  // namespace BELAY_NAMESPACE::mcp
