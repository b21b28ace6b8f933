#include "turn/judge.h"

#include <belay/json/builder.h>
#include <belay/json/locate.h>
#include <belay/turn/names.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace BELAY_NAMESPACE::turn {
namespace {

json::Document empty_object() {
  json::Builder b;
  b.open_object();
  b.close();
  return b.take();
}

// Objects that were glued together and are all the same count as one.
//
// Empty ones in front of others are most likely none of the model's: servers begin a call with {} and then stream its
// arguments. But a model can also mean two calls, so the arguments are a guess, and {} is never run first; unless the
// tool needs arguments (`needed`), so that {} can be none of its calls.
void collapse(Call& call, std::uint64_t size, bool needed) {
  if (call.verdict.count < 2) return;
  std::optional<json::Value> first;
  bool empty = false, several = false;
  std::uint64_t rest = 0;  // with the first one that is not empty
  for (json::Value v : call.reading.document.values()) {
    if (!first && v.size() == 0) {
      empty = true;
      continue;
    }
    if (!first) first = v;
    several |= !(v == *first);
    ++rest;
  }
  if (several && !empty) return;
  const json::Grade grade = empty && first && !needed ? json::Grade::guess : json::Grade::safe;
  // Where the second begins is not known any more; it is somewhere in the text.
  call.reading.edits.push_back({json::EditKind::stray_bytes, grade, 0, size});
  ++call.reading.edits_total;
  call.verdict.grade = std::max(call.verdict.grade, grade);
  if (several && !needed) return;
  call.verdict.count = several ? rest : 1;
  if (!empty || !first) return;
  json::Builder b(Limits{.depth = kUnlimited});
  bool behind = false;
  for (json::Value v : call.reading.document.values()) {
    behind |= v.size() > 0;
    if (!behind) continue;
    b.copy(v);
    if (!several) break;
  }
  call.value = b.take();
}

// Where each fragment repeated all before it, the last one is the arguments: if it is valid JSON by itself, and all of
// them together are not. Where those could be read for sure as something else, both may be meant.
void take_last(Call& call, const Arguments& arguments, const Limits& limits) {
  const json::Word together = call.reading.verdict.word();
  if (arguments.repeating.empty() || together == json::Word::valid) return;
  json::ReaderOptions options;
  options.root = json::Root::object;
  options.limits = limits;
  json::Reading last = json::read(arguments.repeating, options);
  if (last.verdict.word() != json::Word::valid) return;
  json::Edit edit{json::EditKind::stray_bytes, json::Grade::safe, 0, arguments.size - arguments.repeating.size()};
  if (together == json::Word::mended || together == json::Word::split) {
    bool same = true;
    for (json::Value v : call.reading.document.values()) same &= v == last.document.root();
    if (same) return;
    edit.grade = json::Grade::guess;
  } else {
    call.reading = std::move(last);
  }
  call.reading.verdict.grade = edit.grade;
  call.reading.edits.push_back(edit);
  ++call.reading.edits_total;
}

// Arguments are an object, so a JSON string that holds exactly one can mean nothing else.
void unquote(Call& call, std::string_view text) {
  json::ReaderOptions strict;
  strict.mode = json::Mode::strict;
  json::Reading outer = json::read(text, strict);
  if (outer.verdict.word() != json::Word::valid || !outer.document.root().is_string()) return;
  strict.root = json::Root::object;
  json::Reading inner = json::read(outer.document.root().as_string(), strict);
  if (inner.verdict.word() != json::Word::valid) return;
  // Strict mode keeps repeated keys; here they would be a choice.
  if (json::read(outer.document.root().as_string()).verdict.word() != json::Word::valid) return;
  call.reading = std::move(inner);
  call.reading.verdict.grade = json::Grade::safe;
  call.aligned.push_back({schema::AlignKind::json_in_string, json::Grade::safe, "", ""});
}

// A model that mixed up its protocols sends tags for JSON: <path>a</path>. What stands between the tags is a value,
// even where it is a JSON object. One tag around an object, of which nothing is known, is a wrapper:
// <json>{...}</json>.
void read_tags(Call& call, std::string_view text, const LedgerOptions& options) {
  text::Shape shape;
  for (const text::Tool& tool : options.shapes)
    if (tool.name == call.name) shape = tool.parameters;
  json::Reading reading = text::read_parameters(text, shape, call.name, options.limits);
  if (reading.verdict.end != json::End::complete) return;
  const bool object_inside = call.reading.verdict.end == json::End::complete;
  if (object_inside && !shape.declared && reading.document.root().size() < 2) return;
  call.reading = std::move(reading);
}

// {"path": "a"} <path>b</path>: the model said it twice, and which of the two it meant is a choice.
void doubt_tags(Call& call, std::string_view text, const LedgerOptions& options) {
  text::Shape shape;
  for (const text::Tool& tool : options.shapes)
    if (tool.name == call.name) shape = tool.parameters;
  for (json::Edit& edit : call.reading.edits) {
    if (edit.kind != json::EditKind::prose || edit.grade == json::Grade::guess || edit.offset >= text.size()) continue;
    const std::string_view beside = text.substr(edit.offset, edit.length);
    const std::size_t tag = beside.find('<');
    if (tag == std::string_view::npos) continue;
    const json::Reading tags = text::read_parameters(beside.substr(tag), shape, call.name, options.limits);
    if (tags.document.empty() || tags.document.root().size() == 0) continue;
    edit.grade = call.reading.verdict.grade = json::Grade::guess;
  }
}

const KnownTool* tool_of(std::string_view name, const LedgerOptions& options) {
  for (const KnownTool& tool : options.tools)
    if (tool.name == name) return &tool;
  auto aliased = [&](std::string_view alias) -> const KnownTool* {
    for (const KnownTool& tool : options.tools)
      if (std::find(tool.aliases.begin(), tool.aliases.end(), alias) != tool.aliases.end()) return &tool;
    return nullptr;
  };
  if (const KnownTool* tool = aliased(name)) return tool;
  std::vector<std::string> names;
  names.reserve(options.tools.size());
  for (const KnownTool& tool : options.tools) names.push_back(tool.name);
  if (const std::optional<std::size_t> found = resolve_name(name, names)) return &options.tools[*found];
  return aliased(without_namespace(name));
}

std::string known_names(const LedgerOptions& options) {
  std::string out;
  for (std::size_t i = 0; i < options.tools.size() && i < 12; ++i)
    (out += out.empty() ? "" : ", ") += options.tools[i].name;
  if (options.tools.size() > 12) out += " and " + std::to_string(options.tools.size() - 12) + " more";
  return out;
}

// Where one of several objects stands among them, as the beginning of a path; nothing for a single one.
std::string place_among(const Call& call, std::size_t at) {
  return call.verdict.count > 1 ? "/" + std::to_string(at) : std::string();
}

// Parameters under other names that the tool knows get their own, where those are free.
void rename_parameters(Call& call, const KnownTool& tool) {
  json::Builder b(Limits{.depth = kUnlimited});
  std::vector<schema::AlignEdit> edits;
  std::size_t at = 0;
  for (json::Value value : call.values()) {
    const std::string among = place_among(call, at++);
    if (!value.is_object()) return;
    auto own_name = [&](std::string_view key) -> std::string_view {
      for (const auto& [alias, own] : tool.parameter_aliases)
        if (alias == key && !value.find(own)) return own;
      return key;
    };
    b.open_object();
    for (json::Member m : value.members()) {
      std::string_view own = own_name(m.key);
      // The second of two aliases of one parameter keeps its name, for the schema to refuse.
      if (!b.key(own)) return;
      b.copy(m.value);
      if (own != m.key)
        edits.push_back(
            {schema::AlignKind::near_key, json::Grade::safe, among + "/" + std::string(m.key), std::string(own)});
    }
    b.close();
  }
  if (edits.empty()) return;
  call.value = b.take();
  call.verdict.grade = std::max(call.verdict.grade, json::Grade::safe);
  call.aligned.insert(call.aligned.end(), edits.begin(), edits.end());
}

// Where a value stands in the argument text, when that is JSON as it should be; otherwise where the arguments begin.
Position place_of(const Call& call, std::size_t node, std::string_view text) {
  const bool as_written = call.verdict.grade == json::Grade::strict && call.value.empty() && !call.from_text;
  return as_written ? json::locate(text, node).value_or(Position{}) : Position{};
}

// What aligning changed, into the receipt. `among` is where the object stands when there are several.
void take_edits(Call& call, schema::Aligned& aligned, const std::string& among) {
  schema::doubt_respelled(aligned, call.reading);
  call.verdict.grade = std::max(call.verdict.grade, aligned.grade());
  for (schema::AlignEdit& edit : aligned.edits) {
    edit.path.insert(0, among);
    call.aligned.push_back(std::move(edit));
  }
}

void refuse(Call& call, const schema::Schema& parameters, json::Value value, std::string_view text) {
  schema::Report report = parameters.check(value);
  std::string message;
  for (const schema::Violation& v : report.violations) (message += message.empty() ? "" : "; ") += v.message;
  call.error = CallError{"schema", std::move(message), {}};
  if (!report.violations.empty()) call.error->position = place_of(call, report.violations[0].node, text);
}

// Each of several objects has to fit, and is aligned as if it stood alone. Where one cannot be, all stay as they were.
bool fit_each(Call& call, const schema::Schema& parameters, std::string_view text) {
  std::vector<schema::Aligned> aligned;
  bool edited = false;
  for (json::Value v : call.values()) {
    aligned.push_back(parameters.align(v));
    if (!aligned.back().valid) {
      refuse(call, parameters, v, text);
      return false;
    }
    edited |= !aligned.back().edits.empty();
  }
  if (!edited) return true;
  json::Builder b(Limits{.depth = kUnlimited});
  std::size_t at = 0;
  for (json::Value v : call.values()) {
    b.copy(aligned[at].edits.empty() ? v : aligned[at].value.root());
    take_edits(call, aligned[at], place_among(call, at));
    ++at;
  }
  call.value = b.take();
  return true;
}

// Aligns the arguments with the tool's schema and checks them. True when they satisfy it.
bool fits(Call& call, const KnownTool& tool, std::string_view text) {
  const schema::Schema& parameters = *tool.parameters;
  if (!tool.parameter_aliases.empty()) rename_parameters(call, tool);
  std::optional<json::Value> value = call.arguments();
  if (!value) return false;
  if (call.verdict.count > 1) return fit_each(call, parameters, text);
  schema::Aligned aligned = parameters.align(*value);
  if (!aligned.valid) {
    refuse(call, parameters, *value, text);
    return false;
  }
  if (!aligned.edits.empty()) call.value = std::move(aligned.value);
  take_edits(call, aligned, "");
  return true;
}

// Why a call is not trusted. The end of the turn first: what it lacks may be the reason of everything else.
std::string distrust(const Call& call, const Ending& end, bool cut, bool missing) {
  if (end.failed) return "the stream failed";
  if (!end.ended) return "the stream ended without its end marker";
  if (missing || (!cut && !call.closed)) return "the call was never closed";
  if (cut) return "the turn was cut off (" + std::string(chat::name(end.stop)) + ") and nothing followed the call";
  if (call.error) return call.error->kind;
  return "its arguments are " + std::string(json::name(call.verdict.word()));
}

}  // namespace

