// Deltas put together to whole answers.
#include "support/collecting.h"

#include <belay/wire.h>

#include <gtest/gtest.h>

namespace belay::check {
namespace {

using chat::Block;
using chat::Delta;
using chat::delta::BlockOpaque;
using chat::delta::CallEnd;
using chat::delta::CallOpaque;
using chat::delta::Place;
using chat::delta::Reasoning;
using chat::delta::Refusal;
using chat::delta::Text;

Delta call(std::optional<std::int64_t> index, std::string_view id, std::string_view name, std::string_view text,
           bool whole = false) {
  return chat::delta::Call{.key = {.index = index, .id = id}, .name = name, .arguments = text, .whole = whole};
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
  EXPECT_EQ(collected({Reasoning{"a"}, Reasoning{"b"}, Text{"c"}, Text{"d"}, Refusal{"e"}, Text{"f"}}),
            "reasoning ab | text cd | refusal e | text f");
}

TEST(Blocks, blocks_that_have_names_are_told_apart_by_them) {
  EXPECT_EQ(collected({Text{"a", "1"}, Text{"b", "2"}, Text{"c", "1"}, Reasoning{"d", "1"}}),
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
  EXPECT_EQ(collected({call(3, "x", "f", "{}"), Text{"t"}, call(3, "x", "", " ")}), "call x f {}  | text t");
}

TEST(Blocks, a_closed_call_is_not_continued) {
  EXPECT_EQ(collected({call(0, "", "f", "{}"), CallEnd{{.index = 0}}, call(0, "", "g", "[]")}),
            "call  f {} | call  g []");
}

TEST(Blocks, snapshots_take_the_place_of_fragments) {
  EXPECT_EQ(collected({call(0, "x", "f", "{\"a\""), call(0, "x", "", "{\"a\":1}", true)}), "call x f {\"a\":1}");
  // Twice for the same item is a newer one; without names they are two calls.
  chat::delta::Call item{.key = {.index = 0, .id = "x", .item = "i"}, .name = "f", .arguments = "1", .whole = true};
  const Delta first = item;
  item.arguments = "2";
  EXPECT_EQ(collected({first, item}), "call x f 2");
  EXPECT_EQ(collected({call({}, "", "f", "1", true), call({}, "", "f", "2", true)}), "call  f 1 | call  f 2");
  EXPECT_EQ(collected({call(0, "x", "f", "{}"), call(0, "x", "", "", true)}), "call x f {}");
}

TEST(Blocks, opaque_parts_go_where_they_belong) {
  const chat::Opaque a{"w", "k", "1"}, b{"w", "k", "2"}, list{"w", "l", "[1]"}, more{"w", "l", "[2,3]"},
      none{"w", "l", "[]"};
  auto put = [](const chat::Opaque& o, Place place = {}) { return Delta(BlockOpaque{place, &o}); };
  // To the open block; the newest counts, lists grow.
  EXPECT_EQ(collected({Text{"t"}, put(a), put(b), put(none), put(list), put(none), put(more)}),
            "text t {k=2} {l=[1,2,3]}");
  // To a block of a kind, which it begins; the same for one with a name.
  EXPECT_EQ(collected({Text{"t"}, put(a, {Place::Kind::reasoning}), Reasoning{"r"}}), "text t | reasoning r {k=1}");
  EXPECT_EQ(
      collected({put(a, {Place::Kind::reasoning, "1"}), put(b, {Place::Kind::reasoning, "2"}), Reasoning{"r", "1"}}),
      "reasoning r {k=1} | reasoning {k=2}");
  EXPECT_EQ(collected({put(a, {Place::Kind::other, "1"}), Text{"t"}}), "other {k=1} | text t");
  // To the message, or when there is no block.
  EXPECT_EQ(collected({Text{"t"}, put(a, {Place::Kind::message})}), "text t / k=1");
  EXPECT_EQ(collected({put(a)}), " / k=1");
  // To a call, closed or not.
  const CallOpaque to_call{{.index = 0}, &a};
  EXPECT_EQ(collected({call(0, "x", "f", ""), CallEnd{{.index = 0}}, Text{"t"}, to_call}), "call x f {k=1} | text t");
}

TEST(Blocks, the_rest_of_an_answer) {
  Collecting collector;
  chat::Usage first, second;
  first.input_tokens = 1;
  first.output_tokens = 2;
  second.output_tokens = 3;
  collector.on(chat::delta::Start{"i", "m"});
  for (const chat::Usage* u : {&first, &second}) collector.on(chat::delta::Usage{u});
  collector.on(chat::delta::Stop{chat::StopReason::length, "max_tokens"});
  collector.on(chat::delta::End{});
  collector.on(Text{"behind the end"});
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
