// Arguments that are tags where JSON was wanted.
#include "text/payload.h"
#include "text/scan.h"
#include "text/tags.h"

#include <utility>

namespace belay::text {
namespace {

constexpr std::string_view kName = "belay.arguments";
constexpr TagStyle kPlain = {.name = Where::tag, .key = Where::tag};
constexpr TagStyle kParameter = {
    .call = {{kName}}, .name = Where::equals, .parameter = {{"parameter", "param"}}, .key = Where::equals};
constexpr TagStyle kPair = {
    .call = {{kName}}, .name = Where::equals, .parameter = {{"arg_key"}}, .key = Where::pair, .value = "arg_value"};

struct Catch final : Sink {
  void on_text(std::string_view) override {}
  void on_reasoning(std::string_view) override {}
  void on_call_start(std::size_t, std::string_view, std::string_view) override {}
  void on_call_delta(std::size_t, std::string_view) override {}
  void on_call_end(std::size_t, Found found) override { reading = std::move(found.reading); }
  void on_call_doubt(std::size_t, json::Edit) override {}
  void on_notice(std::string_view, std::string_view) override {}
  json::Reading reading;
};

json::Reading nothing() {
  json::Reading reading;
  reading.error = {json::ErrorKind::no_value, {}, "the arguments are neither a JSON object nor tags"};
  return reading;
}

}  // namespace

json::Reading read_parameters(std::string_view text, const Shape& shape, const Limits& limits) {
  Tag first = read_tag(text.substr(past_space(text, 0)), kPlain, true);
  if (first.is != Is::yes || first.closing) return nothing();
  // A tag is a parameter when the tool has one of that name, or nothing is known of the tool.
  const bool parameter = same_word(first.name, "parameter") || same_word(first.name, "param");
  const bool pair = same_word(first.name, "arg_key");
  if (!parameter && !pair && shape.declared && !shape.has(first.name)) return nothing();
  Row row{.format = "parameters", .grammar = Grammar::tags, .tags = parameter ? &kParameter : pair ? &kPair : &kPlain};
  Catch sink;
  Options options{.format = "none", .tools = {{std::string(kName), shape}}, .prompt_tail = "", .limits = limits};
  Context context(sink, std::move(options));
  std::unique_ptr<Payload> payload = tag_calls(context, row, "", std::string(kName), Receipt(limits.edits));
  // The end of the arguments is the end of the call.
  std::string all(text);
  all += "</" + std::string(kName) + ">";
  payload->read(all, {}, true);
  json::Reading reading = std::move(sink.reading);
  if (reading.verdict.end == json::End::complete && !reading.document.empty() && reading.document.root().size() == 0)
    return nothing();
  for (json::Edit& edit : reading.edits) edit.offset = std::min<std::uint64_t>(edit.offset, text.size());
  Receipt receipt(limits.edits);
  receipt.guess(json::EditKind::marker_spelling, 0, text.size());
  add_edits(reading, receipt);
  return reading;
}

}  // namespace belay::text
