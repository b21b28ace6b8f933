// Writing beneath the workspace: whole or not at all.
#include "scratch_folder.h"

#include "sandbox/replacement.h"

#include <belay/sandbox/workspace.h>

#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/resource.h>

#include <atomic>
#include <cerrno>
#include <thread>
#include <vector>

namespace belay::sandbox {
namespace {

using check::ScratchFolder;
using Kind = PathErrorKind;

// A disk of a few pages, as long as it lives.
class SmallDisk {
 public:
  explicit SmallDisk(std::string path) : path_(std::move(path)) {
    std::filesystem::create_directories(path_);
    mounted_ = ::mount("none", path_.c_str(), "tmpfs", 0, "size=64k,nr_inodes=16") == 0;
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;
  ~SmallDisk() {
    if (mounted_) ::umount2(path_.c_str(), MNT_DETACH);
  }
  [[nodiscard]] bool mounted() const { return mounted_; }
  [[nodiscard]] bool make_read_only() const {
    return ::mount("none", path_.c_str(), "tmpfs", MS_REMOUNT | MS_RDONLY, "size=64k") == 0;
  }

 private:
  std::string path_;
  bool mounted_ = false;
};

class WorkspaceWrite : public testing::TestWithParam<Resolver> {
 protected:
  [[nodiscard]] Workspace workspace(const std::string& path) const {
    WorkspaceOptions options;
    options.resolver = GetParam();
    auto opened = Workspace::open(path, options);
    if (!opened) ADD_FAILURE() << opened.error().message;
    return std::move(*opened);
  }
  [[nodiscard]] Workspace workspace() const { return workspace(folder.ws()); }
  [[nodiscard]] std::string writing(std::string_view path, std::string_view content = "x") const {
    auto written = workspace().write(path, content);
    return written ? (written->created ? "created" : "replaced") : std::string(name(written.error().kind));
  }
  [[nodiscard]] mode_t mode_of(std::string_view name) const {
    struct stat s{};
    EXPECT_EQ(::lstat(folder.in(name).c_str(), &s), 0);
    return s.st_mode & 07777;
  }
  ScratchFolder folder;
};

INSTANTIATE_TEST_SUITE_P(Both, WorkspaceWrite, testing::Values(Resolver::kernel, Resolver::walk),
                         [](const auto& way) { return way.param == Resolver::kernel ? "Kernel" : "Walk"; });

TEST_P(WorkspaceWrite, MakesFilesAndTheirFolders) {
  const mode_t umask = ::umask(027);
  auto written = workspace().write("a/b/c.txt", std::string_view("x\0y", 3));
  ::umask(umask);
  ASSERT_TRUE(written);
  EXPECT_TRUE(written->created);
  EXPECT_EQ(written->folders, 2U);
  EXPECT_EQ(written->place, "a/b/c.txt");
  EXPECT_TRUE(written->synchronised);
  EXPECT_EQ(folder.get("a/b/c.txt"), std::string("x\0y", 3));
  EXPECT_EQ(mode_of("a/b/c.txt"), 0640U);
  EXPECT_EQ(mode_of("a/b"), 0750U);
  EXPECT_EQ(writing("a/b/c.txt", ""), "replaced");
  EXPECT_EQ(folder.get("a/b/c.txt"), "");
  EXPECT_EQ(writing("./a/../d/e", "y"), "created");
  EXPECT_EQ(ScratchFolder::count(folder.in("a/b")), 1U);
}

TEST_P(WorkspaceWrite, GoingUpFromAFolderThatIsNotThereIsAnError) {
  EXPECT_EQ(writing("none/../x"), "not_found");
  EXPECT_EQ(writing("none/../../x"), "not_found");
  EXPECT_EQ(ScratchFolder::count(folder.ws()), 0U);
}

TEST_P(WorkspaceWrite, NothingOutsideIsEverWritten) {
  folder.link("../outside/created.txt", "dangling");
  folder.link("../outside/secret.txt", "link");
  folder.link("../outside", "out");
  folder.link("nowhere", "missing");
  folder.link("inside.txt", "to_inside");
  folder.put("inside.txt", "IN");
  EXPECT_EQ(writing("dangling"), "link");
  EXPECT_EQ(writing("link"), "link");
  EXPECT_EQ(writing("to_inside"), "link");
  EXPECT_EQ(writing("out"), "link");
  EXPECT_EQ(writing("out/x"), "outside");
  EXPECT_EQ(writing("out/new/x"), "outside");
  EXPECT_EQ(writing("missing/x"), "link");
  EXPECT_EQ(writing("../outside/x"), "outside");
  EXPECT_EQ(writing(folder.top() + "/outside/x"), "outside");
  EXPECT_EQ(writing("inside.txt/x"), "not_a_folder");
  EXPECT_EQ(writing("inside.txt/x/y"), "not_a_folder");
  EXPECT_NE(workspace().write("link", "x").error().message.find("is a symbolic link"), std::string::npos);
  EXPECT_EQ(ScratchFolder::count(folder.top() + "/outside"), 1U);
  EXPECT_EQ(ScratchFolder::get_at(folder.top() + "/outside/secret.txt"), "SECRET\n");
  EXPECT_EQ(folder.get("inside.txt"), "IN");
  EXPECT_FALSE(folder.exists("nowhere"));
}

TEST_P(WorkspaceWrite, FoldersThatAreLinksBeneathTheRootAreFollowed) {
  folder.folder("real");
  folder.link("real", "alias");
  auto written = workspace().write("alias/new/x.txt", "x");
  ASSERT_TRUE(written);
  EXPECT_EQ(written->place, "real/new/x.txt");
  EXPECT_EQ(folder.get("real/new/x.txt"), "x");
}

TEST_P(WorkspaceWrite, TheOtherNameOfAHardLinkKeepsWhatItHad) {
  ASSERT_EQ(::link((folder.top() + "/outside/secret.txt").c_str(), folder.in("hard").c_str()), 0);
  EXPECT_EQ(writing("hard", "mine"), "replaced");
  EXPECT_EQ(folder.get("hard"), "mine");
  EXPECT_EQ(ScratchFolder::get_at(folder.top() + "/outside/secret.txt"), "SECRET\n");
}

TEST_P(WorkspaceWrite, ModeAndOwnerStayWithoutTheBitsThatGiveRights) {
  folder.put("run.sh", "old");
  ::chmod(folder.in("run.sh").c_str(), 04751);
  folder.put("private", "old");
  ::chmod(folder.in("private").c_str(), 0600);
  if (::getuid() == 0) {
    ASSERT_EQ(::chown(folder.in("private").c_str(), 1234, 2345), 0);
  }
  EXPECT_EQ(writing("run.sh"), "replaced");
  EXPECT_EQ(writing("private"), "replaced");
  EXPECT_EQ(mode_of("run.sh"), 0751U);
  EXPECT_EQ(mode_of("private"), 0600U);
  struct stat s{};
  ASSERT_EQ(::stat(folder.in("private").c_str(), &s), 0);
  EXPECT_EQ(s.st_uid, ::getuid() == 0 ? 1234U : ::getuid());
  EXPECT_EQ(s.st_gid, ::getuid() == 0 ? 2345U : s.st_gid);
}

TEST_P(WorkspaceWrite, AnOwnerThatCannotBeKeptIsSaid) {
  if (::getuid() != 0) GTEST_SKIP() << "only root can make a file of somebody else";
  folder.put("shared", "old");
  ::chmod(folder.in("shared").c_str(), 0666);
  ::chmod(folder.ws().c_str(), 0777);
  EXPECT_EQ(check::as_ordinary_user([&] {
              auto written = workspace().write("shared", "new");
              return !written ? written.error().message : std::string(written->owner_lost ? "lost" : "kept");
            }),
            "lost");
  EXPECT_EQ(folder.get("shared"), "new");
  EXPECT_EQ(mode_of("shared"), 0666U);
}

TEST_P(WorkspaceWrite, WhatIsExpectedHasToBeThere) {
  const auto write = [&](std::string_view path, Expected expected) {
    auto written = workspace().write(path, "new", expected);
    return written ? "written" : std::string(name(written.error().kind));
  };
  using Is = Expected::Is;
  folder.put("f", "old");
  EXPECT_EQ(write("f", {Is::content, "older"}), "changed");
  EXPECT_EQ(write("f", {Is::content, "ol"}), "changed");
  EXPECT_EQ(write("f", {Is::content, "odl"}), "changed");
  EXPECT_EQ(write("f", {Is::content, ""}), "changed");
  EXPECT_EQ(write("f", {Is::nothing, {}}), "changed");
  EXPECT_EQ(write("gone", {Is::content, "old"}), "changed");
  EXPECT_EQ(folder.get("f"), "old");
  EXPECT_EQ(write("f", {Is::content, "old"}), "written");
  EXPECT_EQ(folder.get("f"), "new");
  EXPECT_EQ(write("fresh", {Is::nothing, {}}), "written");
  EXPECT_EQ(ScratchFolder::count(folder.ws()), 2U);
}

TEST_P(WorkspaceWrite, AFullDiskLeavesEverythingAsItWas) {
  if (::getuid() != 0) GTEST_SKIP() << "only root can mount a small disk";
  const std::string disk = folder.in("disk");
  const SmallDisk small(disk);
  ASSERT_TRUE(small.mounted());
  ScratchFolder::put_at(disk + "/old", "old content");
  const Workspace w = workspace(disk);
  const std::string large(256 * 1024, 'x');
  auto replaced = w.write("old", large);
  auto created = w.write("new/deep/file", large);
  auto exact = w.write("old", large, {Expected::Is::content, "old content"});
  const std::string kept = ScratchFolder::get_at(disk + "/old");
  const std::size_t entries = ScratchFolder::count(disk);
  // And when there is no room for one more name.
  int files = 0;
  while (w.write("n" + std::to_string(files), "") && files < 100) ++files;
  auto full = w.write("one/more", "");
  const std::size_t after = ScratchFolder::count(disk);
  for (const auto* result : {&replaced, &created, &exact, &full}) {
    ASSERT_FALSE(*result);
    EXPECT_EQ(result->error().kind, Kind::no_space) << result->error().message;
    EXPECT_EQ(result->error().error_number, ENOSPC);
  }
  EXPECT_EQ(kept, "old content");
  EXPECT_EQ(entries, 1U);
  EXPECT_LT(files, 100);
  EXPECT_EQ(after, static_cast<std::size_t>(files) + 1);
}

TEST_P(WorkspaceWrite, AReadOnlyDiskIsNoPermission) {
  if (::getuid() != 0) GTEST_SKIP() << "only root can mount a disk";
  const std::string disk = folder.in("disk");
  const SmallDisk small(disk);
  ASSERT_TRUE(small.mounted());
  ScratchFolder::put_at(disk + "/old", "old");
  ASSERT_TRUE(small.make_read_only());
  auto replaced = workspace().write("disk/old", "x");
  auto created = workspace().write("disk/new", "x");
  for (const auto* result : {&replaced, &created}) {
    ASSERT_FALSE(*result);
    EXPECT_EQ(result->error().kind, Kind::no_permission) << result->error().message;
    EXPECT_EQ(result->error().error_number, EROFS);
  }
}

TEST_P(WorkspaceWrite, ALimitOfTheSystemIsAnErrorAndNoSignal) {
  ::chmod(folder.ws().c_str(), 0777);
  EXPECT_EQ(check::as_ordinary_user([&] {
              const rlimit small{1000, 1000};
              if (::setrlimit(RLIMIT_FSIZE, &small) != 0) return std::string("no limit");
              return writing("large", std::string(1001, 'x')) + " " + writing("small", std::string(1000, 'x'));
            }),
            "too_large created");
  EXPECT_EQ(ScratchFolder::count(folder.ws()), 1U);
}

TEST_P(WorkspaceWrite, SeveralThreadsMayWriteAtOnce) {
  const Workspace w = workspace();
  std::vector<std::jthread> threads;
  std::atomic<int> failed = 0;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 100; ++i)
        if (!w.write("same/place", std::string(static_cast<std::size_t>(t + 1) * 1000, static_cast<char>('a' + t))))
          ++failed;
    });
  threads.clear();
  EXPECT_EQ(failed, 0);
  const std::string content = folder.get("same/place");
  EXPECT_EQ(content.find_first_not_of(content.at(0)), std::string::npos);
  EXPECT_EQ(content.size(), static_cast<std::size_t>(content[0] - 'a' + 1) * 1000);
  EXPECT_EQ(ScratchFolder::count(folder.in("same")), 1U);
}

