// Frames as bytes, put on a terminal that is made up here.
#include "screen/painter.h"

#include <gtest/gtest.h>

#include <random>

namespace belay::screen {
namespace {

// As much of a terminal as the painter needs, for ASCII: all rows that ever were, and the cursor.
class Paper {
 public:
  Paper(std::size_t width, std::size_t height) : width_(width), height_(height), rows_(1) {}

  void write(std::string_view s) {
    for (std::size_t i = 0; i < s.size(); ++i) {
      if (s[i] == '\x1b') {
        std::size_t end = s.find_first_not_of("0123456789?", i + 2);
        const std::string number(s.substr(i + 2, end - i - 2));
        sequence(s[end], number.empty() || number[0] == '?' ? 1 : std::stoul(number));
        i = end;
      } else if (s[i] == '\r') {
        column_ = 0;
      } else if (s[i] == '\n') {
        column_ = 0;  // the terminal's settings make a newline a return too
        down();
      } else {
        if (column_ == width_) {
          column_ = 0;
          down();
        }
        std::string& row = rows_[row_];
        if (row.size() <= column_) row.resize(column_ + 1, ' ');
        row[column_++] = s[i];
      }
    }
  }
  [[nodiscard]] std::string text() const {
    std::string out;
    for (const std::string& row : rows_) out += row.substr(0, row.find_last_not_of(' ') + 1) + "\n";
    while (out.ends_with("\n\n")) out.pop_back();
    return out;
  }
  [[nodiscard]] std::size_t row() const { return row_; }
  [[nodiscard]] std::size_t column() const { return column_; }

 private:
  void down() {
    if (++row_ == rows_.size()) rows_.emplace_back();
  }
  // Behind a full row the cursor stands on its last character.
  [[nodiscard]] std::size_t on() const { return std::min(column_, width_ - 1); }
  void sequence(char what, std::size_t n) {
    const std::size_t top = rows_.size() > height_ ? rows_.size() - height_ : 0;
    if (what == 'A') row_ = std::max(top, row_ - std::min(row_, n));
    if (what == 'C') column_ = std::min(on() + n, width_ - 1);
    if (what == 'K' || what == 'J') rows_[row_].resize(std::min(rows_[row_].size(), on()));
    if (what == 'J') rows_.resize(row_ + 1);
  }
  std::size_t width_, height_;
  std::vector<std::string> rows_;
  std::size_t row_ = 0, column_ = 0;
};

TEST(Painter, WhateverWasDrawnBeforeTheScreenShowsTheTranscriptAndTheRows) {
  for (unsigned seed = 1; seed <= 300; ++seed) {
    std::mt19937 random(seed);
    const std::size_t width = 10 + random() % 20, height = 8;
    auto line = [&] {
      // Full rows often: that is where cursors are in odd places.
      return std::string(random() % 3 == 0 ? width : random() % (width + 1), static_cast<char>('a' + random() % 26));
    };
    Painter painter;
    Paper paper(width, height);
    std::string transcript;
    Frame frame;
    for (int step = 0; step < 40; ++step) {
      frame.transcript.clear();
      for (std::size_t n = random() % 3 == 0 ? random() % 20 : 0; n > 0; --n) frame.transcript += line() + "\n";
      if (random() % 2 == 0) {
        frame.rows.clear();
        for (std::size_t n = 1 + random() % (height - 1); n > 0; --n) frame.rows.push_back(line());
      } else if (!frame.rows.empty()) {
        frame.rows[random() % frame.rows.size()] = line();
      }
      frame.row = frame.rows.empty() ? 0 : random() % frame.rows.size();
      frame.column = frame.rows.empty() ? 0 : random() % width;
      paper.write(painter.draw(frame));
      transcript += frame.transcript;
      std::string expected = transcript;
      for (const std::string& row : frame.rows) expected += row + "\n";
      while (expected.ends_with("\n\n")) expected.pop_back();
      ASSERT_EQ(paper.text(), expected.empty() ? "\n" : expected) << "seed " << seed << ", step " << step;
      const auto above = static_cast<std::size_t>(std::count(transcript.begin(), transcript.end(), '\n'));
      ASSERT_EQ(paper.row(), above + frame.row) << "seed " << seed << ", step " << step;
      ASSERT_EQ(paper.column(), frame.column) << "seed " << seed << ", step " << step;
    }
    paper.write(painter.wipe());
    EXPECT_EQ(paper.text(), transcript.empty() ? "\n" : transcript.substr(0, transcript.find_last_not_of('\n') + 2));
  }
}

TEST(Painter, WritesOnlyWhatChanged) {
  Painter painter;
  Frame frame{"", {"one", "two"}, 1, 0};
  EXPECT_FALSE(painter.draw(frame).empty());
  EXPECT_EQ(painter.draw(frame), "");
  frame.rows[1] = "three";
  const std::string bytes = painter.draw(frame);
  EXPECT_EQ(bytes.find("one"), std::string::npos) << printable(bytes);
  EXPECT_NE(bytes.find("three"), std::string::npos);
}

TEST(Painter, ATerminalWithoutUtf8GetsNothingBeyondAscii) {
  EXPECT_EQ(ascii_only("a\xE2\x97\x8F\xE6\x97\xA5z\n"), "a???z\n");
}

}  // namespace
}  // namespace belay::screen
