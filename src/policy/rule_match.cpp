#include "policy/rule_match.h"

#include "policy/rule_against.h"
#include "policy/shell_text.h"
#include "policy/words.h"

#include <algorithm>
#include <vector>

namespace BELAY_NAMESPACE::policy {
namespace {

bool plain_words(std::string_view text) {
  return text.find_first_of(";&|<>`$(){}[]*?!#~\\\"'\n\r\t") == std::string_view::npos;
}

}  // namespace

bool glob(std::string_view pattern, std::string_view text) {
  // The places in the pattern that the text so far can have led to.
  std::vector<char> now(pattern.size() + 1), next(pattern.size() + 1);
  auto is_deep = [&](std::size_t p) {
    return (p + 1 < pattern.size() && pattern[p + 1] == '*') || (p > 0 && pattern[p - 1] == '*');
  };
  // A star may stand for nothing.
  auto enter = [&](std::vector<char>& places, std::size_t p) {
    places[p] = 1;
    while (p < pattern.size() && pattern[p] == '*') places[++p] = 1;
  };
  enter(now, 0);
  for (char c : text) {
    std::ranges::fill(next, 0);
    bool any = false;
    for (std::size_t p = 0; p < pattern.size(); ++p) {
      if (now[p] == 0) continue;
      if (pattern[p] == '*') {
        if (c == '/' && !is_deep(p)) continue;
        enter(next, p);
      } else if (pattern[p] == c) {
        enter(next, p + 1);
      } else {
        continue;
      }
      any = true;
    }
    if (!any) return false;
    now.swap(next);
  }
  return now[pattern.size()] != 0;
}

std::string plain_path(std::string_view path, std::string_view workspace) {
  while (workspace.ends_with('/')) workspace.remove_suffix(1);
  const bool absolute = path.starts_with('/');
  std::vector<std::string_view> parts;
  std::string_view rest = path;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('/'), rest.size());
    const std::string_view part = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (part.empty() || part == ".") continue;
    if (part == ".." && !parts.empty() && parts.back() != "..")
      parts.pop_back();
    else if (part != ".." || !absolute)
      parts.push_back(part);
  }
  std::string out = absolute ? "/" : "";
  for (std::size_t i = 0; i < parts.size(); ++i) (out += i == 0 ? "" : "/") += parts[i];
  if (!workspace.empty() && out.starts_with(workspace) && out.size() > workspace.size() && out[workspace.size()] == '/')
    out.erase(0, workspace.size() + 1);
  else if (!workspace.empty() && out == workspace)
    out = ".";
  return out.empty() && !path.empty() ? "." : out;
}

Subject subject_of(const tool::Spec& spec, json::Value arguments, std::string_view workspace) {
  auto text_of = [&](std::string_view key) -> std::string {
    auto value = arguments.find(key);
    return value && value->is_string() ? std::string(value->as_string()) : std::string();
  };
  Subject subject;
  if (spec.effect == tool::Effect::execute) {
    subject.text = text_of("command");
    subject.is_command = !subject.text.empty();
    // What goes up and down again may go through a link.
    const std::string cwd = text_of("cwd");
    if (plain_path(cwd, workspace) != "." || cwd.contains("..")) subject.folder = cwd;
  }
  if (subject.text.empty()) subject.text = plain_path(text_of("path"), workspace);
  if (subject.text.empty()) subject.text = text_of("url");
  return subject;
}

bool is_server_rule(std::string_view tool) {
  return tool.size() > 3 && tool.find('*') == tool.size() - 1 && tool.find("__") == tool.size() - 3;
}

Match matches(const Rule& rule, const tool::Spec& spec, const Subject& subject) {
  const bool of_server =
      is_server_rule(rule.tool) && spec.name.starts_with(std::string_view(rule.tool).substr(0, rule.tool.size() - 1));
  if (rule.tool != "*" && rule.tool != spec.name && !of_server) return Match::no;
  if (rule.pattern.empty()) return Match::yes;
  std::string_view pattern = rule.pattern;
  auto yes = [](bool is) { return is ? Match::yes : Match::no; };
  if (!subject.is_command) return yes(glob(pattern, subject.text));
  const bool any_words = pattern.ends_with(":*");
  if (any_words) pattern.remove_suffix(2);
  if (rule.decision != Decision::allow) return against(pattern, any_words, subject.text);
  // Whoever wrote the rule saw other words than these, or could not have.
  if (!hidden_text(subject.text).empty()) return Match::no;
  // In another folder the same words can mean another program: ./test, make.
  if (!subject.folder.empty()) return Match::no;
  // Words behind a known beginning, or where a star stands: only if they are nothing but words.
  if (any_words) return yes(begins_with_words(subject.text, pattern) && plain_words(subject.text));
  return yes(glob(pattern, subject.text) && (pattern.find('*') == std::string_view::npos || plain_words(subject.text)));
}

}  // namespace BELAY_NAMESPACE::policy
