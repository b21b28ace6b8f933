// The ledger by itself: deltas in, what can be read after each of them, calls out.
#include "support/outcome.h"
#include "support/turn.h"

#include <belay/json.h>
#include <belay/turn.h>

#include <gtest/gtest.h>

#include <algorithm>

namespace belay::turn {
namespace {

using check::read_turn;
using check::Turn;
using check::TurnOptions;
chat::delta::Call fragment(std::int64_t index, std::string_view text, std::string_view id = {},
                           std::string_view name = {}) {
  return {.key = {.index = index, .id = id}, .name = name, .arguments = text};
}

chat::delta::Stop stop(chat::StopReason reason) { return {reason, "word"}; }

class Events final : public EventSink {
 public:
  void on_call_closed(std::size_t slot) override { closed.push_back(slot); }
  void on_failure(const chat::Failure& failure) override { failure_message = failure.message; }
  void on_stop(chat::StopReason reason, std::string_view) override { stops.push_back(reason); }
  std::vector<std::size_t> closed;
  std::vector<chat::StopReason> stops;
  std::string failure_message;
};

std::string shown(const json::MaybePartial& value) {
  if (!value) return "nothing";
  std::string out;
  value->each_member([&](std::string_view key, json::Partial member) {
    out += std::string(key) + "=" + std::string(member.as_string()) + ";";
  });
  return out + (value->seems_closed() ? "}" : "");
}

TEST(Ledger, the_arguments_can_be_read_after_every_delta) {
  Events events;
  Ledger ledger(events);
  struct Step {
    std::string_view piece, shown;
  };
  ledger.on(fragment(0, "", "k", "write"));
  EXPECT_EQ(shown(ledger.partial(0)), "nothing");
  for (const Step& step : {Step{"{\"pa", ""}, Step{"th\":\"no", "path=no;"}, Step{"tes.md", "path=notes.md;"},
                           Step{"\",", "path=notes.md;"}, Step{"\"text\":\"", "path=notes.md;text=;"},
                           Step{"# N", "path=notes.md;text=# N;"}, Step{"\"}", "path=notes.md;text=# N;}"}}) {
    ledger.on(fragment(0, step.piece));
    EXPECT_EQ(shown(ledger.partial(0)), step.shown) << step.piece;
  }
}

TEST(Ledger, the_arguments_of_each_call_can_be_read_while_they_take_turns) {
  Events events;
  Ledger ledger(events);
  ledger.on(fragment(0, "{\"a\":\"x", "k0", "f"));
  ledger.on(fragment(1, "{\"b\":\"y", "k1", "f"));
  ledger.on(fragment(0, "x"));
  ASSERT_EQ(ledger.size(), 2u);
  EXPECT_EQ(shown(ledger.partial(0)), "a=xx;");
  EXPECT_EQ(shown(ledger.partial(1)), "b=y;");
}

TEST(Ledger, arguments_before_the_name_can_be_read_too) {
  Events events;
  Ledger ledger(events);
  ledger.on(fragment(0, "{\"a\":\"x\"", "k0"));
  EXPECT_EQ(shown(ledger.partial(0)), "a=x;");
}

TEST(Ledger, a_whole_that_differs_takes_the_place_of_what_was_there) {
  Events events;
  Ledger ledger(events);
  ledger.on(fragment(0, "{\"a\":\"x\"}", "k0", "f"));
  chat::delta::Call whole = fragment(0, "{\"b\":\"y\"}");
  whole.whole = true;
  ledger.on(whole);
  EXPECT_EQ(shown(ledger.partial(0)), "b=y;}");
}

TEST(Ledger, says_once_that_a_call_is_closed_and_only_the_end_says_that_it_is_trusted) {
  Events events;
  Ledger ledger(events);
  ledger.on(fragment(0, "{}", "k0", "f"));
  EXPECT_TRUE(events.closed.empty());
  const chat::delta::CallEnd end{{.index = 0}};
  ledger.on(end);
  ledger.on(end);
  EXPECT_EQ(events.closed, std::vector<std::size_t>{0});
  const std::vector<Call> calls = ledger.finish().calls;
  ASSERT_EQ(calls.size(), 1u);
  EXPECT_TRUE(calls[0].closed);
  EXPECT_FALSE(calls[0].trusted);  // there was no end marker
}

TEST(Ledger, trusts_a_call_only_behind_the_end_marker_and_a_stop) {
  for (int marker = 0; marker < 2; ++marker)
    for (int i = 0; i < 8; ++i) {
      const auto reason = static_cast<chat::StopReason>(i);
      Events events;
      Ledger ledger(events);
      ledger.on(fragment(0, "{}", "k0", "f"));
      ledger.on(stop(reason));
      if (marker) ledger.on(chat::delta::End{});
      const bool proper = reason == chat::StopReason::end || reason == chat::StopReason::tool_calls ||
                          reason == chat::StopReason::pause;
      EXPECT_EQ(ledger.finish().calls.at(0).trusted, marker == 1 && proper) << chat::name(reason);
      EXPECT_EQ(events.stops, std::vector{reason});
    }
}

TEST(Ledger, behind_the_end_and_behind_a_failure_nothing_counts) {
  const chat::Failure failure{"server_error", "it broke", true, std::nullopt};
  for (const chat::Delta& last : {chat::Delta(chat::delta::End{}), chat::Delta(failure)}) {
    Events events;
    Ledger ledger(events);
    ledger.on(fragment(0, "{\"a\":1", "k0", "f"));
    ledger.on(last);
    ledger.on(fragment(0, "}"));
    ledger.on(fragment(1, "{}", "k1", "f"));
    ledger.on(stop(chat::StopReason::tool_calls));
    const std::vector<Call> calls = ledger.finish().calls;
    ASSERT_EQ(calls.size(), 1u);
    EXPECT_EQ(calls[0].verdict.word(), json::Word::truncated);
    EXPECT_EQ(events.stops, std::vector{chat::StopReason::none});
  }
}

TEST(Ledger, finishes_once) {
  Events events;
  Ledger ledger(events);
  ledger.on(fragment(0, "{}", "k0", "f"));
  EXPECT_EQ(ledger.finish().calls.size(), 1u);
  EXPECT_EQ(ledger.finish().calls.size(), 0u);
  EXPECT_EQ(events.stops.size(), 1u);
}

TEST(Ledger, what_a_provider_wants_back_stays_with_its_call) {
  Events events;
  Ledger ledger(events);
  ledger.on(fragment(0, "{}", "k0", "f"));
  ledger.on(fragment(1, "{}", "k1", "f"));
  const chat::Opaque signature{"gemini", "thoughtSignature", "\"c2ln\""};
  ledger.on(chat::delta::CallOpaque{{.index = 0}, &signature});
  const std::vector<Call> calls = ledger.finish().calls;
  ASSERT_EQ(calls.size(), 2u);
  EXPECT_EQ(calls[0].opaque, std::vector{signature});
  EXPECT_TRUE(calls[1].opaque.empty());
}

TEST(Ledger, an_event_that_had_to_be_guessed_makes_its_call_a_guess_and_no_other) {
  Events events;
  Ledger ledger(events);
  ledger.on(fragment(0, "{\"a\":", "k0", "f"));
  chat::delta::Call doubtful = fragment(0, "1}");
  doubtful.guess = json::EditKind::invalid_utf8;
  ledger.on(doubtful);
  ledger.on(fragment(1, "{}", "k1", "f"));
  ledger.on(stop(chat::StopReason::tool_calls));
  ledger.on(chat::delta::End{});
  const std::vector<Call> calls = ledger.finish().calls;
  ASSERT_EQ(calls.size(), 2u);
  EXPECT_EQ(calls[0].verdict.word(), json::Word::guessed);
  ASSERT_EQ(calls[0].reading.edits.size(), 1u);
  EXPECT_EQ(calls[0].reading.edits[0].offset, 5u);
  EXPECT_EQ(calls[0].reading.edits[0].length, 2u);
  EXPECT_FALSE(calls[0].trusted);
  EXPECT_TRUE(calls[1].trusted);
}

// Each limit's message names it, and how to raise it.
TEST(Ledger, limits_say_which_they_are) {
  Limits limits;
  limits.calls = 1;
  limits.name_bytes = 8;
  struct Row {
    chat::delta::Call delta;
    std::string_view flag;
  };
  for (const Row& row : {Row{fragment(1, "{}", "k1", "f"), "--limit calls="},
                         Row{fragment(0, "{}", "k0", "a_long_name"), "--limit name_bytes="},
                         Row{fragment(0, "{}", "a_long_identifier", "f"), "--limit name_bytes="}}) {
    Events events;
    LedgerOptions options;
    options.limits = limits;
    Ledger ledger(events, options);
    ledger.on(fragment(0, "", "k0", "f"));
    ledger.on(row.delta);
    EXPECT_NE(events.failure_message.find(row.flag), std::string::npos) << events.failure_message;
  }
  limits = {};
  limits.bytes = 4;
  Events events;
  LedgerOptions options;
  options.limits = limits;
  Ledger ledger(events, options);
  ledger.on(fragment(0, "{\"a\":12}", "k0", "f"));
  const std::vector<Call> calls = ledger.finish().calls;
  ASSERT_TRUE(calls.at(0).error);
  EXPECT_EQ(calls[0].error->kind, "limit");
  EXPECT_NE(calls[0].error->message.find("--limit bytes="), std::string::npos) << calls[0].error->message;
}

// A thousand calls on each wire; those that can take turns do.
TEST(Ledger, a_thousand_calls_on_every_wire) {
  constexpr int kCalls = 1000;
  auto id = [](int i) { return "call_" + std::to_string(i); };
  auto name = [](int i) { return "tool_" + std::to_string(i % 7); };
  auto arguments = [](int i) { return R"({"n":)" + std::to_string(i) + "}"; };
  auto escaped = [&](int i) { return R"({\"n\":)" + std::to_string(i) + "}"; };
  using wire::Wire;
  for (Wire wire : {Wire::openai_chat, Wire::openai_responses, Wire::anthropic, Wire::gemini, Wire::ollama}) {
    SCOPED_TRACE(wire::name(wire));
    std::string body;
    auto event = [&](const std::string& json) {
      body += wire == Wire::ollama ? json + "\n" : "data: " + json + "\n\n";
    };
    auto chat_call = [&](int i, const std::string& members) {
      event(R"({"choices":[{"delta":{"tool_calls":[{"index":)" + std::to_string(i) + "," + members + "}]}}]}");
    };
    if (wire == Wire::openai_chat) {
      for (int i = 0; i < kCalls; ++i)
        chat_call(i, R"("id":")" + id(i) + R"(","function":{"name":")" + name(i) + R"(","arguments":"{\"n\":"})");
      for (int i = kCalls; i-- > 0;) chat_call(i, R"("function":{"arguments":")" + std::to_string(i) + R"(}"})");
      event(R"({"choices":[{"finish_reason":"tool_calls"}]})");
      event("[DONE]");
    } else if (wire == Wire::openai_responses) {
      for (int i = 0; i < kCalls; ++i)
        event(R"({"type":"response.output_item.added","output_index":)" + std::to_string(i) +
              R"(,"item":{"type":"function_call","id":"fc_)" + std::to_string(i) + R"(","call_id":")" + id(i) +
              R"(","name":")" + name(i) + R"("}})");
      for (int i = kCalls; i-- > 0;)
        event(R"({"type":"response.function_call_arguments.delta","item_id":"fc_)" + std::to_string(i) +
              R"(","delta":")" + escaped(i) + R"("})");
      event(R"({"type":"response.completed","response":{"status":"completed"}})");
    } else if (wire == Wire::anthropic) {
      event(R"({"type":"message_start","message":{}})");
      for (int i = 0; i < kCalls; ++i)
        event(R"({"type":"content_block_start","index":)" + std::to_string(i) +
              R"(,"content_block":{"type":"tool_use","id":")" + id(i) + R"(","name":")" + name(i) +
              R"(","input":{}}})");
      for (int i = kCalls; i-- > 0;)
        event(R"({"type":"content_block_delta","index":)" + std::to_string(i) +
              R"(,"delta":{"type":"input_json_delta","partial_json":")" + escaped(i) + R"("}})");
      event(R"({"type":"message_delta","delta":{"stop_reason":"tool_use"}})");
      event(R"({"type":"message_stop"})");
    } else if (wire == Wire::gemini) {
      for (int i = 0; i < kCalls; ++i)
        event(R"({"candidates":[{"content":{"parts":[{"functionCall":{"id":")" + id(i) + R"(","name":")" + name(i) +
              R"(","args":)" + arguments(i) + R"(}}]}}]})");
      event(R"({"candidates":[{"finishReason":"STOP"}]})");
    } else {
      for (int i = 0; i < kCalls; ++i)
        event(R"({"message":{"tool_calls":[{"id":")" + id(i) + R"(","function":{"name":")" + name(i) +
              R"(","arguments":)" + arguments(i) + R"(}}]},"done":false})");
      event(R"({"message":{},"done":true,"done_reason":"stop"})");
    }
    TurnOptions options;
    options.wire = wire;
    const Turn turn = read_turn(body, options);
    EXPECT_EQ(turn.fault, "");
    ASSERT_EQ(turn.calls.size(), static_cast<std::size_t>(kCalls));
    for (int i = 0; i < kCalls; ++i) {
      const check::TurnCall& call = turn.calls[static_cast<std::size_t>(i)];
      ASSERT_EQ(call.id, id(i));
      ASSERT_EQ(call.name, name(i));
      ASSERT_EQ(check::to_text(*call.arguments), arguments(i));
      ASSERT_TRUE(call.trusted);
    }
    EXPECT_EQ(check::lines_difference(turn.lines, read_turn(check::chop(body, 1), options).lines), "");
  }
}

}  // namespace
}  // namespace belay::turn
