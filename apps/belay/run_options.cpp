#include "run_options.h"

#include "complaint.h"
#include "names.h"
#include "options.h"
#include "terminal.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <utility>

namespace belay::cli {
namespace {

constexpr RunOption kTable[] = {
    {"--help", "-h", "", "", "this command's manual"},
    {"--print", "-p", "", "", "no person: run, write the result, exit"},
    {"--output-format", "", "FORMAT", "text json stream-json", "what -p writes"},
    {"--include-partial-messages", "", "", "", "pieces of messages as they come, in stream-json"},
    {"--continue", "-c", "", "", "go on with the last task of this workspace"},
    {"--resume", "-r", "ID", "", "go on with a task; without ID, choose one"},
    {"--fork", "", "", "", "go on in a copy; the task itself stays as it is"},
    {"--model", "-m", "NAME", "", "the model"},
    {"--wire", "", "WIRE", "openai-chat openai-responses anthropic gemini ollama", "the server's protocol"},
    {"--base-url", "", "URL", "", "the server"},
    {"--key-env", "", "VARIABLE", "", "the variable that holds this server's key"},
    {"--header", "", "HEADER", "", "a further header for the server: 'Name: value'"},
    {"--format", "", "FORMAT", "", "how calls are written in text, for models without native calls"},
    {"--max-tokens", "", "N", "", "of one answer"},
    {"--effort", "", "EFFORT", "minimal low medium high", "of reasoning"},
    {"--idle-timeout", "", "SECONDS", "", "give up on an answer when nothing comes for so long"},
    {"--profile", "", "NAME", "", "a profile of the config file"},
    {"--max-turns", "", "N", "", "answers of the model"},
    {"--max-tokens-total", "", "N", "", "tokens of the whole task"},
    {"--max-cost", "", "USD", "", "dollars; needs the model's prices"},
    {"--max-seconds", "", "N", "", "of wall time"},
    {"--permission-mode", "", "MODE", "default acceptEdits plan dontAsk bypassPermissions", "what is asked about"},
    {"--dangerously-skip-permissions", "", "", "", "the same as --permission-mode bypassPermissions"},
    {"--allow", "", "RULE", "", "a rule: tool or tool(pattern)"},
    {"--ask", "", "RULE", "", "a rule"},
    {"--deny", "", "RULE", "", "a rule"},
    {"--ask-for-guesses", "", "", "", "ask about guessed calls instead of refusing them"},
    {"--todos-before-completion", "", "", "", "no completion while todos are open"},
    {"--sandbox", "", "LEVEL", "read-only workspace-write danger-full-access", "what a command can do"},
    {"--network", "", "", "", "commands may reach the network"},
    {"--insist", "", "", "", "run commands even if the sandbox is not whole here"},
    {"--workspace", "-C", "DIR", "", "the folder to work in"},
    {"--append-system-prompt", "", "TEXT", "", "your own rules for the model"},
    {"--mcp-config", "", "FILE", "", "a file with MCP servers"},
    {"--strict-mcp-config", "", "", "", "no MCP servers but those of --mcp-config"},
    {"--record", "", "FILE", "", "keep what the model's server answers as a cassette"},
    {"--log-level", "", "LEVEL", "trace debug info warn error off", "of the developer's log"},
    {"--color", "", "WHEN", "auto always never", "colours"},
    {"--colour", "", "WHEN", "auto always never", "colours", false, true},
    {"--limit", "", "NAME=VALUE", "", "raise a limit of the engine"},
    {"--verbose", "", "", "", "accepted for the habit's sake; stream-json is always complete"},
    {"--serve", "", "", "", "play the cassette for other programs", true},
    {"--speed", "", "FACTOR", "", "times between pieces are divided by it; 0: no waiting", true},
};

using Problem = std::unexpected<std::string>;
using Done = std::expected<void, std::string>;

Done set_limit(Limits& limits, const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == text.npos) return Problem("--limit needs NAME=VALUE, not " + cited(text));
  const auto value = parse_size(std::string_view(text).substr(equals + 1));
  if (!value) return Problem("--limit " + clipped(text.substr(0, equals), 60) + ": " + value.error());
  if (!limits.set(text.substr(0, equals), *value))
    return Problem("no limit " + cited(text.substr(0, equals)) +
                   "; the names are depth, bytes, edits, values, subschemas, schema_steps, violations, event_bytes, "
                   "calls, name_bytes");
  return {};
}

Done set_format(RunOptions& options, const std::string& value) {
  if (value == "text")
    options.format = OutputFormat::text;
  else if (value == "json")
    options.format = OutputFormat::json;
  else if (value == "stream-json")
    options.format = OutputFormat::stream_json;
  else
    return Problem("--output-format is text, json or stream-json, not " + cited(value));
  return {};
}

Done set(RunOptions& o, std::string_view name, const std::string& value) {
  config::Flags& f = o.flags;
  const std::pair<std::string_view, std::optional<std::string>*> texts[] = {
      {"--model", &f.model},
      {"--wire", &f.wire},
      {"--base-url", &f.base_url},
      {"--key-env", &f.key_env},
      {"--format", &f.format},
      {"--max-tokens", &f.max_tokens},
      {"--effort", &f.effort},
      {"--profile", &f.profile},
      {"--max-turns", &f.max_turns},
      {"--max-tokens-total", &f.max_tokens_total},
      {"--max-cost", &f.max_cost},
      {"--max-seconds", &f.max_seconds},
      {"--permission-mode", &f.permission_mode},
      {"--sandbox", &f.sandbox},
      {"--log-level", &f.log_level},
      {"--color", &f.color},
      {"--colour", &f.colour},
      {"--resume", &o.resume},
      {"--idle-timeout", &o.idle_timeout},
  };
  for (const auto& [option, place] : texts)
    if (option == name) {
      *place = value;
      return {};
    }
  const std::pair<std::string_view, std::vector<std::string>*> lists[] = {{"--allow", &f.allow},
                                                                          {"--ask", &f.ask},
                                                                          {"--deny", &f.deny},
                                                                          {"--header", &f.headers},
                                                                          {"--mcp-config", &o.mcp_config}};
  for (const auto& [option, place] : lists)
    if (option == name) {
      place->push_back(value);
      return {};
    }
  const std::pair<std::string_view, std::string*> plain[] = {
      {"--workspace", &o.workspace}, {"--append-system-prompt", &o.append_system_prompt}, {"--record", &o.record}};
  for (const auto& [option, place] : plain)
    if (option == name) {
      *place = value;
      return {};
    }
  const std::pair<std::string_view, bool*> switches[] = {
      {"--help", &o.help},     {"--print", &o.print},
      {"--fork", &o.fork},     {"--include-partial-messages", &o.partial},
      {"--insist", &o.insist}, {"--continue", &o.go_on},
      {"--serve", &o.serve},   {"--strict-mcp-config", &o.strict_mcp_config}};
  for (const auto& [option, place] : switches)
    if (option == name) {
      *place = true;
      return {};
    }
  if (name == "--network") f.network = true;
  if (name == "--ask-for-guesses") f.ask_for_guesses = true;
  if (name == "--todos-before-completion") f.todos_before_completion = true;
  if (name == "--dangerously-skip-permissions") f.permission_mode = "bypassPermissions";
  if (name == "--output-format") return set_format(o, value);
  if (name == "--limit") return set_limit(o.limits, value);
  if (name == "--speed") {
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), o.speed);
    if (error != std::errc() || end != value.data() + value.size() || !(o.speed >= 0 && o.speed <= 1e6))
      return Problem("--speed is a number from 0 up, not " + cited(value));
  }
  return {};
}

