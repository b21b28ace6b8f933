#include "screen/always.h"

#include <belay/screen/text.h>

#include "screen/short_text.h"

#include <algorithm>
#include <array>
#include <vector>

namespace BELAY_NAMESPACE::screen {
namespace {

// Programs whose second word says what they do.
constexpr std::array<std::string_view, 22> kVerbs{
    "git",    "npm", "pnpm", "yarn", "cargo", "go",     "docker", "kubectl", "pip", "pip3",   "uv",
    "poetry", "apt", "gh",   "make", "helm",  "dotnet", "bundle", "rake",    "mvn", "gradle", "just"};

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    if (!word.empty()) words.push_back(word);
  }
  return words;
}

// Nothing that a shell reads as more than a word.
bool plain(std::string_view text) {
  return std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view(" -_./:=,+@%").find(c) != std::string_view::npos;
  });
}

bool verb(std::string_view word) {
  return !word.empty() && std::ranges::all_of(word, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == ':' || c == '_';
  }) && word[0] != '-';
}

}  // namespace

std::optional<policy::Rule> always(std::string_view tool, std::string_view arguments) {
  policy::Rule rule{policy::Decision::allow, std::string(tool), {}};
  if (tool.empty()) return std::nullopt;
  const std::string command = member_of(arguments, "command");
  // A rule says nothing of the folder, so it would allow what was not shown.
  if (!member_of(arguments, "cwd").empty()) return std::nullopt;
  if (command.empty()) return tool == "execute_command" ? std::nullopt : std::optional(rule);
  // A pattern ends where the rule's parenthesis does, and a star in it would mean more than itself.
  if (command.find('*') != command.npos || printable(command) != command) return std::nullopt;
  const std::vector<std::string_view> words = words_of(command);
  if (plain(command) && words.size() >= 2 && std::ranges::find(kVerbs, words[0]) != kVerbs.end() && verb(words[1])) {
    std::size_t n = 2;
    if ((words[1] == "run" || words[1] == "exec" || words[1] == "compose") && words.size() > 2 && verb(words[2])) n = 3;
    for (std::size_t i = 0; i < n; ++i) rule.pattern += (i == 0 ? "" : " ") + std::string(words[i]);
    rule.pattern += ":*";
    return rule;
  }
  rule.pattern = command;
  return rule;
}

std::string rule_text(const policy::Rule& rule) {
  return rule.tool + (rule.pattern.empty() ? "" : "(" + rule.pattern + ")");
}

}  // namespace BELAY_NAMESPACE::screen
