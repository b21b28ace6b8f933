// The edits of one call while its grammar reads it.
#pragma once

#include <belay/base.h>
#include <belay/json/edit.h>

#include <algorithm>
#include <vector>

namespace belay::text {

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

  std::uint64_t limit;
  std::vector<json::Edit> edits;
  std::uint64_t total = 0;
  json::Grade grade = json::Grade::strict;
};

}  // namespace belay::text
