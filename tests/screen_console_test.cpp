// Questions, keys and frames.
#include <belay/screen/console.h>
#include <belay/screen/picker.h>

#include "screen/always.h"

#include <gtest/gtest.h>

namespace belay::screen {
namespace {

using Kind = Key::Kind;
using task::AskPerson;
using task::EventKind;
using task::Reply;

AskPerson command(std::string text, std::string id = "approve/c1/0") {
  return {.id = std::move(id),
          .kind = AskPerson::Kind::approval,
          .text = "it runs a program",
          .call = "c1",
          .tool = "execute_command",
          .arguments = "{\"command\":\"" + std::move(text) + "\"}"};
}

struct Desk {
  explicit Desk(std::size_t width = 80) : console(options(width)) {
    console.on({.kind = EventKind::started, .task = "t7", .text = "a goal"}, now);
  }
  static ConsoleOptions options(std::size_t width) {
    ConsoleOptions o;
    o.view.width = width;
    o.log = "/the/log";
    return o;
  }
  void draw() {
    const Frame f = console.frame(now);
    transcript += f.transcript;
    rows.clear();
    for (const std::string& r : f.rows) rows += r + "\n";
    console.shown(now);
  }
  void ask(const AskPerson& q) {
    console.ask("t7", q, now);
    draw();
    now += 100;
  }
  void key(Kind kind) {
    console.keys({Key{kind}}, now);
    draw();
    now += 100;
  }
  // One key after the other.
  void type(std::string_view text) {
    for (const char c : text) {
      console.keys({Key{Kind::text, std::string(1, c)}}, now);
      draw();
      now += 100;
    }
  }
  // "reply ID yes words", "stop", ...
  std::vector<std::string> wishes() {
    std::vector<std::string> out;
    const char* kinds[] = {"reply", "say", "stop", "leave", "end_now", "allow", "suspend", "redraw"};
    const char* replies[] = {"yes", "no", "words", "nobody"};
    for (const Wish& w : console.take_wishes()) {
      std::string line = kinds[static_cast<std::size_t>(w.kind)];
      if (w.kind == Wish::Kind::reply)
        line += " " + w.question + " " + replies[static_cast<std::size_t>(w.answer.kind)] +
                (w.answer.text.empty() ? "" : " " + w.answer.text);
      if (w.kind == Wish::Kind::say) line += " " + w.text;
      if (w.kind == Wish::Kind::allow) line += " " + rule_text(w.rule);
      out.push_back(line);
    }
    return out;
  }
  Console console;
  std::int64_t now = 1000;
  std::string transcript, rows;
};
using Wishes = std::vector<std::string>;

TEST(Console, SaysAtOnceWhatItIsAndHowToGetHelp) {
  for (const bool live : {true, false}) {
    ConsoleOptions o;
    o.view.live = live;
    o.model = "a-model";
    o.workspace = "/home/x";
    o.mode = "plan";
    Console console(o);
    console.greet();
    console.greet();
    EXPECT_EQ(console.frame(0).transcript,
              "belay with a-model in /home/x, permission mode plan; /help says what can be\ntyped\n");
    EXPECT_EQ(console.line_prompt(), "> ");
    console.on({.kind = EventKind::started, .task = "t7", .text = "a goal"}, 0);
    EXPECT_EQ(console.line_prompt(), "");
  }
}

TEST(Console, YesNoAndAlwaysAnswerAnApproval) {
  Desk desk;
  desk.ask(command("git commit -a"));
  EXPECT_NE(desk.rows.find("a always execute_command(git commit:*)"), std::string::npos) << desk.rows;
  desk.type("y");
  EXPECT_EQ(desk.wishes(), Wishes{"reply approve/c1/0 yes"});
  desk.ask(command("git commit -a"));
  desk.type("a");
  EXPECT_EQ(desk.wishes(), (Wishes{"allow execute_command(git commit:*)", "reply approve/c1/0 yes"}));
  desk.ask(command("git commit -a"));
  desk.type("nnot now");
  EXPECT_EQ(desk.wishes(), Wishes{});
  desk.key(Kind::enter);
  EXPECT_EQ(desk.wishes(), Wishes{"reply approve/c1/0 no not now"});
}

TEST(Console, AKeyThatCameBeforeTheQuestionWasDrawnIsNoAnswer) {
  Desk desk;
  desk.console.ask("t7", command("rm -r x"), desk.now);
  desk.console.keys({Key{Kind::text, "y"}}, desk.now);
  EXPECT_EQ(desk.wishes(), Wishes{});
  // A frame that was made before it does not count either.
  EXPECT_FALSE(desk.console.shown(desk.now));
  desk.draw();
  desk.type("y");
  EXPECT_EQ(desk.wishes(), Wishes{"reply approve/c1/0 yes"});
}

TEST(Console, PastedTextAndKeysThatComeAtOnceDoNotApprove) {
  Desk desk;
  desk.ask(command("rm -r x"));
  desk.console.keys({Key{Kind::paste, "y"}}, desk.now);
  desk.console.keys({Key{Kind::text, "yes"}}, desk.now);
  desk.console.keys({Key{Kind::text, "yy"}, Key{Kind::enter}}, desk.now);
  desk.console.keys({Key{Kind::paste, "y"}, Key{Kind::enter}}, desk.now);
  desk.console.keys({Key{Kind::text, "y"}, Key{Kind::enter}, Key{Kind::enter}}, desk.now);
  EXPECT_EQ(desk.wishes(), Wishes{});
  desk.ask({.id = "complete/c2", .kind = AskPerson::Kind::completion, .text = "done"});
  desk.type("y");
  EXPECT_EQ(desk.wishes(), Wishes{"reply approve/c1/0 yes"});
  desk.draw();
  desk.console.keys({Key{Kind::paste, "y"}, Key{Kind::enter}}, desk.now);
  EXPECT_EQ(desk.wishes(), Wishes{});
}

TEST(Console, AYesAndItsEnterMayComeTogetherAndTheEnterAnswersNothingElse) {
  Desk desk;
  const std::vector<Key> yes = {Key{Kind::text, "y"}, Key{Kind::enter}};
  desk.console.ask("t7", command("rm -r x"), desk.now);
  desk.console.keys(yes, desk.now);
  EXPECT_EQ(desk.wishes(), Wishes{});  // not yet on the screen
  desk.draw();
  desk.console.ask("t7", {.id = "complete/c2", .kind = AskPerson::Kind::completion, .text = "done"}, desk.now);
  desk.console.keys(yes, desk.now);
  EXPECT_EQ(desk.wishes(), Wishes{"reply approve/c1/0 yes"});
  desk.draw();
  desk.console.keys(yes, desk.now);
  EXPECT_EQ(desk.wishes(), Wishes{"reply complete/c2 yes"});
}

TEST(Console, WhoWasTypingAnswersOnlyAfterAPauseAndKeepsTheirWords) {
  Desk desk;
  desk.type("and also remov");
  desk.ask(command("rm -r x"));
  desk.type("ey");
  EXPECT_EQ(desk.wishes(), Wishes{});
  EXPECT_NE(desk.rows.find("kept for later: and also remov"), std::string::npos) << desk.rows;
  desk.now += 600;
  desk.type("y");
  EXPECT_EQ(desk.wishes(), Wishes{"reply approve/c1/0 yes"});
  EXPECT_EQ(desk.console.editor().text(), "and also remov");
}

TEST(Console, AQuestionTakesANumberOrWordsAndAnEmptyLineIsNoAnswer) {
  Desk desk;
  const AskPerson q{
      .id = "question/c1", .kind = AskPerson::Kind::question, .text = "Which?", .choices = {"old", "new"}};
  desk.ask(q);
  desk.key(Kind::enter);
  EXPECT_EQ(desk.wishes(), Wishes{});
  desk.type("2");
  desk.key(Kind::enter);
  EXPECT_EQ(desk.wishes(), Wishes{"reply question/c1 words new"});
  desk.ask(q);
  desk.type("3");
  desk.key(Kind::enter);
  EXPECT_EQ(desk.wishes(), Wishes{"reply question/c1 words 3"});
}

TEST(Console, ACompletionIsAcceptedByEnterAndOtherWordsAreFeedback) {
  Desk desk;
  const AskPerson q{.id = "complete/c1", .kind = AskPerson::Kind::completion, .text = "done"};
  desk.ask(q);
  desk.key(Kind::enter);
  desk.ask(q);
  desk.type("not yet");
  desk.key(Kind::enter);
  EXPECT_EQ(desk.wishes(), (Wishes{"reply complete/c1 yes", "reply complete/c1 words not yet"}));
}

TEST(Console, CtrlCStopsOnceAndLeavesTheSecondTime) {
  Desk desk;
  desk.console.on({.kind = EventKind::request, .task = "t7", .number = 1}, desk.now);
  desk.key(Kind::interrupt);
  EXPECT_EQ(desk.wishes(), Wishes{"stop"});
  desk.key(Kind::interrupt);
  EXPECT_EQ(desk.wishes(), Wishes{"leave"});
  EXPECT_NE(desk.transcript.find("belay run --resume t7"), std::string::npos) << desk.transcript;
  desk.type("y");
  EXPECT_EQ(desk.wishes(), Wishes{});
  desk.key(Kind::interrupt);
  EXPECT_EQ(desk.wishes(), Wishes{"end_now"});
}

TEST(Console, TwoCtrlCThatAreFarApartAreTwoTimesOne) {
  Desk desk;
  desk.console.on({.kind = EventKind::request, .task = "t7", .number = 1}, desk.now);
  desk.key(Kind::interrupt);
  desk.now += 60'000;
  desk.key(Kind::interrupt);
  EXPECT_EQ(desk.wishes(), (Wishes{"stop", "stop"}));
}

TEST(Console, CtrlDLeavesOnlyWhenNothingIsUnderWayAndNothingIsTyped) {
  Desk desk;
  desk.key(Kind::end_of_input);
  EXPECT_EQ(desk.wishes(), Wishes{});
  desk.console.idle(desk.now);
  desk.type("x");
  desk.key(Kind::end_of_input);
  EXPECT_EQ(desk.wishes(), Wishes{});
  desk.key(Kind::escape);
  desk.key(Kind::end_of_input);
  EXPECT_EQ(desk.wishes(), Wishes{"leave"});
}

TEST(Console, AMessageWaitsInSightUntilTheNextRequest) {
  Desk desk;
  desk.type("more");
  desk.key(Kind::enter);
  EXPECT_EQ(desk.wishes(), Wishes{"say more"});
  EXPECT_NE(desk.rows.find("queued: more"), std::string::npos) << desk.rows;
  EXPECT_EQ(desk.transcript.find("> more"), std::string::npos);
  desk.console.on({.kind = EventKind::request, .task = "t7", .number = 1}, desk.now);
  desk.draw();
  EXPECT_EQ(desk.rows.find("queued"), std::string::npos) << desk.rows;
  EXPECT_NE(desk.transcript.find("> more"), std::string::npos);
}

TEST(Console, AMessageWaitsUntilTheAnswerHasEnded) {
  Desk desk;
  const auto on = [&](EventKind kind, std::string name = "") {
    desk.console.on({.kind = kind, .task = "t7", .call = "c1", .name = std::move(name), .text = "words"}, desk.now);
    desk.draw();
  };
  on(EventKind::request);
  on(EventKind::text);
  desk.type("more");
  desk.key(Kind::enter);
  EXPECT_EQ(desk.wishes(), Wishes{});
  EXPECT_NE(desk.rows.find("queued: more"), std::string::npos) << desk.rows;
  on(EventKind::usage);
  // Not into a question: at a limit it would be a yes.
  desk.ask({.id = "limit/turns", .kind = AskPerson::Kind::limit, .text = "Go on?"});
  EXPECT_EQ(desk.wishes(), Wishes{});
  desk.type("y");
  EXPECT_EQ(desk.wishes(), Wishes{"reply limit/turns yes"});
  on(EventKind::tool_started, "read_file");
  EXPECT_EQ(desk.wishes(), Wishes{"say more"});
  EXPECT_NE(desk.rows.find("queued: more"), std::string::npos) << desk.rows;
  on(EventKind::request);
  EXPECT_EQ(desk.wishes(), Wishes{});
  EXPECT_EQ(desk.rows.find("queued"), std::string::npos) << desk.rows;
  EXPECT_NE(desk.transcript.find("> more"), std::string::npos);
  EXPECT_EQ(desk.transcript.find("stopped here"), std::string::npos);
  // The last answer of the task: it is opened again.
  desk.type("again");
  desk.key(Kind::enter);
  on(EventKind::usage);
  on(EventKind::finished, "completed");
  desk.console.idle(desk.now);
  desk.draw();
  EXPECT_EQ(desk.wishes(), Wishes{"say again"});
  EXPECT_NE(desk.transcript.find("> again"), std::string::npos);
}

TEST(Console, AMessageThatWaitedForATurnThatWasStoppedIsInTheLineAgain) {
  Desk desk;
  desk.console.on({.kind = EventKind::request, .task = "t7", .number = 1}, desk.now);
  desk.type("more");
  desk.key(Kind::enter);
  desk.type("typed");
  desk.key(Kind::interrupt);
  desk.console.on({.kind = EventKind::finished, .task = "t7", .name = "aborted"}, desk.now);
  desk.console.idle(desk.now);
  EXPECT_EQ(desk.wishes(), Wishes{"stop"});
  EXPECT_EQ(desk.console.editor().text(), "more\ntyped");
}

TEST(Console, AnAnswerThatIsDroppedForAMessageSaysSo) {
  Desk desk;
  desk.console.on({.kind = EventKind::request, .task = "t7", .number = 1}, desk.now);
  desk.console.on({.kind = EventKind::text, .task = "t7", .text = "half of an ans"}, desk.now);
  desk.console.on({.kind = EventKind::request, .task = "t7", .number = 1}, desk.now);
  desk.draw();
  EXPECT_NE(desk.transcript.find("half of an ans\n(stopped here, because you said something)\n"), std::string::npos)
      << desk.transcript;
}

TEST(Console, AHintThatDoesNotHoldAnyLongerGoes) {
  Desk desk;
  desk.console.on({.kind = EventKind::request, .task = "t7", .number = 1}, desk.now);
  desk.key(Kind::interrupt);
  EXPECT_NE(desk.rows.find("Stopping; Ctrl-C again quits"), std::string::npos) << desk.rows;
  desk.console.on({.kind = EventKind::finished, .task = "t7", .name = "aborted"}, desk.now);
  desk.console.idle(desk.now);
  desk.draw();
  EXPECT_EQ(desk.rows.find("Stopping"), std::string::npos) << desk.rows;
  EXPECT_NE(desk.rows.find("Ctrl-C again quits"), std::string::npos) << desk.rows;
  ASSERT_TRUE(desk.console.changes_at());
  desk.now = *desk.console.changes_at();
  desk.draw();
  EXPECT_EQ(desk.rows.find("Ctrl-C"), std::string::npos) << desk.rows;
  EXPECT_FALSE(desk.console.changes_at());
}

TEST(Console, WhatWasTypedBeforeCtrlCComesBackWithUp) {
  Desk desk;
  desk.console.idle(desk.now);
  desk.type("long words");
  desk.key(Kind::interrupt);
  EXPECT_EQ(desk.console.editor().text(), "");
  desk.key(Kind::up);
  EXPECT_EQ(desk.console.editor().text(), "long words");
  EXPECT_EQ(desk.wishes(), Wishes{});
}

TEST(Console, EscStopsTheTurnWhenNothingIsTypedAndNeverQuits) {
  Desk desk;
  desk.console.on({.kind = EventKind::request, .task = "t7", .number = 1}, desk.now);
  desk.type("x");
  desk.key(Kind::escape);
  EXPECT_EQ(desk.console.editor().text(), "");
  EXPECT_EQ(desk.wishes(), Wishes{});
  desk.key(Kind::escape);
  desk.key(Kind::escape);
  EXPECT_EQ(desk.wishes(), Wishes{"stop"});
  desk.console.on({.kind = EventKind::finished, .task = "t7", .name = "aborted"}, desk.now);
  desk.console.idle(desk.now);
  desk.key(Kind::escape);
  EXPECT_EQ(desk.wishes(), Wishes{});
}

TEST(Console, InspectShowsTheCallWholeAndAsksOn) {
  Desk desk;
  std::string longer = "echo";
  for (int i = 0; i < 800; ++i) longer += " w" + std::to_string(i);
  desk.ask(command(longer));
  EXPECT_NE(desk.transcript.find("of the command; i shows all"), std::string::npos) << desk.transcript;
  EXPECT_EQ(desk.transcript.find("w799"), std::string::npos);
  desk.type("i");
  EXPECT_NE(desk.transcript.find("w799"), std::string::npos);
  EXPECT_NE(desk.transcript.find("/the/log"), std::string::npos);
  desk.type("y");
  EXPECT_EQ(desk.wishes(), Wishes{"reply approve/c1/0 yes"});
}

TEST(Console, InspectShowsADamagedCallAsTheModelWroteIt) {
  Desk desk;
  task::Turn turn;
  turn.calls.push_back({.id = "c1",
                        .name = "execute_command",
                        .tool = "execute_command",
                        .runs = {R"({"command":"make"})"},
                        .damage = {.verdict = json::Word::mended, .raw = "{command: 'make\x1b[2J',}"}});
  desk.console.kept({"t7", 2, 0, turn});
  desk.console.on({.kind = EventKind::call_ended, .task = "t7", .call = "c1", .name = "execute_command"}, desk.now);
  desk.ask(command("make"));
  EXPECT_EQ(desk.transcript.find("{command: 'make"), std::string::npos) << desk.transcript;
  desk.type("i");
  EXPECT_NE(desk.transcript.find("as the model wrote it"), std::string::npos) << desk.transcript;
  EXPECT_NE(desk.transcript.find("{command: 'make"), std::string::npos) << desk.transcript;
  EXPECT_EQ(desk.transcript.find('\x1b'), std::string::npos) << desk.transcript;
  EXPECT_NE(desk.transcript.find("the log, in which this call is named c1:\n  /the/log\n"), std::string::npos)
      << desk.transcript;
}

TEST(Console, AQuestionThatNoTaskAskedLeavesThingsAsTheyWere) {
  const AskPerson question{.id = "q", .kind = AskPerson::Kind::question, .text = "Well?", .choices = {"a"}};
  for (const bool busy : {true, false}) {
    for (const int end : {0, 1, 2}) {
      Desk d;
      if (!busy) d.console.idle(d.now);
      ASSERT_EQ(d.console.view().busy(), busy);
      d.ask(question);
      EXPECT_TRUE(d.console.view().busy());
      if (end == 0) {
        d.type("1");
        d.key(Kind::enter);
        EXPECT_EQ(d.wishes(), (Wishes{"reply q words a"}));
      } else if (end == 1) {
        d.console.drop("q");
      } else {
        d.key(Kind::interrupt);
      }
      EXPECT_EQ(d.console.view().busy(), busy) << end;
    }
  }
}

TEST(Console, AQuestionThatIsDroppedMakesRoomForTheNext) {
  Desk desk;
  desk.ask(command("ls a", "approve/c1/0"));
  desk.ask(command("ls b", "approve/c2/0"));
  desk.console.drop("approve/c1/0");
  desk.console.keys({Key{Kind::text, "y"}}, desk.now);
  EXPECT_EQ(desk.wishes(), Wishes{});  // not yet on the screen
  desk.draw();
  desk.type("y");
  EXPECT_EQ(desk.wishes(), Wishes{"reply approve/c2/0 yes"});
}

TEST(Console, WhatIsWrittenAsAnAnswerToAWithdrawnQuestionAnswersNoOther) {
  const AskPerson form{.id = "q", .kind = AskPerson::Kind::question, .text = "When?"};
  for (const bool waits : {true, false}) {
    Desk desk;
    desk.ask(form);
    desk.type("maybe ");
    if (waits) desk.ask(command("touch x"));
    desk.console.drop("q");
    if (!waits) desk.ask(command("touch x"));
    desk.draw();
    for (const char* letter : {"a", "n", "y", " ", "d", "a", "y"}) {
      desk.console.keys({Key{Kind::text, letter}}, desk.now += 90);
      desk.draw();
    }
    EXPECT_EQ(desk.wishes(), Wishes{}) << waits;
    desk.console.keys({Key{Kind::text, "y"}}, desk.now += 900);
    EXPECT_EQ(desk.wishes(), Wishes{"reply approve/c1/0 yes"}) << waits;
  }
}

TEST(Console, CommandsAreAnsweredHereAndNotSent) {
  Desk desk;
  desk.console.idle(desk.now);
  for (const char* text : {"/help", "/usage", "/todos", "/mcp", "/inspect", "/nonsense"}) {
    desk.type(text);
    desk.key(Kind::enter);
  }
  EXPECT_EQ(desk.wishes(), Wishes{});
  EXPECT_NE(desk.transcript.find("There is no command /nonsense"), std::string::npos);
  EXPECT_NE(desk.transcript.find("There are no MCP servers"), std::string::npos) << desk.transcript;
  desk.type("/etc/passwd is a file");
  desk.key(Kind::enter);
  EXPECT_EQ(desk.wishes(), Wishes{"say /etc/passwd is a file"});
}

TEST(Console, CommandsWorkAtQuestionsTooAndOtherWordsWithASlashAreAnswers) {
  const AskPerson question{.id = "question/c1", .kind = AskPerson::Kind::question, .text = "Which folder?"};
  const AskPerson completion{.id = "complete/c1", .kind = AskPerson::Kind::completion, .text = "done"};
  for (const AskPerson& q : {question, completion}) {
    Desk desk;
    desk.ask(q);
    for (const char* text : {"/help", "/usage", "/inspect"}) {
      desk.type(text);
      desk.key(Kind::enter);
    }
    EXPECT_EQ(desk.wishes(), Wishes{});
    EXPECT_NE(desk.transcript.find("/quit       leaves"), std::string::npos) << desk.transcript;
    desk.type("/tmp");
    desk.key(Kind::enter);
    EXPECT_EQ(desk.wishes(), Wishes{"reply " + q.id + " words /tmp"});
    desk.ask(q);
    desk.type("/quit");
    desk.key(Kind::enter);
    EXPECT_EQ(desk.wishes(), Wishes{"leave"});
    Desk lines;
    lines.ask(q);
    lines.console.line("/quit", lines.now);
    EXPECT_EQ(lines.wishes(), Wishes{"leave"});
  }
  Desk lines;
  lines.ask(command("make"));
  lines.console.line("/quit", lines.now);
  EXPECT_EQ(lines.wishes(), Wishes{"leave"});
}

TEST(Always, IsTheVerbOfKnownProgramsAndExactlyTheCommandOfOthers) {
  struct Case {
    std::string command, rule;
  };
  const std::vector<Case> cases = {
      {"git commit -a", "execute_command(git commit:*)"},
      {"npm run build --fast", "execute_command(npm run build:*)"},
      {"rm -r build", "execute_command(rm -r build)"},
      {"git -C x push", "execute_command(git -C x push)"},
      {"git push; rm x", "execute_command(git push; rm x)"},
      {"git commit -m 'a b'", "execute_command(git commit -m 'a b')"},
      {"rm *", ""},
      {"echo \\n", ""},
  };
  for (const Case& c : cases) {
    const auto rule = always("execute_command", "{\"command\":\"" + c.command + "\"}");
    EXPECT_EQ(rule ? rule_text(*rule) : "", c.rule) << c.command;
  }
  EXPECT_EQ(rule_text(*always("write_to_file", R"({"path":"a"})")), "write_to_file");
  EXPECT_FALSE(always("execute_command", "{}"));
}

TEST(Console, ARuleForGoodIsSeenWholeOrNotOffered) {
  auto shown = [](std::string command) {
    ConsoleOptions options;
    options.view.width = 60;
    Console console(std::move(options));
    task::AskPerson question;
    question.id = "q";
    question.kind = task::AskPerson::Kind::approval;
    question.tool = "execute_command";
    question.arguments = R"({"command":")" + command + R"("})";
    console.ask("t", question, 0);
    std::string rows;
    for (const std::string& r : console.frame(0).rows) {
      EXPECT_LE(columns(r), 60u) << r;
      rows += r + "\n";
    }
    return rows;
  };
  EXPECT_NE(shown("./a").find("a always execute_command(./a) for this run"), std::string::npos);
  const std::string longer = "./tool " + std::string(100, 'x') + " --the-end";
  const std::string rows = shown(longer);
  EXPECT_NE(rows.find("a always for this run, by this rule:"), std::string::npos) << rows;
  std::string joined;
  for (char c : rows)
    if (c != '\n' && c != ' ') joined += c;
  EXPECT_NE(joined.find("execute_command(./tool" + std::string(100, 'x') + "--the-end)"), std::string::npos) << rows;
  EXPECT_EQ(rows.find("..."), std::string::npos) << rows;
  EXPECT_EQ(shown("./tool " + std::string(1000, 'x')).find("always"), std::string::npos);
}

Picker picker(std::size_t rows) {
  std::vector<std::string> all;
  for (std::size_t i = 1; i <= rows; ++i) all.push_back("row " + std::to_string(i));
  return {"Which?", "NAME", all, Style(false)};
}

TEST(Picker, ArrowsAndNumbersMoveTheMarkAndEnterChooses) {
  Picker p = picker(12);
  EXPECT_EQ(p.on({Key::Kind::up}), Picker::State::open);
  EXPECT_EQ(p.at(), 0u);
  p.on({Key::Kind::down});
  EXPECT_EQ(p.at(), 1u);
  p.on({Key::Kind::text, "1"});
  EXPECT_EQ(p.at(), 0u);
  p.on({Key::Kind::text, "2"});
  EXPECT_EQ(p.at(), 11u);  // 12
  p.on({Key::Kind::text, "3"});
  EXPECT_EQ(p.at(), 2u);  // there is no 123
  p.on({Key::Kind::down});
  EXPECT_EQ(p.on({Key::Kind::enter}), Picker::State::chosen);
  EXPECT_EQ(p.at(), 3u);
  EXPECT_EQ(picker(2).on({Key::Kind::escape}), Picker::State::left);
  EXPECT_EQ(picker(2).on({Key::Kind::interrupt}), Picker::State::left);
}

TEST(Picker, ShowsTheRowsAroundTheMarkWithinTheScreen) {
  Picker p = picker(100);
  p.on({Key::Kind::end});
  const std::vector<std::string> rows = p.draw(40, 8);
  EXPECT_EQ(rows.size(), 8u);
  EXPECT_EQ(rows[rows.size() - 2], "> 100  row 100");
  EXPECT_EQ(rows[0], "Which?");
  for (const std::string& row : rows) EXPECT_LE(columns(row), 40u) << row;
  EXPECT_EQ(picker(1).draw(80, 24).size(), 4u);
  EXPECT_GE(picker(9).draw(1, 1).size(), 1u);
}

}  // namespace
}  // namespace belay::screen
