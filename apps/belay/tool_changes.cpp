#include "tool_changes.h"

#include "server_questions.h"
#include "terminal.h"

#include <algorithm>
#include <optional>

namespace belay::cli {
namespace {

constexpr std::size_t kPlainBytes = 2000;  // of one text, on plain lines
constexpr std::size_t kSame = 200;         // bytes that two texts begin with, before they are left out
constexpr std::size_t kKept = 80;          // and how many of them stay
constexpr std::size_t kParts = 8;          // of a change, at the desk
constexpr std::size_t kTextRows = 5;       // of one text, there

// From where two long texts differ, so that the difference is seen.
std::string_view from_difference(std::string_view text, std::string_view other, bool& cut) {
  const auto [at, unused] = std::ranges::mismatch(text, other);
  auto same = static_cast<std::size_t>(at - text.begin());
  cut = same > kSame;
  if (!cut) return text;
  same -= kKept;
  while (same < text.size() && (static_cast<unsigned char>(text[same]) & 0xc0) == 0x80) ++same;
  return text.substr(same);
}

struct Pair {
  std::string was, now;
};
Pair texts_of(const mcp::ToolChange& change) {
  const auto text = [](const std::optional<std::string>& one, const std::optional<std::string>& other) {
    if (!one) return std::string("(nothing)");
    bool cut = false;
    const std::string_view rest = from_difference(*one, other.value_or(""), cut);
    return (cut ? "[...] " : "") + std::string(rest);
  };
  return {text(change.was, change.now), text(change.now, change.was)};
}

std::string line_of(std::string_view text, std::size_t indent) {
  std::size_t end = std::min(text.size(), kPlainBytes);
  while (end > 0 && end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  std::string out = folded(mcp::shown(text.substr(0, end)), indent);
  if (end < text.size()) out += " [" + std::to_string(text.size() - end) + " more bytes are not shown]";
  return out;
}

std::string lines_of(const std::vector<mcp::ToolChange>& changes, bool old_known) {
  std::string out;
  for (const mcp::ToolChange& change : changes) {
    const auto [was, now] = texts_of(change);
    out += "         " + line_of(change.part, 9) + "\n";
    if (old_known) out += "           was  " + line_of(was, 16) + "\n";
    out += "           now  " + line_of(now, 16) + "\n";
  }
  return out;
}

}  // namespace

std::string described_changes(const McpSetting& setting, const mcp::ServerConfig& config, const mcp::Offer& offer) {
  std::string out;
  const std::vector<mcp::ToolDefinition> known = setting.approved.load(config.hash);
  for (const mcp::ToolDefinition& tool : offer.tools) {
    const auto before = setting.approvals.tool(config.hash, tool.name);
    if (before && *before == mcp::hash_of(tool)) continue;
    out += (before ? "changed  " : "new      ") + clipped(mcp::shown(tool.name), 70) + "\n";
    if (!before) {
      out += "         " + line_of(tool.description, 9) + "\n";
      continue;
    }
    // Only the very definition that was approved counts as what it was.
    const auto old = std::ranges::find(known, tool.name, &mcp::ToolDefinition::name);
    if (old != known.end() && mcp::hash_of(*old) == *before)
      out += lines_of(mcp::changes_between(*old, tool), true);
    else
      out +=
          "         What it was when it was approved is not known. It is now:\n" + lines_of(mcp::parts_of(tool), false);
  }
  const mcp::Standing words = setting.approvals.standing(config.hash, offer.instructions);
  if (words != mcp::Standing::approved)
    out += std::string(words == mcp::Standing::changed ? "changed  " : "new      ") +
           "what it says of itself\n         " + line_of(offer.instructions, 9) + "\n";
  return out;
}

std::string described_change(const mcp::ToolDefinition& before, const mcp::ToolDefinition& now) {
  std::string out;
  const std::vector<mcp::ToolChange> changes = mcp::changes_between(before, now);
  for (std::size_t i = 0; i < std::min(changes.size(), kParts); ++i) {
    const auto [was, is] = texts_of(changes[i]);
    const std::string part = clipped(mcp::shown(changes[i].part), Desk::columns() - 8);
    out += "\n" + part + " was:\n" + their_words(was, kTextRows) + "\nand is now:\n" + their_words(is, kTextRows);
  }
  if (changes.size() > kParts)
    out += "\n" + std::to_string(changes.size() - kParts) + " more changes are not shown; belay mcp approve shows all";
  return out;
}

std::expected<void, std::string> approve_as_shown(McpSetting& setting, const mcp::ServerConfig& config,
                                                  const mcp::Offer& offer) {
  std::vector<mcp::ToolDefinition> tools = offer.tools;
  if (auto kept = setting.approvals.update([&](mcp::Approvals& a) { a.approve_offer(config.hash, offer); }); !kept)
    return kept;
  // Those that are not there today stay approved, and known.
  for (mcp::ToolDefinition& old : setting.approved.load(config.hash))
    if (std::ranges::find(tools, old.name, &mcp::ToolDefinition::name) == tools.end()) tools.push_back(std::move(old));
  // A list that is too long to be kept is approved all the same: a change is then shown without what was before, and
  // that is said.
  static_cast<void>(setting.approved.keep(config.hash, tools));
  return {};
}

}  // namespace belay::cli
