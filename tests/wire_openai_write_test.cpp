// Answers of OpenAI's two wires, written, and read back.
#include "support/collecting.h"
#include "support/independent.h"
#include "wire_deltas.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace belay::check {
namespace {

using chat::Block;
using chat::StopReason;
using wire::Wire;

/// The data of each event, and that its name is its type.
Lines events_in(std::string_view stream) {
  Lines out;
  while (!stream.empty()) {
    std::size_t end = stream.find("\n\n");
    std::string_view event = stream.substr(0, end);
    stream.remove_prefix(end == stream.npos ? stream.size() : end + 2);
    std::size_t data = event.find("data: ");
    out.emplace_back(event.substr(data + 6));
    if (data > 0) {
      EXPECT_NE(out.back().find("\"type\":\"" + std::string(event.substr(7, data - 8)) + "\""), out.back().npos);
    }
  }
  return out;
}

chat::Response read_back(Wire wire, std::string_view stream, std::size_t size = 0) {
  Collecting collector;
  wire::StreamDecoder decoder(wire, collector);
  for (std::string_view piece : chop(stream, size ? size : stream.size() + 1)) decoder.push(piece);
  decoder.finish();
  EXPECT_FALSE(collector.failed());
  return collector.take();
}

chat::Response read_whole_back(Wire wire, const std::string& body) {
  json::Document document = document_of(body);
  auto response = turn::decode_response(wire, document.root());
  if (!response) throw std::runtime_error(response.error().message);
  return *response;
}

/// Without the ids and the like that the wire added.
chat::Response bare(chat::Response response) {
  for (Block& block : response.message.blocks) block.opaque.clear();
  response.message.opaque.clear();
  response.raw_stop.clear();
  return response;
}

std::string chunk(std::string_view delta, std::string_view finish = "null") {
  return R"({"id":"c1","object":"chat.completion.chunk","created":7,"model":"m","choices":[{"index":0,"delta":)" +
         std::string(delta) + R"(,"logprobs":null,"finish_reason":)" + std::string(finish) + "}]}";
}

TEST(WireOpenaiWrite, chat_chunks_are_what_OpenAI_sends) {
  wire::StreamEncoder encoder(Wire::openai_chat, {"c1", "m", 7});
  encoder.text("a");
  encoder.begin_call("x", "f");
  encoder.arguments("{\"b\"");
  encoder.arguments(":1}");
  encoder.end_call();
  encoder.begin_call("", "g");
  encoder.end_call();
  encoder.usage(
      {.input_tokens = 3, .output_tokens = 4, .cached_tokens = 1, .cache_write_tokens = {}, .reasoning_tokens = 2});
  encoder.stop(StopReason::tool_calls);
  encoder.text("what comes behind the end is not sent");
  EXPECT_EQ(
      events_in(encoder.take()),
      (Lines{
          chunk(R"({"role":"assistant","content":"","refusal":null})"), chunk(R"({"content":"a"})"),
          chunk(R"({"tool_calls":[{"index":0,"id":"x","type":"function","function":{"name":"f","arguments":""}}]})"),
          chunk(R"({"tool_calls":[{"index":0,"function":{"arguments":"{\"b\""}}]})"),
          chunk(R"({"tool_calls":[{"index":0,"function":{"arguments":":1}"}}]})"),
          chunk(
              R"({"tool_calls":[{"index":1,"id":"call_c1_1","type":"function","function":{"name":"g","arguments":""}}]})"),
          chunk(R"({"tool_calls":[{"index":1,"function":{"arguments":"{}"}}]})"), chunk("{}", R"("tool_calls")"),
          R"({"id":"c1","object":"chat.completion.chunk","created":7,"model":"m","choices":[],"usage":{"prompt_tokens":3,"completion_tokens":4,"total_tokens":7,"prompt_tokens_details":{"cached_tokens":1},"completion_tokens_details":{"reasoning_tokens":2}}})",
          "[DONE]"}));
}

