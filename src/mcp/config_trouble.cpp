#include "mcp/config_trouble.h"

#include <belay/mcp/config.h>

#include <algorithm>

namespace BELAY_NAMESPACE::mcp {
namespace {

constexpr std::size_t kName = 64;

std::string_view said(json::EditKind kind) {
  using enum json::EditKind;
  switch (kind) {
    case missing_closer: return "a bracket is not closed before this place";
    case missing_opener: return "the { before this place is missing";
    case wrong_closer: return "this bracket does not close the one that is open";
    case surplus_closer: return "this bracket closes nothing";
    case missing_comma: return "a comma is missing before this place";
    case missing_colon: return "a colon is missing after the key";
    case missing_value: return "a key has no value";
    case missing_key: return "a value has no key";
    case missing_quote: return "a string lacks a quote";
    case inner_quote: return "a quote inside of a string needs a backslash";
    case unquoted_key:
    case unquoted_string: return "a string has no quotes around it";
    case duplicate_key: return "this key stands in the object a second time";
    case ellipsis: return "something is left out here";
    default: return "this can be read in more than one way";
  }
}

// Columns count characters.
std::string place(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const std::string_view line = before.substr(before.rfind('\n') + 1);
  const auto column =
      std::ranges::count_if(line, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; });
  return "line " + std::to_string(1 + std::ranges::count(before, '\n')) + ", column " + std::to_string(1 + column) +
         ": ";
}

}  // namespace

std::string json_trouble(std::string_view text, const json::Reading& reading) {
  if (text.find_first_not_of(" \t\r\n") == text.npos) return "it is empty; {\"mcpServers\": {}} has no servers";
  const std::string_view begin = text.substr(text.find_first_not_of(" \t\r\n"));
  if (begin.starts_with('['))
    return "it is a list; an object is wanted: {\"mcpServers\": {\"NAME\": {\"command\": ...}}}";
  for (const json::Edit& edit : reading.edits)
    if (edit.grade == json::Grade::guess) return place(text, edit.offset) + std::string(said(edit.kind));
  if (reading.error && reading.error.kind != json::ErrorKind::no_value)
    return place(text, reading.error.position.offset) + reading.error.message;
  return "it is not one JSON object; {\"mcpServers\": {\"NAME\": {\"command\": ...}}} is wanted";
}

std::string name_trouble(std::string_view name) {
  if (name.empty()) return "its name is empty";
  if (name.size() > kName) return "its name has more than " + std::to_string(kName) + " bytes";
  if (name.starts_with(' ') || name.ends_with(' ')) return "its name begins or ends with a space";
  const bool plain =
      std::ranges::all_of(name, [](unsigned char c) { return c >= 0x20 && c != 0x7f && c != '"' && c != '\\'; });
  return plain ? "" : "its name has a quote, a backslash or a control character in it";
}

}  // namespace BELAY_NAMESPACE::mcp
