// Paths beneath the workspace: every case with the kernel's resolver, and with the walk.
#include "scratch_folder.h"

#include <belay/sandbox/workspace.h>

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/sysmacros.h>
#include <sys/un.h>

#include <algorithm>
#include <cerrno>

namespace belay::sandbox {
namespace {

using check::ScratchFolder;
using Kind = PathErrorKind;

class WorkspacePath : public testing::TestWithParam<Resolver> {
 protected:
  [[nodiscard]] Workspace workspace(WorkspaceOptions options = {}) const {
    options.resolver = GetParam();
    auto opened = Workspace::open(folder.ws(), options);
    if (!opened) ADD_FAILURE() << opened.error().message;
    return std::move(*opened);
  }
  // The kind of the error, or what was read.
  [[nodiscard]] std::string reading(std::string_view path) const {
    auto content = workspace().read(path);
    return content ? content->bytes : std::string(name(content.error().kind));
  }
  [[nodiscard]] std::string writing(std::string_view path, std::string_view content = "x") const {
    auto written = workspace().write(path, content);
    return written ? (written->created ? "created" : "replaced") : std::string(name(written.error().kind));
  }
  // No file of the workspace has a name that only we give.
  void expect_no_leftovers() const {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.ws()))
      EXPECT_FALSE(entry.path().filename().string().ends_with(".tmp")) << entry.path();
  }
  ScratchFolder folder;
};

INSTANTIATE_TEST_SUITE_P(Both, WorkspacePath, testing::Values(Resolver::kernel, Resolver::walk),
                         [](const auto& way) { return way.param == Resolver::kernel ? "Kernel" : "Walk"; });

TEST_P(WorkspacePath, ReadsWhatIsBeneathTheRootAndNothingElse) {
  folder.put("a.txt", "A");
  folder.put("d/e/f.txt", "F");
  ::mkdir((folder.top() + "/ws-evil").c_str(), 0755);
  ScratchFolder::put_at(folder.top() + "/ws-evil/secret.txt", "SECRET");
  EXPECT_EQ(reading("a.txt"), "A");
  EXPECT_EQ(reading("./d//e/./f.txt"), "F");
  EXPECT_EQ(reading("d/../a.txt"), "A");
  EXPECT_EQ(reading("d/e/../../a.txt"), "A");
  EXPECT_EQ(reading(folder.in("a.txt")), "A");
  EXPECT_EQ(reading(folder.ws() + "//d/e/f.txt"), "F");
  for (const std::string& path :
       {std::string("../outside/secret.txt"), std::string("./././../outside/secret.txt"), std::string("/etc/passwd"),
        folder.ws() + "/../outside/secret.txt", folder.top() + "/ws-evil/secret.txt", std::string("../ws/a.txt"),
        std::string("/proc/self/root/etc/passwd"), std::string("/proc/self/cwd/../outside/secret.txt"),
        std::string("d/../../outside/secret.txt"), std::string(".."), std::string("/"), std::string("//"),
        folder.ws() + "-evil", std::string("d/e/../../../outside/secret.txt")})
    EXPECT_EQ(reading(path), "outside") << path;
}

TEST_P(WorkspacePath, TakesPathsLiterally) {
  for (const char* path : {"\uff0e\uff0e/outside/secret.txt", "..\u2215outside\u2215secret.txt",
                           "..\\outside\\secret.txt", "$HOME/.bashrc", "~/.bashrc", "%2e%2e/outside/secret.txt",
                           "a.txt ", "file:///etc/passwd", "...", ".. /outside/secret.txt", "*"})
    EXPECT_EQ(reading(path), "not_found") << path;
  folder.put("..\\x", "literal");
  folder.put("~", "tilde");
  EXPECT_EQ(reading("..\\x"), "literal");
  EXPECT_EQ(reading("~"), "tilde");
}