TEST(WireOpenaiWrite, responses_events_come_in_OpenAIs_order) {
  wire::StreamEncoder encoder(Wire::openai_responses, {"resp_1", "m", 7});
  encoder.reasoning("hm");
  encoder.text("a");
  encoder.refusal("n");
  encoder.begin_call("x", "f");
  encoder.arguments("{}");
  encoder.end_call();
  encoder.stop(StopReason::tool_calls);
  const std::string stream = encoder.take();
  Lines types;
  std::int64_t sequence = 0;
  for (const std::string& event : events_in(stream)) {
    json::Document document = document_of(event);
    types.emplace_back(document.root().find("type")->as_string().substr(9));
    EXPECT_EQ(document.root().find("sequence_number")->as_int64(), sequence++);
  }
  EXPECT_EQ(types, (Lines{"created",
                          "in_progress",
                          "output_item.added",
                          "reasoning_summary_part.added",
                          "reasoning_summary_text.delta",
                          "reasoning_summary_text.done",
                          "reasoning_summary_part.done",
                          "output_item.done",
                          "output_item.added",
                          "content_part.added",
                          "output_text.delta",
                          "output_text.done",
                          "content_part.done",
                          "content_part.added",
                          "refusal.delta",
                          "refusal.done",
                          "content_part.done",
                          "output_item.done",
                          "output_item.added",
                          "function_call_arguments.delta",
                          "function_call_arguments.done",
                          "output_item.done",
                          "completed"}));
  for (std::string_view id : {R"("id":"rs_1_0")", R"("id":"msg_1_1")", R"("id":"fc_1_2")"})
    EXPECT_NE(stream.find(id), stream.npos) << id;
}

TEST(WireOpenaiWrite, a_cut_call_is_listed_but_never_done) {
  wire::StreamEncoder encoder(Wire::openai_responses, {"resp_1", "m", 7});
  encoder.begin_call("x", "f");
  encoder.arguments("{\"a\":");
  encoder.stop(StopReason::length);
  const std::string stream = encoder.take();
  EXPECT_EQ(stream.find("output_item.done"), stream.npos);
  EXPECT_EQ(stream.find("arguments.done"), stream.npos);
  EXPECT_NE(stream.find(R"("status":"incomplete","call_id":"x","name":"f","arguments":"{\"a\":")"), stream.npos)
      << stream;
  const Lines deltas = deltas_of(Wire::openai_responses, stream);
  EXPECT_EQ(std::count_if(deltas.begin(), deltas.end(), [](const std::string& d) { return d.starts_with("closed"); }),
            0);
  EXPECT_EQ(deltas[deltas.size() - 2], "stop length max_output_tokens");
}

struct Stop {
  StopReason reason;
  std::string_view raw, chat, responses;
};

TEST(WireOpenaiWrite, stops_are_said_in_the_wires_own_words) {
  const Stop rows[] = {
      {StopReason::end, "end_turn", "stop end stop", "stop end completed"},
      {StopReason::length, "max_tokens", "stop length length", "stop length max_output_tokens"},
      {StopReason::length, "length", "stop length length", "stop length max_output_tokens"},
      {StopReason::content_filter, "SAFETY", "stop content_filter content_filter",
       "stop content_filter content_filter"},
      {StopReason::refusal, "refusal", "stop content_filter content_filter", "stop content_filter content_filter"},
      {StopReason::pause, "pause_turn", "stop end stop", "stop end completed"},
      {StopReason::malformed, "MALFORMED_FUNCTION_CALL", "stop length length", "stop length max_output_tokens"},
  };
  for (const Stop& row : rows)
    for (auto [wire, expected] :
         {std::pair{Wire::openai_chat, row.chat}, std::pair{Wire::openai_responses, row.responses}}) {
      wire::StreamEncoder encoder(wire, {"id", "m", 0});
      encoder.text("a");
      encoder.stop(row.reason, row.raw);
      const Lines deltas = deltas_of(wire, encoder.take());
      EXPECT_EQ(deltas[deltas.size() - 2], expected) << row.raw;
      EXPECT_EQ(deltas.back(), "end");
    }
  // A stop that was none is none; calls decide where the label does not.
  for (Wire wire : {Wire::openai_chat, Wire::openai_responses}) {
    wire::StreamEncoder cut(wire, {"id", "m", 0}), odd(wire, {"id", "m", 0});
    cut.text("a");
    cut.stop(StopReason::none);
    EXPECT_EQ(read_back(wire, cut.take()).stop, StopReason::none);
    odd.begin_call("x", "f");
    odd.end_call();
    odd.stop(StopReason::end, "stop");
    EXPECT_EQ(read_back(wire, odd.take()).stop, StopReason::tool_calls);
  }
}

TEST(WireOpenaiWrite, failures_are_read_back_as_what_they_were) {
  for (std::string_view kind :
       {"overloaded", "rate_limit", "server_error", "invalid_request", "authentication", "permission", "quota",
        "context_length", "too_large", "not_found", "timeout", "content_filter"})
    for (Wire wire : {Wire::openai_chat, Wire::openai_responses}) {
      wire::StreamEncoder encoder(wire, {"id", "m", 0});
      encoder.text("a");
      encoder.failure({kind, "it is so", false, std::nullopt});
      encoder.stop(StopReason::end);
      const std::string last = deltas_of(wire, encoder.take()).back();
      EXPECT_TRUE(last.starts_with("failure " + std::string(kind)) && last.ends_with(": it is so")) << last;
    }
}

TEST(WireOpenaiWrite, custom_calls_of_a_whole_answer_stay_custom_on_their_own_wire) {
  const std::string calls = R"([{"id":"a","type":"custom","custom":{"name":"patch","input":"*** \"x\"\n","z":1}},)"
                            R"({"id":"b","type":"function","function":{"name":"f","arguments":"{}"}}])";
  const chat::Response first = read_whole_back(
      Wire::openai_chat,
      R"({"id":"c1","model":"m","choices":[{"index":0,"finish_reason":"tool_calls","message":{"role":"assistant","content":null,"tool_calls":)" +
          calls + "}}]}");
  ASSERT_EQ(first.message.blocks.size(), 2u);
  EXPECT_EQ(first.message.blocks[0].name, "patch");
  EXPECT_EQ(first.message.blocks[0].arguments, R"({"input":"*** \"x\"\n"})");
  const std::string again = wire::encode_response(Wire::openai_chat, first);
  EXPECT_NE(again.find(calls), std::string::npos) << again;
  EXPECT_EQ(read_whole_back(Wire::openai_chat, again), first);
}

