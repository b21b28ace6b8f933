#include "serve_remedy.h"

#include <algorithm>
#include <vector>

namespace belay::cli {
namespace {

constexpr std::size_t kCited = 200;  // bytes of a command or path that are said again

std::string in_quotes(std::string_view text) {
  std::string out = "'";
  for (const char c : text) c == '\'' ? out += "'\\''" : out += c;
  return out + "'";
}

bool one_line(std::string_view text) {
  return text.size() <= kCited && std::ranges::all_of(text, [](unsigned char c) { return c >= 0x20 && c != 0x7f; });
}

// The name of a program that needs no quotes.
std::string_view first_word(std::string_view command) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-+/";
  const std::string_view word = command.substr(0, command.find(' '));
  return word.find_first_not_of(kPlain) == word.npos ? word : std::string_view();
}

// Options, each of which was tried.
class Ways {
 public:
  Ways(const policy::Permissions& now, const policy::Plan& plan, std::size_t run) : now_(now), plan_(plan), run_(run) {}

  void rule(const std::string& pattern, const std::string& what) {
    policy::Permissions with = now_;
    const std::string& tool = plan_.tool->spec().name;
    with.rules.push_back({policy::Decision::allow, tool, pattern});
    if (allows(with)) ways_.push_back("--allow " + in_quotes(tool + "(" + pattern + ")") + " " + what);
  }
  void mode(policy::Mode mode, const std::string& what) {
    policy::Permissions with = now_;
    with.mode = mode;
    if (mode != now_.mode && allows(with))
      ways_.push_back("--permission-mode " + std::string(policy::name(mode)) + " " + what);
  }
  [[nodiscard]] const std::vector<std::string>& all() const { return ways_; }

 private:
  [[nodiscard]] bool allows(const policy::Permissions& permissions) const {
    return policy::clear(permissions, plan_, run_).decision == policy::Decision::allow;
  }
  const policy::Permissions& now_;
  const policy::Plan& plan_;
  std::size_t run_;
  std::vector<std::string> ways_;
};

}  // namespace

std::string serve_remedy(const policy::Permissions& now, const policy::Plan& plan, std::size_t run,
                         std::string_view reason) {
  const json::Value arguments = plan.runs[run].arguments.root();
  const auto text = [&](std::string_view key) {
    const auto value = arguments.find(key);
    return value && value->is_string() ? std::string(value->as_string()) : std::string();
  };
  Ways ways(now, plan, run);
  if (plan.tool->spec().effect == tool::Effect::execute) {
    const std::string command = text("command");
    if (one_line(command)) ways.rule(command, "for exactly this command");
    if (const std::string word(first_word(command)); !word.empty() && one_line(word))
      ways.rule(word + ":*", "for " + word + " with any arguments");
  } else {
    ways.mode(policy::Mode::accept_edits, "for the files of the workspace");
    if (const std::string path = text("path"); one_line(path)) ways.rule(path, "for this file");
  }
  ways.mode(policy::Mode::bypass, "for everything that no rule denies");
  if (ways.all().empty()) {
    std::string out = "Nobody can be asked here, and no option of belay mcp serve allows it.";
    if (!plan.doubt.empty()) out += " Arguments that need no guess are not asked about: send them as plain JSON.";
    if (reason.starts_with("the rule ")) out += " It would have to be started without that rule.";
    return out;
  }
  std::string out = "Nobody can be asked here. Whoever starts belay mcp serve can allow it, with ";
  for (std::size_t i = 0; i < ways.all().size(); ++i) (out += i == 0 ? "" : ", or with ") += ways.all()[i];
  return out + ".";
}

}  // namespace belay::cli
