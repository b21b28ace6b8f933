// Anthropic Messages: streams, answers and requests, both ways.
#include "support/collecting.h"
#include "wire_deltas.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace belay::check::anthropic {
namespace {

using wire::Wire;
constexpr Wire kWire = Wire::anthropic;

struct Row {
  std::string_view why;
  Lines events;
  Lines deltas;
};

const std::string kStart =
    R"({"type":"message_start","message":{"id":"m1","type":"message","role":"assistant","content":[],"model":"m","stop_reason":null,"usage":{"input_tokens":3,"output_tokens":1}}})";
const std::string kStop = R"({"type":"message_stop"})";

std::string block(int index, std::string_view content) {
  return R"({"type":"content_block_start","index":)" + std::to_string(index) + R"(,"content_block":)" +
         std::string(content) + "}";
}
std::string delta(int index, std::string_view content) {
  return R"({"type":"content_block_delta","index":)" + std::to_string(index) + R"(,"delta":)" + std::string(content) +
         "}";
}
std::string stop(int index) { return R"({"type":"content_block_stop","index":)" + std::to_string(index) + "}"; }
std::string json_piece(int index, std::string_view piece) {
  return delta(index, R"({"type":"input_json_delta","partial_json":)" + json_string(piece) + "}");
}
std::string ends(std::string_view reason) {
  return R"({"type":"message_delta","delta":{"stop_reason":")" + std::string(reason) +
         R"(","stop_sequence":null},"usage":{"output_tokens":9}})";
}

