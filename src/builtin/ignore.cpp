#include "builtin/ignore.h"

#include <algorithm>
#include <utility>

namespace BELAY_NAMESPACE::builtin {
namespace {

// Spaces at the end do not count, unless a backslash stands before the first of them that does.
std::string_view without_trailing_spaces(std::string_view line) {
  std::size_t end = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\\' && i + 1 < line.size()) {
      ++i;
      end = i + 1;
    } else if (line[i] != ' ') {
      end = i + 1;
    }
  }
  return line.substr(0, end);
}

}  // namespace

IgnoreRules IgnoreRules::read(std::string_view text) {
  IgnoreRules out;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  while (!text.empty() && out.rules_.size() < kMostRules) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.starts_with('#')) continue;
    line = without_trailing_spaces(line);
    Rule rule;
    if (line.starts_with('!')) {
      rule.negated = true;
      line.remove_prefix(1);
    }
    if (line.ends_with('/')) {
      rule.folders_only = true;
      line.remove_suffix(1);
    }
    if (line.empty()) continue;
    rule.anchored = line.find('/') != std::string_view::npos;
    if (line.starts_with('/')) line.remove_prefix(1);
    auto glob = Glob::compile(line);
    if (!glob) continue;
    rule.glob = std::move(*glob);
    out.rules_.push_back(std::move(rule));
  }
  return out;
}

std::optional<bool> IgnoreRules::ignored(std::string_view path, bool folder) const {
  const std::string_view last = path.substr(path.rfind('/') + 1);
  for (auto rule = rules_.rbegin(); rule != rules_.rend(); ++rule) {
    if (rule->folders_only && !folder) continue;
    if (rule->glob.matches(rule->anchored ? path : last)) return !rule->negated;
  }
  return std::nullopt;
}

void IgnoreStack::push(std::string_view place, IgnoreRules rules) {
  levels_.push_back({std::string(place), std::move(rules)});
}

bool IgnoreStack::ignored(std::string_view path, bool folder) const {
  for (auto level = levels_.rbegin(); level != levels_.rend(); ++level) {
    if (level->rules.empty()) continue;
    std::string_view below = path;
    if (!level->place.empty()) below.remove_prefix(std::min(level->place.size() + 1, below.size()));
    if (auto said = level->rules.ignored(below, folder)) return *said;
  }
  return false;
}

}  // namespace BELAY_NAMESPACE::builtin
