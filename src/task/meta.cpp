// The tools that mean something only while a task runs: questions, todos, the completion, tasks within tasks.
#include "task/history_parts.h"
#include "task/words.h"
#include "task/work.h"

#include <algorithm>
#include <iterator>

namespace BELAY_NAMESPACE::task {
namespace {

std::string text_at(json::Value arguments, std::string_view key) {
  auto value = arguments.find(key);
  return value ? std::string(value->as_string()) : std::string();
}

// A reply to a question that has no words of its own.
std::string silent_answer(Reply::Kind kind) {
  switch (kind) {
    case Reply::Kind::yes: return "Yes.";
    case Reply::Kind::no: return "No.";
    case Reply::Kind::nobody: return words::nobody_to_ask();
    case Reply::Kind::words: break;
  }
  return words::no_answer();
}

tool::Result with_images(std::string text, std::vector<chat::Block> images) {
  tool::Result result = tool::text_result(std::move(text));
  std::ranges::move(images, std::back_inserter(result.content));
  return tool::bounded(std::move(result));
}

}  // namespace

void Work::ask(Member& m, AskPerson question) {
  if (!m.u.questions.insert(question.id).second) return;
  constexpr std::string_view kinds[] = {"approval", "question", "completion", "limit"};
  tell(m, {.kind = EventKind::asked,
           .call = question.call,
           .name = std::string(kinds[static_cast<std::size_t>(question.kind)]),
           .text = question.text,
           .data = question.arguments});
  act(m, std::move(question));
}

Work::Then Work::act_on_meta(Member& m, OpenCall& call, json::Value arguments) {
  auto answered = [&](tool::Result result) {
    find(m, call, Finding::Why::ran,
         policy::share({0, 1, call.plan.runs[0], call.plan.not_run, call.plan.receipt}, std::move(result)), true);
    return Then::changed;
  };
  const std::string& name = call.plan.tool;
  if (name == "attempt_completion") return complete(m, call, arguments);
  if (name == "new_task") return start_child(m, call, arguments);
  if (name == "update_todo_list") {
    std::string todos = text_at(arguments, "todos");
    tell(m, {.kind = EventKind::todos, .call = call.plan.id, .text = todos});
    keep(m, Todos{std::move(todos)});
    return answered(tool::text_result(words::todos_kept()));
  }
  if (name == "ask_followup_question") {
    if (!s_.conditions.person) return answered(tool::error_result(words::nobody_to_ask()));
    AskPerson question{.id = "question/" + call.plan.id,
                       .kind = AskPerson::Kind::question,
                       .text = text_at(arguments, "question"),
                       .call = call.plan.id};
    if (auto choices = arguments.find("follow_up"))
      for (json::Value choice : choices->items()) question.choices.emplace_back(choice.as_string());
    ask(m, std::move(question));
    return Then::waits;
  }
  return answered(tool::error_result(words::tool_gone(name)));
}

Work::Then Work::complete(Member& m, OpenCall& call, json::Value arguments) {
  std::vector<std::string> failed;
  for (const OpenCall& other : m.c.open)
    if (&other != &call && other.failed && other.plan.tool != call.plan.tool) failed.push_back(other.plan.name);
  if (!failed.empty()) {
    refuse(m, call, Finding::Why::refused, words::completion_after_failure(failed));
    return Then::changed;
  }
  if (m.c.settings.todos_before_completion && open_todos(m.c.todos)) {
    refuse(m, call, Finding::Why::refused, words::completion_with_todos(m.c.todos));
    return Then::changed;
  }
  const std::string result = text_at(arguments, "result");
  const std::string question = "complete/" + call.plan.id;
  if (!m.u.questions.contains(question)) {
    tell(m, {.kind = EventKind::completed, .call = call.plan.id, .text = result});
    tell_usage(m, {}, {}, 0);
  }
  if (s_.conditions.person) {
    ask(m, {.id = question, .kind = AskPerson::Kind::completion, .text = result, .call = call.plan.id});
    return Then::waits;
  }
  reply_to_completion(m, call, {.kind = Reply::Kind::nobody, .text = {}, .images = {}});
  return Then::changed;
}

void Work::reply_to_completion(Member& m, OpenCall& call, Reply reply) {
  const json::Reading arguments = read_run(call.plan.runs[0]);
  std::string result = arguments.document.empty() ? std::string() : text_at(arguments.document.root(), "result");
  bool accepted = reply.kind == Reply::Kind::yes || reply.kind == Reply::Kind::nobody;
  tool::Result told;
  if (accepted && !m.c.waiting.empty()) {
    // The person has said more in the meantime: that comes next.
    told = tool::text_result(words::said_more());
    accepted = false;
  } else if (accepted) {
    told = tool::text_result(words::accepted());
  } else {
    const bool silent = !says_something(reply.text) && reply.images.empty();
    told = with_images(silent ? words::not_accepted() : std::move(reply.text), std::move(reply.images));
  }
  find(m, call, Finding::Why::ran,
       policy::share({0, 1, call.plan.runs[0], call.plan.not_run, call.plan.receipt}, std::move(told)), true);
  if (accepted) end(m, EndReason::completed, std::move(result), {});
}

Work::Then Work::start_child(Member& m, OpenCall& call, json::Value arguments) {
  const Budget& budget = m.c.settings.budget;
  if (m.c.children >= budget.children) {
    refuse(m, call, Finding::Why::refused, words::too_many_children(budget.children));
    return Then::changed;
  }
  if (m.c.created.depth + 1 >= budget.depth) {
    refuse(m, call, Finding::Why::refused, words::too_deep(budget.depth));
    return Then::changed;
  }
  if (!says_something(text_at(arguments, "message"))) {
    refuse(m, call, Finding::Why::refused, words::no_goal());
    return Then::changed;
  }
  Created created;
  created.settings = m.c.settings;
  created.settings.seed = random_number(m.c.settings.seed, m.c.children + 1);
  created.goal.push_back(chat::text_block(text_at(arguments, "message")));
  created.todos = text_at(arguments, "todos");
  created.parent = m.c.id;
  created.parent_call = call.plan.id;
  created.depth = m.c.created.depth + 1;
  std::string child = m.c.id + "." + std::to_string(m.c.children + 1);
  tell(m, {.kind = EventKind::child_started, .call = call.plan.id, .name = child});
  keep(m, ChildStarted{call.plan.id, child});
  begin(std::move(child), std::move(created));
  return Then::changed;
}

// What a person says beside the answer to a question.
void Work::also_said(Member& m, std::string text, std::vector<chat::Block> images) {
  std::vector<chat::Block> blocks;
  if (says_something(text)) blocks.push_back(chat::text_block(std::move(text)));
  std::ranges::move(images, std::back_inserter(blocks));
  if (blocks.empty()) return;
  tool::Result bounded = tool::bounded({std::move(blocks), false});
  keep(m, Said{Said::Why::person, std::move(bounded.content)});
}

void Work::reply(Member& m, std::string_view question, Reply reply) {
  auto open = m.u.questions.find(question);
  if (open == m.u.questions.end()) {
    tell(m, {.kind = EventKind::notice, .name = "late_reply", .text = "nobody asked " + std::string(question)});
    return;
  }
  m.u.questions.erase(open);
  const std::string_view kind = question.substr(0, question.find('/'));
  tell(m, {.kind = EventKind::replied, .name = std::string(kind), .text = reply.text});
  if (kind == "limit") {
    // limit/REASON/...
    std::string_view reason = question.substr(kind.size() + 1);
    reason = reason.substr(0, reason.find('/'));
    for (EndReason r : {EndReason::turns, EndReason::tokens, EndReason::cost, EndReason::time, EndReason::stuck})
      if (name(r) == reason) {
        const bool goes_on = reply.kind == Reply::Kind::yes || reply.kind == Reply::Kind::words;
        keep(m, Approved{.about = std::string(question), .yes = goes_on, .words = reply.text});
        if (!goes_on) return end(m, r, {}, "the limit was reached, and the person did not want to go on");
        go_beyond(m, r);
        also_said(m, std::move(reply.text), std::move(reply.images));
      }
    return;
  }
  std::string_view id = question.substr(std::min(kind.size() + 1, question.size()));
  if (kind == "approve") id = id.substr(0, id.rfind('/'));
  OpenCall* call = m.c.find(id);
  if (!call || call->answered) return;
  if (kind == "approve") {
    const bool yes = reply.kind == Reply::Kind::yes;
    const std::string text = reply.text;
    keep(m, Approved{.about = std::string(question),
                     .call = call->plan.id,
                     .run = call->done,
                     .arguments = call->plan.runs[call->done],
                     .yes = yes,
                     .words = std::move(reply.text)});
    // The result of a call that was not approved holds the words; all else stands behind the results.
    also_said(m, yes ? text : std::string(), std::move(reply.images));
  } else if (kind == "complete") {
    reply_to_completion(m, *call, std::move(reply));
  } else {
    const bool silent = !says_something(reply.text) && reply.images.empty();
    tool::Result told = silent ? tool::text_result(silent_answer(reply.kind))
                               : with_images(std::move(reply.text), std::move(reply.images));
    find(m, *call, Finding::Why::ran,
         policy::share({0, 1, call->plan.runs[0], call->plan.not_run, call->plan.receipt}, std::move(told)), true);
  }
}

}  // namespace BELAY_NAMESPACE::task
