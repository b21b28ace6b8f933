#include "text/wrapper.h"

#include "text/scan.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace BELAY_NAMESPACE::text {
namespace {

using json::EditKind;
using json::Grade;

constexpr std::string_view kNameKeys[] = {"name",          "tool_name", "function", "tool",
                                          "function_name", "toolName",  "action",   "recipient_name"};
constexpr std::string_view kArgumentKeys[] = {"arguments", "parameters", "args",         "input",
                                              "params",    "kwargs",     "action_input", "tool_input"};
constexpr std::string_view kIdKeys[] = {"id", "tool_call_id", "call_id", "toolCallId"};
constexpr std::string_view kOtherKeys[] = {"type", "index"};

template <std::size_t N>
bool has(const std::string_view (&list)[N], std::string_view key) {
  return std::find(std::begin(list), std::end(list), key) != std::end(list);
}

template <std::size_t N>
std::optional<json::Member> find(json::Value object, const std::string_view (&keys)[N]) {
  for (std::string_view key : keys)
    if (auto v = object.find(key)) return json::Member{key, *v};
  return std::nullopt;
}

std::string id_of(json::Value object) {
  for (std::string_view key : kIdKeys)
    if (auto v = object.find(key)) {
      if (v->is_string()) return std::string(v->as_string());
      if (v->is_number()) return std::string(v->number_text());
    }
  return {};
}

json::Document copy_of(json::Value value) {
  json::Builder b(Limits{.depth = kUnlimited});
  b.copy(value);
  return b.take();
}

void set_error(json::Reading& reading, std::string message, std::uint64_t offset) {
  reading.verdict.end = json::End::broken;
  reading.verdict.count = 0;
  reading.document = {};
  if (!reading.error) reading.error = {json::ErrorKind::no_value, {offset, 1, 1}, std::move(message)};
}

void note(json::Reading& reading, EditKind kind, Grade grade, std::uint64_t offset, std::uint64_t length) {
  ++reading.edits_total;
  reading.edits.push_back({kind, grade, offset, length});
  reading.verdict.grade = std::max(reading.verdict.grade, grade);
}

// {"name": "f", "city": "Paris"}: all that is no part of the envelope.
std::optional<json::Document> loose(json::Value object) {
  json::Builder b(Limits{.depth = kUnlimited});
  b.open_object();
  bool any = false;
  for (json::Member m : object.members()) {
    if (has(kNameKeys, m.key) || has(kIdKeys, m.key) || has(kOtherKeys, m.key)) continue;
    any = true;
    b.key(m.key);
    b.copy(m.value);
  }
  b.close();
  if (!any) return std::nullopt;
  return b.take();
}

// The members of an object by what they are.
struct Parts {
  std::size_t names = 0, sets = 0, others = 0;
};
Parts parts_of(json::Value object) {
  Parts parts;
  for (json::Member m : object.members()) {
    if (has(kNameKeys, m.key))
      ++parts.names;
    else if (has(kArgumentKeys, m.key))
      ++parts.sets;
    else if (!has(kIdKeys, m.key) && !has(kOtherKeys, m.key))
      ++parts.others;
  }
  return parts;
}

// {"name": "f", "arguments": {}, "function": {"name": "g", "arguments": {}}}: what stands beside the function may be
// the call as well as what stands in it. A name that is the same says nothing new.
void doubt_outer(json::Reading& reading, json::Value outer, json::Value inner, std::uint64_t offset) {
  const auto name = find(inner, kNameKeys);
  const auto agrees = [&](json::Value v) {
    return name && v.is_string() && name->value.is_string() && v.as_string() == name->value.as_string();
  };
  Parts parts = parts_of(outer);
  for (json::Member m : outer.members())
    if (has(kNameKeys, m.key) && (m.key == "function" || agrees(m.value))) --parts.names;
  if (parts.names > 0 || parts.sets > 0) note(reading, EditKind::key_alias, Grade::guess, offset, 0);
  if (parts.others > 0) note(reading, EditKind::loose_arguments, Grade::guess, offset, 0);
}

void take_arguments(json::Reading& reading, json::Value value, std::uint64_t offset, const Limits& limits) {
  switch (value.kind()) {
    case json::Kind::object: reading.document = copy_of(value); return;
    case json::Kind::null: reading.document = empty_object(); return;
    case json::Kind::string: {
      std::string text(value.as_string());
      if (read_quoted(reading, text, offset, limits)) return;
      break;
    }
    case json::Kind::array:
      if (value.size() == 0) {
        note(reading, EditKind::wrong_opener, Grade::guess, offset, 0);
        reading.document = empty_object();
        return;
      }
      break;
    default: break;
  }
  set_error(reading, "the arguments are no object; send them as one JSON object", offset);
}

}  // namespace