TEST_P(WorkspacePath, RefusesWhatIsNoPath) {
  EXPECT_EQ(reading(""), "invalid");
  EXPECT_EQ(reading(std::string_view("a.txt\0/../../outside/secret.txt", 31)), "invalid");
  EXPECT_EQ(reading(std::string_view("\0", 1)), "invalid");
  EXPECT_EQ(reading(std::string(5000, 'a')), "invalid");
  EXPECT_EQ(reading(std::string(300, 'a')), "invalid");
  EXPECT_EQ(writing(""), "invalid");
  EXPECT_EQ(writing(std::string_view("a\0b", 3)), "invalid");
  EXPECT_EQ(writing(std::string(300, 'a')), "invalid");
  const auto error = workspace().read("a\x1b[31m\n/" + std::string(600, 'b')).error();
  EXPECT_EQ(error.message.find_first_of("\x1b\n"), std::string::npos);
  EXPECT_LT(error.message.size(), 400U);
}

TEST_P(WorkspacePath, LinksAreFollowedOnlyBeneathTheRoot) {
  folder.put("d/in.txt", "IN");
  folder.link("d", "to_d");
  folder.link("to_d/in.txt", "to_in");
  folder.link("../d/in.txt", "d/up");
  folder.link(folder.top() + "/outside/secret.txt", "abs");
  folder.link("../outside/secret.txt", "rel");
  folder.link("../outside", "out");
  folder.link(folder.in("d/in.txt"), "abs_inside");
  folder.link("/proc/self/root", "magic");
  folder.link("/dev/zero", "zero");
  folder.link("loop_b", "loop_a");
  folder.link("loop_a", "loop_b");
  folder.link("nowhere", "dangling");
  folder.link(".", "self");
  EXPECT_EQ(reading("to_d/in.txt"), "IN");
  EXPECT_EQ(reading("to_in"), "IN");
  EXPECT_EQ(reading("d/up"), "IN");
  EXPECT_EQ(reading("self/self/self/d/in.txt"), "IN");
  for (const char* path : {"abs", "rel", "out/secret.txt", "abs_inside", "magic/etc/passwd", "zero", "self/out/x"})
    EXPECT_EQ(reading(path), "outside") << path;
  EXPECT_EQ(reading("loop_a"), "link");
  EXPECT_EQ(reading("dangling"), "not_found");
  EXPECT_EQ(reading("to_in/x"), "not_a_folder");
  EXPECT_EQ(reading("to_in/"), "not_a_folder");
}

TEST_P(WorkspacePath, AChainOfManyLinksEndsAsTheKernelEndsIt) {
  folder.put("l0", "END");
  for (int i = 1; i <= 60; ++i) folder.link("l" + std::to_string(i - 1), "l" + std::to_string(i));
  EXPECT_EQ(reading("l40"), "END");
  EXPECT_EQ(reading("l41"), "link");
  EXPECT_EQ(reading("l60"), "link");
}

