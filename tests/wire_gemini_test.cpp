// Gemini: streams, answers, requests and schemas, both ways.
#include "support/collecting.h"
#include "wire/gemini.h"
#include "wire_deltas.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace belay::check::gemini {
namespace {

using wire::Wire;
constexpr Wire kWire = Wire::gemini;

std::string parts(std::string_view list, std::string_view more = "") {
  return R"({"candidates":[{"content":{"role":"model","parts":[)" + std::string(list) + R"(]},"index":0)" +
         std::string(more) + "}]}";
}
const std::string kStopEvent = parts("", R"(,"finishReason":"STOP")");

struct Row {
  std::string_view why;
  Lines events;
  Lines deltas;  ///< between start and end
};

const Row kRows[] = {
    {"text over several parts and events is one block",
     {parts(R"({"text":"a"},{"text":"b"})"), parts(R"({"text":""},{"text":"c"})"), kStopEvent},
     {"text[1] a", "text[1] b", "text[1] c", "stop end STOP"}},
    {"thoughts are reasoning",
     {parts(R"({"text":"hm","thought":true},{"text":"a","thought":false},{"text":"b","thought":1})"), kStopEvent},
     {"reasoning[1] hm", "text[2] a", "text[2] b", "stop end STOP"}},
    {"a signature ends the block that it signs, alone or with the text",
     {parts(R"({"text":"hm","thought":true,"thoughtSignature":"s1"},{"text":"x","thought":true})"),
      parts(R"({"text":"a"})"), parts(R"({"text":"","thoughtSignature":"s2"},{"text":"b"})"),
      parts(R"({"thoughtSignature":"s3"},{"thoughtSignature":5})"), kStopEvent},
     {"reasoning[1] hm", R"(opaque reasoning[1] thoughtSignature="s1")", "reasoning[2] x", "text[3] a",
      R"(opaque text[3] thoughtSignature="s2")", "text[4] b", R"(opaque text[4] thoughtSignature="s3")",
      "stop end STOP"}},
    {"calls are whole, each one of its own",
     {parts(
          R"({"functionCall":{"id":"c1","name":"f","args":{"a":1.0}},"thoughtSignature":"s"},{"functionCall":{"name":"f"}})"),
      parts(R"({"functionCall":{"name":"g","args":"{\"a\":"}},{"functionCall":{"args":null}})"), kStopEvent},
     {R"(closed call #0 id=c1 name=f {"a":1.0})", R"(opaque #0 id=c1 thoughtSignature="s")", "closed call #1 name=f ",
      R"(closed call #2 name=g {"a":)", "closed call #3 ", "stop tool_calls STOP"}},
    {"what the server ran is kept whole",
     {parts(
          R"({"executableCode":{"language":"PYTHON","code":"1"},"thoughtSignature":"s"},{"text":"a"},{"inlineData":{"mimeType":"image/png","data":"x"}})"),
      kStopEvent},
     {R"(opaque other[1] executableCode={"executableCode":{"language":"PYTHON","code":"1"},"thoughtSignature":"s"})",
      "text[2] a", R"(opaque other[3] inlineData={"inlineData":{"mimeType":"image/png","data":"x"}})",
      "stop end STOP"}},
    {"counts: thoughts are part of the output, tools' prompts of the input; read before the end",
     {R"({"usageMetadata":{"promptTokenCount":3}})",
      R"({"candidates":[{"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":3,"toolUsePromptTokenCount":4,"candidatesTokenCount":5,"thoughtsTokenCount":6,"cachedContentTokenCount":2,"totalTokenCount":18}})"},
     {"usage in=3", "usage in=7 out=11 cached=2 reasoning=6", "stop end STOP"}},
    {"counts of wrong kinds are not there",
     {R"({"candidates":[{"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":"3","candidatesTokenCount":-1}})"},
     {"stop end STOP"}},
    {"a prompt that is blocked is an answer that ends",
     {R"({"promptFeedback":{"blockReason":"SAFETY","blockReasonMessage":"no"}})"},
     {"notice blocked", "stop content_filter SAFETY"}},
    {"a malformed call, with what the model wrote",
     {parts("", R"(,"finishReason":"MALFORMED_FUNCTION_CALL","finishMessage":"print(f(")")},
     {"notice finish_message", "stop malformed MALFORMED_FUNCTION_CALL"}},
    {"further candidates and strange things are ignored",
     {R"({"candidates":[{"index":1,"content":{"parts":[{"text":"x"}]}}]})",
      R"({"candidates":[{"content":{"parts":[{"text":"a"}]}},{"content":{"parts":[{"text":"x"}]}}]})", "5", "{}",
      parts("7"), parts("", R"(,"finishReason":"FINISH_REASON_UNSPECIFIED")"), kStopEvent},
     {"notice ignored_choice", "text[1] a", "notice ignored_choice", "notice ignored_event", "notice ignored_event",
      "notice ignored_fragment", "stop end STOP"}},
};

TEST(WireGemini, reads_every_event_of_a_stream) {
  for (const Row& row : kRows) {
    Lines deltas = row.deltas;
    deltas.insert(deltas.begin(), "start  ");
    deltas.push_back("end");
    std::string body = body_of(kWire, row.events);
    EXPECT_EQ(deltas_of(kWire, body), deltas) << row.why;
    EXPECT_EQ(deltas_of(kWire, body, 1), deltas) << row.why;
    // Without alt=sse the same events are the items of one list.
    std::string list = "[";
    for (const std::string& e : row.events) list += (list.size() > 1 ? ",\r\n" : "") + e;
    bool objects = list.find("\n5") == list.npos;
    if (objects) {
      EXPECT_EQ(deltas_of(kWire, list + "]"), deltas) << row.why;
    }
  }
}

TEST(WireGemini, reads_a_list_that_came_as_one_event) {
  DeltaLines sink;
  std::string list = "data: [" + parts(R"({"text":"a"})") + "," + kStopEvent + "," + parts(R"({"text":"b"})") + "," +
                     kStopEvent + ",1]\n\n";
  EXPECT_EQ(deltas_of(kWire, list),
            (Lines{"start  ", "text[1] a", "stop end STOP", "text[1] b", "stop end STOP", "end"}));
}

TEST(WireGemini, knows_every_finish_reason) {
  const std::pair<std::string, std::string> rows[] = {{"STOP", "end"},
                                                      {"MAX_TOKENS", "length"},
                                                      {"SAFETY", "content_filter"},
                                                      {"RECITATION", "content_filter"},
                                                      {"LANGUAGE", "content_filter"},
                                                      {"OTHER", "content_filter"},
                                                      {"BLOCKLIST", "content_filter"},
                                                      {"PROHIBITED_CONTENT", "content_filter"},
                                                      {"SPII", "content_filter"},
                                                      {"MALFORMED_FUNCTION_CALL", "malformed"},
                                                      {"UNEXPECTED_TOOL_CALL", "malformed"},
                                                      {"TOO_MANY_TOOL_CALLS", "malformed"},
                                                      {"IMAGE_SAFETY", "content_filter"},
                                                      {"CONTINUATION", "pause"},
                                                      {"SOMETHING_NEW", "content_filter"}};
  for (const auto& [raw, name] : rows) {
    Lines lines = deltas_of(kWire, body_of(kWire, {parts("", R"(,"finishReason":")" + raw + "\"")}));
    EXPECT_EQ(lines, (Lines{"start  ", "stop " + name + " " + raw, "end"}));
  }
}

TEST(WireGemini, has_no_end_without_a_finish_reason) {
  EXPECT_EQ(deltas_of(kWire, body_of(kWire, {parts(R"({"text":"a"})"), "[DONE]"})),
            (Lines{"start  ", "text[1] a", "notice ignored_event"}));
  EXPECT_EQ(deltas_of(kWire, body_of(kWire, {R"({"promptFeedback":{}})"})), (Lines{"start  "}));
}

TEST(WireGemini, reads_arguments_that_come_by_path_as_fragments_of_a_call) {
  auto lines = [](const std::string& calls) {
    return deltas_of(kWire, body_of(kWire, {parts(calls), parts("", R"(,"finishReason":"STOP")")}));
  };
  const std::string begin = R"({"functionCall":{"name":"f","id":"k","willContinue":true}})";
  const std::string piece =
      R"({"functionCall":{"partialArgs":[{"jsonPath":"$.a","stringValue":"x","willContinue":true}],"willContinue":true}})";
  const std::string last = R"({"functionCall":{"partialArgs":[{"jsonPath":"$.a","stringValue":"y"}]}})";
  EXPECT_EQ(lines(begin + "," + piece + "," + last),
            (Lines{"start  ", "call #0 id=k name=f ", R"(call #0 id=k {"a":"x)", R"(call #0 id=k y"})",
                   "call_end #0 id=k", "stop tool_calls STOP", "end"}));
  // One that is not ended is cut, and a piece of none may be of any.
  EXPECT_EQ(lines(begin),
            (Lines{"start  ", "call #0 id=k name=f ", "stop tool_calls STOP", "cut call #0 id=k ", "end"}));
  EXPECT_EQ(lines(last), (Lines{"start  ", "notice ignored_fragment", "lost", "stop end STOP", "end"}));
}

TEST(WireGemini, reads_errors) {
  const std::pair<std::string, std::string> rows[] = {
      {R"({"error":{"code":429,"message":"slow","status":"RESOURCE_EXHAUSTED","details":[{"@type":"x"},{"retryDelay":"11s"}]}})",
       "failure rate_limit retry after 11.0: slow"},
      {R"({"error":{"code":429,"message":"slow","status":"RESOURCE_EXHAUSTED","details":[{"retryDelay":"soon"},7]}})",
       "failure rate_limit retry: slow"},
      {R"({"error":{"code":503,"message":"busy","status":"UNAVAILABLE"}})", "failure overloaded retry: busy"},
      {R"({"error":{"code":400,"message":"bad","status":"INVALID_ARGUMENT"}})", "failure invalid_request: bad"},
      {R"({"error":{"code":400,"message":"key","status":"INVALID_ARGUMENT","details":[{"reason":"API_KEY_INVALID"}]}})",
       "failure authentication: key"},
      {R"({"error":{"code":500,"message":"oops","status":"INTERNAL"}})", "failure server_error retry: oops"},
      {R"({"error":"words"})", "failure server_error retry: words"},
  };
  for (const auto& [event, line] : rows) {
    EXPECT_EQ(deltas_of(kWire, event), Lines{line});
    EXPECT_EQ(deltas_of(kWire, "[" + event + "]"), Lines{line});
    EXPECT_EQ(deltas_of(kWire, body_of(kWire, {parts(R"({"text":"a"})"), event})).back(), line);
  }
}

const std::string kAnswer =
    R"({"candidates":[{"content":{"parts":[{"text":"hm","thought":true},{"text":"a","thoughtSignature":"s"},{"functionCall":{"id":"c","name":"f","args":{"a":[1,{}]}},"thoughtSignature":"t"},{"executableCode":{"code":"1"}}],"role":"model"},"finishReason":"STOP","index":0}],"usageMetadata":{"promptTokenCount":1,"candidatesTokenCount":2,"thoughtsTokenCount":3,"totalTokenCount":6},"modelVersion":"gemini-3-pro","responseId":"r1"})";

TEST(WireGemini, reads_a_whole_answer_and_writes_the_same) {
  auto answer = turn::decode_response(kWire, root_of(document_of(kAnswer)));
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->id, "r1");
  EXPECT_EQ(answer->message.blocks.size(), 4u);
  EXPECT_EQ(answer->usage.output_tokens, 5u);
  EXPECT_EQ(answer->stop, chat::StopReason::tool_calls);
  EXPECT_TRUE(root_of(document_of(wire::encode_response(kWire, *answer))) == root_of(document_of(kAnswer)))
      << wire::encode_response(kWire, *answer);
}

TEST(WireGemini, survives_wrong_kinds_anywhere) {
  for (const std::string& strange : mutations(kAnswer)) {
    EXPECT_FALSE(deltas_of(kWire, body_of(kWire, {parts(R"({"text":"a"})"), strange})).empty());
    json::Document document = document_of(strange);
    if (auto answer = turn::decode_response(kWire, document.root())) {
      document_of(wire::encode_response(kWire, *answer));
    }
  }
}

// Requests.

const std::string kRequest =
    R"({"contents":[{"role":"user","parts":[{"text":"Look"},{"inlineData":{"mimeType":"image/png","data":"iVBO","displayName":"p"}},{"fileData":{"fileUri":"gs://b/x.jpg","mimeType":"image/jpeg"}},{"inlineData":{"mimeType":"audio/wav","data":"x"}}]},)"
    R"({"role":"model","parts":[{"text":"hm","thought":true,"thoughtSignature":"s0"},{"text":"","thoughtSignature":"s1"},{"functionCall":{"id":"c1","name":"read","args":{"path":"a.txt"}},"thoughtSignature":"s2"},{"functionCall":{"name":"list","args":{}}},{"executableCode":{"language":"PYTHON","code":"1"}}]},)"
    R"({"role":"user","parts":[{"functionResponse":{"id":"c1","name":"read","response":{"error":"no such file"}}},{"functionResponse":{"name":"list","response":{"files":["a"],"n":1},"parts":[{"inlineData":{"mimeType":"image/png","data":"y"}}],"scheduling":"SILENT"}}]},)"
    R"({"role":"user","parts":[{"text":"Go on."}]}],)"
    R"("systemInstruction":{"parts":[{"text":"Be brief."},{"text":"Please."}]},)"
    R"("tools":[{"functionDeclarations":[{"name":"read","description":"Reads","parameters":{"type":"object","properties":{"path":{"type":"string","format":"date-time"},"n":{"type":"integer","minimum":1}},"required":["path"]},"response":{"type":"OBJECT"}},{"name":"list","parametersJsonSchema":{"type":"object","properties":{"a":{"const":1}},"additionalProperties":false}},{"name":"pwd"}]},{"googleSearch":{}}],)"
    R"("toolConfig":{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["read"]},"retrievalConfig":{"languageCode":"de"}},)"
    R"("generationConfig":{"maxOutputTokens":1000,"temperature":0.5,"topP":0.9,"stopSequences":["END"],"thinkingConfig":{"thinkingBudget":512,"includeThoughts":true},"topK":40,"responseMimeType":"text/plain"},)"
    R"("safetySettings":[{"category":"X","threshold":"Y"}],"cachedContent":"c"})";

TEST(WireGemini, reads_every_field_of_a_request) {
  using Kind = chat::Block::Kind;
  chat::Request r = request_of(kWire, kRequest, "gemini-3-pro");
  EXPECT_EQ(r.model, "gemini-3-pro");
  std::vector<chat::Role> roles;
  for (const chat::Message& m : r.messages) roles.push_back(m.role);
  using enum chat::Role;
  EXPECT_EQ(roles, (std::vector{system, user, assistant, tool, user}));
  EXPECT_EQ(r.messages[0].blocks.size(), 2u);
  EXPECT_EQ(r.messages[1].blocks[1].data, "iVBO");
  EXPECT_EQ(r.messages[1].blocks[2].url, "gs://b/x.jpg");
  EXPECT_EQ(r.messages[1].blocks[3].kind, Kind::other);
  EXPECT_EQ(r.messages[2].blocks[0].kind, Kind::reasoning);
  EXPECT_EQ(r.messages[2].blocks[1].opaque, (std::vector<chat::Opaque>{{"gemini", "thoughtSignature", "\"s1\""}}));
  EXPECT_EQ(r.messages[2].blocks[2].id, "c1");
  EXPECT_EQ(r.messages[2].blocks[2].arguments, R"({"path":"a.txt"})");
  // A call without an id gets one, and its result the same.
  EXPECT_EQ(r.messages[2].blocks[3].id, "belay_call_1");
  EXPECT_EQ(r.messages[3].blocks[1].id, "belay_call_1");
  EXPECT_TRUE(r.messages[3].blocks[0].is_error);
  EXPECT_EQ(r.messages[3].blocks[0].content[0].text, "no such file");
  EXPECT_EQ(r.messages[3].blocks[1].content[0].text, R"({"files":["a"],"n":1})");
  EXPECT_EQ(r.messages[3].blocks[1].content[1].data, "y");
  ASSERT_EQ(r.tools.size(), 3u);
  EXPECT_EQ(r.tools[1].parameters, R"({"type":"object","properties":{"a":{"const":1}},"additionalProperties":false})");
  EXPECT_EQ(r.tool_choice, (chat::ToolChoice{chat::ToolChoice::Kind::named, "read"}));
  EXPECT_EQ(r.max_output_tokens, 1000u);
  EXPECT_EQ(r.temperature, 0.5);
  EXPECT_EQ(r.top_p, 0.9);
  EXPECT_EQ(r.stop, Lines{"END"});
  EXPECT_EQ(r.reasoning_tokens, 512u);
}

TEST(WireGemini, writes_a_request_as_it_was_read) {
  EXPECT_EQ(round_trip_difference(kWire, kRequest, "gemini-3-pro"), "");
  std::string written = wire::encode_request(kWire, request_of(kWire, kRequest, "gemini-3-pro"));
  EXPECT_TRUE(root_of(document_of(written)) == root_of(document_of(kRequest))) << written;
}

TEST(WireGemini, reads_a_turn_that_a_client_kept_event_by_event) {
  // As @google/genai's chats do after a stream.
  std::string body =
      R"({"contents":[{"role":"user","parts":[{"text":"hi"}]},{"role":"user","parts":[{"text":"there"}]},{"role":"model","parts":[{"text":"h","thought":true}]},{"role":"model","parts":[{"text":"m","thought":true}]},{"role":"model","parts":[{"text":"Read"}]},{"role":"model","parts":[{"text":"ing"}]},{"role":"model","parts":[{"text":"","thoughtSignature":"s"}]},{"role":"model","parts":[{"text":"!"}]},{"role":"model","parts":[{"functionCall":{"id":"a","name":"f","args":{}},"thoughtSignature":"t"}]},{"role":"model","parts":[{"functionCall":{"id":"b","name":"g","args":{}}}]},{"role":"user","parts":[{"functionResponse":{"id":"a","name":"f","response":{"output":"1"}}}]},{"role":"user","parts":[{"functionResponse":{"id":"b","name":"g","response":{"output":"2"}}}]}]})";
  chat::Request r = request_of(kWire, body, "gemini-3-pro");
  ASSERT_EQ(r.messages.size(), 4u);
  EXPECT_EQ(r.messages[2].blocks.size(), 5u);
  EXPECT_EQ(r.messages[2].blocks[0].text, "hm");
  EXPECT_EQ(r.messages[2].blocks[1].text, "Reading");
  EXPECT_EQ(r.messages[2].blocks[1].opaque.size(), 1u);
  EXPECT_EQ(r.messages[3].blocks.size(), 2u);
  EXPECT_EQ(round_trip_difference(kWire, body, "gemini-3-pro"), "");
  EXPECT_EQ(wire::encode_request(kWire, r).find("skip_thought_signature_validator"), std::string::npos);
}

TEST(WireGemini, reads_names_in_both_spellings) {
  std::string snake =
      R"({"system_instruction":"s","contents":{"parts":{"inline_data":{"mime_type":"image/png","data":"x"}}},"tools":[{"function_declarations":[{"name":"f","parameters":{"type":"OBJECT","properties":{"a_b":{"type":"STRING"}}}}]}],"tool_config":{"function_calling_config":{"mode":"NONE"}},"generation_config":{"max_output_tokens":5,"top_p":1,"thinking_config":{"thinking_level":"LOW"}}})";
  chat::Request r = request_of(kWire, snake, "gemini-2.5-pro");
  EXPECT_EQ(r.messages[0].blocks[0].text, "s");
  EXPECT_EQ(r.messages[1].blocks[0].data, "x");
  EXPECT_EQ(r.tools[0].parameters, R"({"type":"object","properties":{"a_b":{"type":"string"}}})");
  EXPECT_EQ(r.tool_choice, (chat::ToolChoice{chat::ToolChoice::Kind::none, ""}));
  EXPECT_EQ(r.max_output_tokens, 5u);
  EXPECT_EQ(r.reasoning_effort, "low");
  EXPECT_EQ(round_trip_difference(kWire, snake, "gemini-2.5-pro"), "");
}

TEST(WireGemini, reads_requests_with_wrong_kinds_or_says_where_they_are) {
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

TEST(WireGemini, names_the_place_of_what_cannot_be_read) {
  const std::pair<std::string, std::string> rows[] = {
      {"[]", ""},
      {"{}", "/contents"},
      {R"({"contents":5})", "/contents"},
      {R"({"contents":[{"parts":[]},7]})", "/contents/1"},
      {R"({"contents":[{"role":"assistant"}]})", "/contents/0/role"},
      {R"({"contents":[{"parts":"a"}]})", "/contents/0/parts"},
      {R"({"contents":[{"parts":[{"text":"a"},1]}]})", "/contents/0/parts/1"},
      {R"({"contents":[],"systemInstruction":[]})", "/systemInstruction"},
      {R"({"contents":[],"tools":{}})", "/tools"},
      {R"({"contents":[],"tools":[1]})", "/tools/0"},
      {R"({"contents":[],"tools":[{"functionDeclarations":[1]}]})", "/tools/0/functionDeclarations"},
  };
  for (const auto& [body, path] : rows) {
    json::Document document = document_of(body);
    auto request = wire::decode_request(kWire, document.root());
    ASSERT_FALSE(request) << body;
    EXPECT_EQ(request.error().path, path) << body;
  }
}

TEST(WireGemini, pairs_calls_and_results_by_name_and_order) {
  chat::Request r = request_of(
      kWire,
      R"({"contents":[{"role":"model","parts":[{"functionCall":{"name":"f"}},{"functionCall":{"name":"g"}},{"functionCall":{"name":"f"}}]},)"
      R"({"parts":[{"functionResponse":{"name":"g","response":{}}},{"functionResponse":{"name":"f","response":{"result":"1"}}},{"functionResponse":{"name":"f","response":{"output":"2"}}},{"functionResponse":{"name":"h","response":{"output":""}}}]},)"
      R"({"role":"model","parts":[{"functionCall":{"name":"f"}}]},{"role":"function","parts":[{"functionResponse":{"name":"f","response":{"error":{"code":1}}}}]}]})");
  std::vector<std::string> ids;
  for (const chat::Message& m : r.messages)
    for (const chat::Block& b : m.blocks) ids.push_back(b.id);
  EXPECT_EQ(ids, (Lines{"belay_call_0", "belay_call_1", "belay_call_2", "belay_call_1", "belay_call_0", "belay_call_2",
                        "belay_result_0", "belay_call_3", "belay_call_3"}));
  EXPECT_EQ(r.messages[1].blocks[1].content[0].text, "1");
  EXPECT_TRUE(r.messages[3].blocks[0].is_error);
  EXPECT_EQ(r.messages[3].blocks[0].content[0].text, R"({"code":1})");
}

json::Document written(const chat::Request& request) { return document_of(wire::encode_request(kWire, request)); }

TEST(WireGemini, writes_what_came_from_other_wires) {
  using chat::Role;
  chat::Request r;
  r.model = "gemini-2.5-flash";
  chat::Block image;
  image.kind = chat::Block::Kind::image;
  image.url = "data:image/gif;base64,R0lG";
  chat::Block result = chat::result_block("t1", "ok");
  result.content.push_back(image);
  r.messages = {{Role::system, {chat::text_block("s")}, {}},
                {Role::user, {chat::text_block("a"), image}, {}},
                {Role::assistant, {chat::call_block("t1", "f", "{'a':1"), chat::call_block("t2", "g", "")}, {}},
                {Role::tool, {result}, {}},
                {Role::tool, {chat::result_block("t2", "bad", true)}, {}},
                {Role::user, {chat::result_block("t3", "lost"), chat::text_block("b")}, {}}};
  r.opaque.push_back({"anthropic", "metadata", "{}"});
  EXPECT_EQ(
      wire::encode_request(kWire, r),
      R"({"contents":[{"role":"user","parts":[{"text":"a"},{"inlineData":{"mimeType":"image/gif","data":"R0lG"}}]},)"
      R"({"role":"model","parts":[{"functionCall":{"id":"t1","name":"f","args":{"a":1}}},{"functionCall":{"id":"t2","name":"g","args":{}}}]},)"
      R"({"role":"user","parts":[{"functionResponse":{"id":"t1","name":"f","response":{"output":"ok"},"parts":[{"inlineData":{"mimeType":"image/gif","data":"R0lG"}}]}},)"
      R"({"functionResponse":{"id":"t2","name":"g","response":{"error":"bad"}}},{"functionResponse":{"id":"t3","name":"unknown","response":{"output":"lost"}}}]},)"
      R"({"role":"user","parts":[{"text":"b"}]}],"systemInstruction":{"parts":[{"text":"s"}]}})");
  // Gemini 3 refuses calls that nobody signed.
  r.model = "models/gemini-3-pro-preview";
  json::Document body = written(r);
  json::Value calls = *body.root().find("contents")->at(1)->find("parts");
  EXPECT_EQ(calls.at(0)->find("thoughtSignature")->as_string(), "skip_thought_signature_validator");
  EXPECT_FALSE(calls.at(1)->find("thoughtSignature"));
  r.messages[2].blocks[1].opaque.push_back({"gemini", "thoughtSignature", "\"s\""});
  json::Document own = written(r);
  EXPECT_FALSE(own.root().find("contents")->at(1)->find("parts")->at(0)->find("thoughtSignature"));
}

TEST(WireGemini, keeps_choices_of_tools_that_others_do_not_know) {
  auto config = [](std::string_view calling) {
    std::string body =
        R"({"contents":[],"tools":[{"functionDeclarations":[{"name":"f"}]}],"toolConfig":{"functionCallingConfig":)" +
        std::string(calling) + "}}";
    EXPECT_EQ(round_trip_difference(kWire, body), "");
    json::Document out = written(request_of(kWire, body));
    auto found = out.root().find("toolConfig");
    return found ? json::to_string(*found->find("functionCallingConfig")) : "";
  };
  EXPECT_EQ(config(R"({"mode":"AUTO"})"), R"({"mode":"AUTO"})");
  EXPECT_EQ(config(R"({"mode":"NONE"})"), R"({"mode":"NONE"})");
  EXPECT_EQ(config(R"({"mode":"ANY"})"), R"({"mode":"ANY"})");
  EXPECT_EQ(config(R"({"mode":"ANY","allowedFunctionNames":["f","g"]})"),
            R"({"mode":"ANY","allowedFunctionNames":["f","g"]})");
  EXPECT_EQ(config(R"({"mode":"VALIDATED"})"), R"({"mode":"VALIDATED"})");
  // Arguments by path cannot be read; they come whole when nobody asks for that.
  EXPECT_EQ(config(R"({"mode":"VALIDATED","streamFunctionCallArguments":true})"), R"({"mode":"VALIDATED"})");
  EXPECT_EQ(config(R"({"mode":"AUTO","streamFunctionCallArguments":true})"), R"({"mode":"AUTO"})");
}

TEST(WireGemini, thinks_as_much_as_the_model_can_be_told) {
  struct Thinking {
    std::string model, effort;
    std::optional<std::uint64_t> budget;
    std::string config;
  };
  const Thinking rows[] = {
      {"gemini-2.5-pro", "", {}, ""},
      {"gemini-2.5-pro", "minimal", {}, R"({"thinkingBudget":1024})"},
      {"gemini-2.5-pro", "medium", {}, R"({"thinkingBudget":8192})"},
      {"gemini-flash-latest", "high", {}, R"({"thinkingBudget":24576})"},
      {"gemini-2.0-flash", "high", {}, ""},
      {"gemini-3-pro", "low", {}, R"({"thinkingLevel":"LOW"})"},
      {"gemini-3.8-flash", "high", {}, R"({"thinkingLevel":"HIGH"})"},
      {"gemini-3-pro", "high", 0, R"({"thinkingBudget":0})"},
  };
  for (const Thinking& row : rows) {
    chat::Request r;
    r.model = row.model;
    r.reasoning_effort = row.effort;
    r.reasoning_tokens = row.budget;
    json::Document body = written(r);
    auto generation = body.root().find("generationConfig");
    EXPECT_EQ(generation ? json::to_string(*generation->find("thinkingConfig")) : "", row.config) << row.model;
  }
}

TEST(WireGemini, makes_json_schema_of_its_own_schemas) {
  const std::pair<std::string, std::string> rows[] = {
      {R"({"type":"STRING","nullable":true})", R"({"type":["string","null"]})"},
      {R"({"type":"STRING","nullable":false,"maxLength":"5"})", R"({"type":"string","maxLength":5})"},
      {R"({"type":"STRING","format":"enum","enum":["A","B"],"nullable":true})",
       R"({"type":["string","null"],"format":"enum","enum":["A","B",null]})"},
      {R"({"anyOf":[{"type":"STRING"},{"type":"NUMBER"}],"nullable":true})",
       R"({"anyOf":[{"type":"string"},{"type":"number"},{"type":"null"}]})"},
      {R"({"any_of":[{"type":"STRING"}],"min_items":"2"})", R"({"anyOf":[{"type":"string"}],"minItems":2})"},
      {R"({"type":"OBJECT","properties":{"type":{"type":"STRING"},"nullable":{"type":"ARRAY","items":{"type":"INTEGER"}}}})",
       R"({"type":"object","properties":{"type":{"type":"string"},"nullable":{"type":"array","items":{"type":"integer"}}}})"},
      {R"({"type":"TYPE_UNSPECIFIED","title":"t","example":{"type":"X"}})", R"({"title":"t","example":{"type":"X"}})"},
      {R"({"type":7,"properties":5,"anyOf":{},"items":[],"minLength":"x","x":1})",
       R"({"type":7,"properties":5,"anyOf":{},"items":[],"minLength":"x","x":1})"},
  };
  for (const auto& [own, schema] : rows) EXPECT_EQ(wire::gemini::json_schema(root_of(document_of(own))), schema);
}

TEST(WireGemini, knows_which_schemas_its_parameters_take) {
  const std::pair<std::string, bool> rows[] = {
      {R"({"type":"object","properties":{"a":{"type":"string"}},"required":["a"]})", true},
      {R"({"type":"object","properties":{"a":{"type":"array","items":{"type":"number","format":"double"}}}})", true},
      {R"({"type":"string","enum":["a"],"description":"d","default":"a"})", true},
      {R"({"anyOf":[{"type":"string"},{"type":"integer","minimum":1}]})", true},
      {R"({"type":"object"})", false},
      {R"({"type":"object","properties":{}})", false},
      {R"({"type":"array"})", false},
      {R"({"type":["string","null"]})", false},
      {R"({"type":"null"})", false},
      {R"({"type":"string","format":"uri"})", false},
      {R"({"type":"integer","enum":[1]})", false},
      {R"({"type":"string","enum":[""]})", false},
      {R"({"type":"string","const":"a"})", false},
      {R"({"$ref":"#/$defs/a"})", false},
      {R"({"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false})", false},
      {R"({"type":"object","properties":{"a":{"type":"object","properties":{"b":{"oneOf":[]}}}}})", false},
      {R"({"type":"object","properties":{"a":true}})", false},
      {"{}", false},
      {"5", false},
  };
  for (const auto& [schema, takes] : rows) {
    EXPECT_EQ(wire::gemini::in_subset(root_of(document_of(schema))), takes) << schema;
    chat::Request r;
    r.tools.push_back({"f", "", schema, {}});
    json::Document body = written(r);
    json::Value tool = *body.root().find("tools")->at(0)->find("functionDeclarations")->at(0);
    EXPECT_EQ(tool.find("parameters").has_value(), takes) << schema;
    EXPECT_EQ(json::to_string(*tool.find(takes ? "parameters" : "parametersJsonSchema")), schema);
  }
}

// Streams, written.

TEST(WireGemini, writes_a_stream_that_its_clients_know) {
  wire::StreamEncoder e(kWire, {"r1", "m", 0});
  e.reasoning("hm");
  e.text("hi");
  e.opaque({"gemini", "thoughtSignature", "\"s\""});
  e.begin_call("c1", "f");
  e.arguments("{\"a\":\n");
  e.arguments("1}");
  e.end_call();
  e.opaque({"gemini", "thoughtSignature", "\"t\""});
  e.usage({.input_tokens = 4, .output_tokens = 7, .cached_tokens = 1, .cache_write_tokens = 9, .reasoning_tokens = 2});
  e.stop(chat::StopReason::tool_calls, "tool_use");
  EXPECT_EQ(
      e.take(),
      R"(data: {"candidates":[{"content":{"parts":[{"text":"hm","thought":true}],"role":"model"},"index":0}],"modelVersion":"m","responseId":"r1"}

data: {"candidates":[{"content":{"parts":[{"text":"hi"}],"role":"model"},"index":0}],"modelVersion":"m","responseId":"r1"}

data: {"candidates":[{"content":{"parts":[{"text":"","thoughtSignature":"s"}],"role":"model"},"index":0}],"modelVersion":"m","responseId":"r1"}

data: {"candidates":[{"content":{"parts":[{"functionCall":{"id":"c1","name":"f","args":{"a":1}},"thoughtSignature":"t"}],"role":"model"},"finishReason":"STOP","index":0}],"usageMetadata":{"promptTokenCount":4,"candidatesTokenCount":5,"thoughtsTokenCount":2,"cachedContentTokenCount":1,"totalTokenCount":11},"modelVersion":"m","responseId":"r1"}

)");
}

TEST(WireGemini, writes_failures_that_read_back_as_the_same_kind) {
  for (std::string_view kind : {"overloaded", "rate_limit", "authentication", "permission", "not_found", "timeout",
                                "invalid_request", "server_error"}) {
    wire::StreamEncoder e(kWire, {"a", "m", 0});
    e.text("half");
    e.failure({kind, "why", false, 2.5});
    std::string last = deltas_of(kWire, e.take()).back();
    EXPECT_TRUE(last.starts_with("failure " + std::string(kind))) << last;
    EXPECT_TRUE(last.ends_with(" after 2.50: why")) << last;
  }
}

TEST(WireGemini, never_writes_a_cut_call) {
  wire::StreamEncoder e(kWire, {"a", "m", 0});
  e.begin_call("t1", "f");
  e.arguments("{\"a\":1}");
  e.end_call();
  e.begin_call("t2", "g");
  e.arguments("{\"a\":");
  e.stop(chat::StopReason::length);
  EXPECT_EQ(deltas_of(kWire, e.take()),
            (Lines{"start a m", R"(closed call #0 id=t1 name=f {"a":1})", "stop length MAX_TOKENS", "end"}));
  // Without a stop there is no end, and after a failure no call.
  wire::StreamEncoder broken(kWire, {"a", "m", 0});
  broken.text("half");
  broken.stop(chat::StopReason::none);
  EXPECT_EQ(deltas_of(kWire, broken.take()).back(), "text[1] half");
  wire::StreamEncoder failed(kWire, {"a", "m", 0});
  failed.begin_call("t1", "f");
  failed.end_call();
  failed.failure({"overloaded", "why", true, {}});
  EXPECT_EQ(deltas_of(kWire, failed.take()), Lines{"failure overloaded retry: why"});
}

const AnswerKind kAnswers = {.wire = "gemini",
                             .signature = "thoughtSignature",
                             .sign_reasoning = true,
                             .sign_text = true,
                             .sign_calls = true,
                             .ids = true,
                             .one_of_each = false};

void same_but_for_spelling(chat::Response back, chat::Response answer, const std::string& body) {
  back.raw_stop.clear();
  if (back != answer) RC_FAIL(body);
}

RC_GTEST_PROP(WireGemini, a_stream_that_is_written_reads_back_the_same, ()) {
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

RC_GTEST_PROP(WireGemini, an_answer_that_is_written_reads_back_the_same, ()) {
  const std::string bytes = *decisions();
  Choices choices(bytes);
  chat::Response answer = make_answer(choices, kAnswers);
  std::string body = wire::encode_response(kWire, answer);
  json::Document document = document_of(body);
  auto back = turn::decode_response(kWire, document.root());
  RC_ASSERT(back.has_value());
  same_but_for_spelling(*back, answer, body);
}

RC_GTEST_PROP(WireGemini, a_request_that_is_written_reads_back_the_same, ()) {
  const std::string bytes = *decisions();
  Choices choices(bytes);
  chat::Request request = make_request(choices);
  std::string difference = round_trip_difference(kWire, wire::encode_request(kWire, request), request.model);
  if (!difference.empty()) RC_FAIL(difference);
}

}  // namespace
}  // namespace belay::check::gemini
