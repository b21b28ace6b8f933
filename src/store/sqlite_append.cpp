// Adding records: the rules of the numbers, and everything of one call in one transaction.
#include "store/failure.h"
#include "store/sqlite_store.h"
#include "task/stored_words.h"

#include <sqlite3.h>

#include <algorithm>
#include <map>

namespace BELAY_NAMESPACE::store {
namespace {

using Kind = Error::Kind;

std::string label(const Row& row) { return "record " + std::to_string(row.number) + " of task " + row.task; }

// What is wrong with a record whose task has `there` records so far.
Expected<void> check_number(const Row& row, std::uint64_t there) {
  if (row.number == 0) return fail(Kind::refused, label(row) + " cannot be: numbers begin with 1");
  if (row.number <= there)
    return fail(Kind::conflict, label(row) + " is there already: somebody else wrote to it; load it again");
  if (there == 0 && row.kind != "created" && row.number == 1)
    return fail(Kind::refused, label(row) + " is of kind " + row.kind + ": a task begins with created");
  if (there == 0 && row.number > 1) return fail(Kind::not_found, "there is no task " + row.task);
  if (row.number != there + 1)
    return fail(Kind::refused, label(row) + " leaves a gap: the next number is " + std::to_string(there + 1));
  if (row.number > 1 && row.kind == "created")
    return fail(Kind::refused, label(row) + " is of kind created: only the first record is");
  return {};
}

}  // namespace

Expected<Transaction> SqliteStore::begin_writing() {
  // Whoever removed the file would otherwise let us write into nothing.
  if (database_->moved()) return std::unexpected(database_->error(SQLITE_READONLY_DBMOVED));
  return Transaction::begin(*database_, Transaction::Mode::write);
}

Expected<void> SqliteStore::append(std::span<const task::Record> records) {
  return guarded([&]() -> Expected<void> {
    if (records.empty()) return {};
    // As text first: the lock is held for the writing alone. What is large is only measured now, and made text again
    // when it is written, so that there is one of them at a time.
    constexpr std::size_t kLarge = 1 << 20;
    std::vector<Row> rows;
    rows.reserve(records.size());
    for (const task::Record& record : records) {
      if (auto fine = check_id(record.task); !fine) return fine;
      rows.push_back(to_row(record));
      Row& row = rows.back();
      if (row.body.size() > options_.record_bytes)
        return fail(Kind::refused, label(row) + " has " + std::to_string(row.body.size()) + " bytes: at most " +
                                       std::to_string(options_.record_bytes) + " are taken (record_bytes)");
      if (row.body.size() > kLarge) std::string().swap(row.body);  // an assignment would keep its memory
    }
    return append_rows(records, rows);
  });
}

Expected<void> SqliteStore::append_rows(std::span<const task::Record> records, const std::vector<Row>& rows) {
  auto transaction = begin_writing();
  if (!transaction) return std::unexpected(std::move(transaction.error()));
  std::map<std::string_view, Summary> touched;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row& row = rows[i];
    auto at = touched.find(row.task);
    if (at == touched.end()) {
      auto there = summary(row.task);
      if (!there) return std::unexpected(std::move(there.error()));
      at = touched.emplace(row.task, there->value_or(Summary{})).first;
    }
    Summary& task = at->second;
    if (auto fine = check_number(row, task.records); !fine) return fine;
    const bool begins = task.records == 0;
    fold(task, row.kind, row.time, &records[i].body);
    if (begins) {
      task.id = row.task;
      if (!task.parent.empty()) {
        auto parent = summary(task.parent);
        if (!parent) return std::unexpected(std::move(parent.error()));
        if (!*parent)
          return fail(Kind::not_found, "task " + row.task + " is a child of " + task.parent + ", which is not there");
      }
      if (auto done = insert(task); !done) return done;
    }
    if (auto done = row.body.empty() ? insert(to_row(records[i])) : insert(row); !done) return done;
    if (const auto* outcome = std::get_if<task::Outcome>(&records[i].body)) {
      if (auto done = count(records[i], *outcome); !done) return done;
    }
  }
  for (const auto& [id, task] : touched) {
    if (auto done = update(task); !done) return done;
    if (task.parent.empty()) continue;
    if (auto done = touch_ancestors(task.parent, task.changed); !done) return done;
  }
  return transaction->commit();
}

Expected<void> SqliteStore::insert(const Summary& task) {
  auto q = database_->query(
      "INSERT INTO tasks (id, parent, title, model, created, changed, records, turns, ending)"
      " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)");
  if (!q) return std::unexpected(std::move(q.error()));
  q->bind(1, task.id).bind(3, task.title).bind(4, task.model).bind(5, task.created).bind(6, task.changed);
  q->bind(7, task.records).bind(8, task.turns).bind(9, task.end);
  if (task.parent.empty())
    q->bind_null(2);
  else
    q->bind(2, task.parent);
  return q->run();
}

// `changed` may have been moved on by a child of the same batch.
Expected<void> SqliteStore::update(const Summary& task) {
  auto q = database_->query(
      "UPDATE tasks SET changed = max(changed, ?2), records = ?3, turns = ?4, ending = ?5 WHERE id = ?1");
  if (!q) return std::unexpected(std::move(q.error()));
  q->bind(1, task.id).bind(2, task.changed).bind(3, task.records).bind(4, task.turns).bind(5, task.end);
  return q->run();
}

Expected<void> SqliteStore::insert(const Row& row) {
  auto q =
      database_->query("INSERT INTO records (task, number, time, kind, body, sum) VALUES (?1, ?2, ?3, ?4, ?5, ?6)");
  if (!q) return std::unexpected(std::move(q.error()));
  q->bind(1, row.task).bind(2, row.number).bind(3, row.time).bind(4, row.kind).bind(5, row.body);
  q->bind(6, record_sum(row));
  return q->run();
}

Expected<void> SqliteStore::count(const task::Record& record, const task::Outcome& outcome) {
  for (const std::string& kind : counted_kinds(outcome)) {
    auto q = database_->query(
        "INSERT INTO outcomes (task, number, kind, model, tool, became, time) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)");
    if (!q) return std::unexpected(std::move(q.error()));
    q->bind(1, record.task).bind(2, record.number).bind(3, kind).bind(4, outcome.model).bind(5, outcome.tool);
    q->bind(6, task::word_of(outcome.became)).bind(7, record.time);
    if (auto done = q->run(); !done) return done;
  }
  return {};
}

Expected<void> SqliteStore::touch_ancestors(std::string_view task, std::int64_t time) {
  auto q = database_->query(
      "WITH RECURSIVE up (id) AS (SELECT ?1 UNION SELECT parent FROM tasks, up"
      " WHERE tasks.id = up.id AND parent IS NOT NULL)"
      " UPDATE tasks SET changed = ?2 WHERE id IN up AND changed < ?2");
  if (!q) return std::unexpected(std::move(q.error()));
  return q->bind(1, task).bind(2, time).run();
}

}  // namespace BELAY_NAMESPACE::store
