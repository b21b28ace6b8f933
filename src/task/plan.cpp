#include "task/plan.h"

#include "task/history_parts.h"

#include <belay/json/builder.h>
#include <belay/json/writer.h>

#include <algorithm>
#include <set>
#include <utility>

namespace BELAY_NAMESPACE::task {
namespace {

using chat::Block;
using Kind = chat::Block::Kind;

constexpr std::size_t kRaw = 4096;
constexpr std::size_t kMostKinds = 16;
constexpr std::size_t kName = 64;  // what all providers take

std::string cut(std::string_view text, std::size_t room) {
  if (text.size() > room) {
    while (room > 0 && (static_cast<unsigned char>(text[room]) & 0xc0) == 0x80) --room;
    text = text.substr(0, room);
  }
  return std::string(text);
}

// A name that every provider takes back. The model's own, except where that would wedge the conversation.
std::string history_name(std::string_view name) {
  std::string out = cut(name, kName);
  for (char& c : out)
    if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-')) c = '_';
  return out.empty() ? "unnamed" : out;
}

// The arguments as the history keeps them: an object, and of a cut one only what was whole.
std::string history_arguments(const turn::Call& call) {
  auto value = call.arguments();
  if (!value || !value->is_object()) return "{}";
  const json::Word word = call.verdict.word();
  if (word != json::Word::truncated && word != json::Word::broken) return json::to_string(*value);
  // The last member may be cut, however whole it looks: {"n": 12 was perhaps to be 123.
  json::Builder b(Limits{.depth = kUnlimited});
  b.open_object();
  std::size_t left = value->size();
  for (json::Member member : value->members()) {
    if (--left == 0) break;
    b.key(member.key);
    b.copy(member.value);
  }
  b.close();
  const json::Document document = b.take();
  return json::to_string(document.root());
}

Damage damage_of(const turn::Call& call, std::string_view raw) {
  Damage out;
  out.verdict = call.verdict.word();
  auto add = [&](std::string_view kind) {
    if (out.kinds.size() < kMostKinds && std::ranges::find(out.kinds, kind) == out.kinds.end())
      out.kinds.emplace_back(kind);
  };
  if (call.error) add(call.error->kind);
  for (const json::Edit& edit : call.reading.edits) add(json::name(edit.kind));
  for (const schema::AlignEdit& edit : call.aligned) add(schema::name(edit.kind));
  if (!out.kinds.empty() || out.verdict != json::Word::valid) out.raw = cut(raw, kRaw);
  return out;
}

// Why the gate refused it, in one word.
std::string error_of(const turn::Call& call, const policy::Plan& plan) {
  if (!plan.runs.empty()) return {};
  if (call.error) return call.error->kind;
  const json::Word word = call.verdict.word();
  if (word == json::Word::valid || word == json::Word::mended || word == json::Word::split)
    return call.trusted ? "held" : "not_ended";
  return std::string(json::name(word));
}

class Planning {
 public:
  Planning(const Conversation& conversation, const Conditions& conditions, turn::Answer answer)
      : c_(conversation), conditions_(conditions), answer_(std::move(answer)), quoted_(answer_.calls.size()) {}

  Turn plan() {
    Turn out;
    out.message.role = chat::Role::assistant;
    out.message.opaque = std::move(answer_.opaque);
    out.stop = answer_.stop;
    out.raw_stop = std::move(answer_.raw_stop);
    out.usage = answer_.usage;
    out.model = std::move(answer_.model);
    // Calls are planned in the order in which the history will show them.
    policy::Gate gate(*conditions_.tools, settings());
    for (const turn::Block& block : answer_.blocks)
      if (block.kind == Said::call) plan_call(gate, block.call, out);
    for (std::size_t i = 0; i < answer_.blocks.size();) i = add_blocks(i, out);
    // Reasoning alone is no answer, and no provider takes it back as one; nor are spaces, whatever belongs to them.
    if (!says_something(out.message)) out.message.blocks.clear();
    return out;
  }

 private:
  using Said = turn::Block::Kind;

  [[nodiscard]] bool any_in_text() const { return std::ranges::any_of(answer_.calls, &turn::Call::from_text); }

  policy::GateSettings settings() {
    policy::GateSettings out;
    out.ask_for_guesses = conditions_.ask_for_guesses && conditions_.person;
    out.native = c_.settings.protocol == "native";
    if (!any_in_text()) return out;
    for (const chat::Message& message : c_.history)
      for (const Block& block : message.blocks) {
        if (message.role == chat::Role::user && block.kind == Kind::text) out.given.push_back(block.text);
        if (block.kind == Kind::tool_result)
          for (const Block& inner : block.content) out.given.push_back(inner.text);
      }
    return out;
  }

