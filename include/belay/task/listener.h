// Puts one answer together from a stream's deltas: what is shown while it comes, and what the tree gets at its end.
#pragma once

#include <belay/chat.h>
#include <belay/task/event.h>
#include <belay/task/retry.h>
#include <belay/task/tree.h>
#include <belay/turn.h>

#include <expected>
#include <functional>
#include <memory>
#include <string>

namespace BELAY_NAMESPACE::task {
BELAY_API_BEGIN

/// Takes the deltas of one answer (from wire::StreamDecoder) and gives it whole. Events come while it does; they are
/// for the display only. Work for a delta is constant beside its bytes.
class Listener final : public chat::DeltaSink {
 public:
  using Show = std::function<void(const Event&)>;
  /// `format` and `made_ids` are those of SendRequest: the ids of the events are those of the turn then, where the
  /// provider gives none. The tools are those that were offered, and must outlive the Listener.
  Listener(std::string task, const tool::Registry& tools, std::string format, Show show, Limits limits = {},
           std::string made_ids = "belay_");
  ~Listener();

  void on(const chat::Delta& delta) override;
  /// The stream is over: an answer, or why there is none. Call once.
  std::expected<turn::Answer, Trouble> finish();
  /// The arguments of a call so far.
  [[nodiscard]] json::MaybePartial partial(std::size_t slot) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

BELAY_API_END
}  // namespace BELAY_NAMESPACE::task
