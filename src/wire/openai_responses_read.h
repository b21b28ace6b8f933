// Reads answers of OpenAI Responses.
#pragma once

#include "wire/openai_responses.h"
#include "wire/openai_responses_items.h"

namespace BELAY_NAMESPACE::wire::openai_responses {

class Reader final : public Dialect {
 public:
  using Dialect::Dialect;
  void on_event(json::Value value, std::string_view event) override;
  /// Not this wire's end: without `response.completed` an answer is not known to be whole.
  void on_done() override {}
  void on_over() override { finish_calls(); }

 private:
  [[nodiscard]] std::string_view wire_name() const override { return kWire; }

  // Events; openai_responses_read.cpp.
  void on_sequence(json::Value value);
  void on_stream_event(json::Value value, std::string_view what);
  bool on_text_event(json::Value value, std::string_view what);
  bool on_part(json::Value value, bool begins);
  void on_call_event(json::Value value, std::string_view what);
  void on_response(json::Value response);
  void on_end(json::Value response, std::string_view what);
  void on_output(json::Value output);
  void on_usage(json::Value usage);
  void on_error(json::Value error);
  Item& item_of(const ItemRef& ref);

  // Items; openai_responses_read_items.cpp.
  void on_item_added(json::Value value, std::optional<std::int64_t> index);
  void on_item_done(Item& item, json::Value value);
  void on_call_repeated(Item& item, json::Value value);
  void finish_calls();
  std::string_view arguments_at_end(Item& item, json::Value value);
  void on_message_done(Item& item, json::Value value);
  void on_reasoning_done(Item& item, json::Value value);
  void on_call_done(Item& item, json::Value value);
  void on_other_done(Item& item, json::Value value);
  /// One more piece of a part.
  void piece(Item& item, Part kind, std::int64_t part, std::string_view words);
  /// A part as a whole: it counts when no piece of it came.
  void whole(Item& item, Part kind, std::int64_t part, std::string_view text);
  /// A piece of a custom call's input, as the text of the arguments that stand for it.
  void input_piece(Item& item, std::string_view text);
  /// How a call stands that is given as a whole: more may come, all of it is there, it was cut off, or nothing came but
  /// what it began with.
  enum class Whole : std::uint8_t { open, closed, cut, begun };
  void input_whole(Item& item, std::string_view text, std::string_view name, Whole whole);
  void send_piece(Item& item, std::string_view text, std::string_view name = {});
  void send_whole(Item& item, std::string_view text, std::string_view name = {}, Whole whole = Whole::open);
  delta::Call call_of(Item& item, std::string_view text, std::string_view name);
  void keep_members(Item& item, json::Value value);
  void keep_text(std::string_view key, std::string json, const delta::Place& place);
  std::string_view block_name(const Item& item, std::int64_t part);

  Items items_;
  bool started_ = false;
  std::optional<std::uint64_t> sequence_;  // the number of the last event that had one
  bool gap_ = false;
  bool sure_ = true;  // the event is about the item that was found for it
  std::string block_name_;
  std::string scratch_;
  std::uint64_t start_bytes_ = 0;  // of all Item::start
};

inline delta::CallKey key_of(const Item& item) { return {.index = item.index, .id = item.call_id, .item = item.name}; }

/// The arguments of a call as text: a string as it should be, or what a server put in its place.
std::string_view arguments_in(json::Value value, std::string_view key, std::string& scratch);

}  // namespace BELAY_NAMESPACE::wire::openai_responses