  std::string unique_id(const turn::Call& call) {
    std::string id = call.id;
    if (call.made_id || id.empty()) id = made_ids(c_.turns + 1) + std::to_string(call.slot);
    const std::string given = id;
    for (std::size_t n = 2; c_.ids.contains(id) || taken_.contains(id); ++n) id = given + "_" + std::to_string(n);
    taken_.insert(id);
    return id;
  }

  void plan_call(policy::Gate& gate, std::size_t at, Turn& turn) {
    turn::Call& call = answer_.calls[at];
    policy::Plan plan = gate.plan(call);
    quoted_[at] = plan.handling == policy::Handling::text;
    if (quoted_[at]) return;
    PlannedCall out;
    call.id = out.id = unique_id(call);
    out.name = call.name;
    out.tool = plan.tool ? plan.tool->spec().name : std::string();
    if (plan.tool) out.effect = plan.tool->spec().effect;
    out.handling = plan.handling;
    for (policy::Run& run : plan.runs) out.runs.push_back(std::move(run.text));
    out.must_ask = !plan.doubt.empty();
    out.receipt = std::move(plan.receipt);
    out.not_run = std::move(plan.not_run);
    out.feedback = std::move(plan.feedback);
    out.error = error_of(call, plan);
    if (out.runs.empty() && out.error.empty()) out.error = "refused";
    out.damage = damage_of(call, call.raw);
    turn.calls.push_back(std::move(out));
  }

  // The block at this place, or all of one text up to the next call that is one. Gives the place behind it.
  std::size_t add_blocks(std::size_t i, Turn& turn) {
    turn::Block& block = answer_.blocks[i];
    if (block.kind == Said::call && !quoted_[block.call]) {
      add_call(answer_.calls[block.call], turn);
      return i + 1;
    }
    std::size_t end = i + 1;
    bool quotes = block.kind == Said::call;
    for (; block.source != 0 && end < answer_.blocks.size(); ++end) {
      const turn::Block& next = answer_.blocks[end];
      if (next.source != block.source || (next.kind == Said::call && !quoted_[next.call])) break;
      quotes |= next.kind == Said::call;
    }
    if (block.source != 0 && block.end > block.begin && (quotes || !any_in_text()))
      add_received(i, end, turn);
    else
      for (std::size_t k = i; k < end; ++k) add_shown(answer_.blocks[k], turn);
    return end;
  }

  void add_call(turn::Call& call, Turn& turn) {
    Block block = chat::call_block(call.id, history_name(call.name), history_arguments(call));
    block.opaque = std::move(call.opaque);
    turn.message.blocks.push_back(std::move(block));
  }

  // Text in which there was no call, or only a quotation of one: as it came, byte for byte.
  void add_received(std::size_t from, std::size_t to, Turn& turn) {
    const std::uint64_t begin = answer_.blocks[from].begin, end = answer_.blocks[to - 1].end;
    Block text = chat::text_block(answer_.received.substr(begin, end - begin));
    for (std::size_t i = from; i < to && text.opaque.empty(); ++i)
      if (answer_.blocks[i].kind == Said::text) text.opaque = std::move(answer_.blocks[i].opaque);
    add(std::move(text), turn);
  }

  void add_shown(turn::Block& said, Turn& turn) {
    Block block;
    switch (said.kind) {
      case Said::text: block.kind = Kind::text; break;
      case Said::refusal: block.kind = Kind::refusal; break;
      case Said::other: block.kind = Kind::other; break;
      case Said::reasoning:
        if (said.source != 0) return;  // it stood in the text
        block.kind = Kind::reasoning;
        break;
      case Said::call:  // a quotation; where it stands is not known
        return add(chat::text_block(answer_.calls[said.call].raw), turn);
    }
    block.text = std::move(said.text);
    block.opaque = std::move(said.opaque);
    add(std::move(block), turn);
  }

  static void add(Block block, Turn& turn) {
    const bool speaks = block.kind == Kind::text || block.kind == Kind::refusal || block.kind == Kind::reasoning;
    if (speaks && !says_something(block.text) && block.opaque.empty()) return;  // providers refuse a text of spaces
    turn.message.blocks.push_back(std::move(block));
  }

  const Conversation& c_;
  const Conditions& conditions_;
  turn::Answer answer_;
  std::vector<bool> quoted_;  // by call: it is text after all
  std::set<std::string> taken_;
};

}  // namespace

Turn plan_turn(const Conversation& conversation, const Conditions& conditions, turn::Answer answer) {
  return Planning(conversation, conditions, std::move(answer)).plan();
}

}  // namespace BELAY_NAMESPACE::task
