#include <belay/policy/shell.h>

#include "braces.h"
#include "commands.h"
#include "paths.h"
#include "shell_parser.h"
#include "shell_text.h"
#include "words.h"

#include <algorithm>
#include <cctype>

namespace BELAY_NAMESPACE::policy {
namespace {

constexpr std::string_view kPlain = "only reads the workspace";

ShellVerdict ask(std::string reason) { return {Decision::ask, std::move(reason)}; }
ShellVerdict allow() { return {Decision::allow, std::string(kPlain)}; }
ShellVerdict boxed(std::string reason) { return {Decision::sandbox, std::move(reason)}; }

/// The worse of two; the first of equals.
void worsen(ShellVerdict& verdict, ShellVerdict other) {
  if (other.decision > verdict.decision) verdict = std::move(other);
}

class Judge {
 public:
  explicit Judge(std::string_view workspace) : workspace_(workspace == "/" ? std::string_view() : workspace) {
    while (workspace_.ends_with('/')) workspace_.remove_suffix(1);
  }

  ShellVerdict script(const Script& script, std::string_view folder) {
    ShellVerdict verdict = start(folder);
    for (const SimpleCommand& command : script.commands) worsen(verdict, simple(command));
    for (const Redirect& target : script.redirects) worsen(verdict, redirect(target));
    return verdict;
  }

 private:
  // A name that says nothing in the workspace can be a key's in another folder: config in .git.
  ShellVerdict start(std::string_view folder) {
    while (folder.size() > 1 && folder.ends_with('/')) folder.remove_suffix(1);
    if (folder.empty() || folder == "." || (!workspace_.empty() && folder == workspace_)) return allow();
    if (!hidden_text(folder).empty()) return ask("the folder that it starts in cannot be shown as it is");
    Word word;
    word.text = folder;
    const PathVerdict place = judge_path(word, workspace_);
    if (place.is != PathVerdict::Is::inside)
      return ask("it starts in " + spoken(folder) +
                 (place.reason.empty() ? ", outside of the workspace" : ": " + std::string(place.reason)));
    moved_ = true;
    return boxed("it starts in a folder that may be a link");
  }

  ShellVerdict path(const Word& word, bool names_only = false, Reader reader = Reader::shell) const {
    const PathVerdict verdict = judge_path(word, workspace_, reader);
    if (verdict.is == PathVerdict::Is::refused) return ask(std::string(verdict.reason));
    if (verdict.is == PathVerdict::Is::system) return boxed("it reads the system's own files");
    if (verdict.finds_any && !names_only) return boxed("a pattern so wide can find a file of keys");
    return allow();
  }

  ShellVerdict redirect(const Redirect& redirect) const {
    const std::string_view target = redirect.target.text;
    const bool usual = redirect.fd <= 2 && redirect.target.literal();
    switch (redirect.kind) {
      case Redirection::here_text: return redirect.fd <= 0 && usual ? allow() : ask("it opens a further descriptor");
      case Redirection::input:
        if (redirect.fd > 0 || !usual) return ask("what it reads is not known before it runs");
        return path(redirect.target);
      case Redirection::output:
      case Redirection::both:
        if (usual && target == "/dev/null" && redirect.fd != 0) return allow();
        return ask("a redirection writes a file");
      case Redirection::copy_out:
        if (usual && redirect.fd != 0 && (target == "1" || target == "2")) return allow();
        return ask("a redirection writes a file, or uses a further descriptor");
      default: return ask("a redirection writes a file, or uses a further descriptor");
    }
  }

  ShellVerdict simple(const SimpleCommand& command) {
    ShellVerdict verdict = allow();
    for (const Redirect& target : command.redirects) worsen(verdict, redirect(target));
    bool braces = false;
    for (const Word& word : command.words) {
      if (word.tilde) return ask("~ is a home directory, outside of the workspace");
      braces = braces || word.brace;
    }
    if (command.words.empty()) worsen(verdict, ask("a redirection without a command"));
    if (verdict.decision == Decision::ask) return verdict;
    worsen(verdict, braces ? expanded(command) : named(command));
    return verdict;
  }

