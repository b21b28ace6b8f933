// What blocks bring with them: notes on the items that they stood in, and blocks as a whole.
#include "wire/openai_responses_write.h"

namespace BELAY_NAMESPACE::wire::openai_responses {

void Writer::opaque(const chat::Opaque& o) {
  if (o.wire != kWire || o.json.empty()) return;
  if (o.key == kItem) {
    flush_reasoning();
    add_whole(o.json);
  } else if (o.key == kReasoningNote) {
    const std::string id = text_in(o.json, "id");
    if (open_ == Open::reasoning && (id == item_id_ || (!own_id_ && reasoning_.empty()))) {
      reasoning_ = o.json;
      return;
    }
    if (open_ == Open::reasoning) close_item();
    if (text_in(next_reasoning_, "id") != id) flush_reasoning();
    next_reasoning_ = o.json;
  } else if (o.key == kMessageNote) {
    if (o.json == "{}" && open_ == Open::message) return close_part();
    if (open_ == Open::message && text_in(o.json, "id") == item_id_) return;
    if (open_ == Open::message) close_item();
    next_message_ = o.json;
  } else if (o.key == kCallNote || o.key == kCustomCallNote) {
    if (open_ != Open::call || announced_) return;
    members_ = o.json;
    custom_ = o.key == kCustomCallNote;
  } else if (open_ == Open::message && part_ != Part::none) {
    part_rest_.push_back(o);
  }
}

void Writer::block(const chat::Block& block) {
  using Kind = chat::Block::Kind;
  auto give = [&](std::string_view key) {
    std::string_view json = opaque_of(block.opaque, kWire, key);
    if (!json.empty()) opaque({std::string(kWire), std::string(key), std::string(json)});
    return !json.empty();
  };
  switch (block.kind) {
    case Kind::text:
    case Kind::refusal:
      if (!give(kMessageNote)) settle();
      if (!block.text.empty()) say(block.kind == Kind::text ? Part::text : Part::refusal, block.text);
      for (const chat::Opaque& o : block.opaque)
        if (o.key != kMessageNote) opaque(o);
      break;
    case Kind::reasoning:
      if (!give(kReasoningNote)) settle();
      if (block.text.empty()) break;
      reasoning(block.text);
      give(kReasoningNote);
      break;
    case Kind::tool_call:
      begin_call(block.id, block.name);
      if (!give(kCustomCallNote)) give(kCallNote);
      if (!block.arguments.empty()) arguments(block.arguments);
      end_call();
      break;
    case Kind::other: give(kItem); break;
    case Kind::image:
    case Kind::tool_result: break;
  }
  out_.clear();
}

}  // namespace BELAY_NAMESPACE::wire::openai_responses
