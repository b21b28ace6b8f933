#include "config.h"

#include <belay/builtin.h>
#include <belay/json/writer.h>

#include "check_rules.h"
#include "command_line.h"
#include "config_flags.h"
#include "json_string.h"
#include "table.h"
#include "terminal.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

namespace belay::cli {
namespace {

using config::Config;
using config::Line;
using config::Source;

std::string_view level_name(Source::Level level) {
  switch (level) {
    case Source::Level::built_in: return "default";
    case Source::Level::file: return "file";
    case Source::Level::environment: return "environment";
    case Source::Level::flag: return "flag";
  }
  return {};
}

std::string as_json(const Config& config) {
  std::string out = R"({"config_file":)" + json_string(config.places.config_file) + R"(,"found":)" +
                    (config.file_found ? "true" : "false") + R"(,"data":)" + json_string(config.places.data) +
                    R"(,"demo":)" + (config.demo ? "true" : "false") + R"(,"settings":[)";
  for (const Line& line : listing(config)) {
    out += out.ends_with('[') ? "" : ",";
    out += R"({"name":)" + json_string(line.name) + R"(,"value":)";
    out += line.literal ? line.value : line.value.empty() ? "null" : json_string(line.value);
    out += R"(,"source":{"level":)" + json_string(level_name(line.source.level)) + R"(,"name":)";
    out += line.source.name.empty() ? "null" : json_string(line.source.name);
    out += R"(,"line":)" + (line.source.line > 0 ? std::to_string(line.source.line) : "null") + "}}";
  }
  out += R"(],"notes":[)";
  for (const std::string& note : config.notes) {
    out += out.ends_with('[') ? "" : ",";
    out += json_string(note);
  }
  return out + R"(],"unusable":)" + (config.unusable.empty() ? "null" : json_string(config.unusable)) + "}\n";
}

// The file's whole path stands above the table. "default for" and a variable would be too wide for the column.
std::string whence(const Source& source) {
  if (source.level == Source::Level::built_in && !source.name.empty()) return "by " + source.name;
  return source.level == Source::Level::file ? "line " + std::to_string(source.line) : describe(source);
}

std::string as_text(const Config& config, const Style& style) {
  constexpr std::size_t kName = 27, kValue = 30, kWhence = kTerminalColumns - kName - kValue;
  std::string out = "file  " + folded(config.places.config_file, 6) + (config.file_found ? "" : " (not there)") +
                    "\ndata  " + folded(config.places.data, 6) + "\n\n";
  for (const Line& line : listing(config)) {
    std::string value = line.value.empty() ? "-" : line.value;
    if (line.name == "key" && !line.value.empty()) value += " (from " + whence(line.source) + ")";
    const std::vector<std::string> values = pieces(value, kTerminalColumns - kName);
    // A value too wide for its column has its line, and where it comes from the next.
    const bool wide = values.size() > 1 || columns(value) >= kValue;
    const std::string from = clipped(whence(line.source), kWhence);
    const std::string shown_from = line.source.level == Source::Level::built_in ? style.dim(from) : from;
    std::string first = padded(line.name, kName);
    // A name that the person chose, of a header say, may be wider than the column.
    if (columns(line.name) >= kName) first = printable(line.name) + "\n" + std::string(kName, ' ');
    out += first;
    for (const std::string& piece : values)
      out += (&piece == values.data() ? "" : "\n" + std::string(kName, ' ')) + piece;
    out += wide ? "\n" + std::string(kName + kValue, ' ') : std::string(kValue - columns(value), ' ');
    out += shown_from + "\n";
  }
  for (const std::string& note : config.notes) out += "\n" + style.yellow("note:") + " " + folded(note, 6) + "\n";
  if (!config.unusable.empty()) out += "\n" + style.red("not usable:") + " " + folded(config.unusable, 12) + "\n";
  return out;
}

// What `belay run` would refuse before anything runs. Tools of servers are not known here, and are not asked for.
std::string refused_rule(std::vector<config::Setting<policy::Rule>> rules) {
  tool::Registry tools;
  for (tool::Spec& spec : builtin::specs())
    if (auto tool = tool::Tool::make(std::move(spec), {})) tools.add(std::move(*tool));
  const auto checked = check_rules(rules, tools);
  return checked ? std::string() : checked.error();
}

}  // namespace

std::expected<ConfigOptions, std::string> parse_config_options(std::span<const std::string> arguments) {
  std::vector<Option> known(config_options().begin(), config_options().end());
  known.push_back({"--json"});
  const auto line = read_command_line(arguments, known);
  if (!line) return std::unexpected(line.error());
  if (!line->words.empty()) return std::unexpected("takes no '" + clipped(line->words.front(), 60) + "'");
  return ConfigOptions{line->help, line->has("--json"), config_flags(*line)};
}

Exit show_config(const ConfigOptions& options, Output& out, Output& err) {
  auto config = load_config(options.flags);
  if (config && config->unusable.empty()) config->unusable = refused_rule(config->rules);
  if (!config) {
    err << "belay config: " << printable(describe(config.error())) << "\n";
    return Exit::usage;
  }
  out << (options.json ? as_json(*config) : as_text(*config, Style::for_terminal(out.is_terminal())));
  out.finish();
  if (out.error() != 0) {
    if (out.error() != EPIPE)
      err << "belay config: cannot write to standard output: " << std::strerror(out.error()) << "\n";
    return Exit::failed;
  }
  return config->unusable.empty() ? Exit::done : Exit::doubtful;
}

}  // namespace belay::cli
