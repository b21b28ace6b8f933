// Requests of Anthropic Messages, written.
#include "wire/anthropic.h"
#include "wire/body.h"

#include <belay/json/reader.h>
#include <belay/json/writer.h>

#include <algorithm>

namespace BELAY_NAMESPACE::wire::anthropic {
namespace {

using chat::Block;
using chat::Message;
using chat::Role;

// The API demands a limit; this is the one for requests that have none. Callers that want more say so.
constexpr std::uint64_t kMaxTokens = 4096;
// The smallest budget for thinking that it takes.
constexpr std::uint64_t kLeastBudget = 1024;

// One message of the wire: neutral messages of the same side are joined, since roles have to alternate.
struct Turn {
  std::string_view role;
  std::vector<const Block*> blocks;
  const Opaques* kept = nullptr;
};

bool in_place(const Message& m) { return m.role == Role::system && !opaque_of(m.opaque, kName, "@role").empty(); }

// Reasoning that other models gave comes back from clients with an empty signature. Claude refuses it; compatible
// servers that do not sign want it back.
bool refused(const Block& b, const chat::Request& request) {
  if (b.kind != Block::Kind::reasoning || request.model.find("claude") == std::string::npos) return false;
  std::string_view signature = opaque_of(b.opaque, kName, "signature");
  return signature == "null" || signature == R"("")";
}

std::vector<Turn> turns_of(const chat::Request& request) {
  std::vector<Turn> turns;
  for (const Message& m : request.messages) {
    if (m.role == Role::system && !in_place(m)) continue;
    std::vector<const Block*> blocks;
    for (const Block& b : m.blocks)
      if (has_form(b) && !refused(b, request)) blocks.push_back(&b);
    if (blocks.empty()) continue;
    std::string_view role = m.role == Role::assistant ? "assistant" : m.role == Role::system ? "system" : "user";
    bool marked = has_opaque_of(m.opaque, kName);
    if (turns.empty() || turns.back().role != role || marked || turns.back().kept)
      turns.push_back({role, {}, marked ? &m.opaque : nullptr});
    turns.back().blocks.insert(turns.back().blocks.end(), blocks.begin(), blocks.end());
  }
  // Results come first in their message, or the API refuses it.
  for (Turn& t : turns)
    std::ranges::stable_partition(t.blocks, [](const Block* b) { return b->kind == Block::Kind::tool_result; });
  return turns;
}

void write_content(JsonText& out, const std::vector<const Block*>& blocks) {
  if (blocks.size() == 1 && blocks[0]->kind == Block::Kind::text && blocks[0]->opaque.empty()) {
    out.string(blocks[0]->text);
    return;
  }
  out.open('[');
  for (const Block* b : blocks) write_block(out, *b);
  out.close(']');
}

void write_system(JsonText& out, const std::vector<Message>& messages) {
  std::vector<const Block*> blocks;
  for (const Message& m : messages)
    if (m.role == Role::system && !in_place(m))
      for (const Block& b : m.blocks)
        if (has_form(b) && (b.kind == Block::Kind::text || b.kind == Block::Kind::other)) blocks.push_back(&b);
  if (blocks.empty()) return;
  out.key("system");
  write_content(out, blocks);
}

void write_tool(JsonText& out, const chat::Tool& tool) {
  out.open('{').member("name", tool.name);
  if (!tool.description.empty()) out.member("description", tool.description);
  // A tool that the API itself defines has a type and no schema.
  std::string_view type = opaque_of(tool.opaque, kName, "type");
  bool defined = !type.empty() && type != R"("custom")" && type != "null";
  if (!tool.parameters.empty())
    out.key("input_schema").raw(tool.parameters);
  else if (!defined && opaque_of(tool.opaque, kName, "input_schema").empty())
    out.key("input_schema").raw(R"({"type":"object","properties":{}})");
  write_rest(out, tool.opaque, kName);
  out.close('}');
}

// The tools, and where they were between them those that only this wire knows.
bool write_tools(JsonText& out, const chat::Request& request) {
  json::Reading places = json::read(opaque_of(request.opaque, kName, "@tools"));
  if (places.document.empty() && request.tools.empty()) return false;
  out.key("tools").open('[');
  auto next = request.tools.begin();
  if (!places.document.empty())
    for (json::Value own : places.document.root().items()) {
      if (!own.is_null())
        out.raw(json::to_string(own));
      else if (next != request.tools.end())
        write_tool(out, *next++);
    }
  for (; next != request.tools.end(); ++next) write_tool(out, *next);
  out.close(']');
  return true;
}

void write_tool_choice(JsonText& out, const chat::Request& request) {
  using Kind = chat::ToolChoice::Kind;
  if (!request.tool_choice && !request.parallel_calls) return;
  chat::ToolChoice choice = request.tool_choice.value_or(chat::ToolChoice{});
  out.key("tool_choice").open('{');
  switch (choice.kind) {
    case Kind::automatic: out.member("type", "auto"); break;
    case Kind::none: out.member("type", "none"); break;
    case Kind::required: out.member("type", "any"); break;
    case Kind::named: out.member("type", "tool").member("name", choice.name); break;
  }
  if (request.parallel_calls && choice.kind != Kind::none)
    out.key("disable_parallel_tool_use").boolean(!*request.parallel_calls);
  out.close('}');
}

std::uint64_t budget_of(std::string_view effort) {
  return effort == "minimal" ? kLeastBudget : effort == "low" ? 2048 : effort == "medium" ? 8192 : 16384;
}

// The budget that stands for an effort, or none where the API would refuse the two together: a forced tool, a sampling
// of one's own, or a turn that goes on from calls without their signed thinking, as after a change of models.
std::optional<std::uint64_t> derived_budget(const chat::Request& r) {
  if (r.tool_choice &&
      (r.tool_choice->kind == chat::ToolChoice::Kind::required || r.tool_choice->kind == chat::ToolChoice::Kind::named))
    return std::nullopt;
  if ((r.temperature && *r.temperature != 1) || (r.top_p && *r.top_p < 0.95)) return std::nullopt;
  auto last =
      std::find_if(r.messages.rbegin(), r.messages.rend(), [](const Message& m) { return m.role == Role::assistant; });
  if (last != r.messages.rend()) {
    auto is_call = [](const Block& b) { return b.kind == Block::Kind::tool_call; };
    bool signed_first =
        !last->blocks.empty() && last->blocks[0].kind == Block::Kind::reasoning && has_form(last->blocks[0]);
    if (std::ranges::any_of(last->blocks, is_call) && !signed_first) return std::nullopt;
  }
  std::uint64_t budget = budget_of(r.reasoning_effort);
  if (r.max_output_tokens) {
    if (*r.max_output_tokens <= kLeastBudget) return std::nullopt;
    budget = std::min(budget, *r.max_output_tokens - 1);
  }
  return budget;
}

// How much to think. Claude 4.6 and later are told an effort and refuse budgets (4.7 and later); those before, and
// other models behind this wire, know only budgets.
std::optional<std::uint64_t> write_thinking(JsonText& out, const chat::Request& request) {
  auto kept = [&](std::string_view key) { return !opaque_of(request.opaque, kName, key).empty(); };
  if (kept("thinking")) return std::nullopt;
  std::optional<std::uint64_t> budget = request.reasoning_tokens;
  if (!budget && !request.reasoning_effort.empty() && !kept("output_config")) {
    if (model_version(request.model, "claude-") >= ModelVersion{4, 6}) {
      out.key("thinking").open('{').member("type", "adaptive").close('}');
      std::string_view effort = request.reasoning_effort;
      if (effort == "minimal") effort = "low";
      out.key("output_config").open('{').member("effort", effort).close('}');
      return std::nullopt;
    }
    budget = derived_budget(request);
  }
  if (!budget) return std::nullopt;
  out.key("thinking").open('{').member("type", "enabled").key("budget_tokens").number(*budget).close('}');
  return budget;
}

}  // namespace

std::string write_request(const chat::Request& request) {
  std::string body;
  JsonText out(body);
  out.open('{').member("model", request.model);
  write_system(out, request.messages);
  out.key("messages").open('[');
  for (const Turn& turn : turns_of(request)) {
    out.open('{').member("role", turn.role).key("content");
    write_content(out, turn.blocks);
    if (turn.kept) write_rest(out, *turn.kept, kName);
    out.close('}');
  }
  out.close(']');
  bool tools = write_tools(out, request);
  if (tools && opaque_of(request.opaque, kName, "tool_choice").empty()) write_tool_choice(out, request);
  std::optional<std::uint64_t> budget = write_thinking(out, request);
  // Thinking counts as output: the limit has to leave room for both.
  if (opaque_of(request.opaque, kName, "max_tokens").empty())
    out.key("max_tokens")
        .number(request.max_output_tokens.value_or(kMaxTokens + std::min(budget.value_or(0), kUnlimited)));
  if (request.temperature) out.key("temperature").number(*request.temperature);
  if (request.top_p) out.key("top_p").number(*request.top_p);
  if (!request.stop.empty()) {
    out.key("stop_sequences").open('[');
    for (const std::string& s : request.stop) out.string(s);
    out.close(']');
  }
  if (request.stream) out.key("stream").boolean(true);
  write_rest(out, request.opaque, kName);
  out.close('}');
  return body;
}

}  // namespace BELAY_NAMESPACE::wire::anthropic
