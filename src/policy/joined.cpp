#include "policy/joined.h"

#include <belay/policy/shell.h>

#include "policy/shell_parser.h"

#include <algorithm>

namespace BELAY_NAMESPACE::policy {
namespace {

// The command by itself, as it would be typed; empty for one that would need quotes, or has redirections.
std::string typed(const SimpleCommand& command) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-+/=:,@%";
  std::string out;
  if (!command.redirects.empty()) return out;
  for (const Word& word : command.words) {
    if (!word.literal() || word.text.empty() || word.text.find_first_not_of(kPlain) != word.text.npos) return {};
    (out += out.empty() ? "" : " ") += word.text;
  }
  return out;
}

}  // namespace

std::string blamed_part(const Permissions& permissions, const tool::Spec& spec, const Subject& about,
                        std::string reason) {
  const auto script = parse_shell(about.text, {});
  if (!script || script->commands.size() < 2) return reason;
  std::string allowed, blamed;
  for (const SimpleCommand& command : script->commands) {
    const Subject alone{typed(command), true, about.folder};
    if (alone.text.empty()) return reason;
    const auto rule = std::ranges::find_if(permissions.rules, [&](const Rule& r) {
      return r.decision == Decision::allow && matches(r, spec, alone) == Match::yes;
    });
    if (rule != permissions.rules.end()) {
      if (allowed.empty()) allowed = rule->pattern;
      continue;
    }
    ShellVerdict verdict = judge_command(alone.text, {}, permissions.workspace, about.folder);
    if (verdict.decision >= Decision::ask && blamed.empty()) blamed = std::move(verdict.reason);
  }
  if (allowed.empty()) return reason;
  if (!blamed.empty()) return blamed;
  return "the rule for " + allowed + " is for that command alone, and not for several that are joined";
}

}  // namespace BELAY_NAMESPACE::policy
