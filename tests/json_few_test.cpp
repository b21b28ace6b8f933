// Pieces of a few bytes inside a string: whatever stands in them, and wherever they were cut, they give what the whole
// text gives, and show after each piece what the bytes so far show in one.
#include "json/scan.h"
#include "support/outcome.h"
#include "support/watch.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

namespace belay::check {
namespace {

// What a string can hold, and what it cannot.
constexpr std::string_view kParts[] = {
    "a",
    "bcd",
    R"(\n)",
    R"(\")",
    R"(\\)",
    R"(\/)",
    R"(\u00e9)",
    R"(\u0041)",
    R"(\u65E5)",
    R"(\ud83d\ude80)",
    "é",
    "→",
    "\xF0\x9F\x9A\x80",  // a rocket
};
constexpr std::string_view kOddParts[] = {
    R"(\d)", R"(\u12G4)", R"(\ud83d)", R"(\ud83d\n)",  R"(\ude80)", "\x01", "\n",
    "\xFF",  "\xC3",      "\xE2\x86",  "\xED\xA0\x80", "\xC0\xAF",  "\"",
};

void expect_same_in_few(const std::string& text) {
  const Outcome whole = read_whole(text);
  for (std::size_t size = 1; size <= 8; ++size) {
    ASSERT_EQ(difference(whole, read_pieces(chop(text, size), {}, json::Ending::complete)), "")
        << printable(text) << " in pieces of " << size;
  }
}

TEST(Few, reads_escapes_and_characters_wherever_they_were_cut) {
  for (std::string_view a : kParts)
    for (std::string_view b : kParts)
      for (std::string_view c : kParts)
        expect_same_in_few("{\"k\":\"" + std::string(a) + "xy" + std::string(b) + std::string(c) + "z\",\"n\":1}");
}

TEST(Few, reads_what_is_damaged_wherever_it_was_cut) {
  for (std::string_view a : kParts)
    for (std::string_view odd : kOddParts)
      for (std::string_view b : kParts)
        expect_same_in_few("{\"k\":\"" + std::string(a) + std::string(odd) + std::string(b) + "z\",\"n\":1}");
}

TEST(Few, shows_after_each_piece_what_the_bytes_so_far_show_in_one) {
  for (std::string_view a : kParts)
    for (std::string_view b : kParts) {
      const std::string text = "[\"" + std::string(a) + std::string(b) + "xyz" + std::string(a) + "\",1]";
      for (std::size_t size = 1; size <= 8; ++size)
        ASSERT_EQ(watch_fault(text, size, {}, json::Ending::complete), "") << printable(text) << ", " << size;
    }
}

TEST(Few, keeps_the_limit_of_bytes) {
  const std::string text = R"({"k":"abcd\n→\u00e9efgh"})";
  for (std::size_t limit = 1; limit <= text.size(); ++limit) {
    json::ReaderOptions options;
    options.limits.bytes = limit;
    const Outcome whole = read_pieces({text}, options, json::Ending::complete);
    for (std::size_t size = 1; size <= 8; ++size)
      ASSERT_EQ(difference(whole, read_pieces(chop(text, size), options, json::Ending::complete)), "")
          << limit << ", pieces of " << size;
  }
}

// A string lies in a block of memory, and moves when it outgrows it, whatever the byte is that comes next.
TEST(Few, reads_strings_that_end_where_their_room_ends) {
  for (std::string_view before : {R"({"k":")", R"({k:")", R"({'k':')"})
    for (std::size_t size = 850; size < 1400; ++size) {
      std::string text(before);
      text += std::string(size, 'x');
      text += before.back();
      text += R"(, n: 1})";
      const Outcome whole = read_whole(text);
      ASSERT_EQ(whole.values, std::vector{R"({"k":")" + std::string(size, 'x') + R"(","n":1})"});
      for (std::size_t piece : {1u, 7u, 16u, 39u})
        ASSERT_EQ(difference(whole, read_pieces(chop(text, piece), {}, json::Ending::complete)), "")
            << before << ", " << size << " bytes in pieces of " << piece;
    }
}

bool is_plain(char c) {
  return static_cast<unsigned char>(c) >= 0x20 && static_cast<unsigned char>(c) < 0x80 && c != '"' && c != '\\';
}

TEST(Few, tells_plain_bytes_from_others) {
  for (int value = 0; value < 256; ++value) {
    const char c = static_cast<char>(value);
    for (std::size_t n = 4; n <= 8; ++n)
      for (std::size_t place = 0; place < n; ++place) {
        std::string bytes(n, 'x');
        bytes[place] = c;
        std::uint32_t a, z;
        std::memcpy(&a, bytes.data(), 4);
        std::memcpy(&z, bytes.data() + n - 4, 4);
        ASSERT_EQ(json::plain_halves(a, z), is_plain(c)) << value << " at " << place << " of " << n;
        bytes.resize(8, 'x');
        std::uint64_t word;
        std::memcpy(&word, bytes.data(), 8);
        ASSERT_EQ(json::special8(word), is_plain(c) ? 0u : 1u << place) << value << " at " << place;
      }
  }
}

}  // namespace
}  // namespace belay::check
