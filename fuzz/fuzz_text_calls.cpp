// Calls in a model's text: any cut gives the same events, text and reasoning are bytes of the input in their order,
// every call starts and ends once, none that was not closed is sound, and none in JSON goes on behind a marker before
// which it was whole. The first bytes say which format it is,
// whether tools are known, what the prompt ended with, and where the cuts are.
#include "fuzz.h"
#include "stretch.h"

#include "base/utf8.h"
#include "text/formats.h"

#include <support/choices.h>
#include <support/text_events.h>

#include <algorithm>

using namespace belay;

namespace {

std::vector<text::Tool> make_tools() {
  static constexpr std::string_view kTools[][2] = {
      {"get_weather", R"({"properties":{"city":{"type":"string"},"days":{"type":"integer"}}})"},
      {"write_file", R"({"properties":{"path":{"type":"string"},"content":{"type":"string"}}})"},
      {"ping", R"({"properties":{}})"},
      {"f",
       R"({"properties":{"x":{"type":["integer","null"]},"o":{"type":"object","properties":{"a":{}}},"l":{"type":"array"}}})"},
  };
  std::vector<text::Tool> out;
  for (const auto& [name, schema] : kTools) {
    auto reading = json::read(schema);
    out.push_back({std::string(name), text::shape_of(reading.document.root())});
  }
  return out;
}

std::vector<std::string_view> all_formats() {
  std::vector<std::string_view> out = text::formats();
  out.emplace_back("auto");
  return out;
}

// What stands behind another marker belongs to another call: neither its name nor its values may get into this one.
std::string reaches_too_far(const check::TextCall& call, std::string_view format) {
  // Some formats have calls in tags as well.
  if (!call.raw.starts_with('{')) return {};
  for (const text::Row& row : text::rows()) {
    const bool json = row.grammar == text::Grammar::json || row.grammar == text::Grammar::named ||
                      row.grammar == text::Grammar::harmony;
    if (row.format != format || !json) continue;
    for (const text::Words* words : {&row.end, &row.start, &row.outer_end})
      for (std::string_view word : *words)
        for (std::size_t at = call.raw.find(word); at != std::string::npos; at = call.raw.find(word, at + 1)) {
          json::ReaderOptions options;
          options.root = json::Root::object;
          const json::Reading whole = json::read(std::string_view(call.raw).substr(0, at), options);
          if (whole.verdict.trusted())
            return "a call was whole before " + std::string(word) + ", and goes on behind it";
        }
  }
  return {};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::vector<text::Tool> kTools = make_tools();
  static const std::vector<std::string_view> kFormats = all_formats();
  static constexpr std::string_view kTails[] = {"", "", "<think>\n", ">>>", "[THINK]", "<|start|>assistant"};

  check::Choices choices(fuzz::text_of(data, size));
  text::Options options;
  options.format = choices.pick(kFormats);
  if (choices.flip()) options.tools = kTools;
  options.prompt_tail = choices.pick(kTails);
  options.in_reasoning = static_cast<text::InReasoning>(choices.below(3));
  std::vector<std::size_t> cuts = {choices.below(256), choices.below(256), choices.below(65536)};
  const std::string text = fuzz::stretched(choices.rest(), 4);
  const std::string_view input = text;
  for (std::size_t& cut : cuts) cut %= input.size() + 1;
  std::sort(cuts.begin(), cuts.end());
  const check::Pieces pieces = {input.substr(0, cuts[0]), input.substr(cuts[0], cuts[1] - cuts[0]),
                                input.substr(cuts[1], cuts[2] - cuts[1]), input.substr(cuts[2])};

  const check::TextEvents whole = check::read_text({input}, options);
  const std::string about = options.format + (options.tools.empty() ? " " : " with tools ") + options.prompt_tail;
  fuzz::require_none(whole.fault.empty() ? "" : about + ": " + whole.fault, input);
  for (const check::TextCall& call : whole.calls)
    if (const std::string far = reaches_too_far(call, options.format); !far.empty())
      fuzz::require_none(about + ": " + far, input);
  auto same = [&](const check::Pieces& other) {
    const std::string d = check::difference(whole, check::read_text(other, options));
    if (!d.empty()) fuzz::require_none(about + ": " + d, input);
  };
  same(pieces);
  same(check::chop(input, 1));
  // What is no UTF-8 is replaced.
  if (utf8::valid(input))
    fuzz::require(check::subsequence(whole.said, input), about + ": text that is not in the input", input);
  return 0;
}
