// Verbs of git that read in one form and write in another.
#include "rules.h"

#include "paths.h"

#include <algorithm>

namespace BELAY_NAMESPACE::policy::rules {
namespace {

// Sections whose values are settings, and keys that are. Others can hold an address with a password in it, or a header
// with a token; user.password is one that people use.
constexpr std::string_view kPlainSections[] = {"core",   "init", "pull",  "push",   "merge",  "diff",
                                               "commit", "log",  "color", "rebase", "status", "tag"};
constexpr std::string_view kPlainKeys[] = {"user.name", "user.email", "user.signingkey", "user.signingKey"};

std::string_view first_word(const Use& use) { return use.words.empty() ? std::string_view() : use.words[0].text; }

// Formats of commits say %GG, those of branches and tags %(signature), by which they can be sorted as well.
std::string checks_signatures(const Use& use) {
  for (const Given::Option& option : use.given.options) {
    for (std::string_view signature : {"%G", "%+G", "%-G", "% G"})
      if (option.value.contains(signature)) return "%G in a format runs the program that checks signatures";
    if ((option.name == "format" || option.name == "sort") && option.value.contains("signature"))
      return "signature in a format runs the program that checks signatures";
  }
  return {};
}

}  // namespace

std::string git_format(const Use& use) {
  if (std::string reason = checks_signatures(use); !reason.empty()) return reason;
  for (const Given::Option& option : use.given.options) {
    if (option.name != "L") continue;  // lines:file
    Word file;
    file.text = option.value.substr(option.value.rfind(':') + 1);
    const PathVerdict verdict = judge_path(file, use.workspace, Reader::git);
    if (verdict.is != PathVerdict::Is::inside)
      return verdict.reason.empty() ? "git reads outside of the workspace" : std::string(verdict.reason);
  }
  return {};
}

std::string git_branch(const Use& use) {
  if (std::string reason = checks_signatures(use); !reason.empty()) return reason;
  if (use.given.operands.empty()) return {};
  for (std::string_view lists : {"list", "merged", "no-merged", "contains", "no-contains", "points-at"})
    if (use.given.has(lists)) return {};
  return "git branch with a name makes a branch";
}

std::string git_tag(const Use& use) {
  if (std::string reason = checks_signatures(use); !reason.empty()) return reason;
  if (use.given.operands.empty() || use.given.has("l") || use.given.has("list")) return {};
  return "git tag with a name makes a tag";
}

std::string git_remote(const Use& use) {
  constexpr std::string_view kAddresses = "the address of a remote can hold a password or a token";
  if (use.given.operands.empty())
    return use.given.has("v") || use.given.has("verbose") ? std::string(kAddresses) : std::string();
  if (first_word(use) == "get-url" && use.given.operands.size() == 2) return std::string(kAddresses);
  return "git remote with a command changes remotes or reaches the network";
}

std::string git_config(const Use& use) {
  const Given& given = use.given;
  const bool lists = given.has("list") || given.has("l");
  if (lists && !given.operands.empty()) return "git config may write";
  const bool gets = given.has("get") || given.has("get-all") || given.has("get-regexp");
  const std::size_t most = gets ? 2 : 1;
  if (!lists && (given.operands.empty() || given.operands.size() > most)) return "git config with a value writes";
  if (lists || given.has("get-regexp"))
    return given.has("name-only") ? "" : "git config lists values, which can hold passwords and tokens";
  // Newer versions have commands: git config edit.
  const std::string_view key = given.operands[0]->text;
  if (!key.contains('.')) return "git config may write";
  const auto known = [&](const auto& names, std::string_view name) {
    return std::ranges::find(names, name) != std::end(names);
  };
  if (!known(kPlainKeys, key) && !known(kPlainSections, key.substr(0, key.find('.'))))
    return "the value of " + spoken(key) + " can hold a password or a token";
  return {};
}

std::string git_stash(const Use& use) {
  const std::string_view verb = first_word(use);
  return verb == "list" || verb == "show" ? std::string() : "git stash changes the files of the workspace";
}

std::string git_submodule(const Use& use) {
  return use.words.empty() || first_word(use) == "status" ? std::string()
                                                          : "git submodule changes submodules or runs commands in them";
}

std::string git_reflog(const Use& use) {
  if (std::string reason = checks_signatures(use); !reason.empty()) return reason;
  if (use.given.operands.empty()) return {};
  const std::string_view verb = first_word(use);
  return verb == "show" || verb == "HEAD" ? std::string() : "git reflog with a command may delete history";
}

std::string git_worktree(const Use& use) {
  return first_word(use) == "list" && use.given.operands.size() == 1 ? std::string()
                                                                     : "git worktree changes the workspace";
}

}  // namespace BELAY_NAMESPACE::policy::rules
