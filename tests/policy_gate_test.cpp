// The gate, row by row, and the rules around its table.
#include <belay/policy.h>

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace belay::policy {
namespace {

using json::Word;
using tool::Effect;

tool::Registry registry() {
  tool::Registry tools;
  auto add = [&](std::string name, Effect effect, std::string list = "") {
    tool::Spec spec;
    spec.name = std::move(name);
    spec.parameters = R"({"type":"object","properties":{"path":{"type":"string"},"n":{"type":"integer"},
                          "paths":{"type":"array","items":{"type":"string"}}}})";
    spec.effect = effect;
    spec.list_parameter = std::move(list);
    auto made = tool::Tool::make(std::move(spec), [](const tool::Invocation&) { return tool::text_result("done"); });
    EXPECT_TRUE(made) << made.error();
    EXPECT_TRUE(tools.add(std::move(*made)));
  };
  add("look", Effect::read);
  add("look_all", Effect::read, "paths");
  add("say", Effect::meta);
  add("put", Effect::write);
  add("do", Effect::execute);
  return tools;
}

// The call as the assembler would give it for these arguments, at a proper end.
call::Call call_of(const tool::Registry& tools, std::string_view name, std::string_view arguments,
                   chat::StopReason stop = chat::StopReason::tool_calls) {
  struct Nothing final : call::EventSink {
  } sink;
  call::AssemblerOptions options;
  options.tools = tools.known();
  options.any_tool = false;
  call::Assembler assembler(sink, options);
  chat::Delta d;
  d.kind = chat::Delta::Kind::call;
  d.index = 0;
  d.id = "c1";
  d.name = name;
  d.text = arguments;
  assembler.on(d);
  d = {};
  d.kind = chat::Delta::Kind::stop;
  d.stop = stop;
  assembler.on(d);
  d.kind = chat::Delta::Kind::end;
  assembler.on(d);
  return std::move(assembler.finish(true).at(0));
}

TEST(Gate, EveryRowOfTheTable) {
  const tool::Registry tools = registry();
  struct Row {
    std::string_view arguments;
    chat::StopReason stop;
    Word word;
    Handling read, meta, write, execute;
  };
  using enum Handling;
  const Row rows[] = {
      {R"({"path":"a"})", chat::StopReason::end, Word::valid, run, run, run, run},
      {R"({"path":"a",})", chat::StopReason::end, Word::mended, run, run, run, run},
      {R"({"path":"a"}{"path":"b"})", chat::StopReason::end, Word::split, run_each, run_first, run_first, run_first},
      {R"({"path":"say "no" now"})", chat::StopReason::end, Word::guessed, run_say, run_say, refuse, refuse},
      {R"({"path":"a)", chat::StopReason::length, Word::truncated, refuse, refuse, refuse, refuse},
      {"nothing", chat::StopReason::end, Word::broken, refuse, refuse, refuse, refuse},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.arguments);
    for (auto [name, wanted] : {std::pair<std::string_view, Handling>{"look", row.read},
                                {"say", row.meta},
                                {"put", row.write},
                                {"do", row.execute}}) {
      SCOPED_TRACE(name);
      call::Call call = call_of(tools, name, row.arguments, row.stop);
      EXPECT_EQ(call.verdict.word(), row.word);
      Gate gate(tools);
      Plan plan = gate.plan(call);
      EXPECT_EQ(plan.handling, wanted);
      EXPECT_EQ(plan.runs.empty(), wanted == refuse);
      EXPECT_EQ(plan.feedback.empty(), wanted != refuse) << plan.feedback;
      if (wanted == run_each) {
        EXPECT_EQ(plan.runs.size(), 2u);
      }
      if (wanted == run_first) {
        EXPECT_EQ(plan.runs.size(), 1u);
        EXPECT_NE(plan.not_run.find("Only the first was run"), std::string::npos) << plan.not_run;
      }
      if (wanted != refuse) {
        EXPECT_EQ(plan.receipt.empty(), row.word == Word::valid || row.word == Word::split) << plan.receipt;
      }
    }
  }
}

