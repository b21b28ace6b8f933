#include "task/conversation.h"

namespace BELAY_NAMESPACE::task {

std::string fingerprint_of(const Conversation& c) {
  std::string out = c.id + "#" + std::to_string(c.number) + "\n";
  auto add = [&](std::string_view label, const auto& value) {
    ((out += label) += "=") += std::to_string(value);
    out += ' ';
  };
  auto message = [&](const chat::Message& m) {
    out += std::to_string(static_cast<int>(m.role)) + " " + to_json(Turn{.message = m}) + "\n";
  };
  for (const chat::Message& m : c.history) message(m);
  out += "waiting\n";
  for (const chat::Message& m : c.waiting) message(m);
  for (const OpenCall& call : c.open) {
    Turn turn;
    turn.calls.push_back(call.plan);
    out += "open " + to_json(turn) + " child=" + call.child + " ";
    add("done", call.done);
    add("begun", call.begun);
    add("answered", call.answered);
    add("failed", call.failed);
    add("partly", call.partly);
    add("settled", call.settled);
    out += to_json(Said{Said::Why::person, call.content}) + "\n";
  }
  for (const auto& [id, approved] : c.approved) out += "approved " + to_json(approved) + "\n";
  out += to_json(Folded{.results = c.fold.results, .upto = c.fold.upto, .summary = c.fold.summary}) + "\n" +
         to_json(Todos{c.todos}) + "\n";
  out += to_json(Changed{.output_tokens = c.settings.output_tokens,
                         .output_tokens_at_most = c.settings.output_tokens_at_most,
                         .budget = c.settings.budget,
                         .has_budget = true}) +
         "\n";
  for (const Unsettled& u : c.unsettled) out += "unsettled " + u.call + " " + u.tool + "\n";
  for (const auto& [kind, n] : c.breakers.by_kind()) add(kind, n);
  add("mistakes", c.breakers.mistakes());
  add("nudges", c.breakers.nudges());
  add("empties", c.breakers.empties());
  add("turns", c.turns);
  add("input", c.input_tokens);
  add("output", c.output_tokens);
  add("estimated", c.estimated_tokens);
  add("cost", c.cost);
  add("elapsed", c.elapsed);
  add("children", c.children);
  add("folds", c.folds);
  add("counted", c.counted);
  add("counted_tokens", c.counted_tokens);
  add("output_taken", c.output_taken);
  if (c.finished) out += to_json(*c.finished);
  if (auto tripped = c.breakers.tripped()) out += " tripped: " + *tripped;
  return out;
}

}  // namespace BELAY_NAMESPACE::task
