#include "sim/simulation.h"

#include "builtin/task_tools.h"
#include "sim/fork.h"
#include "sim/model.h"
#include "sim/promises.h"
#include "sim/random.h"
#include "sim/setting.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <queue>
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
  std::shared_ptr<std::expected<turn::Answer, task::Trouble>> answer;
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
struct Ruled {};
using Happening = std::variant<Answered, Ran, Replied, Spoke, Stopped, Rang, Ruled>;

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
        setting_(random_, tools_),
        model_(random_.next(), setting_.nature),
        promises_(setting_.conditions, tools_, model_) {
    if (setting_.silent || random_.chance(10))
      plan(random_.between(1, setting_.silent ? 400'000 : 60'000), Stopped{}, true);
    while (setting_.conditions.person && random_.chance(25)) {
      const std::int64_t when = random_.between(1, 60'000);
      plan(when, Spoke{}, true);
      if (random_.chance(50)) plan(when + random_.between(1, 500), Spoke{}, true);  // and something more
    }
    if (random_.chance(10)) plan(random_.between(1, 60'000), Ruled{}, true);
  }

  // A copy of a world from some of its records: it lives on by itself, in another way.
  World(const World& original, const std::vector<Record>& records, std::uint64_t seed)
      : random_(seed),
        show_(original.show_),
        setting_(original.setting_),
        model_(original.model_),
        now_(original.now_ + 1'000),
        is_copy_(true),
        promises_(setting_.conditions, tools_, model_) {
    setting_.conditions.tools = &tools_;
    model_.reseed(random_.next());
    fault(promises_.adopt(records));
  }

  Outcome run() {
    restart();
    while (outcome_.fault.empty()) {
      if (!tree_) {
        restart();  // and that can be cut short as well
        continue;
      }
      if (tree_->finished()) {
        if (reopened_ || !setting_.conditions.person || !random_.chance(20)) break;
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
      if (setting_.forks && !is_copy_ && !forked_ && random_.chance(3)) fork();
      Planned next = queue_.top();
      queue_.pop();
      if (!tree_->finished()) alive_ += std::max<std::int64_t>(next.time - now_, 0);
      now_ = std::max(now_, next.time);
      shown_ = random_.chance(1) ? now_ - kSetBack : now_;  // a clock that was set back
      std::visit([&](auto& what) { happen(what); }, next.what);
    }
    if (outcome_.fault.empty() && tree_) fault(promises_.at_the_end(*tree_));
    if (outcome_.fault.empty() && !is_copy_) fault(time_is_kept());
    outcome_.records = promises_.records().size();
    outcome_.effects = promises_.effects();
    promises_.count(outcome_.seen, outcome_.turns, outcome_.tasks);
    return outcome_;
  }

 private:
  static constexpr std::int64_t kSetBack = 5'000;

  void fault(const std::string& what) {
    if (outcome_.fault.empty()) outcome_.fault = what;
  }
  void plan(std::int64_t delay, Happening what, bool outside = false) {
    queue_.push({now_ + delay, order_++, std::move(what), outside});
  }

  void happen(Answered& a) {
    // What failed may be said to have failed once more, long after it was answered; that changes nothing.
    if (random_.chance(3)) {
      auto late = std::make_shared<std::expected<turn::Answer, task::Trouble>>(
          std::unexpected(task::Trouble{"connection", "too late", true, {}}));
      plan(random_.between(1, 5'000), Answered{a.task, a.request, std::move(late)});
    }
    if (*a.answer) return perform(tree_->on_answer(a.task, a.request, std::move(**a.answer), shown_));
    const task::Trouble& trouble = a.answer->error();
    Step step = tree_->on_failure(a.task, a.request, trouble, shown_);
    const auto waits = [](const task::Event& event) { return event.kind == task::EventKind::retry; };
    if (trouble.retry_after && std::ranges::any_of(step.events, waits))
      not_before_[a.task] = shown_ + static_cast<std::int64_t>(*trouble.retry_after * 1000);
    perform(std::move(step));
  }
  void happen(Ran& r) {
    if (random_.chance(3)) plan(random_.between(0, 5'000), r);  // some say everything twice
    perform(tree_->on_tool_result(r.task, r.call, r.run, r.result, shown_));
  }
  void happen(Replied& r) {
    if (random_.chance(3)) plan(random_.between(0, 5'000), r);
    perform(tree_->on_reply(r.task, r.question, r.reply, shown_));
  }
  void happen(Spoke&) {
    std::vector<chat::Block> blocks = {chat::text_block("And also this.")};
    if (setting_.nature.calls_in_text && random_.chance(20))
      blocks.front().text += " " + quotation(random_.below(kQuotations));
    if (setting_.images && random_.chance(40)) blocks.push_back(image(random_.next()));
    not_before_.clear();  // who speaks wants to be heard now
    perform(tree_->on_message(std::move(blocks), shown_));
  }
  void happen(Stopped&) {
    if (!tree_->finished()) perform(tree_->on_abort(shown_));
  }
  void happen(Rang&) { perform(tree_->on_time(shown_)); }
  void happen(Ruled&) {
    setting_.conditions.permissions.rules.push_back(some_rule(random_));
    tree_->add_rule(setting_.conditions.permissions.rules.back());
  }

  // The edge: keeps the records, then does what is asked; any of that can be cut short by a crash or a full disk.
  void perform(Step step) {
    const std::uint64_t crashing = setting_.crashing;
    if (show_) print(step);
    fault(promises_.before_keeping(step, setting_.history));
    if (random_.chance(crashing) || random_.chance(crashing / 2)) return crash();  // before anything was kept
    fault(promises_.kept(step, *tree_));
    for (const Record& record : step.records) trace(task::to_json(record.body));
    if (random_.chance(crashing)) return promises_.remember(*tree_), crash();
    for (Action& action : step.actions) {
      if (!outcome_.fault.empty()) return;
      std::visit([&](auto& deed) { act(action.task, deed); }, action.deed);
      if (random_.chance(crashing / 3)) return promises_.remember(*tree_), crash();
    }
  }

  void act(const std::string& task, task::SendRequest& deed) {
    fault(promises_.request(task, deed, shown_, random_.chance(25)));
    if (deed.attempt > 1 && now_ < not_before_[task]) fault("asked again before the server wanted it");
    auto answer = std::make_shared<std::expected<turn::Answer, task::Trouble>>(model_.answer(task, deed, tools_));
    plan(random_.between(1, 3'000), Answered{task, deed.request, std::move(answer)});
  }
  void act(const std::string& task, task::RunTool& deed) {
    fault(promises_.run(task, deed));
    if (show_) std::printf("    effect %s %s\n", deed.tool.c_str(), deed.arguments().c_str());
    tool::Result result = random_.chance(15)
                              ? tool::error_result(random_.chance(50) ? "it failed" : "no such thing")
                              : tool::text_result(random_.chance(30) ? "same"
                                                                     : "seen " + std::to_string(random_.below(1000)) +
                                                                           std::string(random_.below(400), '.'));
    if (setting_.nature.calls_in_text && random_.chance(30))
      result.content.front().text += "\n" + quotation(random_.below(kQuotations));
    if (setting_.images && random_.chance(20)) result.content.push_back(image(random_.next()));
    plan(random_.between(1, 2'000), Ran{task, deed.call, deed.run, std::move(result)});
  }
  void act(const std::string& task, task::AskPerson& deed) {
    if (setting_.silent && !tired_) return plan(random_.between(1, 100'000), Stopped{}, true);
    task::Reply reply;
    const std::uint64_t kind = random_.below(100);
    reply.kind = tired_ || kind < 55 ? task::Reply::Kind::yes
                 : kind < 75         ? task::Reply::Kind::no
                 : kind < 97         ? task::Reply::Kind::words
                                     : task::Reply::Kind::nobody;
    if (tired_ && deed.kind == task::AskPerson::Kind::limit) reply.kind = task::Reply::Kind::no;
    if (reply.kind == task::Reply::Kind::words) reply.text = "rather so";
    if (setting_.images && random_.chance(20)) reply.images.push_back(image(random_.next()));
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
    if (promises_.at_work() > 1) ++outcome_.seen["crash: within"];
    // Nobody can know of what came behind the last record.
    lost_ += std::max<std::int64_t>(now_ - promises_.time(), 0);
    if (promises_.records().empty()) alive_ = lost_ = 0;
    tree_.reset();
    not_before_.clear();  // that was not kept
    std::vector<Planned> kept;
    for (; !queue_.empty(); queue_.pop())
      if (queue_.top().outside) kept.push_back(queue_.top());
    for (Planned& p : kept) queue_.push(std::move(p));
    now_ += random_.between(0, 100'000);
  }

  void restart() {
    shown_ = now_;
    if (promises_.records().empty()) {  // it was gone before it began
      task::Created created;
      created.settings = setting_.settings;
      created.goal = setting_.goal;
      created.history = setting_.history;
      tree_.emplace(task::Tree::create(setting_.conditions, "t", std::move(created)));
    } else {
      auto tree = task::Tree::resume(setting_.conditions, promises_.records());
      if (!tree) return fault("it cannot be resumed: " + tree.error());
      fault(promises_.resumed(*tree));
      tree_.emplace(std::move(*tree));
    }
    perform(tree_->start(now_));
  }

  // The records know how long the task ran, except for what was lost with the process.
  std::string time_is_kept() const {
    const std::int64_t elapsed = promises_.accounts().elapsed("t");
    const std::int64_t slack = kSetBack * static_cast<std::int64_t>(outcome_.crashes + 2);
    const std::int64_t idle = reopened_ ? 1 : 0;  // where the clock stood still meanwhile
    if (elapsed <= alive_ + idle && elapsed + lost_ + slack >= alive_) return {};
    return "it ran for " + std::to_string(alive_) + " ms, of which " + std::to_string(lost_) +
           " were lost, and has counted " + std::to_string(elapsed);
  }

  // Somebody copies the task as it was some time ago, and lets the copy go on.
  void fork() {
    forked_ = true;
    const std::uint64_t all = promises_.number("t");
    if (all == 0) return;
    const std::uint64_t upto = random_.chance(30) ? all : 1 + random_.below(all);
    if (show_) std::printf("== a copy of the first %llu records\n", static_cast<unsigned long long>(upto));
    World copy(*this, forked(promises_.records(), "t", upto, "f"), random_.next());
    const Outcome its = copy.run();
    if (show_) std::printf("== back to the original\n");
    if (!its.fault.empty()) fault("in a copy of " + std::to_string(upto) + " records: " + its.fault);
    trace(std::to_string(its.trace));
    ++outcome_.seen["fork"];
    outcome_.crashes += its.crashes;
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
  tool::Registry tools_ = make_tools();
  Setting setting_;
  Model model_;
  std::optional<task::Tree> tree_;
  std::priority_queue<Planned> queue_;
  std::uint64_t order_ = 0;
  std::int64_t now_ = 1'700'000'000'000, shown_ = now_;
  std::int64_t alive_ = 0, lost_ = 0;  // milliseconds: somebody ran it; and of these, no record tells
  std::map<std::string, std::int64_t> not_before_;
  bool tired_ = false, reopened_ = false, forked_ = false, is_copy_ = false;
  Outcome outcome_;
  Promises promises_;
};

}  // namespace

Outcome simulate(std::uint64_t seed, bool show) { return World(seed, show).run(); }

}  // namespace belay::sim
