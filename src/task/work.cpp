#include "task/work.h"

#include <belay/json/writer.h>

#include <algorithm>
#include <cassert>

namespace BELAY_NAMESPACE::task {

void Work::keep(Member& m, Body body) {
  Record record;
  record.task = m.c.id;
  record.number = m.c.number + 1;
  // A clock that was set back does not make time run backwards in the records.
  record.time = std::max(now_, m.c.time);
  record.body = std::move(body);
  if (auto fault = apply(m.c, record)) {
    // A mistake of ours. The record is not kept, so that what is kept can always be read again.
    assert(false);
    return tell(m, {.kind = EventKind::notice, .name = "fault", .text = std::move(*fault)});
  }
  step_.records.push_back(std::move(record));
}

void Work::tell(const Member& m, Event event) {
  event.task = m.c.id;
  step_.events.push_back(std::move(event));
}

void Work::act(const Member& m, Deed deed) { step_.actions.push_back({m.c.id, std::move(deed)}); }

Step Work::take() {
  reset_wait();
  return std::move(step_);
}

void Work::begin(std::string id, Created created) {
  Member& m = s_.tasks[id];
  m.c.id = std::move(id);
  std::string goal;
  for (const chat::Block& b : created.goal) goal += b.text;
  const std::string todos = created.todos;
  keep(m, std::move(created));
  tell(m, {.kind = EventKind::started, .text = std::move(goal)});
  for (const std::string& change : m.c.created.healed)
    tell(m, {.kind = EventKind::notice, .name = "healed", .text = change});
  if (!todos.empty()) tell(m, {.kind = EventKind::todos, .text = todos});
}

bool Work::is_within(const Member& m, const Member& ancestor) const {
  const Member* at = &m;
  for (std::size_t n = 0; n < s_.tasks.size() && !at->c.created.parent.empty(); ++n) {  // records may say anything
    if (at->c.created.parent == ancestor.c.id) return true;
    const auto parent = s_.tasks.find(at->c.created.parent);
    if (parent == s_.tasks.end()) return false;
    at = &parent->second;
  }
  return false;
}

void Work::resume() {
  const Conditions& wanted = s_.conditions;
  for (auto& [id, m] : s_.tasks) {
    // Another budget is the first task's, also when it is over: that may be why somebody wants to go on.
    const bool other_budget = id == s_.root && wanted.budget && *wanted.budget != m.c.settings.budget;
    const bool other_output = wanted.output_tokens && *wanted.output_tokens != m.c.settings.output_tokens;
    if (m.c.finished && !other_budget && !(other_output && id == s_.root)) continue;
    Changed changed;
    changed.resumed = true;
    // While tasks within were at work, so was this one; its own records do not show it. They come behind it here, and
    // are still as they were found.
    for (const auto& [other_id, within] : s_.tasks)
      if (!m.c.finished && is_within(within, m)) changed.worked = std::max(changed.worked, within.c.time - m.c.time);
    if (other_budget) {
      changed.has_budget = true;
      changed.budget = *wanted.budget;
    }
    if (other_output) {
      changed.output_tokens = *wanted.output_tokens;
      changed.output_tokens_at_most = std::max(m.c.settings.output_tokens_at_most, *wanted.output_tokens);
    }
    keep(m, changed);
    if (m.c.finished) continue;
    tell(m, {.kind = EventKind::resumed});
    // What had begun is never run again: nobody knows how far it came.
    std::vector<std::string> begun;
    for (const OpenCall& call : m.c.open)
      if (call.begun) begun.push_back(call.plan.id);
    for (const std::string& call : begun) {
      OpenCall* open = m.c.find(call);
      if (!open) continue;
      tell(m, {.kind = EventKind::notice, .call = call, .name = "interrupted", .text = open->plan.name});
      refuse(m, *open, Finding::Why::interrupted, {});
    }
  }
}

void Work::advance() {
  // Each round that changes something writes a record or starts something, and all of that is bounded by the calls of
  // the open turns and by the budgets: this ends.
  for (bool changed = true; changed;) {
    changed = false;
    std::vector<std::string> ids;  // children come behind their parents, and may be added while we look
    ids.reserve(s_.tasks.size());
    for (const auto& [id, m] : s_.tasks) ids.push_back(id);
    for (const std::string& id : ids)
      while (go_on(s_.tasks.at(id)) == Then::changed) changed = true;
  }
}

Work::Then Work::go_on(Member& m) {
  if (m.c.finished) return Then::waits;
  if (!m.c.open.empty()) return act_on_calls(m);
  return ask_model(m);
}

}  // namespace BELAY_NAMESPACE::task