// Behind the start that every row has, and before its end.
const Row kRows[] = {
    {"text in pieces, each block by its own name",
     {block(0, R"({"type":"text","text":"a"})"), delta(0, R"({"type":"text_delta","text":"b"})"), stop(0),
      block(1, R"({"type":"text","text":""})"), delta(1, R"({"type":"text_delta","text":""})"),
      delta(1, R"({"type":"text_delta","text":"c"})"), stop(1)},
     {"text[0] a", "text[0] b", "text[1] c"}},
    {"thinking with its signature, and redacted thinking",
     {block(0, R"({"type":"thinking","thinking":"","signature":""})"),
      delta(0, R"({"type":"thinking_delta","thinking":"hm"})"),
      delta(0, R"({"type":"signature_delta","signature":"c2ln"})"), stop(0),
      block(1, R"({"type":"redacted_thinking","data":"xyz"})"), stop(1)},
     {"reasoning[0] hm", R"(opaque reasoning[0] signature="c2ln")", R"(opaque reasoning[1] data="xyz")"}},
    {"thinking that is not shown has a signature only",
     {block(0, R"({"type":"thinking","thinking":"","signature":"s"})"), stop(0)},
     {R"(opaque reasoning[0] signature="s")"}},
    {"citations",
     {block(0, R"({"type":"text","text":"t","citations":null})"),
      delta(0, R"({"type":"citations_delta","citation":{"type":"page_location"}})"), stop(0)},
     {"text[0] t", R"(opaque text[0] citations=[{"type":"page_location"}])"}},
    {"a call in fragments, empty ones not sent",
     {block(0, R"({"type":"tool_use","id":"t1","name":"f","input":{}})"), json_piece(0, ""), json_piece(0, "{\"a\""),
      json_piece(0, ":1}"), stop(0)},
     {"call #0 id=t1 name=f ", "call #0 id=t1 {\"a\"", "call #0 id=t1 :1}", "call_end #0 id=t1"}},
    {"a call without arguments",
     {block(2, R"({"type":"tool_use","id":"t1","name":"f","input":{}})"), stop(2)},
     {"call #2 id=t1 name=f ", "call_end #2 id=t1"}},
    {"arguments in the start are the whole when no fragment comes",
     {block(0, R"({"type":"tool_use","id":"t1","name":"f","input":{"a":[1.0,"é"]}})"), stop(0)},
     {"call #0 id=t1 name=f ", R"(closed call #0 id=t1 {"a":[1.0,"é"]})"}},
    {"arguments in the start give way to fragments",
     {block(0, R"({"type":"tool_use","id":"t1","name":"f","input":{"a":1}})"), json_piece(0, "{}"), stop(0)},
     {"call #0 id=t1 name=f ", "call #0 id=t1 {}", "notice contradiction", "lost #0 id=t1", "call_end #0 id=t1"}},
    {"arguments as a string are their text",
     {block(0, R"({"type":"tool_use","id":"t1","name":"f","input":"{\"a\":"})"), stop(0)},
     {"call #0 id=t1 name=f ", R"(closed call #0 id=t1 {"a":)"}},
    {"arguments in the start of a call that was never closed",
     {block(0, R"({"type":"tool_use","id":"t1","name":"f","input":{"a":1}})")},
     {"call #0 id=t1 name=f ", R"(whole call #0 id=t1 {"a":1})"}},
    {"further members of a call are kept",
     {block(0, R"({"type":"tool_use","id":"t1","name":"f","input":{},"caller":{"type":"direct"},"x":null})"), stop(0)},
     {"call #0 id=t1 name=f ", R"(opaque #0 id=t1 caller={"type":"direct"})", "call_end #0 id=t1"}},
    {"two calls, interleaved",
     {block(0, R"({"type":"tool_use","id":"t1","name":"f"})"), block(1, R"({"type":"tool_use","id":"t2","name":"g"})"),
      json_piece(1, "{"), json_piece(0, "{}"), stop(0), json_piece(1, "}"), stop(1)},
     {"call #0 id=t1 name=f ", "call #1 id=t2 name=g ", "call #1 id=t2 {", "call #0 id=t1 {}", "call_end #0 id=t1",
      "call #1 id=t2 }", "call_end #1 id=t2"}},
    {"an index used again",
     {block(0, R"({"type":"tool_use","id":"t1","name":"f"})"), json_piece(0, "{}"), stop(0),
      block(0, R"({"type":"tool_use","id":"t2","name":"f"})"), json_piece(0, "{}"), stop(0)},
     {"call #0 id=t1 name=f ", "call #0 id=t1 {}", "call_end #0 id=t1", "call #0 id=t2 name=f ", "call #0 id=t2 {}",
      "call_end #0 id=t2"}},
    {"an index used again before its stop",
     {block(0, R"({"type":"tool_use","id":"t1","name":"f","input":{"a":1}})"),
      block(0, R"({"type":"tool_use","id":"t2","name":"f"})"), stop(0)},
     {"call #0 id=t1 name=f ", R"(whole call #0 id=t1 {"a":1})", "call #0 id=t2 name=f ", "call_end #0 id=t2"}},
    {"no index, or none that is one",
     {R"({"type":"content_block_start","content_block":{"type":"tool_use","id":"t1","name":"f"}})",
      R"({"type":"content_block_delta","index":"x","delta":{"type":"input_json_delta","partial_json":"{}"}})",
      R"({"type":"content_block_stop"})"},
     {"call id=t1 name=f ", "call id=t1 {}", "call_end id=t1"}},
    {"indexes are keys",
     {R"({"type":"content_block_start","index":-9223372036854775808,"content_block":{"type":"tool_use","id":"t","name":"f"}})",
      R"({"type":"content_block_stop","index":-9223372036854775808})"},
     {"call #-9223372036854775808 id=t name=f ", "call_end #-9223372036854775808 id=t"}},
    {"a fragment that belongs to nothing is passed on", {json_piece(7, "{}")}, {"call #7 {}"}},
    {"what the server runs is one block of its own",
     {block(0, R"({"type":"server_tool_use","id":"s","name":"web_search","input":{}})"), json_piece(0, "{\"q\":"),
      json_piece(0, "1}"), stop(0), block(1, R"({"type":"web_search_tool_result","tool_use_id":"s","content":[]})"),
      stop(1)},
     {R"(opaque other[0] server_tool_use={"type":"server_tool_use","id":"s","name":"web_search","input":{"q":1}})",
      R"(opaque other[1] web_search_tool_result={"type":"web_search_tool_result","tool_use_id":"s","content":[]})"}},
    {"pings and unknown events are ignored", {R"({"type":"ping"})", R"({"type":"future_event","x":1})"}, {}},
    {"strange events are told",
     {"[1]", "{}", delta(0, R"({"type":"new_delta"})"), block(0, "{}"), R"({"type":"content_block_start"})"},
     {"notice ignored_event", "lost", "notice ignored_event", "notice ignored_fragment", "lost",
      "notice ignored_fragment", "notice ignored_fragment"}},
    {"a second start before the first block", {kStart}, {"notice ignored_event"}},
    {"counts are totals; the cached input is part of the input",
     {R"({"type":"message_delta","delta":{},"usage":{"input_tokens":5,"cache_creation_input_tokens":10,"cache_read_input_tokens":100,"output_tokens":7}})",
      R"({"type":"message_delta","delta":{},"usage":{"output_tokens":8,"cache_read_input_tokens":200,"output_tokens_details":{"thinking_tokens":2}}})",
      R"({"type":"message_delta","usage":{"output_tokens":"8","input_tokens":-1}})"},
     {"usage in=115 out=7 cached=100 written=10", "usage in=215 out=8 cached=200 reasoning=2"}},
};

TEST(WireAnthropic, reads_every_event_of_a_stream) {
  for (const Row& row : kRows) {
    Lines events = row.events, deltas = row.deltas;
    events.insert(events.begin(), kStart);
    events.insert(events.end(), {ends("end_turn"), kStop});
    deltas.insert(deltas.begin(), {"start m1 m", "usage in=3 out=1"});
    // What waits for the end of its block comes at the end of the stream at the latest.
    Lines last = {"usage out=9", "stop end end_turn"};
    bool waits = !deltas.empty() && deltas.back().starts_with("whole call");
    deltas.insert(deltas.end() - (waits ? 1 : 0), last.begin(), last.end());
    deltas.push_back("end");
    EXPECT_EQ(deltas_of(kWire, body_of(kWire, events)), deltas) << row.why;
    EXPECT_EQ(deltas_of(kWire, body_of(kWire, events), 1), deltas) << row.why;
  }
}

TEST(WireAnthropic, knows_every_stop_reason) {
  const std::pair<std::string, std::string> rows[] = {
      {"end_turn", "end"},        {"stop_sequence", "end"},
      {"tool_use", "tool_calls"}, {"max_tokens", "length"},
      {"pause_turn", "pause"},    {"refusal", "refusal"},
      {"new_word", "end"},        {"model_context_window_exceeded", "length"}};
  for (const auto& [raw, name] : rows) {
    Lines lines = deltas_of(kWire, body_of(kWire, {kStart, ends(raw), kStop}));
    EXPECT_EQ(lines[lines.size() - 2], "stop " + name + " " + raw);
  }
}

TEST(WireAnthropic, keeps_what_an_answer_says_about_its_end) {
  Lines lines = deltas_of(
      kWire,
      body_of(
          kWire,
          {kStart,
           R"({"type":"message_delta","delta":{"stop_reason":"stop_sequence","stop_sequence":"END","stop_details":null},"usage":{}})",
           kStop}));
  EXPECT_EQ(lines[2], R"(opaque message[] stop_sequence="END")");
}

TEST(WireAnthropic, ends_with_message_stop_only) {
  Lines cut = deltas_of(kWire, body_of(kWire, {kStart, ends("end_turn")}));
  EXPECT_EQ(cut[cut.size() - 2], "stop none end_turn");
  EXPECT_EQ(cut.back(), "notice no_end_marker");
  Lines early = deltas_of(kWire, body_of(kWire, {kStart, "[DONE]"}));
  EXPECT_EQ(early.back(), "notice ignored_event");
  // A stop reason and then [DONE] is how servers of several wires end.
  Lines done = deltas_of(kWire, body_of(kWire, {kStart, ends("end_turn"), "[DONE]"}));
  EXPECT_EQ(done.back(), "end");
  Lines after = deltas_of(kWire, body_of(kWire, {kStart, ends("end_turn"), kStop, kStart, ends("refusal")}));
  EXPECT_EQ(after[after.size() - 2], "end");
  EXPECT_EQ(after.back(), "notice ignored_event");
}

TEST(WireAnthropic, fails_when_a_second_message_begins_after_a_block) {
  Lines lines = deltas_of(kWire, body_of(kWire, {kStart, block(0, R"({"type":"text","text":"a"})"), kStart, kStop}));
  EXPECT_EQ(lines.back(), "failure malformed_stream retry: a second message began in the stream");
}

TEST(WireAnthropic, reads_errors_in_and_instead_of_streams) {
  const std::pair<std::string, std::string> rows[] = {
      {R"({"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}})",
       "failure overloaded retry: Overloaded"},
      {R"({"type":"error","error":{"type":"rate_limit_error","message":"x","details":{"error_code":"enforced_spend_limit_reached"}}})",
       "failure quota: x"},
      {R"({"type":"error","error":{"type":"invalid_request_error","message":"no"}})", "failure invalid_request: no"},
      {R"({"type":"error","error":{"type":"api_error"}})", "failure server_error retry: api_error"},
      {R"({"type":"error","error":"words"})", "failure server_error retry: words"},
      {R"({"type":"error","error":null,"message":"words"})", "failure server_error retry: words"},
      {R"({"error":{"type":"authentication_error","message":"key"}})", "failure authentication: key"},
      {R"({"type":"error"})", "failure server_error retry: the server says that it failed, and not why"},
  };
  for (const auto& [event, line] : rows) {
    EXPECT_EQ(deltas_of(kWire, event), Lines{line});
    Lines lines = deltas_of(kWire, body_of(kWire, {kStart, event, kStop}));
    EXPECT_EQ(lines.back(), line);
  }
  // The event's name stands for a type that the data lacks.
  EXPECT_EQ(deltas_of(kWire, "event: error\ndata: {\"message\":\"m\"}\n\n"), Lines{"failure server_error retry: m"});
  EXPECT_EQ(deltas_of(kWire, "event: ping\ndata: {}\n\n").back().substr(0, 20), "failure not_a_stream");
}

