// Asking the model: what is sent, and what happens when it fails.
#include "task/history_parts.h"
#include "task/usage.h"
#include "task/words.h"
#include "task/work.h"

#include <belay/task/history.h>
#include <belay/text/dialect.h>

#include <algorithm>

namespace BELAY_NAMESPACE::task {
namespace {

using chat::Message;
using chat::Role;

// What a shorter request helps against. The middle one is the wires' own word.
bool too_long(std::string_view kind) { return kind == "too_long" || kind == "context_length" || kind == "too_large"; }

bool native(const Settings& settings) { return settings.protocol == "native"; }

}  // namespace

Work::Then Work::ask_model(Member& m) {
  if (m.u.request != 0 || m.u.retry_at || !m.u.questions.empty()) return Then::waits;
  if (auto reached = over(m)) return trip(m, *reached);
  if (m.u.summary_owed && send_summary(m, *m.u.summary_owed)) return Then::changed;
  if (make_room(m)) return Then::changed;
  send(m);
  return Then::changed;
}

chat::Request Work::request_of(const Member& m) const {
  const Settings& settings = m.c.settings;
  chat::Request request;
  request.model = settings.model;
  if (!settings.system.empty()) request.messages.push_back({Role::system, {chat::text_block(settings.system)}, {}});
  for (Message& message : folded_view(m.c.history, m.c.fold, m.c.todos)) request.messages.push_back(std::move(message));
  request.tools = s_.conditions.tools->offered();
  request.max_output_tokens = settings.output_tokens;
  request.reasoning_effort = settings.reasoning_effort;
  request.stream = true;
  return request;
}

void Work::send(Member& m) {
  chat::Request request = request_of(m);
  std::span<Message> history(request.messages);
  const std::size_t head = m.c.settings.system.empty() ? 0 : 1;
  if (auto wrong = flaw(history.subspan(head))) {
    // Nothing here makes such a history; if something does after all, the session must not be stuck with it.
    Healed healed = heal({history.begin() + static_cast<std::ptrdiff_t>(head), history.end()});
    request.messages.resize(head);
    for (Message& message : healed.history) request.messages.push_back(std::move(message));
    tell(m, {.kind = EventKind::notice, .name = "healed", .text = *wrong});
  }
  std::string format = native(m.c.settings) ? "auto" : m.c.settings.protocol;
  if (!native(m.c.settings)) request = text::Dialect::rewrite(m.c.settings.protocol, std::move(request));
  m.u.request = ++s_.requests;
  m.u.summary = false;
  tell(m, {.kind = EventKind::request, .number = static_cast<std::int64_t>(m.u.attempt)});
  act(m, SendRequest{m.u.request, std::move(request), std::move(format), false, m.u.attempt, made_ids(m.c.turns + 1)});
}

void Work::cancel_request(Member& m) {
  if (m.u.request != 0) act(m, CancelRequest{m.u.request});
  m.u.request = 0;
  m.u.summary = false;
  m.u.retry_at.reset();
}

void Work::failure(Member& m, Trouble trouble) {
  const bool summary = m.u.summary;
  m.u.request = 0;
  m.u.summary = false;
  RequestFailed failed{
      .kind = trouble.kind, .message = trouble.message, .attempt = m.u.attempt, .usage = trouble.usage};
  // Of what failed before it began to answer nobody can say what it cost, and most providers take nothing for it.
  if (trouble.came)
    failed.estimated = uncounted(trouble.usage, summary ? m.u.summary_tokens : estimate(m), *trouble.came);
  failed.cost = cost_of(m, failed.usage, failed.estimated);
  auto say = [&](bool again) {
    failed.retried = again;
    tell(m, {.kind = EventKind::failed, .name = trouble.kind, .text = trouble.message});
    keep(m, failed);
  };
  if (may_be_output_limit(m, trouble.kind)) {
    say(true);
    return lower_output(m);
  }
  if (too_long(trouble.kind) && !summary) {
    // What the provider cannot take is made shorter than we thought was needed, and sent again.
    const std::uint64_t keep_turns = m.u.too_long == 0 ? m.c.settings.context.keep_turns / 2 : 1;
    if (m.u.too_long++ < m.c.settings.retry.too_long) {
      const double aim = 0.5 * static_cast<double>(estimate(m));
      say(true);
      if (fold(m, keep_turns, aim)) return;
      if (send_summary(m, keep_turns)) {
        m.u.summary_owed = keep_turns;
        return;
      }
    } else {
      say(false);
    }
    return end(m, EndReason::failed, {},
               trouble.kind + ": " + trouble.message +
                   " (the conversation is too long for the model, and could not be made shorter)");
  }
  const Retry again = retry(m.c.settings.retry, trouble, m.u.attempt, random_number(m.c.settings.seed, m.c.number));
  say(again.again);
  if (again.again) {
    ++m.u.attempt;
    m.u.retry_at = now_ + again.delay;
    tell(m, {.kind = EventKind::retry, .name = trouble.kind, .number = again.delay});
    return;
  }
  m.u.attempt = 1;
  if (summary) {
    // The task can go on without one, as long as the provider takes it.
    m.u.no_summary = tokens_before(m.c.history, m.c.fold, m.c.settings.context.keep_turns);
    m.u.summary_owed.reset();
    tell(m, {.kind = EventKind::notice, .name = "no_summary", .text = trouble.message});
    return;
  }
  const bool unknown = trouble.kind == "authentication" || trouble.kind == "permission";
  end(m, unknown ? EndReason::authentication : EndReason::failed, {},
      trouble.kind + ": " + trouble.message + " (" + again.why_not + ")");
}

void Work::message(std::vector<chat::Block> blocks) {
  std::erase_if(blocks, [](const chat::Block& block) { return !says_something(block); });
  if (blocks.empty()) return;
  // The task at work is the deepest one that is not finished; when all are, the first opens again.
  Member* to = &s_.tasks.at(s_.root);
  for (auto& [id, m] : s_.tasks)
    if (!m.c.finished && m.c.created.depth >= to->c.created.depth) to = &m;
  Member& m = *to;
  if (m.c.open.empty() && !m.u.summary) cancel_request(m);
  std::set<std::string, std::less<>> questions = m.u.questions;
  keep(m, Said{Said::Why::person, std::move(blocks)});
  for (const std::string& question : questions)
    if (question.starts_with("limit/")) {
      // Who goes on talking wants to go on.
      act(m, DropQuestion{question});
      reply(m, question, {.kind = Reply::Kind::yes, .text = {}, .images = {}});
    }
  m.u.attempt = 1;
  m.u.too_long = m.u.no_summary = 0;
}

void Work::time() {
  s_.waiting.reset();  // that alarm has rung
  // Without a person there is nobody to wait for: what runs is stopped when the time is over.
  Member& root = s_.tasks.at(s_.root);
  if (!s_.conditions.person && !root.c.finished &&
      root.c.elapsed + std::max<std::int64_t>(now_ - root.c.time, 0) >= root.c.settings.budget.milliseconds)
    return end(root, EndReason::time, {}, "the task has run for as long as it may (--max-seconds)");
  for (auto& [id, m] : s_.tasks)
    if (m.u.retry_at && *m.u.retry_at <= now_) m.u.retry_at.reset();
}

}  // namespace BELAY_NAMESPACE::task
