#include "store/database.h"

#include "store/failure.h"

#include <sqlite3.h>

#include <utility>

namespace BELAY_NAMESPACE::store {

Query::Query(Query&& other) noexcept
    : database_(other.database_),
      statement_(std::exchange(other.statement_, nullptr)),
      trouble_(std::exchange(other.trouble_, SQLITE_OK)) {}

Query::~Query() {
  if (!statement_) return;
  sqlite3_reset(statement_);
  sqlite3_clear_bindings(statement_);
}

Query& Query::bind(int parameter, std::string_view text) {
  // A null pointer would be NULL, not the empty text.
  const char* bytes = text.data() ? text.data() : "";
  const int code = sqlite3_bind_text64(statement_, parameter, bytes, text.size(), SQLITE_STATIC, SQLITE_UTF8);
  if (trouble_ == SQLITE_OK) trouble_ = code;
  return *this;
}

Query& Query::bind(int parameter, std::int64_t number) {
  const int code = sqlite3_bind_int64(statement_, parameter, number);
  if (trouble_ == SQLITE_OK) trouble_ = code;
  return *this;
}

// Counts beyond 2^63 do not come up; sums use all bits and come back as they were.
Query& Query::bind(int parameter, std::uint64_t number) { return bind(parameter, static_cast<std::int64_t>(number)); }

Query& Query::bind_null(int parameter) {
  const int code = sqlite3_bind_null(statement_, parameter);
  if (trouble_ == SQLITE_OK) trouble_ = code;
  return *this;
}

Expected<bool> Query::step() {
  if (trouble_ != SQLITE_OK) return std::unexpected(database_->error(trouble_));
  switch (const int code = sqlite3_step(statement_); code) {
    case SQLITE_ROW: return true;
    case SQLITE_DONE: return false;
    default: return std::unexpected(database_->error(code));
  }
}

Expected<void> Query::run() {
  auto row = step();
  if (!row) return std::unexpected(std::move(row.error()));
  sqlite3_reset(statement_);
  return {};
}

std::string_view Query::text(int column) const {
  const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
  if (!bytes) return {};
  return {bytes, static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
}

std::int64_t Query::integer(int column) const { return sqlite3_column_int64(statement_, column); }

std::uint64_t Query::count(int column) const { return static_cast<std::uint64_t>(integer(column)); }

Expected<std::unique_ptr<Database>> Database::open(const std::string& path, const std::string& vfs) {
  sqlite3* handle = nullptr;
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_PRIVATECACHE;
  const int code = sqlite3_open_v2(path.c_str(), &handle, flags, vfs.empty() ? nullptr : vfs.c_str());
  if (!handle) return fail(Error::Kind::refused, "no memory to use '" + path + "'");
  std::unique_ptr<Database> database(new Database(handle, path));
  if (code != SQLITE_OK) return std::unexpected(database->error(code));
  return database;
}

Database::~Database() {
  for (const Prepared& p : prepared_) sqlite3_finalize(p.statement);
  sqlite3_close_v2(handle_);
}

Expected<Query> Database::query(Sql sql) {
  for (const Prepared& p : prepared_)
    if (p.text == sql.text()) return Query(*this, p.statement);
  prepared_.reserve(prepared_.size() + 1);
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v3(handle_, sql.text(), -1, SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
  if (code != SQLITE_OK) return std::unexpected(error(code));
  prepared_.push_back({sql.text(), statement});
  return Query(*this, statement);
}

Expected<void> Database::script(Sql sql) { return script(sql.text()); }

Expected<void> Database::script(const char* sql) {
  const int code = sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return std::unexpected(error(code));
  return {};
}

Expected<std::int64_t> Database::number(Sql sql) {
  auto q = query(sql);
  if (!q) return std::unexpected(std::move(q.error()));
  auto row = q->step();
  if (!row) return std::unexpected(std::move(row.error()));
  return *row ? q->integer(0) : 0;
}

Expected<std::string> Database::word(Sql sql) {
  auto q = query(sql);
  if (!q) return std::unexpected(std::move(q.error()));
  auto row = q->step();
  if (!row) return std::unexpected(std::move(row.error()));
  return *row ? std::string(q->text(0)) : std::string();
}

Error Database::error(int code) const {
  // The words belong to the last call that failed; a code of another class has words of its own.
  const bool last = (sqlite3_errcode(handle_) & 0xff) == (code & 0xff);
  const char* words = last ? sqlite3_errmsg(handle_) : sqlite3_errstr(code);
  const int kind = code & 0xff;
  const bool system = kind == SQLITE_IOERR || kind == SQLITE_CANTOPEN;
  return from_sqlite(code, system ? sqlite3_system_errno(handle_) : 0, path_, words);
}

bool Database::moved() const {
  int answer = 0;
  const int code = sqlite3_file_control(handle_, "main", SQLITE_FCNTL_HAS_MOVED, &answer);
  return code == SQLITE_OK && answer != 0;
}

Expected<Transaction> Transaction::begin(Database& database, Mode mode) {
  auto q = mode == Mode::write ? database.query("BEGIN IMMEDIATE") : database.query("BEGIN");
  if (!q) return std::unexpected(std::move(q.error()));
  if (auto begun = q->run(); !begun) return std::unexpected(std::move(begun.error()));
  return Transaction(database);
}

Expected<void> Transaction::commit() {
  auto q = database_->query("COMMIT");
  if (!q) return std::unexpected(std::move(q.error()));
  if (auto done = q->run(); !done) return done;
  database_ = nullptr;
  return {};
}

void Transaction::undo() noexcept {
  // SQLite has taken it back by itself after some errors.
  if (!database_ || sqlite3_get_autocommit(database_->handle())) return;
  sqlite3_exec(database_->handle(), "ROLLBACK", nullptr, nullptr, nullptr);
}

}  // namespace BELAY_NAMESPACE::store
