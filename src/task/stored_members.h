// The members of everything that stands in a record: one list for writing and for reading, so that the two agree.
//
// on(name, member) is left out when it has the value that it begins with; on.always(name, member) never is, and
// on.when(flag, name, member) is not while the flag is set. These two are for settings, because what they begin with
// may change between versions and what a task was told may not; and for words that a reader of the text looks for.
#pragma once

#include <belay/task/record.h>

namespace BELAY_NAMESPACE::task {

template <class T>
struct Members;

template <>
struct Members<chat::Opaque> {
  static void list(auto&& on) {
    on("wire", &chat::Opaque::wire);
    on("key", &chat::Opaque::key);
    on("json", &chat::Opaque::json);
  }
};

template <>
struct Members<chat::Block> {
  static void list(auto&& on) {
    using chat::Block;
    on.always("kind", &Block::kind);
    on("text", &Block::text);
    on("media_type", &Block::media_type);
    on("data", &Block::data);
    on("url", &Block::url);
    on("id", &Block::id);
    on("name", &Block::name);
    on("arguments", &Block::arguments);
    on("content", &Block::content);
    on("is_error", &Block::is_error);
    on("opaque", &Block::opaque);
  }
};

template <>
struct Members<chat::Message> {
  static void list(auto&& on) {
    on.always("role", &chat::Message::role);
    on("blocks", &chat::Message::blocks);
    on("opaque", &chat::Message::opaque);
  }
};

template <>
struct Members<chat::Usage> {
  static void list(auto&& on) {
    using chat::Usage;
    on("input_tokens", &Usage::input_tokens);
    on("output_tokens", &Usage::output_tokens);
    on("cached_tokens", &Usage::cached_tokens);
    on("cache_write_tokens", &Usage::cache_write_tokens);
    on("reasoning_tokens", &Usage::reasoning_tokens);
  }
};

template <>
struct Members<Budget> {
  static void list(auto&& on) {
    on.always("turns", &Budget::turns);
    on.always("tokens", &Budget::tokens);
    on.always("cost", &Budget::cost);
    on.always("milliseconds", &Budget::milliseconds);
    on.always("children", &Budget::children);
    on.always("depth", &Budget::depth);
  }
};

template <>
struct Members<Prices> {
  static void list(auto&& on) {
    on("input", &Prices::input);
    on("output", &Prices::output);
    on("cached", &Prices::cached);
    on("cache_write", &Prices::cache_write);
  }
};

template <>
struct Members<BreakerLimits> {
  static void list(auto&& on) {
    on.always("mistakes", &BreakerLimits::mistakes);
    on.always("same_mistake", &BreakerLimits::same_mistake);
    on.always("mistakes_in_all", &BreakerLimits::mistakes_in_all);
    on.always("repeats", &BreakerLimits::repeats);
    on.always("cycle", &BreakerLimits::cycle);
    on.always("nudges", &BreakerLimits::nudges);
    on.always("empty", &BreakerLimits::empty);
  }
};

template <>
struct Members<RetryLimits> {
  static void list(auto&& on) {
    on.always("attempts", &RetryLimits::attempts);
    on.always("first_delay", &RetryLimits::first_delay);
    on.always("max_delay", &RetryLimits::max_delay);
    on.always("max_retry_after", &RetryLimits::max_retry_after);
    on.always("too_long", &RetryLimits::too_long);
  }
};

template <>
struct Members<ContextLimits> {
  static void list(auto&& on) {
    on.always("tokens", &ContextLimits::tokens);
    on.always("fold_at", &ContextLimits::fold_at);
    on.always("keep_turns", &ContextLimits::keep_turns);
  }
};

template <>
struct Members<Settings> {
  static void list(auto&& on) {
    on("model", &Settings::model);
    on.always("protocol", &Settings::protocol);
    on("system", &Settings::system);
    on("reasoning_effort", &Settings::reasoning_effort);
    on.always("output_tokens", &Settings::output_tokens);
    on.always("output_tokens_at_most", &Settings::output_tokens_at_most);
    on.always("plain_answer_ends", &Settings::plain_answer_ends);
    on.always("todos_before_completion", &Settings::todos_before_completion);
    on.always("budget", &Settings::budget);
    on("prices", &Settings::prices);
    on.always("breakers", &Settings::breakers);
    on.always("retry", &Settings::retry);
    on.always("context", &Settings::context);
    on("seed", &Settings::seed);
    on("workspace", &Settings::workspace);
    on("wire", &Settings::wire);
    on("base_url", &Settings::base_url);
    on("key_env", &Settings::key_env);
  }
};

template <>
struct Members<Damage> {
  static void list(auto&& on) {
    on("verdict", &Damage::verdict);
    on("kinds", &Damage::kinds);
    on("raw", &Damage::raw);
  }
};

/// Without `runs`: the text of most is the call's own in the message, and stands there only.
template <>
struct Members<PlannedCall> {
  static void list(auto&& on) {
    on("id", &PlannedCall::id);
    on("name", &PlannedCall::name);
    on("tool", &PlannedCall::tool);
    on.always("effect", &PlannedCall::effect);
    on.always("handling", &PlannedCall::handling);
    on("must_ask", &PlannedCall::must_ask);
    on("receipt", &PlannedCall::receipt);
    on("not_run", &PlannedCall::not_run);
    on("feedback", &PlannedCall::feedback);
    on("error", &PlannedCall::error);
    on("damage", &PlannedCall::damage);
  }
};

template <>
struct Members<Created> {
  static void list(auto&& on) {
    on.always("settings", &Created::settings);
    on("goal", &Created::goal);
    on("todos", &Created::todos);
    on("parent", &Created::parent);
    on("parent_call", &Created::parent_call);
    on("depth", &Created::depth);
    on("history", &Created::history);
    on("healed", &Created::healed);
    on("forked_from", &Created::forked_from);
  }
};

template <>
struct Members<Said> {
  static void list(auto&& on) {
    on("why", &Said::why);
    on("blocks", &Said::blocks);
  }
};

template <>
struct Members<Turn> {
  static void list(auto&& on) {
    on.always("message", &Turn::message);  // before the calls, which refer to it
    on("calls", &Turn::calls);
    on.always("stop", &Turn::stop);
    on("raw_stop", &Turn::raw_stop);
    on("usage", &Turn::usage);
    on("estimated", &Turn::estimated);
    on("model", &Turn::model);
    on("cost", &Turn::cost);
  }
};

template <>
struct Members<Intent> {
  static void list(auto&& on) {
    on("call", &Intent::call);
    on("run", &Intent::run);
    on("confined", &Intent::confined);
  }
};

template <>
struct Members<Finding> {
  static void list(auto&& on) {
    on("call", &Finding::call);
    on("run", &Finding::run);
    on("last", &Finding::last);
    on("why", &Finding::why);
    on("content", &Finding::content);
    on("is_error", &Finding::is_error);
    on("milliseconds", &Finding::milliseconds);
  }
};

template <>
struct Members<Approved> {
  static void list(auto&& on) {
    on("about", &Approved::about);
    on("call", &Approved::call);
    on("run", &Approved::run);
    on("arguments", &Approved::arguments);
    on.always("yes", &Approved::yes);
    on("words", &Approved::words);
  }
};

template <>
struct Members<Todos> {
  static void list(auto&& on) { on("list", &Todos::list); }
};

template <>
struct Members<ChildStarted> {
  static void list(auto&& on) {
    on("call", &ChildStarted::call);
    on("child", &ChildStarted::child);
  }
};

template <>
struct Members<Folded> {
  static void list(auto&& on) {
    on("results", &Folded::results);
    on("upto", &Folded::upto);
    on("summary", &Folded::summary);
    on("usage", &Folded::usage);
    on("estimated", &Folded::estimated);
    on("cost", &Folded::cost);
  }
};

template <>
struct Members<Changed> {
  static void list(auto&& on) {
    on("output_tokens", &Changed::output_tokens);
    on("output_tokens_at_most", &Changed::output_tokens_at_most);
    on("reset", &Changed::reset);
    on("has_budget", &Changed::has_budget);
    on.when(&Changed::has_budget, "budget", &Changed::budget);
    on("resumed", &Changed::resumed);
    on("worked", &Changed::worked);
  }
};

template <>
struct Members<RequestFailed> {
  static void list(auto&& on) {
    on("error", &RequestFailed::kind);
    on("message", &RequestFailed::message);
    on("attempt", &RequestFailed::attempt);
    on("retried", &RequestFailed::retried);
    on("usage", &RequestFailed::usage);
    on("estimated", &RequestFailed::estimated);
    on("cost", &RequestFailed::cost);
  }
};

template <>
struct Members<Outcome> {
  static void list(auto&& on) {
    on("call", &Outcome::call);
    on("tool", &Outcome::tool);
    on("model", &Outcome::model);
    on("kinds", &Outcome::kinds);
    on("verdict", &Outcome::verdict);
    on.always("became", &Outcome::became);
  }
};

template <>
struct Members<Finished> {
  static void list(auto&& on) {
    on.always("reason", &Finished::reason);
    on("result", &Finished::result);
    on("detail", &Finished::detail);
  }
};

}  // namespace BELAY_NAMESPACE::task
