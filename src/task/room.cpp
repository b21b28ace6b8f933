// How a history that has become long is made shorter before it is sent.
#include "task/words.h"
#include "task/work.h"

#include <belay/text/dialect.h>

#include <algorithm>

namespace BELAY_NAMESPACE::task {

using chat::Message;
using chat::Role;

// Folds, or asks for a summary, when the history is longer than it should be. Each of them changes what the provider
// has seen before and may cost a request, so it must be worth it: where the last turns alone are too long, every turn
// would bring a little to fold, and folding it would change nothing. False when the request can leave as it is.
bool Work::make_room(Member& m) {
  const ContextLimits& context = m.c.settings.context;
  const double full = context.fold_at * static_cast<double>(context.tokens);
  if (static_cast<double>(estimate(m)) <= full) return false;
  const double worth_it = full / 8;
  if (fold(m, context.keep_turns, 0.6 * full, worth_it)) return true;
  const std::uint64_t past = tokens_before(m.c.history, m.c.fold, context.keep_turns);
  if (static_cast<double>(past) >= static_cast<double>(m.u.no_summary) + worth_it &&
      send_summary(m, context.keep_turns))
    return true;
  if (!m.u.said_full) {
    m.u.said_full = true;
    tell(m, {.kind = EventKind::notice,
             .name = "context_full",
             .text = words::context_full(estimate(m), context.tokens, context.keep_turns)});
  }
  return false;
}

// What the provider counted last, and an estimate of what came since.
std::uint64_t Work::estimate(Member& m) const {
  auto& known = m.u.estimated;
  if (m.c.counted > 0 && (known.folds != m.c.folds || known.size < m.c.counted)) {
    known = {m.c.counted_tokens, m.c.counted, m.c.folds};
  } else if (known.size == 0 || known.folds != m.c.folds) {
    known = {estimate_tokens(request_of(m)), m.c.history.size(), m.c.folds};
  }
  for (; known.size < m.c.history.size(); ++known.size) known.tokens += estimate_tokens(m.c.history[known.size]);
  return known.tokens;
}

// Old results become stubs, as many as are needed to come down to `aim` tokens. False when that saves nothing, or not
// `at_least` so many.
bool Work::fold(Member& m, std::uint64_t keep_turns, double aim, double at_least) {
  const double now = static_cast<double>(estimate(m));
  if (now <= aim) return false;
  Folded folded;
  folded.results = results_to_fold(m.c.history, m.c.fold, keep_turns, static_cast<std::uint64_t>(now - aim),
                                   static_cast<std::uint64_t>(at_least));
  if (folded.results.empty()) return false;
  tell(m, {.kind = EventKind::folded,
           .text = std::to_string(folded.results.size()) + " old results are sent as stubs from now on"});
  keep(m, std::move(folded));
  m.u.said_full = false;
  return true;
}

// Asks the model for a summary of the older turns. False when there is nothing to sum up.
bool Work::send_summary(Member& m, std::uint64_t keep_turns) {
  auto upto = summary_end(m.c.history, m.c.fold, keep_turns);
  if (!upto) return false;
  chat::Request request;
  request.model = m.c.settings.model;
  request.messages.push_back({Role::system, {chat::text_block(words::summary_system())}, {}});
  auto first = m.c.history.begin();
  std::vector<Message> old(first, first + static_cast<std::ptrdiff_t>(*upto));
  Fold so_far = m.c.fold;
  for (Message& message : folded_view(old, so_far, m.c.todos)) request.messages.push_back(std::move(message));
  request.messages.push_back({Role::user, {chat::text_block(words::summary_request())}, {}});
  // Providers want the tools that a history uses to be defined, also where none may be called.
  request.tools = s_.conditions.tools->offered();
  request.tool_choice = chat::ToolChoice{chat::ToolChoice::Kind::none, {}};
  request.max_output_tokens = m.c.settings.output_tokens;
  request.stream = true;
  // A call in the older turns stands there as text where the task's protocol is one.
  if (m.c.settings.protocol != "native") request = text::Dialect::rewrite(m.c.settings.protocol, std::move(request));
  m.u.request = ++s_.requests;
  m.u.summary = true;
  m.u.summary_end = *upto;
  m.u.summary_tokens = estimate_tokens(request);
  tell(m, {.kind = EventKind::request, .name = "summary", .number = static_cast<std::int64_t>(m.u.attempt)});
  act(m, SendRequest{m.u.request, std::move(request), "none", true, m.u.attempt});
  return true;
}

}  // namespace BELAY_NAMESPACE::task