  // bash runs it with the words that lists in braces stand for, a POSIX shell with the braces as they are.
  ShellVerdict expanded(const SimpleCommand& command) {
    auto words = expand_braces(command.words);
    if (!words || command.words[0].brace) return ask("braces expand to words that the text does not show");
    SimpleCommand in_bash = command;
    in_bash.words = std::move(*words);
    SimpleCommand in_sh = command;
    for (Word& word : in_sh.words) word.brace = false;
    ShellVerdict verdict = named(in_bash);
    worsen(verdict, named(in_sh));
    return verdict;
  }

  ShellVerdict named(const SimpleCommand& command) {
    const Word& first = command.words[0];
    if (is_assignment(first.text)) return ask("an assignment can change how commands behave");
    if (!first.literal()) return ask("which command runs is not known before it runs");
    std::string_view name = first.text;
    for (std::string_view folder : {"/usr/bin/", "/bin/"})
      if (name.starts_with(folder)) {
        name.remove_prefix(folder.size());
        break;
      }
    if (name.contains('/')) return ask("the program " + spoken(name) + " is not one of the system's");
    const auto words = std::span(command.words).subspan(1);
    if (name == "cd") return change_directory(words);
    if (name == "git") return git(command, words);
    if (words.size() == 1 && words[0].literal() && prints_version(name, words[0].text))
      return boxed("it only prints a version");
    if (const Command* known = find_command(name)) return table(*known, command, words);
    if (const std::string_view danger = known_danger(name); !danger.empty())
      return ask(std::string(name) + " " + std::string(danger));
    return ask("the command " + spoken(name) + " is not one that is known");
  }

  ShellVerdict change_directory(std::span<const Word> words) {
    if (words.size() == 2 && words[0].text == "--") words = words.subspan(1);
    if (words.size() != 1 || !words[0].literal() || words[0].text.starts_with('-') || words[0].text.empty())
      return ask("cd goes to a place that is not known before it runs");
    if (stays(words[0])) return allow();
    const PathVerdict place = judge_path(words[0], workspace_);
    if (place.is != PathVerdict::Is::inside) return ask("cd leaves the workspace");
    moved_ = true;
    return boxed("cd may follow a link out of the workspace");
  }

  ShellVerdict git(const SimpleCommand& command, std::span<const Word> words) {
    if (words.size() == 1 && words[0].text == "--version") return boxed("it only prints a version");
    while (!words.empty()) {
      const std::string_view option = words[0].text;
      if (option == "--no-pager" || option == "-P" || option == "--no-optional-locks" ||
          option == "--literal-pathspecs")
        words = words.subspan(1);
      else if (option == "-C" && words.size() > 1 && stays(words[1]))
        words = words.subspan(2);
      else
        break;
    }
    if (words.empty()) return ask("git without a command");
    const std::string_view verb = words[0].text;
    if (!words[0].literal()) return ask("which command of git runs is not known before it runs");
    if (verb.starts_with('-'))
      return ask("the option " + spoken(verb.substr(0, verb.find('='))) + " of git can change what it runs");
    if (moved_) return ask("git in another folder follows the configuration that lies there");
    const Command* known = find_git_verb(verb);
    if (known == nullptr) return ask("git " + spoken(verb) + " may change something or reach the network");
    ShellVerdict verdict =
        boxed("git " + std::string(verb) + " can run programs that the repository's configuration names");
    worsen(verdict, table(*known, command, words.subspan(1)));
    return verdict;
  }

  // The folder that the command is in already.
  [[nodiscard]] bool stays(const Word& folder) const {
    return folder.literal() &&
           (folder.text == "." || folder.text == "./" || (!workspace_.empty() && folder.text == workspace_ && !moved_));
  }

  ShellVerdict table(const Command& known, const SimpleCommand& command, std::span<const Word> words) {
    const auto given = match_options(known, words);
    if (!given) return ask(given.error());
    const std::string name(known.name);
    if (given->operands.size() < known.least) return ask(name + " needs more than is given");
    if (given->operands.size() > known.most) return ask(name + " may write to its last operand");
    ShellVerdict verdict = allow();
    if (known.best != Decision::allow)
      verdict =
          boxed(name + (known.operands == Operands::pattern_then_paths ? " runs a program in a language of its own"
                                                                       : " can be misled by the file that it reads"));
    if (known.rule != nullptr)
      if (std::string reason = known.rule({known.name, words, *given, workspace_}); !reason.empty())
        return ask(std::move(reason));
    for (const Given::Option& option : given->options)
      if (lists(known.boxed, option.name))
        worsen(verdict, boxed(name + " -" + std::string(option.name) + " follows links"));
    for (std::string_view value : given->paths) {
      Word word;
      word.text = value;
      worsen(verdict, path(word));
    }
    worsen(verdict, operands(known, *given, command.input));
    return verdict;
  }