TEST(WireAnthropic, survives_wrong_kinds_anywhere) {
  const Lines events = {kStart,
                        block(0, R"({"type":"thinking","thinking":"a","signature":"s"})"),
                        delta(0, R"({"type":"signature_delta","signature":"c2ln"})"),
                        block(1, R"({"type":"text","text":"a","citations":[{"type":"x"}]})"),
                        delta(1, R"({"type":"citations_delta","citation":{"a":1}})"),
                        block(2, R"({"type":"tool_use","id":"t1","name":"f","input":{"a":1},"caller":{"a":1}})"),
                        json_piece(2, "{}"),
                        stop(2),
                        block(3, R"({"type":"server_tool_use","id":"t1","name":"f","input":{}})"),
                        json_piece(3, "{}"),
                        stop(3),
                        ends("tool_use"),
                        kStop};
  for (std::size_t i = 0; i < events.size(); ++i)
    for (const std::string& strange : mutations(events[i])) {
      Lines body = events;
      body[i] = strange;
      EXPECT_FALSE(deltas_of(kWire, body_of(kWire, body)).empty());
    }
}

const std::string kMessage =
    R"({"id":"m1","type":"message","role":"assistant","model":"m","content":[{"type":"thinking","thinking":"hm","signature":"s"},{"type":"redacted_thinking","data":"d"},{"type":"text","text":"a","citations":[{"type":"x"},{"type":"y"}]},{"type":"tool_use","id":"t1","name":"f","input":{"a":1},"caller":{"type":"direct"}},{"type":"server_tool_use","id":"s1","name":"web_search","input":{"q":1}}],"stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":5,"cache_creation_input_tokens":2,"cache_read_input_tokens":3,"output_tokens":7}})";

