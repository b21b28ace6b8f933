#include <belay/task/listener.h>

#include "wire/collect.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace belay::task {
namespace {

using chat::Block;

call::AssemblerOptions options_for(const tool::Registry& tools, std::string format, const Limits& limits) {
  call::AssemblerOptions options;
  options.tools = tools.known();
  options.any_tool = false;
  options.shapes = tools.shapes();
  options.format = std::move(format);
  options.limits = limits;
  return options;
}

}  // namespace

struct Listener::State final : call::EventSink {
  // Text and calls in the order in which they came.
  struct Item {
    std::string text;
    std::optional<std::size_t> slot;
  };

  State(std::string task, call::AssemblerOptions options, Show show)
      : task_(std::move(task)), show_(std::move(show)), assembler_(*this, std::move(options)) {}

  void show(Event event) {
    if (!show_) return;
    event.task = task_;
    show_(event);
  }
  std::string& id(std::size_t slot) {
    if (slot >= ids_.size()) ids_.resize(slot + 1);
    return ids_[slot];
  }

  void on_text(std::string_view piece) override {
    if (items_.empty() || items_.back().slot) items_.emplace_back();
    items_.back().text += piece;
    show({.kind = EventKind::text, .text = std::string(piece)});
  }
  void on_reasoning(std::string_view piece) override {
    show({.kind = EventKind::reasoning, .text = std::string(piece)});
  }
  void on_call_start(std::size_t slot, std::string_view call, std::string_view name) override {
    id(slot) = call;
    items_.push_back({{}, slot});
    show({.kind = EventKind::call_started, .call = std::string(call), .name = std::string(name)});
  }
  void on_call_delta(std::size_t slot, std::string_view piece) override {
    if (show_) show({.kind = EventKind::call_delta, .call = id(slot), .text = std::string(piece)});
  }
  void on_notice(std::string_view kind, std::string_view message) override {
    show({.kind = EventKind::notice, .name = std::string(kind), .text = std::string(message)});
  }

  // A message in which calls that stood in the text have blocks of their own, where they stood.
  void rewrite(chat::Message& message, const std::vector<call::Call>& calls) {
    std::vector<Block> blocks;
    for (Block& block : message.blocks)
      if (block.kind != Block::Kind::text && block.kind != Block::Kind::tool_call) blocks.push_back(std::move(block));
    for (Item& item : items_) {
      if (!item.slot) {
        if (item.text.find_first_not_of(" \t\r\n") != std::string::npos) blocks.push_back(chat::text_block(item.text));
        continue;
      }
      auto call = std::ranges::find(calls, *item.slot, &call::Call::slot);
      if (call == calls.end()) continue;
      Block block = chat::call_block(call->id, call->name, {});
      for (Block& given : message.blocks)
        if (given.kind == Block::Kind::tool_call && given.id == call->id) block = given;
      blocks.push_back(std::move(block));
    }
    message.blocks = std::move(blocks);
  }

  std::string task_;
  Show show_;
  wire::Collector collector_;
  call::Assembler assembler_;
  std::vector<std::string> ids_;
  std::vector<Item> items_;
};

Listener::Listener(std::string task, const tool::Registry& tools, std::string format, Show show, Limits limits)
    : state_(std::make_unique<State>(std::move(task), options_for(tools, std::move(format), limits), std::move(show))) {
}
Listener::~Listener() = default;

void Listener::on(const chat::Delta& delta) {
  state_->collector_.on(delta);
  state_->assembler_.on(delta);
}

json::MaybePartial Listener::partial(std::size_t slot) const { return state_->assembler_.partial(slot); }

std::expected<Answer, Trouble> Listener::finish() {
  Answer out;
  out.calls = state_->assembler_.finish();
  const std::optional<wire::HttpFailure> failure = state_->collector_.failure();
  out.response = state_->collector_.take();
  if (failure)
    return std::unexpected(Trouble{failure->kind, failure->message, failure->retryable, failure->retry_after});
  if (out.response.stop == chat::StopReason::none)
    return std::unexpected(Trouble{"stream_broke_off", "the answer ended without saying so", true, {}});
  if (std::ranges::any_of(out.calls, &call::Call::from_text)) state_->rewrite(out.response.message, out.calls);
  return out;
}

}  // namespace belay::task
