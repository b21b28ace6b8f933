// Tasks in an SQLite file: the contract of all stores, and what is special here: the file, its versions, its damage.
#include "scratch_folder.h"
#include "store/schema.h"
#include "store_contract.h"
#include "store_expect.h"
#include "support/decisions.h"

#include <belay/store/sqlite.h>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <sqlite3.h>

#include <algorithm>
#include <filesystem>
#include <thread>

namespace belay::store {
namespace {

using check::as_ordinary_user;
using check::ScratchFolder;
namespace fs = std::filesystem;

class FilePlace final : public Place {
 public:
  Expected<std::unique_ptr<Store>> open() override {
    SqliteOptions options;
    options.path = folder_.in("tasks.db");
    return open_sqlite(options);
  }

 private:
  ScratchFolder folder_;
};

INSTANTIATE_TEST_SUITE_P(Sqlite, StoreContract,
                         testing::Values(Backend{"Sqlite", [] { return std::make_unique<FilePlace>(); }}),
                         [](const auto& backend) { return backend.param.name; });

class SqliteFile : public testing::Test {
 protected:
  [[nodiscard]] Expected<std::unique_ptr<Store>> open(const std::string& name = "tasks.db") const {
    SqliteOptions options;
    options.path = folder.in(name);
    options.busy_ms = 0;
    return open_sqlite(options);
  }
  /// A file with a task `a` of some records, closed.
  void fill(const std::string& name = "tasks.db") const {
    auto store = open(name);
    ASSERT_FINE(store);
    ASSERT_FINE((*store)->append(check::long_task("a", 20)));
  }
  /// Statements on the file by its owner's tools.
  void sql(const char* text, const std::string& name = "tasks.db") const {
    sqlite3* handle = nullptr;
    char* trouble = nullptr;
    ASSERT_EQ(sqlite3_open(folder.in(name).c_str(), &handle), SQLITE_OK);
    sqlite3_exec(handle, text, nullptr, nullptr, &trouble);
    EXPECT_STREQ(trouble, nullptr) << text;
    sqlite3_free(trouble);
    sqlite3_close(handle);
  }
  /// Every file of the folder with its content.
  [[nodiscard]] std::map<std::string, std::string> everything() const {
    std::map<std::string, std::string> out;
    for (const auto& entry : fs::directory_iterator(folder.ws()))
      if (entry.is_regular_file()) out[entry.path().filename().string()] = ScratchFolder::get_at(entry.path().string());
    return out;
  }
  /// It is refused so, and nothing changes.
  void expect_refused(Kind kind, const std::string& with, const std::string& name = "tasks.db") const {
    const auto before = everything();
    EXPECT_TRUE(fails(open(name), kind, with));
    EXPECT_EQ(everything() == before, true) << "the files were touched";
  }
  static mode_t mode(const std::string& path) {
    struct stat s{};
    return ::stat(path.c_str(), &s) == 0 ? s.st_mode & 0777 : 0;
  }
  ScratchFolder folder;
};

TEST_F(SqliteFile, ItAndItsLogAreTheOwnersAlone) {
  const mode_t old = ::umask(0);
  auto store = open();
  ASSERT_FINE(store);
  ASSERT_FINE((*store)->append(Records{created_record("a", 1)}));
  ::umask(old);
  for (const char* name : {"tasks.db", "tasks.db-wal", "tasks.db-shm"}) EXPECT_EQ(mode(folder.in(name)), 0600u) << name;
  store->reset();
  EXPECT_EQ(ScratchFolder::count(folder.ws()), 1u) << "closed, it is one file";
}

TEST_F(SqliteFile, ItIsDurableByAFullSyncOfItsLog) {
  fill();
  const std::string head = folder.get("tasks.db").substr(0, 100);
  EXPECT_EQ(head.substr(68, 4), "BLAY");
  EXPECT_EQ(head[18], 2) << "a write-ahead log";
  EXPECT_EQ(head.substr(60, 4), std::string("\0\0\0\1", 4));
}

TEST_F(SqliteFile, APathThatCannotBeIsRefusedWithWhatToDo) {
  expect_refused(Kind::refused, "make its folder first", "no/such/tasks.db");
  expect_refused(Kind::refused, "is a folder", "");
  EXPECT_TRUE(fails(open_sqlite({}), Kind::refused, "empty"));
  SqliteOptions options;
  options.path = std::string("a\0b", 3);
  EXPECT_TRUE(fails(open_sqlite(options), Kind::refused, "NUL"));
  options.path = folder.in("tasks.db");
  options.vfs = "no such";
  EXPECT_TRUE(fails(open_sqlite(options), Kind::refused, "no such"));
  ASSERT_EQ(::mkfifo(folder.in("pipe").c_str(), 0600), 0);
  expect_refused(Kind::refused, "no ordinary file", "pipe");
  folder.link("nowhere", "link");
  expect_refused(Kind::refused, "link to nothing", "link");
  expect_refused(Kind::refused, "name", std::string(300, 'x'));
  folder.put("file", "x");
  expect_refused(Kind::refused, "", "file/tasks.db");
  EXPECT_FALSE(folder.exists("tasks.db"));
}

TEST_F(SqliteFile, WhatIsSomethingElseIsRefusedAndNotTouched) {
  folder.put("text", "These are my notes.\n");
  expect_refused(Kind::refused, "something else", "text");
  folder.put("noise", std::string(100'000, '\xA7'));
  expect_refused(Kind::refused, "something else", "noise");
  sql("CREATE TABLE t (x); INSERT INTO t VALUES (1)", "foreign.db");
  expect_refused(Kind::refused, "another program", "foreign.db");
  sql("PRAGMA user_version = 1; PRAGMA application_id = 7", "foreign.db");
  expect_refused(Kind::refused, "another program", "foreign.db");
}

TEST_F(SqliteFile, ANewerFileIsRefusedAndNotTouched) {
  fill();
  sql("PRAGMA user_version = 2");
  expect_refused(Kind::newer, "newer Belay");
}

TEST_F(SqliteFile, ANewerVersionInTheLogAloneIsSeenToo) {
  fill();
  // A process that ends without closing leaves its log.
  const pid_t child = ::fork();
  if (child == 0) {
    sqlite3* handle = nullptr;
    sqlite3_open(folder.in("tasks.db").c_str(), &handle);
    ::_exit(sqlite3_exec(handle, "PRAGMA user_version = 7", nullptr, nullptr, nullptr));
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ASSERT_EQ(status, 0);
  ASSERT_TRUE(folder.exists("tasks.db-wal"));
  fs::remove(folder.in("tasks.db-shm"));
  const std::string before = folder.get("tasks.db"), log = folder.get("tasks.db-wal");
  EXPECT_TRUE(fails(open(), Kind::newer));
  EXPECT_EQ(folder.get("tasks.db") == before, true);
  EXPECT_EQ(folder.get("tasks.db-wal") == log, true);
}

TEST_F(SqliteFile, ATruncatedFileIsSaidToBeDamaged) {
  fill();
  const std::string whole = folder.get("tasks.db");
  for (std::size_t size : {whole.size() - 4096, whole.size() - 1, std::size_t{4096}, std::size_t{100}}) {
    folder.put("tasks.db", std::string_view(whole).substr(0, size));
    expect_refused(Kind::corrupt, "damaged");
  }
  folder.put("tasks.db", std::string_view(whole).substr(0, 99));
  EXPECT_FALSE(open());
}

TEST_F(SqliteFile, AnEmptyOrMissingFileBesideItsLogIsNotBegunAnew) {
  folder.put("tasks.db", "");
  folder.put("tasks.db-wal", "what is left of somebody's work");
  expect_refused(Kind::corrupt, "log");
  fs::remove(folder.in("tasks.db"));
  expect_refused(Kind::corrupt, "log");
  fs::remove(folder.in("tasks.db-wal"));
  EXPECT_FINE(open());
}

TEST_F(SqliteFile, AnEmptyFileIsBegun) {
  folder.put("tasks.db", "");
  fill();
  EXPECT_FINE((*open())->load("a"));
}

TEST_F(SqliteFile, WhatMayNotBeWrittenOrReadIsSaid) {
  fill();
  ASSERT_EQ(::chmod(folder.ws().c_str(), 0777), 0);
  const std::string path = folder.in("tasks.db");
  const auto attempt = [&] { return as_ordinary_user([&] { return said(open()); }); };
  if (::getuid() == 0) {
    ASSERT_EQ(::chown(path.c_str(), check::kNobody, check::kNobody), 0);
  }
  ASSERT_EQ(::chmod(path.c_str(), 0400), 0);
  EXPECT_EQ(attempt(), "read_only: '" + path + "' cannot be written: change its mode, or choose another path");
  ASSERT_EQ(::chmod(path.c_str(), 0), 0);
  EXPECT_TRUE(attempt().starts_with("refused: cannot read")) << attempt();
  ASSERT_EQ(::chmod(path.c_str(), 0600), 0);
  ASSERT_EQ(::chmod(folder.ws().c_str(), 0555), 0);
  EXPECT_TRUE(attempt().starts_with("read_only: nothing can be written into")) << attempt();
  EXPECT_TRUE(as_ordinary_user([&] { return said(open("new.db")); }).starts_with("refused: cannot make"));
  ASSERT_EQ(::chmod(folder.ws().c_str(), 0755), 0);
}

TEST_F(SqliteFile, AFileThatIsRemovedWhileItIsOpenTakesNoMoreRecords) {
  auto store = *open();
  ASSERT_FINE(store->append(Records{created_record("a", 1)}));
  fs::rename(folder.in("tasks.db"), folder.in("elsewhere.db"));
  EXPECT_TRUE(fails(store->append(Records{said_record("a", 2, 2)}), Kind::io, "moved or removed"));
}

TEST_F(SqliteFile, ARecordThatIsTooLongNamesItsLimit) {
  SqliteOptions options;
  options.path = folder.in("tasks.db");
  options.record_bytes = 5000;
  auto store = *open_sqlite(options);
  ASSERT_FINE(store->append(Records{created_record("a", 1)}));
  EXPECT_TRUE(
      fails(store->append(Records{said_record("a", 2, 2, std::string(6000, 'x'))}), Kind::refused, "record_bytes"));
  EXPECT_FINE(store->append(Records{said_record("a", 2, 2, std::string(4000, 'x'))}));
}

TEST_F(SqliteFile, AWriterThatDoesNotStopIsBusy) {
  fill();
  auto store = *open();
  sqlite3* other = nullptr;
  ASSERT_EQ(sqlite3_open(folder.in("tasks.db").c_str(), &other), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(other, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr), SQLITE_OK);
  EXPECT_TRUE(fails(store->append(Records{created_record("b", 1)}), Kind::busy, "busy_ms"));
  EXPECT_FINE(store->load("a")) << "reading does not wait";
  EXPECT_FINE(open()) << "nor does opening";
  sqlite3_exec(other, "ROLLBACK", nullptr, nullptr, nullptr);
  sqlite3_close(other);
  EXPECT_FINE(store->append(Records{created_record("b", 1)}));
}

TEST_F(SqliteFile, ManyThreadsMayMakeAndFillItAtOnce) {
  for (int round = 0; round < 30; ++round) {
    const std::string name = "tasks-" + std::to_string(round) + ".db";
    std::vector<std::string> words(6);
    {
      std::vector<std::jthread> threads;
      for (std::size_t i = 0; i < words.size(); ++i)
        threads.emplace_back([&, i] {
          SqliteOptions options;
          options.path = folder.in(name);
          options.busy_ms = 60'000;
          auto store = open_sqlite(options);
          words[i] = said(store);
          const std::string id = "t" + std::to_string(i);
          if (store) words[i] = said((*store)->append(Records{created_record(id, 1)}));
          for (std::uint64_t n = 2; n < 8 && words[i] == "fine"; ++n)
            words[i] = said((*store)->append(Records{said_record(id, n, 1)}));
        });
    }
    for (const std::string& word : words) ASSERT_EQ(word, "fine");
    auto store = *open(name);
    for (std::size_t i = 0; i < words.size(); ++i) EXPECT_EQ(store->load("t" + std::to_string(i))->size(), 7u);
  }
}

// Versions.

TEST_F(SqliteFile, AFileOfTheFirstVersionIsBroughtUpToDate) {
  const std::string first = ScratchFolder::get_at(std::string(BELAY_STORE_DIR) + "/version-1.sql");
  ASSERT_FALSE(first.empty());
  sql(first.c_str());
  auto store = open();
  ASSERT_FINE(store);
  const Records records = {created_record("a", 5, "old"), said_record("a", 2, 6),
                           outcome_record("a", 3, 7, {"fence"}, task::Outcome::Became::mended)};
  EXPECT_EQ((*store)->load("a").value_or(Records{}), records);
  EXPECT_EQ((*store)->list({})->front(), (Summary{"a", "", "old", "m", 5, 7, 3, 0, ""}));
  EXPECT_EQ((*store)->outcomes(0)->size(), 1u);
  EXPECT_FINE((*store)->append(Records{said_record("a", 4, 8)}));
}

class SqliteSteps : public SqliteFile {
 protected:
  [[nodiscard]] std::string migrated(const std::vector<Step>& list) const {
    auto database = Database::open(folder.in("tasks.db"), "");
    EXPECT_FINE(database);
    auto done = migrate(**database, list);
    auto version = (*database)->number("PRAGMA user_version");
    return said(done) + " " + std::to_string(version.value_or(-1));
  }
};

TEST_F(SqliteSteps, EachStepIsATransactionAndIsDoneOnce) {
  fill();
  std::vector<Step> list(steps().begin(), steps().end());
  const std::string newest = std::to_string(list.size());
  EXPECT_EQ(migrated(list), "fine " + newest);
  list.push_back({"CREATE TABLE second (x); INSERT INTO second VALUES (1); PRAGMA user_version = 2;"});
  EXPECT_EQ(migrated(list), "fine 2");
  EXPECT_EQ(migrated(list), "fine 2") << "the table would be there already";
  list.push_back({"DROP TABLE second; PRAGMA user_version = 3; SELECT no_such_function();"});
  EXPECT_TRUE(migrated(list).ends_with(" 2")) << migrated(list);
  list.back() = {"DROP TABLE second;"};
  EXPECT_EQ(migrated(list), "refused: step 3 of the schema leads to version 2: it must set its own number 2");
  list.back() = {"DROP TABLE second; PRAGMA user_version = 3;"};
  EXPECT_EQ(migrated(list), "fine 3") << "what failed left the table where it was";
}

TEST_F(SqliteSteps, TheListIsOfConsecutiveVersions) {
  EXPECT_EQ(steps().size(), 1u) << "a new step needs the newest version's file as a fixture beside version-1.sql";
}

// Damage.

class SqliteDamage : public SqliteFile {};

TEST_F(SqliteDamage, AChangedByteGivesAnErrorOrTheSameRecords) {
  {
    auto store = *open();
    ASSERT_FINE(store->append(Records{created_record("a", 1), turn_record("a", 2, 2), finding_record("a", 3, 3),
                                      child_record("a", 4, 4, "a.1"), created_record("a.1", 4, "part", "a")}));
  }
  const auto expected = (*open())->load_tree("a");
  ASSERT_FINE(expected);
  const std::string whole = folder.get("tasks.db");
  std::size_t noticed = 0, same = 0;
  // All of the pages' heads, where the structure is, and every 17th byte elsewhere.
  for (std::size_t at = 0; at < whole.size(); at += at % 4096 < 200 ? 1u : 17u) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ (at % 3 == 0 ? 0x01 : 0xff));
    const std::string name = "damaged.db";
    folder.put(name, damaged);
    auto store = open(name);
    auto tree = store ? (*store)->load_tree("a") : Expected<Records>(std::unexpected(store.error()));
    if (tree) {
      ++same;
      ASSERT_EQ(*tree == *expected, true) << "byte " << at;
    } else {
      ++noticed;
      const Kind kind = tree.error().kind;
      ASSERT_TRUE(kind == Kind::corrupt || kind == Kind::refused || kind == Kind::newer || kind == Kind::not_found)
          << "byte " << at << ": " << tree.error().message;
    }
    if (store) {
      (void)(*store)->list({100, true, ""});
      (void)(*store)->export_json("a");
      (void)(*store)->append(Records{said_record("a", 5, 9)});
      (void)(*store)->fork("a", 0, "b", 1);
      (void)(*store)->remove("a");
    }
    store = std::unexpected(Error{});
    for (const char* tail : {"", "-wal", "-shm", "-journal"}) fs::remove(folder.in(name + tail));
  }
  EXPECT_GT(noticed, 100u);
  EXPECT_GT(same, 100u);
}

TEST_F(SqliteDamage, WhatWasChangedBehindOurBackIsCorrupt) {
  const auto changed = [&](const char* statement) {
    for (const char* tail : {"", "-wal", "-shm"}) fs::remove(folder.in(std::string("tasks.db") + tail));
    fill();
    sql(statement);
    return (*open())->load("a");
  };
  EXPECT_TRUE(
      fails(changed("UPDATE records SET body = replace(body, 'x', 'y') WHERE number = 4"), Kind::corrupt, "record 4"));
  EXPECT_TRUE(fails(changed("UPDATE records SET time = 1 WHERE number = 4"), Kind::corrupt, "record 4"));
  EXPECT_TRUE(fails(changed("UPDATE records SET kind = 'said' WHERE number = 4"), Kind::corrupt, "record 4"));
  EXPECT_TRUE(fails(changed("DELETE FROM records WHERE number = 4"), Kind::corrupt, "record 5"));
  EXPECT_TRUE(fails(changed("DELETE FROM records WHERE number > 4"), Kind::corrupt, "4 records instead of 81"));
  EXPECT_FINE(changed("SELECT 1"));
}

TEST_F(SqliteDamage, ARowThatBelongsToNoTaskIsSeenWhenTheFileIsOpened) {
  fill();
  sql("PRAGMA foreign_keys = OFF; UPDATE tasks SET id = 'b'");
  expect_refused(Kind::corrupt, "belongs to no task");
  SqliteOptions options;
  options.path = folder.in("tasks.db");
  options.check_bytes = 4096;
  EXPECT_TRUE(fails((*open_sqlite(options))->load("b"), Kind::corrupt)) << "what is too large to look at says it later";
}

TEST_F(SqliteDamage, ATableThatIsGoneIsAnErrorAndNoCrash) {
  fill();
  sql("DROP TABLE outcomes; DROP TABLE records");
  auto store = open();
  ASSERT_FINE(store);
  EXPECT_FALSE((*store)->load("a"));
  EXPECT_FALSE((*store)->append(Records{created_record("b", 1)}));
  EXPECT_FALSE((*store)->outcomes(0));
  EXPECT_FALSE((*store)->outcomes_by_day(0, 0));
}

// Random work.

RC_GTEST_PROP(SqliteProperty, BatchesOfAnythingComeBackAfterReopening, ()) {
  const std::string decisions = *check::decisions(30.0);
  check::Choices choices(decisions);
  ScratchFolder folder;
  SqliteOptions options;
  options.path = folder.in("tasks.db");
  options.log_pages = 1 + choices.below(20);
  auto store = open_sqlite(options);
  RC_ASSERT(store.has_value());

  std::map<std::string, Records> model;
  for (const char* id : {"a", "b", "c"}) model[id] = check::any_task(id, 1 + choices.below(12), choices);
  std::map<std::string, std::size_t> next;
  while (true) {
    Records batch;
    for (std::size_t n = 1 + choices.below(6); n > 0; --n) {
      std::vector<std::string> left;
      for (const auto& [id, records] : model)
        if (next[id] < records.size()) left.push_back(id);
      if (left.empty()) break;
      const std::string id = choices.pick(left);
      batch.push_back(model[id][next[id]++]);
    }
    if (batch.empty()) break;
    RC_ASSERT((*store)->append(batch).has_value());
    if (choices.once_in(4)) {
      store->reset();
      store = open_sqlite(options);
      RC_ASSERT(store.has_value());
    }
  }
  store->reset();
  store = open_sqlite(options);
  RC_ASSERT(store.has_value());
  for (const auto& [id, records] : model) RC_ASSERT((*store)->load(id).value() == records);
  RC_ASSERT((*store)->list({}).value().size() == model.size());
}

}  // namespace
}  // namespace belay::store
