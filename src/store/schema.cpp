#include "store/schema.h"

#include "store/failure.h"

#include <array>

namespace BELAY_NAMESPACE::store {
namespace {

// The records are the truth. `tasks` and `outcomes` are drawn from them, in the same transaction, for lists and counts.
// `sum` guards a record's bytes (record_sum): SQLite itself does not notice a changed byte in a text.
constexpr std::array kSteps = {
    Step{R"sql(
PRAGMA application_id = 1112293721;

CREATE TABLE tasks (
  id      TEXT    NOT NULL PRIMARY KEY,
  parent  TEXT    REFERENCES tasks (id),
  title   TEXT    NOT NULL,
  model   TEXT    NOT NULL,
  created INTEGER NOT NULL,
  changed INTEGER NOT NULL,
  records INTEGER NOT NULL,
  turns   INTEGER NOT NULL,
  ending  TEXT    NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX tasks_by_parent ON tasks (parent, created, id) WHERE parent IS NOT NULL;
CREATE INDEX roots_by_changed ON tasks (changed, id) WHERE parent IS NULL;

CREATE TABLE records (
  task   TEXT    NOT NULL REFERENCES tasks (id),
  number INTEGER NOT NULL,
  time   INTEGER NOT NULL,
  kind   TEXT    NOT NULL,
  body   TEXT    NOT NULL,
  sum    INTEGER NOT NULL,
  PRIMARY KEY (task, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE outcomes (
  task   TEXT    NOT NULL REFERENCES tasks (id),
  number INTEGER NOT NULL,
  kind   TEXT    NOT NULL,
  model  TEXT    NOT NULL,
  tool   TEXT    NOT NULL,
  became TEXT    NOT NULL,
  time   INTEGER NOT NULL,
  PRIMARY KEY (task, number, kind)
) STRICT, WITHOUT ROWID;
CREATE INDEX outcomes_by_time ON outcomes (time);

PRAGMA user_version = 1;
)sql"},
};

}  // namespace

std::span<const Step> steps() { return kSteps; }

Error too_new(std::string_view path, std::uint64_t version, std::uint64_t newest) {
  return {Error::Kind::newer, "'" + std::string(path) + "' was written by a newer Belay (version " +
                                  std::to_string(version) + " of the file, this one knows " + std::to_string(newest) +
                                  "): use that one, or another file"};
}

Expected<std::uint64_t> version(Database& database, std::span<const Step> steps) {
  auto read = database.number("PRAGMA user_version");
  if (!read) return std::unexpected(std::move(read.error()));
  if (*read < 0)
    return fail(Error::Kind::corrupt, "'" + database.path() + "' is damaged (its version is " + std::to_string(*read) +
                                          "): restore a copy of it");
  const auto found = static_cast<std::uint64_t>(*read);
  if (found > steps.size()) return std::unexpected(too_new(database.path(), found, steps.size()));
  return found;
}

Expected<void> migrate(Database& database, std::span<const Step> steps) {
  while (true) {
    // Asked without a lock first: most files are up to date, and opening one must not wait for who writes.
    auto before = version(database, steps);
    if (!before) return std::unexpected(std::move(before.error()));
    if (*before == steps.size()) return {};

    auto transaction = Transaction::begin(database, Transaction::Mode::write);
    if (!transaction) return std::unexpected(std::move(transaction.error()));
    auto now = version(database, steps);
    if (!now) return std::unexpected(std::move(now.error()));
    if (*now != *before) continue;  // somebody else was faster
    if (auto done = database.script(steps[*now].sql); !done) return done;
    auto after = version(database, steps);
    if (!after) return std::unexpected(std::move(after.error()));
    if (*after != *now + 1)
      return fail(Error::Kind::refused, "step " + std::to_string(*now + 1) + " of the schema leads to version " +
                                            std::to_string(*after) + ": it must set its own number");
    if (auto done = transaction->commit(); !done) return done;
  }
}

}  // namespace BELAY_NAMESPACE::store
