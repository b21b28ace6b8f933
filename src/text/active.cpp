#include "text/active.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>

namespace BELAY_NAMESPACE::text {
namespace {

// Tags are known with white space before their end and with attributes, too.
std::string_view open_part(std::string_view marker) {
  if (marker.size() > 2 && marker.front() == '<' && marker.back() == '>') marker.remove_suffix(1);
  return marker;
}

// Lists the row with each byte that it may begin with. Rows come in order, so one that is there already is the last.
void list_by_first(const Row& row, std::array<std::vector<const Row*>, 128>& by) {
  auto add = [&](char c) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < by.size() && (by[byte].empty() || by[byte].back() != &row)) by[byte].push_back(&row);
  };
  if (row.grammar == Grammar::bare_json) add('{');
  if (row.grammar == Grammar::bare_json || row.grammar == Grammar::bare_python) return add('[');
  for (const Words* words : {&row.start, &row.outer})
    for (std::string_view word : *words) add(word.front());
  if (row.tags) add(row.tags->open.front());
}

}  // namespace

Active::Active(const Options& options) {
  none = options.format == "none" || !known_format(options.format);
  automatic = options.format == "auto";
  if (none) return;
  for (const Row& row : rows()) {
    const bool mine = automatic ? !row.only_named : row.format == options.format;
    if (!mine) continue;
    // Without a marker only the tools' names tell a call from data.
    const bool unmarked = row.grammar == Grammar::bare_json || row.grammar == Grammar::bare_python ||
                          (row.tags && row.tags->name == Where::tag);
    if (automatic && unmarked && options.tools.empty()) continue;
    if (row.grammar == Grammar::bare_json) {
      bare_json = true;
      bare_row = &row;
      stops.add('{');
      stops.add('[');
      anywhere.push_back(&row);
      continue;
    }
    if (row.grammar == Grammar::bare_python) {
      bare_python = true;
      at_line.push_back(&row);
      line_stops.add('[');
      line_stops.add(']');
      continue;
    }
    if (row.grammar == Grammar::harmony) harmony = &row;
    // Where the format was chosen its words mean what they mean anywhere.
    const bool line = row.line_start && automatic;
    (line ? at_line : anywhere).push_back(&row);
    ByteSet& set = line ? line_stops : stops;
    auto add = [&](std::string_view word) {
      set.add(word.front());
      literals.add(word);
    };
    for (const Words* words : {&row.start, &row.outer})
      for (std::string_view word : *words) add(open_part(word));
    if (!row.tags) continue;
    const std::string open(row.tags->open);
    for (std::string_view name : row.tags->call) add(open + std::string(name));
    if (row.tags->name != Where::tag) continue;
    for (const Tool& tool : options.tools) add(open + tool.name);
    if (options.tools.empty()) add(open);
  }
  for (const Thinking& t : text::thinking()) {
    if (!t.format.empty() && t.format != options.format && !(automatic && t.at_start)) continue;
    thinking.push_back(t);
    (t.at_start ? line_stops : stops).add(t.open.front());
    literals.add(open_part(t.open));
    if (!t.format.empty()) continue;
    stops.add(t.close.front());
    literals.add(open_part(t.close));
  }
  for (const Silent& s : text::silent())
    if (s.format == options.format || automatic) {
      // <response> is ordinary markup as well.
      if (automatic && (s.format == "ernie45" || s.format == "granite3" || s.format == "harmony")) continue;
      silent.push_back(s);
      stops.add(s.token.front());
      literals.add(s.token);
    }
  for (const Quotation& q : quotations()) {
    (q.line_start ? line_stops : stops).add(q.open.front());
    literals.add(open_part(q.open));
    if (!q.line_start) continue;
    stops.add(q.close.front());
    literals.add(open_part(q.close));
  }
  for (std::string_view token : last_tokens()) {
    stops.add(token.front());
    literals.add(token);
  }
  // Data is told from calls by following it from its first bracket on.
  if (automatic) stops.add('{'), stops.add('[');
  stops.add('\n');
  stops.add('`');
  literals.sort();
  for (const Row* row : anywhere) list_by_first(*row, anywhere_by);
  for (const Row* row : at_line) list_by_first(*row, at_line_by);
}

bool known_format(std::string_view name) {
  if (name == "auto" || name == "none") return true;
  auto all = rows();
  return std::any_of(all.begin(), all.end(), [&](const Row& row) { return row.format == name; });
}

std::vector<std::string_view> formats() {
  static constexpr std::string_view kNames[] = {"hermes",
                                                "qwen3",
                                                "qwen3_coder",
                                                "mimo",
                                                "seed_oss",
                                                "glm45",
                                                "glm47",
                                                "hy_v3",
                                                "hunyuan_a13b",
                                                "jamba",
                                                "apriel",
                                                "minimax_m2",
                                                "minimax_m3",
                                                "deepseek_v3",
                                                "deepseek_v31",
                                                "deepseek_v32_dsml",
                                                "deepseek_v4_dsml",
                                                "kimi_k2",
                                                "kimi_k3",
                                                "mistral_old",
                                                "mistral_new",
                                                "llama3_json",
                                                "llama3_python_tag",
                                                "pythonic",
                                                "llama4_pythonic",
                                                "olmo3",
                                                "lfm2",
                                                "granite3",
                                                "granite_20b_fc",
                                                "functionary_v31",
                                                "functionary_v32",
                                                "firefunction_v2",
                                                "phi4_mini",
                                                "command_r7b",
                                                "command_r_plus",
                                                "harmony",
                                                "gemma4",
                                                "functiongemma",
                                                "internlm",
                                                "xlam",
                                                "nemotron_nano_v2",
                                                "apertus",
                                                "gigachat3",
                                                "step3",
                                                "longcat",
                                                "ernie45",
                                                "minicpm5",
                                                "dots",
                                                "muse_glimmer",
                                                "inkling",
                                                "xml",
                                                "tool_tag",
                                                "json"};
  return {std::begin(kNames), std::end(kNames)};
}

}  // namespace BELAY_NAMESPACE::text
