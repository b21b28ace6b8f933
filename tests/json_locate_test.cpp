// Where the nodes of a text stand.
#include <belay/json/locate.h>

#include "support/documents.h"
#include "support/independent.h"
#include "support/outcome.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace belay::check {
namespace {

using json::locate;
using json::Locator;
using Part = Token::Part;

json::Reading read_strictly(std::string_view text) {
  json::ReaderOptions options;
  options.mode = json::Mode::strict;
  return json::read(text, options);
}

TEST(Locate, finds_keys_and_values_in_the_order_of_the_text) {
  const std::string_view text = "{\n  \"a\": [1, true],\n  \"b\": {\"c\": \"x\"}\n}\n";
  const std::vector<std::string_view> tokens = {"{", "\"a\"", "[", "1", "true", "\"b\"", "{", "\"c\"", "\"x\""};
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const auto at = locate(text, i);
    ASSERT_TRUE(at) << i;
    EXPECT_EQ(text.substr(at->offset, tokens[i].size()), tokens[i]);
  }
  EXPECT_EQ(locate(text, tokens.size()), std::nullopt);
  EXPECT_EQ(locate(text, 4), (Position{13, 2, 12}));
  EXPECT_EQ(locate(text, 7), (Position{28, 3, 9}));
}

TEST(Locate, counts_lines_and_columns_in_bytes_from_1) {
  EXPECT_EQ(locate("7", 0), (Position{0, 1, 1}));
  EXPECT_EQ(locate("\r\n\n \"é\"", 0), (Position{4, 3, 2}));
  EXPECT_EQ(locate("[\"é\",\n2]", 2), (Position{7, 2, 1}));
  EXPECT_EQ(locate("[\"é\", 2]", 2), (Position{7, 1, 8}));
}

TEST(Locate, is_not_led_astray_by_what_strings_hold) {
  EXPECT_EQ(locate(R"(["\"", "\\", "a\\\"[{,:", 5])", 4), (Position{26, 1, 27}));
  EXPECT_EQ(locate(R"({"}],{": "[1, 2]", "b": 0})", 4), (Position{24, 1, 25}));
}

TEST(Locate, finds_repeated_keys_each_at_its_place) {
  const std::string_view text = R"({"a": 1, "a": 2})";
  const json::Reading reading = read_strictly(text);
  EXPECT_EQ(locate(text, reading.document.root().find("a")->index()), (Position{14, 1, 15}));
}

TEST(Locate, says_nothing_where_there_is_nothing) {
  for (std::string_view text : {"", "  \n", ",", "}", "]]"}) EXPECT_EQ(locate(text, 0), std::nullopt) << text;
  EXPECT_EQ(locate("[1]", 2), std::nullopt);
  EXPECT_EQ(locate("[1]", static_cast<std::size_t>(-1)), std::nullopt);
}

TEST(Locate, finds_several_nodes_in_one_go_as_it_finds_each) {
  const std::string_view text = "[1,\n [2, {\"k\":\n null}], \"s\",\n\n 9]";
  constexpr std::size_t kNodes = 9;
  for (unsigned chosen = 0; chosen < 1u << kNodes; ++chosen) {
    Locator locator(text);
    for (std::size_t node = 0; node < kNodes; ++node) {
      if ((chosen >> node & 1) == 0) continue;
      EXPECT_EQ(locator.find(node), locate(text, node));
      EXPECT_EQ(locator.find(node), locate(text, node)) << "asked again";
    }
    EXPECT_EQ(locator.find(kNodes), std::nullopt);
    EXPECT_EQ(locator.find(kNodes + 1), std::nullopt);
  }
}

TEST(Locate, is_iterative_and_linear) {
  const std::size_t n = 1'000'000;
  const std::string deep = std::string(n, '[') + "1" + std::string(n, ']');
  EXPECT_EQ(locate(deep, n), (Position{n, 1, n + 1}));
  std::string lines = "[";
  for (std::size_t i = 0; i < n; ++i) lines += "1,\n";
  lines += "2]";
  Locator locator(lines);
  for (std::size_t i = 1; i <= n; ++i) ASSERT_EQ(locator.find(i)->line, i);
  EXPECT_EQ(locator.find(n + 1), (Position{3 * n + 1, n + 1, 1}));
}

