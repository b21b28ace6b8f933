// From a path to a Store: what is looked at, in which order, before anything is written.
#include "store/failure.h"
#include "store/place.h"
#include "store/schema.h"
#include "store/sqlite_store.h"

#include <sqlite3.h>
#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <limits>
#include <thread>

namespace BELAY_NAMESPACE::store {
namespace {

using Kind = Error::Kind;

constexpr std::uint64_t kSqliteLength = 1'000'000'000;  // SQLite takes no longer text

Expected<void> configure(Database& database, const SqliteOptions& options) {
  sqlite3* handle = database.handle();
  const auto wait = std::clamp<std::int64_t>(options.busy_ms, 0, std::numeric_limits<int>::max());
  sqlite3_busy_timeout(handle, static_cast<int>(wait));
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  // A file that is refused stays as it is, its log too. Without a log there is nothing to keep apart, and closing
  // removes what opening made.
  struct stat log{};
  const bool keep = ::stat((database.path() + "-wal").c_str(), &log) == 0 && log.st_size > 0;
  sqlite3_db_config(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keep ? 1 : 0, nullptr);
  // No memory maps: an error of the disk would come as a signal. What is removed is overwritten.
  return database.script(
      "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0;"
      "PRAGMA temp_store = MEMORY; PRAGMA secure_delete = ON; PRAGMA synchronous = EXTRA;");
}

// The head was right; the log may say something else. In one transaction: somebody may be making the file just now.
Expected<std::uint64_t> check_identity(Database& database) {
  auto transaction = Transaction::begin(database, Transaction::Mode::read);
  if (!transaction) return std::unexpected(std::move(transaction.error()));
  auto found = version(database, steps());
  if (!found) return found;
  auto application = database.number("PRAGMA application_id");
  if (!application) return std::unexpected(std::move(application.error()));
  auto tables = database.number("SELECT count(*) FROM sqlite_schema");
  if (!tables) return std::unexpected(std::move(tables.error()));
  const bool fresh = *found == 0 && *application == 0 && *tables == 0;
  if (!fresh && *application != kApplicationId)
    return fail(Kind::refused, "'" + database.path() + "' is an SQLite file of another program: choose another path");
  if (!fresh && *found == 0)
    return fail(Kind::corrupt, "'" + database.path() + "' is damaged (it has no version): restore a copy of it");
  return found;
}

// A page that could not be read is no damage of the file; the check names its code among its findings.
int code_in(std::string_view findings) {
  constexpr std::string_view kMark = "error code=";
  int code = 0;
  if (const auto at = findings.find(kMark); at != std::string_view::npos)
    std::from_chars(findings.data() + at + kMark.size(), findings.data() + findings.size(), code);
  return code != 0 ? code : SQLITE_CORRUPT;
}

Expected<void> check_integrity(Database& database, std::uint64_t check_bytes) {
  auto pages = database.number("PRAGMA page_count");
  if (!pages) return std::unexpected(std::move(pages.error()));
  auto page = database.number("PRAGMA page_size");
  if (!page) return std::unexpected(std::move(page.error()));
  const auto look = [&](Sql sql) -> Expected<void> {
    auto said = database.word(sql);
    if (!said) return std::unexpected(std::move(said.error()));
    if (*said == "ok") return {};
    return std::unexpected(from_sqlite(code_in(*said), 0, database.path(), *said));
  };
  // The list of tasks is small and has no sums of its own: it is compared with its indexes.
  if (auto fine = look("PRAGMA integrity_check('tasks')"); !fine) return fine;
  if (static_cast<std::uint64_t>(*pages) > check_bytes / static_cast<std::uint64_t>(*page)) return {};
  if (auto fine = look("PRAGMA quick_check(1)"); !fine) return fine;
  return look(
      "SELECT ifnull((SELECT 'a row of ' || \"table\" || ' belongs to no task' FROM pragma_foreign_key_check LIMIT 1), "
      "'ok')");
}

// SQLite does not wait for a lock here by itself.
Expected<void> use_log(Database& database, std::int64_t busy_ms) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(busy_ms);
  while (true) {
    auto mode = database.word("PRAGMA journal_mode = WAL");
    if (mode && *mode == "wal") break;
    if (mode)
      return fail(Kind::refused, "the file system of '" + database.path() +
                                     "' cannot hold SQLite's log (journal mode " + *mode +
                                     "): choose a path on a local one");
    if (mode.error().kind != Kind::busy || std::chrono::steady_clock::now() >= end)
      return std::unexpected(std::move(mode.error()));
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return database.script("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;");
}

Expected<std::unique_ptr<Store>> open(const SqliteOptions& given) {
  SqliteOptions options = given;
  options.busy_ms = std::max<std::int64_t>(options.busy_ms, 0);
  options.record_bytes = std::min(options.record_bytes, kSqliteLength);
  auto path = find_place(options);
  if (!path) return std::unexpected(std::move(path.error()));
  auto database = Database::open(*path, options.vfs);
  if (!database) return std::unexpected(std::move(database.error()));
  Database& file = **database;

  if (auto done = configure(file, options); !done) return std::unexpected(std::move(done.error()));
  auto found = check_identity(file);
  if (!found) return std::unexpected(std::move(found.error()));
  if (options.check && *found != 0) {
    if (auto fine = check_integrity(file, options.check_bytes); !fine) return std::unexpected(std::move(fine.error()));
  }
  // The first step is done with a journal: from the moment it is there the file's own head says whose it is.
  if (auto done = migrate(file, steps()); !done) return std::unexpected(std::move(done.error()));
  if (auto done = use_log(file, options.busy_ms); !done) return std::unexpected(std::move(done.error()));
  const auto pages = std::min<std::uint64_t>(options.log_pages, std::numeric_limits<int>::max());
  sqlite3_wal_autocheckpoint(file.handle(), static_cast<int>(pages));
  sqlite3_db_config(file.handle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0, nullptr);
  return std::make_unique<SqliteStore>(std::move(*database), options);
}

}  // namespace

SqliteStore::SqliteStore(std::unique_ptr<Database> database, const SqliteOptions& options)
    : database_(std::move(database)), claims_(database_->path() + ".claims", options.busy_ms), options_(options) {}

Expected<std::unique_ptr<Store>> open_sqlite(const SqliteOptions& options) {
  return guarded([&] { return open(options); });
}

std::string sqlite_version() { return ::sqlite3_libversion(); }

}  // namespace BELAY_NAMESPACE::store
