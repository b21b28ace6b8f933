// Requests of OpenAI's two wires: what is read of them, what is written, and that nothing gets lost on the way.
#include "support/independent.h"
#include "wire_deltas.h"

#include <gtest/gtest.h>

namespace belay::check {
namespace {

using chat::Block;
using chat::Role;
using wire::Wire;

const std::string kChatRequest = R"({
  "model": "gpt-x",
  "messages": [
    {"role": "developer", "content": "Be brief.", "name": "boss"},
    {"role": "system", "content": [{"type": "text", "text": "One."}, {"type": "text", "text": "Two."}]},
    {"role": "user", "content": "Hi"},
    {"role": "user", "content": [
      {"type": "text", "text": "Look:", "cache_control": {"type": "ephemeral"}},
      {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo=", "detail": "low"}},
      {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}, "prompt_cache_breakpoint": {"mode": "explicit"}},
      {"type": "input_audio", "input_audio": {"data": "AAAA", "format": "wav"}}]},
    {"role": "assistant", "content": null, "reasoning_content": "Hm.", "reasoning_details": [{"type": "reasoning.text"}],
     "tool_calls": [
      {"id": "a", "type": "function", "function": {"name": "read_file", "arguments": "{\"path\": \"ä\"}"}, "extra_content": {"x": 1}},
      {"id": "b", "type": "custom", "custom": {"name": "patch", "input": "*** \"x\""}},
      {"id": "c", "type": "future", "future": {}}]},
    {"role": "tool", "tool_call_id": "a", "content": "one"},
    {"role": "tool", "tool_call_id": "b", "content": [{"type": "text", "text": "two"}, {"type": "text", "text": "parts"}]},
    {"role": "assistant", "content": [{"type": "text", "text": "No,"}, {"type": "refusal", "refusal": "never."}]},
    {"role": "assistant", "content": "", "refusal": "I will not.", "audio": null},
    {"role": "function", "name": "old", "content": "7"}
  ],
  "tools": [
    {"type": "function", "function": {"name": "read_file", "description": "Reads.", "parameters": {"type": "object"}, "strict": true}, "cache_control": {}},
    {"type": "custom", "custom": {"name": "patch", "description": "Patches.", "format": {"type": "grammar"}}},
    {"type": "web_search"}
  ],
  "tool_choice": {"type": "function", "function": {"name": "read_file"}},
  "parallel_tool_calls": false,
  "max_completion_tokens": 100,
  "temperature": 0.1, "top_p": 0.95,
  "stop": ["a", "b"],
  "reasoning_effort": "high",
  "stream": true, "stream_options": {"include_usage": true, "include_obfuscation": false},
  "response_format": {"type": "json_object"}, "seed": 12345678901234567890, "user": null
})";

const std::string kResponsesRequest = R"({
  "model": "gpt-x",
  "instructions": "Be brief.",
  "input": [
    {"role": "developer", "content": "More."},
    {"type": "message", "role": "user", "content": [
      {"type": "input_text", "text": "Look:"},
      {"type": "input_image", "image_url": "data:image/png;base64,iVBORw0KGgo=", "detail": "low"},
      {"type": "input_file", "file_id": "f1"}]},
    {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "Hm."}], "encrypted_content": "gAAAA=="},
    {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "phase": "commentary", "content": [
      {"type": "output_text", "text": "I read.", "annotations": []},
      {"type": "refusal", "refusal": "Not all."}]},
    {"type": "message", "role": "assistant", "content": "Plain."},
    {"type": "function_call", "id": "fc_1", "call_id": "a", "name": "read_file", "arguments": "{\"path\": \"ä\"}", "status": "completed"},
    {"type": "custom_tool_call", "id": "ctc_1", "call_id": "b", "name": "patch", "input": "*** \"x\""},
    {"type": "web_search_call", "id": "ws_1", "status": "completed"},
    {"type": "function_call_output", "call_id": "a", "output": "one", "id": "fco_1"},
    {"type": "custom_tool_call_output", "call_id": "b", "output": [{"type": "input_text", "text": "two"}, {"type": "input_image", "image_url": "https://example.org/a.png", "detail": "auto"}]},
    {"type": "item_reference", "id": "msg_0"}
  ],
  "tools": [
    {"type": "function", "name": "read_file", "description": "Reads.", "parameters": {"type": "object"}, "strict": true},
    {"type": "function", "name": "pwd", "parameters": null},
    {"type": "custom", "name": "patch", "format": {"type": "text"}},
    {"type": "web_search"}
  ],
  "tool_choice": "required",
  "parallel_tool_calls": true,
  "max_output_tokens": 100,
  "temperature": 0.1, "top_p": 1,
  "reasoning": {"effort": "low", "summary": "auto"},
  "include": ["reasoning.encrypted_content"], "store": false, "previous_response_id": null,
  "text": {"format": {"type": "text"}, "verbosity": "low"}, "stream": true
})";

