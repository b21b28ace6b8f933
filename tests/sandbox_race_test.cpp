// Somebody flips folders and links while files are read and written.
#include "scratch_folder.h"

#include <belay/sandbox/workspace.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <thread>

namespace belay::sandbox {
namespace {

using check::ScratchFolder;

constexpr int kRounds = 20'000;

// Exchanges two names of the workspace until it goes.
class Flipper {
 public:
  Flipper(const std::string& a, const std::string& b)
      : thread_([this, a, b](const std::stop_token& stop) {
          while (!stop.stop_requested()) {
            if (::renameat2(AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), RENAME_EXCHANGE) == 0) ++flips_;
          }
        }) {
    while (flips_ == 0) std::this_thread::yield();
  }
  [[nodiscard]] int flips() const { return flips_; }

 private:
  std::atomic<int> flips_ = 0;
  std::jthread thread_;
};

class WorkspaceRace : public testing::TestWithParam<Resolver> {
 protected:
  [[nodiscard]] Workspace workspace() const {
    WorkspaceOptions options;
    options.resolver = GetParam();
    return std::move(*Workspace::open(folder.ws(), options));
  }
  ScratchFolder folder;
};

INSTANTIATE_TEST_SUITE_P(Both, WorkspaceRace, testing::Values(Resolver::kernel, Resolver::walk),
                         [](const auto& way) { return way.param == Resolver::kernel ? "Kernel" : "Walk"; });

TEST_P(WorkspaceRace, AFolderThatBecomesALinkIsNeverReadThrough) {
  folder.put("d/secret.txt", "public\n");
  folder.link("../outside", "l");
  const Workspace w = workspace();
  Flipper flipper(folder.in("d"), folder.in("l"));
  int fine = 0, refused = 0;
  for (int i = 0; i < kRounds; ++i) {
    auto content = w.read("d/secret.txt");
    if (content) {
      ASSERT_EQ(content->bytes, "public\n");
      ++fine;
    } else {
      ++refused;
    }
  }
  EXPECT_GT(fine, 0);
  EXPECT_GT(refused, 0);
  EXPECT_GT(flipper.flips(), 100);
}

TEST_P(WorkspaceRace, AFolderThatBecomesALinkIsNeverWrittenThrough) {
  folder.folder("d");
  folder.link("../outside", "l");
  const Workspace w = workspace();
  Flipper flipper(folder.in("d"), folder.in("l"));
  int fine = 0, refused = 0;
  // A write takes a while, since it is forced to the disk. How often it meets the folder is up to the scheduler.
  for (int i = 0; i < kRounds / 20 || (fine == 0 && i < kRounds); ++i) ++(w.write("d/out.txt", "x") ? fine : refused);
  for (int i = 0; i < kRounds; ++i)
    ++(w.write("d/new/out.txt", "x", {Expected::Is::content, "never"}) ? fine : refused);
  EXPECT_GT(fine, 0);
  EXPECT_GT(refused, 0);
  EXPECT_EQ(ScratchFolder::count(folder.top() + "/outside"), 1U);
  EXPECT_EQ(ScratchFolder::get_at(folder.top() + "/outside/secret.txt"), "SECRET\n");
}

TEST_P(WorkspaceRace, AFileThatBecomesALinkIsNeitherReadNorWrittenThrough) {
  folder.put("f", "public\n");
  folder.link("../outside/secret.txt", "l");
  const Workspace w = workspace();
  Flipper flipper(folder.in("f"), folder.in("l"));
  for (int i = 0; i < kRounds; ++i) {
    auto content = w.read("f");
    ASSERT_EQ(content ? content->bytes : "public\n", "public\n");
  }
  for (int i = 0; i < kRounds / 20; ++i) static_cast<void>(w.write("f", "public\n"));
  EXPECT_EQ(ScratchFolder::get_at(folder.top() + "/outside/secret.txt"), "SECRET\n");
}

TEST_P(WorkspaceRace, AFolderOnTheWayUpThatMovesLeadsNowhereElse) {
  // d/e/../../x: while e is moved to outside, its parent is another one.
  folder.folder("d/e");
  folder.put("x", "inside\n");
  ScratchFolder::put_at(folder.top() + "/x", "SECRET\n");
  const Workspace w = workspace();
  std::atomic<int> moved = 0;
  std::jthread mover([&](const std::stop_token& stop) {
    const std::string in = folder.in("d/e"), out = folder.top() + "/outside/e";
    while (!stop.stop_requested()) {
      if (::rename(in.c_str(), out.c_str()) == 0) ++moved;
      ::rename(out.c_str(), in.c_str());
    }
  });
  while (moved == 0) std::this_thread::yield();
  int fine = 0;
  for (int i = 0; i < kRounds; ++i) {
    auto content = w.read("d/e/../../x");
    ASSERT_EQ(content ? content->bytes : "inside\n", "inside\n");
    if (content) ++fine;
  }
  EXPECT_GT(fine, 0);
}

TEST_P(WorkspaceRace, WhatSomebodyElseWroteIsNotOverwrittenUnseen) {
  // Another writer adds to the file by replacing it; an edit that lost must say so, and no addition may vanish.
  folder.put("f", "");
  const Workspace w = workspace();
  constexpr int kEach = 150;
  const auto add = [&](char mark) {
    for (int done = 0; done < kEach;) {
      auto old = w.read("f");
      if (!old) continue;
      const std::string next = old->bytes + mark;
      auto written = w.write("f", next, {Expected::Is::content, old->bytes});
      if (written) {
        ++done;
      } else {
        ASSERT_EQ(written.error().kind, PathErrorKind::changed) << written.error().message;
      }
    }
  };
  std::jthread other([&] { add('b'); });
  add('a');
  other.join();
  const std::string all = folder.get("f");
  EXPECT_EQ(std::ranges::count(all, 'a'), kEach);
  EXPECT_EQ(std::ranges::count(all, 'b'), kEach);
  EXPECT_EQ(ScratchFolder::count(folder.ws()), 1U);
}

}  // namespace
}  // namespace belay::sandbox
