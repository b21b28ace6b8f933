// Random calls, written as each format writes them, put into random prose and cut anywhere.
#include "support/choices.h"
#include "support/decisions.h"
#include "support/independent.h"
#include "support/outcome.h"
#include "support/text_events.h"
#include "support/text_writers.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>

namespace belay::check {
namespace {

constexpr std::string_view kWords[] = {"the",  "list",   "x = 1",    "3.5",         "a<b",    "naïve",
                                       "日本", "🎉",     "**bold**", "(see below)", "`f(x)`", "[link](y)",
                                       "it's", "\"so\"", "R&D",      "a > b"};
constexpr std::string_view kQuoted[] = {
    "</tool_call>", "<tool_call>", "[TOOL_CALLS]", "<|call|>",         "```", "}}", "]", "\"", "\\", "'",
    "\n",           "</function>", "<think>",      "<|tool_call_end|>"};
constexpr std::string_view kRaw[] = {"\n", "\"", "'", "{\"a\": 1}", "]", "\\n", "&amp;", "a < b", "x</y", "```", "  "};
constexpr std::string_view kTypes[] = {"string", "integer", "number", "boolean", "array", "object"};

std::string words(Choices& choices, std::size_t most) {
  std::string out;
  for (std::size_t n = choices.below(most + 1); n > 0; --n) (out += out.empty() ? "" : " ") += choices.pick(kWords);
  return out;
}

std::string random_string(Choices& choices, StringsHold hold) {
  std::string out = words(choices, 3);
  while (!choices.used_up() && choices.flip()) {
    if (hold == StringsHold::anything)
      out += choices.pick(kQuoted);
    else
      out += choices.pick(kRaw);
    out += words(choices, 2);
  }
  // Raw text that begins with a line break is the one thing that tags on lines of their own cannot say.
  if (hold == StringsHold::no_tags && out.starts_with('\n')) out.insert(0, "-");
  // A bracket at the end that nothing opened may be the first byte of a tag of minimax_m3, twice.
  if (hold == StringsHold::no_tags && out.ends_with(']')) out += '.';
  return out;
}

Tree random_value(Choices& choices, std::string_view type, StringsHold hold) {
  static constexpr std::string_view kNumbers[] = {"0.5", "-1.25", "1e3", "7"};
  if (type == "string") return Tree::string(random_string(choices, hold));
  if (type == "integer") return Tree::number(std::to_string(choices.below(100000)));
  if (type == "number") return Tree::number(choices.pick(kNumbers));
  if (type == "boolean") return Tree::boolean(choices.flip());
  Tree out = type == "array" ? Tree::array() : Tree::object();
  static constexpr std::string_view kKeys[] = {"k", "deep_key", "n2"};
  for (std::size_t n = 1 + choices.below(2), i = 0; i < n; ++i) {
    if (type == "object") out.keys.emplace_back(kKeys[i]);
    out.items.push_back(type == "object" && i == 1 ? Tree::number(std::to_string(choices.below(50)))
                                                   : Tree::string(random_string(choices, hold)));
  }
  return out;
}

// A tool with parameters of random types, and its schema.
struct RandomTool {
  std::string name;
  std::vector<std::pair<std::string, std::string_view>> parameters;