TEST_P(WorkspacePath, OnlyRegularFilesAreReadAndWritten) {
  folder.folder("dir");
  ASSERT_EQ(::mkfifo(folder.in("fifo").c_str(), 0644), 0);
  folder.link("fifo", "to_fifo");
  const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string socket_path = folder.in("sock");
  std::copy(socket_path.begin(), socket_path.end(), address.sun_path);
  ASSERT_EQ(::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  for (const char* path : {"dir", "dir/", ".", "fifo", "to_fifo", "sock"})
    EXPECT_EQ(reading(path), "not_a_file") << path;
  for (const char* path : {"dir", "dir/", ".", "fifo", "sock", "dir/..", "new/", "new/.", "dir/."})
    EXPECT_EQ(writing(path), "not_a_file") << path;
  EXPECT_EQ(workspace().read("dir").error().message, "dir is a folder, not a file; list_files shows what is in it");
  EXPECT_NE(workspace().read("fifo").error().message.find("a FIFO"), std::string::npos);
  if (::getuid() == 0) {
    ASSERT_EQ(::mknod(folder.in("null").c_str(), S_IFCHR | 0666, makedev(1, 3)), 0);
    EXPECT_EQ(reading("null"), "not_a_file");
    EXPECT_EQ(writing("null"), "not_a_file");
  }
  ::close(socket);
  expect_no_leftovers();
}

TEST_P(WorkspacePath, ProtectedPlacesAreRefusedWhetherTheyExistOrNot) {
  const std::vector<std::string> paths = {".git",
                                          ".git/config",
                                          ".git/hooks/pre-commit",
                                          "sub/.git/config",
                                          ".GIT/config",
                                          ".Git",
                                          ".git ",
                                          ".git.",
                                          ".git. . ",
                                          ".git /x",
                                          "git~1/config",
                                          "GIT~1",
                                          ".g\u200cit/config",
                                          "\ufeff.git",
                                          ".gi\u200dt",
                                          ".git\u206a",
                                          ".git::$INDEX_ALLOCATION/config",
                                          "gitptr/../.git",
                                          "./.git",
                                          "a/b/../../.git/x",
                                          ".belay",
                                          ".belay/settings.json",
                                          ".BELAY/x",
                                          "x/.belay/y",
                                          ".config/belay/config.toml",
                                          ".Config/Belay",
                                          "home/.config/belay",
                                          ".local/share/belay/tasks.db",
                                          ".local/state/belay/log",
                                          ".cache/belay/x",
                                          ".git//config"};
  for (bool exist : {false, true}) {
    if (exist) {
      folder.put(".git/config", "[core]");
      folder.put(".belay/settings.json", "{}");
      folder.put(".config/belay/config.toml", "x");
      folder.put("sub/.git/config", "x");
    }
    for (const std::string& path : paths) {
      EXPECT_EQ(reading(path), "protected") << path;
      EXPECT_EQ(writing(path), "protected") << path;
      EXPECT_EQ(writing(folder.in(path)), "protected") << path;
      auto entered = workspace().open_folder(path);
      ASSERT_FALSE(entered) << path;
      EXPECT_EQ(entered.error().kind, Kind::off_limits) << path;
    }
  }
  EXPECT_FALSE(folder.exists("gitptr"));
  EXPECT_FALSE(folder.exists("a"));
  EXPECT_FALSE(folder.exists(".cache"));
}

TEST_P(WorkspacePath, ProtectedPlacesAreRefusedByWhereAPathLeads) {
  folder.put(".git/config", "[core]");
  folder.put(".config/belay/config.toml", "x");
  folder.put(".config/other/x", "fine");
  folder.link(".git", "g");
  folder.link(".git/config", "c");
  folder.link("belay", ".config/b");
  folder.link(".config", "conf");
  for (const char* path : {"g/config", "c", "g", "g/hooks/../config", "g/none", "g/none/x", ".config/b/config.toml",
                           "conf/belay/config.toml", "conf/b/config.toml", ".config/other/../belay/config.toml"}) {
    EXPECT_EQ(reading(path), "protected") << path;
    EXPECT_FALSE(workspace().open_folder(path)) << path;
  }
  for (const char* path : {"g/config", "g/new", "g/hooks/new", ".config/b/new", "conf/belay/new", "conf/b/a/b/c",
                           ".config/other/../belay/new"})
    EXPECT_EQ(writing(path), "protected") << path;
  EXPECT_EQ(reading("conf/other/x"), "fine");
  EXPECT_EQ(folder.get(".git/config"), "[core]");
  EXPECT_EQ(ScratchFolder::count(folder.in(".git")), 1U);
  EXPECT_EQ(ScratchFolder::count(folder.in(".config/belay")), 1U);
}

TEST_P(WorkspacePath, AFolderThatAGitFileNamesIsProtectedAsGitIs) {
  folder.put("sub/gitreal/hooks/pre-commit", "old");
  folder.put("sub/gitreal/config", "[core]");
  folder.put("sub/gitrealx", "fine");
  folder.link("sub/gitreal", "alias");
  for (const std::string& named : {std::string("sub/gitreal"), folder.in("sub/gitreal"),
                                   std::string("../ws/sub/gitreal"), std::string("./sub//gitreal/")}) {
    folder.put(".git", "gitdir: " + named + "\n");
    for (const char* path : {"sub/gitreal", "sub/gitreal/hooks/pre-commit", "sub/gitreal/hooks/new", "sub/gitreal/a/b",
                             "alias/config", "sub/../sub/gitreal/config"})
      EXPECT_EQ(writing(path), "protected") << named << ' ' << path;
    EXPECT_EQ(reading("sub/gitreal/config"), "protected") << named;
    EXPECT_EQ(reading("alias/config"), "protected") << named;
    EXPECT_FALSE(workspace().open_folder("sub/gitreal")) << named;
    EXPECT_EQ(reading("sub/gitrealx"), "fine");
    EXPECT_EQ(writing("sub/other"), "created");
    std::filesystem::remove(folder.in("sub/other"));
  }
  EXPECT_EQ(folder.get("sub/gitreal/hooks/pre-commit"), "old");
  expect_no_leftovers();
}

TEST_P(WorkspacePath, WhatAGitFileNamesLaterIsProtectedFromThenOn) {
  folder.put("gitreal/config", "[core]");
  const Workspace w = workspace();
  EXPECT_TRUE(w.write("gitreal/x", "x"));
  folder.put(".git", "gitdir: gitreal\n");
  EXPECT_EQ(w.write("gitreal/x", "y").error().kind, Kind::off_limits);
  folder.put(".git", "gitdir: later/deep\n");
  EXPECT_EQ(w.write("later/deep/config", "y").error().kind, Kind::off_limits);
  EXPECT_TRUE(w.write("later/x", "y"));
}

TEST_P(WorkspacePath, WorktreesAndLinksOfGitAreFollowedToTheFolderInCommon) {
  folder.put("main/repo/hooks/x", "old");
  folder.put("main/repo/worktrees/w/commondir", "../..\n");
  folder.put(".git", "gitdir: main/repo/worktrees/w\n");
  EXPECT_EQ(writing("main/repo/hooks/x"), "protected");
  EXPECT_EQ(writing("main/repo/config"), "protected");
  std::filesystem::remove(folder.in(".git"));
  EXPECT_EQ(writing("main/repo/hooks/x"), "replaced");
  folder.link("main/repo", ".git");
  EXPECT_EQ(writing("main/repo/hooks/x"), "protected");
  std::filesystem::remove(folder.in(".git"));
  folder.put(".git/commondir", "../main/repo\n");
  EXPECT_EQ(writing("main/repo/hooks/x"), "protected");
  std::filesystem::remove(folder.in(".git/commondir"));
  EXPECT_EQ(writing("main/repo/hooks/x"), "replaced");
}

TEST_P(WorkspacePath, NothingIsWrittenWhereAGitFileIsOdd) {
  folder.put("a.txt", "A");
  folder.put("real/x", "x");
  folder.link("real", "link");
  for (const std::string& text :
       {std::string(), std::string("nonsense"), "gitdir: " + std::string(5000, 'x'), std::string("gitdir: link"),
        std::string("gitdir: link/../real"), std::string("gitdir: ."), std::string("gitdir: real\0x", 14)}) {
    folder.put(".git", text);
    EXPECT_EQ(writing("a.txt"), "protected") << text;
    EXPECT_EQ(reading("a.txt"), "A") << text;
  }
  const std::string message = workspace().write("a.txt", "x").error().message;
  EXPECT_NE(message.find(".git"), std::string::npos) << message;
  std::filesystem::remove(folder.in(".git"));
  ASSERT_EQ(::mkfifo(folder.in(".git").c_str(), 0644), 0);  // nobody waits for a writer
  EXPECT_EQ(writing("a.txt"), "protected");
  std::filesystem::remove(folder.in(".git"));
  folder.put(".git", "gitdir: real\n");
  ::chmod(folder.in(".git").c_str(), 0);
  ::chmod(folder.ws().c_str(), 0777);
  EXPECT_EQ(check::as_ordinary_user([&] { return writing("new"); }), "protected");
  for (const char* named : {"/nowhere/.git", "../outside", "..", "../none/x"}) {
    folder.put(".git", std::string("gitdir: ") + named + "\n");
    EXPECT_EQ(writing("a.txt"), "replaced") << named;
    folder.put("a.txt", "A");
  }
}

TEST_P(WorkspacePath, TheConfigurationIsProtectedThroughALinkBeforeItExists) {
  folder.folder(".config");
  folder.link(".config", "conf");
  folder.folder("plain");
  EXPECT_EQ(writing("conf/belay/config.toml"), "protected");
  EXPECT_EQ(writing("plain/../.config/belay"), "protected");
  EXPECT_EQ(ScratchFolder::count(folder.in(".config")), 0U);
}

TEST_P(WorkspacePath, NamesThatOnlyLookLikeProtectedOnesAreNot) {
  for (const char* path : {".gitignore", ".gitattributes", ".github/workflows/ci.yml", "git", ".gitx", "x.git",
                           "belay/a", ".config/x", ".local/share/x", "config/belay", "digit~1", ".git\\config"}) {
    EXPECT_EQ(writing(path), "created") << path;
    EXPECT_EQ(reading(path), "x") << path;
  }
}

TEST_P(WorkspacePath, MoreFoldersCanBeProtected) {
  folder.put("conf/a", "x");
  folder.put("confx/a", "fine");
  folder.link("conf", "alias");
  WorkspaceOptions options;
  options.protected_folders = {folder.in("alias"), folder.in("later/deep/"), "/nowhere"};
  const Workspace w = workspace(options);
  EXPECT_EQ(w.read("conf/a").error().kind, Kind::off_limits);
  EXPECT_EQ(w.read("alias/a").error().kind, Kind::off_limits);
  EXPECT_EQ(w.write("later/deep/x", "x").error().kind, Kind::off_limits);
  EXPECT_EQ(w.write("later/deep", "x").error().kind, Kind::off_limits);
  EXPECT_FALSE(folder.exists("later"));
  EXPECT_TRUE(w.write("later/x", "x"));
  EXPECT_EQ(w.read("confx/a")->bytes, "fine");
  options.protected_folders = {folder.top()};
  options.resolver = GetParam();
  EXPECT_EQ(Workspace::open(folder.ws(), options).error().kind, Kind::off_limits);
}

TEST_P(WorkspacePath, ReadingIsBoundedWhateverSizeAFileClaims) {
  WorkspaceOptions options;
  options.limits.file_bytes = 1000;
  folder.put("fits", std::string(1000, 'x'));
  folder.put("large", std::string(1001, 'x'));
  const Workspace w = workspace(options);
  EXPECT_EQ(w.read("fits")->bytes.size(), 1000U);
  EXPECT_EQ(w.read("large").error().message, "large has 1001 bytes, which is more than 1000 (limit file_bytes)");
  folder.put("sparse", "");
  ASSERT_EQ(::truncate(folder.in("sparse").c_str(), 1LL << 40), 0);
  EXPECT_EQ(w.read("sparse").error().kind, Kind::too_large);
  EXPECT_EQ(w.write("new", std::string(1001, 'x')).error().kind, Kind::too_large);
  // Files of /proc say that they are empty.
  options.resolver = GetParam();
  auto proc = Workspace::open("/proc/self", options);
  ASSERT_TRUE(proc);
  EXPECT_EQ(proc->read("smaps").error().kind, Kind::too_large);
  EXPECT_FALSE(proc->read("comm")->bytes.empty());
}

TEST_P(WorkspacePath, AFileThatGrowsWhileItIsReadEndsAtTheLimit) {
  folder.put("log", "x");
  auto file = workspace().open_file("log");
  ASSERT_TRUE(file);
  std::uint64_t seen = 0;
  const auto done = read_pieces(*file, 10'000, "scan_bytes", [&](std::string_view piece) {
    seen += piece.size();
    std::ofstream(folder.in("log"), std::ios::app) << std::string(500, 'y');
    return true;
  });
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().kind, Kind::too_large);
  EXPECT_LE(seen, 10'000U);
}