// What file systems without files that have no name need; here with both.
class WorkspaceWriteReplacement : public testing::TestWithParam<Replacement::Named> {
 protected:
  WorkspaceWriteReplacement() : opened(::open(folder.ws().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)) {}
  [[nodiscard]] struct stat facts(std::string_view name) const {
    struct stat s{};
    EXPECT_EQ(::lstat(folder.in(name).c_str(), &s), 0);
    return s;
  }
  // What `place` says of a replacement with this content.
  int placed(std::string_view content, const std::function<int(Replacement&)>& place) const {
    Replacement replacement(opened.get(), GetParam());
    EXPECT_EQ(replacement.make(true), 0);
    EXPECT_EQ(replacement.fill(content), 0);
    EXPECT_EQ(replacement.synchronise(), 0);
    return place(replacement);
  }
  ScratchFolder folder;
  Handle opened;
};

INSTANTIATE_TEST_SUITE_P(Both, WorkspaceWriteReplacement,
                         testing::Values(Replacement::Named::when_placed, Replacement::Named::at_once),
                         [](const auto& way) {
                           return way.param == Replacement::Named::at_once ? "Named" : "Unnamed";
                         });

TEST_P(WorkspaceWriteReplacement, LeavesNothingWhenItIsNotPlaced) {
  EXPECT_EQ(placed("x", [](Replacement&) { return 0; }), 0);
  EXPECT_EQ(ScratchFolder::count(folder.ws()), 0U);
}

