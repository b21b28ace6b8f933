// Lists, counts, and finding a task by the beginning of its id.
#include "store/failure.h"
#include "store/sqlite_store.h"

#include <algorithm>
#include <limits>

namespace BELAY_NAMESPACE::store {
namespace {

using Kind = Error::Kind;

constexpr std::size_t kCandidates = 5;  // named when an id is ambiguous

// Before every key that comes first: the first page begins there.
constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

}  // namespace

Expected<std::vector<Summary>> SqliteStore::list(const Listing& listing) {
  return guarded([&]() -> Expected<std::vector<Summary>> {
    auto transaction = Transaction::begin(*database_, Transaction::Mode::read);
    if (!transaction) return std::unexpected(std::move(transaction.error()));
    std::int64_t changed = kNever;
    std::string id(1, '\x7f');  // behind every id
    if (!listing.before.empty()) {
      auto last = known(listing.before);
      if (!last) return std::unexpected(std::move(last.error()));
      changed = last->changed;
      id = last->id;
    }
    // Roots have an index in this order. All tasks have none, which would cost a page in each append: they are sorted.
    auto q = listing.children
                 ? database_->query(
                       "SELECT id, parent, title, model, created, changed, records, turns, ending FROM tasks"
                       " WHERE (changed, id) < (?1, ?2) ORDER BY changed DESC, id DESC LIMIT ?3")
                 : database_->query(
                       "SELECT id, parent, title, model, created, changed, records, turns, ending FROM tasks"
                       " WHERE parent IS NULL AND (changed, id) < (?1, ?2)"
                       " ORDER BY changed DESC, id DESC LIMIT ?3");
    if (!q) return std::unexpected(std::move(q.error()));
    q->bind(1, changed).bind(2, id).bind(3, std::min(listing.at_most, kUnlimited));
    std::vector<Summary> out;
    while (true) {
      auto row = q->step();
      if (!row) return std::unexpected(std::move(row.error()));
      if (!*row) return out;
      out.push_back({std::string(q->text(0)), std::string(q->text(1)), std::string(q->text(2)), std::string(q->text(3)),
                     q->integer(4), q->integer(5), q->count(6), q->count(7), std::string(q->text(8))});
    }
  });
}

Expected<std::string> SqliteStore::find(std::string_view prefix) {
  return guarded([&]() -> Expected<std::string> {
    if (prefix.empty())
      return fail(Kind::refused, "the beginning of a task's id is empty: give a few characters of it");
    auto transaction = Transaction::begin(*database_, Transaction::Mode::read);
    if (!transaction) return std::unexpected(std::move(transaction.error()));
    auto whole = summary(prefix);
    if (!whole) return std::unexpected(std::move(whole.error()));
    if (*whole) return (*whole)->id;

    // Ids are visible ASCII: DEL stands behind all that begin so.
    const std::string end = std::string(prefix) + '\x7f';
    for (const bool roots : {true, false}) {
      auto q = roots ? database_->query(
                           "SELECT id FROM tasks WHERE id >= ?1 AND id < ?2 AND parent IS NULL"
                           " ORDER BY id LIMIT ?3")
                     : database_->query("SELECT id FROM tasks WHERE id >= ?1 AND id < ?2 ORDER BY id LIMIT ?3");
      if (!q) return std::unexpected(std::move(q.error()));
      q->bind(1, prefix).bind(2, end).bind(3, std::uint64_t{kCandidates + 1});
      std::vector<std::string> ids;
      while (true) {
        auto row = q->step();
        if (!row) return std::unexpected(std::move(row.error()));
        if (!*row) break;
        ids.emplace_back(q->text(0));
      }
      if (ids.size() == 1) return std::move(ids.front());
      if (ids.empty()) continue;
      std::string named;
      for (std::size_t i = 0; i < std::min(ids.size(), kCandidates); ++i) named += (i == 0 ? "" : ", ") + ids[i];
      if (ids.size() > kCandidates) named += ", ...";
      return fail(Kind::ambiguous,
                  "several tasks begin with '" + std::string(prefix) + "': " + named + "; give more characters of one");
    }
    return fail(Kind::not_found,
                "no task begins with '" + std::string(prefix) + "': belay tasks list shows which are there");
  });
}

Expected<std::vector<OutcomeCount>> SqliteStore::outcomes(std::int64_t since) {
  return guarded([&]() -> Expected<std::vector<OutcomeCount>> {
    auto q = database_->query(
        "SELECT model, tool, kind, became, count(*) FROM outcomes WHERE time >= ?1 GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, "
        "3, 4");
    if (!q) return std::unexpected(std::move(q.error()));
    q->bind(1, since);
    std::vector<OutcomeCount> out;
    while (true) {
      auto row = q->step();
      if (!row) return std::unexpected(std::move(row.error()));
      if (!*row) return out;
      out.push_back({std::string(q->text(0)), std::string(q->text(1)), std::string(q->text(2)), std::string(q->text(3)),
                     q->count(4)});
    }
  });
}

Expected<std::vector<OutcomeDay>> SqliteStore::outcomes_by_day(std::int64_t since, std::int64_t zone) {
  return guarded([&]() -> Expected<std::vector<OutcomeDay>> {
    // Rounded down, before 1970 as well. The rows of an outcome differ in their kind only: one of them stands for it.
    auto q = database_->query(
        "SELECT (time + ?2 - ((time + ?2) % 86400000 + 86400000) % 86400000) / 86400000, model, tool, became, count(*)"
        " FROM (SELECT DISTINCT task, number, model, tool, became, time FROM outcomes WHERE time >= ?1)"
        " GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4");
    if (!q) return std::unexpected(std::move(q.error()));
    q->bind(1, since).bind(2, zone);
    std::vector<OutcomeDay> out;
    while (true) {
      auto row = q->step();
      if (!row) return std::unexpected(std::move(row.error()));
      if (!*row) return out;
      out.push_back(
          {q->integer(0), std::string(q->text(1)), std::string(q->text(2)), std::string(q->text(3)), q->count(4)});
    }
  });
}

}  // namespace BELAY_NAMESPACE::store