TEST_P(WorkspacePath, PermissionsOfAnOrdinaryUserHold) {
  folder.put("secret", "x");
  folder.put("readonly", "x");
  folder.put("closed/x", "x");
  folder.put("frozen/x", "x");
  ::chmod(folder.in("secret").c_str(), 0000);
  ::chmod(folder.in("readonly").c_str(), 0444);
  ::chmod(folder.in("closed").c_str(), 0000);
  ::chmod(folder.in("frozen").c_str(), 0555);
  ::chmod(folder.ws().c_str(), 0777);
  for (const char* path : {"secret", "closed/x"})
    EXPECT_EQ(check::as_ordinary_user([&] { return reading(path); }), "no_permission") << path;
  for (const char* path : {"secret", "readonly", "closed/x", "closed/new", "frozen/new", "frozen/a/b/c"})
    EXPECT_EQ(check::as_ordinary_user([&] { return writing(path); }), "no_permission") << path;
  EXPECT_EQ(check::as_ordinary_user([&] { return writing("fine"); }), "created");
  EXPECT_EQ(folder.get("readonly"), "x");
  ::chmod(folder.in("closed").c_str(), 0755);
  ::chmod(folder.in("frozen").c_str(), 0755);
  expect_no_leftovers();
}

TEST_P(WorkspacePath, AFolderIsOpenedForACommand) {
  folder.folder("d/e");
  folder.put("f", "");
  folder.link("d/e", "l");
  auto opened = workspace().open_folder("l");
  ASSERT_TRUE(opened);
  EXPECT_EQ(opened->place, "d/e");
  EXPECT_EQ(opened->real, folder.in("d/e"));
  EXPECT_GE(opened->handle.get(), 0);
  opened = workspace().open_folder(".");
  ASSERT_TRUE(opened);
  EXPECT_EQ(opened->place, "");
  EXPECT_EQ(opened->real, folder.ws());
  EXPECT_EQ(workspace().open_folder("f").error().kind, Kind::not_a_folder);
  EXPECT_EQ(workspace().open_folder("/").error().kind, Kind::outside);
  EXPECT_EQ(workspace().open_folder("..").error().kind, Kind::outside);
  EXPECT_EQ(workspace().open_folder("none").error().kind, Kind::not_found);
}