// What the next request needs comes through a gateway that reads and writes the same wire.
TEST(WireOpenaiWrite, ids_and_encrypted_reasoning_survive_on_their_own_wire) {
  const std::string body =
      R"({"id":"resp_9","object":"response","status":"completed","error":null,"model":"m","output":[)"
      R"({"id":"rs_1","type":"reasoning","summary":[],"encrypted_content":"gAAA"},)"
      R"({"id":"rs_2","type":"reasoning","summary":[{"type":"summary_text","text":"hm"}],"encrypted_content":"gBBB"},)"
      R"({"id":"msg_1","phase":"commentary","type":"message","status":"completed","role":"assistant","content":[{"type":"output_text","annotations":[{"type":"url_citation"}],"logprobs":[],"text":"a"},{"type":"refusal","refusal":"n"}]},)"
      R"({"id":"fc_1","namespace":"n","type":"function_call","status":"completed","call_id":"x","name":"f","arguments":"{}"},)"
      R"({"id":"ctc_1","type":"custom_tool_call","status":"completed","call_id":"y","name":"p","input":"t"},)"
      R"({"id":"ws_1","type":"web_search_call","status":"completed"}],"usage":null})";
  const chat::Response first = read_whole_back(Wire::openai_responses, body);
  const std::string again = wire::encode_response(Wire::openai_responses, first);
  json::Document before = document_of(body), after = document_of(again);
  EXPECT_TRUE(*before.root().find("output") == *after.root().find("output")) << again;
  EXPECT_EQ(read_whole_back(Wire::openai_responses, again), first);

  // The same as a stream, its deltas passed on one by one.
  wire::StreamEncoder encoder(Wire::openai_responses, {first.id, first.model, 0});
  for (const Block& block : first.message.blocks) {
    auto opaques = [&] {
      for (const chat::Opaque& o : block.opaque) encoder.opaque(o);
    };
    if (block.kind == Block::Kind::tool_call) {
      encoder.begin_call(block.id, block.name);
      opaques();
      encoder.arguments(block.arguments);
      encoder.end_call();
      continue;
    }
    opaques();
    if (block.kind == Block::Kind::text) encoder.text(block.text);
    if (block.kind == Block::Kind::refusal) encoder.refusal(block.text);
    if (block.kind == Block::Kind::reasoning) encoder.reasoning(block.text);
    if (block.kind == Block::Kind::text || block.kind == Block::Kind::reasoning) opaques();
  }
  encoder.stop(StopReason::tool_calls);
  const chat::Response streamed = read_back(Wire::openai_responses, encoder.take());
  EXPECT_EQ(streamed.message, first.message);
  // And the next request carries it.
  chat::Request request;
  request.messages = {streamed.message};
  const std::string next = wire::encode_request(Wire::openai_responses, request);
  for (std::string_view part :
       {R"({"id":"rs_1","type":"reasoning","summary":[],"encrypted_content":"gAAA"})", R"("id":"msg_1")",
        R"("phase":"commentary")", R"("namespace":"n")", R"("id":"ctc_1")", R"("id":"ws_1")"})
    EXPECT_NE(next.find(part), next.npos) << part << "\n" << next;
}

