#include <belay/mcp/tool_diff.h>

#include "mcp/fields.h"

#include <map>
#include <string_view>
#include <utility>

namespace BELAY_NAMESPACE::mcp {
namespace {

constexpr std::size_t kChanges = 50;  // of one part; more are shown as the whole of it
constexpr std::size_t kDepth = 32;

using Changes = std::vector<ToolChange>;

void compare(json::Value before, json::Value now, const std::string& path, std::size_t depth, Changes& out) {
  if (out.size() > kChanges) return;
  if (!before.is_object() || !now.is_object() || depth == kDepth) {
    std::string was = json::to_string(before), is = json::to_string(now);
    if (was != is) out.push_back({path, std::move(was), std::move(is)});
    return;
  }
  const auto below = [&](std::string_view key) { return path + (depth == 0 ? ", " : ".") + std::string(key); };
  std::map<std::string_view, json::Value> theirs;
  for (const json::Member& member : now.members()) theirs.insert_or_assign(member.key, member.value);
  for (const json::Member& member : before.members()) {
    const auto found = theirs.find(member.key);
    if (found == theirs.end()) {
      out.push_back({below(member.key), json::to_string(member.value), std::nullopt});
      continue;
    }
    compare(member.value, found->second, below(member.key), depth + 1, out);
    theirs.erase(found);
  }
  for (const auto& [key, value] : theirs) out.push_back({below(key), std::nullopt, json::to_string(value)});
}

std::optional<std::string> some(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional<std::string>(text);
}

void add_json(const std::string& part, const std::string& before, const std::string& now, Changes& out) {
  if (before == now) return;
  const json::Reading was = json::read(before), is = json::read(now);
  Changes found;
  if (!before.empty() && !now.empty() && !was.document.empty() && !is.document.empty())
    compare(was.document.root(), is.document.root(), part, 0, found);
  // Another order of the same members is a change that has no place.
  if (found.empty() || found.size() > kChanges) found.assign(1, {part, some(before), some(now)});
  for (ToolChange& change : found) out.push_back(std::move(change));
}

}  // namespace

Changes changes_between(const ToolDefinition& before, const ToolDefinition& now) {
  Changes out;
  if (before.name != now.name) out.push_back({"name", some(before.name), some(now.name)});
  if (before.title != now.title) out.push_back({"title", some(before.title), some(now.title)});
  if (before.description != now.description)
    out.push_back({"description", some(before.description), some(now.description)});
  add_json("input schema", before.input_schema, now.input_schema, out);
  add_json("output schema", before.output_schema, now.output_schema, out);
  add_json("annotations", before.annotations, now.annotations, out);
  return out;
}

Changes parts_of(const ToolDefinition& now) {
  ToolDefinition nothing;
  nothing.name = now.name;
  return changes_between(nothing, now);
}

}  // namespace BELAY_NAMESPACE::mcp