std::optional<json::Value> Call::arguments() const {
  if (!value.empty()) return value.root();
  if (!reading.document.empty()) return reading.document.root();
  return std::nullopt;
}

void doubt(Call& call, const json::Edit& edit) {
  call.reading.edits.push_back(edit);
  ++call.reading.edits_total;
  call.verdict.grade = json::Grade::guess;
  if (!std::exchange(call.trusted, false)) return;
  call.distrust = "its arguments are " + std::string(json::name(call.verdict.word()));
}

bool needs_arguments(std::string_view name, const LedgerOptions& options) {
  const KnownTool* tool = tool_of(name, options);
  if (!tool || !tool->parameters) return false;
  const json::Document none = empty_object();
  return !tool->parameters->valid(none.root());
}

void judge(Call& call, const Arguments& arguments, const Ending& end, bool followed, const LedgerOptions& options) {
  const bool missing = arguments.size == 0 && arguments.never_closed;
  if (missing) call.closed = false;
  const bool cut = (end.cut() && !followed) || missing;
  if (arguments.size == 0) {
    // A call without arguments has none to get wrong, unless it was cut off before they came.
    call.reading.document = empty_object();
    call.reading.edits.clear();
    call.reading.edits_total = 0;
    call.reading.verdict = {cut ? json::End::cut : json::End::complete, json::Grade::strict, 1};
    call.reading.error = {};
    if (cut)
      call.reading.error = {json::ErrorKind::truncated,
                            {},
                            missing ? "the call was never closed, and no arguments came for it"
                                    : "the turn was cut off before the arguments came"};
  }
  const std::string_view begins =
      arguments.text.substr(std::min(arguments.text.find_first_not_of(" \t\r\n"), arguments.text.size()));
  if (!cut) take_last(call, arguments, options.limits);
  if (!cut && begins.starts_with('"')) unquote(call, arguments.text);
  if (!cut && begins.starts_with('<')) read_tags(call, arguments.text, options);
  if (!cut) doubt_tags(call, arguments.text, options);
  call.verdict = call.reading.verdict;
  for (const std::optional<json::Edit>& edit : {arguments.mend, arguments.doubt}) {
    if (!edit) continue;
    call.reading.edits.push_back(*edit);
    ++call.reading.edits_total;
    call.verdict.grade = std::max(call.verdict.grade, edit->grade);
  }
  collapse(call, arguments.size, call.verdict.count > 1 && needs_arguments(call.name, options));
  if (call.reading.error)
    call.error = CallError{std::string(json::name(call.reading.error.kind)), call.reading.error.message,
                           call.reading.error.position};

  const bool whole = call.verdict.end == json::End::complete;
  const KnownTool* tool = tool_of(call.name, options);
  if (tool) call.tool = tool->name;
  bool known = !call.name.empty() && (tool != nullptr || options.any_tool);
  if (!known && !call.error)
    call.error = call.name.empty()
                     ? CallError{"no_name", "the call has no name", {}}
                     : CallError{"unknown_tool",
                                 "there is no tool " + call.name +
                                     (options.tools.empty() ? std::string() : "; known are " + known_names(options)),
                                 {}};
  bool satisfied = true;
  if (whole && tool && tool->parameters) satisfied = fits(call, *tool, arguments.text);

  call.closed |= whole && end.ended && !cut;
  const json::Word word = call.verdict.word();
  const bool sound = word == json::Word::valid || word == json::Word::mended || word == json::Word::split;
  call.properly_ended = end.ended && !end.failed && !cut;
  call.trusted = sound && known && satisfied && call.closed && end.ended && !end.failed && !cut;
  if (!call.trusted) call.distrust = distrust(call, end, cut, missing);
}

}  // namespace BELAY_NAMESPACE::turn