AnswerKind kind_of(Wire wire) {
  AnswerKind kind;
  kind.wire = wire::name(wire);
  kind.one_of_each = wire == Wire::openai_chat;
  return kind;
}

RC_GTEST_PROP(WireOpenaiWrite, streams_are_read_back_as_the_answers_they_were, ()) {
  const std::string bytes = *decisions();
  for (Wire wire : {Wire::openai_chat, Wire::openai_responses}) {
    Choices choices(bytes);
    chat::Response answer = make_answer(choices, kind_of(wire));
    if (!answer.message.blocks.empty() && answer.message.blocks.front().kind == Block::Kind::text && choices.flip()) {
      answer.message.blocks.front().kind = Block::Kind::refusal;
    }
    answer.usage.cached_tokens = choices.below(100);
    answer.usage.reasoning_tokens = choices.below(100);
    wire::StreamEncoder encoder(wire, {answer.id, answer.model, 1});
    std::string stream;
    for (const Block& block : answer.message.blocks) {
      if (block.kind == Block::Kind::tool_call) encoder.begin_call(block.id, block.name);
      for (std::string_view piece :
           make_pieces(block.kind == Block::Kind::tool_call ? block.arguments : block.text, choices)) {
        if (block.kind == Block::Kind::text) encoder.text(piece);
        if (block.kind == Block::Kind::reasoning) encoder.reasoning(piece);
        if (block.kind == Block::Kind::refusal) encoder.refusal(piece);
        if (block.kind == Block::Kind::tool_call) encoder.arguments(piece);
        if (choices.flip()) stream += encoder.take();
      }
      if (block.kind == Block::Kind::tool_call) encoder.end_call();
    }
    encoder.usage(answer.usage);
    encoder.stop(answer.stop);
    stream += encoder.take();
    for (const std::string& event : events_in(stream))
      if (event != "[DONE]") RC_ASSERT(parse_independently(event).opinion == Opinion::accepted);
    RC_ASSERT(bare(read_back(wire, stream)) == answer);
    RC_ASSERT(bare(read_back(wire, stream, 1 + choices.below(9))) == answer);
  }
}

RC_GTEST_PROP(WireOpenaiWrite, whole_answers_are_read_back_as_what_they_were, ()) {
  const std::string bytes = *decisions();
  for (Wire wire : {Wire::openai_chat, Wire::openai_responses}) {
    Choices choices(bytes);
    chat::Response answer = make_answer(choices, kind_of(wire));
    answer.usage.cached_tokens = choices.below(100);
    answer.usage.reasoning_tokens = choices.below(100);
    const std::string body = wire::encode_response(wire, answer);
    RC_ASSERT(parse_independently(body).opinion == Opinion::accepted);
    RC_ASSERT(!parse_independently(body).repeats);
    RC_ASSERT(bare(read_whole_back(wire, body)) == answer);
  }
}

}  // namespace
}  // namespace belay::check
