#include "wire/openai_responses_write.h"

#include "wire/openai_parts.h"

#include <utility>

namespace BELAY_NAMESPACE::wire::openai_responses {

using chat::StopReason;

Writer::Writer(StreamEncoder::Head head) : Encoder(std::move(head)) {
  if (head_.id.empty()) head_.id = "resp_0";
}

template <class Body>
void Writer::event(std::string_view type, Body body) {
  data_.clear();
  JsonText json(data_);
  json.open('{').member("type", type).key("sequence_number").number(sequence_++);
  body(json);
  json.close('}');
  sse::append_event(out_, data_, type);
}

template <class Body>
void Writer::item_event(std::string_view type, Body body) {
  event(type, [&](JsonText& json) {
    json.member("item_id", item_id_).key("output_index").number(index_);
    body(json);
  });
}

void Writer::response_event(std::string_view type, std::string_view status, std::string_view incomplete,
                            const chat::Failure* failure) {
  event(type, [&](JsonText& json) {
    json.key("response");
    write_response(json, status, incomplete, failure);
  });
}

void Writer::begin() {
  if (std::exchange(begun_, true)) return;
  response_event("response.created", "in_progress");
  response_event("response.in_progress", "in_progress");
}

std::string Writer::made_id(std::string_view prefix) const {
  return std::string(prefix) + stem_of(head_.id) + "_" + std::to_string(index_);
}

void Writer::write_part(JsonText& json) const {
  const bool refused = part_ == Part::refusal;
  json.open('{').member("type", refused ? "refusal" : "output_text");
  if (!refused && opaque_of(part_rest_, kWire, "annotations").empty()) json.key("annotations").open('[').close(']');
  if (!refused && opaque_of(part_rest_, kWire, "logprobs").empty()) json.key("logprobs").open('[').close(']');
  json.member(refused ? "refusal" : "text", text_);
  write_rest(json, part_rest_, kWire);
  json.close('}');
}

// The open item as it stands.
void Writer::write_item(JsonText& json, std::string_view status) const {
  if (open_ == Open::reasoning && !reasoning_.empty()) {
    json.raw(reasoning_);
    return;
  }
  json.open('{').member("id", item_id_);
  write_members(json, members_, {"id", "type", "status", "role", "content", "call_id", "name", "arguments", "input"});
  switch (open_) {
    case Open::message:
      json.member("type", "message").member("status", status).member("role", "assistant").key("content").open('[');
      if (!parts_.empty()) json.raw(parts_);
      json.close(']');
      break;
    case Open::reasoning:
      json.member("type", "reasoning").key("summary").open('[');
      if (!parts_.empty()) json.raw(parts_);
      json.close(']');
      break;
    case Open::call:
      json.member("type", custom_ ? kCustomCall : kFunctionCall).member("status", status);
      json.member("call_id", call_id_).member("name", call_name_);
      json.member(custom_ ? "input" : "arguments", custom_ ? input_of_arguments(text_) : text_);
      break;
    case Open::nothing: break;
  }
  json.close('}');
}

void Writer::add_to_output(std::string_view item) {
  if (!output_.empty()) output_ += ',';
  output_ += item;
  ++index_;
}

void Writer::add_whole(std::string_view item) {
  begin();
  settle();
  for (std::string_view type : {"response.output_item.added", "response.output_item.done"})
    event(type, [&](JsonText& json) { json.key("output_index").number(index_).key("item").raw(item); });
  add_to_output(item);
}

void Writer::flush_reasoning() {
  if (!next_reasoning_.empty()) add_whole(std::exchange(next_reasoning_, {}));
}

// Messages.

void Writer::open_message() {
  begin();
  open_ = Open::message;
  members_ = std::exchange(next_message_, {});
  item_id_ = text_in(members_, "id");
  if (item_id_.empty()) item_id_ = made_id("msg_");
  parts_.clear();
  part_index_ = 0;
  event("response.output_item.added", [&](JsonText& json) {
    json.key("output_index").number(index_).key("item");
    write_item(json, "in_progress");
  });
}

void Writer::open_part(Part part) {
  part_ = part;
  text_.clear();
  part_rest_.clear();
  item_event("response.content_part.added", [&](JsonText& json) {
    json.key("content_index").number(part_index_).key("part");
    write_part(json);
  });
}

void Writer::say(Part part, std::string_view piece) {
  flush_reasoning();
  if (open_ != Open::message) {
    settle();
    open_message();
  }
  if (part_ != part) {
    close_part();
    open_part(part);
  }
  item_event(part == Part::text ? "response.output_text.delta" : "response.refusal.delta", [&](JsonText& json) {
    json.key("content_index").number(part_index_).member("delta", piece);
    if (part == Part::text) json.key("logprobs").open('[').close(']');
  });
  text_ += piece;
}

void Writer::close_part() {
  if (part_ == Part::none) return;
  const bool refused = part_ == Part::refusal;
  item_event(refused ? "response.refusal.done" : "response.output_text.done", [&](JsonText& json) {
    json.key("content_index").number(part_index_).member(refused ? "refusal" : "text", text_);
    if (!refused) json.key("logprobs").open('[').close(']');
  });
  item_event("response.content_part.done", [&](JsonText& json) {
    json.key("content_index").number(part_index_).key("part");
    write_part(json);
  });
  if (!parts_.empty()) parts_ += ',';
  JsonText json(parts_);
  write_part(json);
  part_ = Part::none;
  ++part_index_;
}

// Reasoning: what the model thought is given as one part of a summary, which every client shows.

void Writer::open_reasoning() {
  begin();
  open_ = Open::reasoning;
  item_id_ = text_in(next_reasoning_, "id");
  members_.clear();
  own_id_ = !item_id_.empty();
  if (item_id_.empty()) item_id_ = made_id("rs_");
  next_reasoning_.clear();
  reasoning_.clear();
  parts_.clear();
  text_.clear();
  event("response.output_item.added", [&](JsonText& json) {
    json.key("output_index").number(index_).key("item");
    write_item(json, "in_progress");
  });
  item_event("response.reasoning_summary_part.added", [](JsonText& json) {
    json.key("summary_index").number(std::uint64_t{0}).key("part").open('{');
    json.member("type", "summary_text").member("text", "").close('}');
  });
}

void Writer::reasoning(std::string_view piece) {
  if (open_ != Open::reasoning) {
    settle();
    open_reasoning();
  }
  item_event("response.reasoning_summary_text.delta",
             [&](JsonText& json) { json.key("summary_index").number(std::uint64_t{0}).member("delta", piece); });
  text_ += piece;
}

// Calls. An item is announced with its first piece, so that what came for it in between is in it.

void Writer::begin_call(std::string_view id, std::string_view name) {
  flush_reasoning();
  settle();
  begin();
  open_ = Open::call;
  announced_ = custom_ = false;
  members_.clear();
  text_.clear();
  call_id_ = id.empty() ? made_id("call_") : std::string(id);
  call_name_ = name;
}

void Writer::announce_call() {
  if (std::exchange(announced_, true)) return;
  item_id_ = text_in(members_, "id");
  if (item_id_.empty()) item_id_ = made_id(custom_ ? "ctc_" : "fc_");
  event("response.output_item.added", [&](JsonText& json) {
    json.key("output_index").number(index_).key("item");
    write_item(json, "in_progress");
  });
}

void Writer::arguments(std::string_view piece) {
  if (open_ != Open::call) return;
  announce_call();
  text_ += piece;
  // The text inside the arguments of a custom call is known only at their end.
  if (!custom_)
    item_event("response.function_call_arguments.delta", [&](JsonText& json) { json.member("delta", piece); });
}

void Writer::end_call() {
  if (open_ != Open::call) return;
  announce_call();
  if (custom_) {
    const std::string input = input_of_arguments(text_);
    item_event("response.custom_tool_call_input.delta", [&](JsonText& json) { json.member("delta", input); });
    item_event("response.custom_tool_call_input.done", [&](JsonText& json) { json.member("input", input); });
  } else {
    if (text_.empty()) arguments("{}");
    item_event("response.function_call_arguments.done",
               [&](JsonText& json) { json.member("name", call_name_).member("arguments", text_); });
  }
  close_item();
}

void Writer::settle() {
  if (open_ == Open::call)
    end_call();
  else
    close_item();
}

void Writer::close_item(std::string_view status) {
  const Open what = open_;
  if (what == Open::nothing) return;
  if (what == Open::message) {
    close_part();
  } else if (what == Open::reasoning) {
    auto part = [&](JsonText& json) { json.open('{').member("type", "summary_text").member("text", text_).close('}'); };
    item_event("response.reasoning_summary_text.done",
               [&](JsonText& json) { json.key("summary_index").number(std::uint64_t{0}).member("text", text_); });
    item_event("response.reasoning_summary_part.done", [&](JsonText& json) {
      json.key("summary_index").number(std::uint64_t{0}).key("part");
      part(json);
    });
    JsonText json(parts_);
    part(json);
  } else {
    announce_call();
  }
  std::string item;
  JsonText json(item);
  write_item(json, status);
  // A call that was cut is listed, but nobody is told that it is done: clients run what is done.
  if (what != Open::call || status == "completed")
    event("response.output_item.done",
          [&](JsonText& done) { done.key("output_index").number(index_).key("item").raw(item); });
  open_ = Open::nothing;
  add_to_output(item);
}

void Writer::stop(StopReason reason, std::string_view raw) {
  // A stream that was cut ends here too, without the end that it did not have.
  if (reason == StopReason::none) return;
  begin();
  flush_reasoning();
  std::string_view why = incomplete_word(reason, raw);
  if (why.empty())
    settle();
  else
    close_item("incomplete");
  if (why.empty())
    response_event("response.completed", "completed");
  else
    response_event("response.incomplete", "incomplete", why);
}

void Writer::failure(const chat::Failure& failure) {
  begin();
  response_event("response.failed", "failed", {}, &failure);
}

}  // namespace BELAY_NAMESPACE::wire::openai_responses
