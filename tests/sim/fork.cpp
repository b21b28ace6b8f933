#include "sim/fork.h"

#include <set>

namespace belay::sim {

std::vector<task::Record> forked(const std::vector<task::Record>& records, const std::string& from,
                                 std::uint64_t number, const std::string& to) {
  const auto renamed = [&](const std::string& id) { return id.empty() ? id : to + id.substr(from.size()); };
  std::set<std::string> wanted = {from};
  std::vector<task::Record> out;
  for (const task::Record& record : records) {  // a task is named before its first record
    if (!wanted.contains(record.task) || (record.task == from && record.number > number)) continue;
    task::Record copy = record;
    copy.task = renamed(record.task);
    if (auto* created = std::get_if<task::Created>(&copy.body)) {
      created->forked_from = record.task + "@" + std::to_string(number);
      created->parent = renamed(created->parent);
    }
    if (auto* child = std::get_if<task::ChildStarted>(&copy.body)) {
      wanted.insert(child->child);
      child->child = renamed(child->child);
    }
    out.push_back(std::move(copy));
  }
  return out;
}

}  // namespace belay::sim