bool read_quoted(json::Reading& reading, std::string_view text, std::uint64_t offset, const Limits& limits) {
  json::ReaderOptions options;
  options.root = json::Root::object;
  options.limits = limits;
  if (past_space(text, 0) == text.size()) {
    reading.document = empty_object();
    return true;
  }
  json::Reading inner = json::read(text, options);
  if (inner.verdict.end != json::End::complete) return false;
  const bool words =
      std::ranges::any_of(inner.edits, [](const json::Edit& edit) { return edit.kind == EditKind::prose; });
  note(reading, EditKind::quoted_document, words ? Grade::guess : std::max(Grade::safe, inner.verdict.grade), offset,
       0);
  reading.verdict.count = inner.verdict.count;
  reading.document = std::move(inner.document);
  return true;
}

bool is_name_key(std::string_view key) { return has(kNameKeys, key); }
bool is_arguments_key(std::string_view key) { return has(kArgumentKeys, key); }
bool is_other_key(std::string_view key) { return has(kIdKeys, key) || has(kOtherKeys, key); }

json::Document empty_object() {
  json::Builder b;
  b.open_object();
  b.close();
  return b.take();
}

json::MaybePartial arguments_in(json::MaybePartial object) {
  if (!object || object->kind() != json::Kind::object) return std::nullopt;
  if (auto inner = object->find("function"); inner && inner->kind() == json::Kind::object) object = inner;
  for (std::string_view key : kArgumentKeys)
    if (auto v = object->find(key)) return v->kind() == json::Kind::object ? v : json::MaybePartial();
  return std::nullopt;
}

std::optional<std::string> name_in(json::MaybePartial object, const Context& context, std::string* id) {
  if (!object || object->kind() != json::Kind::object) return std::nullopt;
  std::optional<std::string> found;
  const auto look = [&](std::string_view key, json::Partial value) {
    if (found || value.kind() != json::Kind::string || !value.closed()) return;
    // An id that comes behind the name is said at the call's end: it was announced by then.
    if (has(kIdKeys, key) && id->empty()) *id = value.as_string();
    if (has(kNameKeys, key)) found = std::string(context.plain_name(value.as_string()));
  };
  object->each_member([&](std::string_view key, json::Partial value) {
    look(key, value);
    // One level, as unwrap() does.
    if (key == "function" && value.kind() == json::Kind::object) value.each_member(look);
  });
  return found;
}

Found unwrap(json::Reading reading, const Context& context, const Row& row, std::uint64_t offset) {
  Found found;
  found.reading = std::move(reading);
  json::Reading& r = found.reading;
  if (r.document.empty() || !r.document.root().is_object()) {
    set_error(r, "there is no JSON object in the call", offset);
    return found;
  }
  json::Value object = r.document.root();
  found.id = id_of(object);
  const Limits& limits = context.options.limits;
  if (auto inner = object.find("function"); inner && inner->is_object()) {
    doubt_outer(r, object, *inner, offset);
    object = *inner;
    if (found.id.empty()) found.id = id_of(object);
  }
  auto name = find(object, kNameKeys);
  if (name && !name->value.is_string()) name.reset();
  // {"f": {...}}: the only member is the call.
  if (!name && object.size() == 1) {
    json::Member only = *object.members().begin();
    const bool known = context.tool(only.key) != nullptr;
    const bool body = only.value.is_object() || only.value.is_null() || (row.key_is_name && only.value.is_string());
    if (body && (row.key_is_name || known)) {
      found.name = only.key;
      if (!row.key_is_name) note(r, EditKind::key_alias, Grade::guess, offset, 0);
      take_arguments(r, only.value, offset, limits);
      return found;
    }
  }
  if (name) {
    found.name = context.plain_name(name->value.as_string());
    if (name->value.as_string().find("<|") != std::string_view::npos)
      note(r, EditKind::marker_spelling, Grade::safe, offset, 0);
    if (name->key != row.name_key && row.grammar != Grammar::bare_json && !row.name_key.empty())
      note(r, EditKind::key_alias, Grade::safe, offset, 0);
  }
  // Two names, two sets of arguments, or members beside them: which was meant is a choice.
  const Parts parts = parts_of(object);
  if (parts.names > 1 || parts.sets > 1) note(r, EditKind::key_alias, Grade::guess, offset, 0);
  if (auto arguments = find(object, kArgumentKeys)) {
    if (parts.others > 0) note(r, EditKind::loose_arguments, Grade::guess, offset, 0);
    if (arguments->key != row.arguments_key && row.grammar != Grammar::bare_json && !row.arguments_key.empty())
      note(r, EditKind::key_alias, Grade::safe, offset, 0);
    take_arguments(r, arguments->value, offset, limits);
    return found;
  }
  // A call that was cut off before its arguments came has none to show.
  if (auto rest = loose(object)) {
    note(r, EditKind::loose_arguments, Grade::guess, offset, 0);
    r.document = std::move(*rest);
  } else {
    r.document = empty_object();
  }
  return found;
}

}  // namespace BELAY_NAMESPACE::text
