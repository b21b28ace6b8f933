#include <belay/policy/gate.h>

#include "policy/feedback.h"

#include <belay/json/builder.h>
#include <belay/json/writer.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace BELAY_NAMESPACE::policy {
namespace {

using tool::Effect;
using H = Handling;

// The table. Columns in the order of Effect: read, meta, write, execute; rows in that of json::Word.
constexpr Handling kTable[6][4] = {
    //               read          meta          write         execute
    /* valid     */ {H::run, H::run, H::run, H::run},
    /* mended    */ {H::run, H::run, H::run, H::run},
    /* split     */ {H::run_each, H::run_first, H::run_first, H::run_first},
    /* guessed   */ {H::run_say, H::run_say, H::refuse, H::refuse},
    /* truncated */ {H::refuse, H::refuse, H::refuse, H::refuse},
    /* broken    */ {H::refuse, H::refuse, H::refuse, H::refuse},
};

bool has_effect(Effect effect) { return effect == Effect::write || effect == Effect::execute; }

Run run_of(json::Value value) {
  Run run;
  json::Builder b(Limits{.depth = kUnlimited});
  b.copy(value);
  run.arguments = b.take();
  run.text = json::to_string(run.arguments.root());
  return run;
}

// {"paths": [a, b]} of {"paths": a} and {"paths": b}, when all the rest of the objects is the same.
std::optional<json::Document> merged(json::Items values, std::string_view list) {
  json::Builder b(Limits{.depth = kUnlimited});
  json::Value first = *values.begin();
  for (json::Value v : values)
    for (json::Member m : v.members())
      if (m.key != list) {
        auto same = first.find(m.key);
        if (!same || !(*same == m.value) || v.size() != first.size()) return std::nullopt;
      }
  b.open_object();
  for (json::Member m : first.members())
    if (m.key != list) {
      b.key(m.key);
      b.copy(m.value);
    }
  b.key(list);
  b.open_array();
  for (json::Value v : values) {
    auto item = v.find(list);
    if (!item) return std::nullopt;
    if (item->is_array())
      for (json::Value x : item->items()) b.copy(x);
    else
      b.copy(*item);
  }
  b.close();
  b.close();
  return b.take();
}

// True when one of the texts holds the call's arguments as the model wrote them. memmem takes linear time.
bool quoted(const turn::Call& call, const std::vector<std::string_view>& given) {
  constexpr std::size_t kNothing = 2;  // {} stands in every other text
  if (!call.from_text || call.raw.size() <= kNothing) return false;
  return std::ranges::any_of(given, [&](std::string_view text) {
    return memmem(text.data(), text.size(), call.raw.data(), call.raw.size()) != nullptr;
  });
}

std::string without_space(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text)
    if (c != ' ' && c != '\t' && c != '\n' && c != '\r') out += c;
  return out;
}

// True when one of the texts holds these arguments as JSON, however it is spaced and whatever stands around them.
bool arguments_given(json::Value arguments, const std::vector<std::string_view>& given) {
  constexpr std::size_t kNothing = 2;
  const std::string wanted = without_space(json::to_string(arguments));
  if (wanted.size() <= kNothing) return false;
  return std::ranges::any_of(
      given, [&](std::string_view text) { return without_space(text).find(wanted) != std::string::npos; });
}

}  // namespace

std::string_view name(Handling handling) noexcept {
  constexpr std::string_view names[] = {"run", "run_say", "run_each", "run_first", "refuse", "ask", "text"};
  return names[static_cast<std::size_t>(handling)];
}

Handling handling(json::Word verdict, Effect effect) noexcept {
  return kTable[static_cast<std::size_t>(verdict)][static_cast<std::size_t>(effect)];
}

Plan Gate::refuse(Plan plan, std::string feedback) {
  plan.handling = Handling::refuse;
  plan.feedback = std::move(feedback);
  plan.runs.clear();
  if (last_ && has_effect(*last_)) held_by_ = last_name_;
  return plan;
}

void Gate::went(bool well) {
  if (!well && last_ && has_effect(*last_) && held_by_.empty()) held_by_ = last_name_;
}

