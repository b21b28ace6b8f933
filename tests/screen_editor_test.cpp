// Keys from bytes, and the line that a person types.
#include <belay/screen/editor.h>
#include <belay/screen/keys.h>
#include <belay/screen/text.h>

#include <gtest/gtest.h>

namespace belay::screen {
namespace {

using Kind = Key::Kind;

std::vector<Key> keys_of(std::string_view bytes, std::size_t piece = 1000) {
  KeyReader reader;
  std::vector<Key> out;
  auto add = [&](const std::vector<Key>& keys) {
    for (const Key& k : keys) {
      if (k.kind == Kind::text && !out.empty() && out.back().kind == Kind::text)
        out.back().text += k.text;
      else
        out.push_back(k);
    }
  };
  for (std::size_t i = 0; i < bytes.size(); i += piece) add(reader.push(bytes.substr(i, piece)));
  add(reader.over());
  return out;
}

TEST(Keys, AreTheSameHoweverTheirBytesAreCut) {
  const std::string bytes =
      "a\xC3\xA4\xE6\x97\xA5\x1b[A\x1b[1;5C\x1bOF\x1b[3~\x1b\r\x1b"
      "b\x7f\x01\x1b[200~one\r\ntwo\x1b[31m\x1b[201~z\x1b[99;99Xq\x03";
  const std::vector<Key> whole = keys_of(bytes);
  for (std::size_t piece = 2; piece < 12; ++piece) EXPECT_EQ(keys_of(bytes, piece), whole) << piece;
  const std::vector<Key> expected = {{Kind::text, "a\xC3\xA4\xE6\x97\xA5"},
                                     {Kind::up},
                                     {Kind::word_right},
                                     {Kind::end},
                                     {Kind::erase},
                                     {Kind::newline},
                                     {Kind::word_left},
                                     {Kind::backspace},
                                     {Kind::home},
                                     {Kind::paste, "one\ntwo[31m"},
                                     {Kind::text, "zq"},
                                     {Kind::interrupt}};
  EXPECT_EQ(whole, expected);
}

TEST(Keys, AnEscapeIsAKeyWhenNothingFollowsIt) {
  KeyReader reader;
  EXPECT_TRUE(reader.push("\x1b").empty());
  EXPECT_TRUE(reader.waiting());
  EXPECT_EQ(reader.over(), std::vector<Key>{{Kind::escape}});
  EXPECT_FALSE(reader.waiting());
}

TEST(Keys, APasteIsOneKeyWhateverItHoldsAndWithinItsBound) {
  KeyReader reader;
  std::vector<Key> keys = reader.push("\x1b[200~y\n\x03\x04" + std::string(KeyReader::kPaste + 10, 'x') + "\x1b[201~y");
  ASSERT_EQ(keys.size(), 2u);
  EXPECT_EQ(keys[0].kind, Kind::paste);
  EXPECT_EQ(keys[0].text.substr(0, 3), "y\nx");
  EXPECT_EQ(keys[0].text.size(), KeyReader::kPaste);
  EXPECT_TRUE(keys[0].cut);
  EXPECT_EQ(keys[1], (Key{Kind::text, "y"}));
}

TEST(Keys, BytesThatAreNoTextBecomeReplacements) {
  EXPECT_EQ(keys_of("\xFFx\xC2\x9By"), (std::vector<Key>{{Kind::text, "\xEF\xBF\xBDx\xEF\xBF\xBDy"}}));
}

class EditorTest : public testing::Test {
 protected:
  // What is entered by these bytes; "" for nothing.
  std::string type(std::string_view bytes) {
    std::string entered;
    for (const Key& k : keys_of(bytes))
      if (auto text = editor.on(k)) entered = *text;
    return entered;
  }
  // The text with a mark where the cursor is.
  [[nodiscard]] std::string state() const {
    std::string text = editor.text();
    return text.insert(editor.cursor(), "|");
  }
  Editor editor;
};

TEST(Editor, MovesAndErasesByCharactersWordsAndLines) {
  struct Case {
    std::string keys, state;
  };
  const std::vector<Case> cases = {
      {"abc\x1b[D\x1b[DX", "aX|bc"},
      {"abc\x01X", "X|abc"},
      {"abc\x01\x05X", "abcX|"},
      {"abc\x7f", "ab|"},
      {"abc\x01\x1b[3~", "|bc"},
      {"one two three\x17", "one two |"},
      {"one two three\x17\x17\x19", "one two |"},
      {"one two\x1b"
       "b\x0b",
       "one |"},
      {"one two\x15\x19\x19", "one twoone two|"},
      {"one two\x01\x1b"
       "f!",
       "one!| two"},
      {"one two\x01\x1b"
       "d",
       "| two"},
      {"e\xCC\x81x\x1b[D\x1b[D!", "!|e\xCC\x81x"},
      {"e\xCC\x81\x7f", "|"},
      {"\xE6\x97\xA5\xE6\x9C\xAC\x7f", "\xE6\x97\xA5|"},
      {"one\ntwo\x1b[A!", "one!|\ntwo"},
      {"one\ntwo\x1b[A\x1b[B!", "one\ntwo!|"},
      {"one\ntwo\x01!", "one\n!|two"},
      {"one\ntwo\x15", "one\n|"},
      {"a\\\rb", "a\nb|"},
      {"a\x1b\rb", "a\nb|"},
      {"abc\x1b", "|"},
  };
  for (const Case& c : cases) {
    Editor editor;
    for (const Key& k : keys_of(c.keys)) EXPECT_FALSE(editor.on(k)) << c.keys;
    std::string state = editor.text();
    EXPECT_EQ(state.insert(editor.cursor(), "|"), c.state) << c.keys;
  }
}

TEST_F(EditorTest, EnterGivesTheTextAndKeepsItInTheHistory) {
  EXPECT_EQ(type("first\r"), "first");
  EXPECT_TRUE(editor.empty());
  EXPECT_EQ(type("second\r"), "second");
  EXPECT_EQ(type("second\r"), "second");
  EXPECT_EQ(editor.history(), (std::vector<std::string>{"first", "second"}));
  type("draft\x1b[A");
  EXPECT_EQ(state(), "second|");
  type("\x1b[A\x1b[A");
  EXPECT_EQ(state(), "first|");
  type("\x1b[B\x1b[B");
  EXPECT_EQ(state(), "draft|");
}

TEST_F(EditorTest, SearchesTheHistory) {
  editor.set_history({"git status", "make test", "git push"});
  type("x\x12git");
  EXPECT_EQ(editor.text(), "git push");
  type("\x12");
  EXPECT_EQ(editor.text(), "git status");
  EXPECT_EQ(type("\r"), "git status");
  type("mine\x12zzz\x1b");
  EXPECT_EQ(editor.text(), "mine");
}

TEST_F(EditorTest, TabCompletesAsFarAsItIsCertainAndThenShowsTheChoice) {
  editor.complete = [](std::string_view before) {
    Completions out;
    for (const char* word : {"/help", "/helmet", "/todos"})
      if (std::string_view(word).starts_with(before)) out.words.emplace_back(word);
    return out;
  };
  type("/h\t");
  EXPECT_EQ(state(), "/hel|");
  type("\t");
  EXPECT_EQ(editor.choices().size(), 2u);
  type("p\t");
  EXPECT_EQ(state(), "/help |");
  type("x");
  EXPECT_TRUE(editor.choices().empty());
}

TEST_F(EditorTest, IsDrawnInRowsThatFitWithTheCursorWhereItBelongs) {
  type("abcdefgh");
  Editor::Drawn d = editor.draw(6, "> ", 9);
  EXPECT_EQ(d.rows, (std::vector<std::string>{"> abcd", "  efgh", "  "}));
  EXPECT_EQ(std::pair(d.row, d.column), std::pair(std::size_t{2}, std::size_t{2}));
  type("\x01");
  d = editor.draw(6, "> ", 9);
  EXPECT_EQ(d.rows.size(), 2u);
  EXPECT_EQ(std::pair(d.row, d.column), std::pair(std::size_t{0}, std::size_t{2}));
  editor.set("\xE6\x97\xA5\xE6\x9C\xAC\xE8\xAA\x9E");  // three wide characters: two a row
  d = editor.draw(7, "> ", 9);
  EXPECT_EQ(d.rows, (std::vector<std::string>{"> \xE6\x97\xA5\xE6\x9C\xAC", "  \xE8\xAA\x9E"}));
  EXPECT_EQ(d.column, 4u);
  editor.set("1\n2\n3\n4\n5");
  d = editor.draw(20, "> ", 3);
  EXPECT_EQ(d.rows, (std::vector<std::string>{"> 3", "  4", "  5"}));
  EXPECT_EQ(d.row, 2u);
}

TEST_F(EditorTest, ALongTextStaysQuickToDrawAndWithinItsBound) {
  Editor small({.bytes = 10});
  small.on({Kind::paste, "\xE6\x97\xA5\xE6\x97\xA5\xE6\x97\xA5\xE6\x97\xA5"});
  EXPECT_EQ(small.text().size(), 9u);
  editor.on({Kind::paste, std::string(3 << 20, 'x')});
  const Editor::Drawn d = editor.draw(80, "> ", 8);
  EXPECT_EQ(d.rows.size(), 8u);
  EXPECT_LT(d.row, 8u);
}

TEST(EditorDraw, ALongPasteShowsItsBeginningItsSizeAndItsEnd) {
  Editor e;
  std::string text = "first line";
  for (int i = 2; i <= 400; ++i) text += "\nline " + std::to_string(i);
  e.on({Key::Kind::paste, text});
  const Editor::Drawn drawn = e.draw(40, "> ", 8);
  ASSERT_EQ(drawn.rows.size(), 8u);
  EXPECT_EQ(drawn.rows[0], "> first line");
  EXPECT_EQ(drawn.rows[1], "  [... 3,495 bytes, 400 lines ...]");
  EXPECT_EQ(drawn.rows[2], "  line 395");
  EXPECT_EQ(drawn.rows[7], "  line 400");
  EXPECT_EQ(drawn.row, 7u);
  // A text that fits is shown as it is, also where it is as long as the rows.
  Editor small;
  small.on({Key::Kind::paste, "1\n2\n3\n4\n5\n6\n7\n8"});
  EXPECT_EQ(small.draw(40, "> ", 8).rows[1], "  2");
  // Nothing in its first line steers the terminal, and it is bounded.
  Editor wide;
  wide.on({Key::Kind::paste, std::string(1 << 20, 'x') + "\n1\n2\n3\n4\n5\n6\n7\n8\n9"});
  for (const std::string& row : wide.draw(40, "> ", 8).rows) EXPECT_LE(columns(row), 40u);
}

}  // namespace
}  // namespace belay::screen
