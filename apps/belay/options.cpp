#include "options.h"

#include <belay/text.h>

#include "complaint.h"
#include "names.h"
#include "terminal.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

namespace belay::cli {
namespace {

using std::operator""sv;
using Names = std::span<const std::string_view>;
using Done = std::expected<void, std::string>;

constexpr std::array kRepairFlags{"--help"sv,  "--strict"sv, "--end"sv,     "--root"sv,  "--json"sv, "--stream"sv,
                                  "--chunk"sv, "--limit"sv,  "--verbose"sv, "--lines"sv, "--jobs"sv};
constexpr std::array kRepairLimits{"depth"sv, "bytes"sv, "edits"sv, "values"sv};
constexpr std::array kSchemaFlags{"--help"sv, "--draft"sv, "--remotes"sv, "--formats"sv, "--align"sv,
                                  "--mend"sv, "--json"sv,  "--limit"sv,   "--lines"sv,   "--jobs"sv};
constexpr std::array kSchemaLimits{"depth"sv, "bytes"sv, "edits"sv, "subschemas"sv, "schema_steps"sv, "violations"sv};
constexpr std::array kParseFlags{"--help"sv,  "--wire"sv, "--format"sv, "--tools"sv,       "--chunk"sv, "--coalesce"sv,
                                 "--ended"sv, "--show"sv, "--limit"sv,  "--prompt-tail"sv, "--lines"sv, "--jobs"sv};
constexpr std::array kParseLimits{"depth"sv,       "bytes"sv,      "edits"sv,      "values"sv,      "calls"sv,
                                  "event_bytes"sv, "name_bytes"sv, "subschemas"sv, "schema_steps"sv};
constexpr std::size_t kLargestChunk = 16u << 20;

constexpr std::size_t kMostJobs = 256;

// A filter has no caller that pays for what a stranger glues together, so only memory bounds it. A record is kept whole
// until its report is written, and several at a time.
Limits filter_limits(bool lines) {
  Limits limits;
  if (!lines) limits.bytes = 4ull << 30;
  limits.values = kUnlimited;
  return limits;
}

std::string format_names() {
  std::string out;
  for (std::string_view name : text::formats()) (out += out.empty() ? "" : ", ") += name;
  return out;
}

std::unexpected<std::string> one_file(const std::string& argument) {
  return wrong("one FILE at most; " + cited(argument) + " is one too many");
}

std::unexpected<std::string> unexpected_argument(const std::string& argument, Names flags) {
  if (argument == "-" || !argument.starts_with('-')) return one_file(argument);
  std::string message = "no option " + cited(argument);
  const std::string_view name = std::string_view(argument).substr(0, argument.find('='));
  if (auto near = nearest(name, flags)) message += "; did you mean " + std::string(*near) + "?";
  return wrong(message);
}

// A limit that the command has no use for is refused: it would not do what is hoped of it.
Done set_limit(Limits& limits, std::string_view setting, Names names) {
  const std::size_t equals = setting.find('=');
  if (equals == std::string_view::npos) return wrong("--limit needs NAME=VALUE, not " + cited(setting));
  const std::string_view name = setting.substr(0, equals);
  auto value = parse_size(setting.substr(equals + 1));
  if (!value) return wrong("--limit " + clipped(name, 60) + ": " + value.error());
  if (name == "values" && *value == 0) return wrong("--limit values is 1 at least");
  if (std::ranges::find(names, name) != names.end() && limits.set(name, *value)) return {};
  std::string message = "no limit " + cited(name) + "; the names are ";
  for (std::string_view known : names) message.append(known == names[0] ? "" : ", ").append(known);
  return wrong(message);
}

Done set_limits(Limits& limits, const std::vector<std::string>& settings, Names names) {
  for (const std::string& setting : settings)
    if (auto set = set_limit(limits, setting, names); !set) return set;
  return {};
}

// The words of an option, and what each stands for.
template <class T>
struct Choice {
  std::string_view word;
  T value;
};

template <class T, std::size_t N>
std::expected<T, std::string> choose(std::string_view option, std::string_view given, const Choice<T> (&choices)[N]) {
  std::string message = std::string(option) + " is";
  for (const auto& choice : choices) {
    if (choice.word == given) return choice.value;
    message.append(&choice == choices ? " " : " or ").append(choice.word);
  }
  return wrong(message + ", not " + cited(given));
}

// CLI11 finds the options and their values; what is wrong with them is said here.
Done parse(CLI::App& app, std::span<const std::string> arguments, Names flags) {
  try {
    // CLI11 takes a vector from its end.
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
    return {};
  } catch (const CLI::ExtrasError& e) {
    const auto extras = app.remaining();
    if (extras.size() > 1 && extras[0] == "--") return one_file(extras[1]);
    if (!extras.empty()) return unexpected_argument(extras[0], flags);
    return wrong(printable(e.what()));
  } catch (const CLI::ArgumentMismatch& e) {
    const std::string_view message = e.what();  // "--end: 1 required TEXT missing"
    if (message.ends_with("flag override"))     // "json was given a disallowed flag override"
      return wrong("--" + clipped(message.substr(0, message.find(' ')), 60) + " takes no value");
    return wrong(clipped(message.substr(0, message.find(':')), 60) + " needs a value");
  } catch (const CLI::ParseError& e) {
    return wrong(printable(e.what()));
  }
}

constexpr auto kLast = CLI::MultiOptionPolicy::TakeLast;

// --lines and --jobs, as they were given.
struct RawLines {
  bool on = false;
  std::string jobs;

