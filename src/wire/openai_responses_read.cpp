// Answers of OpenAI Responses: a stream of events about items, or one object that lists them.
#include "wire/openai_responses_read.h"

#include "wire/openai_parts.h"
#include "wire/stop_words.h"

#include <algorithm>
#include <utility>

namespace BELAY_NAMESPACE::wire {
namespace openai_responses {
namespace {

using chat::StopReason;

// Items of an answer, or parts of them, for each call that it may have: their names are kept.
constexpr std::uint64_t kItemsOfCall = 64;

ItemRef ref_of(json::Value item, std::optional<std::int64_t> index) {
  return {item_type(text_at(item, "type")), text_at(item, "id"), index, text_at(item, "call_id"),
          text_at(item, "name")};
}

// A custom call's input is a text; anything can stand for arguments.
bool readable(std::optional<json::Value> delta, bool custom) { return delta && (delta->is_string() || !custom); }

}  // namespace

void Reader::on_event(json::Value value, std::string_view event) {
  if (!value.is_object()) return lost("ignored_event", "an event that is no object");
  on_sequence(value);
  std::string_view type = text_at(value, "type");
  if (type.empty()) type = event;
  if (type.starts_with("response.")) return on_stream_event(value, type.substr(9));
  if (auto error = error_at(value)) return on_error(*error);
  if (type == "error" || text_at(value, "object") == "error") return on_error(value);
  if (text_at(value, "object") == "response" || (type.empty() && array_at(value, "output"))) {
    on_response(value);
    on_end(value, {});
  }
  // Anything else keeps the connection alive, or is a gateway's own.
}

void Reader::on_stream_event(json::Value value, std::string_view what) {
  recognised_ = true;
  if (std::max(items_.size(), items_.parts()) / kItemsOfCall > limits_.calls)
    return fail_limit("the answer has more items or parts for each call that it may have", "calls", kItemsOfCall);
  auto response = object_at(value, "response");
  if (response) on_response(*response);
  if (what == "output_item.added" || what == "output_item.done") {
    auto item = object_at(value, "item");
    if (!item) return notice("ignored_event", "an item that is no object");
    if (what.ends_with("added"))
      on_item_added(*item, index_at(value, "output_index"));
    else
      on_item_done(item_of(ref_of(*item, index_at(value, "output_index"))), *item);
  } else if (what == "completed" || what == "incomplete" || what == "done" || what == "failed" || what == "cancelled") {
    on_end(response.value_or(value), what);
  } else if (!on_text_event(value, what)) {
    // Whatever else there is (searches, images, annotations) comes again in its item.
    on_call_event(value, what);
  }
}

// Events are numbered in a row. Where one is missing or out of its order, it may have been a part of a call. Servers
// that number nothing write the same everywhere.
void Reader::on_sequence(json::Value value) {
  const std::optional<std::uint64_t> number = count_at(value, "sequence_number");
  if (!number) return;
  const std::optional<std::uint64_t> last = std::exchange(sequence_, number);
  if (!last || *number == *last || *number == *last + 1 || !items_.any_call()) return;
  lose();
  if (std::exchange(gap_, true)) return;
  notice("sequence_gap", "the numbers of the events have a gap; calls that do not come as a whole are not trusted");
}

// The item that an event is about, which begins with it when there is none.
Item& Reader::item_of(const ItemRef& ref) {
  const Items::Found found = items_.find(ref);
  sure_ = found.sure;
  if (!found.item) return items_.add(ref);
  if (sure_) items_.learn(*found.item, ref);
  return *found.item;
}

void Reader::on_response(json::Value response) {
  recognised_ = true;
  if (started_) return;
  started_ = true;
  start(text_at(response, "id"), text_at(response, "model"));
}

bool Reader::on_text_event(json::Value value, std::string_view what) {
  struct Row {
    std::string_view event, member;
    Part kind;
  };
  static constexpr Row kRows[] = {
      {"output_text.delta", "delta", Part::text},
      {"output_text.done", "text", Part::text},
      {"refusal.delta", "delta", Part::refusal},
      {"refusal.done", "refusal", Part::refusal},
      {"reasoning_summary_text.delta", "delta", Part::summary},
      {"reasoning_summary_text.done", "text", Part::summary},
      {"reasoning_text.delta", "delta", Part::thought},
      {"reasoning_text.done", "text", Part::thought},
      // What other servers call the same events.
      {"text.delta", "delta", Part::text},
      {"text.done", "text", Part::text},
      {"reasoning.delta", "delta", Part::thought},
      {"reasoning.done", "text", Part::thought},
      {"reasoning_summary.delta", "delta", Part::summary},
      {"reasoning_summary.done", "text", Part::summary},
  };
  if (what == "content_part.added" || what == "content_part.done") return on_part(value, what.ends_with(".added"));
  for (const Row& row : kRows) {
    if (row.event != what) continue;
    const bool said = row.kind == Part::text || row.kind == Part::refusal;
    Item& item = item_of({said ? ItemType::message : ItemType::reasoning,
                          text_at(value, "item_id"),
                          index_at(value, "output_index"),
                          {}});
    std::int64_t part = index_at(value, row.kind == Part::summary ? "summary_index" : "content_index").value_or(0);
    std::string_view words = text_at(value, row.member);
    if (auto object = object_at(value, row.member)) words = text_at(*object, "text");
    if (what.ends_with(".done"))
      whole(item, row.kind, part, words);
    else
      piece(item, row.kind, part, words);
    return true;
  }
  return false;
}

// A part as it begins, which goes on with its pieces, or as a whole. Others come again in their items.
bool Reader::on_part(json::Value value, bool begins) {
  const std::optional<json::Value> part = object_at(value, "part");
  const std::string_view type = part ? text_at(*part, "type") : std::string_view{};
  const bool refused = type == "refusal", thought = type == "reasoning_text";
  if (!refused && !thought && type != "output_text" && type != "text") return true;
  Item& item = item_of({thought ? ItemType::reasoning : ItemType::message,
                        text_at(value, "item_id"),
                        index_at(value, "output_index"),
                        {}});
  const Part kind = refused ? Part::refusal : thought ? Part::thought : Part::text;
  const std::int64_t place = index_at(value, "content_index").value_or(0);
  const std::string_view words = text_at(*part, refused ? "refusal" : "text");
  begins ? piece(item, kind, place, words) : whole(item, kind, place, words);
  return true;
}

void Reader::on_call_event(json::Value value, std::string_view what) {
  const bool custom = what.starts_with("custom_tool_call_input.");
  if (!custom && !what.starts_with("function_call_arguments.")) return;
  Item& item = item_of({custom ? ItemType::custom_call : ItemType::function_call, text_at(value, "item_id"),
                        index_at(value, "output_index"), text_at(value, "call_id")});
  std::string_view name = text_at(value, "name");
  const bool done = what.ends_with(".done");
  if (!done && !readable(value.find("delta"), custom))
    return lost("ignored_fragment", "a fragment of arguments that is not where it belongs", key_of(item));
  if (!sure_ && text_at(value, "item_id").empty() && !index_at(value, "output_index"))
    lost("ignored_fragment", "a fragment of arguments names no item, and several calls are open");
  if (!done && !name.empty() && name != item.tool) {
    // Some servers say it only here.
    if (!item.tool.empty())
      sure_ = false;
    else
      send_piece(item, {}, name);
  }
  if (done) {
    // More may follow: the item as a whole, which then counts.
    if (custom)
      input_whole(item, text_at(value, "input"), name, Whole::open);
    else
      send_whole(item, arguments_in(value, "arguments", scratch_), name);
  } else if (custom) {
    input_piece(item, text_at(value, "delta"));
  } else {
    send_piece(item, arguments_in(value, "delta", scratch_));
  }
}

void Reader::on_end(json::Value response, std::string_view what) {
  if (auto error = error_at(response)) return on_error(*error);
  std::string_view status = text_at(response, "status");
  if (what == "failed" || status == "failed") return on_error(response);
  if (what == "cancelled" || status == "cancelled" || status == "canceled")
    return fail({"cancelled", "the response was cancelled", false, std::nullopt});
  if (auto output = array_at(response, "output")) on_output(*output);
  finish_calls();
  if (auto usage_read = object_at(response, "usage")) on_usage(*usage_read);
  if (status == "in_progress" || status == "queued") return notice("not_finished", "the response is not finished yet");
  if (what == "incomplete" || status == "incomplete") {
    std::string_view reason;
    if (auto details = object_at(response, "incomplete_details")) reason = text_at(*details, "reason");
    // Whatever the reason is, something is missing.
    const std::optional<StopReason> known = stop_word(reason);
    stop(known && cuts(*known) ? *known : StopReason::length, reason.empty() ? "incomplete" : reason);
  } else if (const std::optional<StopReason> known = stop_word(status); known && cuts(*known)) {
    stop(*known, status);
  } else {
    stop(items_.any_call() ? StopReason::tool_calls : StopReason::end, "completed");
  }
  end();
}

void Reader::on_output(json::Value output) {
  std::vector<ItemRef> list;
  for (json::Value value : output.items()) list.push_back(ref_of(value, static_cast<std::int64_t>(list.size())));
  items_.begin_whole(list);
  std::size_t n = 0;
  for (json::Value value : output.items()) {
    const ItemRef& ref = list[n++];
    bool streamed = false;
    const Items::Found found = items_.find_in_whole(ref, streamed);
    Item* item = found.item;
    sure_ = found.sure;
    if (!item && streamed) continue;
    if (!item) item = items_.find_renamed(ref);
    if (!item) item = &items_.add(ref);
    const bool call = ref.type == ItemType::function_call || ref.type == ItemType::custom_call;
    if (std::exchange(item->given, true) && call && !ref.call_id.empty())
      notice("repeated_id", "two items of the answer have the same call_id; they are one call");
    if (item->done) {
      on_call_repeated(*item, value);
      continue;
    }
    if (sure_) items_.learn(*item, {ref.type, ref.id, {}, ref.call_id});
    on_item_done(*item, value);
  }
}

void Reader::on_usage(json::Value u) {
  chat::Usage read;
  read.input_tokens = count_at(u, "input_tokens");
  read.output_tokens = count_at(u, "output_tokens");
  if (auto details = object_at(u, "input_tokens_details")) {
    read.cached_tokens = count_at(*details, "cached_tokens");
    read.cache_write_tokens = count_at(*details, "cache_write_tokens");
  }
  if (auto details = object_at(u, "output_tokens_details"))
    read.reasoning_tokens = count_at(*details, "reasoning_tokens");
  usage(read);
}

void Reader::on_error(json::Value error) {
  if (error.is_string()) return fail(classify("", "", error.as_string()));
  std::string_view type = text_at(error, "type"), code = text_at(error, "code"), message = text_at(error, "message");
  if (auto number = error.find("code"); number && number->is_number()) code = number->number_text();
  if (message.empty()) message = text_at(error, "detail");
  fail(classify(type, code, message));
}

}  // namespace openai_responses

std::unique_ptr<Dialect> read_openai_responses(chat::DeltaSink& sink) {
  return std::make_unique<openai_responses::Reader>(sink);
}

}  // namespace BELAY_NAMESPACE::wire