  static bool lists(std::string_view names, std::string_view name) {
    return (" " + std::string(names) + " ").contains(" " + std::string(name) + " ");
  }

  ShellVerdict operands(const Command& known, const Given& given, bool has_input) const {
    ShellVerdict verdict = allow();
    const std::string name(known.name);
    const bool patterned = known.operands == Operands::pattern_then_paths && !gives_pattern(given);
    const std::size_t first_path = patterned ? 1 : 0;
    for (std::size_t i = 0; i < given.operands.size(); ++i) {
      const Word& word = *given.operands[i];
      const bool is_path =
          known.operands == Operands::paths || (known.operands == Operands::pattern_then_paths && i >= first_path);
      if (known.operands == Operands::none) return ask(name + " with an operand may do more than show");
      if (word.glob()) worsen(verdict, glob(known, word, is_path, i >= given.guarded_from));
      if (!is_path && !word.glob()) continue;
      if (is_path && word.text == "-" && !has_input) worsen(verdict, ask(name + " waits for input"));
      worsen(verdict, path(word, !is_path || known.names_only, name.starts_with("git ") ? Reader::git : Reader::shell));
    }
    const bool takes_paths = known.operands != Operands::texts;
    if (takes_paths && given.operands.size() > first_path) return verdict;
    if (waits(known, given) && !has_input) worsen(verdict, ask(name + " waits for input"));
    return verdict;
  }

  // A pattern that says which names it finds may still find one that begins with a dash.
  static ShellVerdict glob(const Command& known, const Word& word, bool is_path, bool guarded) {
    const std::string name(known.name);
    if (!is_path && known.globs == Globs::harmless) return allow();
    if (!is_path || known.globs == Globs::never)
      return ask("a pattern without quotes can expand to several operands of " + name);
    if (guarded || word.glob_at > 0 || known.globs == Globs::harmless) return allow();
    if (known.globs == Globs::reading)
      return boxed("a file whose name begins with a dash would be an option of " + name);
    return ask("a file whose name begins with a dash would be an option of " + name + ": write ./" + spoken(word.text));
  }

  static bool gives_pattern(const Given& given) {
    return std::ranges::any_of(given.options, [](const Given::Option& option) {
      for (std::string_view name : {"e", "f", "regexp", "file", "expression", "files", "type-list"})
        if (option.name == name) return true;
      return false;
    });
  }

  // Without a file to read.
  static bool waits(const Command& known, const Given& given) {
    return known.reads_input && std::ranges::none_of(given.options, [&](const Given::Option& option) {
             return lists(known.inputless, option.name) || option.name == "help" || option.name == "version";
           });
  }

  std::string_view workspace_;
  bool moved_ = false;
};

}  // namespace

std::string_view name(Decision decision) noexcept {
  switch (decision) {
    case Decision::allow: return "allow";
    case Decision::sandbox: return "sandbox";
    case Decision::ask: return "ask";
    case Decision::deny: return "deny";
  }
  return "ask";
}

ShellVerdict judge_command(std::string_view command, const ShellLimits& limits, std::string_view workspace,
                           std::string_view folder) {
  if (command.contains('\0') || folder.contains('\0'))
    return {Decision::deny, "it has a NUL byte, which shells and people read differently"};
  if (command.size() > limits.bytes) return ask("over the limit bytes (" + std::to_string(limits.bytes) + ")");
  if (const std::string_view hidden = hidden_text(command); !hidden.empty()) return ask(std::string(hidden));
  const auto script = parse_shell(command, limits);
  if (!script) return ask(script.error().reason);
  return Judge(workspace).script(*script, folder);
}

}  // namespace BELAY_NAMESPACE::policy
