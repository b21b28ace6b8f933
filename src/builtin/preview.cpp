#include <belay/builtin.h>
#include <belay/json/reader.h>

#include "builtin/search_replace.h"
#include "builtin/text_lines.h"
#include "builtin/unified_diff.h"

namespace BELAY_NAMESPACE::builtin {
namespace {

using sandbox::PathErrorKind;

// All of it: a person has to see what they approve of.
constexpr UnifiedDiffOptions kWholeDiff{.context = 3, .bytes = 4 << 20, .line_bytes = 1 << 20};

std::string text_of(json::Value arguments, std::string_view key) {
  const auto value = arguments.find(key);
  return value && value->is_string() ? std::string(value->as_string()) : std::string();
}

std::string difference(const std::string& name, std::string_view before, std::string_view after) {
  if (before == after) return name + " would stay as it is: it has this content already\n";
  if (!is_text(before) || !is_text(after))
    return name + " is binary: " + std::to_string(before.size()) + " bytes would become " +
           std::to_string(after.size()) + "\n";
  return unified_diff(name, before, after, kWholeDiff);
}

}  // namespace

std::string preview(const sandbox::Workspace& workspace, std::string_view tool, std::string_view arguments) {
  const bool writes = tool == "write_to_file";
  if (!writes && tool != "apply_diff") return {};
  const json::Reading reading = json::read(arguments, {.mode = json::Mode::strict});
  if (!reading.verdict.trusted()) return {};
  const json::Value given = reading.document.root();
  const std::string path = text_of(given, "path"), name = sandbox::shown_path(path);
  auto old = workspace.read(path);
  if (!old && !(writes && old.error().kind == PathErrorKind::not_found))
    return "what it would change cannot be shown: " + old.error().message + "\n";
  const std::string before = old ? std::move(old->bytes) : std::string();
  if (writes) return difference(name, before, text_of(given, "content"));
  auto blocks = read_blocks(text_of(given, "diff"));
  if (!blocks) return "it would fail: " + blocks.error() + "\n";
  auto applied = apply_blocks(before, *blocks);
  if (!applied) return "it would fail: " + applied.error() + "\n";
  return difference(name, before, applied->text);
}

}  // namespace BELAY_NAMESPACE::builtin