Plan Gate::plan(const turn::Call& call) {
  Plan plan;
  if (settings_.native && quoted(call, settings_.given)) {
    plan.handling = Handling::text;
    last_.reset();
    return plan;
  }
  plan.tool = tools_.find(call.tool.empty() ? call.name : call.tool);
  last_name_ = call.name.empty() ? "a call without a name" : call.name;
  // A name that nobody knows could have meant anything.
  last_ = plan.tool ? plan.tool->spec().effect : Effect::execute;
  if (call.name.empty()) return refuse(std::move(plan), feedback::no_name());
  if (!plan.tool) return refuse(std::move(plan), feedback::unknown_tool(call.name, tools_.near(call.name), tools_));
  const tool::Spec& spec = plan.tool->spec();
  const json::Word word = call.verdict.word();
  if (word == json::Word::truncated) return refuse(std::move(plan), feedback::truncated(call));
  if (word == json::Word::broken) return refuse(std::move(plan), feedback::broken(call));
  if (call.error && call.error->kind == "schema")
    return refuse(std::move(plan), feedback::against_schema(call.name, call.error->message));
  // What is sound by itself but not trusted came in a turn that did not end as it should.
  const bool sound = word != json::Word::guessed;
  if ((sound && !call.trusted) || !call.properly_ended) return refuse(std::move(plan), feedback::not_ended(call.name));

  plan.handling = handling(word, spec.effect);
  plan.receipt = feedback::receipt(call);
  if (plan.handling == Handling::refuse && word == json::Word::guessed && settings_.ask_for_guesses) {
    plan.handling = Handling::ask;
    plan.doubt = "it was read by guessing";
  }
  if (plan.handling == Handling::refuse) return refuse(std::move(plan), feedback::guessed(call));
  if (has_effect(spec.effect) && !held_by_.empty()) return refuse(std::move(plan), feedback::held(call.name, held_by_));

  auto value = call.arguments();
  if (!value) return refuse(std::move(plan), feedback::broken(call));
  // Where calls are text, what the model quotes looks like what it calls: {"command": "x"} of a file that it read.
  if (call.from_text && has_effect(spec.effect) && plan.doubt.empty()) {
    if (settings_.native)
      plan.doubt = "the model wrote it into its text instead of calling the tool";
    else if (quoted(call, settings_.given) || arguments_given(*value, settings_.given))
      plan.doubt = "it stands word for word in what the model was given, and may be quoted";
  }
  if (word == json::Word::split) {
    json::Items values = call.values();
    if (plan.handling == Handling::run_each && !spec.list_parameter.empty())
      if (auto one = merged(values, spec.list_parameter); one && plan.tool->parameters().valid(one->root())) {
        plan.runs.push_back(run_of(one->root()));
        plan.handling = Handling::run;
        return plan;
      }
    std::vector<std::string> rest;
    for (json::Value v : values) {
      if (plan.handling == Handling::run_first && !plan.runs.empty())
        rest.push_back(json::to_string(v));
      else
        plan.runs.push_back(run_of(v));
    }
    if (plan.handling == Handling::run_first) {
      plan.not_run = feedback::first_only(call.name, rest);
      // It ran only in part, whatever becomes of the first.
      if (has_effect(spec.effect)) held_by_ = call.name;
    }
    return plan;
  }
  plan.runs.push_back(run_of(*value));
  if (call.verdict.count > 1) {
    // A guess about several objects is one about the first.
    std::vector<std::string> rest;
    for (json::Value v : call.values()) rest.push_back(json::to_string(v));
    rest.erase(rest.begin());
    plan.not_run = feedback::first_only(call.name, rest);
    if (has_effect(spec.effect)) held_by_ = call.name;
  }
  return plan;
}

Approval approval_of(const turn::Call& call, const Plan& plan, std::size_t run) {
  return {call.id, plan.tool ? plan.tool->spec().name : call.name, plan.runs[run].text};
}

}  // namespace BELAY_NAMESPACE::policy
