// What is shown of a task.
#include "screen/story.h"

#include <belay/screen/view.h>

#include "screen/flow.h"
#include "screen/painter.h"

#include <gtest/gtest.h>

namespace belay::screen {
namespace {

using task::EventKind;

std::string told(ViewOptions options) {
  View view(std::move(options));
  screen_story::play({[&](const task::Event& e, std::int64_t at) {
                        view.on(e, at);
                        EXPECT_LT(view.live(at).size(), 12u);
                      },
                      [&](const task::AskPerson& q, std::string preview, std::int64_t at) {
                        view.ask("t7", q, preview, at);
                        view.answered("yes");
                      }});
  return view.take();
}

constexpr std::string_view kStory = R"(> Make the failing test of src/parser.c pass, and say what was wrong.

thought for 0.1 s, 72 characters

I will read the parser first, then run its test to see how it fails before I
change anything at all.

- the file is small
- the test is quick

● read_file  src/parser.c
  Mended: trailing_comma at byte 23.
  31 bytes, 3 lines

  [x] read the parser
  [-] fix the loop
  [ ] run the test

✗ overloaded_error: the server has too much to do
  sent again in 3.2 s

● apply_diff  src/parser.c  diff: 62 bytes, 5 lines
  --- src/parser.c
  +++ src/parser.c
  @@ -1,3 +1,3 @@
   int parse(void) {
  -  return 1;
  +  return 0;
   }
  asked because it writes a file
  > yes
  changed src/parser.c: 1 block

● execute_command  make test
  … 4 rows before
  test 5 ok
  test 6 ok
  test 7 ok
  test 8 ok
  test 9 ok
  1 of 10 failed
  ✗ exit code 2, 1.9 s

● write_to_file  notes.md  content: "What was wrong: the loop ran one too"
  truncated at byte 66, line 1, column 67
    {"path":"notes.md","content":"What was wrong: the loop ran one too
                                                                      ^
  ✗ The call of write_to_file was cut off after 66 bytes of its arguments, so
    nothing was run.

● a task within: t7.1
│ 
│ > Look for other loops like this one.
│ 
│ There are none.
│ 
│ ✓ Result
│   No other loop has this fault.
│ 
│ ✓ completed · 2 turns · 900 tokens in, 40 out · $0.0010 · 0.4 s

note  the history was made shorter: 4 old results are sent as stubs from now on

✓ Result
  The parser gave 1 where it had to give 0.

  The test passes now.
  > yes

✓ completed · 8 turns · 13.3k tokens in, 1.9k out · $0.0722 · 1 min 10 s
)";

TEST(View, AWholeStoryAtEightyColumns) { EXPECT_EQ(told({}), kStory); }

TEST(View, AsciiMarksSayTheSame) {
  std::string story(kStory);
  for (auto [mark, plain] : {std::pair{"●", "*"}, {"│", "|"}, {"✓", "+"}, {"✗", "x"}, {" · ", " - "}, {"…", "..."}})
    for (std::size_t at = 0; (at = story.find(mark, at)) != story.npos;)
      story.replace(at, std::string_view(mark).size(), plain);
  EXPECT_EQ(told({.unicode = false}), story);
}

TEST(View, ColoursChangeNoLetter) {
  const std::string coloured = told({.style = Style(true)});
  std::string plain;
  for (std::size_t i = 0; i < coloured.size(); ++i) {
    if (coloured[i] == '\x1b')
      i = coloured.find('m', i);
    else
      plain += coloured[i];
  }
  EXPECT_EQ(plain, kStory);
  EXPECT_NE(coloured, kStory);
}

TEST(View, NoRowIsWiderThanTheScreen) {
  for (const std::size_t width : {20u, 21u, 33u, 80u, 200u}) {
    const std::string all = told({.width = width});
    for (std::string_view rest = all; !rest.empty();) {
      const std::string_view row = rest.substr(0, rest.find('\n'));
      EXPECT_LE(columns(row), width) << row;
      rest.remove_prefix(row.size() + 1);
    }
  }
}

task::Event event(EventKind kind, std::string text, std::string call = {}, std::string name = {}) {
  return {.kind = kind, .task = "t", .call = std::move(call), .name = std::move(name), .text = std::move(text)};
}

std::string joined(const std::vector<std::string>& rows) {
  std::string out;
  for (const std::string& r : rows) out += r + "\n";
  return out;
}

TEST(View, TextIsInTheTranscriptByRowsAndTheOpenRowIsLive) {
  View view({.width = 20});
  view.on(event(EventKind::text, "one two three four fi"), 0);
  EXPECT_EQ(view.take(), "one two three four\n");
  EXPECT_EQ(joined(view.live(0)), "fi\n");
  view.on(event(EventKind::text, "ve\nsix"), 0);
  EXPECT_EQ(view.take(), "five\n");
  EXPECT_EQ(joined(view.live(0)), "six\n");
  view.idle(0);
  EXPECT_EQ(view.take(), "six\n");
  EXPECT_EQ(joined(view.live(0)), "");
}

TEST(View, AnOpenRowThatIsTooWideAfterAChangeOfSizeIsBrokenAnew) {
  View view({.width = 60});
  view.on(event(EventKind::text, "one two three four five six seven"), 0);
  EXPECT_EQ(view.take(), "");
  view.resize(20, 24);
  EXPECT_EQ(view.take(), "one two three four\n");
  EXPECT_EQ(joined(view.live(0)), "five six seven\n");
}

TEST(View, ACallIsShownWhileItForms) {
  View view({.width = 60});
  view.on(event(EventKind::call_started, "", "c", "write_to_file"), 0);
  view.on(event(EventKind::call_delta, R"({"path":"a.txt","content":"first line\nsecond li)", "c"), 0);
  EXPECT_EQ(joined(view.live(0)),
            "\n● write_to_file  48 bytes\n"
            "  path            a.txt\n"
            "  content         ...second li  20 bytes, 2 lines\n");
  EXPECT_EQ(view.take(), "");
}

TEST(View, AToolAtWorkShowsItsLastLinesAndALineThatIsWrittenOver) {
  View view({.width = 60});
  view.on({.kind = EventKind::tool_started,
           .task = "t",
           .call = "c",
           .name = "execute_command",
           .data = R"({"command":"make"})"},
          1000);
  for (int i = 0; i < 9; ++i) view.on(event(EventKind::tool_output, "line " + std::to_string(i) + "\n", "c"), 1000);
  view.on(event(EventKind::tool_output, "10%\r50%\r99%", "c"), 1000);
  EXPECT_EQ(joined(view.live(3500)),
            "\n● execute_command  make\n  line 6\n  line 7\n  line 8\n  99%\n  10 lines, 2 s\n");
  EXPECT_EQ(view.status(3500), "running execute_command · turn 0 · 0:02");
}

TEST(View, ResultsOfCallsThatRunAtOnceStandWithTheirCalls) {
  View view({});
  for (const char* id : {"a", "b"}) {
    const std::string path = std::string(R"({"path":")") + id + "\"}";
    view.on({.kind = EventKind::tool_started, .task = "t", .call = id, .name = "read_file", .data = path}, 0);
  }
  view.on(event(EventKind::tool_ended, "x\ny\n", "b", "read_file"), 0);
  view.on(event(EventKind::tool_ended, "x\n", "a", "read_file"), 0);
  EXPECT_EQ(view.take(), "● read_file  b\n  3 bytes, 2 lines\n\n● read_file  a\n  1 byte\n");
}

TEST(View, WithoutRedrawingACallIsNamedWhenItBegins) {
  View view({.live = false});
  view.on({.kind = EventKind::tool_started, .task = "t", .call = "c", .name = "new_tool", .data = R"({"n":1})"}, 0);
  EXPECT_EQ(view.take(), "● new_tool  n: 1\n");
  view.on(event(EventKind::tool_ended, "fine", "c", "new_tool"), 0);
  EXPECT_EQ(view.take(), "  fine\n");
}

TEST(View, WithoutRedrawingCallsThatRunTogetherAreShownOnceEachWithItsResult) {
  View view({.live = false});
  for (const char* id : {"a", "b"}) view.on(event(EventKind::call_ended, "valid", id, "read_file"), 0);
  for (const char* id : {"a", "b"}) {
    const std::string path = std::string(R"({"path":")") + id + "\"}";
    view.on({.kind = EventKind::tool_started, .task = "t", .call = id, .name = "read_file", .data = path}, 0);
  }
  view.on(event(EventKind::tool_ended, "x\ny\n", "b", "read_file"), 0);
  view.on(event(EventKind::tool_ended, "x\n", "a", "read_file"), 0);
  EXPECT_EQ(view.take(), "● read_file  b\n  3 bytes, 2 lines\n\n● read_file  a\n  1 byte\n");
}

TEST(View, AnAnswerThatIsTheResultIsShownOnce) {
  View view({});
  view.on(event(EventKind::request, ""), 0);
  view.on(event(EventKind::text, "Two and two\nis "), 0);
  view.on(event(EventKind::text, "four.\n"), 0);
  view.on(event(EventKind::completed, "Two and two\nis four."), 0);
  EXPECT_EQ(view.take(), "Two and two\nis four.\n");
  // Another result is shown, and so is the same one after another request: what was said before may be far above.
  view.on(event(EventKind::completed, "Two and two\nis five."), 0);
  EXPECT_EQ(view.take(), "\n✓ Result\n  Two and two\n  is five.\n");
  view.on(event(EventKind::request, ""), 0);
  view.on(event(EventKind::completed, "Two and two\nis four."), 0);
  EXPECT_NE(view.take().find("is four."), std::string::npos);
}

TEST(View, OfARefusalThePersonSeesWhatWasNotRunAndWhy) {
  View view({});
  task::Record record;
  record.task = "t";
  record.body = task::Finding{.call = "c", .why = task::Finding::Why::denied, .is_error = true};
  view.kept(record);
  const std::string denied = "x was not run: it is not permitted here (rule a. b). Do not send the same call again.";
  task::Event ended = event(EventKind::tool_ended, denied, "c", "x");
  ended.is_error = true;
  view.on(ended, 0);
  EXPECT_EQ(view.take(), "● x\n  ✗ x was not run: it is not permitted here (rule a. b).\n");
  // What a tool itself says is shown as it is.
  ended.call = "d";
  ended.text = "No such file. Look elsewhere.";
  view.on(ended, 0);
  EXPECT_EQ(view.take(), "\n● x\n  ✗ No such file. Look elsewhere.\n");
}

TEST(View, AToolThatIsCalledByAnotherNameIsShownAsItself) {
  View view({});
  task::Record record;
  record.task = "t";
  task::Turn turn;
  turn.calls.push_back({.id = "c", .name = "bash", .tool = "execute_command", .runs = {R"({"command":"true"})"}});
  record.body = turn;
  view.kept(record);
  view.on(event(EventKind::call_ended, "valid", "c", "bash"), 0);
  view.on(event(EventKind::tool_ended, "out\n[exit code 0, 0.0 s]", "c", "bash"), 0);
  EXPECT_EQ(view.take(), "● bash  true\n  out\n  exit code 0, 0.0 s\n");
}

TEST(View, TheClockStandsWhileNothingIsUnderWay) {
  View view({});
  view.on(event(EventKind::started, "x"), 0);
  view.on(event(EventKind::request, ""), 1'000);
  view.idle(5'000);
  EXPECT_EQ(view.status(65'000), "ready · turn 0 · 0:05");
  view.on(event(EventKind::request, ""), 70'000);
  view.on(event(EventKind::asked, "", "c", "approval"), 72'000);
  view.on(event(EventKind::replied, "", "c", "approval"), 99'000);
  EXPECT_EQ(view.status(100'000), "at work · turn 0 · 0:08");
}

TEST(View, WhatIsNotRunOfASplitCallIsSaid) {
  View view({});
  task::Record record;
  record.task = "t";
  task::Turn turn;
  turn.calls.push_back(
      {.id = "c", .name = "write_to_file", .runs = {R"({"path":"a"})"}, .not_run = "Two were not run."});
  record.body = turn;
  view.kept(record);
  view.on(event(EventKind::call_ended, "split", "c", "write_to_file"), 0);
  view.on(event(EventKind::tool_ended, "created a\nTwo were not run.", "c", "write_to_file"), 0);
  EXPECT_EQ(view.take(), "● write_to_file  a\n  Two were not run.\n  created a\n");
}

TEST(View, AnApprovalShowsExactlyWhatWouldRun) {
  View view({.width = 40, .height = 10});
  task::AskPerson q{.id = "a", .text = "it runs a program", .call = "c", .tool = "execute_command"};
  q.arguments = R"({"command":"cd src &&\n  make all-of-it WITH=options that are long\u001b[2J","cwd":"lib"})";
  view.ask("t", q, "", 0);
  EXPECT_EQ(view.take(),
            "● execute_command  cwd: \"lib\"\n"
            "  │ cd src &&\n"
            "  │   make all-of-it WITH=options that a\n"
            "  │ re long<U+001B>[2J\n"
            "  asked because it runs a program\n");
  q = {.id = "b",
       .text = "it runs a program",
       .call = "d",
       .tool = "files__move",
       .arguments = R"({"from":"a","to":"b"})"};
  view.ask("t", q, "", 0);
  EXPECT_EQ(view.take(),
            "\n● files__move  from: \"a\", to: \"b\"\n"
            "  │ {\"from\":\"a\",\"to\":\"b\"}\n"
            "  asked because it runs a program\n");
}

TEST(View, NoticesMistakesAndFailuresAreSentences) {
  View view({});
  view.on(event(EventKind::notice, "two results for one call", "", "healed"), 0);
  view.on(event(EventKind::notice, "nobody waits for it", "c", "late_result"), 0);
  view.on(event(EventKind::mistake, "the answer held no call", "", "no_tool"), 0);
  view.on(event(EventKind::text, "half of an ans"), 0);
  view.on(event(EventKind::failed, "the answer ended without saying so", "", "stream_broke_off"), 0);
  view.on(event(EventKind::finished, "the key is not known", "", "authentication"), 0);
  EXPECT_EQ(view.take(),
            "note  healed: two results for one call\n\n"
            "! no_tool: the answer held no call\n\n"
            "half of an ans\n\n"
            "✗ stream_broke_off: the answer ended without saying so\n"
            "  what came of the answer does not count\n\n"
            "✗ authentication: the key is not known\n"
            "  0 turns · 0 tokens in, 0 out · 0.0 s\n");
}

TEST(View, ACallThatCouldOnlyBeGuessedShowsWhere) {
  View view({});
  view.on(event(EventKind::call_started, "", "c", "write_to_file"), 0);
  view.on(event(EventKind::call_delta, R"({"path":"a","path":"b","content":"x"})", "c"), 0);
  task::Event ended = event(EventKind::call_ended, "guessed", "c", "write_to_file");
  ended.is_error = true;
  view.on(ended, 0);
  view.on({.kind = EventKind::tool_ended,
           .task = "t",
           .call = "c",
           .name = "write_to_file",
           .text = "The key \"path\" stands twice.",
           .is_error = true},
          0);
  EXPECT_EQ(view.take(),
            "● write_to_file  a  content: \"x\"\n"
            "  duplicate_key at byte 12\n"
            "    {\"path\":\"a\",\"path\":\"b\",\"content\":\"x\"}\n"
            "                ^~~~~~\n"
            "  ✗ The key \"path\" stands twice.\n");
}

TEST(View, TheStatusCountsTurnsTokensCostAndTime) {
  View view({});
  view.on(event(EventKind::started, "x"), 0);
  view.on({.kind = EventKind::usage,
           .task = "t",
           .data = R"({"input_tokens_in_all":12412,"output_tokens_in_all":1820,"turns":3,"cost_in_all":0.0712})"},
          0);
  view.on(event(EventKind::request, ""), 0);
  EXPECT_EQ(view.status(125'000), "waiting for the model · turn 4 · 12.4k in, 1.8k out · $0.0712 · 2:05");
  view.on({.kind = EventKind::retry, .task = "t", .number = 3000}, 125'000);
  EXPECT_TRUE(view.status(126'000).starts_with("sending again in 2 s"));
}

TEST(Flow, BreaksAtSpacesAndKeepsIndentation) {
  struct Case {
    std::string text;
    std::vector<std::string> rows;
  };
  const std::vector<Case> cases = {
      {"one two three", {"one two", "three"}},
      {"12345678 x", {"12345678", "x"}},
      {"1234567890", {"12345678", "90"}},
      {"  indent x", {"  indent", "x"}},
      {"        12", {"        ", "12"}},
      {"a\n\nb\n", {"a", "", "b"}},
      {"a\r\nb", {"a", "b"}},
      {"\tx", {"    x"}},
      {"\xE6\x97\xA5\xE6\x97\xA5\xE6\x97\xA5\xE6\x97\xA5\xE6\x97\xA5",
       {"\xE6\x97\xA5\xE6\x97\xA5\xE6\x97\xA5\xE6\x97\xA5", "\xE6\x97\xA5"}},
      {"\x1b[2J", {"<U+001B>", "[2J"}},
  };
  for (const Case& c : cases) EXPECT_EQ(rows_of(c.text, 8, 100).rows, c.rows) << printable(c.text);
}

}  // namespace
}  // namespace belay::screen
