// OpenAI's two wires, read: streams and whole answers.
#include "wire_deltas.h"

#include <gtest/gtest.h>

namespace belay::check {
namespace {

using wire::Wire;

struct Row {
  std::string_view why;
  Lines events;
  Lines deltas;
};

std::string choice(std::string_view delta, std::string_view finish = "null") {
  return R"({"id":"c1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":)" +
         std::string(delta) + R"(,"finish_reason":)" + std::string(finish) + "}]}";
}
std::string fragment(std::string_view call) { return choice(R"({"tool_calls":[)" + std::string(call) + "]}"); }

const Row kChat[] = {
    {"text, role and empty content say nothing",
     {choice(R"({"role":"assistant","content":""})"), choice(R"({"content":"a"})"), choice("{}", R"("stop")"),
      "[DONE]"},
     {"start c1 m", "text a", "stop end stop", "end"}},
    {"reasoning under either name, once when both are there",
     {choice(R"({"reasoning_content":"a","reasoning":"a"})"), choice(R"({"reasoning":"b"})")},
     {"start c1 m", "reasoning a", "reasoning b"}},
    {"refusal", {choice(R"({"refusal":"no"})")}, {"start c1 m", "refusal no"}},
    {"content in parts",
     {choice(
         R"({"content":[{"type":"thinking","thinking":[{"type":"text","text":"t"}]},{"type":"text","text":"a"},{"type":"?"}]})")},
     {"start c1 m", "reasoning t", "text a"}},
    {"a call in fragments",
     {fragment(R"({"index":0,"id":"x","type":"function","function":{"name":"f","arguments":""}})"),
      fragment(R"({"index":0,"function":{"arguments":"{"}})"), choice("{}", R"("tool_calls")")},
     {"start c1 m", "call #0 id=x name=f ", "call #0 {", "stop tool_calls tool_calls", "end"}},
    {"arguments as an object are the whole of them",
     {fragment(R"({"index":1,"id":"x","function":{"name":"f","arguments":{"a":1.0}}})")},
     {"start c1 m", R"(whole call #1 id=x name=f {"a":1.0})"}},
    {"a call without the function around it, and one that is no object",
     {fragment(R"({"id":"x","name":"f","arguments":"{}"},7)")},
     {"start c1 m", "call id=x name=f {}", "notice ignored_fragment", "lost"}},
    {"a signature of a call is kept",
     {fragment(R"({"index":0,"id":"x","function":{"name":"f"},"extra_content":{"google":{"s":"t"}}})")},
     {"start c1 m", "call #0 id=x name=f ", R"(opaque #0 id=x extra_content={"google":{"s":"t"}})"}},
    {"usage behind the end, with its details",
     {choice("{}", R"("length")"),
      R"({"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":4,"prompt_tokens_details":{"cached_tokens":1},"completion_tokens_details":{"reasoning_tokens":2}}})",
      "[DONE]"},
     {"start c1 m", "stop length length", "usage in=3 out=4 cached=1 reasoning=2", "end"}},
    {"a word for the stop that nobody knows is an end, and told",
     {choice("{}", R"("eos_2")")},
     {"start c1 m", "notice unknown_stop", "stop end eos_2", "end"}},
    {"an error in the stream ends it",
     {choice(R"({"content":"a"})"), R"({"error":{"message":"busy","type":"server_error","code":503}})",
      choice(R"({"content":"b"})")},
     {"start c1 m", "text a", "failure overloaded retry: busy"}},
    {"a whole answer",
     {R"({"id":"c1","model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"a","tool_calls":[{"id":"x","type":"function","function":{"name":"f","arguments":"{}"}}]},"finish_reason":"tool_calls"}]})"},
     {"start c1 m", "text a", "closed call id=x name=f {}", "stop tool_calls tool_calls", "end"}},
};

