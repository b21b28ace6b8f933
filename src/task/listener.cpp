#include <belay/task/listener.h>

#include <belay/task/context.h>
#include <belay/turn.h>

#include <utility>
#include <vector>

namespace BELAY_NAMESPACE::task {
namespace {

turn::LedgerOptions options_for(const tool::Registry& tools, std::string format, const Limits& limits,
                                std::string made_ids) {
  turn::LedgerOptions options;
  options.tools = tools.known();
  options.any_tool = false;
  options.shapes = tools.shapes();
  options.format = std::move(format);
  options.limits = limits;
  options.made_ids = std::move(made_ids);
  return options;
}

}  // namespace

struct Listener::State final : turn::EventSink {
  State(std::string task, turn::LedgerOptions options, Show show)
      : task_(std::move(task)), show_(std::move(show)), ledger_(*this, std::move(options)) {}

  void show(Event event) {
    if (!show_) return;
    event.task = task_;
    show_(event);
  }

  void on_text(std::string_view piece) override { show({.kind = EventKind::text, .text = std::string(piece)}); }
  void on_reasoning(std::string_view piece) override {
    show({.kind = EventKind::reasoning, .text = std::string(piece)});
  }
  void on_call_start(std::size_t slot, std::string_view call, std::string_view name) override {
    if (slot >= ids_.size()) ids_.resize(slot + 1);
    ids_[slot] = call;
    show({.kind = EventKind::call_started, .call = std::string(call), .name = std::string(name)});
  }
  void on_call_delta(std::size_t slot, std::string_view piece) override {
    if (show_) show({.kind = EventKind::call_delta, .call = ids_[slot], .text = std::string(piece)});
  }
  void on_notice(std::string_view kind, std::string_view message) override {
    show({.kind = EventKind::notice, .name = std::string(kind), .text = std::string(message)});
  }
  // The provider's own failures end the answer; this is what an answer has too much of.
  void on_failure(const chat::Failure& failure) override {
    if (failure.kind == "limit") on_notice(failure.kind, failure.message);
  }

  std::string task_;
  Show show_;
  turn::Ledger ledger_;
  std::vector<std::string> ids_;
};

Listener::Listener(std::string task, const tool::Registry& tools, std::string format, Show show, Limits limits,
                   std::string made_ids)
    : state_(std::make_unique<State>(
          std::move(task), options_for(tools, std::move(format), limits, std::move(made_ids)), std::move(show))) {}
Listener::~Listener() = default;

void Listener::on(const chat::Delta& delta) { state_->ledger_.on(delta); }

json::MaybePartial Listener::partial(std::size_t slot) const { return state_->ledger_.partial(slot); }

std::expected<turn::Answer, Trouble> Listener::finish() {
  turn::Answer answer = state_->ledger_.finish();
  if (!answer.failure && answer.stop != chat::StopReason::none) return answer;
  Trouble trouble{"stream_broke_off", "the answer ended without saying so", true, {}};
  if (answer.failure)
    trouble = {answer.failure->kind, answer.failure->message, answer.failure->retryable, answer.failure->retry_after};
  // What had come cost something, though it is of no use.
  trouble.usage = answer.usage;
  if (!answer.blocks.empty() || trouble.usage != chat::Usage{})
    trouble.came = estimate_tokens(turn::response_of(answer).message);
  return std::unexpected(std::move(trouble));
}

}  // namespace BELAY_NAMESPACE::task
