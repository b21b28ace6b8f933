// What the items of an answer say.
#include "wire/openai_parts.h"
#include "wire/openai_responses_read.h"

#include <belay/json/writer.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace BELAY_NAMESPACE::wire::openai_responses {
namespace {

using Place = delta::Place;

Place place_of(Part kind, std::string_view block) {
  return {kind == Part::refusal ? Place::Kind::refusal : Place::Kind::text, block};
}

// Items that a client must carry out or answer, other than calls of its functions.
bool is_for_client(std::string_view type) {
  return type == "apply_patch_call" || type == "local_shell_call" || type == "shell_call" || type == "computer_call" ||
         type == "mcp_approval_request";
}

// How far the numbers of an item's parts are from their places in its list: some servers count on from one item to the
// next (vLLM), and their words would be said twice.
std::int64_t shift_of(const Item& item, std::size_t size) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max() / 2;
  const std::int64_t lowest = item.lowest.value_or(0);
  return lowest >= static_cast<std::int64_t>(size) && lowest < kMost ? lowest : 0;
}

}  // namespace

std::string_view arguments_in(json::Value value, std::string_view key, std::string& scratch) {
  auto arguments = value.find(key);
  if (!arguments || arguments->is_null()) return {};
  if (arguments->is_string()) return arguments->as_string();
  scratch.clear();
  json::write(*arguments, scratch);
  return scratch;
}

// Some servers give a call's arguments as `input`, an object.
std::string_view arguments_of(json::Value item, std::string& scratch) {
  const std::string_view text = arguments_in(item, "arguments", scratch);
  return text.empty() ? arguments_in(item, "input", scratch) : text;
}

void Reader::on_item_added(json::Value value, std::optional<std::int64_t> index) {
  ItemRef ref{item_type(text_at(value, "type")), text_at(value, "id"), index, text_at(value, "call_id")};
  sure_ = true;
  Item* known = items_.find_begun(ref);
  Item& item = known ? *known : items_.add(ref);
  if (known) items_.learn(item, ref);
  item.added = true;
  switch (item.type) {
    case ItemType::message: item.members = rest_of(value, {"type", "role", "content", "status"}); break;
    case ItemType::reasoning:
      // It stands here, whether or not something is said of it.
      keep_text(kReasoningNote, json::to_string(value), {Place::Kind::reasoning, item.name});
      break;
    case ItemType::function_call:
    case ItemType::custom_call: {
      send_piece(item, {}, text_at(value, "name"));
      keep_members(item, value);
      // Nothing stands in it yet, as a rule. Where something does it counts if nothing else comes: some servers write
      // {} here and send the arguments after it.
      std::string_view text = arguments_of(value, scratch_);
      if (item.type != ItemType::function_call || item.begun || text == "{}") break;
      start_bytes_ += text.size();
      if (start_bytes_ > limits_.bytes) return fail_limit("calls begin with more bytes", "bytes", limits_.bytes);
      item.start = text;
      break;
    }
    case ItemType::other: break;
  }
}

void Reader::on_item_done(Item& item, json::Value value) {
  switch (item.type) {
    case ItemType::message: on_message_done(item, value); break;
    case ItemType::reasoning: on_reasoning_done(item, value); break;
    case ItemType::function_call:
    case ItemType::custom_call: on_call_done(item, value); break;
    case ItemType::other: on_other_done(item, value); break;
  }
  items_.finish(item);
}

// The list at the end repeats a call that is over. What it says otherwise must not go unseen.
void Reader::on_call_repeated(Item& item, json::Value value) {
  const bool custom = item.type == ItemType::custom_call;
  if (!custom && item.type != ItemType::function_call) return;
  const Whole whole = text_at(value, "status") == "incomplete" ? Whole::cut : Whole::open;
  std::string_view text = custom ? text_at(value, "input") : arguments_of(value, scratch_);
  std::string_view name = text_at(value, "name");
  if (name == item.tool) name = {};
  if (text.empty() && name.empty() && whole != Whole::cut && sure_) return;
  if (custom && !text.empty())
    input_whole(item, text, name, whole);
  else
    send_whole(item, text, name, whole);
}

