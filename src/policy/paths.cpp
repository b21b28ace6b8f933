#include "paths.h"

#include "key_names.h"

#include <algorithm>

namespace BELAY_NAMESPACE::policy {
namespace {

using Is = PathVerdict::Is;

constexpr std::string_view kSystem[] = {"/usr/include/", "/usr/share/", "/usr/lib/", "/usr/lib64/", "/usr/bin/"};
constexpr std::string_view kSystemExactly[] = {"/usr",     "/usr/include",    "/usr/share",         "/usr/lib",
                                               "/usr/bin", "/etc/os-release", "/etc/debian_version"};

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

// One part of a path between slashes. A colon separates too: git's HEAD:file.
std::string_view refuse_part(std::string_view part, bool may_glob) {
  if (part == "..") return "a path with .. can leave the workspace";
  std::string name = lower(part);
  // Some file systems leave these out at the end of a name.
  while (name.size() > 1 && (name.ends_with('.') || name.ends_with(' '))) name.pop_back();
  if (name == ".git") return "git's own files can hold passwords and hooks";
  if (name == ".belay") return "Belay's own files are not for commands";
  if (is_key_name(name)) return "the name is one that keys and passwords have";
  // `.*` finds `..` too in many shells, and `.e*` a file of keys.
  if (may_glob && part.starts_with('.') && part.find_first_of("*?[") != std::string_view::npos)
    return "a pattern that begins with a dot can leave the workspace";
  return {};
}

std::string_view refuse_parts(std::string_view path, bool may_glob) {
  while (!path.empty()) {
    const std::size_t end = std::min(path.find_first_of("/:"), path.size());
    if (const std::string_view reason = refuse_part(path.substr(0, end), may_glob); !reason.empty()) return reason;
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return {};
}

// What git calls magic, in front of a path: `:(top,icase)`, `:/`, `:!`.
std::string_view without_magic(std::string_view path) {
  if (!path.starts_with(':')) return path;
  if (path.starts_with(":(")) return path.contains(')') ? path.substr(path.find(')') + 1) : path;
  return path.substr(std::min(path.find_first_not_of(":/!^"), path.size()));
}

// The parts of a pattern between slashes. A colon is part of one: [[:alpha:]].
Finds worst_of_parts(std::string_view path, bool dots) {
  Finds worst = Finds::other;
  while (!path.empty()) {
    const std::string_view part = path.substr(0, path.find('/'));
    if (part.find_first_of("*?[") != std::string_view::npos) worst = std::max(worst, finds_keys(lower(part), dots));
    path.remove_prefix(std::min(part.size() + 1, path.size()));
  }
  return worst;
}

}  // namespace

PathVerdict judge_path(const Word& word, std::string_view workspace, Reader reader) {
  std::string_view path = word.text;
  if (word.tilde) return {Is::refused, "~ is a home directory, outside of the workspace"};
  if (word.brace) return {Is::refused, "braces expand to words that the text does not show"};
  if (word.status) return {Is::refused, "a path holds $?, which is not known before it runs"};
  if (path == "/dev/null") return {};
  const bool below = !workspace.empty() && path.starts_with(workspace) &&
                     (path.size() == workspace.size() || path[workspace.size()] == '/');
  if (below) path.remove_prefix(workspace.size());
  if (reader == Reader::git) path = without_magic(path);
  if (const std::string_view reason = refuse_parts(path, word.glob()); !reason.empty()) return {Is::refused, reason};
  const bool git = reader == Reader::git;
  const Finds finds = word.glob() || git ? worst_of_parts(path, git) : Finds::other;
  if (finds == Finds::keys) return {Is::refused, "the pattern finds names that keys and passwords have"};
  if (below || !path.starts_with('/')) return {.finds_any = finds == Finds::any};
  if (std::ranges::find(kSystemExactly, path) != std::end(kSystemExactly) ||
      std::ranges::any_of(kSystem, [&](auto begin) { return path.starts_with(begin); }))
    return {Is::system, {}};
  if (path.starts_with("/dev")) return {Is::refused, "device files are not for commands"};
  if (path.starts_with("/proc") || path.starts_with("/sys"))
    return {Is::refused, "/proc and /sys show other processes and the machine"};
  return {Is::refused, "the path is outside of the workspace"};
}

}  // namespace BELAY_NAMESPACE::policy