TEST(WireOpenaiRequest, chat_says_what_it_means) {
  const chat::Request r = request_of(Wire::openai_chat, kChatRequest);
  EXPECT_EQ(r.model, "gpt-x");
  ASSERT_EQ(r.messages.size(), 9U);
  EXPECT_EQ(r.messages[0].role, Role::system);
  EXPECT_EQ(r.messages[1].blocks.size(), 2U);
  EXPECT_EQ(r.messages[3].blocks[1].media_type, "image/png");
  EXPECT_EQ(r.messages[3].blocks[1].data, "iVBORw0KGgo=");
  EXPECT_EQ(r.messages[3].blocks[2].url, "https://example.org/a.png");
  EXPECT_EQ(r.messages[3].blocks[3].kind, Block::Kind::other);
  const chat::Message& turn = r.messages[4];
  ASSERT_EQ(turn.blocks.size(), 4U);
  EXPECT_EQ(turn.blocks[0].kind, Block::Kind::reasoning);
  EXPECT_EQ(turn.blocks[1].id, "a");
  EXPECT_EQ(turn.blocks[1].arguments, "{\"path\": \"ä\"}");
  EXPECT_EQ(turn.blocks[2].name, "patch");
  EXPECT_EQ(turn.blocks[2].arguments, R"({"input":"*** \"x\""})");
  const chat::Message& results = r.messages[5];
  EXPECT_EQ(results.role, Role::tool);
  ASSERT_EQ(results.blocks.size(), 2U);
  EXPECT_EQ(results.blocks[1].id, "b");
  EXPECT_EQ(results.blocks[1].content[1].text, "parts");
  EXPECT_EQ(r.messages[7].blocks[0].kind, Block::Kind::refusal);
  ASSERT_EQ(r.tools.size(), 2U);
  EXPECT_EQ(r.tools[0].parameters, R"({"type":"object"})");
  EXPECT_EQ(r.tool_choice, (chat::ToolChoice{chat::ToolChoice::Kind::named, "read_file"}));
  EXPECT_EQ(r.parallel_calls, false);
  EXPECT_EQ(r.max_output_tokens, 100U);
  EXPECT_EQ(r.temperature, 0.1);
  EXPECT_EQ(r.stop, (Lines{"a", "b"}));
  EXPECT_EQ(r.reasoning_effort, "high");
  EXPECT_TRUE(r.stream);
}

TEST(WireOpenaiRequest, responses_says_what_it_means) {
  const chat::Request r = request_of(Wire::openai_responses, kResponsesRequest);
  ASSERT_EQ(r.messages.size(), 6U);
  EXPECT_EQ(r.messages[0].blocks[0].text, "Be brief.");
  EXPECT_EQ(r.messages[1].role, Role::system);
  EXPECT_EQ(r.messages[2].blocks[1].data, "iVBORw0KGgo=");
  const chat::Message& turn = r.messages[3];
  ASSERT_EQ(turn.blocks.size(), 7U);
  EXPECT_EQ(turn.blocks[0].kind, Block::Kind::reasoning);
  EXPECT_EQ(turn.blocks[0].text, "Hm.");
  EXPECT_EQ(turn.blocks[1].text, "I read.");
  EXPECT_EQ(turn.blocks[2].kind, Block::Kind::refusal);
  EXPECT_EQ(turn.blocks[4].id, "a");
  EXPECT_EQ(turn.blocks[5].arguments, R"({"input":"*** \"x\""})");
  EXPECT_EQ(turn.blocks[6].kind, Block::Kind::other);
  EXPECT_EQ(r.messages[4].role, Role::tool);
  EXPECT_EQ(r.messages[4].blocks[1].content[1].kind, Block::Kind::image);
  ASSERT_EQ(r.tools.size(), 3U);
  EXPECT_EQ(r.tool_choice->kind, chat::ToolChoice::Kind::required);
  EXPECT_EQ(r.reasoning_effort, "low");
}

