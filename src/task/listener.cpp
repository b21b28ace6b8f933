#include <belay/task/listener.h>

#include "wire/collect.h"

#include <belay/task/context.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace belay::task {
namespace {

using chat::Block;

call::AssemblerOptions options_for(const tool::Registry& tools, std::string format, const Limits& limits,
                                   std::string made_ids) {
  call::AssemblerOptions options;
  options.tools = tools.known();
  options.any_tool = false;
  options.shapes = tools.shapes();
  options.format = std::move(format);
  options.limits = limits;
  options.made_ids = std::move(made_ids);
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
      : task_(std::move(task)),
        show_(std::move(show)),
        collector_(options.limits.calls),
        assembler_(*this, std::move(options)) {}

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
    if (!refuses_) {
      if (items_.empty() || items_.back().slot) items_.emplace_back();
      items_.back().text += piece;
    }
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

  // The provider's own failures come by the collector; this is what an answer has too much of.
  void on_failure(const chat::Failure& failure) override {
    if (failure.kind == "limit") on_notice(failure.kind, failure.message);
  }

  // What was shown between the calls from text.
  std::vector<std::string> around(const std::vector<call::Call>& calls) {
    std::vector<std::string> out(1);
    for (Item& item : items_) {
      out.back() += item.text;
      const auto call = item.slot ? std::ranges::find(calls, *item.slot, &call::Call::slot) : calls.end();
      if (call != calls.end() && call->from_text) out.emplace_back();
    }
    return out;
  }

  // Places are counted in the text as it came. Where the wire has several texts that came in turns, that is another one
  // than theirs together, and the places mean nothing.
  [[nodiscard]] bool in_order(const chat::Message& message) const {
    std::string_view rest = received_;
    for (const Block& block : message.blocks) {
      if (block.kind != Block::Kind::text) continue;
      if (!rest.starts_with(block.text)) return false;
      rest.remove_prefix(block.text.size());
    }
    return rest.empty();
  }

  std::string task_;
  Show show_;
  wire::Collector collector_;
  call::Assembler assembler_;
  std::vector<std::string> ids_;
  std::vector<Item> items_;
  std::string received_;  // all text, as the model wrote it
  bool refuses_ = false;  // the delta is a refusal, which is no part of it
};

Listener::Listener(std::string task, const tool::Registry& tools, std::string format, Show show, Limits limits,
                   std::string made_ids)
    : state_(std::make_unique<State>(
          std::move(task), options_for(tools, std::move(format), limits, std::move(made_ids)), std::move(show))) {}
Listener::~Listener() = default;

void Listener::on(const chat::Delta& delta) {
  State& s = *state_;
  if (delta.kind == chat::Delta::Kind::text && !s.collector_.ended() && !s.collector_.failure())
    s.received_ += delta.text;
  s.refuses_ = delta.kind == chat::Delta::Kind::refusal;
  s.collector_.on(delta);
  s.assembler_.on(delta);
}

json::MaybePartial Listener::partial(std::size_t slot) const { return state_->assembler_.partial(slot); }

std::expected<Answer, Trouble> Listener::finish() {
  Answer out;
  out.calls = state_->assembler_.finish();
  const std::optional<wire::HttpFailure> failure = state_->collector_.failure();
  out.response = state_->collector_.take();
  if (failure || out.response.stop == chat::StopReason::none) {
    Trouble trouble = failure ? Trouble{failure->kind, failure->message, failure->retryable, failure->retry_after}
                              : Trouble{"stream_broke_off", "the answer ended without saying so", true, {}};
    // What had come cost something, though it is of no use.
    trouble.usage = out.response.usage;
    if (!out.response.message.blocks.empty() || trouble.usage != chat::Usage{})
      trouble.came = estimate_tokens(out.response.message);
    return std::unexpected(std::move(trouble));
  }
  if (std::ranges::any_of(out.calls, &call::Call::from_text)) {
    if (state_->in_order(out.response.message))
      out.around = state_->around(out.calls);
    else
      for (call::Call& call : out.calls) call.begin = call.end = 0;
  }
  // The answer may be large, and who asked for it may keep the Listener for a while.
  state_->items_ = {};
  state_->received_ = {};
  for (Block& block : out.response.message.blocks) block.text.shrink_to_fit();
  return out;
}

}  // namespace belay::task
