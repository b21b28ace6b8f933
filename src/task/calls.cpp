// The calls of an answer: which may run now, and what the model is told of each.
#include "task/history_parts.h"
#include "task/words.h"
#include "task/work.h"

#include <belay/json/reader.h>
#include <belay/policy.h>

#include <algorithm>

namespace BELAY_NAMESPACE::task {
namespace {

using policy::Decision;
using tool::Effect;

bool has_effect(const OpenCall& call) {
  return call.plan.effect == Effect::write || call.plan.effect == Effect::execute;
}

bool completes(const OpenCall& call) { return call.plan.tool == "attempt_completion"; }

// As the history has them: JSON text without spaces.
std::string_view arguments_of(const Conversation& c, std::string_view call) {
  for (auto message = c.history.rbegin(); message != c.history.rend(); ++message)
    for (const chat::Block& block : message->blocks)
      if (block.kind == chat::Block::Kind::tool_call && block.id == call) return block.arguments;
  return {};
}

// Why it must be asked about, whatever the permissions say.
std::string_view doubt_about(const Conversation& c, const OpenCall& call) {
  if (!call.plan.must_ask) return {};
  return c.settings.protocol == "native" ? "the call was not sent as a call"
                                         : "it stands word for word in what the model was given, and may be quoted";
}

std::string question_about(const OpenCall& call) { return "approve/" + call.plan.id + "/" + std::to_string(call.done); }

}  // namespace

// Reads that stand together run at once. Everything else waits for all calls before it, and what follows waits for it:
// a read behind a write sees what was written.
Work::Then Work::act_on_calls(Member& m) {
  bool earlier = false, earlier_effect = false;
  std::optional<std::size_t> completion;
  for (std::size_t i = 0; i < m.c.open.size(); ++i) {
    OpenCall& call = m.c.open[i];
    if (call.answered) continue;
    if (call.plan.runs.empty()) {
      refuse(m, call, call.plan.error == "held" ? Finding::Why::held : Finding::Why::refused, call.plan.feedback);
      return Then::changed;
    }
    if (completes(call)) {
      if (completion) {
        refuse(m, call, Finding::Why::refused, words::completion_once());
        return Then::changed;
      }
      completion = i;
      continue;
    }
    const bool read = call.plan.effect == Effect::read;
    if (!(read ? earlier_effect : earlier) && act_on(m, i) == Then::changed) return Then::changed;
    earlier = true;
    earlier_effect |= !read;
  }
  // Whatever its place, it speaks of all the others.
  if (completion && !earlier) return act_on(m, *completion);
  return Then::waits;
}

Work::Then Work::act_on(Member& m, std::size_t i) {
  OpenCall& call = m.c.open[i];
  if (!call.child.empty()) return act_on_child(m, call);
  if (m.u.runs.contains(call.plan.id)) return Then::waits;
  const tool::Tool* tool = s_.conditions.tools->find(call.plan.tool);
  if (!tool) {
    refuse(m, call, Finding::Why::not_run, words::tool_gone(call.plan.name));
    return Then::changed;
  }
  if (has_effect(call))
    for (std::size_t before = 0; before < i; ++before)
      if (const OpenCall& b = m.c.open[before]; has_effect(b) && (b.failed || b.partly)) {
        find(m, call, Finding::Why::held, policy::held(call.plan.name, b.plan.name), true);
        return Then::changed;
      }
  json::Reading arguments = read_run(call.plan.runs[call.done]);
  if (arguments.verdict.word() !=
      json::Word::valid) {  // it was written by Belay; only a damaged store can say otherwise
    refuse(m, call, Finding::Why::not_run, words::tool_gone(call.plan.name));
    return Then::changed;
  }
  const auto run =
      std::make_shared<const policy::Run>(policy::Run{std::move(arguments.document), call.plan.runs[call.done]});
  // Rules may forbid tasks within; they cannot forbid a task to speak, or to end.
  const bool meta = tool->spec().needs_task;
  if (meta && call.plan.tool != "new_task") return act_on_meta(m, call, run->arguments.root());
  const policy::Clearance clearance =
      policy::clear(s_.conditions.permissions, tool->spec(), *run, doubt_about(m.c, call));
  if (clearance.decision != Decision::allow)
    if (const auto waits = ask_first(m, call, clearance, *run)) return *waits;
  if (meta) return act_on_meta(m, call, run->arguments.root());
  call.confined = clearance.confined;
  return start_run(m, call, run);
}

// Nothing: the person has said yes to exactly this.
std::optional<Work::Then> Work::ask_first(Member& m, OpenCall& call, const policy::Clearance& clearance,
                                          const policy::Run& run) {
  if (clearance.decision == Decision::deny) {
    find(m, call, Finding::Why::denied, policy::denied(call.plan.name, clearance.reason), true);
    return Then::changed;
  }
  const std::string question = question_about(call);
  const auto approved = m.c.approved.find(question);
  if (approved != m.c.approved.end() && approved->second.arguments == run.text) {
    if (approved->second.yes) return std::nullopt;
    find(m, call, Finding::Why::not_approved, policy::not_approved(call.plan.name, approved->second.words), true);
    return Then::changed;
  }
  if (!s_.conditions.person) {
    const std::string_view rule = clearance.rule_helps ? std::string_view(call.plan.name) : std::string_view();
    find(m, call, Finding::Why::denied, policy::denied(call.plan.name, words::nobody_to_approve(rule)), true);
    return Then::changed;
  }
  ask(m, {.id = question,
          .kind = AskPerson::Kind::approval,
          .text = clearance.reason,
          .call = call.plan.id,
          .tool = call.plan.tool,
          .arguments = run.text,
          .receipt = call.plan.receipt + (call.plan.not_run.empty() ? "" : " " + call.plan.not_run)});
  return Then::waits;
}

// A task within comes back by itself; only in the copy of a task can it be over already, or not be there.
Work::Then Work::act_on_child(Member& m, const OpenCall& call) {
  auto child = s_.tasks.find(call.child);
  if (child == s_.tasks.end())
    refuse(m, call, Finding::Why::interrupted, {});
  else if (child->second.c.finished)
    return_to_parent(child->second);
  else
    return Then::waits;
  return Then::changed;
}

Work::Then Work::start_run(Member& m, OpenCall& call, std::shared_ptr<const policy::Run> run) {
  // A read changes nothing: it is simply run again if the process ends before its result.
  if (call.plan.effect != Effect::read) keep(m, Intent{call.plan.id, call.done, call.confined});
  m.u.runs[call.plan.id] = now_;
  tell(m, {.kind = EventKind::tool_started, .call = call.plan.id, .name = call.plan.tool, .data = run->text});
  act(m, RunTool{call.plan.id, call.plan.tool, std::move(run), call.done, call.confined});
  return Then::changed;
}

void Work::tool_result(Member& m, std::string_view id, std::uint64_t run, tool::Result result) {
  OpenCall* call = m.c.find(id);
  auto under_way = m.u.runs.find(id);
  if (!call || call->answered || call->done != run || under_way == m.u.runs.end()) {
    tell(m, {.kind = EventKind::notice, .call = std::string(id), .name = "late_result", .text = "nobody waits for it"});
    return;
  }
  result = tool::bounded(std::move(result));
  const bool last = run + 1 == call->plan.runs.size();
  policy::Share share{static_cast<std::size_t>(run), call->plan.runs.size(), call->plan.runs[run], call->plan.not_run,
                      call->plan.receipt};
  find(m, *call, Finding::Why::ran, policy::share(share, std::move(result)), last);
}

void Work::find(Member& m, const OpenCall& call, Finding::Why why, tool::Result result, bool last) {
  Finding finding;
  finding.call = call.plan.id;
  finding.run = call.done;
  finding.last = last;
  finding.why = why;
  finding.is_error = result.is_error;
  if (auto run = m.u.runs.find(call.plan.id); run != m.u.runs.end()) {
    finding.milliseconds = std::max<std::int64_t>(now_ - run->second, 0);
    m.u.runs.erase(run);
  }
  tell(m, {.kind = EventKind::tool_ended,
           .call = call.plan.id,
           .name = call.plan.name,
           .text = tool::text_of(result),
           .is_error = result.is_error});
  if (why == Finding::Why::refused)
    tell(m, {.kind = EventKind::mistake,
             .call = call.plan.id,
             .name = call.plan.error.empty() ? "refused" : call.plan.error,
             .text = tool::text_of(result)});
  finding.content = std::move(result.content);
  if (last) settle(m, call, why);
  keep(m, std::move(finding));  // `call` may be gone now: its turn may have closed
}

void Work::refuse(Member& m, const OpenCall& call, Finding::Why why, std::string words) {
  if (why == Finding::Why::interrupted) words = words::interrupted(call.plan.name);
  find(m, call, why, tool::error_result(std::move(words)), true);
}

// Whether a call that ran is the refused one, made again. Whoever goes on with something else has given that one up.
bool Work::is_again(const Member& m, const Unsettled& u, const PlannedCall& plan) const {
  const auto of_kind = [&](std::string_view kind) {
    return std::ranges::find(u.damage.kinds, kind) != u.damage.kinds.end();
  };
  if (!of_kind("unknown_tool") && !of_kind("no_name")) return u.tool == plan.tool;
  const std::vector<std::string_view> near = s_.conditions.tools->near(u.tool);
  if (std::ranges::find(near, plan.tool) != near.end()) return true;
  // To end the task, to ask, to note something down: that does not stand for work that was refused.
  if (plan.effect == tool::Effect::meta) return false;
  if (of_kind("no_name")) return true;
  // The same arguments under another name; none at all say nothing.
  const std::string_view before = arguments_of(m.c, u.call);
  return before != "{}" && !before.empty() && before == arguments_of(m.c, plan.id);
}

// Keeps what became of damaged calls: this one, and those before it that were asked for again.
void Work::settle(Member& m, const OpenCall& call, Finding::Why why) {
  const PlannedCall& plan = call.plan;
  const std::string model = asked_model(m);
  std::vector<Outcome> outcomes;
  for (const Unsettled& u : m.c.unsettled) {
    if (why != Finding::Why::ran) break;
    if (m.c.find(u.call) || !is_again(m, u, plan)) continue;
    outcomes.push_back({u.call, u.tool, model, u.damage.kinds, u.damage.verdict, Outcome::Became::re_asked});
  }
  // The damage was dealt with, whether or not it was then let run. One that the gate refused for it is unsettled.
  const json::Word word = plan.damage.verdict;
  const bool dealt_with = word == json::Word::mended || word == json::Word::split || word == json::Word::guessed;
  if (dealt_with && !call.settled && (!plan.runs.empty() || plan.error == "held"))
    outcomes.push_back({plan.id, plan.tool, model, plan.damage.kinds, word,
                        word == json::Word::mended  ? Outcome::Became::mended
                        : word == json::Word::split ? Outcome::Became::split
                                                    : Outcome::Became::guessed});
  for (Outcome& outcome : outcomes) keep(m, std::move(outcome));
}

}  // namespace BELAY_NAMESPACE::task