  void add_to(CLI::App& app) {
    app.add_flag("--lines", on)->disable_flag_override();
    app.add_option("--jobs", jobs)->multi_option_policy(kLast);
  }
  [[nodiscard]] std::expected<LineOptions, std::string> check() const {
    if (jobs.empty()) return LineOptions{on, 1};
    if (!on) return wrong("--jobs is for --lines: only lines can be shared out");
    const auto count = parse_size(jobs);
    if (!count) return wrong("--jobs: " + count.error());
    if (*count < 1 || *count > kMostJobs) return wrong("--jobs is a number of threads from 1 to 256");
    return LineOptions{on, static_cast<std::size_t>(*count)};
  }
};

// What CLI11 fills in for `belay repair`; the rest of the checks are ours, so that the sentences are.
struct Raw {
  std::string end = "complete";
  std::string root = "any";
  std::string chunk;
  std::vector<std::string> limits;
  bool strict = false;
  RawLines lines;
};

std::expected<std::size_t, std::string> chunk_of(const std::string& text) {
  auto chunk = parse_size(text);
  if (!chunk) return wrong("--chunk: " + chunk.error());
  if (*chunk < 1 || *chunk > kLargestChunk) return wrong("--chunk is a number of bytes from 1 to 16M");
  return static_cast<std::size_t>(*chunk);
}

std::expected<RepairOptions, std::string> check(RepairOptions options, const Raw& raw) {
  using json::Ending, json::Mode, json::Root;
  auto ending = choose("--end", raw.end, {Choice{"complete"sv, Ending::complete}, Choice{"cut"sv, Ending::cut}});
  if (!ending) return wrong(ending.error());
  auto root = choose("--root", raw.root, {Choice{"any"sv, Root::any}, Choice{"object"sv, Root::object}});
  if (!root) return wrong(root.error());
  auto lines = raw.lines.check();
  if (!lines) return wrong(lines.error());
  options.lines = *lines;
  options.reader.limits = filter_limits(lines->on);
  if (auto set = set_limits(options.reader.limits, raw.limits, kRepairLimits); !set) return wrong(set.error());
  if (!raw.chunk.empty()) {
    auto chunk = chunk_of(raw.chunk);
    if (!chunk) return wrong(chunk.error());
    options.chunk = *chunk;
  }
  if (options.json && options.stream) return wrong("--json and --stream exclude each other");
  if (lines->on && options.stream)
    return wrong("--lines and --stream exclude each other: a report comes at a line's end");
  options.ending = *ending;
  options.reader.root = *root;
  options.reader.mode = raw.strict ? Mode::strict : Mode::tolerant;
  options.reader.text = options.stream;
  return options;
}

}  // namespace

std::expected<std::uint64_t, std::string> parse_size(std::string_view text) {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, code] = std::from_chars(text.data(), end, number);
  unsigned shift = 0;
  bool suffixed = rest + 1 == end;
  if (suffixed) switch (*rest) {
      case 'K':
      case 'k': shift = 10; break;
      case 'M':
      case 'm': shift = 20; break;
      case 'G':
      case 'g': shift = 30; break;
      default: suffixed = false;
    }
  if (code == std::errc::invalid_argument || (rest != end && !suffixed))
    return wrong(cited(text) + " is not a whole number (K, M or G may follow)");
  if (code == std::errc::result_out_of_range || number > kUnlimited >> shift)
    return wrong(cited(text) + " is too large");
  return number << shift;
}

std::expected<RepairOptions, std::string> parse_repair_options(std::span<const std::string> arguments) {
  RepairOptions options;
  Raw raw;

  CLI::App app;
  app.set_help_flag();
  app.add_flag("-h,--help", options.help)->disable_flag_override();
  app.add_flag("-v,--verbose", options.verbose)->disable_flag_override();
  app.add_flag("--strict", raw.strict)->disable_flag_override();
  app.add_flag("--json", options.json)->disable_flag_override();
  app.add_flag("--stream", options.stream)->disable_flag_override();
  raw.lines.add_to(app);
  app.add_option("--end", raw.end)->multi_option_policy(kLast);
  app.add_option("--root", raw.root)->multi_option_policy(kLast);
  app.add_option("--chunk", raw.chunk)->multi_option_policy(kLast);
  app.add_option("--limit", raw.limits)->allow_extra_args(false);
  app.add_option("FILE", options.file);

  if (auto parsed = parse(app, arguments, kRepairFlags); !parsed) return wrong(parsed.error());
  if (options.help) return options;
  return check(std::move(options), raw);
}