TEST(WireAnthropic, reads_a_whole_answer_and_writes_the_same) {
  auto answer = turn::decode_response(kWire, root_of(document_of(kMessage)));
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->message.blocks.size(), 5u);
  EXPECT_EQ(answer->message.blocks[3].arguments, R"({"a":1})");
  EXPECT_EQ(answer->usage.input_tokens, 10u);
  EXPECT_EQ(answer->stop, chat::StopReason::tool_calls);
  EXPECT_TRUE(root_of(document_of(wire::encode_response(kWire, *answer))) == root_of(document_of(kMessage)))
      << wire::encode_response(kWire, *answer);
}

TEST(WireAnthropic, survives_wrong_kinds_in_whole_answers) {
  for (const std::string& strange : mutations(kMessage)) {
    json::Document document = document_of(strange);
    if (auto answer = turn::decode_response(kWire, document.root())) {
      document_of(wire::encode_response(kWire, *answer));
    }
  }
}

// Requests.

const std::string kRequest =
    R"({"model":"claude-opus-4-5","system":[{"type":"text","text":"Be brief.","cache_control":{"type":"ephemeral"}}],"messages":[)"
    R"({"role":"user","content":[{"type":"text","text":"Look","cache_control":{"type":"ephemeral","ttl":"1h"}},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBO"}},{"type":"image","source":{"type":"url","url":"https://x/y.png"},"cache_control":null},{"type":"document","source":{"type":"text","data":"d"}}]},)"
    R"({"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"sig"},{"type":"redacted_thinking","data":"zzz"},{"type":"text","text":"Reading."},{"type":"tool_use","id":"toolu_1","name":"read","input":{"path":"a.txt","n":1.50}},{"type":"tool_use","id":"toolu_2","name":"list","input":{}}]},)"
    R"({"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"no such file","is_error":true},{"type":"tool_result","tool_use_id":"toolu_2","content":[{"type":"text","text":"a"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"x"}},{"type":"tool_reference","tool_name":"z"}],"cache_control":{"type":"ephemeral"}},{"type":"text","text":"Go on."}]},)"
    R"({"role":"system","content":"From now on in French."},)"
    R"({"role":"assistant","content":"Oui."}],)"
    R"("tools":[{"name":"read","description":"Reads","input_schema":{"type":"object","properties":{"path":{"type":"string"}}},"cache_control":{"type":"ephemeral"},"strict":true},{"type":"web_search_20250305","name":"web_search","max_uses":3},{"type":"bash_20250124","name":"bash"},{"name":"list","input_schema":{"type":"object"}}],)"
    R"("tool_choice":{"type":"tool","name":"read","disable_parallel_tool_use":true},"max_tokens":1000,"temperature":0.5,"top_p":0.9,"top_k":40,"stop_sequences":["END","\n"],"stream":true,"thinking":{"type":"enabled","budget_tokens":2048},"metadata":{"user_id":"u"},"output_config":{"effort":"max","format":null},"service_tier":"auto"})";

