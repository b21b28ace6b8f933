#include "completion.h"

#include <belay/builtin.h>
#include <belay/config.h>
#include <belay/text.h>

#include "command_line.h"
#include "help_mcp.h"
#include "manual.h"
#include "terminal.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace belay::cli {
namespace {

using std::operator""sv;
using Offers = Values::Kind;

Values offer(std::vector<std::string> list) { return {list.empty() ? Offers::none : Offers::words, std::move(list)}; }

Values words_of_setting(std::string_view key) {
  Values out{Offers::words, {}};
  for (std::string_view word : config::words_of(key)) out.words.emplace_back(word);
  return out;
}

// A place in a manual by its name.
Values values_of(std::string_view place) {
  if (place == "FILE" || place == "SCHEMA" || place == "CASSETTE") return {Offers::files, {}};
  if (place == "DIR") return {Offers::folders, {}};
  if (place == "ID") return {Offers::tasks, {}};
  return {};
}

Values formats(bool parse) {
  Values out{Offers::words, {}};
  out.words = parse ? std::vector<std::string>{"auto", "none"} : std::vector<std::string>{"native"};
  for (std::string_view name : text::formats()) out.words.emplace_back(name);
  return out;
}

// What stands behind an option: words that the manual lists, those of a setting, or what its place is called.
Values values_of(std::string_view command, const ManualOption& option) {
  if (option.value.find('|') != std::string::npos) {
    Values out{Offers::words, {}};
    for (std::string_view rest = option.value; !rest.empty();) {
      const std::size_t end = std::min(rest.find('|'), rest.size());
      out.words.emplace_back(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return out;
  }
  const std::string_view name = option.names.back();
  if (name == "--format") return formats(command == "parse");
  struct OfSetting {
    std::string_view option, key;
  };
  constexpr std::array kSettings{
      OfSetting{"--wire", "wire"},           OfSetting{"--effort", "effort"},
      OfSetting{"--sandbox", "sandbox"},     OfSetting{"--permission-mode", "permissions.mode"},
      OfSetting{"--log-level", "log_level"}, OfSetting{"--color", "colour"}};
  for (const OfSetting& setting : kSettings)
    if (setting.option == name) {
      Values out = words_of_setting(setting.key);
      if (command == "parse" && name == "--wire") out.words.emplace_back("text");
      return out;
    }
  return values_of(option.value);
}

CompletedCommand completed(const Manual& manual, std::span<const Manual> all) {
  CompletedCommand out{std::string(manual.name), summary_in(manual.text), {}, {}, {}, {}, {}, {}};
  std::vector<ManualOption> options = options_in(manual.text);
  // Its manual says that it has all options of the other.
  if (manual.name == "replay")
    for (const Manual& other : all)
      if (other.name == "run")
        for (ManualOption& option : options_in(other.text))
          if (option.names.back() != "--help") options.push_back(std::move(option));
  for (const ManualOption& option : options)
    out.options.push_back({option.names, !option.value.empty(), values_of(manual.name, option), option.what});
  if (out.options.empty()) out.options.push_back({{"-h", "--help"}, false, {}, "This text"});
  const ManualWords found = words_in(manual.text);
  Values place;
  for (const std::string& name : found.places)
    if (place.kind == Offers::none) place = values_of(name);
  out.first = out.rest = place;
  if (!found.verbs.empty()) out.first = offer(found.verbs);
  if (manual.name == "tool" || manual.name == "tools") {
    std::vector<std::string> names;
    for (const tool::Spec& spec : builtin::specs()) names.push_back(spec.name);
    out.first = offer(std::move(names));
    out.rest = {};
  }
  if (manual.name == "mcp") {
    out.rest = {Offers::servers, {}};
    for (const char* verb : {"tools", "call", "remove", "approve", "resources", "read", "prompts", "prompt"})
      out.verbs.emplace_back(verb);
    // One of its verbs has a manual of its own.
    out.other_verb = "serve";
    for (const ManualOption& option : options_in(kMcpServeHelp))
      out.other_options.push_back({option.names, !option.value.empty(), values_of(manual.name, option), option.what});
  }
  return out;
}

}  // namespace

std::vector<CompletedCommand> completed(std::span<const Manual> manuals) {
  std::vector<CompletedCommand> out;
  std::vector<std::string> names;
  for (const Manual& manual : manuals) {
    out.push_back(completed(manual, manuals));
    names.emplace_back(manual.name);
  }
  out.push_back({"help", "the manual of a command", {}, offer(std::move(names)), {}, {}, {}, {}});
  return out;
}

std::string shell_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text)
    if (c == '\'')
      out += "'\\''";
    else
      out += c;
  return out + "'";
}

std::string spaced(std::span<const std::string> list) {
  std::string out;
  for (const std::string& word : list) (out += out.empty() ? "" : " ") += word;
  return out;
}

std::expected<CompletionOptions, std::string> parse_completion_options(std::span<const std::string> arguments) {
  const auto line = read_command_line(arguments, {});
  if (!line) return std::unexpected(line.error());
  CompletionOptions out{line->help, ""};
  if (out.help) return out;
  if (line->words.empty()) return std::unexpected("a shell is needed: bash, zsh or fish");
  if (line->words.size() > 1) return std::unexpected("one shell at a time");
  out.shell = line->words.front();
  constexpr std::array kShells{"bash"sv, "zsh"sv, "fish"sv};
  if (std::ranges::find(kShells, out.shell) == kShells.end())
    return std::unexpected("expected bash, zsh or fish, not '" + clipped(out.shell, 60) + "'");
  return out;
}

Exit completion(const CompletionOptions& options, std::span<const Manual> manuals, Output& out, Output& err) {
  const std::vector<CompletedCommand> commands = completed(manuals);
  out << (options.shell == "bash"  ? bash_script(commands)
          : options.shell == "zsh" ? zsh_script(commands)
                                   : fish_script(commands));
  out.finish();
  if (out.error() == 0) return Exit::done;
  if (out.error() != EPIPE)
    err << "belay completion: cannot write to standard output: " << std::strerror(out.error()) << "\n";
  return Exit::failed;
}

}  // namespace belay::cli
