#include <belay/policy/permission.h>

#include <algorithm>
#include <array>
#include <utility>

namespace belay::policy {
namespace {

constexpr std::array<std::string_view, 5> kModes = {"default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"};

// What runs by itself when it is there: a person sees every change of it.
constexpr std::string_view kSensitive[] = {
    ".mcp.json",   ".vscode",        ".idea",  ".devcontainer",           ".envrc",  ".github", ".husky",
    ".gitmodules", ".gitattributes", ".npmrc", ".pre-commit-config.yaml", ".cursor", ".claude", ".codex"};

std::string lower(std::string_view s) {
  std::string out(s);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
  return out;
}

bool sensitive(std::string_view path) {
  std::string all = lower(path);
  std::string_view rest = all;
  while (!rest.empty()) {
    std::size_t end = std::min(rest.find('/'), rest.size());
    std::string_view part = rest.substr(0, end);
    if (std::ranges::find(kSensitive, part) != std::end(kSensitive)) return true;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return false;
}

// A path that goes up says little about where it ends.
bool goes_up(std::string_view path) {
  return path == ".." || path.starts_with("../") || path.ends_with("/..") ||
         path.find("/../") != std::string_view::npos;
}

// What a call is about, as rules see it.
std::string subject(json::Value arguments) {
  for (std::string_view key : {"command", "path", "url"})
    if (auto v = arguments.find(key); v && v->is_string()) return std::string(v->as_string());
  return {};
}

// * stands for anything but /, ** for anything. Linear: the last star is the only one that is gone back to.
bool glob(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0, star = std::string_view::npos, mark = 0;
  bool deep = false;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      deep = pattern.substr(p).starts_with("**");
      star = p + (deep ? 2 : 1);
      p = star;
      mark = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos && (deep || text[mark] != '/')) {
      p = star;
      t = ++mark;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

bool plain_words(std::string_view text) {
  return text.find_first_of(";&|<>`$(){}[]*?!#~\\\"'\n\r\t") == std::string_view::npos;
}

bool matches(const Rule& rule, const tool::Spec& spec, std::string_view about) {
  if (rule.tool != "*" && rule.tool != spec.name) return false;
  if (rule.pattern.empty()) return true;
  std::string_view pattern = rule.pattern;
  const bool command = spec.effect == tool::Effect::execute;
  if (command && pattern.ends_with(":*")) {
    // Words behind a known beginning: only if they are nothing but words.
    pattern.remove_suffix(2);
    const bool begins = about == pattern ||
                        (about.starts_with(pattern) && about.size() > pattern.size() && about[pattern.size()] == ' ');
    return begins && (rule.decision != Decision::allow || plain_words(about));
  }
  if (!glob(pattern, about)) return false;
  return !(command && rule.decision == Decision::allow && pattern.find('*') != std::string_view::npos) ||
         plain_words(about);
}

const Rule* rule_for(const Permissions& permissions, const tool::Spec& spec, std::string_view about, Decision d) {
  for (const Rule& rule : permissions.rules)
    if (rule.decision == d && matches(rule, spec, about)) return &rule;
  return nullptr;
}

std::string shown(const Rule& rule) { return rule.tool + (rule.pattern.empty() ? "" : "(" + rule.pattern + ")"); }

// By mode and effect, when no rule says anything.
Permit by_mode(Mode mode, const tool::Spec& spec, std::string_view about) {
  using tool::Effect;
  if (spec.effect == Effect::read || spec.effect == Effect::meta) return {Decision::allow, "it changes nothing"};
  if (mode == Mode::bypass) return {Decision::allow, "permissions are bypassed"};
  if (spec.effect == Effect::execute) {
    Permit p{Decision::ask, "it runs a program"};
    if (spec.name == "execute_command") {
      ShellVerdict v = judge_command(about);
      p = {v.decision, v.reason};
    }
    if (mode == Mode::plan && p.decision != Decision::deny && p.decision != Decision::sandbox &&
        p.decision != Decision::allow)
      return {Decision::deny, "in plan mode nothing is run that may change something"};
    return p;
  }
  if (mode == Mode::plan) return {Decision::deny, "in plan mode nothing is written"};
  if (mode == Mode::accept_edits) return {Decision::allow, "edits are accepted"};
  return {Decision::ask, "it writes a file"};
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
  const std::string about = subject(arguments);
  auto settle = [&](Permit p) {
    if (p.decision == Decision::ask && permissions.mode == Mode::dont_ask)
      return Permit{Decision::deny, p.reason + ", and nobody is asked"};
    return p;
  };
  if (about.find('\0') != std::string::npos) return {Decision::deny, "it holds a NUL byte"};
  if (const Rule* rule = rule_for(permissions, spec, about, Decision::deny))
    return {Decision::deny, "the rule " + shown(*rule) + " denies it"};
  if (const Rule* rule = rule_for(permissions, spec, about, Decision::ask))
    return settle({Decision::ask, "the rule " + shown(*rule) + " asks"});
  if (spec.effect == tool::Effect::write && sensitive(about) && permissions.mode != Mode::bypass &&
      permissions.mode != Mode::plan)
    return settle({Decision::ask, "programs run what is in this file by themselves"});
  if (spec.effect == tool::Effect::write && goes_up(about) && permissions.mode != Mode::plan)
    return settle({Decision::ask, "its path goes up"});
  if (const Rule* rule = rule_for(permissions, spec, about, Decision::allow))
    if (permissions.mode != Mode::plan || spec.effect == tool::Effect::read)
      return {Decision::allow, "the rule " + shown(*rule) + " allows it"};
  return settle(by_mode(permissions.mode, spec, about));
}

}  // namespace belay::policy
