#include "task/plan.h"

#include "task/history_parts.h"
#include "task/pieces.h"

#include <belay/json/builder.h>
#include <belay/json/writer.h>

#include <algorithm>
#include <set>
#include <utility>

namespace belay::task {
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
std::string history_arguments(const call::Call& call) {
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
  return json::to_string(b.take().root());
}

Damage damage_of(const call::Call& call, std::string_view raw) {
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
std::string error_of(const call::Call& call, const policy::Plan& plan) {
  if (!plan.runs.empty()) return {};
  if (call.error) return call.error->kind;
  const json::Word word = call.verdict.word();
  if (word == json::Word::valid || word == json::Word::mended || word == json::Word::split)
    return call.trusted ? "held" : "not_ended";
  return std::string(json::name(word));
}

class Planning {
 public:
  Planning(const Conversation& conversation, const Conditions& conditions, Answer answer)
      : c_(conversation), conditions_(conditions), answer_(std::move(answer)) {}

  Turn plan() {
    Turn turn;
    turn.message.role = chat::Role::assistant;
    turn.message.opaque = std::move(answer_.response.message.opaque);
    turn.stop = answer_.response.stop;
    turn.raw_stop = std::move(answer_.response.raw_stop);
    turn.usage = answer_.response.usage;
    turn.model = std::move(answer_.response.model);

    policy::Gate gate(*conditions_.tools, settings());
    pieces_ = pieces_of(std::move(answer_.response.message.blocks), answer_.calls, answer_.around);
    match();
    for (Piece& piece : pieces_)
      if (piece.call) plan_call(gate, answer_.calls[*piece.call], piece, turn);
    std::erase_if(pieces_, [](const Piece& piece) {
      return piece.block.kind == Kind::tool_call && !piece.call;  // the assembler made no call of it
    });
    for (Block& block : joined(std::move(pieces_))) {
      const bool speaks = block.kind == Kind::text || block.kind == Kind::refusal || block.kind == Kind::reasoning;
      if (speaks && !says_something(block.text) && block.opaque.empty()) continue;  // providers refuse a text of spaces
      turn.message.blocks.push_back(std::move(block));
    }
    // Reasoning alone is no answer, and no provider takes it back as one; nor are spaces, whatever belongs to them.
    if (!says_something(turn.message)) turn.message.blocks.clear();
    return turn;
  }

 private:
  policy::GateSettings settings() {
    policy::GateSettings out;
    out.ask_for_guesses = conditions_.ask_for_guesses && conditions_.person;
    out.native = c_.settings.protocol == "native";
    if (!std::ranges::any_of(answer_.calls, &call::Call::from_text)) return out;
    for (const chat::Message& message : c_.history)
      for (const Block& block : message.blocks) {
        if (message.role == chat::Role::user && block.kind == Kind::text) out.given.push_back(block.text);
        if (block.kind == Kind::tool_result)
          for (const Block& inner : block.content) out.given.push_back(inner.text);
      }
    return out;
  }

  // Which block stands for which call: by its place in the text, by id, else by order. A call without one gets one at
  // the end.
  void match() {
    std::vector<bool> placed(answer_.calls.size());
    for (const Piece& piece : pieces_)
      if (piece.call) placed[*piece.call] = true;
    auto take = [&](std::size_t i, auto fits) {
      for (Piece& piece : pieces_)
        if (piece.block.kind == Kind::tool_call && !piece.call && fits(piece.block)) {
          piece.call = i;
          placed[i] = true;
          return;
        }
    };
    for (std::size_t i = 0; i < answer_.calls.size(); ++i)
      if (!placed[i] && !answer_.calls[i].id.empty())
        take(i, [&](const Block& b) { return b.id == answer_.calls[i].id; });
    for (std::size_t i = 0; i < answer_.calls.size(); ++i)
      if (!placed[i])
        take(i, [&](const Block& b) { return b.id.empty() && (b.name == answer_.calls[i].name || b.name.empty()); });
    for (std::size_t i = 0; i < answer_.calls.size(); ++i)
      if (!placed[i]) pieces_.push_back({.block = chat::call_block({}, {}, {}), .call = i});
  }

  std::string unique_id(const call::Call& call) {
    std::string id = call.id;
    if (call.made_id || id.empty()) id = made_ids(c_.turns + 1) + std::to_string(call.slot);
    const std::string given = id;
    for (std::size_t n = 2; c_.ids.contains(id) || taken_.contains(id); ++n) id = given + "_" + std::to_string(n);
    taken_.insert(id);
    return id;
  }

  // Calls are planned in the order in which the history will show them.
  void plan_call(policy::Gate& gate, const call::Call& call, Piece& piece, Turn& turn) {
    Block& block = piece.block;
    policy::Plan plan = gate.plan(call);
    if (plan.handling == policy::Handling::text) {
      piece.quoted = true;
      if (!piece.cut_from) block = chat::text_block(call.written);  // where it stands is not known
      return;
    }
    PlannedCall out;
    out.id = unique_id(call);
    out.name = call.name;
    out.tool = plan.tool ? plan.tool->spec().name : std::string();
    if (plan.tool) out.effect = plan.tool->spec().effect;
    out.handling = plan.handling;
    for (policy::Run& run : plan.runs) out.runs.push_back(std::move(run.text));
    out.must_ask = plan.must_ask;
    out.receipt = std::move(plan.receipt);
    out.not_run = std::move(plan.not_run);
    out.feedback = std::move(plan.feedback);
    out.error = error_of(call, plan);
    if (out.runs.empty() && out.error.empty()) out.error = "refused";
    out.damage = damage_of(call, call.from_text ? std::string_view(call.written) : std::string_view(block.arguments));
    block.kind = Kind::tool_call;
    block.id = out.id;
    block.name = history_name(call.name);
    block.arguments = history_arguments(call);
    for (const chat::Opaque& opaque : call.opaque)
      if (std::ranges::find(block.opaque, opaque) == block.opaque.end()) block.opaque.push_back(opaque);
    turn.calls.push_back(std::move(out));
  }

  const Conversation& c_;
  const Conditions& conditions_;
  Answer answer_;
  std::vector<Piece> pieces_;
  std::set<std::string> taken_;
};

}  // namespace

Turn plan_turn(const Conversation& conversation, const Conditions& conditions, Answer answer) {
  return Planning(conversation, conditions, std::move(answer)).plan();
}

}  // namespace belay::task