TEST(WireAnthropic, reads_every_field_of_a_request) {
  using Kind = chat::Block::Kind;
  chat::Request r = request_of(kWire, kRequest);
  EXPECT_EQ(r.model, "claude-opus-4-5");
  std::vector<chat::Role> roles;
  for (const chat::Message& m : r.messages) roles.push_back(m.role);
  using enum chat::Role;
  EXPECT_EQ(roles, (std::vector{system, user, assistant, tool, user, system, assistant}));
  EXPECT_EQ(r.messages[0].blocks[0].opaque,
            (std::vector<chat::Opaque>{{"anthropic", "cache_control", R"({"type":"ephemeral"})"}}));
  EXPECT_EQ(r.messages[1].blocks[1].media_type, "image/png");
  EXPECT_EQ(r.messages[1].blocks[1].data, "iVBO");
  EXPECT_EQ(r.messages[1].blocks[2].url, "https://x/y.png");
  EXPECT_EQ(r.messages[1].blocks[3].kind, Kind::other);
  EXPECT_EQ(r.messages[2].blocks[0].kind, Kind::reasoning);
  EXPECT_EQ(r.messages[2].blocks[0].text, "hm");
  EXPECT_EQ(r.messages[2].blocks[3], chat::call_block("toolu_1", "read", R"({"path":"a.txt","n":1.50})"));
  EXPECT_EQ(r.messages[3].blocks[0], chat::result_block("toolu_1", "no such file", true));
  EXPECT_EQ(r.messages[3].blocks[1].content.size(), 3u);
  ASSERT_EQ(r.tools.size(), 3u);
  EXPECT_EQ(r.tools[0].parameters, R"({"type":"object","properties":{"path":{"type":"string"}}})");
  EXPECT_EQ(r.tools[1].name, "bash");
  EXPECT_EQ(r.tool_choice, (chat::ToolChoice{chat::ToolChoice::Kind::named, "read"}));
  EXPECT_EQ(r.parallel_calls, false);
  EXPECT_EQ(r.max_output_tokens, 1000u);
  EXPECT_EQ(r.temperature, 0.5);
  EXPECT_EQ(r.top_p, 0.9);
  EXPECT_EQ(r.stop, (Lines{"END", "\n"}));
  EXPECT_EQ(r.reasoning_tokens, 2048u);
  EXPECT_EQ(r.reasoning_effort, "high");
  EXPECT_TRUE(r.stream);
}

TEST(WireAnthropic, writes_a_request_as_it_was_read) {
  EXPECT_EQ(round_trip_difference(kWire, kRequest), "");
  std::string written = wire::encode_request(kWire, request_of(kWire, kRequest));
  EXPECT_TRUE(root_of(document_of(written)) == root_of(document_of(kRequest))) << written;
}

TEST(WireAnthropic, reads_requests_with_wrong_kinds_or_says_where_they_are) {
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

TEST(WireAnthropic, names_the_place_of_what_cannot_be_read) {
  const std::pair<std::string, std::string> rows[] = {
      {"[]", ""},
      {"{}", "/messages"},
      {R"({"messages":{}})", "/messages"},
      {R"({"messages":[1]})", "/messages/0"},
      {R"({"messages":[{"role":"user","content":"a"},{"role":"robot","content":"a"}]})", "/messages/1/role"},
      {R"({"messages":[{"role":"user"}]})", "/messages/0/content"},
      {R"({"messages":[{"role":"user","content":7}]})", "/messages/0/content"},
      {R"({"messages":[{"role":"user","content":[{"type":"text","text":"a"},1]}]})", "/messages/0/content/1"},
      {R"({"messages":[{"role":"user","content":[{"text":"a"}]}]})", "/messages/0/content/0/type"},
      {R"({"messages":[{"role":"user","content":[{"type":"tool_result","content":[1]}]}]})",
       "/messages/0/content/0/content/0"},
      {R"({"messages":[],"system":5})", "/system"},
      {R"({"messages":[],"tools":{}})", "/tools"},
      {R"({"messages":[],"tools":[{"name":"a"},1]})", "/tools/1"},
  };
  for (const auto& [body, path] : rows) {
    json::Document document = document_of(body);
    auto request = wire::decode_request(kWire, document.root());
    ASSERT_FALSE(request) << body;
    EXPECT_EQ(request.error().path, path) << body;
  }
}

json::Document written(const chat::Request& request) { return document_of(wire::encode_request(kWire, request)); }

TEST(WireAnthropic, joins_messages_so_that_roles_alternate_and_results_come_first) {
  using chat::Role;
  chat::Request r;
  r.model = "m";
  r.messages = {{Role::system, {chat::text_block("s1")}, {}},
                {Role::user, {chat::text_block("a")}, {}},
                {Role::user, {chat::text_block("b"), chat::text_block("")}, {}},
                {Role::assistant, {chat::call_block("functions.f:0", "f", "{\"a\":1")}, {}},
                {Role::assistant, {}, {}},
                {Role::user, {chat::text_block("meanwhile")}, {}},
                {Role::tool, {chat::result_block("functions.f:0", "ok")}, {}},
                {Role::tool, {chat::result_block("x", "")}, {}},
                {Role::system, {chat::text_block("s2")}, {}}};
  EXPECT_EQ(
      wire::encode_request(kWire, r),
      R"({"model":"m","system":[{"type":"text","text":"s1"},{"type":"text","text":"s2"}],"messages":[)"
      R"({"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]},)"
      R"({"role":"assistant","content":[{"type":"tool_use","id":"functions_2ef_3a0","name":"f","input":{"a":1}}]},)"
      R"({"role":"user","content":[{"type":"tool_result","tool_use_id":"functions_2ef_3a0","content":"ok"},)"
      R"({"type":"tool_result","tool_use_id":"x","content":""},{"type":"text","text":"meanwhile"}]}],"max_tokens":4096})");
}

