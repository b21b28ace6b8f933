// Reading records back, and seeing that they are what was written.
#include "store/failure.h"
#include "store/sqlite_store.h"

#include <set>

namespace BELAY_NAMESPACE::store {
namespace {

using Kind = Error::Kind;

std::unexpected<Error> damaged(const Database& database, const std::string& what) {
  return fail(Kind::corrupt, what + ": '" + database.path() + "' is damaged; restore a copy of it");
}

}  // namespace

Expected<std::optional<Summary>> SqliteStore::summary(std::string_view task) {
  auto q = database_->query(
      "SELECT parent, title, model, created, changed, records, turns, ending FROM tasks WHERE id = ?1");
  if (!q) return std::unexpected(std::move(q.error()));
  auto row = q->bind(1, task).step();
  if (!row) return std::unexpected(std::move(row.error()));
  if (!*row) return std::optional<Summary>();
  return Summary{std::string(task),
                 std::string(q->text(0)),
                 std::string(q->text(1)),
                 std::string(q->text(2)),
                 q->integer(3),
                 q->integer(4),
                 q->count(5),
                 q->count(6),
                 std::string(q->text(7))};
}

Expected<Summary> SqliteStore::known(std::string_view task) {
  auto there = summary(task);
  if (!there) return std::unexpected(std::move(there.error()));
  std::optional<Summary>& found = *there;
  if (!found) return fail(Kind::not_found, "there is no task '" + std::string(task) + "': list them to see which are");
  return std::move(*found);
}

Expected<std::string> SqliteStore::root_of(std::string_view task) {
  std::set<std::string, std::less<>> seen;
  std::string id(task);
  while (true) {
    auto here = known(id);
    if (!here) return std::unexpected(std::move(here.error()));
    if (here->parent.empty()) return id;
    if (!seen.insert(id).second) return damaged(*database_, "task " + id + " is its own ancestor");
    id = std::move(here->parent);
  }
}

Expected<std::vector<std::string>> SqliteStore::children(std::string_view task) {
  auto q = database_->query("SELECT id FROM tasks WHERE parent = ?1 ORDER BY created, id");
  if (!q) return std::unexpected(std::move(q.error()));
  q->bind(1, task);
  std::vector<std::string> ids;
  while (true) {
    auto row = q->step();
    if (!row) return std::unexpected(std::move(row.error()));
    if (!*row) return ids;
    ids.emplace_back(q->text(0));
  }
}

Expected<std::vector<std::string>> SqliteStore::family(std::string_view task) {
  auto top = known(task);
  if (!top) return std::unexpected(std::move(top.error()));
  std::vector<std::string> ids = {std::string(task)};
  std::set<std::string, std::less<>> seen = {std::string(task)};
  for (std::size_t i = 0; i < ids.size(); ++i) {
    auto below = children(ids[i]);
    if (!below) return std::unexpected(std::move(below.error()));
    for (std::string& id : *below) {
      if (!seen.insert(id).second) return damaged(*database_, "task " + id + " is its own ancestor");
      ids.push_back(std::move(id));
    }
  }
  return ids;
}

Expected<void> SqliteStore::each_row(std::string_view task, std::uint64_t upto,
                                     const std::function<Expected<void>(const Row&)>& take) {
  auto top = known(task);
  if (!top) return std::unexpected(std::move(top.error()));
  auto q = database_->query(
      "SELECT number, time, kind, body, sum FROM records WHERE task = ?1 AND number <= ?2 ORDER BY number");
  if (!q) return std::unexpected(std::move(q.error()));
  q->bind(1, task).bind(2, upto);
  Row row;
  row.task = task;
  std::uint64_t count = 0;
  while (true) {
    auto more = q->step();
    if (!more) return std::unexpected(std::move(more.error()));
    if (!*more) break;
    row.number = q->count(0);
    row.time = q->integer(1);
    row.kind.assign(q->text(2));
    row.body.assign(q->text(3));
    const auto label = [&] { return "record " + std::to_string(row.number) + " of task " + row.task; };
    if (row.number != ++count) return damaged(*database_, label() + " follows record " + std::to_string(count - 1));
    if (record_sum(row) != q->count(4)) return damaged(*database_, label() + " is not as it was written");
    if (auto taken = take(row); !taken) return taken;
  }
  if (count != std::min(upto, top->records))
    return damaged(*database_, "task " + row.task + " has " + std::to_string(count) + " records instead of " +
                                   std::to_string(top->records));
  return {};
}

Expected<std::vector<Row>> SqliteStore::rows(std::string_view task, std::uint64_t upto) {
  std::vector<Row> out;
  auto done = each_row(task, upto, [&](const Row& row) -> Expected<void> {
    out.push_back(row);
    return {};
  });
  if (!done) return std::unexpected(std::move(done.error()));
  return out;
}

Expected<void> SqliteStore::add_records(std::string_view task, std::vector<task::Record>& out) {
  return each_row(task, kUnlimited, [&](const Row& row) -> Expected<void> {
    auto record = to_record(row);
    if (!record) return std::unexpected(std::move(record.error()));
    out.push_back(std::move(*record));
    return {};
  });
}

Expected<std::vector<task::Record>> SqliteStore::load(std::string_view task) {
  return guarded([&]() -> Expected<std::vector<task::Record>> {
    auto transaction = Transaction::begin(*database_, Transaction::Mode::read);
    if (!transaction) return std::unexpected(std::move(transaction.error()));
    std::vector<task::Record> out;
    if (auto done = add_records(task, out); !done) return std::unexpected(std::move(done.error()));
    return out;
  });
}

Expected<task::Record> SqliteStore::load_first(std::string_view task) {
  return guarded([&]() -> Expected<task::Record> {
    auto transaction = Transaction::begin(*database_, Transaction::Mode::read);
    if (!transaction) return std::unexpected(std::move(transaction.error()));
    auto first = rows(task, 1);
    if (!first) return std::unexpected(std::move(first.error()));
    if (first->empty()) return damaged(*database_, "task " + std::string(task) + " has no records");
    return to_record(first->front());
  });
}

Expected<std::vector<task::Record>> SqliteStore::load_tree(std::string_view task) {
  return guarded([&]() -> Expected<std::vector<task::Record>> {
    auto transaction = Transaction::begin(*database_, Transaction::Mode::read);
    if (!transaction) return std::unexpected(std::move(transaction.error()));
    auto ids = family(task);
    if (!ids) return std::unexpected(std::move(ids.error()));
    std::vector<task::Record> out;
    for (const std::string& id : *ids)
      if (auto done = add_records(id, out); !done) return std::unexpected(std::move(done.error()));
    return out;
  });
}

}  // namespace BELAY_NAMESPACE::store
