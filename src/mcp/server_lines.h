// A client's lines out of pieces. One that is too long is passed over, and said once: what follows is still read.
#pragma once

#include <belay/version.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace BELAY_NAMESPACE::mcp {

/// Any cut of the bytes gives the same lines. Memory: one line, at most the limit.
class ServerLines {
 public:
  explicit ServerLines(std::size_t limit) : limit_(limit) {}

  /// Calls line(std::string_view) for each whole line, without its newline, and too_long() for each that is longer than
  /// the limit, when that is known.
  template <class Line, class TooLong>
  void push(std::string_view bytes, Line&& line, TooLong&& too_long) {
    while (!bytes.empty()) {
      const std::size_t end = bytes.find('\n');
      const std::string_view part = bytes.substr(0, end);
      if (!skipping_ && kept_.size() + part.size() > limit_) {
        skipping_ = true;
        std::string().swap(kept_);
        too_long();
      }
      if (!skipping_ && end != bytes.npos && kept_.empty()) {
        line(part);
      } else if (!skipping_) {
        kept_ += part;
        if (end != bytes.npos) {
          line(std::string_view(kept_));
          std::string().swap(kept_);
        }
      }
      if (end == bytes.npos) return;
      skipping_ = false;
      bytes.remove_prefix(end + 1);
    }
  }
  /// The input is over: what has no newline is a line, too.
  template <class Line>
  void finish(Line&& line) {
    if (!skipping_ && !kept_.empty()) line(std::string_view(kept_));
    kept_.clear();
  }

 private:
  std::size_t limit_;
  std::string kept_;
  bool skipping_ = false;
};

}  // namespace BELAY_NAMESPACE::mcp
