#include "options.h"

#include "names.h"
#include "terminal.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

namespace belay::cli {
namespace {

using Result = std::expected<RepairOptions, std::string>;
using std::operator""sv;

constexpr std::array kFlags{"--help"sv,   "--strict"sv, "--end"sv,   "--root"sv,   "--json"sv,
                            "--stream"sv, "--chunk"sv,  "--limit"sv, "--verbose"sv};
constexpr std::array kLimits{"depth"sv, "bytes"sv, "edits"sv, "values"sv};
constexpr std::size_t kLargestChunk = 16u << 20;

// A filter has no caller that pays for what a stranger glues together, so only memory bounds it.
Limits repair_limits() {
  Limits limits;
  limits.bytes = 4ull << 30;
  limits.values = kUnlimited;
  return limits;
}

std::unexpected<std::string> wrong(std::string message) { return std::unexpected(std::move(message)); }

std::string cited(std::string_view text) { return "'" + clipped(text, 60) + "'"; }

std::unexpected<std::string> unexpected_argument(const std::string& argument) {
  if (!argument.starts_with('-')) return wrong("one FILE at most; " + cited(argument) + " is one too many");
  std::string message = "no option " + cited(argument);
  const std::string_view name = std::string_view(argument).substr(0, argument.find('='));
  if (auto near = nearest(name, kFlags)) message += "; did you mean " + std::string(*near) + "?";
  return wrong(message);
}

std::expected<void, std::string> set_limit(Limits& limits, std::string_view setting) {
  const std::size_t equals = setting.find('=');
  if (equals == std::string_view::npos) return wrong("--limit needs NAME=VALUE, not " + cited(setting));
  const std::string_view name = setting.substr(0, equals);
  auto value = parse_size(setting.substr(equals + 1));
  if (!value) return wrong("--limit " + clipped(name, 60) + ": " + value.error());
  if (limits.set(name, *value)) return {};
  std::string message = "no limit " + cited(name) + "; the names are ";
  for (std::string_view known : kLimits) message.append(known == kLimits[0] ? "" : ", ").append(known);
  return wrong(message);
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

// What CLI11 fills in; the rest of the checks are ours, so that the sentences are.
struct Raw {
  std::string end = "complete";
  std::string root = "any";
  std::string chunk;
  std::vector<std::string> limits;
  bool strict = false;
};

Result check(RepairOptions options, const Raw& raw) {
  using json::Ending, json::Mode, json::Root;
  auto ending = choose("--end", raw.end, {Choice{"complete"sv, Ending::complete}, Choice{"cut"sv, Ending::cut}});
  if (!ending) return wrong(ending.error());
  auto root = choose("--root", raw.root, {Choice{"any"sv, Root::any}, Choice{"object"sv, Root::object}});
  if (!root) return wrong(root.error());
  for (const std::string& setting : raw.limits)
    if (auto set = set_limit(options.reader.limits, setting); !set) return wrong(set.error());
  if (!raw.chunk.empty()) {
    auto chunk = parse_size(raw.chunk);
    if (!chunk) return wrong("--chunk: " + chunk.error());
    if (*chunk < 1 || *chunk > kLargestChunk) return wrong("--chunk is a number of bytes from 1 to 16M");
    options.chunk = static_cast<std::size_t>(*chunk);
  }
  if (options.json && options.stream) return wrong("--json and --stream exclude each other");
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

Result parse_repair_options(std::span<const std::string> arguments) {
  RepairOptions options;
  options.reader.limits = repair_limits();
  Raw raw;

  CLI::App app;
  app.set_help_flag();
  const auto last = CLI::MultiOptionPolicy::TakeLast;
  app.add_flag("-h,--help", options.help)->disable_flag_override();
  app.add_flag("-v,--verbose", options.verbose)->disable_flag_override();
  app.add_flag("--strict", raw.strict)->disable_flag_override();
  app.add_flag("--json", options.json)->disable_flag_override();
  app.add_flag("--stream", options.stream)->disable_flag_override();
  app.add_option("--end", raw.end)->multi_option_policy(last);
  app.add_option("--root", raw.root)->multi_option_policy(last);
  app.add_option("--chunk", raw.chunk)->multi_option_policy(last);
  app.add_option("--limit", raw.limits)->allow_extra_args(false);
  app.add_option("FILE", options.file);

  try {
    // CLI11 takes a vector from its end.
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::ExtrasError& e) {
    if (const auto extras = app.remaining(); !extras.empty()) return unexpected_argument(extras.front());
    return wrong(printable(e.what()));
  } catch (const CLI::ArgumentMismatch& e) {
    const std::string_view message = e.what();  // "--end: 1 required TEXT missing"
    if (message.ends_with("flag override"))     // "json was given a disallowed flag override"
      return wrong("--" + clipped(message.substr(0, message.find(' ')), 60) + " takes no value");
    return wrong(clipped(message.substr(0, message.find(':')), 60) + " needs a value");
  } catch (const CLI::ParseError& e) {
    return wrong(printable(e.what()));
  }
  if (options.help) return options;
  return check(std::move(options), raw);
}

}  // namespace belay::cli