TEST(Gate, UnknownNamesAndSchemasAreRefusedWithARemedy) {
  const tool::Registry tools = registry();
  Gate gate(tools);
  Plan plan = gate.plan(call_of(tools, "lok", R"({"path":"a"})"));
  EXPECT_EQ(plan.handling, Handling::refuse);
  EXPECT_NE(plan.feedback.find("Did you mean look"), std::string::npos) << plan.feedback;
  plan = Gate(tools).plan(call_of(tools, "look", R"({"n":"three"})"));
  EXPECT_EQ(plan.handling, Handling::refuse);
  EXPECT_NE(plan.feedback.find("n must be an integer"), std::string::npos) << plan.feedback;
  plan = Gate(tools).plan(call_of(tools, "", "{}"));
  EXPECT_EQ(plan.handling, Handling::refuse);
}

TEST(Gate, WholeCallsOfACutTurnAreRefused) {
  const tool::Registry tools = registry();
  for (chat::StopReason stop :
       {chat::StopReason::length, chat::StopReason::content_filter, chat::StopReason::refusal}) {
    Plan plan = Gate(tools).plan(call_of(tools, "do", R"({"path":"a"})", stop));
    EXPECT_EQ(plan.handling, Handling::refuse) << chat::name(stop);
    EXPECT_FALSE(plan.feedback.empty());
  }
}

TEST(Gate, LaterEffectsOfATurnAreHeldAfterAFailure) {
  const tool::Registry tools = registry();
  Gate gate(tools);
  EXPECT_EQ(gate.plan(call_of(tools, "put", R"({"path":"a"})")).handling, Handling::run);
  gate.went(false);
  Plan held = gate.plan(call_of(tools, "do", R"({"path":"b"})"));
  EXPECT_EQ(held.handling, Handling::refuse);
  EXPECT_NE(held.feedback.find("because put before it"), std::string::npos) << held.feedback;
  // Looking is always possible.
  EXPECT_EQ(gate.plan(call_of(tools, "look", R"({"path":"b"})")).handling, Handling::run);
  gate.went(true);
  EXPECT_EQ(gate.plan(call_of(tools, "put", R"({"path":"c"})")).handling, Handling::refuse);
  // A failed look holds nothing.
  Gate other(tools);
  other.plan(call_of(tools, "look", R"({"path":"b"})"));
  other.went(false);
  EXPECT_EQ(other.plan(call_of(tools, "put", R"({"path":"c"})")).handling, Handling::run);
}

TEST(Gate, WhatRanOnlyInPartHoldsLaterEffectsToo) {
  const tool::Registry tools = registry();
  Gate gate(tools);
  EXPECT_EQ(gate.plan(call_of(tools, "put", R"({"path":"a"}{"path":"b"})")).handling, Handling::run_first);
  gate.went(true);
  EXPECT_EQ(gate.plan(call_of(tools, "put", R"({"path":"c"})")).handling, Handling::refuse);
}

TEST(Gate, GluedObjectsMergeWhereTheToolNamesAList) {
  const tool::Registry tools = registry();
  Plan plan = Gate(tools).plan(call_of(tools, "look_all", R"({"paths":["a"]}{"paths":["b"]})"));
  EXPECT_EQ(plan.handling, Handling::run);
  ASSERT_EQ(plan.runs.size(), 1u);
  EXPECT_EQ(plan.runs[0].text, R"({"paths":["a","b"]})");
  // Where the rest of the objects differs they stay apart.
  plan = Gate(tools).plan(call_of(tools, "look_all", R"({"paths":["a"],"n":1}{"paths":["b"],"n":2})"));
  EXPECT_EQ(plan.handling, Handling::run_each);
  EXPECT_EQ(plan.runs.size(), 2u);
}

TEST(Gate, TheSameObjectIsShownApprovedAndRun) {
  const tool::Registry tools = registry();
  call::Call call = call_of(tools, "put", R"({'path':'a','n':"3",})");
  Plan plan = Gate(tools).plan(call);
  ASSERT_EQ(plan.runs.size(), 1u);
  EXPECT_EQ(plan.runs[0].text, R"({"path":"a","n":3})");
  EXPECT_EQ(json::to_string(plan.runs[0].arguments.root()), plan.runs[0].text);
  EXPECT_EQ(approval_of(call, plan, 0), (Approval{"c1", "put", R"({"path":"a","n":3})"}));
}