// Responses. Most rows stand between `created` and `completed`.
std::string created() {
  return R"({"type":"response.created","sequence_number":0,"response":{"id":"r1","model":"m","status":"in_progress","error":null,"output":[]}})";
}
std::string completed(std::string_view output = "[]") {
  return R"({"type":"response.completed","response":{"id":"r1","model":"m","status":"completed","error":null,"output":)" +
         std::string(output) + "}}";
}
std::string added(int index, std::string_view item) {
  return R"({"type":"response.output_item.added","output_index":)" + std::to_string(index) + R"(,"item":)" +
         std::string(item) + "}";
}
std::string done(int index, std::string_view item) {
  return R"({"type":"response.output_item.done","output_index":)" + std::to_string(index) + R"(,"item":)" +
         std::string(item) + "}";
}
/// An event about an item: its further members as text.
std::string about(std::string_view type, std::string_view item, int index, std::string_view members) {
  return R"({"type":"response.)" + std::string(type) + R"(","item_id":")" + std::string(item) + R"(","output_index":)" +
         std::to_string(index) + "," + std::string(members) + "}";
}

const std::string kCall =
    R"({"id":"fc_1","type":"function_call","status":"in_progress","call_id":"x","name":"f","arguments":""})";
const std::string kCallDone =
    R"({"id":"fc_1","type":"function_call","status":"completed","call_id":"x","name":"f","arguments":"{\"a\":1}"})";
const std::string kMessage =
    R"({"id":"msg_1","type":"message","status":"in_progress","role":"assistant","content":[]})";
const std::string kMessageDone =
    R"({"id":"msg_1","type":"message","status":"completed","role":"assistant","content":[{"type":"output_text","text":"ab","annotations":[]}]})";

