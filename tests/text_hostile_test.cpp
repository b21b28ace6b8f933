// Things that stand in a text very often: whatever reads them must not go one call deeper for each.
#include "support/small_stack.h"
#include "support/text_events.h"

#include <gtest/gtest.h>

namespace belay::check {
namespace {

constexpr std::size_t kTimes = 20'000;  // more frames than a small stack has room for

std::string many(std::string_view word, std::size_t times = kTimes) {
  std::string out;
  out.reserve(word.size() * times);
  for (std::size_t i = 0; i < times; ++i) out += word;
  return out;
}

TextEvents read_all(const std::string& text, std::string_view format) {
  text::Options options;
  options.format = format;
  options.tools.push_back({"f", {}});
  // A raised limit must not cost stack either.
  options.limits.depth = kUnlimited;
  TextEvents got;
  on_a_small_stack([&] { got = read_text(chop(text, 64 * 1024), options); });
  EXPECT_EQ(got.fault, "") << format;
  return got;
}

TEST(TextHostile, TokensThatEndATurnAreReadOneByOne) {
  for (std::string_view token : {"<|im_end|>", "</s>", "<|eot_id|>", "<|endoftext|>", "<|end|>", "<turn|>", "[e~["})
    for (std::string_view format : {"auto", "hermes"}) EXPECT_TRUE(read_all(many(token), format).calls.empty());
}

TEST(TextHostile, AfterTooManyTokensThatEndATurnTheFirstAreText) {
  const std::string tokens = many("</s>", 5000);
  const TextEvents got = read_all("Done." + tokens, "hermes");
  EXPECT_TRUE(got.text.starts_with("Done.</s>"));
  EXPECT_LT(got.text.size(), tokens.size());
  EXPECT_EQ(read_all("Done." + many("</s>\n", 100), "hermes").text, "Done." + many("\n", 100));
  EXPECT_EQ(read_all("Done." + tokens + "More.", "hermes").text, "Done." + tokens + "More.");
}

TEST(TextHostile, MarkersAndBracketsAreReadOneByOne) {
  for (std::string_view word :
       {"[", "{", "<", "`", "\"", "<|", "<tool_call>", "<|channel|>", "<think>", "{\"name\":\"f\",",
        "{\"function\":", "<tool_call>{\"function\":", "<tool_call>[", "f(", "[f(x="})
    for (std::string_view format : {"auto", "json", "hermes", "harmony", "pythonic"}) read_all(many(word), format);
}

TEST(TextHostile, FunctionsInFunctionsCostNoStack) {
  const std::string open = many("{\"function\":");
  read_all("<tool_call>" + open, "hermes");
  read_all("<tool_call>" + open + "1" + many("}") + "</tool_call>", "hermes");
}

}  // namespace
}  // namespace belay::check
