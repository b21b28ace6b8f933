// Many literals at once: whether a text begins with one of them.
#pragma once

#include "text/match.h"
#include "text/scan.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace BELAY_NAMESPACE::text {

/// A sorted list, narrowed byte by byte. Letters count in any case.
class Literals {
 public:
  void add(std::string_view literal) {
    std::string s(literal);
    for (char& c : s) c = lower(c);
    list_.push_back(std::move(s));
  }
  void sort() {
    std::sort(list_.begin(), list_.end());
    list_.erase(std::unique(list_.begin(), list_.end()), list_.end());
  }
  [[nodiscard]] bool empty() const { return list_.empty(); }
  /// Yes: some literal stands there. More: one may. No: none does, whatever follows.
  [[nodiscard]] Is begins(std::string_view text) const {
    auto from = list_.begin(), to = list_.end();
    for (std::size_t i = 0;; ++i) {
      // Sorted: one that ends here comes first.
      if (from->size() == i) return Is::yes;
      if (i == text.size()) return Is::more;
      const char c = lower(text[i]);
      // Those that begin alike are sorted by their next byte.
      auto byte = [i](const std::string& s) { return static_cast<unsigned char>(s[i]); };
      const auto u = static_cast<unsigned char>(c);
      from = std::partition_point(from, to, [&](const std::string& s) { return byte(s) < u; });
      to = std::partition_point(from, to, [&](const std::string& s) { return byte(s) == u; });
      if (from == to) return Is::no;
    }
  }

 private:
  std::vector<std::string> list_;
};

}  // namespace BELAY_NAMESPACE::text
