// Ollama: streams, answers and requests, both ways.
#include "support/collecting.h"
#include "wire_deltas.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace belay::check::ollama {
namespace {

using wire::Wire;
constexpr Wire kWire = Wire::ollama;

std::string says(std::string_view message, std::string_view more = R"("done":false)") {
  return R"({"model":"m","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant",)" + std::string(message) +
         "}," + std::string(more) + "}";
}
const std::string kDone = says(R"("content":"")", R"("done":true,"done_reason":"stop")");

struct Row {
  std::string_view why;
  Lines events;
  Lines deltas;  ///< between start and end
};

const Row kRows[] = {
    {"text and thinking",
     {says(R"("content":"","thinking":"hm")"), says(R"("content":"a")"), says(R"("content":"b","thinking":null)"),
      kDone},
     {"reasoning hm", "text a", "text b", "stop end stop"}},
    {"calls are whole, each one of its own, whatever index it has",
     {says(
          R"("content":"","tool_calls":[{"function":{"name":"f","arguments":{"a":1.0}}},{"id":"c2","function":{"index":0,"name":"f","arguments":"{\"a\":"}}])"),
      says(
          R"("content":"","tool_calls":[{"function":{"index":0,"name":"g","arguments":null}},{"name":"h","arguments":{}}])"),
      kDone},
     {R"(closed call #0 name=f {"a":1.0})", R"(closed call #1 id=c2 name=f {"a":)", "closed call #2 name=g ",
      "closed call #3 name=h {}", "stop tool_calls stop"}},
    {"an answer that was not streamed",
     {says(R"("content":"a","thinking":"t","tool_calls":[{"function":{"name":"f","arguments":{}}}])",
           R"("done":true,"done_reason":"stop","total_duration":5,"prompt_eval_count":7,"eval_count":9)")},
     {"reasoning t", "text a", "closed call #0 name=f {}", "usage in=7 out=9", "stop tool_calls stop"}},
    {"the token limit",
     {says(R"("content":"a")", R"("done":true,"done_reason":"length")")},
     {"text a", "stop length length"}},
    {"a model that was only loaded",
     {says(R"("content":"")", R"("done":true,"done_reason":"load")")},
     {"stop none load"}},
    {"an end without a reason, or without a message", {R"({"done":true})"}, {"stop end "}},
    {"strange lines and calls are told",
     {"{}", R"({"status":"pulling"})", says(R"("content":7,"tool_calls":[1])"), says(R"("tool_calls":{})"), kDone},
     {"notice ignored_event", "notice ignored_event", "notice ignored_fragment", "stop end stop"}},
    {"counts of wrong kinds are not there",
     {says(R"("content":"a")", R"("done":true,"done_reason":3,"prompt_eval_count":-7,"eval_count":"9")")},
     {"text a", "stop end "}},
};

TEST(WireOllama, reads_every_line_of_a_stream) {
  for (const Row& row : kRows) {
    Lines deltas = row.deltas;
    auto first =
        std::find_if(deltas.begin(), deltas.end(), [](const std::string& l) { return l != "notice ignored_event"; });
    deltas.insert(first, row.events[0] == R"({"done":true})" ? "start  " : "start  m");
    deltas.push_back("end");
    std::string body = body_of(kWire, row.events);
    EXPECT_EQ(deltas_of(kWire, body), deltas) << row.why;
    EXPECT_EQ(deltas_of(kWire, body, 1), deltas) << row.why;
  }
}

TEST(WireOllama, ends_with_done_only) {
  EXPECT_EQ(deltas_of(kWire, body_of(kWire, {says(R"("content":"a")")})), (Lines{"start  m", "text a"}));
  EXPECT_EQ(deltas_of(kWire, body_of(kWire, {kDone, says(R"("content":"b")")})),
            (Lines{"start  m", "stop end stop", "end", "notice ignored_event"}));
  EXPECT_EQ(deltas_of(kWire, "data: " + says(R"("content":"a")") + "\n\ndata: [DONE]\n\n").back(),
            "notice ignored_event");
}

TEST(WireOllama, reads_errors) {
  const std::pair<std::string, std::string> rows[] = {
      {R"({"error":"unexpected EOF"})", "failure server_error retry: unexpected EOF"},
      {R"({"error":"model 'x' not found"})", "failure not_found: model 'x' not found"},
      {R"({"error":"\"x\" does not support tools"})", "failure invalid_request: \"x\" does not support tools"},
      {R"({"error":"server busy, please try again.  maximum pending requests exceeded"})",
       "failure overloaded retry: server busy, please try again.  maximum pending requests exceeded"},
      {R"({"error":"unauthorized","signin_url":"u"})", "failure authentication: unauthorized"},
      {R"({"error":"slow down","status":429})", "failure rate_limit retry: slow down"},
      {R"({"error":{"message":"m","type":"invalid_request_error"}})", "failure invalid_request: m"},
      {R"({"error":7})", "failure server_error retry: the server says that it failed, and not why"},
  };
  for (const auto& [event, line] : rows) {
    EXPECT_EQ(deltas_of(kWire, event), Lines{line});
    EXPECT_EQ(deltas_of(kWire, body_of(kWire, {says(R"("content":"He")"), event})),
              (Lines{"start  m", "text He", line}));
  }
}