std::expected<ParseOptions, std::string> parse_parse_options(std::span<const std::string> arguments) {
  ParseOptions options;
  std::string wire, format, ended = "eof", chunk;
  std::vector<std::string> limits;
  RawLines raw_lines;

  CLI::App app;
  app.set_help_flag();
  app.add_flag("-h,--help", options.help)->disable_flag_override();
  app.add_flag("--coalesce", options.coalesce)->disable_flag_override();
  app.add_flag("--show", options.show)->disable_flag_override();
  raw_lines.add_to(app);
  app.add_option("--wire", wire)->multi_option_policy(kLast);
  app.add_option("--format", format)->multi_option_policy(kLast);
  app.add_option("--prompt-tail", options.prompt_tail)->multi_option_policy(kLast);
  app.add_option("--tools", options.tools)->multi_option_policy(kLast);
  app.add_option("--ended", ended)->multi_option_policy(kLast);
  app.add_option("--chunk", chunk)->multi_option_policy(kLast);
  app.add_option("--limit", limits)->allow_extra_args(false);
  app.add_option("FILE", options.file);

  if (auto parsed = parse(app, arguments, kParseFlags); !parsed) return wrong(parsed.error());
  if (options.help) return options;
  constexpr std::string_view wires = "openai-chat, openai-responses, anthropic, gemini, ollama or text";
  if (wire.empty()) return wrong("--wire is needed: " + std::string(wires));
  options.wire = wire::wire_named(wire);
  if (!options.wire && wire != "text") return wrong("--wire is " + std::string(wires) + ", not " + cited(wire));
  options.format = !format.empty() ? format : options.wire ? "none" : "auto";
  if (!text::known_format(options.format))
    return wrong("--format is auto, none or one of " + format_names() + ", not " + cited(format));
  using sse::Ended;
  auto how = choose("--ended", ended, {Choice{"eof"sv, Ended::eof}, Choice{"reset"sv, Ended::reset}});
  if (!how) return wrong(how.error());
  options.ended = *how;
  if (!chunk.empty()) {
    auto size = chunk_of(chunk);
    if (!size) return wrong(size.error());
    options.chunk = *size;
  }
  auto lines = raw_lines.check();
  if (!lines) return wrong(lines.error());
  options.lines = *lines;
  if (options.show && options.coalesce) return wrong("--show and --coalesce exclude each other");
  if (options.show && lines->on) return wrong("--show and --lines exclude each other");
  if (auto set = set_limits(options.limits, limits, kParseLimits); !set) return wrong(set.error());
  return options;
}

std::expected<SchemaOptions, std::string> parse_schema_options(std::span<const std::string> arguments) {
  SchemaOptions options;
  std::string draft, remotes;
  std::vector<std::string> limits;
  RawLines raw_lines;

  CLI::App app;
  app.set_help_flag();
  app.add_flag("-h,--help", options.help)->disable_flag_override();
  app.add_flag("--formats", options.formats)->disable_flag_override();
  app.add_flag("--align", options.align)->disable_flag_override();
  app.add_flag("--mend", options.mend)->disable_flag_override();
  app.add_flag("--json", options.json)->disable_flag_override();
  raw_lines.add_to(app);
  const CLI::Option* draft_given = app.add_option("--draft", draft)->multi_option_policy(kLast);
  const CLI::Option* remotes_given = app.add_option("--remotes", remotes)->multi_option_policy(kLast);
  app.add_option("--limit", limits)->allow_extra_args(false);
  const CLI::Option* schema_given = app.add_option("SCHEMA", options.schema);
  app.add_option("FILE", options.file);

  if (auto parsed = parse(app, arguments, kSchemaFlags); !parsed) return wrong(parsed.error());
  if (options.help) return options;
  if (schema_given->count() == 0) return wrong("a SCHEMA is needed: a file with a JSON Schema");
  if (options.schema == "-" && options.file == "-")
    return wrong("SCHEMA and FILE cannot both be standard input; name one of them");
  if (draft_given->count() > 0) {
    using schema::Draft;
    auto chosen = choose("--draft", draft, {Choice{"7"sv, Draft::draft7}, Choice{"2020-12"sv, Draft::draft2020_12}});
    if (!chosen) return wrong(chosen.error());
    options.draft = *chosen;
  }
  if (remotes_given->count() > 0) options.remotes = remotes;
  auto lines = raw_lines.check();
  if (!lines) return wrong(lines.error());
  options.lines = *lines;
  options.limits = filter_limits(lines->on);
  if (auto set = set_limits(options.limits, limits, kSchemaLimits); !set) return wrong(set.error());
  return options;
}

}  // namespace belay::cli