// Every member that is there comes back, as it was.
TEST(WireOpenaiRequest, members_nobody_knows_come_back) {
  const std::string chat = wire::encode_request(Wire::openai_chat, request_of(Wire::openai_chat, kChatRequest));
  for (std::string_view part : {R"("role":"developer")",
                                R"("name":"boss")",
                                R"("cache_control":{"type":"ephemeral"})",
                                R"("detail":"low")",
                                R"("prompt_cache_breakpoint":{"mode":"explicit"})",
                                R"({"type":"input_audio","input_audio":{"data":"AAAA","format":"wav"}})",
                                R"("reasoning_details":[{"type":"reasoning.text"}])",
                                R"("extra_content":{"x":1})",
                                R"({"id":"b","type":"custom","custom":{"name":"patch","input":"*** \"x\""}})",
                                R"({"id":"c","type":"future","future":{}})",
                                R"([{"type":"text","text":"two"},{"type":"text","text":"parts"}])",
                                R"({"type":"refusal","refusal":"never."})",
                                R"({"role":"function","name":"old","content":"7"})",
                                R"("strict":true)",
                                R"("cache_control":{}})",
                                R"("format":{"type":"grammar"})",
                                R"({"type":"web_search"})",
                                R"("include_obfuscation":false)",
                                R"("seed":12345678901234567890)",
                                R"("user":null)",
                                R"("response_format":{"type":"json_object"})"})
    EXPECT_NE(chat.find(part), chat.npos) << part << "\n" << chat;
  const std::string responses =
      wire::encode_request(Wire::openai_responses, request_of(Wire::openai_responses, kResponsesRequest));
  for (
      std::string_view part :
      {R"("instructions":"Be brief.")",
       R"("role":"developer")",
       R"("detail":"low")",
       R"({"type":"input_file","file_id":"f1"})",
       R"({"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"Hm."}],"encrypted_content":"gAAAA=="})",
       R"("id":"msg_1")",
       R"("phase":"commentary")",
       R"("id":"fc_1")",
       R"("id":"ctc_1")",
       R"("id":"fco_1")",
       R"({"type":"web_search_call","id":"ws_1","status":"completed"})",
       R"({"type":"item_reference","id":"msg_0"})",
       R"("type":"custom_tool_call_output")",
       R"("format":{"type":"text"})",
       R"({"type":"web_search"})",
       R"("reasoning":{"effort":"low","summary":"auto"})",
       R"("include":["reasoning.encrypted_content"])",
       R"("store":false)",
       R"("previous_response_id":null)",
       R"("verbosity":"low")"})
    EXPECT_NE(responses.find(part), responses.npos) << part << "\n" << responses;
}

// Requests with anything wrong in them: refused with a place, or read, written and read again the same.
TEST(WireOpenaiRequest, reading_writing_and_reading_again_gives_the_same) {
  for (auto [wire, body] :
       {std::pair{Wire::openai_chat, &kChatRequest}, std::pair{Wire::openai_responses, &kResponsesRequest}}) {
    EXPECT_EQ(round_trip_difference(wire, *body), "");
    std::size_t read = 0, refused = 0;
    for (const std::string& strange : mutations(*body)) {
      json::Document document = document_of(strange);
      auto request = wire::decode_request(wire, document.root());
      if (!request) {
        ++refused;
        EXPECT_FALSE(request.error().message.empty());
        continue;
      }
      ++read;
      const std::string written = wire::encode_request(wire, *request);
      const Independent other = parse_independently(written);
      ASSERT_TRUE(other.opinion == Opinion::accepted && !other.repeats) << written;
      ASSERT_TRUE(request_of(wire, written) == *request) << "read: " << strange << "\nwritten: " << written;
    }
    EXPECT_GT(read, 1000U);
    EXPECT_GT(refused, 20U);
  }
}

struct Refused {
  Wire wire;
  std::string_view body, path;
};

