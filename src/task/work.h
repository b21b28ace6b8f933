// What one fact sets going: records are kept and applied, actions and events are collected.
#pragma once

#include "task/conversation.h"

#include <belay/task/tree.h>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace BELAY_NAMESPACE::task {

/// What is under way in this process. A resume begins without any of it.
struct Underway {
  std::uint64_t request = 0;                          ///< that was sent and not answered; 0 for none
  bool summary = false;                               ///< it asks for a summary
  std::uint64_t summary_end = 0, summary_tokens = 0;  ///< where it ends; about how long the request for it is
  std::optional<std::uint64_t> summary_owed;  ///< with as many turns kept: without it the provider takes nothing
  std::uint64_t attempt = 1;
  std::optional<std::int64_t> retry_at;
  std::uint64_t too_long = 0;    ///< how often the provider said so since its last answer
  std::uint64_t no_summary = 0;  ///< tokens that a summary was to stand for when it did not work out
  bool said_full = false;        ///< the person was told that nothing more can be folded
  /// The estimate for a history of this size, with as many folds; only what is new is looked at.
  struct {
    std::uint64_t tokens = 0, size = 0, folds = 0;
  } estimated;
  std::map<std::string, std::int64_t, std::less<>> runs;  ///< calls with a run under way, and since when
  std::set<std::string, std::less<>> questions;           ///< that are open
};

struct Member {
  Conversation c;
  Underway u;
};

struct Tree::State {
  Conditions conditions;
  std::string root;
  std::map<std::string, Member, std::less<>> tasks;
  std::uint64_t requests = 0;
  std::optional<std::int64_t> waiting;  ///< the last Wait that was given out
  bool resumed = false;
  Created begin;  ///< of a task that has not started
};

class Work {
 public:
  Work(Tree::State& state, std::int64_t now) : s_(state), now_(now) {}

  /// Keeps a record: it is applied at once, and durable before anything that follows from it is done.
  void keep(Member& m, Body body);
  void tell(const Member& m, Event event);
  void act(const Member& m, Deed deed);

  /// Does what can be done for all tasks until everything waits for a fact.
  void advance();
  Step take();

  void begin(std::string id, Created created);
  void resume();
  void answer(Member& m, turn::Answer answer);
  void failure(Member& m, Trouble trouble);
  void tool_result(Member& m, std::string_view call, std::uint64_t run, tool::Result result);
  void reply(Member& m, std::string_view question, Reply reply);
  void message(std::vector<chat::Block> blocks);
  void time();
  void abort();

 private:
  enum class Then : std::uint8_t { waits, changed };
  bool is_within(const Member& m, const Member& ancestor) const;
  Then go_on(Member& m);
  // calls.cpp
  Then act_on_calls(Member& m);
  Then act_on(Member& m, std::size_t i);
  Then act_on_child(Member& m, const OpenCall& call);
  Then start_run(Member& m, OpenCall& call, std::shared_ptr<const policy::Run> run);
  std::optional<Then> ask_first(Member& m, OpenCall& call, const policy::Clearance& clearance, const policy::Run& run);
  void find(Member& m, const OpenCall& call, Finding::Why why, tool::Result result, bool last);
  void refuse(Member& m, const OpenCall& call, Finding::Why why, std::string words);
  void settle(Member& m, const OpenCall& call, Finding::Why why);
  [[nodiscard]] bool is_again(const Member& m, const Unsettled& u, const PlannedCall& plan) const;
  /// The model whose damage it is, by the name that the person chose.
  [[nodiscard]] std::string asked_model(const Member& m) const {
    return s_.conditions.model.empty() ? m.c.settings.model : s_.conditions.model;
  }
  // meta.cpp
  Then act_on_meta(Member& m, OpenCall& call, json::Value arguments);
  Then complete(Member& m, OpenCall& call, json::Value arguments);
  Then start_child(Member& m, OpenCall& call, json::Value arguments);
  void reply_to_completion(Member& m, OpenCall& call, Reply reply);
  void ask(Member& m, AskPerson question);
  void also_said(Member& m, std::string text, std::vector<chat::Block> images);
  // requests.cpp
  Then ask_model(Member& m);
  bool fold(Member& m, std::uint64_t keep_turns, double aim, double at_least = 0);
  bool send_summary(Member& m, std::uint64_t keep_turns);
  bool make_room(Member& m);
  void send(Member& m);
  std::uint64_t estimate(Member& m) const;
  chat::Request request_of(const Member& m) const;
  void cancel_request(Member& m);
  // answers.cpp
  void without_calls(Member& m, bool nothing);
  void take_summary(Member& m, const turn::Answer& answer);
  void raise_output(Member& m);
  void lower_output(Member& m);
  [[nodiscard]] bool may_be_output_limit(const Member& m, std::string_view kind) const;
  double cost_of(const Member& m, const chat::Usage& usage, const chat::Usage& estimated) const;
  void tell_usage(const Member& m, const chat::Usage& usage, const chat::Usage& estimated, double cost);
  // endings.cpp
  struct Trip {
    EndReason reason;
    std::string words;
    std::string id;
  };
  struct Used {
    std::uint64_t tokens = 0, estimated = 0;
    double cost = 0;
  };
  Used used() const;
  std::optional<Trip> over(const Member& m) const;
  Then trip(Member& m, const Trip& trip);
  void go_beyond(Member& m, EndReason reason);
  void end(Member& m, EndReason reason, std::string result, std::string detail);
  void stop_calls(Member& m, Finding::Why begun);
  void return_to_parent(Member& m);
  void reset_wait();

  Tree::State& s_;
  std::int64_t now_;
  Step step_;
};

}  // namespace BELAY_NAMESPACE::task