TEST(WireAnthropic, leaves_out_what_belongs_to_other_wires) {
  chat::Request r;
  r.model = "m";
  chat::Block thought = chat::text_block("not mine");
  thought.kind = chat::Block::Kind::reasoning;
  thought.opaque.push_back({"gemini", "thoughtSignature", "\"s\""});
  chat::Block strange;
  strange.kind = chat::Block::Kind::other;
  strange.opaque.push_back({"openai-chat", "part", "{}"});
  chat::Block image;
  image.kind = chat::Block::Kind::image;
  image.url = "data:image/gif;base64,R0lG";
  r.messages = {{chat::Role::assistant, {thought, strange}, {}}, {chat::Role::user, {image}, {}}};
  r.opaque.push_back({"openai-chat", "seed", "1"});
  r.tools.push_back({"f", "", "", {{"openai-chat", "strict", "true"}}});
  EXPECT_EQ(
      wire::encode_request(kWire, r),
      R"({"model":"m","messages":[{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/gif","data":"R0lG"}}]}],)"
      R"("tools":[{"name":"f","input_schema":{"type":"object","properties":{}}}],"max_tokens":4096})");
}

TEST(WireAnthropic, sends_unsigned_reasoning_back_to_servers_that_do_not_sign_but_not_to_claude) {
  for (std::string thinking :
       {R"({"type":"thinking","thinking":"t","signature":""})", R"({"type":"thinking","thinking":"t"})"}) {
    std::string body =
        R"({"model":"M","max_tokens":1,"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[)" +
        thinking + R"(,{"type":"text","text":"x"}]}]})";
    EXPECT_EQ(round_trip_difference(kWire, body), "");
    chat::Request r = request_of(kWire, body);
    EXPECT_EQ(root_of(written(r)).find("messages")->at(1)->find("content")->size(), 2u);
    r.model = "claude-sonnet-5";
    EXPECT_EQ(root_of(written(r)).find("messages")->at(1)->find("content")->as_string(), "x");
  }
}

TEST(WireAnthropic, writes_choices_of_tools) {
  using Kind = chat::ToolChoice::Kind;
  chat::Request r;
  r.tools.push_back({"f", "", "{}", {}});
  auto choice = [&] {
    auto v = written(r);
    auto found = v.root().find("tool_choice");
    return found ? json::to_string(*found) : "";
  };
  EXPECT_EQ(choice(), "");
  r.parallel_calls = false;
  EXPECT_EQ(choice(), R"({"type":"auto","disable_parallel_tool_use":true})");
  r.tool_choice = {Kind::none, {}};
  EXPECT_EQ(choice(), R"({"type":"none"})");
  r.tool_choice = {Kind::required, {}};
  r.parallel_calls = true;
  EXPECT_EQ(choice(), R"({"type":"any","disable_parallel_tool_use":false})");
  r.parallel_calls.reset();
  r.tool_choice = {Kind::named, "f"};
  EXPECT_EQ(choice(), R"({"type":"tool","name":"f"})");
  r.tools.clear();
  EXPECT_EQ(choice(), "");
}

TEST(WireAnthropic, thinks_as_much_as_the_model_can_be_told) {
  struct Thinking {
    std::string model, effort;
    std::optional<std::uint64_t> budget, limit;
    std::string thinking, config;
    std::uint64_t max_tokens;
  };
  const Thinking rows[] = {
      {"claude-opus-4-5", "", {}, {}, "", "", 4096},
      {"claude-opus-4-5", "minimal", {}, {}, R"({"type":"enabled","budget_tokens":1024})", "", 5120},
      {"claude-3-7-sonnet-20250219", "low", {}, {}, R"({"type":"enabled","budget_tokens":2048})", "", 6144},
      {"claude-sonnet-4-20250514", "medium", {}, {}, R"({"type":"enabled","budget_tokens":8192})", "", 12288},
      {"glm-5", "high", {}, {}, R"({"type":"enabled","budget_tokens":16384})", "", 20480},
      {"glm-5", "high", {}, 5000, R"({"type":"enabled","budget_tokens":4999})", "", 5000},
      {"glm-5", "high", {}, 1024, "", "", 1024},
      {"claude-opus-4-6", "minimal", {}, {}, R"({"type":"adaptive"})", R"({"effort":"low"})", 4096},
      {"us.anthropic.claude-sonnet-5-v1:0", "high", {}, {}, R"({"type":"adaptive"})", R"({"effort":"high"})", 4096},
      {"claude-haiku-5-5", "medium", {}, 100, R"({"type":"adaptive"})", R"({"effort":"medium"})", 100},
      {"claude-haiku-5-5", "medium", 3000, {}, R"({"type":"enabled","budget_tokens":3000})", "", 7096},
  };
  for (const Thinking& row : rows) {
    chat::Request r;
    r.model = row.model;
    r.reasoning_effort = row.effort;
    r.reasoning_tokens = row.budget;
    r.max_output_tokens = row.limit;
    json::Document body = written(r);
    auto at = [&](std::string_view key) {
      auto found = body.root().find(key);
      return found ? json::to_string(*found) : "";
    };
    EXPECT_EQ(at("thinking"), row.thinking) << row.model << row.effort;
    EXPECT_EQ(at("output_config"), row.config) << row.model << row.effort;
    EXPECT_EQ(at("max_tokens"), std::to_string(row.max_tokens)) << row.model << row.effort;
  }
}

