// Arguments that are tags where JSON was wanted.
#include "text/payload.h"
#include "text/scan.h"
#include "text/tags.h"

#include <utility>

namespace BELAY_NAMESPACE::text {
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

// A call's own tags around its parameters: <read_file>, <function=read_file>, <invoke name="read_file">, <tool_call>.
std::string_view without_wrappers(std::string_view text, const Shape& shape, std::string_view tool) {
  constexpr int kDeep = 4;
  for (int i = 0; i < kDeep; ++i) {
    const std::string_view inside = trimmed(text);
    const Tag tag = read_tag(inside, kPlain, true);
    if (tag.is != Is::yes || tag.closing || tag.empty) return text;
    const std::string_view name = tag.name.substr(0, tag.name.find('='));
    const bool own = !tool.empty() && same_word(name, tool) && !shape.has(name);
    const bool usual = same_word(name, "function") || same_word(name, "invoke") || same_word(name, "tool_call") ||
                       same_word(name, "function_calls") || same_word(name, "arguments") ||
                       same_word(name, "parameters");
    if (!own && (!usual || shape.has(name))) return text;
    std::string_view rest = inside.substr(tag.length);
    // Its closer, when it is there; what else stands behind the parameters is the reader's business.
    const std::size_t closer = rest.rfind("</");
    if (closer != std::string_view::npos) {
      const Tag last = read_tag(rest.substr(closer), kPlain, true);
      if (last.is == Is::yes && last.closing && same_word(last.name, name) && closer + last.length == rest.size())
        rest = rest.substr(0, closer);
    }
    text = rest;
  }
  return text;
}

}  // namespace

json::Reading read_parameters(std::string_view text, const Shape& shape, std::string_view tool, const Limits& limits) {
  const std::string_view inside = without_wrappers(text, shape, tool);
  const auto before = static_cast<std::uint64_t>(inside.data() - text.data());
  const std::uint64_t size = text.size();
  text = inside;
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
  for (json::Edit& edit : reading.edits) edit.offset = std::min<std::uint64_t>(edit.offset + before, size);
  Receipt receipt(limits.edits);
  receipt.guess(json::EditKind::marker_spelling, 0, size);
  add_edits(reading, receipt);
  return reading;
}

}  // namespace BELAY_NAMESPACE::text