const std::string kAnswer =
    R"({"model":"m","created_at":"1970-01-01T00:00:00Z","message":{"role":"assistant","content":"a","thinking":"hm","tool_calls":[{"id":"c","function":{"index":0,"name":"f","arguments":{"a":[1,{}]}}},{"function":{"index":1,"name":"g","arguments":{}}}]},"done":true,"done_reason":"stop","prompt_eval_count":1,"eval_count":2})";

TEST(WireOllama, reads_a_whole_answer_and_writes_the_same) {
  auto answer = turn::decode_response(kWire, root_of(document_of(kAnswer)));
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->message.blocks.size(), 4u);
  EXPECT_EQ(answer->stop, chat::StopReason::tool_calls);
  EXPECT_EQ(wire::encode_response(kWire, *answer), kAnswer);
}

TEST(WireOllama, survives_wrong_kinds_anywhere) {
  for (const std::string& strange : mutations(kAnswer)) {
    EXPECT_FALSE(deltas_of(kWire, body_of(kWire, {says(R"("content":"a")"), strange})).empty());
    json::Document document = document_of(strange);
    if (auto answer = turn::decode_response(kWire, document.root())) {
      document_of(wire::encode_response(kWire, *answer));
    }
  }
}

// Requests.

const std::string kRequest =
    R"({"model":"qwen","messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"Look","images":["iVBORw0KGgoAAA","/9j/4AAQ","zz"]},)"
    R"({"role":"assistant","content":"Reading.","thinking":"hm","tool_calls":[{"function":{"index":0,"name":"read","arguments":{"path":"a.txt"}}},{"id":"c2","function":{"index":1,"name":"list","arguments":{}}}]},)"
    R"({"role":"tool","content":"text of a","tool_name":"read"},{"role":"tool","content":"b","tool_name":"list","tool_call_id":"c2","images":["R0lGOD"]},{"role":"user","content":"","x":1}],)"
    R"("tools":[{"type":"function","function":{"name":"read","description":"Reads","parameters":{"type":"object","properties":{"path":{"type":"string"}}},"strict":true},"items":1},{"type":"function","function":{"name":"pwd","parameters":{"type":"object","properties":{}}}}],)"
    R"("options":{"num_predict":100,"temperature":0.5,"top_p":0.9,"stop":["END"],"num_ctx":8192},"stream":false,"think":"high","keep_alive":"5m","format":{"type":"object"}})";

TEST(WireOllama, reads_every_field_of_a_request) {
  using Kind = chat::Block::Kind;
  chat::Request r = request_of(kWire, kRequest);
  EXPECT_EQ(r.model, "qwen");
  std::vector<chat::Role> roles;
  for (const chat::Message& m : r.messages) roles.push_back(m.role);
  using enum chat::Role;
  EXPECT_EQ(roles, (std::vector{system, user, assistant, tool, tool, user}));
  EXPECT_EQ(r.messages[1].blocks[1].media_type, "image/png");
  EXPECT_EQ(r.messages[1].blocks[2].media_type, "image/jpeg");
  EXPECT_EQ(r.messages[1].blocks[3].media_type, "");
  EXPECT_EQ(r.messages[2].blocks[0].kind, Kind::reasoning);
  EXPECT_EQ(r.messages[2].blocks[2].id, "belay_call_0");
  EXPECT_EQ(r.messages[2].blocks[2].arguments, R"({"path":"a.txt"})");
  EXPECT_EQ(r.messages[2].blocks[3].id, "c2");
  EXPECT_EQ(r.messages[3].blocks[0].id, "belay_call_0");
  EXPECT_EQ(r.messages[4].blocks[0].id, "c2");
  EXPECT_EQ(r.messages[4].blocks[0].content[1].data, "R0lGOD");
  EXPECT_EQ(r.tools[0].description, "Reads");
  EXPECT_EQ(r.max_output_tokens, 100u);
  EXPECT_EQ(r.temperature, 0.5);
  EXPECT_EQ(r.top_p, 0.9);
  EXPECT_EQ(r.stop, Lines{"END"});
  EXPECT_EQ(r.reasoning_effort, "high");
  EXPECT_FALSE(r.stream);
}

