// Walks through the workspace.
#include "scratch_folder.h"

#include <belay/sandbox/workspace.h>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace belay::sandbox {
namespace {

using check::ScratchFolder;

// Notes everything that it is shown.
class Notes : public Visitor {
 public:
  Visit visit(const Entry& entry, const FolderView& folder) override {
    constexpr std::string_view marks[] = {"", "/", "@", "?"};
    seen.push_back(entry.path + std::string(marks[static_cast<std::size_t>(entry.kind)]) +
                   (entry.target.empty() ? "" : entry.target));
    if (entry.kind == Entry::Kind::file && folder.open(entry.name)) ++opened;
    if (entry.name == skip) return Visit::skip;
    return entry.name == stop ? Visit::stop : Visit::take;
  }
  void enter(const FolderView& folder) override { entered.push_back(std::string(folder.place())); }
  void leave() override { ++left; }
  std::vector<std::string> seen, entered;
  std::string skip, stop;
  std::size_t left = 0, opened = 0;
};

class WorkspaceWalk : public testing::TestWithParam<Resolver> {
 protected:
  WalkEnd walk(Notes& notes, std::string_view path = ".", bool recursive = true, WorkspaceLimits limits = {}) {
    WorkspaceOptions options;
    options.resolver = GetParam();
    options.limits = limits;
    WalkOptions how;
    how.recursive = recursive;
    auto end = Workspace::open(folder.ws(), options)->walk(path, how, notes);
    if (!end) ADD_FAILURE() << end.error().message;
    EXPECT_EQ(notes.left, notes.entered.size());
    return end.value_or(WalkEnd{});
  }
  ScratchFolder folder;
};

INSTANTIATE_TEST_SUITE_P(Both, WorkspaceWalk, testing::Values(Resolver::kernel, Resolver::walk),
                         [](const auto& way) { return way.param == Resolver::kernel ? "Kernel" : "Walk"; });

TEST_P(WorkspaceWalk, IsSortedByBytesAndFollowsNoLink) {
  for (const char* name : {"b", "a", "B", "ä", "d/z", "d/e/x", "d-x"}) folder.put(name, "");
  folder.link(".", "loop");
  folder.link("/", "rootlink");
  folder.link("d", "to_d");
  ASSERT_EQ(::mkfifo(folder.in("fifo").c_str(), 0600), 0);
  Notes notes;
  const WalkEnd end = walk(notes);
  EXPECT_EQ(notes.seen, (std::vector<std::string>{"B", "a", "b", "d/", "d/e/", "d/e/x", "d/z", "d-x", "fifo?", "loop@.",
                                                  "rootlink@/", "to_d@d", "ä"}));
  EXPECT_EQ(notes.entered, (std::vector<std::string>{"", "d", "d/e"}));
  EXPECT_EQ(end.entries, 13U);
  EXPECT_EQ(notes.opened, 7U);
  EXPECT_FALSE(end.full || end.stopped);
  Notes flat;
  walk(flat, "d", false);
  EXPECT_EQ(flat.seen, (std::vector<std::string>{"e/", "z"}));
  EXPECT_EQ(flat.entered, (std::vector<std::string>{"d"}));
  Notes through;
  walk(through, "to_d", false);
  EXPECT_EQ(through.seen, flat.seen);
}

TEST_P(WorkspaceWalk, LeavesOutWhatIsProtectedAndCountsIt) {
  folder.put(".git/config", "");
  folder.put("sub/.git", "gitdir: x");
  folder.put(".belay/x", "");
  folder.put(".config/belay/x", "");
  folder.put(".config/y", "");
  Notes notes;
  const WalkEnd end = walk(notes);
  EXPECT_EQ(notes.seen, (std::vector<std::string>{".config/", ".config/y", "sub/"}));
  EXPECT_EQ(end.off_limits, 4U);
}

TEST_P(WorkspaceWalk, IsBoundedInEntriesAndDepthAndSaysSo) {
  for (int i = 0; i < 20; ++i) folder.put("f" + std::to_string(i), "");
  std::string deep = "z";
  for (int i = 0; i < 12; ++i) deep += "/z";
  folder.folder(deep);
  WorkspaceLimits limits;
  limits.entries = 7;
  Notes few;
  WalkEnd end = walk(few, ".", true, limits);
  EXPECT_TRUE(end.full);
  EXPECT_EQ(end.entries, 7U);
  limits = {};
  limits.depth = 5;
  Notes shallow;
  end = walk(shallow, "z", true, limits);
  EXPECT_EQ(end.too_deep, 1U);
  EXPECT_EQ(end.entries, 6U);
  limits = {};
  limits.folder_entries = 10;
  Notes part;
  end = walk(part, ".", false, limits);
  EXPECT_EQ(end.folders_full, 1U);
  EXPECT_EQ(end.entries, 10U);
  limits = {};
  limits.entries = 21;
  Notes exact;
  end = walk(exact, ".", false, limits);
  EXPECT_FALSE(end.full);
}

TEST_P(WorkspaceWalk, TheVisitorSkipsAndStops) {
  folder.put("a/x", "");
  folder.put("b/x", "");
  folder.put("c", "");
  Notes notes;
  notes.skip = "a";
  notes.stop = "c";
  const WalkEnd end = walk(notes);
  EXPECT_EQ(notes.seen, (std::vector<std::string>{"a/", "b/", "b/x", "c"}));
  EXPECT_EQ(end.entries, 2U);
  EXPECT_TRUE(end.stopped);
}

TEST_P(WorkspaceWalk, FoldersThatCannotBeReadAreCounted) {
  folder.put("closed/x", "");
  ::chmod(folder.in("closed").c_str(), 0000);
  EXPECT_EQ(check::as_ordinary_user([&] {
              Notes notes;
              const WalkEnd end = walk(notes);
              return std::to_string(end.entries) + " " + std::to_string(end.unreadable);
            }),
            "1 1");
  ::chmod(folder.in("closed").c_str(), 0755);
}

TEST_P(WorkspaceWalk, StopsWhenItIsAskedTo) {
  folder.put("a", "");
  std::stop_source source;
  source.request_stop();
  WorkspaceOptions options;
  options.resolver = GetParam();
  WalkOptions how;
  how.stop = source.get_token();
  Notes notes;
  auto end = Workspace::open(folder.ws(), options)->walk(".", how, notes);
  ASSERT_TRUE(end);
  EXPECT_TRUE(end->stopped);
  EXPECT_TRUE(notes.seen.empty());
}

TEST_P(WorkspaceWalk, NeedsAFolderBeneathTheRoot) {
  folder.put("f", "");
  Notes notes;
  WorkspaceOptions options;
  options.resolver = GetParam();
  auto w = Workspace::open(folder.ws(), options);
  EXPECT_EQ(w->walk("f", {}, notes).error().kind, PathErrorKind::not_a_folder);
  EXPECT_EQ(w->walk("..", {}, notes).error().kind, PathErrorKind::outside);
  EXPECT_EQ(w->walk(".git", {}, notes).error().kind, PathErrorKind::off_limits);
}

}  // namespace
}  // namespace belay::sandbox
