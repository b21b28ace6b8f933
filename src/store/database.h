// SQLite, with its lifetimes: a connection, statements that are prepared once, transactions that end.
#pragma once

#include <belay/store/store.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace BELAY_NAMESPACE::store {

/// The text of a statement. Only a constant of the program can be one: values are bound, never written into it.
class Sql {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): a literal is one
  consteval Sql(const char* text) : text_(text) {}
  [[nodiscard]] const char* text() const { return text_; }

 private:
  const char* text_;
};

class Database;

/// One use of a prepared statement, which is ready for the next when this goes. Parameters count from 1, columns from
/// 0.
class Query {
 public:
  Query(const Database& database, sqlite3_stmt* statement) : database_(&database), statement_(statement) {}
  Query(const Query&) = delete;
  Query& operator=(const Query&) = delete;
  Query(Query&& other) noexcept;
  Query& operator=(Query&&) = delete;
  ~Query();

  /// The bytes must stay until the last step. What fails here is said by step().
  Query& bind(int parameter, std::string_view text);
  Query& bind(int parameter, std::int64_t number);
  Query& bind(int parameter, std::uint64_t number);
  Query& bind_null(int parameter);

  /// True: there is a row. False: that was all.
  Expected<bool> step();
  /// For what gives no rows; for several rounds with other values.
  Expected<void> run();

  /// Valid until the next step.
  [[nodiscard]] std::string_view text(int column) const;
  [[nodiscard]] std::int64_t integer(int column) const;
  [[nodiscard]] std::uint64_t count(int column) const;

 private:
  const Database* database_;
  sqlite3_stmt* statement_;
  int trouble_ = 0;
};

/// A connection. Not thread-safe. Must stay where it is while Queries are used.
class Database {
 public:
  /// `path` is absolute and there.
  static Expected<std::unique_ptr<Database>> open(const std::string& path, const std::string& vfs);
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  ~Database();

  /// Prepared at its first use, then kept.
  Expected<Query> query(Sql sql);
  /// Statements without values, one after the other.
  Expected<void> script(Sql sql);
  /// The same for text that is data, such as a step of the schema.
  Expected<void> script(const char* sql);
  /// The first column of the first row.
  Expected<std::int64_t> number(Sql sql);
  Expected<std::string> word(Sql sql);

  [[nodiscard]] Error error(int code) const;
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] sqlite3* handle() const { return handle_; }
  /// True when there is no file of this one's any more where it was opened.
  [[nodiscard]] bool moved() const;

 private:
  Database(sqlite3* handle, std::string path) : handle_(handle), path_(std::move(path)) {}
  struct Prepared {
    const char* text;
    sqlite3_stmt* statement;
  };
  sqlite3* handle_;
  std::string path_;
  std::vector<Prepared> prepared_;
};

/// Begins when it is made; taken back when it goes without commit().
class Transaction {
 public:
  enum class Mode : std::uint8_t { read, write };
  static Expected<Transaction> begin(Database& database, Mode mode);
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  Transaction(Transaction&& other) noexcept : database_(std::exchange(other.database_, nullptr)) {}
  Transaction& operator=(Transaction&&) = delete;
  ~Transaction() { undo(); }

  Expected<void> commit();

 private:
  explicit Transaction(Database& database) : database_(&database) {}
  void undo() noexcept;
  Database* database_;
};

}  // namespace BELAY_NAMESPACE::store