TEST(WireOllama, writes_a_request_as_it_was_read) {
  EXPECT_EQ(round_trip_difference(kWire, kRequest), "");
  std::string written = wire::encode_request(kWire, request_of(kWire, kRequest));
  EXPECT_TRUE(root_of(document_of(written)) == root_of(document_of(kRequest))) << written;
}

TEST(WireOllama, streams_unless_told_otherwise) {
  EXPECT_TRUE(request_of(kWire, R"({"model":"m","messages":[]})").stream);
  EXPECT_EQ(wire::encode_request(kWire, chat::Request{}), R"({"model":"","messages":[],"stream":false})");
  // Without messages a request loads the model.
  EXPECT_EQ(request_of(kWire, R"({"model":"m","keep_alive":0})").messages.size(), 0u);
}

TEST(WireOllama, reads_requests_with_wrong_kinds_or_says_where_they_are) {
  for (const std::string& strange : mutations(kRequest)) {
    json::Document document = document_of(strange);
    auto request = wire::decode_request(kWire, document.root());
    if (!request) {
      EXPECT_NE(request.error().message, "");
      continue;
    }
    document_of(wire::encode_request(kWire, *request));
  }
}

TEST(WireOllama, names_the_place_of_what_cannot_be_read) {
  const std::pair<std::string, std::string> rows[] = {
      {"[]", ""},
      {R"({"messages":{}})", "/messages"},
      {R"({"messages":[1]})", "/messages/0"},
      {R"({"messages":[{"role":"user","content":"a"},{"role":"robot"}]})", "/messages/1/role"},
      {R"({"messages":[{"role":"user","content":[]}]})", "/messages/0/content"},
      {R"({"messages":[{"role":"assistant","tool_calls":[1]}]})", "/messages/0/tool_calls"},
      {R"({"messages":[],"tools":{}})", "/tools"},
      {R"({"messages":[],"tools":[{"function":1}]})", "/tools/0/function"},
  };
  for (const auto& [body, path] : rows) {
    json::Document document = document_of(body);
    auto request = wire::decode_request(kWire, document.root());
    ASSERT_FALSE(request) << body;
    EXPECT_EQ(request.error().path, path) << body;
  }
}

