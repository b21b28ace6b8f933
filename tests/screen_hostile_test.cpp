// Whatever a model, a tool or a file says: nothing of it steers the terminal.
#include <belay/screen/console.h>

#include "screen/flow.h"
#include "screen/painter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace belay::screen {
namespace {

using task::EventKind;

// Bytes that terminals obey, text that they do not, and everything in between.
std::string noise(std::mt19937& random) {
  static const std::vector<std::string> kParts = {"\x1b[2J",
                                                  "\x1b]0;title\x07",
                                                  "\x1b[31m",
                                                  "\x9b"
                                                  "31m",
                                                  "\xC2\x9B"
                                                  "2J",
                                                  "\x1bP1$r\x1b\\",
                                                  "\r",
                                                  "\r\n",
                                                  "\n",
                                                  "\t",
                                                  "\b\b\b",
                                                  "\x07",
                                                  "\x7f",
                                                  "\x0e",
                                                  "\xE2\x80\xAE",
                                                  "\xE2\x80\x8D",
                                                  "\xF0\x9F\x98\x80",
                                                  "\xE6\x97\xA5",
                                                  "e\xCC\x81",
                                                  "\xFF",
                                                  "\xC3",
                                                  "\xE2\x80",
                                                  "\"",
                                                  "\\",
                                                  "{\"a\":",
                                                  "}",
                                                  "[1,",
                                                  "words and words ",
                                                  "a",
                                                  std::string(1, '\0'),
                                                  "\x1b[?2004l",
                                                  "\x1b[6n",
                                                  "\x1b[201~",
                                                  "\xED\xA0\x80",
                                                  "--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y\n",
                                                  "[x] todo\n"};
  std::string out;
  const std::size_t parts = random() % 30;
  for (std::size_t i = 0; i < parts; ++i) {
    if (random() % 4 == 0)
      out += static_cast<char>(random() % 256);
    else
      out += kParts[random() % kParts.size()];
  }
  return out;
}

// The length of a move of the cursor, as the painter writes them.
std::size_t move_of(std::string_view s) {
  for (std::string_view known : {"\x1b[?2026h", "\x1b[?2026l", "\x1b[?25h", "\x1b[?25l", "\x1b[J", "\x1b[K", "\x1b[A"})
    if (s.starts_with(known)) return known.size();
  if (!s.starts_with("\x1b[")) return 0;
  const std::size_t end = s.find_first_not_of("0123456789", 2);
  return end != s.npos && end > 2 && (s[end] == 'A' || s[end] == 'C') ? end + 1 : 0;
}

// Only colours of ours, and moves of the cursor where they are drawn; no other control, no C1, valid UTF-8.
void expect_harmless(const std::string& bytes, bool frames) {
  std::string left;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (bytes[i] != '\x1b') {
      left += bytes[i];
      continue;
    }
    const std::string_view rest = std::string_view(bytes).substr(i);
    std::size_t ours = 0;
    for (std::string_view known : {"0m", "1m", "2m", "31m", "32m", "33m", "36m"})
      if (rest.starts_with("\x1b[" + std::string(known))) ours = 2 + known.size();
    if (frames) ours = std::max(ours, move_of(rest));
    ASSERT_GT(ours, 0u) << "an escape that is not ours at " << i << " of " << printable(bytes);
    i += ours - 1;
  }
  for (std::size_t i = 0; i < left.size(); ++i) {
    const auto c = static_cast<unsigned char>(left[i]);
    const bool fine = c >= ' ' ? c != 0x7f : c == '\n' || (frames && c == '\r');
    ASSERT_TRUE(fine) << "byte " << static_cast<int>(c) << " at " << i << " of " << printable(left);
    const bool c1 = c == 0xC2 && i + 1 < left.size() && static_cast<unsigned char>(left[i + 1]) < 0xA0;
    ASSERT_FALSE(c1) << "C1 at " << i;
  }
  for (std::size_t i = 0; i < left.size();) {
    const bool ascii = static_cast<unsigned char>(left[i]) < 0x80;
    const std::size_t bytes_of_it = ascii ? 1 : first_glyph(std::string_view(left).substr(i)).bytes;
    ASSERT_TRUE(ascii || bytes_of_it > 1) << "not UTF-8 at " << i;
    i += bytes_of_it;
  }
}

