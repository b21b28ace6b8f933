#include <belay/mcp/approvals.h>
#include <belay/sandbox/path_error.h>

#include "mcp/fields.h"
#include "mcp/files.h"
#include "mcp/object.h"
#include "mcp/sha256.h"

#include <algorithm>

namespace BELAY_NAMESPACE::mcp {
namespace {

std::string list_of(const auto& entries, std::string_view first, std::string_view second) {
  std::string out = "[";
  for (const auto& [key, hash] : entries) {
    if (out.size() > 1) out += ',';
    out += "\n  " + Object().text(first, key.first).text(second, key.second).text("hash", hash).done();
  }
  return out + "]";
}

}  // namespace

std::string hash_of(const ToolDefinition& tool) {
  // Each part with its length before it: no two definitions give one text.
  std::string all;
  for (const std::string* part :
       {&tool.name, &tool.title, &tool.description, &tool.input_schema, &tool.output_schema, &tool.annotations})
    all += std::to_string(part->size()) + ":" + *part;
  return sha256(all);
}

std::expected<Approvals, std::string> Approvals::load(std::string path) {
  Approvals out;
  const auto content = read_small(path);
  if (!content) return std::unexpected(content.error());
  out.path_ = std::move(path);
  if (!content->has_value()) return out;
  json::ReaderOptions strict;
  strict.mode = json::Mode::strict;
  const json::Reading reading = json::read(content->value_or(""), strict);
  if (reading.verdict.word() != json::Word::valid)
    return std::unexpected(sandbox::shown_path(out.path_) + " is damaged: " + reading.error.message +
                           "; remove it, and approve again");
  const json::Value root = reading.document.root();
  if (const auto list = root.find("servers"))
    for (json::Value v : list->items()) out.approve_server(text_in(v, "file"), text_in(v, "name"), text_in(v, "hash"));
  if (const auto list = root.find("tools"))
    for (json::Value v : list->items()) out.approve_tool(text_in(v, "server"), text_in(v, "name"), text_in(v, "hash"));
  if (const auto list = root.find("instructions"))
    for (json::Value v : list->items()) out.instructions_[text_in(v, "server")] = text_in(v, "hash");
  return out;
}

bool Approvals::server(std::string_view file, std::string_view name, std::string_view hash) const {
  const auto found = servers_.find(std::pair<std::string, std::string>(file, name));
  return found != servers_.end() && !hash.empty() && found->second == hash;
}

std::optional<std::string> Approvals::tool(std::string_view server, std::string_view name) const {
  const auto found = tools_.find(std::pair<std::string, std::string>(server, name));
  if (found == tools_.end()) return std::nullopt;
  return found->second;
}

Standing Approvals::standing(std::string_view server, const ToolDefinition& tool) const {
  if (const auto hash = this->tool(server, tool.name))
    return *hash == hash_of(tool) ? Standing::approved : Standing::changed;
  const auto next = tools_.lower_bound(std::pair<std::string, std::string>(server, ""));
  return next != tools_.end() && next->first.first == server ? Standing::added : Standing::unknown;
}

Standing Approvals::standing(std::string_view server, std::string_view instructions) const {
  if (instructions.empty()) return Standing::approved;
  const auto found = instructions_.find(server);
  if (found == instructions_.end()) return Standing::unknown;
  return found->second == sha256(instructions) ? Standing::approved : Standing::changed;
}

bool Approvals::holds(std::string_view server, const Offer& offer) const {
  const auto well = [](Standing s) { return s == Standing::unknown || s == Standing::approved; };
  return well(standing(server, offer.instructions)) &&
         std::ranges::all_of(offer.tools, [&](const ToolDefinition& tool) { return well(standing(server, tool)); });
}

void Approvals::approve_offer(std::string_view server, const Offer& offer) {
  for (const ToolDefinition& tool : offer.tools) approve_tool(server, tool.name, hash_of(tool));
  instructions_[std::string(server)] = sha256(offer.instructions);
}

void Approvals::approve_server(std::string_view file, std::string_view name, std::string_view hash) {
  servers_[{std::string(file), std::string(name)}] = hash;
}

void Approvals::approve_tool(std::string_view server, std::string_view name, std::string_view hash) {
  tools_[{std::string(server), std::string(name)}] = hash;
}

std::string Approvals::text() const {
  std::string said = "[";
  for (const auto& [server, hash] : instructions_)
    said += (said.size() > 1 ? ",\n  " : "\n  ") + Object().text("server", server).text("hash", hash).done();
  return Object()
             .number("version", 1)
             .raw("servers", list_of(servers_, "file", "name"))
             .raw("tools", list_of(tools_, "server", "name"))
             .raw("instructions", said + "]")
             .done() +
         "\n";
}

std::expected<void, std::string> Approvals::update(const std::function<void(Approvals&)>& change) {
  if (path_.empty()) {
    change(*this);
    return {};
  }
  return while_locked(path_, [&]() -> std::expected<void, std::string> {
    auto now = load(path_);
    if (!now) return std::unexpected(now.error());
    change(*now);
    if (auto written = write_small(path_, now->text()); !written) return written;
    *this = std::move(*now);
    return {};
  });
}

}  // namespace BELAY_NAMESPACE::mcp