TEST_P(WorkspacePath, ARootThatIsRenamedKeepsWorking) {
  folder.put("a/b", "x");
  const Workspace w = workspace();
  std::filesystem::rename(folder.ws(), folder.top() + "/moved");
  EXPECT_EQ(w.read("a/b")->bytes, "x");
  EXPECT_TRUE(w.write("a/c", "y"));
  EXPECT_EQ(ScratchFolder::get_at(folder.top() + "/moved/a/c"), "y");
}

TEST(WorkspaceOpening, NeedsAFolder) {
  ScratchFolder folder;
  folder.put("f", "");
  EXPECT_EQ(Workspace::open(folder.in("f")).error().kind, Kind::not_a_folder);
  EXPECT_EQ(Workspace::open(folder.in("none")).error().kind, Kind::not_found);
  EXPECT_EQ(Workspace::open("").error().kind, Kind::invalid);
  folder.link("../ws", "again");
  auto opened = Workspace::open(folder.in("again") + "/");
  ASSERT_TRUE(opened);
  EXPECT_EQ(opened->root(), folder.ws());
  EXPECT_NE(opened->resolver(), Resolver::automatic);
}

TEST(WorkspaceOpening, NeedsAFolderThatCanBeEntered) {
  ScratchFolder folder;
  ::chmod(folder.ws().c_str(), 0744);
  EXPECT_EQ(check::as_ordinary_user([&] {
              auto opened = Workspace::open(folder.ws());
              return opened ? "opened" : opened.error().message;
            }),
            "no permission to enter " + folder.ws());
  ::chmod(folder.ws().c_str(), 0755);
}