const Row kResponses[] = {
    {"text: pieces count, what repeats them does not",
     {added(0, kMessage),
      about("content_part.added", "msg_1", 0, R"("content_index":0,"part":{"type":"output_text","text":""})"),
      about("output_text.delta", "msg_1", 0, R"("content_index":0,"delta":"a")"),
      about("output_text.delta", "msg_1", 0, R"("content_index":0,"delta":"b")"),
      about("output_text.done", "msg_1", 0, R"("content_index":0,"text":"ab")"),
      about("content_part.done", "msg_1", 0, R"("content_index":0,"part":{"type":"output_text","text":"ab"})"),
      done(0, kMessageDone), completed("[" + kMessageDone + "]")},
     {R"(opaque text[msg_1] @message={"id":"msg_1"})", "text[msg_1] a", "text[msg_1] b", "stop end completed", "end"}},
    {"text that only comes whole",
     {about("output_text.done", "msg_1", 0, R"("content_index":0,"text":"ab")"), done(0, kMessageDone), completed()},
     {"text[msg_1] ab", R"(opaque text[msg_1] @message={"id":"msg_1"})", "stop end completed", "end"}},
    {"an item that only comes whole",
     {done(0, kMessageDone), completed("[" + kMessageDone + "]")},
     {R"(opaque text[msg_1] @message={"id":"msg_1"})", "text[msg_1] ab", "stop end completed", "end"}},
    {"an answer that only comes whole",
     {completed("[" + kMessageDone + "," + kCallDone + "]")},
     {R"(opaque text[msg_1] @message={"id":"msg_1"})", "text[msg_1] ab",
      R"(closed call #1 id=x item=fc_1 name=f {"a":1})", R"(opaque #1 id=x item=fc_1 @function_call={"id":"fc_1"})",
      "call_end #1 id=x item=fc_1", "stop tool_calls completed", "end"}},
    {"a text and a refusal in one message; a phase; annotations",
     {added(0, R"({"id":"m","type":"message","role":"assistant","phase":"final_answer","content":[]})"),
      about("output_text.delta", "m", 0, R"("content_index":0,"delta":"a")"),
      about("refusal.delta", "m", 0, R"("content_index":1,"delta":"n")"),
      about("refusal.done", "m", 0, R"("content_index":1,"refusal":"n")"),
      done(
          0,
          R"({"id":"m","type":"message","role":"assistant","phase":"final_answer","status":"completed","content":[{"type":"output_text","text":"a","annotations":[{"type":"url_citation"}],"logprobs":[]},{"type":"refusal","refusal":"n"}]})"),
      completed()},
     {R"(opaque text[m] @message={"id":"m","phase":"final_answer"})", "text[m] a", "opaque refusal[m#1] @message={}",
      "refusal[m#1] n", R"(opaque text[m] annotations=[{"type":"url_citation"}])", "stop end completed", "end"}},
    {"reasoning: parts are paragraphs, the item comes back whole",
     {added(0, R"({"id":"rs","type":"reasoning","summary":[]})"),
      about("reasoning_summary_part.added", "rs", 0, R"("summary_index":0,"part":{"type":"summary_text","text":""})"),
      about("reasoning_summary_text.delta", "rs", 0, R"("summary_index":0,"delta":"a")"),
      about("reasoning_summary_text.done", "rs", 0, R"("summary_index":0,"text":"a")"),
      about("reasoning_summary_text.delta", "rs", 0, R"("summary_index":1,"delta":"b")"),
      done(
          0,
          R"({"id":"rs","type":"reasoning","summary":[{"type":"summary_text","text":"a"},{"type":"summary_text","text":"b"}],"encrypted_content":"gA"})"),
      completed()},
     {R"(opaque reasoning[rs] @reasoning={"id":"rs","type":"reasoning","summary":[]})", "reasoning[rs] a",
      "reasoning[rs] \n\n", "reasoning[rs] b",
      R"(opaque reasoning[rs] @reasoning={"id":"rs","type":"reasoning","summary":[{"type":"summary_text","text":"a"},{"type":"summary_text","text":"b"}],"encrypted_content":"gA"})",
      "stop end completed", "end"}},
    {"reasoning without a word of it, and thoughts that are not summed up",
     {done(0, R"({"id":"rs","type":"reasoning","summary":[],"encrypted_content":"gA"})"),
      about("reasoning_text.delta", "rt", 1, R"("content_index":0,"delta":"t")"),
      done(1, R"({"id":"rt","type":"reasoning","summary":[],"content":[{"type":"reasoning_text","text":"t"}]})"),
      completed()},
     {R"(opaque reasoning[rs] @reasoning={"id":"rs","type":"reasoning","summary":[],"encrypted_content":"gA"})",
      "reasoning[rt] t",
      R"(opaque reasoning[rt] @reasoning={"id":"rt","type":"reasoning","summary":[],"content":[{"type":"reasoning_text","text":"t"}]})",
      "stop end completed", "end"}},
    {"a call: fragments, then the whole of it twice",
     {added(0, kCall), about("function_call_arguments.delta", "fc_1", 0, R"("delta":"{\"a\"")"),
      about("function_call_arguments.delta", "fc_1", 0, R"("delta":":1}")"),
      about("function_call_arguments.done", "fc_1", 0, R"("arguments":"{\"a\":1}")"), done(0, kCallDone), completed()},
     {"call #0 id=x item=fc_1 name=f ", R"(opaque #0 id=x item=fc_1 @function_call={"id":"fc_1"})",
      R"(call #0 id=x item=fc_1 {"a")", "call #0 id=x item=fc_1 :1}", R"(whole call #0 id=x item=fc_1 {"a":1})",
      R"(closed call #0 id=x item=fc_1 name=f {"a":1})", "call_end #0 id=x item=fc_1", "stop tool_calls completed",
      "end"}},
    {"every event has another item_id: the index tells",
     {added(0, kCall), about("function_call_arguments.delta", "zzz", 0, R"("delta":"{}")"),
      done(0, R"({"id":"yyy","type":"function_call","call_id":"x","name":"f","arguments":"{}"})"),
      completed(R"([{"id":"www","type":"function_call","call_id":"x","name":"f","arguments":"{}"}])")},
     {"call #0 id=x item=fc_1 name=f ", R"(opaque #0 id=x item=fc_1 @function_call={"id":"fc_1"})",
      "call #0 id=x item=fc_1 {}", "closed call #0 id=x item=fc_1 name=f {}",
      R"(opaque #0 id=x item=fc_1 @function_call={"id":"yyy"})", "call_end #0 id=x item=fc_1",
      "whole call #0 id=x item=fc_1 {}", "stop tool_calls completed", "end"}},
    {"the same for words",
     {added(0, kMessage), about("output_text.delta", "zzz", 0, R"("content_index":0,"delta":"ab")"),
      done(0, R"({"id":"yyy","type":"message","content":[{"type":"output_text","text":"ab"}]})"),
      completed(R"([{"id":"www","type":"message","content":[{"type":"output_text","text":"ab"}]}])")},
     {R"(opaque text[msg_1] @message={"id":"msg_1"})", "text[msg_1] ab", R"(opaque text[msg_1] @message={"id":"yyy"})",
      "stop end completed", "end"}},
    {"every item has the index 0: the id tells",
     {added(0, kMessage), added(0, kCall), about("output_text.delta", "msg_1", 0, R"("delta":"a")"),
      about("function_call_arguments.delta", "fc_1", 0, R"("delta":"{}")"),
      added(0, R"({"id":"fc_2","type":"function_call","call_id":"y","name":"g"})"),
      about("function_call_arguments.delta", "fc_1", 0, R"("delta":" ")"),
      about("function_call_arguments.delta", "fc_2", 0, R"("delta":"{}")"), completed()},
     {"call #0 id=x item=fc_1 name=f ", R"(opaque #0 id=x item=fc_1 @function_call={"id":"fc_1"})",
      R"(opaque text[msg_1] @message={"id":"msg_1"})", "text[msg_1] a", "call #0 id=x item=fc_1 {}",
      "call #0 id=y item=fc_2 name=g ", R"(opaque #0 id=y item=fc_2 @function_call={"id":"fc_2"})",
      "call #0 id=x item=fc_1  ", "call #0 id=y item=fc_2 {}", "stop tool_calls completed", "end"}},
    {"no ids and no indexes at all",
     {R"({"type":"response.output_text.delta","delta":"a"})", R"({"type":"response.output_text.delta","delta":"b"})",
      R"({"type":"response.output_item.added","item":{"type":"function_call","name":"f"}})",
      R"({"type":"response.function_call_arguments.delta","delta":"{}"})", completed()},
     {"text[@0] a", "text[@0] b", "call item=@1 name=f ", "call item=@1 {}", "stop tool_calls completed", "end"}},
    {"a custom call: its text is the input of an object",
     {added(0, R"({"id":"ctc","type":"custom_tool_call","call_id":"x","name":"patch","input":""})"),
      about("custom_tool_call_input.delta", "ctc", 0, R"("delta":"say \"")"),
      about("custom_tool_call_input.delta", "ctc", 0, R"("delta":"hi\"\n")"),
      about("custom_tool_call_input.done", "ctc", 0, R"("input":"say \"hi\"\n")"),
      done(0, R"({"id":"ctc","type":"custom_tool_call","call_id":"x","name":"patch","input":"say \"hi\"\n"})"),
      completed()},
     {"call #0 id=x item=ctc name=patch ", R"(opaque #0 id=x item=ctc @custom_tool_call={"id":"ctc"})",
      R"(call #0 id=x item=ctc {"input":"say \")", R"(call #0 id=x item=ctc hi\"\n)", R"(call #0 id=x item=ctc "})",
      R"(whole call #0 id=x item=ctc {"input":"say \"hi\"\n"})",
      R"(closed call #0 id=x item=ctc name=patch {"input":"say \"hi\"\n"})", "call_end #0 id=x item=ctc",
      "stop tool_calls completed", "end"}},
    {"what the provider ran itself goes back as it came",
     {added(0, R"({"id":"ws","type":"web_search_call","status":"in_progress"})"),
      R"({"type":"response.web_search_call.searching","item_id":"ws","output_index":0})",
      done(0, R"({"id":"ws","type":"web_search_call","status":"completed"})"), completed()},
     {R"(opaque other[ws] @item={"id":"ws","type":"web_search_call","status":"completed"})", "stop end completed",
      "end"}},
    {"usage with its details",
     {R"({"type":"response.completed","response":{"id":"r1","status":"completed","output":[],"usage":{"input_tokens":3,"input_tokens_details":{"cached_tokens":1},"output_tokens":4,"output_tokens_details":{"reasoning_tokens":2}}}})"},
     {"usage in=3 out=4 cached=1 reasoning=2", "stop end completed", "end"}},
    {"cut by the limit: the call that was open is not closed",
     {added(0, kCall), about("function_call_arguments.delta", "fc_1", 0, R"("delta":"{")"),
      R"({"type":"response.incomplete","response":{"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"},"output":[{"id":"fc_1","type":"function_call","status":"incomplete","call_id":"x","name":"f","arguments":"{"}]}})"},
     {"call #0 id=x item=fc_1 name=f ", R"(opaque #0 id=x item=fc_1 @function_call={"id":"fc_1"})",
      "call #0 id=x item=fc_1 {", "whole call #0 id=x item=fc_1 name=f {", "stop length max_output_tokens", "end"}},
    {"cut by a filter",
     {R"({"type":"response.incomplete","response":{"incomplete_details":{"reason":"content_filter"}}})"},
     {"stop content_filter content_filter", "end"}},
    {"cut for a reason that is not said", {R"({"type":"response.incomplete"})"}, {"stop length incomplete", "end"}},
    {"failed, with a time to wait",
     {R"({"type":"response.failed","response":{"status":"failed","error":{"code":"rate_limit_exceeded","message":"Please try again in 11.054s."}}})",
      completed()},
     {"failure rate_limit retry after 11.0: Please try again in 11.054s."}},
    {"failed, and nobody says why",
     {R"({"type":"response.failed","response":{"error":null}})"},
     {"failure server_error retry: the server says that it failed, and not why"}},
    {"an error event, in both forms",
     {R"({"type":"error","code":"server_error","message":"oops","param":null,"sequence_number":3})"},
     {"failure server_error retry: oops"}},
    {"an error event with an envelope",
     {R"({"type":"error","error":{"type":"invalid_request_error","code":"invalid_prompt","message":"no"}})"},
     {"failure invalid_request: no"}},
    {"cancelled",
     {R"({"type":"response.cancelled","response":{"status":"cancelled"}})"},
     {"failure cancelled: the response was cancelled"}},
    {"[DONE] is no end of this wire", {"[DONE]", completed(), "[DONE]"}, {"stop end completed", "end"}},
    {"keep-alives and what is not known are ignored",
     {R"({"type":"keepalive","sequence_number":5})", R"({"type":"codex.rate_limits"})",
      R"({"type":"response.future","x":1})", completed()},
     {"stop end completed", "end"}},
    {"arguments as an object, and with the item already",
     {added(0, R"({"id":"fc_1","type":"function_call","call_id":"x","name":"f","arguments":{"a":1}})"),
      done(0, R"({"id":"fc_1","type":"function_call","call_id":"x","name":"f","arguments":{"a":1}})"), completed()},
     {"call #0 id=x item=fc_1 name=f ", R"(opaque #0 id=x item=fc_1 @function_call={"id":"fc_1"})",
      R"(closed call #0 id=x item=fc_1 name=f {"a":1})", "call_end #0 id=x item=fc_1", "stop tool_calls completed",
      "end"}},
    {"a text whose end says something else",
     {about("output_text.delta", "m", 0, R"("delta":"a")"), about("output_text.done", "m", 0, R"("text":"abc")"),
      completed()},
     {"text[m] a", "notice snapshot_differs", "stop end completed", "end"}},
    {"a whole answer that is not finished yet",
     {R"({"id":"r1","object":"response","status":"queued","output":[]})"},
     {"notice not_finished"}},
    {"no objects",
     {"7", R"({"type":"response.output_item.added","item":[]})", completed()},
     {"notice ignored_event", "lost", "notice ignored_event", "stop end completed", "end"}},
};

/// Row by row, whole and in single bytes.
void check_rows(Wire wire, const Row* begin, const Row* end, const Lines& before) {
  for (const Row* row = begin; row != end; ++row) {
    Lines events = before;
    events.insert(events.end(), row->events.begin(), row->events.end());
    const std::string body = body_of(wire, events);
    Lines deltas = deltas_of(wire, body);
    EXPECT_EQ(deltas_of(wire, body, 1), deltas) << row->why;
    if (!before.empty() && !deltas.empty()) {
      EXPECT_EQ(deltas[0], "start r1 m") << row->why;
      deltas.erase(deltas.begin());
    }
    EXPECT_EQ(deltas, row->deltas) << row->why;
  }
}

TEST(WireOpenai, chat_streams_are_read_row_by_row) {
  check_rows(Wire::openai_chat, std::begin(kChat), std::end(kChat), {});
}

TEST(WireOpenai, responses_streams_are_read_row_by_row) {
  check_rows(Wire::openai_responses, std::begin(kResponses), std::end(kResponses), {created()});
}

TEST(WireOpenai, the_field_event_stands_in_for_a_missing_type) {
  EXPECT_EQ(deltas_of(Wire::openai_responses,
                      "event: response.output_text.delta\ndata: {\"item_id\":\"m\",\"delta\":\"a\"}\n\n"),
            Lines{"text[m] a"});
}

// Whatever a server does to the shape of an event: an answer or a failure, the same at any cut, and no crash.
TEST(WireOpenai, any_member_may_be_missing_or_of_another_kind) {
  auto try_all = [](Wire wire, const Row* begin, const Row* end) {
    std::size_t tried = 0;
    for (const Row* row = begin; row != end; ++row)
      for (std::size_t i = 0; i < row->events.size(); ++i) {
        if (row->events[i] == "[DONE]") continue;
        for (const std::string& strange : mutations(row->events[i])) {
          Lines events = row->events;
          events[i] = strange;
          const std::string body = body_of(wire, events);
          const Lines deltas = deltas_of(wire, body);
          if (++tried % 16 == 0) {
            EXPECT_EQ(deltas, deltas_of(wire, body, 3)) << body;
          }
        }
      }
    return tried;
  };
  EXPECT_GT(try_all(Wire::openai_chat, std::begin(kChat), std::end(kChat)), 2000U);
  EXPECT_GT(try_all(Wire::openai_responses, std::begin(kResponses), std::end(kResponses)), 5000U);
}

// Many items, parts and ids cost what they are, not their square.
TEST(WireOpenai, many_items_are_read_in_linear_time) {
  std::string body = body_of(Wire::openai_responses, {created()});
  for (int i = 0; i < 5'000; ++i) {
    const std::string id = "m" + std::to_string(i);
    body += body_of(
        Wire::openai_responses,
        {added(i, R"({"id":")" + id + R"(","type":"message"})"), about("output_text.delta", id, i, R"("delta":"a")"),
         about("output_text.delta", "m0", 0, R"("content_index":)" + std::to_string(i) + R"(,"delta":"b")")});
  }
  EXPECT_EQ(deltas_of(Wire::openai_responses, body).size(), 5'000U * 4);
}

}  // namespace
}  // namespace belay::check
