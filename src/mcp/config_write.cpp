// Changes to a file of servers that leave the rest of it as it was.
#include <belay/mcp/config.h>
#include <belay/sandbox/path_error.h>

#include "mcp/config_trouble.h"
#include "mcp/files.h"

#include <algorithm>
#include <functional>
#include <string>

namespace BELAY_NAMESPACE::mcp {
namespace {

void indent(std::string& out, std::size_t depth) { out.append(1, '\n').append(2 * depth, ' '); }

// JSON for people, two spaces a level. The depth is that of a file that was read: 64 at most.
void pretty(json::Value v, std::size_t depth, std::string& out) {
  if ((!v.is_object() && !v.is_array()) || v.size() == 0) return json::write(v, out);
  out += v.is_object() ? '{' : '[';
  bool first = true;
  auto begin = [&] {
    if (!first) out += ',';
    first = false;
    indent(out, depth + 1);
  };
  for (const json::Member& member : v.members()) {
    begin();
    json::write_string(member.key, out);
    out += ": ";
    pretty(member.value, depth + 1, out);
  }
  for (json::Value item : v.items()) {
    begin();
    pretty(item, depth + 1, out);
  }
  indent(out, depth);
  out += v.is_object() ? '}' : ']';
}

// The object with one member added, replaced or left out.
std::string with_member(std::optional<json::Value> object, std::string_view key, std::string_view json) {
  std::string out = "{";
  auto add = [&](std::string_view name, const std::string& value) {
    if (out.size() > 1) out += ',';
    json::write_string(name, out);
    out += ':';
    out += value;
  };
  bool done = json.empty();
  if (object)
    for (const json::Member& member : object->members()) {
      if (member.key != key) {
        add(member.key, json::to_string(member.value));
      } else if (!json.empty()) {
        add(key, std::string(json));
        done = true;
      }
    }
  if (!done) add(key, std::string(json));
  return out + "}";
}

}  // namespace

std::expected<bool, std::string> change_file(const std::string& file, std::string_view name,
                                             std::string_view definition) {
  bool changed = false;
  auto work = [&]() -> std::expected<void, std::string> {
    const auto text = read_small(file);
    if (!text) return std::unexpected(text.error());
    json::ReaderOptions strict;
    strict.mode = json::Mode::strict;
    strict.limits.depth = 64;
    const json::Reading reading = json::read(text->value_or("{}"), strict);
    // Comments would be lost: who wrote them should decide.
    if (reading.verdict.word() != json::Word::valid || !reading.document.root().is_object())
      return std::unexpected(sandbox::shown_path(file) + " is not plain JSON (" +
                             json_trouble(text->value_or(""), reading) + "); it is not changed, edit it by hand");
    const json::Value root = reading.document.root();
    const auto servers = root.find("mcpServers");
    const bool there = servers && servers->find(name).has_value();
    if (there == !definition.empty()) return {};
    const std::string all = with_member(root, "mcpServers", with_member(servers, name, definition));
    const json::Reading result = json::read(all, strict);
    std::string out;
    pretty(result.document.root(), 0, out);
    changed = true;
    return write_small(file, out + "\n");
  };
  if (auto done = while_locked(file, work); !done) return std::unexpected(done.error());
  return changed;
}

}  // namespace BELAY_NAMESPACE::mcp
