#include "text/active.h"

#include <algorithm>
#include <array>

namespace belay::text {
namespace {

char first_byte(const Row& row, std::string_view marker) {
  static_cast<void>(row);
  return marker.front();
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
      at_line.push_back(&row);
      line_stops.add('[');
      continue;
    }
    auto& list = row.line_start ? at_line : anywhere;
    list.push_back(&row);
    ByteSet& set = row.line_start ? line_stops : stops;
    for (const Words* words : {&row.start, &row.outer})
      for (std::string_view word : *words) set.add(first_byte(row, word));
    if (row.tags) set.add(row.tags->open.front());
  }
  for (const Thinking& t : text::thinking()) {
    if (!t.format.empty() && t.format != options.format) continue;
    thinking.push_back(t);
    line_stops.add(t.open.front());
  }
  for (const Silent& s : text::silent())
    if (s.format == options.format || automatic) {
      if (automatic && (s.format == "ernie45" || s.format == "harmony")) continue;
      silent.push_back(s.token);
      stops.add(s.token.front());
    }
  stops.add('\n');
  stops.add('`');
  stops.add('<');
}

bool known_format(std::string_view name) {
  if (name == "auto" || name == "none") return true;
  auto all = rows();
  return std::any_of(all.begin(), all.end(), [&](const Row& row) { return row.format == name; });
}

std::vector<std::string_view> formats() {
  static constexpr std::array<std::string_view, 57> kNames = {"hermes",
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
  std::vector<std::string_view> out;
  for (std::string_view name : kNames)
    if (!name.empty()) out.push_back(name);
  return out;
}

}  // namespace belay::text