  [[nodiscard]] text::Tool tool() const {
    std::string properties;
    for (const auto& [key, type] : parameters) {
      properties += (properties.empty() ? "" : ",") + json_string(key) + ":{\"type\":\"" + std::string(type) + "\"";
      if (type == "array") properties += R"(,"items":{"type":"string"})";
      if (type == "object")
        properties += R"(,"properties":{"k":{"type":"string"},"deep_key":{"type":"integer"},"n2":{"type":"string"}})";
      properties += "}";
    }
    const json::Document schema = document_of(R"({"type":"object","properties":{)" + properties + "}}");
    return {name, text::shape_of(schema.root())};
  }
};

struct RandomScene {
  std::vector<RandomTool> tools;
  std::vector<WrittenCall> calls;
  std::string input, prose;
  std::size_t shown = 0;  // calls without a marker that prose follows: in `auto` they may be examples
};

// Nothing but its form says that this is a call.
bool is_bare(std::string_view written) {
  const char second = written.size() > 1 ? written[1] : ' ';
  return written.starts_with('{') || written.starts_with("```") || written.starts_with("~~~") ||
         (written.starts_with('[') && (second == '{' || (second >= 'a' && second <= 'z')));
}

RandomScene random_scene(Choices& choices, const TextWriter& writer) {
  static constexpr std::string_view kNames[] = {"get_weather", "read_file", "run_query_2", "ping"};
  static constexpr std::string_view kParameters[] = {"city", "max_rows", "path2", "with_header"};
  RandomScene out;
  for (std::string_view name : kNames) {
    RandomTool tool{std::string(name), {}};
    for (std::string_view key : kParameters)
      if (choices.flip()) tool.parameters.emplace_back(key, choices.pick(kTypes));
    out.tools.push_back(std::move(tool));
  }
  bool bare = false;
  for (std::size_t block = 0, blocks = 1 + choices.below(2); block < blocks; ++block) {
    const std::string before = words(choices, 6);
    if (!before.empty()) {
      if (bare) out.shown = out.calls.size();
      if (block > 0) out.input += "\n" + std::string(writer.before_text);
      out.input += before + ".\n";
      out.prose += before + ".\n";
    }
    std::vector<WrittenCall> calls;
    for (std::size_t n = 1 + choices.below(2); n > 0; --n) {
      const RandomTool& tool = choices.pick(out.tools);
      WrittenCall call{tool.name, Tree::object()};
      for (const auto& [key, type] : tool.parameters) {
        call.arguments.keys.push_back(key);
        call.arguments.items.push_back(random_value(choices, type, writer.strings));
      }
      calls.push_back(std::move(call));
    }
    if (block > 0 && before.empty()) out.input += "\n";
    const std::string written = writer.write(calls);
    bare = is_bare(written);
    out.input += written;
    out.calls.insert(out.calls.end(), calls.begin(), calls.end());
  }
  const std::string after = words(choices, 4);
  if (!after.empty()) {
    if (bare) out.shown = out.calls.size();
    out.input += "\n" + std::string(writer.before_text) + after + ".";
    out.prose += after + ".";
  }
  return out;
}

std::string without_space(std::string_view text) {
  std::string out;
  for (char c : text)
    if (c != ' ' && c != '\n') out += c;
  return out;
}

bool is(const TextCall& got, const WrittenCall& wanted) {
  const Independent parsed = parse_independently(got.arguments);
  return got.name == wanted.name && parsed.opinion == Opinion::accepted && parsed.tree == wanted.arguments;
}

std::string fault_of(const RandomScene& scene, const TextEvents& got, bool automatic) {
  if (!got.fault.empty()) return got.fault;
  if (got.calls.size() != scene.calls.size())
    return std::to_string(got.calls.size()) + " calls and not " + std::to_string(scene.calls.size());
  for (std::size_t i = 0; i < got.calls.size(); ++i) {
    if (!is(got.calls[i], scene.calls[i]))
      return "call " + std::to_string(i) + " is " + got.calls[i].name + " " + got.calls[i].arguments + " and not " +
             scene.calls[i].name + " " + to_text(scene.calls[i].arguments);
    const bool sound = !automatic || i >= scene.shown;
    if (got.calls[i].sound != sound)
      return "call " + std::to_string(i) + " is " + got.calls[i].verdict + (sound ? " and not sound" : " and sound");
  }
  if (without_space(got.text) != without_space(scene.prose))
    return "the text is " + json_string(got.text) + " and not " + json_string(scene.prose);
  return {};
}

class TextCallProperty : public ::testing::TestWithParam<std::size_t> {};

TEST_P(TextCallProperty, CallsAndProseComeBackHoweverTheyAreCut) {
  const TextWriter& writer = text_writers()[GetParam()];
  const bool holds = rc::check([&] {
    const std::string bytes = *decisions();
    Choices choices(bytes);
    text::Options options;
    options.format = choices.once_in(3) ? "auto" : std::string(writer.format);
    std::vector<std::size_t> cuts = {choices.below(256), choices.below(256), choices.below(1024)};
    const std::size_t prefix = choices.below(65536);
    const RandomScene scene = random_scene(choices, writer);
    for (const RandomTool& tool : scene.tools) options.tools.push_back(tool.tool());

    const std::string_view input = scene.input;
    RC_LOG() << options.format << ": " << printable(input) << "\n";
    const TextEvents whole = read_text({input}, options);
    RC_ASSERT(fault_of(scene, whole, options.format == "auto") == "");
    for (std::size_t& cut : cuts) cut %= input.size() + 1;
    std::sort(cuts.begin(), cuts.end());
    const Pieces pieces = {input.substr(0, cuts[0]), input.substr(cuts[0], cuts[1] - cuts[0]),
                           input.substr(cuts[1], cuts[2] - cuts[1]), input.substr(cuts[2])};
    RC_ASSERT(difference(whole, read_text(pieces, options)) == "");
    RC_ASSERT(difference(whole, read_text(chop(input, 1), options)) == "");

    // Cut off anywhere: what may be trusted is what was meant.
    const TextEvents part = read_text({input.substr(0, prefix % (input.size() + 1))}, options);
    RC_ASSERT(part.fault == "");
    RC_ASSERT(part.calls.size() <= scene.calls.size());
    for (std::size_t i = 0; i < part.calls.size(); ++i)
      RC_ASSERT(!part.calls[i].sound || is(part.calls[i], scene.calls[i]));
  });
  EXPECT_TRUE(holds);
}

std::string name_of(const ::testing::TestParamInfo<std::size_t>& info) {
  return std::string(text_writers()[info.param].format) + "_" + std::to_string(info.param);
}
INSTANTIATE_TEST_SUITE_P(Formats, TextCallProperty, ::testing::Range<std::size_t>(0, text_writers().size()), name_of);

TEST(TextWriters, ThereIsOneForEveryFormat) {
  std::set<std::string_view> written;
  for (const TextWriter& writer : text_writers()) written.insert(writer.format);
  for (std::string_view format : text::formats()) EXPECT_TRUE(written.contains(format)) << format;
}

}  // namespace
}  // namespace belay::check