TEST(WireAnthropic, does_not_add_thinking_where_the_api_would_refuse_it) {
  chat::Request plain;
  plain.model = "m";
  plain.reasoning_effort = "low";
  plain.tools.push_back({"f", "", "{}", {}});
  auto thinks = [](const chat::Request& r) { return root_of(written(r)).find("thinking").has_value(); };
  EXPECT_TRUE(thinks(plain));
  chat::Request r = plain;
  r.tool_choice = {chat::ToolChoice::Kind::required, {}};
  EXPECT_FALSE(thinks(r));
  r = plain;
  r.temperature = 0.2;
  EXPECT_FALSE(thinks(r));
  r = plain;
  r.top_p = 0.5;
  EXPECT_FALSE(thinks(r));
  r = plain;
  r.messages = {{chat::Role::assistant, {chat::call_block("a", "f", "{}")}, {}},
                {chat::Role::tool, {chat::result_block("a", "x")}, {}}};
  EXPECT_FALSE(thinks(r));
  chat::Block thought;
  thought.kind = chat::Block::Kind::reasoning;
  thought.opaque.push_back({"anthropic", "signature", "\"s\""});
  r.messages[0].blocks.insert(r.messages[0].blocks.begin(), thought);
  EXPECT_TRUE(thinks(r));
}

// Streams, written.

TEST(WireAnthropic, writes_a_stream_that_its_clients_know) {
  wire::StreamEncoder e(kWire, {"msg_1", "m", 0});
  e.usage(
      {.input_tokens = 10, .output_tokens = {}, .cached_tokens = 4, .cache_write_tokens = {}, .reasoning_tokens = {}});
  e.reasoning("hm");
  e.opaque({"anthropic", "signature", "\"s\""});
  e.opaque({"gemini", "thoughtSignature", "\"s\""});
  e.text("hi");
  e.begin_call("t1", "f");
  e.arguments("{\"a\":");
  e.arguments("1}");
  e.end_call();
  e.usage(
      {.input_tokens = {}, .output_tokens = 5, .cached_tokens = {}, .cache_write_tokens = {}, .reasoning_tokens = {}});
  e.stop(chat::StopReason::tool_calls, "tool_calls");
  EXPECT_EQ(e.take(),
            R"(event: message_start
data: {"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":6,"cache_read_input_tokens":4,"output_tokens":0}}}

event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"hm"}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"s"}}

event: content_block_stop
data: {"type":"content_block_stop","index":0}

event: content_block_start
data: {"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}

event: content_block_delta
data: {"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"hi"}}

event: content_block_stop
data: {"type":"content_block_stop","index":1}

event: content_block_start
data: {"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"t1","name":"f","input":{}}}

event: content_block_delta
data: {"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\"a\":"}}

event: content_block_delta
data: {"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"1}"}}

event: content_block_stop
data: {"type":"content_block_stop","index":2}

event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"input_tokens":6,"cache_read_input_tokens":4,"output_tokens":5}}

event: message_stop
data: {"type":"message_stop"}

)");
}

TEST(WireAnthropic, writes_what_is_kept_back_into_the_stream) {
  auto answer = turn::decode_response(kWire, root_of(document_of(kMessage)));
  ASSERT_TRUE(answer);
  // Further members of a call have no event.
  answer->message.blocks[3].opaque.clear();
  Choices choices("");
  wire::StreamEncoder encoder(kWire, {answer->id, answer->model, 0});
  Collecting collector;
  wire::StreamDecoder decoder(kWire, collector);
  decoder.push(stream_of(kWire, *answer, choices));
  decoder.finish();
  EXPECT_TRUE(decoder.ended());
  EXPECT_EQ(collector.take(), *answer);
}

TEST(WireAnthropic, writes_failures_that_read_back_as_the_same_kind) {
  for (std::string_view kind : {"overloaded", "rate_limit", "quota", "authentication", "permission", "not_found",
                                "too_large", "timeout", "invalid_request", "server_error"}) {
    wire::StreamEncoder e(kWire, {"a", "m", 0});
    e.text("half");
    e.failure({kind, "why", false, {}});
    std::string last = deltas_of(kWire, e.take()).back();
    EXPECT_TRUE(last.starts_with("failure " + std::string(kind))) << last;
    EXPECT_TRUE(last.ends_with(": why")) << last;
  }
}

