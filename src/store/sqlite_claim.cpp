// The right to run a task, and its removal.
#include "store/failure.h"
#include "store/sqlite_store.h"

#include <unistd.h>

#include <ranges>

namespace BELAY_NAMESPACE::store {
namespace {

using Kind = Error::Kind;

}  // namespace

Expected<std::unique_ptr<Claim>> SqliteStore::claim(std::string_view task, const Owner& owner) {
  return guarded([&]() -> Expected<std::unique_ptr<Claim>> {
    auto root = root_of(task);
    if (!root) return std::unexpected(std::move(root.error()));
    auto claim = claims_.claim(*root, owner);
    if (!claim) return claim;
    // It may have been removed in between.
    if (auto still = known(task); !still) return std::unexpected(std::move(still.error()));
    return claim;
  });
}

Expected<void> SqliteStore::remove(std::string_view task) {
  return guarded([&]() -> Expected<void> {
    auto root = root_of(task);
    if (!root) return std::unexpected(std::move(root.error()));
    if (*root != task)
      return fail(Kind::refused, "task " + std::string(task) + " was started by another: remove that, " + *root);
    // Held until the transaction is over, so that nobody begins to run it meanwhile.
    auto claim = claims_.claim(*root, {"somebody who removes it", ::getpid()});
    if (!claim) return std::unexpected(std::move(claim.error()));
    auto transaction = begin_writing();
    if (!transaction) return std::unexpected(std::move(transaction.error()));
    auto ids = family(task);
    if (!ids) return std::unexpected(std::move(ids.error()));
    if (auto done = erase(*ids); !done) return done;
    return transaction->commit();
  });
}

Expected<void> SqliteStore::erase(const std::vector<std::string>& family) {
  for (const std::string& id : std::views::reverse(family)) {
    auto records = database_->query("DELETE FROM records WHERE task = ?1");
    if (!records) return std::unexpected(std::move(records.error()));
    if (auto done = records->bind(1, id).run(); !done) return done;
    auto outcomes = database_->query("DELETE FROM outcomes WHERE task = ?1");
    if (!outcomes) return std::unexpected(std::move(outcomes.error()));
    if (auto done = outcomes->bind(1, id).run(); !done) return done;
    auto task = database_->query("DELETE FROM tasks WHERE id = ?1");
    if (!task) return std::unexpected(std::move(task.error()));
    if (auto done = task->bind(1, id).run(); !done) return done;
  }
  return {};
}

}  // namespace BELAY_NAMESPACE::store
