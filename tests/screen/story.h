// A whole story of one task, for the tests of the screen: what happens, and when.
#pragma once

#include <belay/screen/view.h>

#include <functional>
#include <string>

namespace belay::screen_story {

/// Shown to a view, or to whatever else takes events: `at` is the time in milliseconds.
struct Stage {
  std::function<void(const task::Event&, std::int64_t at)> show;
  std::function<void(const task::AskPerson&, std::string preview, std::int64_t at)> ask;
};

/// A task that goes well in the end: thoughts, text, a mended call, a diff to approve, a command that fails, a cut
/// call, a retry, todos, a task within, and the completion.
inline void play(const Stage& s) {
  using task::EventKind;
  std::int64_t now = 0;
  auto show = [&](task::Event e, std::int64_t later = 100) {
    if (e.task.empty()) e.task = "t7";
    now += later;
    s.show(e, now);
  };
  auto pieces = [&](EventKind kind, std::string call, std::string_view text, std::size_t size) {
    for (std::size_t i = 0; i < text.size(); i += size)
      show({.kind = kind, .call = call, .text = std::string(text.substr(i, size))}, 10);
  };
  show({.kind = EventKind::started, .text = "Make the failing test of src/parser.c pass, and say what was wrong."});
  show({.kind = EventKind::request, .number = 1});
  pieces(EventKind::reasoning, "", "The person wants a fix. I should read the file first.\nThen run the test.", 7);
  pieces(EventKind::text, "",
         "\n\nI will read the parser first, then run its test to see how it fails before I change anything at all.\n\n"
         "- the file is small\n- the test is quick\n",
         9);
  show({.kind = EventKind::call_started, .call = "c1", .name = "read_file"});
  pieces(EventKind::call_delta, "c1", R"({"path": "src/parser.c",})", 5);
  show({.kind = EventKind::call_ended,
        .call = "c1",
        .name = "read_file",
        .text = "mended",
        .data = R"({"receipt":"Mended: trailing_comma at byte 23.","feedback":""})"});
  show({.kind = EventKind::usage,
        .data = R"({"input_tokens":2412,"output_tokens":120,"input_tokens_in_all":2412,)"
                R"("output_tokens_in_all":120,"turns":1,"cost":0.009,"cost_in_all":0.009036})"});
  show({.kind = EventKind::tool_started, .call = "c1", .name = "read_file", .data = R"({"path":"src/parser.c"})"});
  show({.kind = EventKind::tool_ended,
        .call = "c1",
        .name = "read_file",
        .text = "int parse(void) {\n  return 1;\n}\nMended: trailing_comma at byte 23."});
  show({.kind = EventKind::todos, .text = "- [x] read the parser\n- [-] fix the loop\n- [ ] run the test"});
  show({.kind = EventKind::request, .number = 1});
  show({.kind = EventKind::failed, .name = "overloaded_error", .text = "the server has too much to do"});
  show({.kind = EventKind::retry, .name = "overloaded_error", .number = 3200});
  show({.kind = EventKind::request, .number = 2}, 3200);
  show({.kind = EventKind::call_started, .call = "c2", .name = "apply_diff"});
  const std::string diff = R"({"path":"src/parser.c","diff":"<<<<<<< SEARCH\n  return 1;\n=======\n  return 0;)"
                           R"(\n>>>>>>> REPLACE"})";
  pieces(EventKind::call_delta, "c2", diff, 11);
  show({.kind = EventKind::call_ended, .call = "c2", .name = "apply_diff", .text = "valid"});
  show({.kind = EventKind::asked, .call = "c2", .name = "approval", .text = "it writes a file", .data = diff});
  const std::string change =
      "--- src/parser.c\n+++ src/parser.c\n@@ -1,3 +1,3 @@\n int parse(void) {\n-  return 1;\n+  return 0;\n }\n";
  s.ask({.id = "approve/c2/0",
         .kind = task::AskPerson::Kind::approval,
         .text = "it writes a file",
         .call = "c2",
         .tool = "apply_diff",
         .arguments = diff},
        change, now);
  show({.kind = EventKind::replied, .name = "approve"});
  show({.kind = EventKind::tool_started, .call = "c2", .name = "apply_diff", .data = diff});
  show({.kind = EventKind::tool_ended,
        .call = "c2",
        .name = "apply_diff",
        .text = "changed src/parser.c: 1 block\n" + change});
  show({.kind = EventKind::request, .number = 1});
  show({.kind = EventKind::call_started, .call = "c3", .name = "execute_command"});
  pieces(EventKind::call_delta, "c3", R"({"command":"make test"})", 4);
  show({.kind = EventKind::call_ended, .call = "c3", .name = "execute_command", .text = "valid"});
  show(
      {.kind = EventKind::tool_started, .call = "c3", .name = "execute_command", .data = R"({"command":"make test"})"});
  for (int i = 1; i <= 9; ++i)
    show({.kind = EventKind::tool_output, .call = "c3", .text = "test " + std::to_string(i) + " ok\n"}, 200);
  show({.kind = EventKind::tool_ended,
        .call = "c3",
        .name = "execute_command",
        .text = "test 1 ok\ntest 2 ok\ntest 3 ok\ntest 4 ok\ntest 5 ok\ntest 6 ok\ntest 7 ok\ntest 8 ok\ntest 9 ok\n"
                "1 of 10 failed\n[exit code 2, 1.9 s]",
        .is_error = true});
  show({.kind = EventKind::request, .number = 1});
  show({.kind = EventKind::call_started, .call = "c4", .name = "write_to_file"});
  pieces(EventKind::call_delta, "c4", R"({"path":"notes.md","content":"What was wrong: the loop ran one too)", 8);
  const std::string told =
      "The call of write_to_file was cut off after 66 bytes of its arguments, so nothing was run. Send the call again, "
      "whole; if it is long, send it in smaller pieces, one call each.";
  show({.kind = EventKind::call_ended,
        .call = "c4",
        .name = "write_to_file",
        .text = "truncated",
        .is_error = true,
        .data = R"({"receipt":"","feedback":")" + told + "\"}"});
  show({.kind = EventKind::tool_ended, .call = "c4", .name = "write_to_file", .text = told, .is_error = true});
  show({.kind = EventKind::mistake, .call = "c4", .name = "truncated", .text = told});
  show({.kind = EventKind::request, .number = 1});
  show({.kind = EventKind::child_started, .call = "c5", .name = "t7.1"});
  show({.kind = EventKind::started, .task = "t7.1", .text = "Look for other loops like this one."});
  show({.kind = EventKind::text, .task = "t7.1", .text = "There are none."});
  show({.kind = EventKind::usage,
        .task = "t7.1",
        .data = R"({"input_tokens_in_all":900,"output_tokens_in_all":40,"turns":2,"cost_in_all":0.001})"});
  show({.kind = EventKind::completed, .task = "t7.1", .text = "No other loop has this fault."});
  show({.kind = EventKind::finished, .task = "t7.1", .name = "completed", .text = "No other loop has this fault."});
  show({.kind = EventKind::folded, .text = "4 old results are sent as stubs from now on"});
  show({.kind = EventKind::request, .number = 1});
  show({.kind = EventKind::call_started, .call = "c6", .name = "attempt_completion"});
  pieces(EventKind::call_delta, "c6", R"({"result":"The parser gave 1"})", 6);
  show({.kind = EventKind::call_ended, .call = "c6", .name = "attempt_completion", .text = "valid"});
  show({.kind = EventKind::completed,
        .call = "c6",
        .text = "The parser gave 1 where it had to give 0.\n\nThe test passes now."});
  show({.kind = EventKind::usage,
        .data = R"({"input_tokens":2412,"output_tokens":120,"input_tokens_in_all":12412,)"
                R"("output_tokens_in_all":1820,"turns":6,"cost":0.009,"cost_in_all":0.0712})"});
  s.ask({.id = "complete/c6", .kind = task::AskPerson::Kind::completion, .text = "The parser", .call = "c6"}, "", now);
  show({.kind = EventKind::replied, .name = "complete"});
  show({.kind = EventKind::tool_ended, .call = "c6", .name = "attempt_completion", .text = "Accepted."});
  show({.kind = EventKind::finished, .name = "completed", .text = "The parser gave 1 where it had to give 0."}, 61000);
}

}  // namespace belay::screen_story
