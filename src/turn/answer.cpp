#include <belay/turn/answer.h>

#include <belay/turn/ledger.h>

namespace BELAY_NAMESPACE::turn {
namespace {

using Kind = Block::Kind;

chat::Block::Kind kind_of(Kind kind) {
  switch (kind) {
    case Kind::text: return chat::Block::Kind::text;
    case Kind::reasoning: return chat::Block::Kind::reasoning;
    case Kind::refusal: return chat::Block::Kind::refusal;
    case Kind::call: return chat::Block::Kind::tool_call;
    case Kind::other: break;
  }
  return chat::Block::Kind::other;
}

}  // namespace

chat::Response response_of(const Answer& answer) {
  chat::Response out;
  out.id = answer.id;
  out.model = answer.model;
  out.stop = answer.stop;
  out.raw_stop = answer.raw_stop;
  out.usage = answer.usage;
  out.message.opaque = answer.opaque;
  for (const Block& block : answer.blocks) {
    chat::Block& to = out.message.blocks.emplace_back();
    to.kind = kind_of(block.kind);
    to.text = block.text;
    to.opaque = block.opaque;
    if (block.kind != Kind::call) continue;
    const Call& call = answer.calls[block.call];
    if (!call.made_id) to.id = call.id;
    to.name = call.name;
    to.arguments = call.raw;
    to.opaque = call.opaque;
  }
  return out;
}

std::expected<chat::Response, wire::WireError> decode_response(wire::Wire wire, json::Value body) {
  struct Nobody final : EventSink {
  } nobody;
  Ledger ledger(nobody);
  if (auto read = wire::decode_answer(wire, body, ledger); !read) return std::unexpected(std::move(read.error()));
  return response_of(ledger.finish());
}

}  // namespace BELAY_NAMESPACE::turn
