// Markdown by colours alone.
#include <belay/screen/view.h>

#include "screen/markup.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace belay::screen {
namespace {

// Colours as letters, to be read: {c code}.
std::string spelt_out(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\x1b') {
      out += text[i];
      continue;
    }
    const std::size_t end = text.find('m', i);
    const std::string_view code = text.substr(i + 2, end - i - 2);
    out += code == "0" ? "}" : code == "1" ? "{b " : code == "36" ? "{c " : code == "33" ? "{y " : "{d ";
    i = end;
  }
  return out;
}

std::string plain(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b')
      i = text.find('m', i);
    else
      out += text[i];
  }
  return out;
}

std::string marked(std::initializer_list<std::string_view> rows) {
  Markup markup;
  std::string out;
  for (std::string_view row : rows) out += spelt_out(markup.row(row, Style(true))) + "\n";
  return out;
}

TEST(Markup, HeadingsBoldCodeAndListsAreColoured) {
  EXPECT_EQ(marked({"## Plan", "Use **this** and `that`.", "- one `x`", "12. two", "  * three"}),
            "{b ## Plan}\nUse {b **this**} and {c `that`}.\n{y -} one {c `x`}\n{y 12.} two\n{y   *} three\n");
}

TEST(Markup, WhatIsNoMarkStaysPlain) {
  EXPECT_EQ(marked({"#include <x>", "2 * 3 ** 4", "a ** b ** c", "`open", "**open", "-5", "1.5", "x - y", "####### x"}),
            "#include <x>\n2 * 3 ** 4\na ** b ** c\n`open\n**open\n-5\n1.5\nx - y\n####### x\n");
}

TEST(Markup, AFenceIsCodeUpToItsEnd) {
  EXPECT_EQ(marked({"```python", "# no heading", "**kwargs", "```", "# heading"}),
            "{d ```python}\n{c # no heading}\n{c **kwargs}\n{d ```}\n{b # heading}\n");
  EXPECT_EQ(marked({"~~~", "```", "~~~", "x"}), "{d ~~~}\n{c ```}\n{d ~~~}\nx\n");
}

TEST(Markup, WithoutColoursNothingChanges) {
  Markup markup;
  for (std::string_view row : {"# a", "**b**", "```", "`c`"}) EXPECT_EQ(markup.row(row, Style(false)), row);
}

RC_GTEST_PROP(Markup, LosesNoByteOfAnyText, ()) {
  const auto texts = *rc::gen::container<std::vector<std::string>>(
      rc::gen::container<std::string>(rc::gen::elementOf(std::string("`*#-~ 1.ab"))));
  Markup markup;
  for (const std::string& text : texts) {
    RC_ASSERT(plain(markup.open_row(text, Style(true))) == text);
    RC_ASSERT(plain(markup.row(text, Style(true))) == text);
  }
}

TEST(Markup, AStreamedAnswerIsTheSameTextWithColoursAndWithout) {
  const std::string answer = "# Plan\n\nUse **this**:\n\n1. `a`\n2. b\n\n```\nx = 1 ** 2\n```\nDone.";
  auto shown = [&](bool coloured) {
    ViewOptions options;
    options.style = Style(coloured);
    View view(options);
    std::string rows;
    for (char c : answer) {
      view.on({.kind = task::EventKind::text, .task = "t", .text = std::string(1, c)}, 0);
      for (const std::string& row : view.live(0)) rows += plain(row) + "\n";
    }
    view.on({.kind = task::EventKind::request, .task = "t"}, 0);
    return std::pair(view.take(), rows);
  };
  EXPECT_EQ(shown(false).first, answer + "\n");
  EXPECT_EQ(plain(shown(true).first), answer + "\n");
  EXPECT_NE(shown(true).first, answer + "\n");
  EXPECT_EQ(shown(true).second, shown(false).second);
}

}  // namespace
}  // namespace belay::screen
