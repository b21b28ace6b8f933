// What the fast half does many bytes at a time agrees with what is done one by one.
#include "json/number.h"
#include "json/scan.h"
#include "support/outcome.h"

#include <belay/json/builder.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace belay::check {
namespace {

void expect_scanned(const std::string& number, const std::string& behind) {
  std::string bytes = number + behind;
  bytes.resize(std::max<std::size_t>(bytes.size(), 32), '7');
  json::NumberScan scan = json::scan_number(bytes.data());
  ASSERT_EQ(scan.size, number.size()) << bytes;
  ASSERT_EQ(scan.right, json::is_number(number)) << bytes;
}

TEST(NumberScan, agrees_with_the_grammar_on_every_short_text) {
  constexpr std::string_view kCharacters = "01-+.eE";
  std::vector<std::string> texts = {"0", "1", "9", "-"};
  for (std::size_t from = 0, length = 1; length <= 6; ++length) {
    for (std::size_t end = texts.size(); from < end; ++from) {
      expect_scanned(texts[from], ",");
      expect_scanned(texts[from], "x1.5e+7");
      if (length < 6)
        for (char c : kCharacters) texts.push_back(texts[from] + c);
    }
  }
}

TEST(NumberScan, agrees_with_the_grammar_on_long_numbers) {
  for (std::size_t length = 1; length < 32; ++length) {
    for (std::size_t place = 1; place < length; ++place) {
      for (std::string_view inside : {".", "e", "E-", "e+", "-", "..", "e5.", ".5e", "+", ".e"}) {
        std::string digits(length, '8');
        digits.replace(place, inside.size(), inside);
        if (digits.size() > 31) continue;
        expect_scanned(digits, "]");
        expect_scanned("-" + digits.substr(1), "}");
        expect_scanned("0" + digits.substr(1), " ");
      }
    }
  }
  for (char c = 0; c < 127; ++c) {
    if (json::is_digit(c) || std::string_view("+-.eE").find(c) != std::string_view::npos) continue;
    expect_scanned("12", std::string(1, c));
    expect_scanned("12345678901234567890", std::string(1, c));
  }
}

TEST(NumberScan, says_that_a_number_may_go_on) {
  EXPECT_EQ(json::scan_number(std::string(40, '1').c_str()).size, 32u);
  EXPECT_EQ(json::scan_number((std::string(31, '1') + ",").c_str()).size, 31u);
}

TEST(KeyIndex, hashes_a_key_the_same_whatever_lies_behind_it) {
  json::KeyIndex keys;
  const std::string name = "abcdefghijklmnopqrstuvwxyz";
  for (std::size_t n = 0; n <= name.size(); ++n) {
    std::string one = name.substr(0, n) + std::string(16, '\xff'), other = name.substr(0, n) + std::string(16, '"');
    std::uint64_t hash = keys.hash(name.substr(0, n));
    EXPECT_EQ(keys.hash_padded({one.data(), n}), hash) << n;
    EXPECT_EQ(keys.hash_padded({other.data(), n}), hash) << n;
    if (n > 0) {
      one[n - 1] = '!';
      EXPECT_NE(keys.hash_padded({one.data(), n}), hash) << n;
    }
    EXPECT_NE(keys.hash(std::string(n, '\0')), keys.hash(std::string(n + 1, '\0'))) << n;
  }
}

// Texts in which something of each kind is cut at each place, when every length of pieces is tried from every start.
constexpr std::string_view kTexts[] = {
    R"({"todos":[{"id":1,"text":"Write the tests","status":"pending"},{"id":22,"text":"A \"quote\", a \\","status":""},)"
    R"({"id":-3,"text":"Größe → 日本 🚀 end","status":"done"},{"id":4.5e+10,"text":"x","status":"in_progress"}]})",
    R"([1,-2,3.25,true,false,null,"a",[],{},[[]],{"k":{}},12345678,123456789,1234567890123456789012345678901234,0,-0])",
    R"( [ true , false , null , 1.5 , -1e-7 , "\u00e9\ud83d\ude80\n" , { "a" : 1 , "b" : [ ] , "c" : { } } ] )",
    "{\n  \"name\": \"value\",\n  \"other\": [\n    1,\n    \"two\"\n  ],\n  \"k\": {\n    \"name\": null\n  }\n}\n",
    R"({"a":"\ud83d\ude80\ud83d\ude80\u0041","bb":"\\\\\\\\\\\\\\\\\\\"","a_key_longer_than_sixteen_bytes":"éééééééééééé"})",
    R"({"a":1,"b":"two","a":3,"c":"d"})",
    R"([{"a":"b","c":"d"},{"a":"b" "c":"d"}])",
    "[\"tab\there\",\"line\nthere\",\"\\q\",\"\\ud800\"]",
    R"([01,1.,.5,1e,+1,--1,1.2.3,tru,nul,falsey,True])",
    "[\"\xc3\",\"\xe6\x97\",\"abcdefghijkl\xf0\x9f\x9a\x80\xff\",\"\xed\xa0\x80\"]",
    R"({"text":"he said "hello" to her","next":"and "that" was all"})",
    R"({"id":1,"text":"unfinished business, which stops in the mid)",
};

TEST(Pieces, of_any_length_from_any_start_give_what_the_whole_text_gives) {
  for (std::string_view text : kTexts) {
    for (json::Mode mode : {json::Mode::tolerant, json::Mode::strict}) {
      const json::ReaderOptions options{.mode = mode};
      const Outcome whole = read_pieces({text}, options, json::Ending::complete);
      for (std::size_t length = 1; length <= 40; ++length) {
        for (std::size_t start = 0; start < length && start < text.size(); ++start) {
          Pieces pieces = chop(text.substr(start), length);
          if (start > 0) pieces.insert(pieces.begin(), text.substr(0, start));
          ASSERT_EQ(difference(whole, read_pieces(pieces, options, json::Ending::complete)), "")
              << text << "\nin pieces of " << length << " from " << start;
        }
      }
    }
  }
}

TEST(Pieces, are_never_read_beyond_their_end) {
  // Each piece has memory of its own, exactly as long: a sanitizer sees what goes beyond it.
  for (std::string_view text : kTexts) {
    const Outcome whole = read_pieces({text}, {}, json::Ending::complete);
    for (std::size_t length = 1; length <= 40; ++length) {
      std::vector<std::vector<char>> owned;
      Pieces pieces;
      for (std::string_view piece : chop(text, length)) owned.emplace_back(piece.begin(), piece.end());
      for (const std::vector<char>& piece : owned) pieces.emplace_back(piece.data(), piece.size());
      ASSERT_EQ(difference(whole, read_pieces(pieces, {}, json::Ending::complete)), "") << text << ", " << length;
    }
  }
}

}  // namespace
}  // namespace belay::check
