#include "store/fork.h"

#include "store/failure.h"

#include <algorithm>
#include <set>

namespace BELAY_NAMESPACE::store {

const std::string& NewIds::of(const std::string& old) {
  if (auto at = ids_.find(old); at != ids_.end()) return at->second;
  std::string made;
  if (old.starts_with(root_)) made = id_ + old.substr(root_.size());
  const auto taken = [&] { return std::ranges::any_of(ids_, [&](const auto& pair) { return pair.second == made; }); };
  while (made.empty() || taken()) made = id_ + ".fork-" + std::to_string(++numbered_);
  return ids_[old] = std::move(made);
}

Expected<std::string> child_of(const Row& row) {
  if (row.kind != "child") return std::string();
  auto record = to_record(row);
  if (!record) return std::unexpected(std::move(record.error()));
  return std::get<task::ChildStarted>(record->body).child;
}

Expected<Row> forked(const Row& row, const Forking& forking, NewIds& ids) {
  Row copy = row;
  copy.task = ids.of(row.task);
  if (row.kind != "created" && row.kind != "child") return copy;
  auto record = to_record(row);
  if (!record) return std::unexpected(std::move(record.error()));
  if (auto* started = std::get_if<task::ChildStarted>(&record->body)) {
    started->child = ids.of(started->child);
  } else {
    auto& created = std::get<task::Created>(record->body);
    created.forked_from = forking.from + "@" + std::to_string(forking.upto);
    created.depth -= std::min(created.depth, forking.depth);
    created.parent = forking.root || created.parent.empty() ? "" : ids.of(created.parent);
    if (forking.root) created.parent_call.clear();
  }
  copy.body = task::to_json(record->body);
  return copy;
}

}  // namespace BELAY_NAMESPACE::store
