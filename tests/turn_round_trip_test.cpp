// What our encoders write, our decoders read: the same events, on every wire, for random turns and for every case of
// cases/streams that ended properly with valid arguments.
#include "support/stream_case_file.h"
#include "support/turn.h"
#include "wire_deltas.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>

namespace belay::check {
namespace {

using wire::Wire;

constexpr std::array kWires = {Wire::openai_chat, Wire::openai_responses, Wire::anthropic, Wire::gemini, Wire::ollama};

/// The turn as a stream of the wire, its texts and arguments in the pieces that `choices` makes.
std::string encode(Wire wire, const Turn& turn, Choices& choices) {
  wire::StreamEncoder encoder(wire, {"answer_1", "some-model", 1'700'000'000});
  std::string out;
  for (const Segment& s : turn.segments) {
    if (s.kind == Segment::Kind::call) {
      const TurnCall& call = *std::ranges::find(turn.calls, s.slot, &TurnCall::slot);
      encoder.begin_call(call.made_id ? "" : call.id, call.name);
      const std::string arguments = to_text(*call.arguments);
      for (std::string_view piece : make_pieces(arguments, choices)) encoder.arguments(piece);
      if (call.trusted) encoder.end_call();
    }
    for (std::string_view piece : make_pieces(s.text, choices)) {
      if (s.kind == Segment::Kind::text)
        encoder.text(piece);
      else
        encoder.reasoning(piece);
      if (choices.flip()) out += encoder.take();
    }
  }
  if (turn.usage) encoder.usage(*turn.usage);
  for (int i = 0; i < 8; ++i)
    if (chat::name(static_cast<chat::StopReason>(i)) == turn.stop)
      encoder.stop(static_cast<chat::StopReason>(i), turn.raw_stop);
  return out + encoder.take();
}

/// An end with calls is one for its calls: clients look for calls only where the word says so. Chat has one word for
/// what a filter and what the model itself refuses; for a malformed call most write that it was cut.
std::string stop_of(const Turn& turn) {
  if (turn.stop == "end" && !turn.calls.empty()) return "tool_calls";
  if (turn.stop == "malformed") return "length";
  return turn.stop == "refusal" ? "content_filter" : turn.stop;
}

/// Every wire has a word for these.
bool has_word(std::string_view stop) { return stop == "end" || stop == "tool_calls" || stop == "length"; }

/// The words that a wire has for its stops; others come back as one of them.
bool own_word(Wire wire, std::string_view raw) {
  using Words = std::vector<std::string_view>;
  auto any_of = [&](const Words& words) { return std::ranges::find(words, raw) != words.end(); };
  switch (wire) {
    case Wire::openai_chat: return any_of({"stop", "length", "tool_calls", "content_filter", "function_call"});
    case Wire::openai_responses: return any_of({"completed", "max_output_tokens", "content_filter"});
    case Wire::anthropic:
      return any_of({"end_turn", "stop_sequence", "tool_use", "max_tokens", "model_context_window_exceeded",
                     "pause_turn", "refusal"});
    case Wire::gemini: return any_of({"STOP", "MAX_TOKENS", "SAFETY", "MALFORMED_FUNCTION_CALL", "OTHER"});
    case Wire::ollama: return any_of({"stop", "length"});
  }
  return false;
}

/// Slots that stayed empty are not written.
std::vector<Segment> shown(const Turn& turn) {
  std::vector<Segment> out = turn.segments;
  for (Segment& s : out)
    if (s.kind == Segment::Kind::call)
      s.slot = static_cast<std::size_t>(std::ranges::find(turn.calls, s.slot, &TurnCall::slot) - turn.calls.begin());
  return out;
}

/// What two turns differ in, as a sentence; empty when they say the same. `same_wire`: ids, usage and every
/// stop too, which another wire may have no place for.
std::string turn_difference(const Turn& a, const Turn& b, bool same_wire) {
  auto differ = [](std::string_view what, const std::string& x, const std::string& y) {
    return std::string(what) + " " + y + ", before " + x;
  };
  if (!b.fault.empty()) return b.fault;
  if (!b.failure.empty()) return "failure " + b.failure;
  if (!b.notices.empty()) return "notice " + b.notices[0];
  if (shown(a) != shown(b)) return differ("order or texts", describe(a), describe(b));
  if (a.calls.size() != b.calls.size()) return "another number of calls";
  for (std::size_t i = 0; i < a.calls.size(); ++i) {
    const TurnCall &x = a.calls[i], &y = b.calls[i];
    if (x.name != y.name) return differ("name", x.name, y.name);
    if (x.arguments != y.arguments) return differ("arguments", to_text(*x.arguments), to_text(*y.arguments));
    if (y.verdict != "valid") return differ("verdict", "valid", y.verdict);
    if (x.trusted != y.trusted) return differ("trusted", x.trusted ? "yes" : "no", y.trusted ? "yes" : "no");
    if (!x.made_id && (same_wire ? x.id != y.id : !y.made_id && x.id != y.id)) return differ("id", x.id, y.id);
  }
  if (stop_of(a) != stop_of(b) && (same_wire || has_word(a.stop))) return differ("stop", a.stop, b.stop);
  if (!same_wire) return {};
  // A count that is missing is zero to clients that must have one.
  auto counts = [](const Turn& turn) {
    const chat::Usage u = turn.usage.value_or(chat::Usage{});
    return std::array{u.input_tokens.value_or(0), u.output_tokens.value_or(0), u.cached_tokens.value_or(0),
                      u.cache_write_tokens.value_or(0), u.reasoning_tokens.value_or(0)};
  };
  return counts(a) == counts(b) ? "" : "another usage";
}

Turn read(Wire wire, std::string_view body) {
  TurnOptions options;
  options.wire = wire;
  return read_turn(body, options);
}

bool all_valid(const Turn& turn) {
  for (const TurnCall& call : turn.calls)
    if (call.verdict != "valid" || call.name.empty() || !call.arguments) return false;
  return true;
}

/// A random turn that every wire can say: texts that stand beside each other are one.
Turn make_turn(Choices& choices) {
  Turn out;
  const std::size_t most = choices.below(7);
  for (std::size_t n = 0; n < most; ++n) {
    const auto kind = static_cast<Segment::Kind>(choices.below(3));
    if (kind == Segment::Kind::call) {
      TurnCall call;
      call.slot = out.calls.size();
      call.id = "call_" + std::to_string(call.slot);
      call.name = choices.flip() ? "read_file" : "server__tool-" + std::to_string(choices.below(3));
      call.verdict = "valid";
      call.trusted = true;
      call.arguments = make_document(choices);
      out.segments.push_back({kind, {}, out.calls.size()});
      out.calls.push_back(std::move(call));
    } else if (out.segments.empty() || out.segments.back().kind != kind) {
      out.segments.push_back({kind, make_text(choices), 0});
      (kind == Segment::Kind::text ? out.text : out.reasoning) += out.segments.back().text;
    }
  }
  out.stop = out.calls.empty() ? "end" : "tool_calls";
  out.usage.emplace();
  out.usage->input_tokens = choices.below(100'000);
  out.usage->output_tokens = choices.below(100'000);
  return out;
}

TEST(TurnRoundTrip, random_turns_come_back_from_every_wire) {
  for (Wire wire : kWires)
    EXPECT_TRUE(rc::check(std::string(wire::name(wire)), [wire] {
      const std::string bytes = *decisions();
      Choices choices(bytes);
      const Turn turn = make_turn(choices);
      const std::string body = encode(wire, turn, choices);
      const Turn again = read(wire, body);
      RC_LOG() << body << describe(again) << '\n';
      const std::string difference = turn_difference(turn, again, true);
      RC_ASSERT(difference.empty());
    }));
}

TEST(TurnRoundTrip, whole_answers_come_back_from_every_wire) {
  for (Wire wire : kWires)
    EXPECT_TRUE(rc::check(std::string(wire::name(wire)), [wire] {
      const std::string bytes = *decisions();
      Choices choices(bytes);
      const Turn turn = make_turn(choices);
      chat::Response answer;
      answer.id = "answer_1";
      answer.model = "some-model";
      for (const Segment& s : turn.segments) {
        if (s.kind == Segment::Kind::call) {
          const TurnCall& call = turn.calls[s.slot];
          answer.message.blocks.push_back(chat::call_block(call.id, call.name, to_text(*call.arguments)));
          continue;
        }
        answer.message.blocks.push_back(chat::text_block(s.text));
        if (s.kind == Segment::Kind::reasoning) answer.message.blocks.back().kind = chat::Block::Kind::reasoning;
      }
      answer.stop = turn.calls.empty() ? chat::StopReason::end : chat::StopReason::tool_calls;
      const std::string body = wire::encode_response(wire, answer);
      const Turn again = read(wire, body);
      RC_LOG() << body << describe(again) << '\n';
      RC_ASSERT(again.fault.empty());
      RC_ASSERT(again.calls.size() == turn.calls.size());
      for (std::size_t i = 0; i < turn.calls.size(); ++i) {
        RC_ASSERT(again.calls[i].name == turn.calls[i].name);
        RC_ASSERT(again.calls[i].id == turn.calls[i].id);
        RC_ASSERT(again.calls[i].arguments == turn.calls[i].arguments);
        RC_ASSERT(again.calls[i].trusted);
      }
      RC_ASSERT(again.stop == turn.stop);
    }));
}

TEST(TurnRoundTrip, every_case_that_ended_properly_comes_back_from_its_own_wire_and_the_others) {
  std::size_t own = 0, others = 0;
  for (const StreamCase& one : load_stream_cases(BELAY_CASES_DIR "/streams")) {
    if (one.body.size() > 20'000) continue;
    TurnOptions options = one.options;
    options.tools.reset();
    const Turn first = read_turn(one.body, options);
    if (!first.ended || !first.failure.empty() || first.stop == "none" || !all_valid(first)) continue;
    const bool cut = !first.calls.empty() && !first.calls.back().trusted;
    // Only a call that ends a turn that was cut can be written as one that was.
    const bool last = cut && first.segments.back().kind == Segment::Kind::call;
    const auto untrusted = std::ranges::count(first.calls, false, &TurnCall::trusted);
    if (untrusted > (last && first.stop != "tool_calls" ? 1 : 0)) continue;
    Choices choices(one.body);
    for (Wire wire : kWires) {
      const bool same = wire == one.options.wire;
      // A call that was cut is not written where calls come whole.
      if (cut && (!same || wire == Wire::gemini || wire == Wire::ollama)) continue;
      const std::string body = encode(wire, first, choices);
      SCOPED_TRACE(one.kind + ": " + one.name + " on " + std::string(wire::name(wire)) + "\n" + body);
      const Turn again = read(wire, body);
      EXPECT_EQ(turn_difference(first, again, same), "");
      if (same && first.stop == again.stop && own_word(wire, first.raw_stop)) {
        EXPECT_EQ(first.raw_stop, again.raw_stop);
      }
      ++(same ? own : others);
    }
  }
  // Of nothing nothing could be wrong.
  EXPECT_GT(own, 100u);
  EXPECT_GT(others, 400u);
}

}  // namespace
}  // namespace belay::check
