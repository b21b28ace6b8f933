#include "sim/simulation.h"

#include "builtin/task_tools.h"
#include "sim/model.h"
#include "sim/promises.h"
#include "sim/random.h"

#include <cstdio>
#include <queue>
#include <set>
#include <variant>
#include <vector>

namespace belay::sim {
namespace {

using task::Action;
using task::Record;
using task::Step;

struct Answered {
  std::string task;
  std::uint64_t request;
  std::shared_ptr<std::expected<task::Answer, task::Trouble>> answer;
};
struct Ran {
  std::string task, call;
  std::uint64_t run;
  tool::Result result;
};
struct Replied {
  std::string task, question;
  task::Reply reply;
};
struct Spoke {};
struct Stopped {};
struct Rang {};
using Happening = std::variant<Answered, Ran, Replied, Spoke, Stopped, Rang>;

struct Planned {
  std::int64_t time;
  std::uint64_t order;
  Happening what;
  bool outside;  // the person's, not the process's: a crash does not take it away
  bool operator<(const Planned& other) const { return time != other.time ? time > other.time : order > other.order; }
};

tool::Registry make_tools() {
  constexpr std::string_view schema =
      R"({"type":"object","properties":{"token":{"type":"integer"},"text":{"type":"string"}},)"
      R"("required":["token","text"],"additionalProperties":false})";
  tool::Registry tools;
  auto add = [&](tool::Spec spec) { tools.add(*tool::Tool::make(std::move(spec), {})); };
  for (auto [name, effect] :
       {std::pair{"look", tool::Effect::read}, {"put", tool::Effect::write}, {"do", tool::Effect::execute}}) {
    tool::Spec spec;
    spec.name = name;
    spec.description = "made up";
    spec.parameters = schema;
    spec.effect = effect;
    add(std::move(spec));
  }
  add(builtin::ask_followup_question_spec());
  add(builtin::update_todo_list_spec());
  add(builtin::attempt_completion_spec());
  add(builtin::new_task_spec());
  return tools;
}

class World {
 public:
  World(std::uint64_t seed, bool show)
      : random_(seed),
        show_(show),
        wire_(pick_wire()),
        model_(random_.next(), wire_),
        promises_(conditions_, tools_, model_) {
    settings_.model = "made-up";
    settings_.system = "Be useful.";
    if (random_.chance(20)) {
      settings_.protocol = random_.pick<const char*>({"xml", "hermes", "qwen3_coder"});
      wire_ = wire::Wire::openai_chat;
      model_ = Model(random_.next(), wire_);
    }
    settings_.seed = random_.next();
    settings_.budget.turns = 3 + random_.below(40);
    settings_.budget.milliseconds = random_.chance(15) ? 60'000 : 3'600'000;
    settings_.budget.children = random_.below(4);
    settings_.plain_answer_ends = random_.chance(20);
    settings_.todos_before_completion = random_.chance(20);
    settings_.breakers.mistakes = 3 + random_.below(8);
    if (random_.chance(25)) settings_.context.tokens = 600 + random_.below(3000);
    conditions_.tools = &tools_;
    conditions_.person = random_.chance(70);
    conditions_.permissions.mode = random_.pick({policy::Mode::ask, policy::Mode::ask, policy::Mode::accept_edits,
                                                 policy::Mode::plan, policy::Mode::dont_ask, policy::Mode::bypass});
    silent_ = random_.chance(10);
    crashing_ = random_.chance(60) ? random_.below(6) : 0;
    if (silent_ || random_.chance(10)) plan(random_.between(1, silent_ ? 400'000 : 60'000), Stopped{}, true);
    while (conditions_.person && random_.chance(25)) {
      const std::int64_t when = random_.between(1, 60'000);
      plan(when, Spoke{}, true);
      if (random_.chance(50)) plan(when + random_.between(1, 500), Spoke{}, true);  // and something more
    }
  }

  Outcome run() {
    task::Created created;
    created.settings = settings_;
    created.goal.push_back(chat::text_block("Do what is to be done."));
    tree_.emplace(task::Tree::create(conditions_, "t", std::move(created)));
    perform(tree_->start(now_));
    while (outcome_.fault.empty()) {
      if (!tree_) {
        restart();  // and that can be cut short as well
        continue;
      }
      if (tree_->finished()) {
        if (reopened_ || !conditions_.person || !random_.chance(20)) break;
        reopened_ = true;
        plan(1, Spoke{}, true);
      }
      if (queue_.empty()) {
        fault("nothing is under way, and the task is not over");
        break;
      }
      if (++outcome_.events > 1'500) model_.tire(), tired_ = true;
      if (outcome_.events > 6'000) {
        fault("it does not end");
        break;
      }
      Planned next = queue_.top();
      queue_.pop();
      now_ = std::max(now_, next.time);
      const std::int64_t shown = random_.chance(1) ? now_ - 5'000 : now_;  // a clock that was set back
      std::visit([&](auto& what) { happen(what, shown); }, next.what);
    }
    if (outcome_.fault.empty() && tree_) fault(promises_.at_the_end(*tree_));
    outcome_.records = promises_.records().size();
    outcome_.effects = promises_.effects();
    promises_.count(outcome_.seen, outcome_.turns, outcome_.tasks);
    return outcome_;
  }

 private:
  wire::Wire pick_wire() {
    return random_.pick({wire::Wire::openai_chat, wire::Wire::openai_responses, wire::Wire::anthropic,
                         wire::Wire::anthropic, wire::Wire::gemini, wire::Wire::ollama});
  }
  void fault(const std::string& what) {
    if (outcome_.fault.empty()) outcome_.fault = what;
  }
  void plan(std::int64_t delay, Happening what, bool outside = false) {
    queue_.push({now_ + delay, order_++, std::move(what), outside});
  }

  void happen(Answered& a, std::int64_t now) {
    if (*a.answer)
      perform(tree_->on_answer(a.task, a.request, std::move(**a.answer), now));
    else
      perform(tree_->on_failure(a.task, a.request, a.answer->error(), now));
  }
  void happen(Ran& r, std::int64_t now) {
    perform(tree_->on_tool_result(r.task, r.call, r.run, std::move(r.result), now));
  }
  void happen(Replied& r, std::int64_t now) { perform(tree_->on_reply(r.task, r.question, std::move(r.reply), now)); }
  void happen(Spoke&, std::int64_t now) { perform(tree_->on_message({chat::text_block("And also this.")}, now)); }
  void happen(Stopped&, std::int64_t now) {
    if (!tree_->finished()) perform(tree_->on_abort(now));
  }
  void happen(Rang&, std::int64_t now) { perform(tree_->on_time(now)); }

  // The edge: keeps the records, then does what is asked; any of that can be cut short by a crash or a full disk.
  void perform(Step step) {
    if (show_) print(step);
    fault(promises_.before_keeping(step));
    if (random_.chance(crashing_) || random_.chance(crashing_ / 2)) return crash();  // before anything was kept
    fault(promises_.kept(step, *tree_));
    for (const Record& record : step.records) trace(task::to_json(record.body));
    if (random_.chance(crashing_)) return promises_.remember(*tree_), crash();
    for (Action& action : step.actions) {
      std::visit([&](auto& deed) { act(action.task, deed); }, action.deed);
      if (random_.chance(crashing_ / 3)) return promises_.remember(*tree_), crash();
    }
  }

  void act(const std::string& task, task::SendRequest& deed) {
    fault(promises_.request(deed, settings_, random_.chance(25)));
    auto answer = std::make_shared<std::expected<task::Answer, task::Trouble>>(model_.answer(task, deed, tools_));
    plan(random_.between(1, 3'000), Answered{task, deed.request, std::move(answer)});
  }
  void act(const std::string& task, task::RunTool& deed) {
    fault(promises_.run(task, deed));
    if (show_) std::printf("    effect %s %s\n", deed.tool.c_str(), deed.arguments.c_str());
    tool::Result result = random_.chance(15)
                              ? tool::error_result(random_.chance(50) ? "it failed" : "no such thing")
                              : tool::text_result(random_.chance(30) ? "same"
                                                                     : "seen " + std::to_string(random_.below(1000)) +
                                                                           std::string(random_.below(400), '.'));
    plan(random_.between(1, 2'000), Ran{task, deed.call, deed.run, std::move(result)});
  }
  void act(const std::string& task, task::AskPerson& deed) {
    if (silent_ && !tired_) return plan(random_.between(1, 100'000), Stopped{}, true);
    task::Reply reply;
    const std::uint64_t kind = random_.below(100);
    reply.kind = tired_ || kind < 55 ? task::Reply::Kind::yes
                 : kind < 75         ? task::Reply::Kind::no
                 : kind < 97         ? task::Reply::Kind::words
                                     : task::Reply::Kind::nobody;
    if (tired_ && deed.kind == task::AskPerson::Kind::limit) reply.kind = task::Reply::Kind::no;
    if (reply.kind == task::Reply::Kind::words) reply.text = "rather so";
    plan(random_.between(1, 20'000), Replied{task, deed.id, std::move(reply)});
  }
  void act(const std::string&, task::Wait& deed) { plan(std::max<std::int64_t>(deed.until - now_, 0), Rang{}); }
  void act(const std::string&, task::CancelRequest&) {}  // the answer still comes, and must not count
  void act(const std::string&, task::CancelTool&) {}
  void act(const std::string&, task::DropQuestion&) {}
  void act(const std::string&, task::Finish&) {}

  // The process is gone, and all that it waited for. Tools that had begun may have done their work.
  void crash() {
    ++outcome_.crashes;
    tree_.reset();
    std::vector<Planned> kept;
    for (; !queue_.empty(); queue_.pop())
      if (queue_.top().outside) kept.push_back(queue_.top());
    for (Planned& p : kept) queue_.push(std::move(p));
    now_ += random_.between(0, 100'000);
  }

  void restart() {
    if (promises_.records().empty()) {  // it was gone before it began
      task::Created created;
      created.settings = settings_;
      created.goal.push_back(chat::text_block("Do what is to be done."));
      tree_.emplace(task::Tree::create(conditions_, "t", std::move(created)));
    } else {
      auto tree = task::Tree::resume(conditions_, promises_.records());
      if (!tree) return fault("it cannot be resumed: " + tree.error());
      fault(promises_.resumed(*tree));
      tree_.emplace(std::move(*tree));
    }
    perform(tree_->start(now_));
  }

  void trace(std::string_view text) { outcome_.trace = task::fingerprint(text, std::to_string(outcome_.trace)); }
  void print(const Step& step) const {
    std::printf("-- %lld\n", static_cast<long long>(now_));
    for (const Record& r : step.records)
      std::printf("  %s#%llu %s\n", r.task.c_str(), static_cast<unsigned long long>(r.number),
                  task::to_json(r.body).c_str());
    for (const Action& a : step.actions) std::printf("  action %zu of %s\n", a.deed.index(), a.task.c_str());
  }

  Random random_;
  bool show_;
  wire::Wire wire_;
  tool::Registry tools_ = make_tools();
  Model model_;
  task::Settings settings_;
  task::Conditions conditions_;
  std::optional<task::Tree> tree_;
  std::priority_queue<Planned> queue_;
  std::uint64_t order_ = 0, crashing_ = 0;
  std::int64_t now_ = 1'700'000'000'000;
  bool silent_ = false, tired_ = false, reopened_ = false;
  Outcome outcome_;
  Promises promises_;
};

}  // namespace

Outcome simulate(std::uint64_t seed, bool show) { return World(seed, show).run(); }

}  // namespace belay::sim
