// What git may do in the sandbox. Always there and never free: the repository's configuration can name programs that
// git runs (diff drivers, text converters, file system monitors, hooks), and the index may be refreshed.
#include "commands.h"

#include "rules.h"

#include <algorithm>

namespace BELAY_NAMESPACE::policy {
namespace {

using enum Operands;
using enum Globs;

#define BELAY_GIT_DIFF                                                                                                 \
  "stat? shortstat numstat dirstat? summary name-only name-status patch no-patch raw unified= color? no-color "        \
  "color-words? word-diff? word-diff-regex= patch-with-stat minimal patience histogram diff-algorithm= find-renames? " \
  "find-copies? no-renames diff-filter= ignore-all-space ignore-space-change ignore-space-at-eol "                     \
  "ignore-blank-lines ignore-cr-at-eol function-context text full-index abbrev? exit-code quiet check relative? "      \
  "no-ext-diff no-textconv inter-hunk-context= compact-summary pickaxe-regex pickaxe-all no-prefix "                   \
  "submodule? ignore-submodules?"
#define BELAY_GIT_LOG                                                                                              \
  "oneline graph decorate? no-decorate all branches? tags? remotes? since= until= after= before= author= "         \
  "committer= grep= all-match invert-grep regexp-ignore-case extended-regexp fixed-strings format= pretty? "       \
  "abbrev-commit no-abbrev-commit no-merges merges first-parent follow reverse max-count= skip= date= date-order " \
  "topo-order author-date-order left-right cherry-pick full-history simplify-merges ancestry-path source "         \
  "no-notes parents children boundary min-parents= max-parents= log-size no-walk? cc root not "                    \
  "simplify-by-decoration cherry-mark left-only right-only"

constexpr std::string_view kDiff = BELAY_GIT_DIFF " staged cached merge-base";
constexpr std::string_view kLog = BELAY_GIT_LOG " " BELAY_GIT_DIFF;
constexpr std::string_view kRevList = BELAY_GIT_LOG " " BELAY_GIT_DIFF " count objects";
constexpr std::string_view kRefs =
    "list all remotes verbose show-current merged? no-merged? contains= no-contains= "
    "points-at= sort= format= column? no-column color? no-color ignore-case";

constexpr Command log(std::string_view name, std::string_view longs = kLog) {
  return {.name = name,
          .flags = "pusawbRzWcmtiEFgq",
          .valued = "n=U=S=G=L=M?C?",
          .longs = longs,
          .numbers = true,
          .rule = rules::git_format};
}

constexpr Command kVerbs[] = {
    {.name = "git status",
     .flags = "sbvz",
     .valued = "u?",
     .longs = "short branch porcelain? long verbose untracked-files? ignored? show-stash ahead-behind "
              "no-ahead-behind renames no-renames column? no-column null"},
    {.name = "git diff", .flags = "pusawbRzW", .valued = "U=S=G=M?C?", .longs = kDiff},
    log("git log"),
    log("git show"),
    log("git whatchanged"),
    log("git rev-list", kRevList),
    {.name = "git shortlog",
     .flags = "sne",
     .longs = "summary numbered email all no-merges since= until=",
     .inputless = "all",
     .reads_input = true},
    {.name = "git ls-files",
     .flags = "cdmoistukvz",
     .valued = "x=",
     .longs = "cached deleted modified others ignored stage unmerged killed directory exclude= exclude-standard "
              "full-name error-unmatch abbrev? eol debug"},
    {.name = "git ls-tree",
     .flags = "rdtlz",
     .longs = "name-only name-status long full-name full-tree abbrev? object-only",
     .least = 1},
    {.name = "git blame",
     .flags = "wseltpcnf",
     .valued = "L=M?C?",
     .longs = "porcelain line-porcelain date= show-email show-name show-number abbrev= root incremental",
     .least = 1},
    {.name = "git annotate", .flags = "wseltpc", .valued = "L=", .longs = "date=", .least = 1},
    {.name = "git rev-parse",
     .flags = "q",
     .longs = "show-toplevel abbrev-ref? short? verify quiet git-dir absolute-git-dir git-common-dir "
              "is-inside-work-tree is-inside-git-dir is-bare-repository show-prefix show-cdup symbolic "
              "symbolic-full-name all branches? tags? remotes? show-superproject-working-tree is-shallow-repository"},
    {.name = "git describe",
     .longs = "tags always long all contains exact-match match= exclude= abbrev= first-parent dirty? "
              "candidates="},
    {.name = "git branch", .flags = "arvi", .longs = kRefs, .rule = rules::git_branch},
    {.name = "git tag", .flags = "li", .valued = "n?", .longs = kRefs, .globs = never, .rule = rules::git_tag},
    {.name = "git remote", .flags = "v", .longs = "verbose", .operands = texts, .rule = rules::git_remote},
    {.name = "git config",
     .flags = "lz",
     .longs = "get get-all get-regexp list show-origin show-scope name-only null local bool int type=",
     .operands = texts,
     .rule = rules::git_config},
    {.name = "git stash", .flags = "p", .longs = "patch stat oneline", .rule = rules::git_stash},
    {.name = "git reflog",
     .flags = "g",
     .valued = "n=",
     .longs = "oneline all date= max-count= format= no-decorate decorate?",
     .numbers = true,
     .rule = rules::git_reflog},
    {.name = "git worktree",
     .flags = "vz",
     .longs = "verbose porcelain",
     .operands = texts,
     .rule = rules::git_worktree},
    {.name = "git cat-file", .flags = "tspe", .least = 1, .most = 2},
    {.name = "git grep",
     .flags = "niIlLcwvEFGPhHoqpWaz",
     .valued = "e=A=B=C=m=",
     .longs = "line-number ignore-case files-with-matches files-without-match name-only count word-regexp invert-match "
              "extended-regexp fixed-strings basic-regexp perl-regexp only-matching quiet cached untracked color? "
              "no-color heading break show-function function-context after-context= before-context= context= text "
              "column max-depth= and or not all-match full-name",
     .operands = pattern_then_paths,
     .numbers = true},
    {.name = "git merge-base", .flags = "a", .longs = "all is-ancestor fork-point octopus independent", .least = 1},
    {.name = "git for-each-ref",
     .longs = "count= sort= format= contains= merged= no-merged= points-at= ignore-case",
     .rule = rules::git_format},
    {.name = "git show-ref", .flags = "qsd", .longs = "heads tags verify hash? dereference quiet head"},
    {.name = "git show-branch", .flags = "ar", .longs = "all remotes list"},
    {.name = "git symbolic-ref", .flags = "q", .longs = "short quiet", .operands = texts, .least = 1, .most = 1},
    {.name = "git name-rev", .longs = "name-only tags always refs=", .least = 1},
    {.name = "git check-ignore", .flags = "vqn", .longs = "verbose quiet non-matching no-index", .least = 1},
    {.name = "git check-attr", .flags = "a", .longs = "all", .least = 1},
    {.name = "git count-objects", .flags = "vH", .longs = "verbose human-readable", .operands = none},
    {.name = "git diff-tree", .flags = "rptsz", .longs = BELAY_GIT_DIFF " root no-commit-id", .least = 1},
    {.name = "git diff-index", .flags = "rptsmz", .longs = BELAY_GIT_DIFF " cached merge-base", .least = 1},
    {.name = "git diff-files", .flags = "rptsqz", .longs = BELAY_GIT_DIFF},
    {.name = "git range-diff",
     .flags = "s",
     .longs = BELAY_GIT_DIFF " creation-factor= no-dual-color left-only right-only no-notes",
     .least = 1},
    {.name = "git submodule", .longs = "cached recursive", .rule = rules::git_submodule},
    {.name = "git hash-object", .valued = "t=", .longs = "no-filters", .least = 1},
    {.name = "git cherry", .flags = "v"},
    {.name = "git version", .operands = none},
};

}  // namespace

const Command* find_git_verb(std::string_view verb) {
  constexpr std::size_t kGit = std::string_view("git ").size();
  const auto* found = std::ranges::find(kVerbs, verb, [](const Command& c) { return c.name.substr(kGit); });
  return found == std::end(kVerbs) ? nullptr : found;
}

}  // namespace BELAY_NAMESPACE::policy
