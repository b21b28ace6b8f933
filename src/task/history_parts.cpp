#include "task/history_parts.h"

#include <belay/json.h>

#include <algorithm>
#include <optional>

namespace BELAY_NAMESPACE::task {

namespace {

using Kind = chat::Block::Kind;

json::ReaderOptions reading_arguments(json::Mode mode) {
  json::ReaderOptions options;
  options.mode = mode;
  options.root = mode == json::Mode::strict ? json::Root::any : json::Root::object;
  // The limits held when the text came in; here nothing may be lost to them.
  options.limits.depth = options.limits.bytes = kUnlimited;
  return options;
}

}  // namespace

bool says_something(std::string_view text) { return text.find_first_not_of(" \t\r\n\v\f") != text.npos; }

bool says_something(const chat::Block& block) {
  switch (block.kind) {
    case Kind::text:
    case Kind::refusal: return says_something(std::string_view(block.text));
    case Kind::reasoning: return says_something(std::string_view(block.text)) || !block.opaque.empty();
    case Kind::image: return !block.data.empty() || !block.url.empty();
    case Kind::tool_call:
    case Kind::tool_result: return true;
    case Kind::other: return !block.opaque.empty();
  }
  return false;
}

// Thoughts alone are no message: no provider takes them back as one, and some wires have no place for them at all.
bool says_something(const chat::Message& message) {
  return std::ranges::any_of(message.blocks, [](const chat::Block& block) {
    return block.kind != chat::Block::Kind::reasoning && says_something(block);
  });
}

bool begins(const chat::Message& message) {
  if (message.role != chat::Role::user) return false;
  return std::ranges::any_of(message.blocks, [](const chat::Block& block) {
    return (block.kind == Kind::text || block.kind == Kind::image || block.kind == Kind::other) &&
           says_something(block);
  });
}

ObjectText::ObjectText() : reader_(reading_arguments(json::Mode::strict)) {}

bool ObjectText::is(std::string_view text) {
  reader_.reset();
  reader_.push(text);
  const json::Reading& reading = reader_.finish_in_place();
  return reading.verdict.word() == json::Word::valid && reading.document.root().is_object();
}

json::Reading read_run(std::string_view text) { return json::read(text, reading_arguments(json::Mode::strict)); }

bool is_object_text(std::string_view text) { return ObjectText().is(text); }

std::string mended_object_text(std::string_view text) {
  json::Reader reader(reading_arguments(json::Mode::tolerant));
  reader.push(text);
  // Nobody knows any more whether the text was cut off or its end forgotten. The last value of an object that is not
  // closed may be half of what it was, so it goes; what stands before it was followed by something.
  std::optional<std::size_t> whole;
  if (const auto value = reader.value(); value && value->kind() == json::Kind::object && !value->seems_closed()) {
    whole = 0;
    value->each_member([&](std::string_view, json::Partial member) {
      if (member.closed()) ++*whole;
    });
  }
  const json::Reading reading = reader.finish();
  if (reading.document.empty() || !reading.document.root().is_object()) return "{}";
  const json::Value object = reading.document.root();
  if (!whole) return json::to_string(object);

  std::string out = "{";
  for (const json::Member& member : object.members()) {
    if ((*whole)-- == 0) break;
    if (out.size() > 1) out += ',';
    json::write_string(member.key, out);
    out += ':';
    json::write(member.value, out);
  }
  return out + "}";
}

bool fits_into_result(const chat::Block& block) {
  return block.kind != chat::Block::Kind::tool_call && block.kind != chat::Block::Kind::tool_result;
}

}  // namespace BELAY_NAMESPACE::task
