// A task's records under other ids. For every store.
#pragma once

#include "store/row.h"

#include <map>
#include <string>
#include <string_view>

namespace BELAY_NAMESPACE::store {

/// New ids for a task and its children. An id that begins with the root's keeps what follows, so that whatever made
/// it from the root's id makes the same from the new one; others get a number.
class NewIds {
 public:
  NewIds(std::string_view root, std::string_view id) : root_(root), id_(id) { ids_[root_] = id_; }

  /// The same answer for the same id.
  const std::string& of(const std::string& old);

 private:
  std::string root_, id_;
  std::map<std::string, std::string, std::less<>> ids_;
  std::uint64_t numbered_ = 0;
};

/// Which child a row names; empty for most rows.
Expected<std::string> child_of(const Row& row);

/// What the copies have in common.
struct Forking {
  std::string from;         ///< the task of the row
  std::uint64_t upto = 0;   ///< its last record that is copied
  bool root = false;        ///< it is the one that was asked for: its copy has no parent
  std::uint64_t depth = 0;  ///< the depth of that one, which becomes 0
};
/// The row under its new id, with the new ids of what it names, and where it came from.
Expected<Row> forked(const Row& row, const Forking& forking, NewIds& ids);

}  // namespace BELAY_NAMESPACE::store
