// Decisions wait for a bounded number of bytes. Where that bound is reached, the text gives the same events however it
// is cut, and in linear time.
#include "support/outcome.h"
#include "support/text_events.h"
#include "support/text_writers.h"

#include <gtest/gtest.h>

namespace belay::check {
namespace {

// A little more than the bounds of the module.
constexpr std::size_t kFar = 520;

text::Options with_format(std::string_view format) {
  text::Options options;
  options.format = format;
  return options;
}

std::string difference_by_cut(const std::string& input, const text::Options& options) {
  const TextEvents whole = read_text({input}, options);
  if (!whole.fault.empty()) return whole.fault;
  return difference(whole, read_text(chop(input, 1), options));
}

std::string two_calls(const TextWriter& writer) {
  Tree first = Tree::object();
  first.keys = {"a", "b"};
  first.items = {Tree::string("x"), Tree::number("1")};
  Tree second = Tree::object();
  second.keys = {"a"};
  second.items = {Tree::string("y")};
  return "Look:\n" + writer.write({{"f", first}, {"g", second}}) + "\nok.";
}

void expect_no_difference(std::string_view run_of) {
  std::string run;
  while (run.size() < kFar) run += run_of;
  std::size_t stretched = 0;
  for (const TextWriter& writer : text_writers()) {
    const std::string calls = two_calls(writer);
    // Each format begins elsewhere, so that the positions of all of them together are many.
    for (std::size_t at = stretched % 5; at <= calls.size(); at += 5, ++stretched) {
      const std::string input = calls.substr(0, at) + run + calls.substr(at);
      const std::string fault = difference_by_cut(input, with_format(writer.format));
      ASSERT_EQ(fault, "") << writer.format << " at " << at << ": " << calls.substr(0, at) << " … " << calls.substr(at);
    }
  }
  EXPECT_GT(stretched, 500u);
}

TEST(TextFar, white_space_inside_of_calls) { expect_no_difference(" "); }
TEST(TextFar, lines_inside_of_calls) { expect_no_difference("\n"); }
TEST(TextFar, letters_inside_of_calls) { expect_no_difference("a"); }
TEST(TextFar, ticks_inside_of_calls) { expect_no_difference("`"); }

TEST(TextFar, space_between_what_decides) {
  constexpr std::string_view kCall = R"({"name":"f","arguments":{}})";
  const std::string call(kCall), tag = "<tool_call>" + call + "</tool_call>";
  for (std::size_t n : {500u, 510u, 511u, 512u, 513u, 600u, 5000u}) {
    const std::string space(n, ' ');
    EXPECT_EQ(difference_by_cut(call + space + call, with_format("json")), "") << n;
    EXPECT_EQ(difference_by_cut(call + "," + space + call, with_format("json")), "") << n;
    EXPECT_EQ(difference_by_cut("```json" + space + call + "\n```", with_format("json")), "") << n;
    EXPECT_EQ(difference_by_cut("x<|im_end|>" + space + tag, with_format("hermes")), "") << n;
    EXPECT_EQ(difference_by_cut("<tool_call>" + call + "<tool_call>" + space + tag, with_format("hermes")), "") << n;
    EXPECT_EQ(difference_by_cut("<tool_call>" + space + call, with_format("hermes")), "") << n;
  }
}

TEST(TextFar, a_tag_that_ends_a_value_does_so_before_any_space) {
  const std::string space(600, '\n');
  const std::string input =
      "<tool_call>\n<function=f>\n<parameter=a>\nx\n</parameter>" + space + "</function>" + space + "</tool_call>";
  const TextEvents got = read_text({input}, with_format("qwen3_coder"));
  ASSERT_EQ(got.calls.size(), 1u);
  EXPECT_EQ(got.calls[0].arguments, R"({"a":"x"})");
  EXPECT_EQ(difference_by_cut(input, with_format("qwen3_coder")), "");
}

TEST(TextFar, rows_of_ticks) {
  for (std::size_t n : {63u, 64u, 65u, 100u, 130u}) {
    const std::string ticks(n, '`');
    const std::string inside = "\n{\"name\":\"f\",\"arguments\":{}}\n" + std::string(70, '`') + "\n[f()]";
    EXPECT_EQ(difference_by_cut(ticks + inside, with_format("auto")), "") << n;
    EXPECT_EQ(difference_by_cut(ticks + "json" + inside, with_format("json")), "") << n;
  }
}

TEST(TextFar, thousands_of_tokens_that_end_a_turn) {
  std::string tokens;
  for (int i = 0; i < 200'000; ++i) tokens += "<|im_end|>";
  const TextEvents text = read_text({"x" + tokens + "y"}, with_format("hermes"));
  EXPECT_EQ(text.text, "x" + tokens + "y");
  EXPECT_EQ(difference(text, read_text(chop("x" + tokens + "y", 4096), with_format("hermes"))), "");
}

TEST(TextFar, a_few_tokens_that_end_a_turn_are_no_text) {
  for (std::string_view end : {"", "\n", "<tool_call>{\"name\":\"f\",\"arguments\":{}}</tool_call>"}) {
    const std::string input = "x<|im_end|>\n<|im_end|><|endoftext|>" + std::string(end);
    const TextEvents got = read_text({input}, with_format("hermes"));
    EXPECT_EQ(got.text, end == "\n" ? "x\n\n" : "x\n");
    EXPECT_EQ(difference_by_cut(input, with_format("hermes")), "");
  }
  EXPECT_EQ(read_text({"<|im_end|> is a token"}, with_format("hermes")).text, "<|im_end|> is a token");
}

TEST(TextFar, a_call_in_reasoning_that_goes_on_for_too_long) {
  const std::string call = R"(<tool_call>{"name":"f","arguments":{}}</tool_call>)";
  const std::string input = "<think>\n" + call + std::string((1u << 20) + 10'000, 'a') + "</think>" + call;
  const TextEvents whole = read_text({input}, with_format("hermes"));
  EXPECT_EQ(difference(whole, read_text(chop(input, 4096), with_format("hermes"))), "");
  EXPECT_EQ(whole.calls.size(), 1u);
}

}  // namespace
}  // namespace belay::check
