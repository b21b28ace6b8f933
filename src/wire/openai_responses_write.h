// Writes answers of OpenAI Responses: the events of a stream, and the object that it ends with.
#pragma once

#include "wire/openai_responses.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace BELAY_NAMESPACE::wire::openai_responses {

/// Ids of items that have none are made from the answer's id and their place, so the same answer gets the same ids.
class Writer final : public Encoder {
 public:
  explicit Writer(StreamEncoder::Head head);

  void text(std::string_view piece) override { say(Part::text, piece); }
  void reasoning(std::string_view piece) override;
  void refusal(std::string_view piece) override { say(Part::refusal, piece); }
  void begin_call(std::string_view id, std::string_view name) override;
  void arguments(std::string_view piece) override;
  void end_call() override;
  /// Those of an item's beginning (kMessageNote, kReasoningNote, kCallNote, kCustomCallNote) have to come before its
  /// first piece to count for it, as a reader of this wire gives them. A kReasoningNote that comes again is the item's
  /// end.
  void opaque(const chat::Opaque& opaque) override;
  void usage(const chat::Usage& usage) override { usage_ = usage; }
  void stop(chat::StopReason reason, std::string_view raw) override;
  void failure(const chat::Failure& failure) override;

  /// All that a block of an answer is, one block after the other; then whole() is the answer.
  void block(const chat::Block& block);
  std::string whole(chat::StopReason reason, std::string_view raw);

 private:
  enum class Open : std::uint8_t { nothing, message, reasoning, call };
  enum class Part : std::uint8_t { none, text, refusal };

  void begin();
  template <class Body>
  void event(std::string_view type, Body body);
  /// As event(), with what every event about the open item says first.
  template <class Body>
  void item_event(std::string_view type, Body body);
  void response_event(std::string_view type, std::string_view status, std::string_view incomplete = {},
                      const chat::Failure* failure = nullptr);
  void write_response(JsonText& json, std::string_view status, std::string_view incomplete,
                      const chat::Failure* failure);

  void say(Part part, std::string_view piece);
  void open_message();
  void open_part(Part part);
  void close_part();
  void open_reasoning();
  void announce_call();
  /// An item that came whole.
  void add_whole(std::string_view item);
  void flush_reasoning();
  void close_item(std::string_view status = "completed");
  /// Closes what is open; a call in the way of one that is whole.
  void settle();
  void write_item(JsonText& json, std::string_view status) const;
  void write_part(JsonText& json) const;
  void add_to_output(std::string_view item);
  std::string made_id(std::string_view prefix) const;

  std::uint64_t sequence_ = 0;
  std::uint64_t index_ = 0;  // of the open item
  std::string output_;       // the items that are done, a comma between two
  chat::Usage usage_;
  bool begun_ = false;

  // The open item.
  Open open_ = Open::nothing;
  std::string item_id_;
  std::string members_;  // what it has beside what is written anyway, as an object's JSON text
  std::string text_;     // of the open part, or the arguments
  Part part_ = Part::none;
  std::uint64_t part_index_ = 0;
  std::string parts_;  // the message's parts that are done
  Opaques part_rest_;
  std::string call_id_, call_name_;
  bool custom_ = false, announced_ = false;
  std::string reasoning_;  // the item as a whole, when it came
  bool own_id_ = false;    // the reasoning's id is not a made one

  std::string next_message_, next_reasoning_;  // what came for items that are not open yet
  std::string data_;
};

void write_usage(JsonText& json, const chat::Usage& usage);
/// Why a response that stopped so is incomplete; empty when it is complete.
std::string_view incomplete_word(chat::StopReason reason, std::string_view raw);

}  // namespace BELAY_NAMESPACE::wire::openai_responses