TEST(WireOpenaiRequest, what_is_wrong_is_said_with_its_place) {
  const Refused rows[] = {
      {Wire::openai_chat, R"([])", ""},
      {Wire::openai_chat, R"({"model":"m"})", "/messages"},
      {Wire::openai_chat, R"({"messages":[7]})", "/messages/0"},
      {Wire::openai_chat, R"({"messages":[{"content":"a"}]})", "/messages/0/role"},
      {Wire::openai_chat, R"({"messages":[{"role":"user","content":7}]})", "/messages/0/content"},
      {Wire::openai_chat, R"({"messages":[{"role":"user","content":[7]}]})", "/messages/0/content/0"},
      {Wire::openai_chat, R"({"messages":[{"role":"assistant","tool_calls":[7]}]})", "/messages/0/tool_calls/0"},
      {Wire::openai_chat, R"({"messages":[],"tools":[7]})", "/tools/0"},
      {Wire::openai_chat, R"({"messages":[],"tools":[{"type":"function","function":{}}]})", "/tools/0"},
      {Wire::openai_responses, R"({"input":7})", "/input"},
      {Wire::openai_responses, R"({"input":[7]})", "/input/0"},
      {Wire::openai_responses, R"({"input":[{"role":"king","content":"a"}]})", "/input/0/role"},
      {Wire::openai_responses, R"({"input":[{"role":"user","content":7}]})", "/input/0/content"},
      {Wire::openai_responses, R"({"input":[{"role":"user","content":[7]}]})", "/input/0/content/0"},
      {Wire::openai_responses, R"({"input":[{"type":"function_call_output","output":7}]})", "/input/0/output"},
      {Wire::openai_responses, R"({"input":"a","tools":[{"type":"function"}]})", "/tools/0/name"},
  };
  for (const Refused& row : rows) {
    json::Document document = document_of(row.body);
    auto request = wire::decode_request(row.wire, document.root());
    ASSERT_FALSE(request) << row.body;
    EXPECT_EQ(request.error().path, row.path) << row.body;
    EXPECT_NE(request.error().message, "") << row.body;
  }
}

std::string written(Wire wire, const chat::Request& request) { return wire::encode_request(wire, request); }

TEST(WireOpenaiRequest, the_name_of_the_limit_stays_as_it_was) {
  chat::Request r = request_of(Wire::openai_chat, R"({"model":"m","messages":[],"max_tokens":5})");
  EXPECT_EQ(r.max_output_tokens, 5U);
  r.max_output_tokens = 9;
  EXPECT_EQ(written(Wire::openai_chat, r), R"({"model":"m","messages":[],"max_tokens":9})");
  r.opaque.clear();
  EXPECT_EQ(written(Wire::openai_chat, r), R"({"model":"m","messages":[],"max_completion_tokens":9})");
  EXPECT_EQ(written(Wire::openai_responses, r), R"({"model":"m","max_output_tokens":9})");
}

TEST(WireOpenaiRequest, usage_is_asked_for_unless_the_request_said_otherwise) {
  chat::Request r;
  r.model = "m";
  r.stream = true;
  EXPECT_EQ(written(Wire::openai_chat, r),
            R"({"model":"m","messages":[],"stream":true,"stream_options":{"include_usage":true}})");
  r = request_of(Wire::openai_chat, R"({"model":"m","messages":[],"stream":true})");
  EXPECT_EQ(written(Wire::openai_chat, r), R"({"model":"m","messages":[],"stream":true})");
}

TEST(WireOpenaiRequest, images_of_results_follow_as_a_message_of_the_user) {
  chat::Request r;
  r.model = "m";
  Block image;
  image.kind = Block::Kind::image;
  image.media_type = "image/png";
  image.data = "AAAA";
  Block first = chat::result_block("a", "ok"), second = chat::result_block("b", "");
  first.content.push_back(image);
  second.content = {image};
  r.messages = {{Role::assistant, {chat::call_block("a", "f", ""), chat::call_block("b", "f", "{}")}, {}},
                {Role::tool, {first}, {}},
                {Role::tool, {second}, {}},
                {Role::user, {chat::text_block("go on")}, {}}};
  EXPECT_EQ(
      written(Wire::openai_chat, r),
      R"({"model":"m","messages":[{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}},{"id":"b","type":"function","function":{"name":"f","arguments":"{}"}}]},)"
      R"({"role":"tool","tool_call_id":"a","content":"ok"},)"
      R"({"role":"tool","tool_call_id":"b","content":"The result is an image; it follows in the next message."},)"
      R"({"role":"user","content":[{"type":"text","text":"Image of the tool result a:"},{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}},)"
      R"({"type":"text","text":"Image of the tool result b:"},{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}}]},)"
      R"({"role":"user","content":"go on"}]})");
  // The other wire has a place for them.
  const std::string responses = written(Wire::openai_responses, r);
  EXPECT_NE(
      responses.find(
          R"({"type":"function_call_output","call_id":"b","output":[{"type":"input_image","image_url":"data:image/png;base64,AAAA","detail":"auto"}]})"),
      responses.npos)
      << responses;
}