TEST(Gate, CallsFromTextAreAskedAboutBeforeTheyHaveEffects) {
  const tool::Registry tools = registry();
  call::Call call = call_of(tools, "put", R"({"path":"a"})");
  call.from_text = true;
  EXPECT_TRUE(Gate(tools).plan(call).must_ask);
  GateSettings text;
  text.native = false;
  EXPECT_FALSE(Gate(tools, text).plan(call).must_ask);
}

TEST(Permission, ModesAndRules) {
  const tool::Registry tools = registry();
  auto spec = [](std::string name, Effect effect) {
    tool::Spec s;
    s.name = std::move(name);
    s.effect = effect;
    return s;
  };
  const tool::Spec write = spec("write_to_file", Effect::write), run = spec("execute_command", Effect::execute),
                   look = spec("read_file", Effect::read);
  auto decide = [](const Permissions& p, const tool::Spec& s, std::string_view arguments) {
    json::Reading r = json::read(arguments);
    return permit(p, s, r.document.root()).decision;
  };
  Permissions p;
  EXPECT_EQ(decide(p, look, R"({"path":"a"})"), Decision::allow);
  EXPECT_EQ(decide(p, write, R"({"path":"a"})"), Decision::ask);
  EXPECT_EQ(decide(p, run, R"({"command":"ls"})"), Decision::allow);
  EXPECT_EQ(decide(p, run, R"({"command":"touch x"})"), Decision::ask);
  EXPECT_EQ(decide(p, run, R"({"command":"git status"})"), Decision::sandbox);
  p.mode = Mode::accept_edits;
  EXPECT_EQ(decide(p, write, R"({"path":"a"})"), Decision::allow);
  EXPECT_EQ(decide(p, write, R"({"path":".vscode/tasks.json"})"), Decision::ask);
  EXPECT_EQ(decide(p, write, R"({"path":"x/.MCP.json"})"), Decision::ask);
  p.mode = Mode::plan;
  EXPECT_EQ(decide(p, write, R"({"path":"a"})"), Decision::deny);
  EXPECT_EQ(decide(p, run, R"({"command":"touch x"})"), Decision::deny);
  EXPECT_EQ(decide(p, run, R"({"command":"ls"})"), Decision::allow);
  p.mode = Mode::dont_ask;
  EXPECT_EQ(decide(p, write, R"({"path":"a"})"), Decision::deny);
  p.mode = Mode::bypass;
  EXPECT_EQ(decide(p, run, R"({"command":"touch x"})"), Decision::allow);
  p.rules = {*rule_from(Decision::deny, "execute_command(rm:*)")};
  EXPECT_EQ(decide(p, run, R"({"command":"rm -rf x"})"), Decision::deny);
  p = {};
  p.rules = {*rule_from(Decision::allow, "execute_command(npm test:*)"),
             *rule_from(Decision::allow, "write_to_file(src/**)"),
             *rule_from(Decision::ask, "write_to_file(src/secret*)")};
  EXPECT_EQ(decide(p, run, R"({"command":"npm test --watch"})"), Decision::allow);
  EXPECT_EQ(decide(p, run, R"({"command":"npm test; touch x"})"), Decision::ask);
  EXPECT_EQ(decide(p, run, R"({"command":"npm testing"})"), Decision::ask);
  EXPECT_EQ(decide(p, write, R"({"path":"src/a/b.cpp"})"), Decision::allow);
  EXPECT_EQ(decide(p, write, R"({"path":"src/secret.cpp"})"), Decision::ask);
  EXPECT_EQ(decide(p, write, R"({"path":"other"})"), Decision::ask);
  EXPECT_FALSE(rule_from(Decision::allow, "tool(never closed"));
}

TEST(Permission, ARuleThatAllowsAPathDoesNotAllowOneThatLeavesIt) {
  tool::Spec write;
  write.name = "write_to_file";
  write.effect = Effect::write;
  Permissions p;
  p.rules = {*rule_from(Decision::allow, "write_to_file(src/**)")};
  for (std::string_view path : {"src/../.bashrc", "src/a/../../b", "src/./../x"}) {
    json::Reading r = json::read(R"({"path":")" + std::string(path) + "\"}");
    EXPECT_EQ(permit(p, write, r.document.root()).decision, Decision::ask) << path;
  }
}

}  // namespace
}  // namespace belay::policy