task::Event random_event(std::mt19937& random) {
  task::Event e;
  e.kind = static_cast<EventKind>(random() % (static_cast<unsigned>(EventKind::finished) + 1));
  e.task = random() % 8 == 0 ? noise(random) : std::string(random() % 2 ? "t" : "t.1");
  e.call = random() % 4 == 0 ? noise(random) : "c" + std::to_string(random() % 3);
  const char* tools[] = {"execute_command", "read_file", "write_to_file", "apply_diff", "new_task", "other"};
  e.name = random() % 3 == 0 ? noise(random) : tools[random() % 6];
  const char* verdicts[] = {"valid", "mended", "guessed", "truncated", "broken", "split"};
  e.text = e.kind == EventKind::call_ended && random() % 2 ? verdicts[random() % 6] : noise(random);
  e.is_error = random() % 2;
  e.number = static_cast<std::int64_t>(random()) - (1 << 30);
  e.data = random() % 2
               ? noise(random)
               : R"({"receipt":"\u001b[2J","feedback":"x\u009b","command":"a\u001b[1m\nb","cost_in_all":1e300})";
  return e;
}

task::AskPerson random_question(std::mt19937& random) {
  task::AskPerson q;
  q.id = "q" + std::to_string(random());
  q.kind = static_cast<task::AskPerson::Kind>(random() % 4);
  q.text = noise(random);
  for (std::size_t i = random() % 4; i > 0; --i) q.choices.push_back(noise(random));
  q.call = noise(random);
  q.tool = random() % 2 ? "execute_command" : noise(random);
  q.arguments = random() % 2 ? noise(random) : R"({"command":"ls\u001b[2J\u0007\n\u202ex"})";
  q.receipt = noise(random);
  return q;
}

TEST(ScreenHostile, RandomBytesInEveryEventAndQuestionReachTheTerminalAsText) {
  for (unsigned seed = 1; seed <= 150; ++seed) {
    std::mt19937 random(seed);
    ConsoleOptions options;
    const std::size_t widths[] = {20, 33, 80, 200};
    options.view.width = widths[seed % 4];
    options.view.height = 6 + seed % 30;
    options.view.style = Style(seed % 2 == 0);
    options.view.unicode = seed % 3 != 0;
    options.model = noise(random);
    options.workspace = noise(random);
    options.log = noise(random);
    options.preview = [&](std::string_view, std::string_view) { return noise(random); };
    Console console(options);
    Painter painter;
    std::int64_t now = 0;
    for (int i = 0; i < 120; ++i) {
      now += 20;
      switch (random() % 8) {
        case 0: console.ask("t", random_question(random), now); break;
        case 1: {
          const Key::Kind kind = static_cast<Key::Kind>(random() % 24);
          const char letters[] = "ynaiq1x";
          console.keys({Key{kind, kind == Key::Kind::paste ? "pasted\n" : std::string(1, letters[random() % 7])}}, now);
          break;
        }
        default: console.on(random_event(random), now);
      }
      const Frame frame = console.frame(now);
      expect_harmless(frame.transcript, false);
      for (const std::string& row : frame.rows) {
        expect_harmless(row, false);
        EXPECT_EQ(row.find('\n'), row.npos);
        EXPECT_LE(shown_columns(row), options.view.width) << printable(row);
      }
      EXPECT_LT(frame.row, std::max<std::size_t>(frame.rows.size(), 1));
      EXPECT_LT(frame.column, options.view.width);
      EXPECT_LT(frame.rows.size(), std::max<std::size_t>(options.view.height, 4));
      expect_harmless(painter.draw(frame), true);
      console.shown(now);
      if (testing::Test::HasFailure()) FAIL() << "seed " << seed << ", step " << i;
    }
  }
}

TEST(ScreenHostile, RowsOfATextAreTheSameHoweverItIsCut) {
  for (unsigned seed = 1; seed <= 400; ++seed) {
    std::mt19937 random(seed);
    const std::string text = noise(random) + noise(random);
    for (const std::size_t width : {4u, 9u, 80u}) {
      const Rows whole = rows_of(text, width, 100'000);
      std::vector<std::string> pieces;
      Flow flow(width);
      auto add = [&](std::string row) { pieces.push_back(std::move(row)); };
      for (const char c : text) flow.push({&c, 1}, add);
      flow.finish(add);
      ASSERT_EQ(pieces, whole.rows) << "seed " << seed << ": " << printable(text);
      for (const std::string& row : whole.rows) ASSERT_LE(columns(row), width);
    }
  }
}

TEST(ScreenHostile, AMillionMarksThatTakeNoRoomDoNotMakeARowOfAMillion) {
  Flow flow(80);
  std::string marks = "a";
  for (int i = 0; i < 300'000; ++i) marks += "\xCC\x81";
  flow.push(marks, [](const std::string& row) { EXPECT_LT(row.size(), 1000u); });
  EXPECT_LT(flow.open_row().size(), 1000u);
}

}  // namespace
}  // namespace belay::screen
