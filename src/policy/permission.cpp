#include <belay/policy/permission.h>

#include "policy/joined.h"
#include "policy/rule_match.h"
#include "policy/self_starting.h"
#include "policy/shell_text.h"

#include <algorithm>
#include <array>
#include <utility>

namespace BELAY_NAMESPACE::policy {
namespace {

constexpr std::array<std::string_view, 5> kModes = {"default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"};

std::string_view path_of(json::Value arguments) {
  auto path = arguments.find("path");
  return path && path->is_string() ? path->as_string() : std::string_view();
}

// A path that goes up says little about where it ends.
bool goes_up(std::string_view path) {
  return path == ".." || path.starts_with("../") || path.ends_with("/..") ||
         path.find("/../") != std::string_view::npos;
}

struct Found {
  const Rule* rule = nullptr;
  Match match = Match::no;
};
// The first rule of a decision that is about the call; one that cannot be checked only when no other is.
Found rule_for(const Permissions& permissions, const tool::Spec& spec, const Subject& about, Decision d) {
  Found unknown;
  for (const Rule& rule : permissions.rules) {
    if (rule.decision != d) continue;
    const Match match = matches(rule, spec, about);
    if (match == Match::yes) return {&rule, match};
    if (match == Match::unknown && unknown.rule == nullptr) unknown = {&rule, match};
  }
  return unknown;
}

std::string shown(const Rule& rule) { return rule.tool + (rule.pattern.empty() ? "" : "(" + rule.pattern + ")"); }

// Why a tool is asked about that executes or writes.
std::string asked_because(const tool::Spec& spec) {
  if (const std::size_t end = spec.name.find("__"); end != std::string::npos && end > 0)
    return "it is a tool of the server " + spec.name.substr(0, end) + ", which runs outside of the sandbox";
  return spec.effect == tool::Effect::execute ? "it runs a program" : "it writes a file";
}

// By mode and effect, when no rule says anything.
Permit by_mode(const Permissions& permissions, const tool::Spec& spec, const Subject& about) {
  using tool::Effect;
  const Mode mode = permissions.mode;
  if (spec.effect == Effect::read || spec.effect == Effect::meta) return {Decision::allow, "it changes nothing"};
  if (mode == Mode::bypass) return {Decision::allow, "permissions are bypassed"};
  if (spec.effect == Effect::execute) {
    Permit p{Decision::ask, asked_because(spec)};
    if (spec.name == "execute_command") {
      ShellVerdict v = judge_command(about.text, {}, permissions.workspace, about.folder);
      p = {v.decision, v.reason};
      if (permissions.home && p.decision < Decision::ask)
        return {mode == Mode::plan ? Decision::deny : Decision::ask, std::string(kInHome)};
      if (p.decision == Decision::ask) p.reason = blamed_part(permissions, spec, about, std::move(p.reason));
    }
    if (mode == Mode::plan && p.decision != Decision::deny && p.decision != Decision::sandbox &&
        p.decision != Decision::allow)
      return {Decision::deny, "in plan mode nothing is run that may change something"};
    return p;
  }
  if (mode == Mode::plan) return {Decision::deny, "in plan mode nothing is written"};
  if (mode == Mode::accept_edits) return {Decision::allow, "edits are accepted"};
  return {Decision::ask, asked_because(spec)};
}

}  // namespace

std::string_view name(Mode mode) noexcept { return kModes[static_cast<std::size_t>(mode)]; }

std::optional<Mode> mode_named(std::string_view name) noexcept {
  for (std::size_t i = 0; i < kModes.size(); ++i)
    if (kModes[i] == name) return static_cast<Mode>(i);
  return std::nullopt;
}

std::expected<Rule, std::string> rule_from(Decision decision, std::string_view text) {
  Rule rule;
  rule.decision = decision;
  std::size_t open = text.find('(');
  rule.tool = text.substr(0, open);
  if (rule.tool.empty())
    return std::unexpected("a rule begins with a tool's name: read_file, execute_command(git status)");
  if (open == std::string_view::npos) return rule;
  if (!text.ends_with(')')) return std::unexpected("the rule " + std::string(text) + " lacks its closing parenthesis");
  rule.pattern = text.substr(open + 1, text.size() - open - 2);
  return rule;
}

Permit permit(const Permissions& permissions, const tool::Spec& spec, json::Value arguments) {
  const Subject about = subject_of(spec, arguments, permissions.workspace);
  auto settle = [&](Permit p) {
    if (p.decision == Decision::ask && permissions.mode == Mode::dont_ask)
      return Permit{Decision::deny, p.reason + ", and nobody is asked"};
    return p;
  };
  if (about.text.find('\0') != std::string::npos) return {Decision::deny, "it holds a NUL byte"};
  const Found denied = rule_for(permissions, spec, about, Decision::deny);
  if (denied.match == Match::yes) return {Decision::deny, "the rule " + shown(*denied.rule) + " denies it"};
  if (denied.match == Match::unknown)
    return settle({Decision::ask, "the rule " + shown(*denied.rule) + " may deny it, but the command cannot be read"});
  const Found asked = rule_for(permissions, spec, about, Decision::ask);
  if (asked.match == Match::yes) return settle({Decision::ask, "the rule " + shown(*asked.rule) + " asks"});
  if (asked.match == Match::unknown)
    return settle({Decision::ask, "the rule " + shown(*asked.rule) + " may ask, and the command cannot be read"});
  if (spec.effect == tool::Effect::write && starts_by_itself(about.text) && permissions.mode != Mode::bypass &&
      permissions.mode != Mode::plan)
    return settle({Decision::ask, "programs run what is in this file by themselves"});
  if (spec.effect == tool::Effect::write && goes_up(path_of(arguments)) && permissions.mode != Mode::plan)
    return settle({Decision::ask, "its path goes up"});
  if (spec.effect == tool::Effect::write && permissions.mode != Mode::plan && permissions.mode != Mode::bypass)
    if (const std::string_view hides = hidden_text(about.text); !hides.empty())
      return settle({Decision::ask, "its path is not what it looks like: " + std::string(hides)});
  const Found allowed = rule_for(permissions, spec, about, Decision::allow);
  if (allowed.match == Match::yes && (permissions.mode != Mode::plan || spec.effect == tool::Effect::read))
    return {Decision::allow, "the rule " + shown(*allowed.rule) + " allows it"};
  return settle(by_mode(permissions, spec, about));
}

Clearance clear(const Permissions& permissions, const tool::Spec& spec, const Run& run, std::string_view doubt) {
  Permit p = permit(permissions, spec, run.arguments.root());
  Clearance out{p.decision, std::move(p.reason), p.decision == Decision::sandbox};
  if (out.confined) out.decision = Decision::allow;
  // A rule that allows helps neither against one that asks nor against a doubt about the call itself.
  out.rule_helps = out.decision == Decision::ask && doubt.empty() && !out.reason.starts_with("the rule ");
  if (doubt.empty() || out.decision != Decision::allow) return out;
  out.decision = permissions.mode == Mode::dont_ask ? Decision::deny : Decision::ask;
  out.reason = doubt;
  if (out.decision == Decision::deny) out.reason += ", and nobody is asked";
  return out;
}

Clearance clear(const Permissions& permissions, const Plan& plan, std::size_t run) {
  return clear(permissions, plan.tool->spec(), plan.runs[run], plan.doubt);
}

}  // namespace BELAY_NAMESPACE::policy