TEST(WireOllama, writes_what_came_from_other_wires) {
  using chat::Role;
  chat::Request r;
  r.model = "m";
  chat::Block image, link;
  image.kind = link.kind = chat::Block::Kind::image;
  image.url = "data:image/gif;base64,R0lG";
  link.url = "https://example.org/a.png";
  chat::Block result = chat::result_block("t1", "no", true);
  result.content.push_back(image);
  r.messages = {
      {Role::user, {chat::text_block("a"), image, link}, {}},
      {Role::assistant, {chat::text_block("x"), chat::text_block("y"), chat::call_block("t1", "f", "{'a':1")}, {}},
      {Role::tool, {result, chat::result_block("t2", "ok")}, {}},
      {Role::user, {chat::result_block("t3", "error: bad", true), chat::text_block("b")}, {}}};
  r.tools.push_back({"f", "", "", {}});
  r.reasoning_effort = "minimal";
  r.stream = true;
  EXPECT_EQ(
      wire::encode_request(kWire, r),
      R"({"model":"m","messages":[{"role":"user","content":"a\n[image: https://example.org/a.png]","images":["R0lG"]},)"
      R"({"role":"assistant","content":"xy","tool_calls":[{"id":"t1","function":{"index":0,"name":"f","arguments":{"a":1}}}]},)"
      R"({"role":"tool","content":"Error: no","tool_name":"f","tool_call_id":"t1","images":["R0lG"]},{"role":"tool","content":"ok","tool_call_id":"t2"},)"
      R"({"role":"tool","content":"error: bad","tool_call_id":"t3"},{"role":"user","content":"b"}],)"
      R"("tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object","properties":{}}}}],"think":"low","stream":true})");
  r.tool_choice = {chat::ToolChoice::Kind::none, {}};
  EXPECT_EQ(wire::encode_request(kWire, r).find("\"tools\""), std::string::npos);
}

// Streams, written.

TEST(WireOllama, writes_a_stream_that_its_clients_know) {
  wire::StreamEncoder e(kWire, {"id", "m", 1'709'210'096});
  e.reasoning("hm");
  e.text("hi\n");
  e.begin_call("c1", "f");
  e.arguments("{\"a\":\n");
  e.arguments("1}");
  e.end_call();
  e.usage({.input_tokens = 4, .output_tokens = 7, .cached_tokens = 1, .cache_write_tokens = 9, .reasoning_tokens = 2});
  e.stop(chat::StopReason::tool_calls, "tool_use");
  EXPECT_EQ(
      e.take(),
      R"({"model":"m","created_at":"2024-02-29T12:34:56Z","message":{"role":"assistant","content":"","thinking":"hm"},"done":false}
{"model":"m","created_at":"2024-02-29T12:34:56Z","message":{"role":"assistant","content":"hi\n"},"done":false}
{"model":"m","created_at":"2024-02-29T12:34:56Z","message":{"role":"assistant","content":"","tool_calls":[{"id":"c1","function":{"index":0,"name":"f","arguments":{"a":1}}}]},"done":false}
{"model":"m","created_at":"2024-02-29T12:34:56Z","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","prompt_eval_count":4,"eval_count":7}
)");
}

TEST(WireOllama, writes_the_time) {
  const std::pair<std::int64_t, std::string> rows[] = {{0, "1970-01-01T00:00:00Z"},
                                                       {951'782'399, "2000-02-28T23:59:59Z"},
                                                       {951'782'400, "2000-02-29T00:00:00Z"},
                                                       {1'735'689'599, "2024-12-31T23:59:59Z"},
                                                       {4'107'542'400, "2100-03-01T00:00:00Z"},
                                                       {253'402'300'799, "9999-12-31T23:59:59Z"},
                                                       {-5, "1970-01-01T00:00:00Z"},
                                                       {INT64_MAX, "1970-01-01T00:00:00Z"}};
  for (const auto& [seconds, text] : rows) {
    wire::StreamEncoder e(kWire, {"id", "m", seconds});
    e.text("a");
    EXPECT_NE(e.take().find(R"("created_at":")" + text + "\""), std::string::npos) << text;
  }
}

TEST(WireOllama, writes_failures_as_lines) {
  wire::StreamEncoder e(kWire, {"a", "m", 0});
  e.text("half");
  e.failure({"overloaded", "server busy \"now\"", true, {}});
  EXPECT_EQ(deltas_of(kWire, e.take()),
            (Lines{"start  m", "text half", "failure overloaded retry: server busy \"now\""}));
}

TEST(WireOllama, never_writes_a_cut_call) {
  wire::StreamEncoder e(kWire, {"a", "m", 0});
  e.begin_call("t1", "f");
  e.arguments("{\"a\":1}");
  e.end_call();
  e.begin_call("t2", "g");
  e.arguments("{\"a\":");
  e.stop(chat::StopReason::length);
  EXPECT_EQ(deltas_of(kWire, e.take()),
            (Lines{"start  m", R"(closed call #0 id=t1 name=f {"a":1})", "stop length length", "end"}));
  wire::StreamEncoder broken(kWire, {"a", "m", 0});
  broken.text("half");
  broken.stop(chat::StopReason::none);
  EXPECT_EQ(deltas_of(kWire, broken.take()).back(), "text half");
}

const AnswerKind kAnswers = {.wire = "",
                             .signature = "",
                             .sign_reasoning = false,
                             .sign_text = false,
                             .sign_calls = false,
                             .ids = true,
                             .one_of_each = true};

void same_but_for_spelling(chat::Response back, chat::Response answer, const std::string& body) {
  back.raw_stop.clear();
  back.id = answer.id;  // this wire has none
  if (back != answer) RC_FAIL(body);
}

RC_GTEST_PROP(WireOllama, a_stream_that_is_written_reads_back_the_same, ()) {
  const std::string bytes = *decisions();
  Choices choices(bytes);
  chat::Response answer = make_answer(choices, kAnswers);
  std::string stream = stream_of(kWire, answer, choices);
  Collecting collector;
  wire::StreamDecoder decoder(kWire, collector);
  for (std::string_view piece : chop(stream, 1 + choices.below(100))) decoder.push(piece);
  decoder.finish();
  RC_ASSERT(decoder.ended());
  same_but_for_spelling(collector.take(), answer, stream);
}

RC_GTEST_PROP(WireOllama, an_answer_that_is_written_reads_back_the_same, ()) {
  const std::string bytes = *decisions();
  Choices choices(bytes);
  chat::Response answer = make_answer(choices, kAnswers);
  std::string body = wire::encode_response(kWire, answer);
  json::Document document = document_of(body);
  auto back = turn::decode_response(kWire, document.root());
  RC_ASSERT(back.has_value());
  same_but_for_spelling(*back, answer, body);
}

RC_GTEST_PROP(WireOllama, a_request_that_is_written_reads_back_the_same, ()) {
  const std::string bytes = *decisions();
  Choices choices(bytes);
  chat::Request request = make_request(choices);
  std::string difference = round_trip_difference(kWire, wire::encode_request(kWire, request), request.model);
  if (!difference.empty()) RC_FAIL(difference);
}

}  // namespace
}  // namespace belay::check::ollama
