// Results as text.
#include "text/dialect_state.h"

#include <belay/json/reader.h>
#include <belay/json/writer.h>

#include <algorithm>

namespace BELAY_NAMESPACE::text {
namespace {

constexpr std::string_view kGeneric = "[Result of {name}]\n{marked}";

// The argument that says best what a call was about: read_file for 'a'.
std::string about(const Result& result) {
  constexpr std::string_view kTelling[] = {"path", "file_path", "command", "query", "regex", "pattern", "url", "name"};
  constexpr std::size_t kLong = 200;
  json::ReaderOptions options;
  options.root = json::Root::object;
  json::Reading reading = json::read(result.arguments, options);
  if (reading.document.empty() || !reading.document.root().is_object()) return {};
  const json::Value object = reading.document.root();
  auto short_text = [](json::Value v) {
    std::string_view text = v.as_string();
    return !text.empty() && text.size() <= kLong && text.find('\n') == std::string_view::npos;
  };
  for (std::string_view key : kTelling)
    if (auto value = object.find(key); value && short_text(*value)) return std::string(value->as_string());
  for (json::Member member : object.members())
    if (short_text(member.value)) return std::string(member.value.as_string());
  return {};
}

std::string quoted(std::string_view text) {
  std::string out;
  json::write_string(text, out);
  return out;
}

std::string shown(const Result& result) { return result.text.empty() ? "(no output)" : result.text; }

// Errors that the format has no flag for are marked in the text.
std::string marked(const Result& result) {
  return result.is_error ? "<error>\n" + shown(result) + "\n</error>" : shown(result);
}

std::string word(std::string_view name, const Written& how, const Result& result, std::size_t index) {
  if (name == "text" || name == "marked") return marked(result);
  if (name == "text_json") return quoted(how.id_key == "tool_call_id" ? shown(result) : marked(result));
  if (name == "name") return result.name.empty() ? "a tool" : result.name;
  if (name == "id") return written_id(how, result.name, result.id, index);
  if (name == "id_json") return quoted(written_id(how, result.name, result.id, index));
  if (name == "error_json") return result.is_error ? "true" : "null";
  if (name == "index") return std::to_string(index);
  std::string out = result.name.empty() ? "tool" : result.name;
  if (std::string what = about(result); !what.empty()) out += " for '" + what + "'";
  return out;
}

// Puts words into a row's text: {text} (with an error marked), {text_json}, {name}, {id}, {id_json}, {error_json},
// {index}, and {call}: the name with what it was about. Other braces are braces.
std::string fill(std::string_view row, const Written& how, const Result& result, std::size_t index) {
  constexpr std::string_view kWords[] = {"text",    "marked",     "text_json", "name", "id",
                                         "id_json", "error_json", "index",     "call"};
  std::string out;
  while (!row.empty()) {
    std::size_t open = std::min(row.find('{'), row.size());
    out += row.substr(0, open);
    row.remove_prefix(open);
    if (row.empty()) break;
    std::size_t close = std::min(row.find('}'), row.size());
    std::string_view name = row.substr(1, close - 1);
    if (std::find(std::begin(kWords), std::end(kWords), name) == std::end(kWords)) {
      out += '{';
      row.remove_prefix(1);
      continue;
    }
    out += word(name, how, result, index);
    row.remove_prefix(close + 1);
  }
  return out;
}

std::string put_result(const Written& how, const Result& result, std::size_t index) {
  return fill(how.result.empty() ? kGeneric : how.result, how, result, index);
}

}  // namespace

std::string Dialect::write_result(const Result& result) const { return write_results({&result, 1}); }

std::string Dialect::write_results(std::span<const Result> results) const {
  const Written& how = state_->how;
  if (results.empty()) return {};
  std::string out(how.results_open);
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (i > 0) out += how.result.empty() ? "\n\n" : how.results_between;
    out += put_result(how, results[i], i);
  }
  out += how.results_close;
  return out;
}

}  // namespace BELAY_NAMESPACE::text
