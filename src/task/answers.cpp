// What is made of an answer.
#include "task/history_parts.h"
#include "task/plan.h"
#include "task/usage.h"
#include "task/words.h"
#include "task/work.h"

#include <belay/json/writer.h>

#include <algorithm>

namespace BELAY_NAMESPACE::task {

using chat::StopReason;

namespace {

// All that was answered plainly since the last call: the first of it may be the answer, and the last one "as I said".
std::string plain_result(const Conversation& c) {
  std::vector<std::string> texts;
  for (auto message = c.history.rbegin(); message != c.history.rend(); ++message) {
    if (message->role != chat::Role::assistant) {
      if (std::ranges::any_of(message->blocks,
                              [](const chat::Block& b) { return b.kind == chat::Block::Kind::tool_result; }))
        break;
      continue;
    }
    std::string text;
    for (const chat::Block& block : message->blocks)
      if (block.kind == chat::Block::Kind::text) text += block.text;
    if (says_something(text)) texts.push_back(std::move(text));
    if (texts.size() >= c.breakers.nudges()) break;
  }
  std::string out;
  for (auto text = texts.rbegin(); text != texts.rend(); ++text) {
    if (text->find(out) != std::string::npos) out.clear();  // it says the same again, and more
    if (out.find(*text) != std::string::npos) continue;
    out += (out.empty() ? "" : "\n\n") + *text;
  }
  return out.empty() ? c.result : out;
}

std::uint64_t tokens_of(const turn::Answer& answer) {
  return answer.blocks.empty() ? 0 : estimate_tokens(turn::response_of(answer).message);
}

}  // namespace

void Work::answer(Member& m, turn::Answer answer) {
  if (m.u.summary) return take_summary(m, answer);
  if (answer.stop == StopReason::none) {
    Trouble trouble{"stream_broke_off", "the answer ended without saying so", true, {}};
    trouble.usage = answer.usage;
    trouble.came = tokens_of(answer);
    return failure(m, std::move(trouble));
  }
  m.u.request = 0;
  m.u.attempt = 1;
  m.u.too_long = 0;
  const chat::Usage estimated = uncounted(answer.usage, estimate(m), tokens_of(answer));
  Turn turn = plan_turn(m.c, s_.conditions, std::move(answer));
  turn.estimated = estimated;
  turn.cost = cost_of(m, turn.usage, turn.estimated);
  for (const PlannedCall& call : turn.calls) {
    std::string data;
    if (!call.receipt.empty() || !call.feedback.empty()) {
      data = "{\"receipt\":";
      json::write_string(call.receipt, data);
      data += ",\"feedback\":";
      json::write_string(call.feedback, data);
      data += "}";
    }
    tell(m, {.kind = EventKind::call_ended,
             .call = call.id,
             .name = call.name,
             .text = std::string(json::name(call.damage.verdict)),
             .is_error = call.runs.empty(),
             .data = std::move(data)});
  }
  const chat::Usage usage = turn.usage;
  const double cost = turn.cost;
  const bool any = !turn.calls.empty(), nothing = turn.message.blocks.empty();
  const bool by_length = turn.stop == StopReason::length;
  keep(m, std::move(turn));
  tell_usage(m, usage, estimated, cost);
  if (by_length) raise_output(m);
  if (!any) without_calls(m, nothing);
}

// An answer that asks for nothing. What is to be said to it depends on how it ended.
void Work::without_calls(Member& m, bool nothing) {
  // Some providers say only by the stop what became of the answer.
  if (nothing && m.c.stop != StopReason::malformed && m.c.stop != StopReason::refusal) {
    // Nothing was in it; it is asked for again, as often as the breaker allows.
    tell(m, {.kind = EventKind::mistake,
             .name = "empty",
             .text = "the answer had nothing in it (stop: " + std::string(chat::name(m.c.stop)) + ")"});
    return;
  }
  auto say = [&](Said::Why why, std::string text, std::string kind) {
    tell(m, {.kind = EventKind::mistake, .name = std::move(kind), .text = text});
    keep(m, Said{why, {chat::text_block(std::move(text))}});
  };
  switch (m.c.stop) {
    case StopReason::pause: return;
    case StopReason::length:
      return say(Said::Why::cut, words::cut(m.c.result, true, m.c.settings.output_tokens), "cut");
    case StopReason::content_filter: return say(Said::Why::cut, words::cut(m.c.result, false, 0), "content_filter");
    case StopReason::malformed: return say(Said::Why::malformed, words::malformed(), "malformed");
    case StopReason::refusal:
      return end(m, EndReason::failed, {},
                 nothing ? std::string("the model refused, without a word")
                         : "the model refused: " + words::refusal(m.c.result));
    default: break;
  }
  // Who has used tools may have forgotten the next call; who has used none was asked something, and has answered. Where
  // a person is, they say so themselves.
  const bool worked = std::ranges::any_of(m.c.history, [](const chat::Message& message) {
    return std::ranges::any_of(message.blocks,
                               [](const chat::Block& b) { return b.kind == chat::Block::Kind::tool_call; });
  });
  if (m.c.settings.plain_answer_ends && (!worked || s_.conditions.person || m.c.breakers.nudges() > 1)) {
    const std::string result = plain_result(m.c);
    tell(m, {.kind = EventKind::completed, .text = result});
    return end(m, EndReason::completed, result, {});
  }
  say(Said::Why::no_tool, words::no_tool(m.c.result, s_.conditions.person), "no_tool");
}

void Work::raise_output(Member& m) {
  const std::uint64_t now = m.c.settings.output_tokens;
  const std::uint64_t next = std::min(now * 2, m.c.settings.output_tokens_at_most);
  if (next > now) keep(m, Changed{.output_tokens = next});
}

// A limit that was raised may be more than the model has, and then nothing that is sent with it is answered.
bool Work::may_be_output_limit(const Member& m, std::string_view kind) const {
  if (m.c.output_taken == 0 || m.c.settings.output_tokens <= m.c.output_taken) return false;
  return kind == "invalid_request" || kind == "context_length" || kind == "too_long";
}

// The one that was answered to stands from now on.
void Work::lower_output(Member& m) {
  const std::uint64_t now = m.c.settings.output_tokens, taken = m.c.output_taken;
  keep(m, Changed{.output_tokens = taken, .output_tokens_at_most = taken});
  tell(m, {.kind = EventKind::notice, .name = "output_limit", .text = words::output_refused(now, taken)});
}

void Work::take_summary(Member& m, const turn::Answer& answer) {
  const std::uint64_t upto = m.u.summary_end;
  std::string text;
  for (const turn::Block& block : answer.blocks)
    if (block.kind == turn::Block::Kind::text) text += block.text;
  if (!says_something(text) || chat::cuts(answer.stop)) {
    Trouble trouble{"no_summary", "the summary was empty or cut off", false, {}};
    trouble.usage = answer.usage;
    trouble.came = tokens_of(answer);
    return failure(m, std::move(trouble));
  }
  m.u.request = 0;
  m.u.summary = false;
  m.u.summary_owed.reset();
  m.u.no_summary = 0;
  m.u.said_full = false;
  m.u.attempt = 1;
  Folded folded;
  folded.upto = upto;
  // The goal stands first in the history and stays there, unless something from elsewhere came before it.
  if (!m.c.created.history.empty()) {
    std::string goal = "The task: ";
    for (const chat::Block& block : m.c.created.goal)
      if (block.kind == chat::Block::Kind::text) goal += block.text + "\n\n";
    text = goal + text;
  }
  folded.summary = std::move(text);
  folded.usage = answer.usage;
  folded.estimated = uncounted(folded.usage, m.u.summary_tokens, tokens_of(answer));
  folded.cost = cost_of(m, folded.usage, folded.estimated);
  tell(m, {.kind = EventKind::folded, .text = "the first " + std::to_string(upto) + " messages were summed up"});
  keep(m, std::move(folded));
}

}  // namespace BELAY_NAMESPACE::task
