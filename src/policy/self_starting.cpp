#include "policy/self_starting.h"

#include <algorithm>
#include <string>

namespace BELAY_NAMESPACE::policy {
namespace {

// In lower case. A name is here when writing it means that something is run later which nobody typed; files that a
// person runs by name (Makefile, package.json) are not.
constexpr std::string_view kStartedNames[] = {
    // editors
    ".vscode", ".idea", ".zed", ".devcontainer", ".devcontainer.json", ".vimrc", ".exrc", ".nvimrc", ".nvim.lua",
    ".dir-locals.el",
    // agents, and the servers that they start
    ".mcp.json", "mcp.json", ".cursor", ".claude", ".codex", ".gemini", ".roo", ".windsurf", ".continue", ".kiro",
    ".trae", ".opencode", "opencode.json", ".aider.conf.yml",
    // what agents are told when they begin
    "agents.md", "claude.md", "gemini.md", ".cursorrules", ".windsurfrules",
    // shells and what they load on entering a folder
    ".envrc", ".mise.toml", "mise.toml", ".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".profile",
    ".zshrc", ".zshenv", ".zprofile", ".zlogin", ".ssh", ".config", ".tool-versions", ".curlrc", ".netrc", ".wgetrc",
    // version control
    ".gitmodules", ".gitattributes", ".gitconfig", ".husky", ".pre-commit-config.yaml", "lefthook.yml", ".lefthook.yml",
    "lefthook.yaml", ".hg", ".hgrc", ".jj",
    // package managers and tools of languages
    ".npmrc", ".yarnrc", ".yarnrc.yml", ".pnpmfile.cjs", ".cargo", ".mvn", ".bazelrc", ".gdbinit", ".lldbinit",
    ".rprofile", ".irbrc", ".pryrc", "sitecustomize.py", "usercustomize.py",
    // build services
    ".github", ".gitlab-ci.yml", ".circleci", ".travis.yml", ".buildkite", ".drone.yml", "jenkinsfile",
    "azure-pipelines.yml", "bitbucket-pipelines.yml"};
constexpr std::string_view kEndings[] = {".code-workspace", ".sublime-project", ".pth"};

}  // namespace

bool starts_by_itself(std::string_view path) {
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    std::string part(path.substr(0, end));
    path.remove_prefix(std::min(end + 1, path.size()));
    std::ranges::transform(part, part.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    // Some file systems leave these out at the end of a name.
    while (part.ends_with('.') || part.ends_with(' ')) part.pop_back();
    if (std::ranges::find(kStartedNames, part) != std::end(kStartedNames)) return true;
    // With HEAD, objects and refs any folder is a repository, and git obeys the file config in it.
    if (path.empty() && part == "head") return true;
    if (std::ranges::any_of(kEndings, [&](std::string_view ending) { return part.ends_with(ending); })) return true;
  }
  return false;
}

}  // namespace BELAY_NAMESPACE::policy
