// Every call to the file system fails in turn, and the power goes at every one of them. What was acknowledged is there,
// and nothing is half there.
#include "scratch_folder.h"
#include "store_expect.h"
#include "support/fault_vfs.h"

#include <belay/store/sqlite.h>

#include <sqlite3.h>

#include <algorithm>
#include <set>

namespace belay::store {
namespace {

using check::Fault;
using check::FaultVfs;
using check::Left;
using check::ScratchFolder;

// The work: a root and a child that are written together, some of it large, and a log that is emptied every few pages.
std::vector<Records> work() {
  std::vector<Records> batches;
  batches.push_back({created_record("a", 1)});
  batches.push_back({turn_record("a", 2, 2), child_record("a", 3, 2, "a.1"), created_record("a.1", 2, "part", "a")});
  batches.push_back({finding_record("a", 4, 3, std::string(9000, 'x')), said_record("a.1", 2, 3)});
  batches.push_back({outcome_record("a", 5, 4, {"fence"}, task::Outcome::Became::mended), turn_record("a.1", 3, 4)});
  batches.push_back({finished_record("a.1", 4, 5, task::EndReason::completed), said_record("a", 6, 5)});
  return batches;
}

SqliteOptions options_for(const std::string& path, const std::string& vfs = {}) {
  SqliteOptions options;
  options.path = path;
  options.vfs = vfs;
  options.busy_ms = 0;
  options.log_pages = 6;
  return options;
}

// Opens, adds all batches in order and closes. A batch that fails is tried once more, and when that fails too the run
// ends, as a task would. Says which batches were acknowledged.
struct Working {
  std::size_t acknowledged = 0;
  std::vector<Error> errors;

