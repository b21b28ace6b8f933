#include "builtin/file_pattern.h"

#include "builtin/text_lines.h"

#include <algorithm>

namespace BELAY_NAMESPACE::builtin {
namespace {

constexpr std::size_t kChoices = 64;
constexpr std::size_t kBytes = 4096;

std::size_t closing(std::string_view text, std::size_t open) {
  std::size_t depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == '{') {
      ++depth;
    } else if (text[i] == '}' && --depth == 0) {
      return i;
    }
  }
  return std::string_view::npos;
}

// The alternatives of the first braces, each put in their place. False when there are none.
bool expand(const std::string& text, std::vector<std::string>& out) {
  std::size_t open = 0;
  while (open < text.size() && text[open] != '{') open += text[open] == '\\' ? 2U : 1U;
  if (open >= text.size()) return false;
  const std::size_t close = closing(text, open);
  if (close == std::string::npos) return false;
  std::size_t from = open + 1, depth = 0;
  for (std::size_t i = from; i <= close; ++i) {
    if (text[i] == '\\') {
      ++i;
      continue;
    }
    if (i == close || (text[i] == ',' && depth == 0)) {
      out.push_back(text.substr(0, open) + text.substr(from, i - from) + text.substr(close + 1));
      from = i + 1;
    }
    if (text[i] == '{') ++depth;
    if (text[i] == '}' && depth > 0) --depth;
  }
  return true;
}

// True when a brace opens alternatives and none closes them. At the end, and in a class such as [{], it is a character.
bool never_closed(std::string_view text) {
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == '[') {
      if (const std::size_t end = text.find(']', i + 2); end != std::string_view::npos) i = end;
    } else if (text[i] == '{' && closing(text, i) == std::string_view::npos) {
      return true;
    }
  }
  return false;
}

bool goes_up(std::string_view pattern) {
  while (!pattern.empty()) {
    const std::size_t end = std::min(pattern.find('/'), pattern.size());
    if (pattern.substr(0, end) == "..") return true;
    pattern.remove_prefix(std::min(end + 1, pattern.size()));
  }
  return false;
}

}  // namespace

std::expected<FilePattern, std::string> FilePattern::compile(std::string_view pattern) {
  const auto refuse = [&](std::string_view why) {
    return std::unexpected("the file_pattern \"" + clipped(pattern, 80) + "\" " + std::string(why));
  };
  if (pattern.size() > kBytes) return refuse("is too long");
  if (never_closed(pattern)) return refuse("has a { that no } closes; write *.{h,cpp}, or \\{ for a brace itself");
  FilePattern out;
  std::vector<std::string> pending;
  if (!pattern.empty()) pending.emplace_back(pattern);
  while (!pending.empty()) {
    std::string one = std::move(pending.back());
    pending.pop_back();
    std::vector<std::string> more;
    if (expand(one, more)) {
      pending.insert(pending.end(), more.rbegin(), more.rend());
      if (pending.size() > kChoices) return refuse("has too many alternatives in braces");
      continue;
    }
    while (one.starts_with("./")) one.erase(0, 2);
    if (one.starts_with('/')) return refuse("is absolute; it is about paths from the searched folder on");
    if (goes_up(one)) return refuse("goes up; only files beneath the searched folder are looked at");
    auto glob = Glob::compile(one);
    if (!glob) return refuse("cannot be read: a bracket is not closed, or a backslash stands at the end");
    if (out.choices_.size() == kChoices) return refuse("has too many alternatives in braces");
    out.choices_.push_back({std::move(*glob), one.find('/') != std::string::npos});
  }
  return out;
}

bool FilePattern::matches(std::string_view path) const {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return choices_.empty() || std::ranges::any_of(choices_, [&](const Choice& choice) {
           return choice.glob.matches(choice.whole ? path : name);
         });
}

}  // namespace BELAY_NAMESPACE::builtin
