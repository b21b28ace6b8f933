// Messages that wait: said while something is under way.
#include <belay/screen/console.h>

#include <utility>

namespace BELAY_NAMESPACE::screen {

// A message that reaches the task while its model answers makes it drop that answer. So it is kept until the answer has
// ended. It is not sent into a question either: at a limit it would count as a yes.
void Console::queue(const task::Event& event) {
  using enum task::EventKind;
  const bool root = event.task == view_.task();
  switch (event.kind) {
    case request:
      say_queued();
      if (requesting_.empty()) release_queued();
      requesting_.insert(event.task);
      stopping_ = false;
      return;
    case usage:
    case failed: requesting_.erase(event.task); return;
    case tool_started:
    case tool_ended:
    case retry:
      if (requesting_.empty() && !stopping_) release_queued();
      return;
    case finished:
      requesting_.erase(event.task);
      if (!root) return;
      requesting_.clear();
      stopping_ = false;
      say_queued();
      if (event.name != "completed") give_back_queued();
      release_queued();
      return;
    default: return;
  }
}

std::vector<std::string> Console::take_messages() {
  std::vector<std::string> out;
  for (Wish& w : wishes_)
    if (w.kind == Wish::Kind::say) out.push_back(std::move(w.text));
  std::erase_if(wishes_, [](const Wish& w) { return w.kind == Wish::Kind::say; });
  return out;
}

// What was sent is part of the task by now.
void Console::say_queued() {
  for (const Queued& q : queued_)
    if (q.sent) view_.said(q.text);
  std::erase_if(queued_, [](const Queued& q) { return q.sent; });
}

void Console::release_queued() {
  for (Queued& q : queued_)
    if (!std::exchange(q.sent, true)) wish({.kind = Wish::Kind::say, .text = q.text});
}

// The turn ended otherwise than the person thought when they wrote: they decide again.
void Console::give_back_queued() {
  std::string back;
  for (const Queued& q : queued_) {
    if (q.sent || q.after_stop) continue;
    if (options_.view.live)
      back += (back.empty() ? "" : "\n") + q.text;
    else
      view_.remark("not sent: " + q.text);
  }
  std::erase_if(queued_, [](const Queued& q) { return !q.sent && !q.after_stop; });
  if (back.empty()) return;
  std::string& draft = draft_ ? *draft_ : draft_.emplace(editor_.text());
  draft = back + (draft.empty() ? "" : "\n" + draft);
  if (!open()) {
    editor_.set(std::move(draft));
    draft_.reset();
  }
}

}  // namespace BELAY_NAMESPACE::screen