TEST(WireOpenaiRequest, what_other_wires_signed_is_left_out) {
  chat::Request r;
  r.model = "m";
  Block thought = chat::text_block("hm");
  thought.kind = Block::Kind::reasoning;
  Block signed_thought = thought, foreign;
  signed_thought.opaque.push_back({"anthropic", "signature", "\"s\""});
  foreign.kind = Block::Kind::other;
  foreign.opaque.push_back({"anthropic", "document", "{}"});
  r.messages = {{Role::user, {foreign}, {}}, {Role::assistant, {signed_thought, foreign, chat::text_block("a")}, {}}};
  EXPECT_EQ(written(Wire::openai_chat, r), R"({"model":"m","messages":[{"role":"assistant","content":"a"}]})");
  EXPECT_EQ(written(Wire::openai_responses, r),
            R"({"model":"m","input":[{"type":"message","role":"assistant","content":"a"}]})");
  r.messages = {{Role::assistant, {thought, chat::text_block("a")}, {}}};
  EXPECT_EQ(written(Wire::openai_chat, r),
            R"({"model":"m","messages":[{"role":"assistant","content":"a","reasoning_content":"hm"}]})");
}

TEST(WireOpenaiRequest, several_texts_are_one_where_servers_want_one) {
  chat::Request r;
  r.model = "m";
  Block result = chat::result_block("a", "one");
  result.content.push_back(chat::text_block("two"));
  r.messages = {
      {Role::system, {chat::text_block("a"), chat::text_block("b")}, {}},
      {Role::assistant,
       {chat::text_block("c"), chat::text_block("d"), chat::call_block("a", "f", "{}"), chat::text_block("e")},
       {}},
      {Role::tool, {result}, {}}};
  EXPECT_EQ(
      written(Wire::openai_chat, r),
      R"({"model":"m","messages":[{"role":"system","content":"a\n\nb"},{"role":"assistant","content":"cd\n\ne","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]},)"
      R"({"role":"tool","tool_call_id":"a","content":"one\ntwo"}]})");
}

// From one wire to the other: what both can say arrives.
TEST(WireOpenaiRequest, a_conversation_means_the_same_on_the_other_wire) {
  const chat::Request chat = request_of(Wire::openai_chat, kChatRequest);
  const chat::Request there = request_of(Wire::openai_responses, written(Wire::openai_responses, chat));
  Lines calls, results;
  for (const chat::Message& m : there.messages)
    for (const Block& b : m.blocks) {
      if (b.kind == Block::Kind::tool_call) calls.push_back(b.id + " " + b.name + " " + b.arguments);
      if (b.kind == Block::Kind::tool_result) results.push_back(b.id + " " + b.content[0].text);
    }
  EXPECT_EQ(calls, (Lines{"a read_file {\"path\": \"ä\"}", R"(b patch {"input":"*** \"x\""})"}));
  EXPECT_EQ(results, (Lines{"a one", "b two"}));
  EXPECT_EQ(there.messages[0].blocks[0].text, "Be brief.");
  EXPECT_EQ(there.tools[0].parameters, chat.tools[0].parameters);
  // A custom tool is one with a parameter where it is not known.
  EXPECT_EQ(there.tools[1].parameters, chat.tools[1].parameters);
  EXPECT_EQ(there.max_output_tokens, chat.max_output_tokens);
  EXPECT_EQ(there.tool_choice, chat.tool_choice);
  const std::string body = written(Wire::openai_responses, chat);
  EXPECT_NE(body.find(R"("strict":true)"), body.npos) << body;
  EXPECT_NE(body.find(R"("strict":false)"), body.npos) << body;
}

TEST(WireOpenaiRequest, results_of_custom_calls_are_known_by_their_call) {
  chat::Request r =
      request_of(Wire::openai_responses,
                 R"({"model":"m","input":[{"type":"custom_tool_call","call_id":"a","name":"p","input":"x"}]})");
  r.messages.push_back({Role::tool, {chat::result_block("a", "done", true)}, {}});
  EXPECT_EQ(written(Wire::openai_responses, r),
            R"({"model":"m","input":[{"type":"custom_tool_call","call_id":"a","name":"p","input":"x"},)"
            R"({"type":"custom_tool_call_output","call_id":"a","output":"done"}]})");
}

}  // namespace
}  // namespace belay::check