TEST_P(WorkspaceWriteReplacement, TakesANewNameOnlyIfNobodyHasIt) {
  EXPECT_EQ(placed("first", [](Replacement& r) { return r.place_new("f"); }), 0);
  EXPECT_EQ(placed("second", [](Replacement& r) { return r.place_new("f"); }), EEXIST);
  folder.link("nowhere", "dangling");
  EXPECT_EQ(placed("third", [](Replacement& r) { return r.place_new("dangling"); }), EEXIST);
  EXPECT_EQ(folder.get("f"), "first");
  EXPECT_EQ(ScratchFolder::count(folder.ws()), 2U);
}

TEST_P(WorkspaceWriteReplacement, TakesTheNameOfALinkAndNotItsTarget) {
  folder.put("target", "old");
  folder.link("target", "f");
  EXPECT_EQ(placed("new", [](Replacement& r) { return r.place_over("f"); }), 0);
  EXPECT_EQ(folder.get("target"), "old");
  EXPECT_EQ(folder.get("f"), "new");
  EXPECT_TRUE(S_ISREG(facts("f").st_mode));
  EXPECT_EQ(ScratchFolder::count(folder.ws()), 2U);
}

TEST_P(WorkspaceWriteReplacement, TakesTheNameOfExactlyOneFile) {
  folder.put("f", "old");
  folder.put("other", "old");
  const struct stat old = facts("f"), other = facts("other");
  const auto place_for = [&](const std::string& name, const struct stat& expected) {
    return placed("new", [&](Replacement& r) { return r.place_for(name, expected); });
  };
  EXPECT_EQ(place_for("f", other), ESTALE);
  EXPECT_EQ(facts("f").st_ino, old.st_ino) << "it is back";
  EXPECT_EQ(place_for("gone", old), ESTALE);
  EXPECT_FALSE(folder.exists("gone"));
  EXPECT_EQ(place_for("f", old), 0);
  EXPECT_EQ(folder.get("f"), "new");
  EXPECT_EQ(place_for("f", old), ESTALE);
  EXPECT_EQ(ScratchFolder::count(folder.ws()), 2U);
}

}  // namespace
}  // namespace belay::sandbox