// At the end of the answer: calls that nothing came for but what stood in them when they began.
void Reader::finish_calls() {
  sure_ = true;
  for (std::size_t i = 0; i < items_.size(); ++i)
    if (Item& item = items_[i]; !item.begun && !item.start.empty())
      send_whole(item, std::exchange(item.start, {}), {}, Whole::begun);
}

void Reader::on_message_done(Item& item, json::Value value) {
  std::string_view status = text_at(value, "status");
  const bool usual = status.empty() || status == "completed" || status == "in_progress";
  std::string members =
      rest_of(value, usual ? Keys{"type", "role", "content", "status"} : Keys{"type", "role", "content"});
  if (members != item.members) {
    // They went out with the first piece, as they were when the item was added.
    item.members = members;
    if (!item.first_block.empty() && !members.empty())
      keep_text(kMessageNote, std::move(members), place_of(item.first_kind, item.first_block));
  }
  auto content = array_at(value, "content");
  if (!content) return whole(item, Part::text, 0, text_at(value, "content"));
  std::int64_t n = shift_of(item, content->size());
  for (json::Value part : content->items()) {
    std::string_view word = text_at(part, "type") == "refusal" ? "refusal" : "text";
    const Part kind = word == "refusal" ? Part::refusal : Part::text;
    whole(item, kind, n, text_at(part, word));
    if (items_.sent(item, static_cast<char>(kind), n) > 0)
      for (json::Member m : part.members()) {
        const bool empty = m.value.is_null() || (m.value.is_array() && m.value.size() == 0);
        if (m.key != "type" && m.key != word && !empty) opaque(m.key, m.value, place_of(kind, block_name(item, n)));
      }
    ++n;
  }
}

void Reader::on_reasoning_done(Item& item, json::Value value) {
  // First this, so that the block stands where the item stood when nothing was streamed of it.
  keep_text(kReasoningNote, json::to_string(value), {Place::Kind::reasoning, item.name});
  const auto summary = array_at(value, "summary"), content = array_at(value, "content");
  // What was streamed as the other of the two, which the item lacks, is not said again.
  const bool alone = !summary || !content || summary->size() == 0 || content->size() == 0;
  for (Part kind : {Part::summary, Part::thought}) {
    const auto& parts = kind == Part::summary ? summary : content;
    const Part other = kind == Part::summary ? Part::thought : Part::summary;
    if (!parts) continue;
    std::int64_t n = kind == Part::thought ? shift_of(item, parts->size()) : 0;
    for (json::Value part : parts->items()) {
      const std::string_view words = text_at(part, "text");
      const bool said = alone && !words.empty() && items_.sent(item, static_cast<char>(kind), n) == 0 &&
                        items_.sent(item, static_cast<char>(other), n) == words.size();
      if (!said) whole(item, kind, n, words);
      ++n;
    }
  }
}

// What the provider did itself, or what somebody would have to do who knows these items.
void Reader::on_other_done(Item& item, json::Value value) {
  keep_text(kItem, json::to_string(value), {Place::Kind::other, item.name});
  const std::string_view type = text_at(value, "type");
  if (!is_for_client(type)) return;
  if (auto where = object_at(value, "environment"); where && text_at(*where, "type").starts_with("container")) return;
  notice("unsupported_item",
         "an item of the type " + std::string(type) + " is for the client, and nobody carries it out");
}

void Reader::on_call_done(Item& item, json::Value value) {
  std::string_view name = text_at(value, "name");
  // A call that was cut is listed too, and says so.
  const bool closed = text_at(value, "status") != "incomplete";
  if (item.type == ItemType::custom_call)
    input_whole(item, text_at(value, "input"), name, closed ? Whole::closed : Whole::cut);
  else
    send_whole(item, arguments_at_end(item, value), name, closed ? Whole::closed : Whole::cut);
  keep_members(item, value);
  if (closed) send(delta::CallEnd{key_of(item)});
}

// What a call's item holds when it is over; what it began with when that is nothing.
std::string_view Reader::arguments_at_end(Item& item, json::Value value) {
  std::string_view text = arguments_of(value, scratch_);
  if (!text.empty() || item.begun || item.start.empty()) return text;
  scratch_ = std::exchange(item.start, {});
  return scratch_;
}

