#include "policy/rule_match.h"

#include "policy/shell_parser.h"

#include <algorithm>
#include <vector>

namespace belay::policy {
namespace {

bool plain_words(std::string_view text) {
  return text.find_first_of(";&|<>`$(){}[]*?!#~\\\"'\n\r\t") == std::string_view::npos;
}

// `npm test` for npm test and npm test --watch, not for npm testing.
bool begins_with_words(std::string_view text, std::string_view words) {
  return text == words || (text.starts_with(words) && text[words.size()] == ' ');
}

std::string joined(const std::vector<Word>& words, std::size_t from) {
  std::string out;
  for (std::size_t i = from; i < words.size(); ++i) (out += i == from ? "" : " ") += words[i].text;
  return out;
}

std::string_view last_part(std::string_view path) { return path.substr(path.rfind('/') + 1); }

// Commands that run what stands inside of a word.
constexpr std::string_view kRunText[] = {
    "sh",     "bash",    "dash",     "zsh",     "ksh",       "fish",    "eval",   "trap",          "alias", "su",
    "sudo",   "doas",    "env",      "xargs",   "ssh",       "script",  "flock",  "watch",         "find",  "tar",
    "rsync",  "sed",     "awk",      "gawk",    "mawk",      "busybox", "node",   "perl",          "php",   "ruby",
    "python", "python3", "parallel", "timeout", "submodule", "bisect",  "rebase", "filter-branch", "-c"};

bool runs_text(const SimpleCommand& command) {
  return std::ranges::any_of(command.words, [](const Word& word) {
    return std::ranges::find(kRunText, last_part(word.text)) != std::end(kRunText);
  });
}

// `rm` anywhere in 'ls; rm x' and in 'BEGIN{system("/bin/rm x")}': whatever cannot be in a name ends one.
bool has_inside(std::string_view text, std::string_view words) {
  const auto in_name = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
           c == '.';
  };
  for (std::size_t at = text.find(words); at != std::string_view::npos; at = text.find(words, at + 1)) {
    const std::size_t end = at + words.size();
    if ((at == 0 || !in_name(text[at - 1])) && (end == text.size() || !in_name(text[end]))) return true;
  }
  return false;
}

// Rules against a command: every simple command in it counts, whatever stands around it, and since commands run others
// (sudo, env, xargs, sh -c), so does every word that may begin one.
Match against(std::string_view pattern, bool any_words, std::string_view command) {
  if (!any_words && glob(pattern, command)) return Match::yes;
  auto script = parse_shell(command, {});
  if (!script) return Match::unknown;
  for (const SimpleCommand& simple : script->commands) {
    if (any_words && runs_text(simple) &&
        std::ranges::any_of(simple.words, [&](const Word& word) { return has_inside(word.text, pattern); }))
      return Match::yes;
    for (std::size_t i = 0; i < simple.words.size(); ++i) {
      const std::string text = joined(simple.words, i);
      const std::string_view first = simple.words[i].text;
      const std::string_view short_text = std::string_view(text).substr(first.size() - last_part(first).size());
      for (std::string_view candidate : {std::string_view(text), short_text}) {
        if (any_words && begins_with_words(candidate, pattern)) return Match::yes;
        if (!any_words && i == 0 && glob(pattern, candidate)) return Match::yes;
      }
    }
  }
  return Match::no;
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

Match matches(const Rule& rule, const tool::Spec& spec, const Subject& subject) {
  if (rule.tool != "*" && rule.tool != spec.name) return Match::no;
  if (rule.pattern.empty()) return Match::yes;
  std::string_view pattern = rule.pattern;
  auto yes = [](bool is) { return is ? Match::yes : Match::no; };
  if (!subject.is_command) return yes(glob(pattern, subject.text));
  const bool any_words = pattern.ends_with(":*");
  if (any_words) pattern.remove_suffix(2);
  if (rule.decision != Decision::allow) return against(pattern, any_words, subject.text);
  // In another folder the same words can mean another program: ./test, make.
  if (!subject.folder.empty()) return Match::no;
  // Words behind a known beginning, or where a star stands: only if they are nothing but words.
  if (any_words) return yes(begins_with_words(subject.text, pattern) && plain_words(subject.text));
  return yes(glob(pattern, subject.text) && (pattern.find('*') == std::string_view::npos || plain_words(subject.text)));
}

}  // namespace belay::policy