  explicit Working(const SqliteOptions& options) {
    auto store = open_sqlite(options);
    if (!store) {
      errors.push_back(store.error());
      return;
    }
    for (const Records& batch : work()) {
      auto done = (*store)->append(batch);
      if (!done) {
        errors.push_back(done.error());
        done = (*store)->append(batch);
      }
      if (!done) {
        errors.push_back(done.error());
        return;
      }
      ++acknowledged;
    }
  }
};

std::string integrity(const std::string& path) {
  sqlite3* handle = nullptr;
  sqlite3_stmt* statement = nullptr;
  std::string said = "nothing";
  if (sqlite3_open_v2(path.c_str(), &handle, SQLITE_OPEN_READWRITE, nullptr) == SQLITE_OK &&
      sqlite3_prepare_v2(handle, "PRAGMA integrity_check", -1, &statement, nullptr) == SQLITE_OK &&
      sqlite3_step(statement) == SQLITE_ROW)
    said = reinterpret_cast<const char*>(sqlite3_column_text(statement, 0));
  sqlite3_finalize(statement);
  sqlite3_close(handle);
  return said;
}

// What the plain file system finds afterwards: the acknowledged batches, whole, and at most one more, whole too; and
// the work can go on from there.
void expect_sound(const std::string& path, const Working& run) {
  auto store = open_sqlite(options_for(path));
  ASSERT_FINE(store);
  const std::vector<Records> batches = work();
  Records there;
  if (auto tree = (*store)->load_tree("a"))
    there = std::move(*tree);
  else
    ASSERT_EQ(tree.error().kind, Kind::not_found) << tree.error().message;

  const auto order = [](const task::Record& a, const task::Record& b) {
    return std::pair(a.task, a.number) < std::pair(b.task, b.number);
  };
  Records expected;
  std::size_t whole = 0;
  for (; whole < batches.size() && expected.size() < there.size(); ++whole)
    expected.insert(expected.end(), batches[whole].begin(), batches[whole].end());
  std::ranges::sort(expected, order);
  std::ranges::sort(there, order);
  ASSERT_EQ(there, expected) << "half of a batch, or something else";
  ASSERT_GE(whole, run.acknowledged) << "something acknowledged is lost";
  ASSERT_LE(whole, run.acknowledged + 1);
  ASSERT_EQ((*store)->outcomes(0)->size(), whole >= 4 ? 1u : 0u);
  const auto list = (*store)->list({100, true, ""});
  ASSERT_FINE(list);
  for (const Summary& s : *list) ASSERT_EQ(s.records, std::ranges::count(expected, s.id, &task::Record::task)) << s.id;

  for (; whole < batches.size(); ++whole) ASSERT_FINE((*store)->append(batches[whole]));
  ASSERT_FINE((*store)->load_tree("a"));
  store->reset();
  ASSERT_EQ(integrity(path), "ok");
}

struct Case {
  Fault fault;
  bool made;  // the file is there before, with nothing in it
};

class StoreFaults : public testing::TestWithParam<Case> {
 protected:
  FaultVfs vfs;
};

std::string case_name(const testing::TestParamInfo<Case>& info) {
  static constexpr const char* kNames[] = {"None", "Full", "FullForGood", "Io", "IoForGood", "Power"};
  return std::string(kNames[static_cast<int>(info.param.fault)]) + (info.param.made ? "InAFile" : "WhileItIsMade");
}

INSTANTIATE_TEST_SUITE_P(Each, StoreFaults,
                         testing::Values(Case{Fault::full, false}, Case{Fault::full, true},
                                         Case{Fault::full_stays, false}, Case{Fault::full_stays, true},
                                         Case{Fault::io, false}, Case{Fault::io, true}, Case{Fault::io_stays, false},
                                         Case{Fault::io_stays, true}),
                         case_name);

TEST_P(StoreFaults, EveryCallFailsInTurnAndNothingIsLostOrHalfThere) {
  const bool full = GetParam().fault == Fault::full || GetParam().fault == Fault::full_stays;
  std::uint64_t n = 1, told = 0;
  std::set<std::string> calls;
  for (;; ++n) {
    ScratchFolder folder;
    const std::string path = folder.in("tasks.db");
    if (GetParam().made) {
      ASSERT_FINE(open_sqlite(options_for(path)));
    }
    vfs.plan(GetParam().fault, n);
    const Working run(options_for(path, vfs.name()));
    const bool fired = vfs.fired();
    calls.insert(vfs.where());
    SCOPED_TRACE("call " + std::to_string(n) + ", " + vfs.where());
    vfs.plan(Fault::none, 0);
    told += run.errors.size();
    for (const Error& error : run.errors) {
      const bool right = error.kind == Kind::io || error.kind == (full ? Kind::full : Kind::refused);
      ASSERT_TRUE(right) << name(error.kind) << ": " << error.message;
    }
    EXPECT_TRUE(fired || run.errors.empty());
    ASSERT_NO_FATAL_FAILURE(expect_sound(path, run));
    if (!fired) break;
  }
  RecordProperty("faults", static_cast<int>(n));
  EXPECT_GT(told, n / 4) << "most faults reach whoever called";
  EXPECT_GT(n, 60u);
  const std::set<std::string> all = {"write",   "sync",     "open", "delete", "truncate",
                                     "shm_map", "shm_lock", "lock", "read",   "size"};
  EXPECT_TRUE(full || std::ranges::includes(calls, all));
}

class StoreFaultsInAFile : public StoreFaults {};
INSTANTIATE_TEST_SUITE_P(Each, StoreFaultsInAFile,
                         testing::Values(Case{Fault::full, true}, Case{Fault::full_stays, true}, Case{Fault::io, true},
                                         Case{Fault::io_stays, true}),
                         case_name);

TEST_P(StoreFaultsInAFile, AForkAndARemovalAreThereWholeOrNotAtAll) {
  Records all;
  for (const Records& batch : work()) all.insert(all.end(), batch.begin(), batch.end());
  for (std::uint64_t n = 1;; ++n) {
    ScratchFolder folder;
    const std::string path = folder.in("tasks.db");
    {
      auto store = open_sqlite(options_for(path));
      ASSERT_FINE(store);
      ASSERT_FINE((*store)->append(all));
    }
    vfs.plan(GetParam().fault, n);
    bool forked = false, removed = false;
    if (auto store = open_sqlite(options_for(path, vfs.name()))) {
      forked = (*store)->fork("a", 0, "f", 9).has_value();
      removed = (*store)->remove("a").has_value();
    }
    const bool fired = vfs.fired();
    SCOPED_TRACE("call " + std::to_string(n) + ", " + vfs.where());
    vfs.plan(Fault::none, 0);
    auto store = open_sqlite(options_for(path));
    ASSERT_FINE(store);
    auto original = (*store)->load_tree("a"), copy = (*store)->load_tree("f");
    ASSERT_TRUE(original ? original->size() == all.size() : original.error().kind == Kind::not_found);
    ASSERT_TRUE(copy ? copy->size() == all.size() : copy.error().kind == Kind::not_found);
    ASSERT_TRUE(!forked || copy);
    ASSERT_FALSE(removed && original);
    ASSERT_TRUE(fired || (forked && removed));
    store->reset();
    ASSERT_EQ(integrity(path), "ok");
    if (!fired) break;
  }
}

struct Cut {
  Left left;
  bool made;
};
class StorePowerCut : public testing::TestWithParam<Cut> {
 protected:
  FaultVfs vfs;
};

std::string cut_name(const testing::TestParamInfo<Cut>& info) {
  static constexpr const char* kNames[] = {"AllIsLeft", "NothingIsLeft", "SomeWritesAreLeft", "SomeSectorsAreLeft"};
  return std::string(kNames[static_cast<int>(info.param.left)]) + (info.param.made ? "OfAFile" : "WhileItIsMade");
}

INSTANTIATE_TEST_SUITE_P(Each, StorePowerCut,
                         testing::Values(Cut{Left::all, false}, Cut{Left::all, true}, Cut{Left::nothing, false},
                                         Cut{Left::nothing, true}, Cut{Left::writes, false}, Cut{Left::writes, true},
                                         Cut{Left::sectors, false}, Cut{Left::sectors, true}),
                         cut_name);

TEST_P(StorePowerCut, AtEveryCallNothingAcknowledgedIsLost) {
  const bool chance = GetParam().left == Left::writes || GetParam().left == Left::sectors;
  std::uint64_t n = 1;
  for (bool fired = true; fired; ++n) {
    for (std::uint64_t seed = 0; seed < (chance ? 2u : 1u); ++seed) {
      ScratchFolder folder;
      const std::string path = folder.in("tasks.db");
      if (GetParam().made) {
        ASSERT_FINE(open_sqlite(options_for(path)));
      }
      vfs.plan(Fault::power, n);
      const Working run(options_for(path, vfs.name()));
      fired = vfs.fired();
      SCOPED_TRACE("call " + std::to_string(n) + ", " + vfs.where() + ", seed " + std::to_string(seed));
      vfs.settle(GetParam().left, n * 31 + seed);
      ASSERT_NO_FATAL_FAILURE(expect_sound(path, run));
    }
  }
  EXPECT_GT(n, 60u);
  RecordProperty("cuts", static_cast<int>(n));
}

// The promise rests on syncs: where they do nothing the tests above would find a loss.
TEST(StorePowerCutItself, FindsALossWhereSyncsAreLies) {
  for (const bool lies : {false, true}) {
    FaultVfs vfs;
    if (lies) vfs.lie_about_syncs();
    ScratchFolder folder;
    const std::string path = folder.in("tasks.db");
    auto store = open_sqlite(options_for(path, vfs.name()));
    ASSERT_FINE(store);
    for (const Records& batch : work()) ASSERT_FINE((*store)->append(batch));
    vfs.go_dark();
    store->reset();
    vfs.settle(Left::nothing, 1);
    auto after = open_sqlite(options_for(path));
    EXPECT_EQ(after && (*after)->load("a").has_value(), !lies);
  }
}

}  // namespace
}  // namespace belay::store
