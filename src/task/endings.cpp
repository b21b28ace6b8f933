// How tasks end: limits, breakers, the person's stop, and the way back to the task that started them.
#include "task/words.h"
#include "task/work.h"

#include <algorithm>
#include <limits>

namespace BELAY_NAMESPACE::task {

// Tokens and cost of tasks within tasks count for all of them: the first task's budget bounds the tree.
Work::Used Work::used() const {
  Used out;
  for (const auto& [id, m] : s_.tasks) {
    out.tokens += m.c.input_tokens + m.c.output_tokens;
    out.estimated += m.c.estimated_tokens;
    out.cost += m.c.cost;
  }
  return out;
}

std::optional<Work::Trip> Work::over(const Member& m) const {
  const Budget& budget = m.c.settings.budget;
  auto trip = [&](EndReason reason, std::string words) {
    return Trip{reason, std::move(words),
                "limit/" + std::string(name(reason)) + "/" + std::to_string(m.c.turns) + "/" +
                    std::to_string(m.c.breakers.mistakes())};
  };
  if (m.c.turns >= budget.turns)
    return trip(EndReason::turns, "the task has used its " + std::to_string(budget.turns) +
                                      (budget.turns == 1 ? " turn" : " turns") + " (--max-turns)");
  const auto [tokens, estimated, cost] = used();
  const std::string by_estimate =
      estimated == 0 ? ""
                     : "; " + std::to_string(estimated) + " tokens are estimated, because the server does not count";
  if (tokens >= budget.tokens)
    return trip(EndReason::tokens, "the task has used " + std::string(estimated > 0 ? "about " : "") +
                                       std::to_string(tokens) + " of " + std::to_string(budget.tokens) +
                                       " tokens (--max-tokens-total" + by_estimate + ")");
  if (cost >= budget.cost && cost > 0)
    return trip(EndReason::cost, "the task has cost as much as it may (--max-cost" + by_estimate + ")");
  if (m.c.elapsed + std::max<std::int64_t>(now_ - m.c.time, 0) >= budget.milliseconds)
    return trip(EndReason::time, "the task has run for as long as it may (--max-seconds)");
  if (auto words = m.c.breakers.tripped()) return trip(EndReason::stuck, std::move(*words));
  return std::nullopt;
}

Work::Then Work::trip(Member& m, const Trip& trip) {
  if (!s_.conditions.person) {
    end(m, trip.reason, {}, trip.words);
    return Then::changed;
  }
  ask(m, {.id = trip.id, .kind = AskPerson::Kind::limit, .text = trip.words + ". Go on?"});
  return Then::waits;
}

// The person wants to go on: as far again as the first time.
void Work::go_beyond(Member& m, EndReason reason) {
  Changed changed;
  changed.reset = 1;
  changed.has_budget = true;
  changed.budget = m.c.settings.budget;
  const Budget first = m.c.created.settings.budget;
  switch (reason) {
    case EndReason::turns: changed.budget.turns = m.c.turns + std::max<std::uint64_t>(first.turns, 1); break;
    // Tasks within may have gone beyond it already, each with a yes of its own.
    case EndReason::tokens:
      changed.budget.tokens = std::max(changed.budget.tokens, used().tokens) + std::max<std::uint64_t>(first.tokens, 1);
      break;
    case EndReason::cost:
      changed.budget.cost = std::max(changed.budget.cost, used().cost) + std::max(first.cost, 0.01);
      break;
    case EndReason::time:
      changed.budget.milliseconds = m.c.elapsed + std::max<std::int64_t>(first.milliseconds, 1'000);
      break;
    default:
      changed.has_budget = false;
      changed.budget = {};
      break;
  }
  keep(m, changed);
}

// Gives every call of the open turn a result, without running anything more.
void Work::stop_calls(Member& m, Finding::Why begun) {
  while (!m.c.open.empty()) {
    auto open = std::ranges::find_if(m.c.open, [](const OpenCall& call) { return !call.answered; });
    if (open == m.c.open.end()) return;
    const OpenCall& call = *open;
    const bool under_way = call.begun || m.u.runs.contains(call.plan.id);
    if (under_way) act(m, CancelTool{call.plan.id, call.done});
    const bool stopped = begun == Finding::Why::aborted;
    std::string told =
        stopped ? words::aborted(call.plan.name, under_way) : words::task_over(call.plan.name, under_way);
    if (call.plan.runs.empty()) told = call.plan.feedback;
    refuse(m, call, under_way ? Finding::Why::aborted : begun, std::move(told));
  }
}

void Work::end(Member& m, EndReason reason, std::string result, std::string detail) {
  if (m.c.finished) return;
  // Tasks that it started end first.
  for (auto& [id, child] : s_.tasks)
    if (child.c.created.parent == m.c.id && !child.c.finished) end(child, reason, {}, detail);
  cancel_request(m);
  for (const std::string& question : m.u.questions) act(m, DropQuestion{question});
  m.u.questions.clear();
  stop_calls(m, reason == EndReason::aborted ? Finding::Why::aborted : Finding::Why::not_run);
  m.u.runs.clear();
  const std::vector<Unsettled> lost = m.c.unsettled;
  for (const Unsettled& u : lost)
    keep(m, Outcome{u.call, u.tool, asked_model(m), u.damage.kinds, u.damage.verdict, Outcome::Became::lost});
  Finished finished{reason, std::move(result), std::move(detail)};
  keep(m, finished);
  tell(m, {.kind = EventKind::finished,
           .name = std::string(name(reason)),
           .text = reason == EndReason::completed ? finished.result : finished.detail,
           .number = exit_code(reason)});
  if (m.c.created.parent.empty())
    act(m, Finish{std::move(finished)});
  else
    return_to_parent(m);
}

// The result of a task is the result of the call that started it.
void Work::return_to_parent(Member& m) {
  auto parent = s_.tasks.find(m.c.created.parent);
  if (parent == s_.tasks.end()) return;
  OpenCall* call = parent->second.c.find(m.c.created.parent_call);
  if (!call || call->answered || call->child != m.c.id) return;
  const Finished& end = *m.c.finished;
  tool::Result result = end.reason == EndReason::completed
                            ? tool::text_result(end.result)
                            : tool::error_result(words::child_failed(name(end.reason), end.detail));
  // Who stopped it was the person: no mistake of the model's.
  find(parent->second, *call, end.reason == EndReason::aborted ? Finding::Why::aborted : Finding::Why::ran,
       policy::share({0, 1, call->plan.runs[0], call->plan.not_run, call->plan.receipt},
                     tool::bounded(std::move(result))),
       true);
}

void Work::abort() { end(s_.tasks.at(s_.root), EndReason::aborted, {}, "the person stopped the task"); }

// One alarm for all: the first moment at which something is to be done without another fact.
void Work::reset_wait() {
  std::optional<std::int64_t> next;
  for (const auto& [id, m] : s_.tasks)
    if (m.u.retry_at && !m.c.finished) next = next ? std::min(*next, *m.u.retry_at) : *m.u.retry_at;
  if (!s_.conditions.person && s_.tasks.contains(s_.root)) {
    const Conversation& root = s_.tasks.at(s_.root).c;
    const std::int64_t left = std::max<std::int64_t>(root.settings.budget.milliseconds - root.elapsed, 0);
    const std::int64_t end = root.time + std::min(left, std::numeric_limits<std::int64_t>::max() - root.time);
    if (!root.finished) next = next ? std::min(*next, end) : end;
  }
  if (next && next != s_.waiting) act(s_.tasks.at(s_.root), Wait{*next});
  s_.waiting = next;
}

}  // namespace BELAY_NAMESPACE::task
