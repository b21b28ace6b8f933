// A task copied under another id, with the children that its records name.
#include "store/fork.h"

#include "store/failure.h"
#include "store/sqlite_store.h"

#include <set>

namespace BELAY_NAMESPACE::store {
namespace {

using Kind = Error::Kind;

}  // namespace

Expected<void> SqliteStore::fork(std::string_view task, std::uint64_t number, std::string_view id, std::int64_t now) {
  return guarded([&]() -> Expected<void> {
    auto transaction = begin_writing();
    if (!transaction) return std::unexpected(std::move(transaction.error()));
    auto top = known(task);
    if (!top) return std::unexpected(std::move(top.error()));
    if (number > top->records)
      return fail(Kind::refused, "task " + top->id + " has " + std::to_string(top->records) + " records, no record " +
                                     std::to_string(number) + ": name one of them, or 0 for all");
    NewIds ids(task, id);
    std::vector<std::string> wanted = {top->id};
    std::set<std::string, std::less<>> seen = {top->id};
    Forking forking;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      auto from = summary(wanted[i]);
      if (!from) return std::unexpected(std::move(from.error()));
      if (!*from) continue;  // a child that was named, and did not come to be
      forking.from = wanted[i];
      forking.root = i == 0;
      forking.upto = forking.root && number != 0 ? number : (*from)->records;
      auto originals = rows(wanted[i], forking.upto);
      if (!originals) return std::unexpected(std::move(originals.error()));
      if (forking.root) {
        auto first = to_record(originals->front());
        if (!first) return std::unexpected(std::move(first.error()));
        if (const auto* created = std::get_if<task::Created>(&first->body)) forking.depth = created->depth;
      }
      if (auto done = copy_task(*originals, forking, ids, now); !done) return done;
      for (const Row& row : *originals) {
        auto child = child_of(row);
        if (!child) return std::unexpected(std::move(child.error()));
        if (!child->empty() && seen.insert(*child).second) wanted.push_back(std::move(*child));
      }
    }
    return transaction->commit();
  });
}

Expected<void> SqliteStore::copy_task(const std::vector<Row>& originals, const Forking& forking, NewIds& ids,
                                      std::int64_t now) {
  Summary copy;
  copy.id = ids.of(forking.from);
  if (auto fine = check_id(copy.id); !fine) return fine;
  auto there = summary(copy.id);
  if (!there) return std::unexpected(std::move(there.error()));
  if (*there) return fail(Kind::conflict, "there is a task " + copy.id + " already: fork under another id");
  std::vector<Row> copies;
  copies.reserve(originals.size());
  for (const Row& row : originals) {
    auto made = forked(row, forking, ids);
    if (!made) return std::unexpected(std::move(made.error()));
    if (auto folded = fold(copy, *made); !folded) return folded;
    copies.push_back(std::move(*made));
  }
  copy.created = copy.changed = now;
  if (auto done = insert(copy); !done) return done;
  for (const Row& row : copies)
    if (auto done = insert(row); !done) return done;
  return {};
}

}  // namespace BELAY_NAMESPACE::store
