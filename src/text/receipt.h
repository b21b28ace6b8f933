// The edits of one call while its grammar reads it.
#pragma once

#include "text/scan.h"

#include <belay/base.h>
#include <belay/json/edit.h>

#include <algorithm>
#include <vector>

namespace BELAY_NAMESPACE::text {

struct Receipt {
  explicit Receipt(std::uint64_t max = Limits{}.edits) : limit(max) {}

  void add(json::EditKind kind, json::Grade g, std::uint64_t offset, std::uint64_t length) {
    ++total;
    grade = std::max(grade, g);
    if (edits.size() < limit) edits.push_back({kind, g, offset, length});
  }
  void safe(json::EditKind kind, std::uint64_t offset, std::uint64_t length) {
    add(kind, json::Grade::safe, offset, length);
  }
  void guess(json::EditKind kind, std::uint64_t offset, std::uint64_t length) {
    add(kind, json::Grade::guess, offset, length);
  }
  /// White space of odd kinds in what stands between tokens.
  void spaces(std::string_view bytes, std::uint64_t offset) {
    for (std::size_t i = 0; i < bytes.size();) {
      const std::size_t odd = odd_space(bytes.substr(i));
      if (odd > 0) safe(json::EditKind::odd_space, offset + i, odd);
      i += std::max<std::size_t>(odd, 1);
    }
  }

  std::uint64_t limit;
  std::vector<json::Edit> edits;
  std::uint64_t total = 0;
  json::Grade grade = json::Grade::strict;
};

}  // namespace BELAY_NAMESPACE::text
