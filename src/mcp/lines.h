// Lines out of pieces, with a limit.
#pragma once

#include <belay/version.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace BELAY_NAMESPACE::mcp {

/// Cuts bytes into lines. What is kept of a line is never more than the limit, and is joined only when it is whole.
class Lines {
 public:
  explicit Lines(std::size_t limit) : limit_(limit) {}

  /// Calls f(std::string_view line) for each line that is whole, without its newline. False: a line is longer than the
  /// limit; nothing more is taken then.
  template <class F>
  bool push(std::string_view bytes, F&& f) {
    while (!bytes.empty() && !over_) {
      const std::size_t end = bytes.find('\n');
      const std::string_view part = bytes.substr(0, end);
      if (kept_ + part.size() > limit_) {
        over_ = true;
        pieces_.clear();
        pieces_.shrink_to_fit();
        return false;
      }
      if (end == bytes.npos) {
        pieces_.emplace_back(part);
        kept_ += part.size();
        break;
      }
      bytes.remove_prefix(end + 1);
      if (pieces_.empty()) {
        f(part);
        continue;
      }
      std::string line;
      line.reserve(kept_ + part.size());
      for (std::string& piece : pieces_) {
        line += piece;
        std::string().swap(piece);  // not twice in memory
      }
      line += part;
      pieces_.clear();
      kept_ = 0;
      f(std::string_view(line));
    }
    return !over_;
  }

 private:
  std::size_t limit_, kept_ = 0;
  bool over_ = false;
  std::vector<std::string> pieces_;
};

}  // namespace BELAY_NAMESPACE::mcp
