// Claims between real processes, which are killed.
#include "scratch_folder.h"
#include "store_expect.h"

#include <belay/store/sqlite.h>

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

namespace belay::store {
namespace {

using check::ScratchFolder;

// A process that opens the store, claims the task and says so; it then lives until it is killed. Made before this
// process opens the file: SQLite's connections and a fork do not go together.
class OtherProcess {
 public:
  OtherProcess(const std::string& path, const std::string& task, const std::string& name, bool with_child = false) {
    int out[2];
    if (::pipe(out) != 0) std::abort();
    pid_ = ::fork();
    if (pid_ == 0) {
      ::close(out[0]);
      SqliteOptions options;
      options.path = path;
      auto store = open_sqlite(options);
      auto claim = store ? (*store)->claim(task, {name, ::getpid()}) : Expected<std::unique_ptr<Claim>>(nullptr);
      pid_t below = 0;
      if (with_child && (below = ::fork()) == 0) {
        ::close(out[1]);
        while (true) ::pause();
      }
      const std::string word = said(claim) + "\n" + std::to_string(below) + "\n";
      if (::write(out[1], word.data(), word.size()) < 0) ::_exit(1);
      ::close(out[1]);
      while (true) ::pause();
    }
    ::close(out[1]);
    char c = 0;
    std::string below;
    std::string* to = &word_;
    while (::read(out[0], &c, 1) == 1) {
      if (c != '\n')
        *to += c;
      else if (to == &word_)
        to = &below;
      else
        break;
    }
    ::close(out[0]);
    child_ = std::atoi(below.c_str());
  }
  OtherProcess(const OtherProcess&) = delete;
  OtherProcess& operator=(const OtherProcess&) = delete;
  ~OtherProcess() {
    kill();
    kill_child();
  }

  void kill() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    pid_ = 0;
  }
  void kill_child() {
    if (child_ > 0) ::kill(child_, SIGKILL);
    child_ = 0;
  }
  [[nodiscard]] const std::string& word() const { return word_; }
  [[nodiscard]] pid_t pid() const { return pid_; }