TEST(WireAnthropic, never_announces_a_cut_call_as_done) {
  wire::StreamEncoder e(kWire, {"a", "m", 0});
  e.begin_call("t1", "f");
  e.arguments("{\"a\":");
  e.stop(chat::StopReason::length);
  EXPECT_EQ(deltas_of(kWire, e.take()),
            (Lines{"start a m", "usage in=0 out=0", "call #0 id=t1 name=f ", "call #0 id=t1 {\"a\":", "usage out=0",
                   "stop length max_tokens", "end"}));
  // Without a stop there is no end.
  wire::StreamEncoder broken(kWire, {"a", "m", 0});
  broken.text("half");
  broken.stop(chat::StopReason::none);
  EXPECT_EQ(deltas_of(kWire, broken.take()).back(), "text[0] half");
}

TEST(WireAnthropic, gives_calls_of_wires_without_ids_one_each) {
  chat::Response r;
  r.id = "r:1";
  r.message.blocks = {chat::text_block("a"), chat::call_block("", "f", "{}"), chat::call_block("", "f", "{}")};
  r.stop = chat::StopReason::tool_calls;
  auto whole = turn::decode_response(kWire, root_of(document_of(wire::encode_response(kWire, r))));
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole->message.blocks[1].id, "toolu_r_3a1_1");
  EXPECT_EQ(whole->message.blocks[2].id, "toolu_r_3a1_2");
  Choices choices("");
  Lines lines = deltas_of(kWire, stream_of(kWire, r, choices));
  EXPECT_EQ(lines[3], "call #1 id=toolu_r_3a1_1 name=f ");
}

TEST(WireAnthropic, writes_stops_so_that_clients_do_the_right_thing) {
  using chat::StopReason;
  auto word = [](StopReason reason, std::string_view raw, bool calls) {
    chat::Response r;
    if (calls) r.message.blocks.push_back(chat::call_block("t", "f", "{}"));
    r.stop = reason;
    r.raw_stop = raw;
    std::string whole(root_of(document_of(wire::encode_response(kWire, r))).find("stop_reason")->as_string());
    Choices choices("");
    Lines lines = deltas_of(kWire, stream_of(kWire, r, choices));
    EXPECT_EQ(lines[lines.size() - 2].substr(lines[lines.size() - 2].rfind(' ') + 1), whole);
    return whole;
  };
  EXPECT_EQ(word(StopReason::end, "stop", false), "end_turn");
  EXPECT_EQ(word(StopReason::end, "stop", true), "tool_use");
  EXPECT_EQ(word(StopReason::end, "stop_sequence", false), "stop_sequence");
  EXPECT_EQ(word(StopReason::tool_calls, "tool_calls", true), "tool_use");
  EXPECT_EQ(word(StopReason::malformed, "", true), "max_tokens");
  EXPECT_EQ(word(StopReason::content_filter, "SAFETY", false), "refusal");
  EXPECT_EQ(word(StopReason::pause, "", false), "pause_turn");
}

const AnswerKind kAnswers = {.wire = "anthropic",
                             .signature = "signature",
                             .sign_reasoning = true,
                             .sign_text = false,
                             .sign_calls = false,
                             .ids = true,
                             .one_of_each = false};

RC_GTEST_PROP(WireAnthropic, a_stream_that_is_written_reads_back_the_same, ()) {
  const std::string bytes = *decisions();
  Choices choices(bytes);
  chat::Response answer = make_answer(choices, kAnswers);
  std::string stream = stream_of(kWire, answer, choices);
  Collecting collector;
  wire::StreamDecoder decoder(kWire, collector);
  for (std::string_view piece : chop(stream, 1 + choices.below(100))) decoder.push(piece);
  decoder.finish();
  RC_ASSERT(decoder.ended());
  chat::Response back = collector.take();
  back.raw_stop.clear();
  if (back != answer) RC_FAIL(stream);
}

RC_GTEST_PROP(WireAnthropic, an_answer_that_is_written_reads_back_the_same, ()) {
  const std::string bytes = *decisions();
  Choices choices(bytes);
  chat::Response answer = make_answer(choices, kAnswers);
  // Without a signature there is an empty one, and nothing to keep of it.
  std::string body = wire::encode_response(kWire, answer);
  json::Document document = document_of(body);
  auto back = turn::decode_response(kWire, document.root());
  RC_ASSERT(back.has_value());
  back->raw_stop.clear();
  if (*back != answer) RC_FAIL(body);
}

RC_GTEST_PROP(WireAnthropic, a_request_that_is_written_reads_back_the_same, ()) {
  const std::string bytes = *decisions();
  Choices choices(bytes);
  chat::Request request = make_request(choices);
  std::string difference = round_trip_difference(kWire, wire::encode_request(kWire, request), request.model);
  if (!difference.empty()) RC_FAIL(difference);
}

}  // namespace
}  // namespace belay::check::anthropic
