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
  32 bytes, 3 lines

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
  EXPECT_EQ(view.take(), "● read_file  b\n  4 bytes, 2 lines\n\n● read_file  a\n  2 bytes\n");
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
  EXPECT_EQ(view.take(), "● read_file  b\n  4 bytes, 2 lines\n\n● read_file  a\n  2 bytes\n");
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

TEST(View, WhatTheServerDoesNotCountIsShownAsAnEstimate) {
  View view({});
  view.on(event(EventKind::started, "x"), 0);
  view.on({.kind = EventKind::usage,
           .task = "t",
           .data = R"({"input_tokens_in_all":12412,"output_tokens_in_all":1820,"estimated_tokens_in_all":14232,)"
                   R"("turns":3,"cost_in_all":0.0712})"},
          0);
  view.on(event(EventKind::request, ""), 0);
  EXPECT_EQ(view.status(125'000), "waiting for the model · turn 4 · ~12.4k in, ~1.8k out · ~$0.0712 · 2:05");
  EXPECT_TRUE(view.usage(125'000).starts_with("3 turns · ~12.4k tokens in, ~1.8k out · ~$0.0712"));
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

// A command that looks like another one is no command that somebody approved of.
TEST(View, AnApprovalShowsWhatNobodyWouldSeeByName) {
  const std::pair<std::string_view, std::string_view> hidden[] = {
      {"\u3164", "<U+3164>"},      {"\u115f", "<U+115F>"},      {"\u1160", "<U+1160>"},
      {"\uffa0", "<U+FFA0>"},      {"\u2800", "<U+2800>"},      {"\u034f", "<U+034F>"},
      {"\u17b4", "<U+17B4>"},      {"\u17b5", "<U+17B5>"},      {"\U0001d173", "<U+1D173>"},
      {"\U0001d17a", "<U+1D17A>"}, {"\ufe00", "<U+FE00>"},      {"\ufe0f", "<U+FE0F>"},
      {"\U000e0100", "<U+E0100>"}, {"\U000e01ef", "<U+E01EF>"}, {"\U000e0041", "<U+E0041>"},
      {"\U00100000", "<U+100000>"}};
  for (const auto& [character, name] : hidden) {
    for (const std::string_view tool : {"execute_command", "delete_file"}) {
      View view({});
      task::AskPerson question;
      question.tool = tool;
      question.arguments = tool == "execute_command" ? R"({"command":"rm ❤)" + std::string(character) + R"(a"})"
                                                     : R"({"path":"❤)" + std::string(character) + R"(a"})";
      view.ask("t", question, "", 0);
      const std::string shown = view.take();
      EXPECT_EQ(shown.find(character), std::string::npos) << name;
      EXPECT_NE(shown.find("❤" + std::string(name) + "a"), std::string::npos) << shown;
      view.document("the command:", question.arguments);
      EXPECT_EQ(view.take().find(character), std::string::npos) << name;
    }
  }
}

TEST(View, AnEmojiInProseKeepsItsSelectorAndNothingElseHidesBehindOne) {
  EXPECT_EQ(rows_of("a ⚠\ufe0f b", 40, 9).rows, std::vector<std::string>{"a ⚠\ufe0f b"});
  EXPECT_EQ(rows_of("⚠\ufe0f\ufe0f", 40, 9).rows, std::vector<std::string>{"⚠\ufe0f<U+FE0F>"});
  EXPECT_EQ(rows_of("a\ufe0f", 40, 9).rows, std::vector<std::string>{"a<U+FE0F>"});
  EXPECT_EQ(rows_of("⚠\ufe01", 40, 9).rows, std::vector<std::string>{"⚠<U+FE01>"});
  EXPECT_EQ(rows_of("⚠\ufe0f", 40, 9, Flow::Break::anywhere).rows, std::vector<std::string>{"⚠<U+FE0F>"});
}

TEST(View, AFailureThatStandsThereIsNotSaidAgainAtTheEnd) {
  View view({});
  task::Event failed{.kind = EventKind::failed, .task = "t", .name = "unreachable", .text = "cannot connect"};
  view.on(failed, 0);
  view.on(
      {.kind = EventKind::finished, .task = "t", .name = "failed", .text = "unreachable: cannot connect (sent twice)"},
      0);
  EXPECT_EQ(view.take(),
            "✗ unreachable: cannot connect\n\n✗ failed (sent twice)\n  0 turns · 0 tokens in, 0 out · 0.0 s\n");
}

task::Record record(std::uint64_t number, task::Body body) { return {"t1", number, 0, std::move(body)}; }

std::vector<task::Record> earlier_task(std::size_t turns) {
  std::vector<task::Record> out;
  task::Created created;
  created.goal.push_back(chat::text_block("Mend the parser"));
  out.push_back(record(1, created));
  for (std::size_t i = 1; i <= turns; ++i) {
    const std::string n = std::to_string(i), id = "c" + n;
    task::Turn turn;
    turn.message.blocks.push_back(chat::text_block("I look at file " + n + "."));
    chat::Block call;
    call.kind = chat::Block::Kind::tool_call;
    call.id = id;
    call.name = "read_file";
    call.arguments = R"({"path":"f)" + n + R"(.txt"})";
    turn.message.blocks.push_back(call);
    turn.calls.push_back({.id = id, .name = "read_file", .tool = "read_file", .runs = {call.arguments}});
    turn.usage.input_tokens = 10;
    out.push_back(record(out.size() + 1, turn));
    task::Finding finding;
    finding.call = id;
    finding.content.push_back(chat::text_block("line\n"));
    out.push_back(record(out.size() + 1, finding));
  }
  return out;
}

TEST(ViewRecount, TellsTheLastTurnsOfAnEarlierTaskAndHowManyCameBefore) {
  View view({});
  auto records = earlier_task(9);
  task::Said said;
  said.blocks.push_back(chat::text_block("And the docs?"));
  records.push_back(record(records.size() + 1, said));
  records.push_back(record(records.size() + 1, task::Finished{task::EndReason::aborted, "", "stopped by the person"}));
  view.recount(records, 2);
  EXPECT_EQ(view.take(), R"(> Mend the parser

… 7 earlier turns are not shown here: belay tasks show t1

I look at file 8.

● read_file  f8.txt
  5 bytes

I look at file 9.

● read_file  f9.txt
  5 bytes

> And the docs?

✗ aborted: stopped by the person
)");
  EXPECT_EQ(view.task(), "t1");
  EXPECT_FALSE(view.busy());
  EXPECT_NE(view.usage(0).find("9 turns"), std::string::npos) << view.usage(0);
}

TEST(ViewRecount, WhatWasSaidWhileACallRanStandsBehindItsResult) {
  View view({});
  auto records = earlier_task(1);
  task::Said said;
  said.blocks.push_back(chat::text_block("And the docs?"));
  records.insert(records.end() - 1, record(3, said));
  view.recount(records, 5);
  EXPECT_EQ(view.take(), R"(> Mend the parser

I look at file 1.

● read_file  f1.txt
  5 bytes

> And the docs?
)");
  records.pop_back();  // the call is still open
  View open({});
  open.recount(records, 5);
  EXPECT_TRUE(open.take().ends_with("> And the docs?\n"));
}

TEST(ViewRecount, NeitherAFailureNorAnAcceptedResultIsSaidTwice) {
  auto failed = earlier_task(1);
  failed.push_back(record(4, task::RequestFailed{.kind = "authentication", .message = "no key"}));
  failed.push_back(record(5, task::Finished{task::EndReason::authentication, "", "authentication: no key (for good)"}));
  View view({});
  view.recount(failed, 5);
  EXPECT_TRUE(view.take().ends_with("\n✗ authentication: no key\n\n✗ authentication (for good)\n"));

  auto done = earlier_task(1);
  auto& turn = std::get<task::Turn>(done[1].body);
  turn.message.blocks[1].name = turn.calls[0].name = turn.calls[0].tool = "attempt_completion";
  turn.message.blocks[1].arguments = turn.calls[0].runs[0] = R"({"result":"It is mended."})";
  std::get<task::Finding>(done[2].body).content[0].text = "The result was accepted.";
  done.push_back(record(4, task::Outcome{.call = "c0", .became = task::Outcome::Became::lost}));
  done.push_back(record(5, task::Finished{task::EndReason::completed, "It is mended.", ""}));
  View accepted({});
  accepted.recount(done, 5);
  EXPECT_TRUE(accepted.take().ends_with("\n✓ Result\n  It is mended.\n\n✓ completed\n"));
}

TEST(View, OfALinesExcerptTheFilesBytesAreCounted) {
  View view({});
  auto records = earlier_task(1);
  std::get<task::Finding>(records[2].body).content[0].text = "[lines 2-3 of 9 of f1.txt]\nsecond\nthird\n";
  view.recount(records, 5);
  EXPECT_NE(view.take().find("  13 bytes, 2 lines\n"), std::string::npos);
}

TEST(View, ASingleRowMoreIsShownAndNotCounted) {
  auto shown = [](const std::string& text) {
    View view({});
    auto records = earlier_task(1);
    auto& turn = std::get<task::Turn>(records[1].body);
    turn.message.blocks[1].name = turn.calls[0].name = turn.calls[0].tool = "list_files";
    std::get<task::Finding>(records[2].body).content[0].text = text;
    view.recount(records, 5);
    return view.take();
  };
  EXPECT_NE(shown("a\nb\nc\nd\n").find("  c\n  d\n"), std::string::npos) << shown("a\nb\nc\nd\n");
  EXPECT_NE(shown("a\nb\nc\nd\ne\n").find("  c\n  … 2 more rows\n"), std::string::npos);
}

TEST(View, ACommandThatWasStoppedSaysSoOnce) {
  View view({});
  auto records = earlier_task(1);
  auto& turn = std::get<task::Turn>(records[1].body);
  turn.message.blocks[1].name = turn.calls[0].name = turn.calls[0].tool = "execute_command";
  auto& finding = std::get<task::Finding>(records[2].body);
  finding.why = task::Finding::Why::aborted;
  finding.is_error = true;
  finding.content[0].text = "execute_command was stopped by the person.";
  view.recount(records, 5);
  const std::string text = view.take();
  EXPECT_NE(text.find("  ✗ execute_command was stopped by the person.\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("(failed)"), std::string::npos) << text;
}

TEST(ViewRecount, LeavesNothingOutOfAShortTaskAndIsBoundedForALongOne) {
  View view({});
  view.recount(earlier_task(1), 5);
  EXPECT_EQ(view.take(), R"(> Mend the parser

I look at file 1.

● read_file  f1.txt
  5 bytes
)");
  auto records = earlier_task(1);
  std::get<task::Turn>(records[1].body).message.blocks[0].text = std::string(1 << 20, 'a');
  std::get<task::Finding>(records[2].body).content[0].text = "\x1b[2Jevil\n";
  View other({});
  other.recount(records, 5);
  const std::string shown = other.take();
  EXPECT_LT(shown.size(), 4096u);
  EXPECT_EQ(shown.find('\x1b'), std::string::npos);
  EXPECT_NE(shown.find("more row"), std::string::npos);
}

TEST(ViewRecount, AQuestionItsAnswerAndAResultThatWasNotAcceptedAreThereToo) {
  View view({});
  auto records = earlier_task(0);
  auto add = [&](std::string id, std::string name, std::string arguments, std::string answer) {
    task::Turn turn;
    chat::Block call;
    call.kind = chat::Block::Kind::tool_call;
    call.id = id;
    call.name = name;
    call.arguments = arguments;
    turn.message.blocks.push_back(call);
    turn.calls.push_back({.id = id, .name = name, .tool = name, .runs = {arguments}});
    records.push_back(record(records.size() + 1, turn));
    task::Finding finding;
    finding.call = id;
    finding.content.push_back(chat::text_block(answer));
    records.push_back(record(records.size() + 1, finding));
  };
  add("a", "ask_followup_question", R"({"question":"Which one?"})", "the second");
  add("b", "attempt_completion", R"({"result":"It is mended."})", "no, look again");
  view.recount(records, 5);
  EXPECT_EQ(view.take(), R"(> Mend the parser

? Which one?
  > the second

✓ Result
  It is mended.
  > no, look again
)");
}

}  // namespace
}  // namespace belay::screen