TEST(WorkspaceOpening, TheWholeFileSystemCanBeAWorkspace) {
  for (Resolver resolver : {Resolver::kernel, Resolver::walk}) {
    WorkspaceOptions options;
    options.resolver = resolver;
    auto opened = Workspace::open("/", options);
    ASSERT_TRUE(opened);
    EXPECT_EQ(opened->root(), "/");
    EXPECT_TRUE(opened->read("/etc/passwd"));
    EXPECT_TRUE(opened->read("etc/passwd"));
    EXPECT_FALSE(opened->read("/proc/self/root/etc/passwd"));
    EXPECT_FALSE(opened->read("proc/self/cwd/x"));
  }
}

TEST(ShownPath, HasNothingThatSteersATerminal) {
  EXPECT_EQ(shown_path("a b/ü.txt"), "a b/ü.txt");
  EXPECT_EQ(shown_path("a\\b"), "a\\b");
  EXPECT_EQ(shown_path("x\x1b[31m\ny"), "\"x\\033[31m\\ny\"");
  EXPECT_EQ(shown_path("a\xff\\"), "\"a\\377\\\\\"");
  EXPECT_EQ(shown_path("\xc2\x9b"), "\"\\302\\233\"");
  EXPECT_EQ(shown_path("a\u202e"), "\"a\\342\\200\\256\"");
  EXPECT_EQ(shown_path("\"a\""), "\"\\\"a\\\"\"");
}

}  // namespace
}  // namespace belay::sandbox
