// repair_json: the tolerant reader as a tool, for programs that have damaged JSON in hand.
#include <belay/builtin.h>

#include "builtin/arguments.h"

#include <belay/json.h>
#include <belay/schema.h>

#include <string>
#include <utility>

namespace BELAY_NAMESPACE::builtin {
namespace {

constexpr std::size_t kEditsShown = 200;
// Messages of MCP may be 512 deep, and the value stands four levels down in one.
constexpr std::uint64_t kDepth = 508;

void add_text(std::string& out, std::string_view key, std::string_view value) {
  json::write_string(key, out);
  out += ':';
  json::write_string(value, out);
}

std::string edits_text(const json::Reading& reading) {
  std::string out = "[";
  for (std::size_t i = 0; i < std::min(reading.edits.size(), kEditsShown); ++i) {
    const json::Edit& edit = reading.edits[i];
    out += i == 0 ? "{" : ",{";
    add_text(out, "kind", json::name(edit.kind));
    out += ",\"offset\":" + std::to_string(edit.offset) + ",\"length\":" + std::to_string(edit.length) + ",";
    add_text(out, "grade", json::name(edit.grade));
    out += '}';
  }
  return out + "]";
}

std::string error_text(const json::Error& error) {
  if (!error) return "null";
  std::string out = "{";
  add_text(out, "kind", json::name(error.kind));
  out += ',';
  add_text(out, "message", error.message);
  return out + ",\"offset\":" + std::to_string(error.position.offset) +
         ",\"line\":" + std::to_string(error.position.line) + ",\"column\":" + std::to_string(error.position.column) +
         "}";
}

// What the schema says of the value, and the value as it wants it.
struct Checked {
  schema::Aligned aligned;
  schema::Report report;
  [[nodiscard]] bool trusted() const { return aligned.valid && aligned.grade() != json::Grade::guess; }
};

std::string checked_text(const Checked& checked) {
  std::string out = checked.aligned.valid ? R"({"valid":true,"aligned":[)" : R"({"valid":false,"aligned":[)";
  for (bool first = true; const schema::AlignEdit& edit : checked.aligned.edits) {
    out += std::exchange(first, false) ? "{" : ",{";
    add_text(out, "kind", schema::name(edit.kind));
    out += ',';
    add_text(out, "path", edit.path);
    out += ',';
    add_text(out, "grade", json::name(edit.grade));
    out += '}';
  }
  out += R"(],"violations":[)";
  for (bool first = true; const schema::Violation& violation : checked.report.violations) {
    out += std::exchange(first, false) ? "{" : ",{";
    add_text(out, "path", violation.path);
    out += ',';
    add_text(out, "keyword", violation.keyword);
    out += ',';
    add_text(out, "message", violation.message);
    out += '}';
  }
  return out + "]}";
}

// Why the value should not be acted on; empty when it may be.
std::string warning_of(const json::Reading& reading, const std::optional<Checked>& checked) {
  const std::string no = "NOT TRUSTED: ";
  switch (reading.verdict.word()) {
    case json::Word::broken: return no + "there is no value: " + reading.error.message;
    case json::Word::truncated:
      return no + "the text was cut off inside a value; what is here is only what had come: " + reading.error.message;
    case json::Word::guessed:
      return no + "at least one edit is a guess about what was meant; do not act on this value without a look at it";
    default: break;
  }
  if (checked && !checked->aligned.valid) return no + "the value does not satisfy the schema";
  if (checked && !checked->trusted()) return no + "the value satisfies the schema only after a guess";
  return {};
}

tool::Result repair(const tool::Invocation& call, const schema::Regexes* regexes, std::size_t most_bytes) {
  const auto too_large = [&](std::string_view what, std::size_t size) {
    return tool::error_result(std::string(what) + " has " + std::to_string(size) + " bytes, and " +
                              std::to_string(most_bytes) + " are allowed (limit repair_bytes): give it in parts");
  };
  const std::string_view text = text_argument(call, "text");
  if (text.size() > most_bytes) return too_large("the text", text.size());
  json::ReaderOptions how_deep;
  how_deep.limits.depth = kDepth;
  const json::Reading reading = json::read(text, how_deep);
  std::optional<Checked> checked;
  if (const auto wanted = call.arguments.find("schema"); wanted && !wanted->is_null()) {
    schema::CompileOptions how;
    how.regexes = regexes;
    const auto compiled = schema::Schema::compile(*wanted, how);
    if (!compiled)
      return tool::error_result("the schema cannot be used, so nothing was read: " + compiled.error().message +
                                (compiled.error().where.empty() ? "" : " (at " + compiled.error().where + ")"));
    if (!reading.document.empty()) {
      checked.emplace();
      checked->aligned = compiled->align(reading.document.root());
      schema::doubt_respelled(checked->aligned, reading);
      if (!checked->aligned.valid) checked->report = compiled->check(reading.document.root());
    }
  }
  const std::string warning = warning_of(reading, checked);
  const bool edited = checked && !checked->aligned.value.empty();
  std::string out = "{";
  // null would be a value.
  if (!reading.document.empty() && reading.verdict.word() != json::Word::broken) {
    out += "\"value\":";
    json::write(edited ? checked->aligned.value.root() : reading.document.root(), out);
    out += ',';
  }
  add_text(out, "verdict", json::name(reading.verdict.word()));
  out += warning.empty() ? ",\"trusted\":true" : ",\"trusted\":false,";
  if (!warning.empty()) add_text(out, "warning", warning);
  if (reading.verdict.count > 1) {
    out += ",\"values\":[";
    for (bool first = true; json::Value value : reading.document.values()) {
      if (!std::exchange(first, false)) out += ',';
      json::write(value, out);
    }
    out += ']';
  }
  out += ",\"edits\":" + edits_text(reading) + ",\"edits_total\":" + std::to_string(reading.edits_total);
  out += ",\"error\":" + error_text(reading.error);
  if (checked) out += ",\"schema\":" + checked_text(*checked);
  if (out.size() > most_bytes) return too_large("the result", out.size());
  tool::Result result = tool::text_result(out + "}");
  if (!warning.empty()) result.content.push_back(chat::text_block(warning));
  result.is_error = reading.verdict.word() == json::Word::broken;
  return result;
}

}  // namespace

std::string_view repair_json_output() {
  return R"({"type":"object","properties":{)"
         R"("value":{"description":"The value, mended and, with a schema, aligned with it. Absent when there is none."},)"
         R"("verdict":{"type":"string","enum":["valid","mended","split","guessed","truncated","broken"]},)"
         R"("trusted":{"type":"boolean","description":"false: do not act on the value; warning says why."},)"
         R"("warning":{"type":"string"},)"
         R"("values":{"type":"array","description":"All values, where the text held several."},)"
         R"("edits":{"type":"array","items":{"type":"object"},"description":"What was mended, the first 200."},)"
         R"("edits_total":{"type":"integer"},)"
         R"("error":{"type":["object","null"]},)"
         R"("schema":{"type":"object","description":"Whether the value satisfies the schema, and what was changed."})"
         R"(},"required":["verdict","trusted","edits","edits_total","error"]})";
}

std::expected<tool::Tool, std::string> repair_json(const schema::Regexes* regexes, std::size_t most_bytes) {
  tool::Spec spec;
  spec.name = "repair_json";
  spec.effect = tool::Effect::read;
  spec.description =
      "Reads JSON as models write it (trailing commas, single quotes, comments, prose or fences around it, missing "
      "closers, ...) and returns the value, a verdict (valid, mended, split, guessed, truncated, broken), whether it "
      "can "
      "be trusted, and every edit with its offset. With a JSON Schema (draft 2020-12 or 7) the value is also checked, "
      "and aligned where its meaning is plain. A value with trusted false must not be acted on.";
  spec.parameters =
      R"({"type":"object","properties":{)"
      R"("text":{"type":"string","description":"The damaged JSON, as it is."},)"
      R"("schema":{"type":["object","boolean"],"description":"A JSON Schema that the value should satisfy."}},)"
      R"("required":["text"],"additionalProperties":false})";
  spec.timeout = 0;  // linear in the text, and bounded by its limits
  return tool::Tool::make(
      std::move(spec),
      [regexes, most_bytes](const tool::Invocation& call) { return repair(call, regexes, most_bytes); }, regexes);
}

}  // namespace BELAY_NAMESPACE::builtin