 private:
  pid_t pid_ = 0, child_ = 0;
  std::string word_;
};

class StoreClaim : public testing::Test {
 protected:
  StoreClaim() {
    auto store = open(0);
    EXPECT_FINE(store);
    EXPECT_FINE((*store)->append(
        Records{created_record("a", 1), created_record("a.1", 1, "part", "a"), created_record("b", 1)}));
  }
  [[nodiscard]] Expected<std::unique_ptr<Store>> open(std::int64_t busy_ms) const {
    SqliteOptions options;
    options.path = folder.in("tasks.db");
    options.busy_ms = busy_ms;
    return open_sqlite(options);
  }
  ScratchFolder folder;
};

TEST_F(StoreClaim, AnotherProcessHasItUntilItIsKilled) {
  OtherProcess other(folder.in("tasks.db"), "a", "ann@host");
  ASSERT_EQ(other.word(), "fine");
  auto store = *open(0);
  EXPECT_TRUE(fails(store->claim("a", {"me", 1}), Kind::claimed, "ann@host, process " + std::to_string(other.pid())));
  EXPECT_TRUE(fails(store->claim("a.1", {"me", 1}), Kind::claimed, "UTC"));
  EXPECT_TRUE(fails(store->remove("a"), Kind::claimed));
  EXPECT_FINE(store->claim("b", {"me", 1}));
  other.kill();
  EXPECT_FINE(store->claim("a", {"me", 1}));
  EXPECT_FINE(store->remove("a"));
}

TEST_F(StoreClaim, OfManyProcessesAtOnceExactlyOneHasIt) {
  for (int round = 0; round < 10; ++round) {
    std::vector<std::unique_ptr<OtherProcess>> others;
    int winners = 0;
    for (int i = 0; i < 4; ++i) others.push_back(std::make_unique<OtherProcess>(folder.in("tasks.db"), "a", "w"));
    for (const auto& other : others) {
      winners += other->word() == "fine";
      EXPECT_TRUE(other->word() == "fine" || other->word().starts_with("claimed:")) << other->word();
    }
    EXPECT_EQ(winners, 1);
  }
}

// What a dead owner forked may still be at work: it is waited for, and then named.
TEST_F(StoreClaim, WhatADeadOwnerStartedHoldsTheClaimUntilItEnds) {
  OtherProcess other(folder.in("tasks.db"), "a", "ann@host", true);
  ASSERT_EQ(other.word(), "fine");
  other.kill();
  EXPECT_TRUE(fails((*open(0))->claim("a", {"me", 1}), Kind::claimed, "something that it started still runs"));
  other.kill_child();
  EXPECT_FINE((*open(60'000))->claim("a", {"me", 1}));
}

TEST_F(StoreClaim, AForkedCopyThatGoesDoesNotEndTheClaim) {
  auto store = *open(0);
  auto mine = store->claim("a", {"me", 1});
  ASSERT_FINE(mine);
  const pid_t child = ::fork();
  if (child == 0) {
    mine->reset();
    ::_exit(0);
  }
  ::waitpid(child, nullptr, 0);
  EXPECT_TRUE(fails(store->claim("a", {"me", 2}), Kind::claimed));
}

TEST_F(StoreClaim, NothingIsLeftOfAClaimThatWasReleased) {
  auto store = *open(0);
  {
    auto mine = store->claim("a", {"me", 1});
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.in("tasks.db.claims")));
  struct stat s{};
  ASSERT_EQ(::stat(folder.in("tasks.db.claims").c_str(), &s), 0);
  EXPECT_EQ(s.st_mode & 0777, 0700u);
}

TEST_F(StoreClaim, TheFilesOfClaimsStayInTheirFolder) {
  auto store = *open(0);
  const Words ids = {"../../x", "/etc/passwd", "..", ".", "a%2fb", std::string(256, '/'), std::string(255, '/') + "x"};
  for (const std::string& id : ids) ASSERT_FINE(store->append(Records{created_record(id, 1)}));
  std::vector<std::unique_ptr<Claim>> held;
  for (const std::string& id : ids) {
    auto claim = store->claim(id, {"me\nyou", 1});
    ASSERT_FINE(claim);
    held.push_back(std::move(*claim));
  }
  EXPECT_EQ(ScratchFolder::count(folder.in("tasks.db.claims")), ids.size());
  EXPECT_EQ(ScratchFolder::count(folder.top()), 2u);
}

TEST_F(StoreClaim, AnotherNameOfTheFileHasTheSameClaims) {
  folder.link("tasks.db", "link.db");
  auto store = *open(0);
  SqliteOptions options;
  options.path = folder.in("link.db");
  auto other = *open_sqlite(options);
  auto mine = store->claim("a", {"me", 1});
  EXPECT_TRUE(fails(other->claim("a", {"x", 1}), Kind::claimed));
}

TEST_F(StoreClaim, AClaimFileWithAnythingInItIsNoObstacle) {
  auto store = *open(0);
  std::filesystem::create_directory(folder.in("tasks.db.claims"));
  for (const std::string& junk :
       Words{"", "x", "12", "12 ", "99999999999999999999 1 x", std::string(10000, '7'), "-5 -5 \n"}) {
    ScratchFolder::put_at(folder.in("tasks.db.claims/a"), junk);
    EXPECT_FINE(store->claim("a", {"me", 1})) << junk;
  }
  std::filesystem::create_directory(folder.in("tasks.db.claims/b"));
  EXPECT_TRUE(fails(store->claim("b", {"me", 1}), Kind::refused, "tasks.db.claims/b"));
}

// A process adds records as fast as it can, says after each batch how many there are, and is killed in the middle.
TEST_F(StoreClaim, WhatAKilledProcessAcknowledgedIsThere) {
  std::uint64_t last = 1;
  for (int round = 0; round < 20; ++round) {
    int out[2];
    ASSERT_EQ(::pipe(out), 0);
    const pid_t child = ::fork();
    if (child == 0) {
      ::close(out[0]);
      auto store = open(60'000);
      auto claim = store ? (*store)->claim("a", {"writer", ::getpid()}) : Expected<std::unique_ptr<Claim>>(nullptr);
      if (!store || !claim) ::_exit(1);
      for (std::uint64_t n = (*store)->load("a")->size() + 1;; n += 2) {
        if (!(*store)->append(Records{said_record("a", n, 1), said_record("a", n + 1, 1)})) ::_exit(2);
        const std::uint64_t there = n + 1;
        if (::write(out[1], &there, sizeof there) != sizeof there) ::_exit(3);
      }
    }
    ::close(out[1]);
    std::uint64_t told = last, heard = 0;
    for (int i = 0; i <= round % 7 && ::read(out[0], &heard, sizeof heard) == sizeof heard; ++i) told = heard;
    ::kill(child, SIGKILL);
    while (::read(out[0], &heard, sizeof heard) == sizeof heard) told = heard;
    ::close(out[0]);
    int status = 0;
    ::waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status));
    auto store = *open(0);
    EXPECT_FINE(store->claim("a", {"me", ::getpid()})) << "it is free at once";
    auto records = store->load("a");
    ASSERT_FINE(records);
    EXPECT_GE(records->size(), told);
    EXPECT_EQ(records->size() % 2, 1u) << "half of a batch";
    EXPECT_GT(records->size(), last);
    last = records->size();
  }
}

TEST_F(StoreClaim, ManyProcessesMayMakeTheFileAtOnce) {
  for (int round = 0; round < 10; ++round) {
    SqliteOptions options;
    options.path = folder.in("new-" + std::to_string(round) + ".db");
    options.busy_ms = 60'000;
    std::vector<pid_t> children;
    for (int i = 0; i < 6; ++i) {
      const pid_t child = ::fork();
      if (child == 0) {
        auto store = open_sqlite(options);
        if (!store) ::_exit(100 + static_cast<int>(store.error().kind));
        auto done = (*store)->append(Records{created_record("t" + std::to_string(i), 1)});
        if (!done) ::_exit(200 + static_cast<int>(done.error().kind));
        store->reset();
        ::_exit(0);
      }
      children.push_back(child);
    }
    for (const pid_t child : children) {
      int status = 0;
      ::waitpid(child, &status, 0);
      EXPECT_EQ(WIFEXITED(status) ? WEXITSTATUS(status) : -1, 0);
    }
    EXPECT_EQ((*open_sqlite(options))->list({})->size(), 6u);
  }
}

// POSIX drops the locks of a process on a file when it closes any descriptor of it. Another process would then take us
// for gone, and remove the log when it closes.
TEST_F(StoreClaim, LookingAtTheFileDoesNotDropTheLocksOfAnotherStoreInTheSameProcess) {
  int go[2];
  ASSERT_EQ(::pipe(go), 0);
  const pid_t child = ::fork();  // before we open the file
  if (child == 0) {
    char c = 0;
    if (::read(go[0], &c, 1) != 1) ::_exit(1);
    {
      auto theirs = open(60'000);
      if (!theirs || !(*theirs)->append(Records{said_record("b", 2, 2)})) ::_exit(2);
    }
    ::_exit(0);
  }
  auto store = *open(0);
  ASSERT_FINE(store->append(Records{said_record("a", 2, 2)}));
  for (int i = 0; i < 3; ++i) ASSERT_FINE(open(0));
  ASSERT_EQ(::write(go[1], "x", 1), 1);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(std::filesystem::exists(folder.in("tasks.db-wal"))) << "we still have it open";
  ASSERT_FINE(store->append(Records{said_record("a", 3, 3)}));
  store.reset();
  auto after = *open(0);
  EXPECT_EQ(after->load("a")->size(), 3u);
  EXPECT_EQ(after->load("b")->size(), 2u);
}

}  // namespace
}  // namespace belay::store
