// Deltas put together to whole answers.
#include "support/collecting.h"

#include <belay/wire.h>

#include <gtest/gtest.h>

namespace belay::check {
namespace {

using chat::Block;
using chat::Delta;
using Kind = Delta::Kind;

Delta of(Kind kind, std::string_view text = {}) {
  Delta d;
  d.kind = kind;
  d.text = text;
  return d;
}
Delta named(Kind kind, std::string_view item, std::string_view text) {
  Delta d = of(kind, text);
  d.item = item;
  return d;
}
Delta call(std::optional<std::int64_t> index, std::string_view id, std::string_view name, std::string_view text,
           Kind kind = Kind::call) {
  Delta d = of(kind, text);
  d.index = index;
  d.id = id;
  d.name = name;
  return d;
}

std::string shown(const chat::Response& response) {
  std::string out;
  for (const Block& b : response.message.blocks) {
    if (!out.empty()) out += " | ";
    constexpr std::string_view kinds[] = {"text", "reasoning", "refusal", "image", "call", "result", "other"};
    out += kinds[static_cast<std::size_t>(b.kind)];
    if (b.kind == Block::Kind::tool_call) out += " " + b.id + " " + b.name;
    if (std::string said = b.text + b.arguments; !said.empty()) out += " " + said;
    for (const chat::Opaque& o : b.opaque) out += " {" + o.key + "=" + o.json + "}";
  }
  for (const chat::Opaque& o : response.message.opaque) out += " / " + o.key + "=" + o.json;
  return out;
}

std::string collected(const std::vector<Delta>& deltas) {
  Collecting collector;
  for (const Delta& d : deltas) collector.on(d);
  return shown(collector.take());
}

TEST(Blocks, pieces_of_a_kind_are_one_block_until_another_comes) {
  EXPECT_EQ(collected({of(Kind::reasoning, "a"), of(Kind::reasoning, "b"), of(Kind::text, "c"), of(Kind::text, "d"),
                       of(Kind::refusal, "e"), of(Kind::text, "f")}),
            "reasoning ab | text cd | refusal e | text f");
}

TEST(Blocks, blocks_that_have_names_are_told_apart_by_them) {
  EXPECT_EQ(collected({named(Kind::text, "1", "a"), named(Kind::text, "2", "b"), named(Kind::text, "1", "c"),
                       named(Kind::reasoning, "1", "d")}),
            "text ac | text b | reasoning d");
}

TEST(Blocks, fragments_find_their_call) {
  EXPECT_EQ(collected({call(0, "x", "f", "{"), call(1, "y", "g", "["), call(0, "", "", "}"), call(1, "", "", "]")}),
            "call x f {} | call y g []");
  // Another id on the same index, the same index without an id, an id that comes late, a call that says nothing.
  EXPECT_EQ(collected({call(0, "x", "f", "{}"), call(0, "y", "f", "{}")}), "call x f {} | call y f {}");
  EXPECT_EQ(collected({call(0, "", "", "{"), call(0, "x", "f", "}")}), "call x f {}");
  EXPECT_EQ(collected({call({}, "x", "f", "{"), call({}, "", "", "}"), call({}, "y", "g", "")}),
            "call x f {} | call y g");
  EXPECT_EQ(collected({call(3, "x", "f", "{}"), of(Kind::text, "t"), call(3, "x", "", " ")}), "call x f {}  | text t");
}

TEST(Blocks, a_closed_call_is_not_continued) {
  EXPECT_EQ(collected({call(0, "", "f", "{}"), call(0, "", "", "", Kind::call_end), call(0, "", "g", "[]")}),
            "call  f {} | call  g []");
}

TEST(Blocks, snapshots_take_the_place_of_fragments) {
  EXPECT_EQ(collected({call(0, "x", "f", "{\"a\""), call(0, "x", "", "{\"a\":1}", Kind::call_whole)}),
            "call x f {\"a\":1}");
  // Twice for the same item is a newer one; without names they are two calls.
  Delta first = call(0, "x", "f", "1", Kind::call_whole), second = call(0, "x", "f", "2", Kind::call_whole);
  first.item = second.item = "i";
  EXPECT_EQ(collected({first, second}), "call x f 2");
  EXPECT_EQ(collected({call({}, "", "f", "1", Kind::call_whole), call({}, "", "f", "2", Kind::call_whole)}),
            "call  f 1 | call  f 2");
  EXPECT_EQ(collected({call(0, "x", "f", "{}"), call(0, "x", "", "", Kind::call_whole)}), "call x f {}");
}

TEST(Blocks, opaque_parts_go_where_they_belong) {
  const chat::Opaque a{"w", "k", "1"}, b{"w", "k", "2"}, list{"w", "l", "[1]"}, more{"w", "l", "[2,3]"},
      none{"w", "l", "[]"};
  auto put = [](const chat::Opaque& o, std::string_view kind = {}, std::string_view name = {}) {
    Delta d = of(Kind::opaque, name);
    d.opaque = &o;
    d.name = kind;
    return d;
  };
  // To the open block; the newest counts, lists grow.
  EXPECT_EQ(collected({of(Kind::text, "t"), put(a), put(b), put(none), put(list), put(none), put(more)}),
            "text t {k=2} {l=[1,2,3]}");
  // To a block of a kind, which it begins; the same for one with a name.
  EXPECT_EQ(collected({of(Kind::text, "t"), put(a, "reasoning"), of(Kind::reasoning, "r")}),
            "text t | reasoning r {k=1}");
  EXPECT_EQ(collected({put(a, "reasoning", "1"), put(b, "reasoning", "2"), named(Kind::reasoning, "1", "r")}),
            "reasoning r {k=1} | reasoning {k=2}");
  EXPECT_EQ(collected({put(a, "other", "1"), of(Kind::text, "t")}), "other {k=1} | text t");
  // To the message, or when there is no block.
  EXPECT_EQ(collected({of(Kind::text, "t"), put(a, "message")}), "text t / k=1");
  EXPECT_EQ(collected({put(a)}), " / k=1");
  // To a call, closed or not.
  Delta to_call = put(a);
  to_call.index = 0;
  EXPECT_EQ(collected({call(0, "x", "f", ""), call(0, "", "", "", Kind::call_end), of(Kind::text, "t"), to_call}),
            "call x f {k=1} | text t");
}

TEST(Blocks, the_rest_of_an_answer) {
  Collecting collector;
  Delta start = of(Kind::start), usage = of(Kind::usage), stop = of(Kind::stop, "max_tokens");
  start.id = "i";
  start.name = "m";
  chat::Usage first, second;
  first.input_tokens = 1;
  first.output_tokens = 2;
  second.output_tokens = 3;
  stop.stop = chat::StopReason::length;
  collector.on(start);
  for (const chat::Usage* u : {&first, &second}) {
    usage.usage = u;
    collector.on(usage);
  }
  collector.on(stop);
  collector.on(of(Kind::end));
  collector.on(of(Kind::text, "behind the end"));
  EXPECT_TRUE(collector.ended());
  const chat::Response r = collector.take();
  EXPECT_EQ(r.id, "i");
  EXPECT_EQ(r.model, "m");
  EXPECT_EQ(r.usage.input_tokens, 1U);
  EXPECT_EQ(r.usage.output_tokens, 3U);
  EXPECT_EQ(r.stop, chat::StopReason::length);
  EXPECT_EQ(r.raw_stop, "max_tokens");
  EXPECT_TRUE(r.message.blocks.empty());
}

TEST(Blocks, many_calls_are_found_in_linear_time) {
  turn::LedgerOptions options;
  options.limits.calls = kUnlimited;
  Collecting collector(options);
  for (std::int64_t i = 0; i < 50'000; ++i) {
    const std::string id = "call_" + std::to_string(i);
    collector.on(call(i, id, "f", "{"));
    collector.on(call(i / 2, "", "", "}"));
  }
  EXPECT_EQ(collector.take().message.blocks.size(), 50'000U);
}

TEST(Blocks, calls_beyond_the_limit_are_not_kept) {
  turn::LedgerOptions options;
  options.limits.calls = 2;
  Collecting collector(options);
  for (std::int64_t i = 0; i < 4; ++i) collector.on(call(i, "call_" + std::to_string(i), "f", "{"));
  EXPECT_TRUE(collector.failed());
  EXPECT_EQ(collector.take().message.blocks.size(), 2U);
}

}  // namespace
}  // namespace belay::check