void Reader::piece(Item& item, Part kind, std::int64_t part, std::string_view words) {
  if (words.empty()) return;
  std::uint64_t& sent = items_.sent(item, static_cast<char>(kind), part);
  if (kind != Part::summary) item.lowest = std::min(item.lowest.value_or(part), part);
  if (kind == Part::text || kind == Part::refusal) {
    const std::string_view block = block_name(item, part);
    if (item.first_block.empty()) {
      item.first_kind = kind;
      item.first_block = block;
      if (!item.members.empty()) keep_text(kMessageNote, item.members, place_of(kind, block));
    } else if (sent == 0) {
      keep_text(kMessageNote, "{}", place_of(kind, block));  // in the same item as the one before
    }
    kind == Part::text ? text(words, block) : refusal(words, block);
  } else {
    // Parts of reasoning are paragraphs of one block.
    scratch_ = static_cast<char>(kind);
    scratch_ += std::to_string(part);
    if (!item.last_part.empty() && item.last_part != scratch_) reasoning("\n\n", item.name);
    item.last_part = scratch_;
    reasoning(words, item.name);
  }
  sent += words.size();
}

void Reader::whole(Item& item, Part kind, std::int64_t part, std::string_view text) {
  std::uint64_t sent = items_.sent(item, static_cast<char>(kind), part);
  if (sent == 0) return piece(item, kind, part, text);
  if (sent != text.size() && !text.empty())
    notice("snapshot_differs", "a text as a whole is not the sum of its pieces; the pieces stand");
}

void Reader::input_piece(Item& item, std::string_view text) {
  if (text.empty()) return;
  std::string quoted;
  json::write_string(text, quoted);
  quoted.pop_back();
  if (!std::exchange(item.input_open, true))
    quoted.insert(0, R"({"input":)");
  else
    quoted.erase(0, 1);
  send_piece(item, quoted);
}

void Reader::input_whole(Item& item, std::string_view text, std::string_view name, Whole whole) {
  if (std::exchange(item.input_open, false)) send_piece(item, "\"}");
  send_whole(item, arguments_of_input(text), name, whole);
}

delta::Call Reader::call_of(Item& item, std::string_view text, std::string_view name) {
  // An item that names its call is one, though it lacks the tool's name.
  const bool fragment = !item.added && name.empty() && item.call_id.empty();
  item.begun |= !text.empty();
  if (item.tool.empty()) item.tool = name;
  return {.key = key_of(item), .name = name, .arguments = text, .fragment = fragment, .awaits_end = true};
}

void Reader::send_piece(Item& item, std::string_view text, std::string_view name) {
  delta::Call call = call_of(item, text, name);
  call.disputed = !sure_ && !text.empty();
  send(call);
}

void Reader::send_whole(Item& item, std::string_view text, std::string_view name, Whole whole) {
  delta::Call call = call_of(item, text, name);
  call.whole = true;
  call.closed = whole == Whole::closed;
  call.cut = whole == Whole::cut;
  call.from_start = whole == Whole::begun;
  call.disputed = !sure_;
  send(call);
}

// What a call has beside what every wire knows of calls: the item's id, a namespace.
void Reader::keep_members(Item& item, json::Value value) {
  const bool custom = item.type == ItemType::custom_call;
  const bool input = arguments_in(value, "arguments", scratch_).empty();  // it may stand for them
  std::string members = rest_of(value, custom  ? Keys{"type", "call_id", "name", "input", "status"}
                                       : input ? Keys{"type", "call_id", "name", "arguments", "input", "status"}
                                               : Keys{"type", "call_id", "name", "arguments", "status"});
  if (custom && members.empty()) members = "{}";
  if (members.empty() || members == item.members) return;
  item.members = members;
  const chat::Opaque note{std::string(kWire), std::string(custom ? kCustomCallNote : kCallNote), std::move(members)};
  send(delta::CallOpaque{key_of(item), &note});
}

void Reader::keep_text(std::string_view key, std::string json, const delta::Place& place) {
  const chat::Opaque note{std::string(kWire), std::string(key), std::move(json)};
  send(delta::BlockOpaque{place, &note});
}

std::string_view Reader::block_name(const Item& item, std::int64_t part) {
  if (part == 0) return item.name;
  block_name_ = item.name;
  block_name_ += '#';
  block_name_ += std::to_string(part);
  return block_name_;
}

}  // namespace BELAY_NAMESPACE::wire::openai_responses