std::string random_bytes(std::mt19937& random, std::size_t most) {
  std::string bytes(random() % (most + 1), '\0');
  for (char& c : bytes) c = static_cast<char>(random());
  return bytes;
}

TEST(Locate, does_no_harm_on_any_bytes) {
  std::mt19937 random(1);
  const std::string_view alphabet = "{}[]\",:\\ \n1a\xff";
  for (int run = 0; run < 20'000; ++run) {
    std::string text = random_bytes(random, 40);
    if (run % 2 == 0)
      for (char& c : text) c = alphabet[static_cast<unsigned char>(c) % alphabet.size()];
    for (std::size_t node = 0; node < 50; ++node) {
      const auto at = locate(text, node);
      if (!at) continue;
      ASSERT_LT(at->offset, text.size()) << printable(text);
      const std::string_view before = std::string_view(text).substr(0, at->offset);
      ASSERT_EQ(at->line, 1 + static_cast<std::size_t>(std::ranges::count(before, '\n'))) << printable(text);
      ASSERT_EQ(at->column, at->offset - (before.rfind('\n') + 1) + 1) << printable(text);
    }
  }
}

/// For each node of a text its bytes, all of its children's included: as the tokens say, not as locate() does.
std::vector<std::string_view> texts_of_nodes(const Tokens& tokens, std::string_view text) {
  struct Span {
    std::size_t from, to;
  };
  std::vector<Span> spans;
  std::vector<std::size_t> open;
  std::size_t at = 0;
  for (const Token& token : tokens) {
    const std::size_t from = at + token.before.size();
    at = from + token.text.size();
    if (token.part == Part::close) {
      spans[open.back()].to = at;
      open.pop_back();
    }
    if (token.part == Part::close || token.part == Part::comma || token.part == Part::colon) continue;
    if (token.part == Part::open) open.push_back(spans.size());
    spans.push_back({from, at});
  }
  std::vector<std::string_view> texts;
  for (Span s : spans) texts.push_back(text.substr(s.from, s.to - s.from));
  return texts;
}

TEST(Locate, the_text_from_there_on_is_the_value_for_every_node_of_random_documents) {
  std::mt19937 random(2);
  std::size_t nodes = 0;
  for (int run = 0; run < 2'000; ++run) {
    const std::string bytes = random_bytes(random, 400);
    Choices choices(bytes);
    const Tree tree = run % 2 == 0 ? make_any(choices) : make_document(choices);
    const Tokens tokens = tokens_of(tree, choices);
    const std::string text = join(tokens);
    const json::Reading reading = read_strictly(text);
    ASSERT_EQ(name(reading.verdict.word()), "valid") << printable(text);
    const std::vector<std::string_view> texts = texts_of_nodes(tokens, text);
    const json::Tape& tape = reading.document.tape();
    ASSERT_EQ(tape.size(), texts.size()) << printable(text);
    Locator locator(text);
    for (std::size_t i = 0; i < tape.size(); ++i, ++nodes) {
      const auto at = locate(text, i);
      ASSERT_TRUE(at) << i << " of " << printable(text);
      ASSERT_EQ(locator.find(i), at);
      const std::string_view here = std::string_view(text).substr(at->offset, texts[i].size());
      const Independent got = parse_independently(here);
      ASSERT_EQ(got.opinion, Opinion::accepted) << i << " of " << printable(text);
      if (tape.node(i).tag() == json::Tag::key)
        ASSERT_EQ(got.tree.text, tape.text(i)) << printable(text);
      else
        ASSERT_TRUE(got.tree == to_tree(json::Value(&tape, i))) << i << " of " << printable(text);
    }
    EXPECT_EQ(locate(text, tape.size()), std::nullopt);
  }
  EXPECT_GT(nodes, 10'000u) << "documents are too small to say anything";
}

}  // namespace
}  // namespace belay::check