// What other agents call what is here, and what they have that is not.
std::string_view habit(std::string_view name) {
  struct Habit {
    std::string_view name, hint;
  };
  constexpr Habit kHabits[] = {
      {"--allowedTools", "it is --allow RULE here, once for each rule"},
      {"--allowed-tools", "it is --allow RULE here, once for each rule"},
      {"--disallowedTools", "it is --deny RULE here, once for each rule"},
      {"--disallowed-tools", "it is --deny RULE here, once for each rule"},
      {"--fork-session", "it is --fork here, with --continue or --resume"},
      {"--system-prompt", "the system prompt is Belay's own; --append-system-prompt TEXT adds yours to it"},
      {"--input-format", "the task is always text, as an argument or on standard input"},
      {"--add-dir", "there is one workspace: --workspace DIR, a folder that holds both"},
  };
  for (const Habit& one : kHabits)
    if (one.name == name) return one.hint;
  return {};
}

const RunOption* option_named(std::string_view word, bool replay) {
  for (const RunOption& option : kTable)
    if ((word == option.name || (!option.letter.empty() && word == option.letter)) && (replay || !option.replay_only))
      return &option;
  return nullptr;
}

std::expected<RunOptions, std::string> parse(std::span<const std::string> arguments, bool replay) {
  RunOptions out;
  std::vector<std::string> plain;
  bool only_plain = false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    if (only_plain || word == "-" || !word.starts_with('-')) {
      plain.push_back(word);
      continue;
    }
    if (word == "--") {
      only_plain = true;
      continue;
    }
    const std::size_t equals = word.starts_with("--") ? word.find('=') : word.npos;
    const std::string name = word.substr(0, equals);
    const RunOption* option = option_named(name, replay);
    if (!option) {
      if (const std::string_view hint = habit(name); !hint.empty())
        return Problem("no option " + cited(name) + "; " + std::string(hint));
      std::vector<std::string_view> names;
      for (const RunOption& o : kTable)
        if ((replay || !o.replay_only) && !o.spelling) names.push_back(o.name);
      const auto near = nearest(name, names);
      return Problem("no option " + cited(name) + (near ? "; did you mean " + std::string(*near) + "?" : ""));
    }
    std::string value;
    if (!option->value.empty()) {
      // An id is one word. Without one the person chooses, and what follows is the task.
      const bool id_may_lack = option->name == "--resume";
      if (equals != word.npos)
        value = word.substr(equals + 1);
      else if (id_may_lack && (i + 1 == arguments.size() || arguments[i + 1].starts_with('-') ||
                               arguments[i + 1].find_first_of(" \t\n") != std::string::npos))
        value.clear();
      else if (i + 1 < arguments.size())
        value = arguments[++i];
      else
        return Problem(std::string(option->name) + " needs a value: " + std::string(option->value));
    } else if (equals != word.npos) {
      return Problem(std::string(option->name) + " takes no value");
    }
    if (auto done = set(out, option->name, value); !done) return Problem(std::move(done.error()));
  }
  if (out.help) return out;
  if (replay) {
    if (plain.empty()) return Problem("a CASSETTE is needed");
    out.cassette = plain.front();
    plain.erase(plain.begin());
  }
  if (plain.size() > 1) return Problem("one task at most; " + cited(plain[1]) + " is one too many (quote the task)");
  if (!plain.empty()) out.prompt = plain.front();
  if (out.go_on && out.resume) return Problem("--continue and --resume exclude each other");
  if (out.fork && !out.go_on && !out.resume)
    return Problem("--fork needs --continue or --resume: what is to be copied?");
  if (out.format != OutputFormat::text) out.print = true;
  if (out.idle_timeout) {
    const auto seconds = parse_size(*out.idle_timeout);
    if (!seconds || *seconds == 0 || *seconds > 86'400)
      return Problem("--idle-timeout is a number of seconds from 1 to 86400, not " + cited(*out.idle_timeout));
  }
  if (out.partial && out.format != OutputFormat::stream_json)
    return Problem("--include-partial-messages needs --output-format stream-json");
  return out;
}

}  // namespace

std::expected<RunOptions, std::string> parse_run_options(std::span<const std::string> arguments) {
  return parse(arguments, false);
}
std::expected<RunOptions, std::string> parse_replay_options(std::span<const std::string> arguments) {
  return parse(arguments, true);
}
std::span<const RunOption> run_option_table() { return kTable; }

}  // namespace belay::cli
