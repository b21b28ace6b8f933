// A text that was cut off inside a call says so with the place of the cut: offset, line and column, and the sentence.
// One that is cut into pieces tells everything in the same order as the whole.
#include "support/outcome.h"
#include "support/text_events.h"
#include "support/tree.h"

#include <belay/text.h>

#include <gtest/gtest.h>

#include <algorithm>

namespace belay::check {
namespace {

struct LastCall final : text::Sink {
  void on_text(std::string_view) override {}
  void on_reasoning(std::string_view) override {}
  void on_call_start(std::size_t, std::string_view, std::string_view) override {}
  void on_call_delta(std::size_t, std::string_view) override {}
  void on_call_end(std::size_t, text::Found call) override { found = std::move(call); }
  void on_call_doubt(std::size_t, json::Edit) override {}
  void on_notice(std::string_view, std::string_view) override {}
  std::optional<text::Found> found;
};

TEST(Cut, ErrorsNameTheEndOfTheText) {
  constexpr std::string_view kTexts[] = {
      "Hm.\n<tool_call>\n{\"name\": \"f\", \"arguments\": {\"x\": \"a\nb\"}}\n</tool_call>",
      "Hm.\n<tool_call>\n<function=f>\n<parameter=x>\na\nb\n</parameter>\n</function>\n</tool_call>",
      "<tool_call>f\n<arg_key>x</arg_key>\n<arg_value>a\nb</arg_value>\n</tool_call>",
      "Hm.\n<f>\n<x>a\nb</x>\n</f>",
      "Hm.\n[f(x='a\nb',\n  y=1)]",
      "Hm.\n<|tool_call>call:f{x:<|\"|>a\nb<|\"|>,\ny:1}<tool_call|>",
      "[TOOL_CALLS]f[ARGS]{\"x\":\n\"ab\"}",
      "<|channel|>commentary to=functions.f<|message|>\n{\"x\": \"ab\"}<|call|>",
      "<function=f>\n{\"x\": 1,\n\"y\": \"ab\"}\n</function>",
      "{\"name\": \"f\",\n \"arguments\": {\"x\": \"ab\"}}",
  };
  text::Options options;
  options.tools = {
      {"f", text::shape_of(root_of(document_of(R"({"properties":{"x":{"type":"string"},"y":{"type":"integer"}}})")))}};
  for (std::string_view whole : kTexts) {
    std::size_t cuts = 0;
    for (std::size_t n = 1; n < whole.size(); ++n) {
      const std::string_view text = whole.substr(0, n);
      for (const Pieces& pieces : {Pieces{text}, chop(text, 1)}) {
        LastCall sink;
        text::Decoder decoder(sink, options);
        for (std::string_view piece : pieces) decoder.push(piece);
        decoder.finish();
        if (!sink.found || sink.found->reading.error.kind != json::ErrorKind::truncated) continue;
        ++cuts;
        const json::Error& error = sink.found->reading.error;
        const auto line = static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n')) + 1;
        const std::size_t start = text.rfind('\n');
        EXPECT_EQ(error.position.offset, n) << printable(text);
        EXPECT_EQ(error.position.line, line) << printable(text);
        EXPECT_EQ(error.position.column, start == text.npos ? n + 1 : n - start) << printable(text);
        EXPECT_NE(error.message.find(" " + std::to_string(n) + " bytes"), std::string::npos) << error.message;
      }
    }
    EXPECT_GT(cuts, 4u) << printable(whole);
  }
}

// Where a key turns out to hold the end of the object, what stands behind that end is text: also the first byte of an
// escape or of a character, which the strict half of the reader has taken if the text was cut there.
TEST(Cut, WhatFollowsTheEndOfAnObjectIsText) {
  const struct {
    std::string_view object, behind;
  } texts[] = {
      {R"({"":"","])", "\\]\"\x01"},
      {R"({"":"","])", "\xC3]\"\x01"},
      {R"({"":"","])", "\xE2\x80]\"\x01"},
      {R"({"":"","])", "\\u00g]\"\x01"},
      {R"({"x":1,"y":"","})", " then\\]\"\x01"},
      {R"({"k":"","k":"","])", "\\]\"\x01"},
  };
  text::Options options;
  options.format = "hermes";
  for (const auto& [object, behind] : texts) {
    const std::string text = "<tool_call>" + std::string(object) + std::string(behind);
    const TextEvents whole = read_text({text}, options);
    ASSERT_EQ(whole.calls.size(), 1u) << printable(text);
    EXPECT_EQ(whole.calls[0].raw, object) << printable(text);
    EXPECT_EQ(difference(whole, read_text(chop(text, 1), options)), "") << printable(text);
    for (std::size_t n = 0; n <= text.size(); ++n) {
      const std::string_view all = text;
      EXPECT_EQ(difference(whole, read_text({all.substr(0, n), all.substr(n)}, options)), "")
          << printable(text) << " cut at " << n;
    }
  }
}

// What shows that a call is quoted: all text before it is given, then the doubt, then the quote itself.
TEST(Cut, DoubtsStandBetweenTheSameTexts) {
  const std::string call = R"(<tool_call>{"name":"f","arguments":{}}</tool_call>)";
  const std::string blanks(600, ' ');  // more than is held back behind a call
  const struct {
    std::string text, before, behind;  // of the call, up to the doubt and from it on
  } texts[] = {
      {"a ` b\n" + call + " \" ` c", " \" ", "` c"},
      {"a ``` b c\n" + call + "\nsaid\n``` c", "\nsaid\n", "``` c"},
      {"| " + call + " | c", " ", "| c"},
      {"| " + call + blanks + "| c", blanks, "| c"},
      {"\"\"\"\n" + call + "\n\"\"\"\n", "\n", "\"\"\"\n"},
      {"\"" + call + "\" c", "", "\" c"},
  };
  text::Options options;
  options.format = "hermes";
  for (const auto& [text, before, behind] : texts) {
    const TextEvents whole = read_text({text}, options);
    const auto doubt = std::find_if(whole.lines.begin(), whole.lines.end(),
                                    [](const std::string& line) { return line.starts_with("doubt 0 "); });
    ASSERT_NE(doubt, whole.lines.end()) << printable(text);
    EXPECT_EQ(std::count_if(whole.lines.begin(), whole.lines.end(),
                            [](const std::string& line) { return line.starts_with("doubt "); }),
              1)
        << printable(text);
    const std::string so_far = before.empty() ? *(doubt - 1) : "text " + json_string(before);
    EXPECT_EQ(*(doubt - 1), so_far) << printable(text);
    ASSERT_NE(doubt + 1, whole.lines.end()) << printable(text);
    EXPECT_EQ(*(doubt + 1), "text " + json_string(behind)) << printable(text);
    EXPECT_EQ(difference(whole, read_text(chop(text, 1), options)), "") << printable(text);
    for (std::size_t n = 0; n <= text.size(); ++n) {
      const std::string_view all = text;
      EXPECT_EQ(difference(whole, read_text({all.substr(0, n), all.substr(n)}, options)), "")
          << printable(text) << " cut at " << n;
    }
  }
}

}  // namespace
}  // namespace belay::check
