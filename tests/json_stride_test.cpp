// Long texts whose keys do not come again. The fast half has a loop of its own for them (strict_stride.cpp), which
// begins behind a few distinct keys and in a piece of more than 144 bytes; the last 144 it reads in a copy. Nothing of
// that may show: all is compared with an independent parser, and with the same bytes in pieces that are too short.
#include "support/independent.h"
#include "support/oracles.h"
#include "support/outcome.h"
#include "support/watch.h"

#include <gtest/gtest.h>

#include <sys/mman.h>

#include <algorithm>
#include <memory>
#include <new>
#include <random>

namespace belay::check {
namespace {

constexpr json::Ending kComplete = json::Ending::complete;

json::ReaderOptions in(json::Mode mode) {
  json::ReaderOptions options;
  options.mode = mode;
  return options;
}

/// So many members with keys that nothing else here has.
std::string members(std::string_view prefix, std::size_t count) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i)
    ((((out += i > 0 ? ",\"" : "\"") += prefix) += std::to_string(i * 7919)) += "\":") += std::to_string(i);
  return out;
}

/// The member in the middle of a text where the loop is at work: behind its first keys, and far from its end.
std::string around(std::string_view member) {
  return "{" + members("b", 9) + "," + std::string(member) + "," + members("e", 13) + "}";
}
std::string around_value(std::string_view value) { return around("\"key\":" + std::string(value)); }

/// A value of any kind; keys are numbered, so that none comes again.
std::string random_value(std::mt19937& random, int depth, std::size_t& keys) {
  static constexpr std::string_view kParts[] = {"a",        "word ",        "\\n",
                                                "\\\"",     "\\u00e9",      "\\ud83d\\ude00",
                                                "\xc3\xa9", "\xe2\x82\xac", "0123456789012345678901234567890123456789"};
  static constexpr std::string_view kScalars[] = {"0",    "-1",   "12345678", "1234567890", "0.5",
                                                  "1e-9", "true", "false",    "null",       "-123.456e+78"};
  static constexpr std::string_view kSpaces[] = {"", "", "", " ", "\n  ", "\t"};
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  const std::size_t kind = below(depth > 0 ? 6 : 4);
  if (kind < 2) return std::string(kScalars[below(std::size(kScalars))]);
  std::string out;
  if (kind < 4) {
    for (std::size_t n = below(5); n > 0; --n) out += kParts[below(std::size(kParts))];
    return "\"" + out + "\"";
  }
  for (std::size_t n = below(6), i = 0; i < n; ++i) {
    (out += i > 0 ? "," : "") += kSpaces[below(std::size(kSpaces))];
    if (kind == 5) {
      std::string key = std::to_string(++keys * 7919);
      for (std::size_t more = below(4); more > 0; --more) key += kParts[below(std::size(kParts))];
      ((out += "\"") += key) += "\":";
      out += kSpaces[below(std::size(kSpaces))];
    }
    (out += random_value(random, depth - 1, keys)) += kSpaces[below(std::size(kSpaces))];
  }
  return kind == 5 ? "{" + out + "}" : "[" + out + "]";
}

std::string cut_faults(std::string_view input, json::ReaderOptions options, json::Ending ending = kComplete) {
  // Strict mode differs in nothing that a cut could touch but repeated keys: fewer cuts are enough. So they are where a
  // sanitizer makes each ten times as slow, since the release build has them all.
#ifdef __SANITIZE_ADDRESS__
  constexpr bool few = true;
#else
  const bool few = options.mode == json::Mode::strict;
#endif
  std::string fault = cut_difference(input, options, ending, few ? 32 : input.size() + 1);
  const Outcome whole = read_whole(input, options, ending);
  for (std::size_t size : {2u, 7u, 16u, 31u, 33u, 66u, 97u, 129u, 130u, 161u, 193u})
    if (fault.empty()) fault = difference(whole, read_pieces(chop(input, size), options, ending));
  // A reader that has read it before, or another text whose keys do come again.
  for (const Pieces& before : {Pieces{input}, Pieces{"[{\"key\":1},{\"key\":2},{\"key\":3}]"}})
    for (std::size_t size : {std::size_t{70}, input.size()})
      if (fault.empty()) fault = difference(whole, read_pieces(chop(input, size), options, ending, before));
  return fault;
}

void expect_valid(std::string_view input) {
  SCOPED_TRACE(printable(input));
  const Independent other = parse_independently(input);
  ASSERT_EQ(other.opinion, Opinion::accepted);
  for (json::Mode mode : {json::Mode::tolerant, json::Mode::strict}) {
    const Outcome got = read_whole(input, in(mode));
    ASSERT_EQ(name(got.reading.verdict.word()), "valid") << describe(got);
    EXPECT_TRUE(to_tree(got.reading.document.root()) == other.tree) << describe(got);
    EXPECT_EQ(fault(got, input), "");
    EXPECT_EQ(cut_faults(input, in(mode)), "");
  }
}

TEST(Stride, reads_keys_of_every_length) {
  for (std::string_view filler : {"k", "\xc3\xa9", "\xf0\x9f\x98\x80"}) {
    std::string key;
    for (std::size_t n = 0; n <= 36; ++n, key += filler)
      expect_valid(around("\"" + key + "\":1,\"x" + key + "\":\"y\",\"" + key + "xx\":[]"));
  }
}

TEST(Stride, reads_keys_with_escapes_in_them) {
  for (std::string_view key : {"\\n", "a\\\"b", "\\\\", "\\/x", "\\u00e9", "\\ud83d\\ude00", "k\\u006b"})
    expect_valid(around("\"" + std::string(key) + "\":1"));
}

TEST(Stride, reads_strings_of_every_length) {
  for (std::size_t n = 0; n <= 140; n += n < 70 ? 1 : 9) expect_valid(around_value("\"" + std::string(n, 'a') + "\""));
}

// A block has 32 bytes, and a string that does not end in it is gone on with up to a bound.
TEST(Stride, reads_escapes_and_characters_at_every_place_of_a_string) {
  for (std::string_view special : {"\\n", "\\\"", "\\/", "\\u0041", "\\ud83d\\ude00", "\xc3\xa9", "\xf0\x9f\x98\x80"}) {
    for (std::size_t n : {0u, 1u, 15u, 16u, 28u, 30u, 31u, 32u, 60u, 63u, 64u, 90u})
      expect_valid(around_value("\"" + std::string(n, 'a') + std::string(special) + "b\""));
  }
  for (std::string_view part : {"\\t", "\\u20ac", "\xe2\x82\xac", "a\\\\"}) {
    std::string value;
    for (int i = 0; i < 50; ++i) value += part;
    expect_valid(around_value("\"" + value + "\""));
  }
}

// Such a string is moved while it is read, by itself or behind others, and what stops it may stand anywhere in it.
// A text that ends where its memory ends: the byte behind it cannot be read.
class AtTheEdge {
 public:
  explicit AtTheEdge(std::string_view text) : size_((text.size() + kPage - 1) / kPage * kPage) {
    base_ =
        static_cast<char*>(mmap(nullptr, size_ + kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    if (base_ == MAP_FAILED || mprotect(base_ + size_, kPage, PROT_NONE) != 0) throw std::bad_alloc();
    text_ = {base_ + size_ - text.size(), text.size()};
    std::ranges::copy(text, base_ + size_ - text.size());
  }
  ~AtTheEdge() { munmap(base_, size_ + kPage); }
  AtTheEdge(const AtTheEdge&) = delete;
  AtTheEdge& operator=(const AtTheEdge&) = delete;
  [[nodiscard]] std::string_view text() const { return text_; }

 private:
  static constexpr std::size_t kPage = 4096;
  std::size_t size_;
  char* base_;
  std::string_view text_;
};

TEST(Stride, reads_nothing_behind_the_end_of_a_piece) {
  for (std::string_view escape : {R"(\ud83d\ude80)", R"(\u00e9)", R"(\n)"})
    for (std::size_t before = 0; before < 70; ++before)
      for (std::size_t behind = 60; behind < 150; ++behind) {
        std::string text = "{" + members("b", 9) + ",\"key\":\"" + std::string(before, 'x');
        for (int i = 0; i < 8; ++i) text += escape;
        text += std::string(behind, 'y') + "\"}";
        const AtTheEdge edge(text);
        json::Reader reader;
        reader.push(edge.text());
        ASSERT_EQ(name(reader.finish().verdict.word()), "valid") << escape << ", " << before << " and " << behind;
      }
}

TEST(Stride, reads_strings_that_outgrow_their_room) {
  static constexpr std::string_view kParts[] = {"0123456789012345678901234567890123456789",
                                                "\\n",
                                                "\\u20ac",
                                                "\\ud83d\\ude00",
                                                "\xc3\xa9",
                                                "\\\"",
                                                "plain words, and more of them "};
  for (std::size_t size : {150u, 700u, 1'100u, 5'000u, 17'000u, 70'000u, 300'000u}) {
    for (std::string_view stop : {"", "\x01", "\\q", "\\ud83d", "\\u12", "\xff"}) {
      std::mt19937 random(static_cast<unsigned>(size));
      std::string value;
      while (value.size() < size) value += kParts[random() % std::size(kParts)];
      value += std::string(stop) + std::string(100, 'z');
      const std::string input =
          around("\"k\":\"" + std::string(900, 'x') + "\",\"l\":[\"" + value + "\",\"" + value + "\"]");
      SCOPED_TRACE(std::to_string(size) + " and " + printable(stop));
      const Independent other = parse_independently(input);
      ASSERT_EQ(other.opinion == Opinion::accepted, stop.empty());
      for (json::Mode mode : {json::Mode::tolerant, json::Mode::strict}) {
        const Outcome whole = read_whole(input, in(mode));
        EXPECT_EQ(whole.reading.verdict.word() == json::Word::valid, stop.empty());
        if (stop.empty()) {
          EXPECT_TRUE(to_tree(whole.reading.document.root()) == other.tree);
        } else if (mode == json::Mode::strict) {
          EXPECT_EQ(whole.reading.error.position.offset, input.find(value) + value.size() - 100 - stop.size());
        }
        for (std::size_t piece : {std::size_t{29}, 129 + random() % 200, size})
          EXPECT_TRUE(difference(whole, read_pieces(chop(input, piece), in(mode), kComplete)).empty()) << piece;
      }
    }
  }
}

TEST(Stride, reads_numbers_of_every_kind) {
  const std::string nines(40, '9');
  std::string all;
  for (std::string_view number : {"0", "-0", "7", "-7", "12345678", "123456789", "-1234567", "-12345678", "0.5",
                                  "-0.25", "1e5", "1E+05", "1.5e-10", "0.0000001", "0e0", "-1.5E+10",
                                  "1234567890123456789012345678901", "12345678901234567890123456789012"}) {
    expect_valid(around_value(number));
    ((all += all.empty() ? "" : ",") += number);
  }
  for (std::size_t n = 29; n <= 35; ++n) expect_valid(around_value(nines.substr(0, n)));
  expect_valid(around_value("[" + all + "]"));
}

TEST(Stride, reads_containers_literals_and_white_space) {
  for (std::string_view value : {"true",
                                 "false",
                                 "null",
                                 "[]",
                                 "{}",
                                 "[ ]",
                                 "{ }",
                                 "[\n]",
                                 "{\t\r\n}",
                                 "[[],{},[[]]]",
                                 "{\"a\":{\"b\":{}}}",
                                 "[true,false,null]",
                                 "[ true , false , null ]",
                                 "[{\"a\":1},{\"a\":2},{\"a\":3}]",
                                 "{\"a\":[1,[2,[3]]],\"b\":\"c\"}",
                                 "[\"a\",\"b\"]",
                                 "[\"a\" , \"b\"\n]",
                                 "[[[[[[[[]]]]]]]]",
                                 "[{}]",
                                 "[{},{}]"})
    expect_valid(around_value(value));
  for (std::string_view member :
       {"\"key\" : 1", "\"key\":\n\n1", " \"key\": 1 ", "\n\t\"key\"\r\n:\t\"v\"\n", "  \"key\":  \"v\"  "})
    expect_valid(around(member));
  expect_valid(around("\"key\":" + std::string(100, ' ') + "1" + std::string(100, '\n')));
}

TEST(Stride, reads_lists_at_the_top) {
  std::string text = "[";
  for (std::size_t i = 0; i < 12; ++i) text += (i > 0 ? ",{" : "{") + members("k" + std::to_string(i) + " ", 3) + "}";
  expect_valid(text + ",[1,\"a\",null,[2.5,{}]],true]");
}

TEST(Stride, gives_way_where_keys_come_again_and_comes_back) {
  std::string text = "[{" + members("first ", 80) + "}";
  for (int i = 0; i < 90; ++i) text += ",{\"id\":" + std::to_string(i) + ",\"name\":\"n\"}";
  text += ",{" + members("last ", 80) + "}]";
  const Independent other = parse_independently(text);
  for (json::Mode mode : {json::Mode::tolerant, json::Mode::strict}) {
    const Outcome got = read_whole(text, in(mode));
    EXPECT_TRUE(to_tree(got.reading.document.root()) == other.tree);
    for (std::size_t size : {1u, 40u, 100u, 1000u, 4097u})
      EXPECT_EQ(difference(got, read_pieces(chop(text, size), in(mode), kComplete, {text})), "") << size;
  }
}

// Keys that stand twice: near each other, far apart, and where a table has taken over from the mask.
TEST(Stride, sees_repeated_keys) {
  for (std::string_view twice : {"\"key\":1,\"key\":2", "\"b0\":9", "\"b63352\":\"x\"", "\"k\\u0065y\":1,\"key\":2",
                                 "\"o\":{\"a\":1,\"b\":2,\"a\":3}", "\"\":1,\"\":2", "\"o\":{\"b0\":1},\"o\":2"})
    for (std::size_t count : {9u, 30u}) {
      const std::string text = "{" + members("b", count) + "," + std::string(twice) + "," + members("e", 9) + "}";
      SCOPED_TRACE(text);
      const Independent other = parse_independently(text);
      ASSERT_EQ(other.opinion, Opinion::accepted);
      const Outcome strict = read_whole(text, in(json::Mode::strict));
      EXPECT_EQ(name(strict.reading.verdict.word()), "valid");
      EXPECT_TRUE(to_tree(strict.reading.document.root()) == other.tree);
      const Outcome got = read_whole(text);
      EXPECT_EQ(got.reading.verdict.word() == json::Word::guessed, other.repeats) << describe(got);
      EXPECT_EQ(fault(got, text), "");
      for (json::Mode mode : {json::Mode::tolerant, json::Mode::strict}) EXPECT_EQ(cut_faults(text, in(mode)), "");
    }
}

struct Deviation {
  std::string_view member;
  json::ErrorKind kind;
  std::size_t at;  ///< in the member
};

// The hash of keys is seeded by an address: in some readers two keys of a text share what they are known by. The result
// must not tell.
TEST(Stride, reads_the_same_whatever_keys_share_a_hash) {
  std::string sound = "[", repeated;
  for (int i = 0; i < 40; ++i)
    sound += "{\"id\":1,\"text\":\"a b\",\"status\":\"x\",\"note\":[1,{\"id\":2}],\"due\":null},";
  repeated = sound + "{\"id\":1,\"text\":\"a\",\"status\":\"x\",\"note\":[],\"text\":\"b\"}]";
  sound += "{}]";
  const Tree wanted = parse_independently(sound).tree;
  std::vector<std::unique_ptr<json::Reader>> readers;  // kept, so that each has an address of its own
  for (int i = 0; i < 400; ++i) {
    readers.push_back(std::make_unique<json::Reader>());
    for (std::size_t piece : {sound.size(), std::size_t{97}, std::size_t{20}, std::size_t{4}}) {
      for (const std::string* text : {&sound, &repeated}) {
        json::Reader& reader = *readers.back();
        reader.reset();
        for (std::size_t at = 0; at < text->size(); at += piece) reader.push(std::string_view(*text).substr(at, piece));
        const json::Reading& got = reader.finish_in_place();
        ASSERT_EQ(got.verdict.word(), text == &sound ? json::Word::valid : json::Word::guessed) << i << " in " << piece;
        if (text == &sound) {
          ASSERT_EQ(to_tree(got.document.root()), wanted);
        } else {
          ASSERT_EQ(got.edits.size(), 1u);
          ASSERT_EQ(got.edits[0].kind, json::EditKind::duplicate_key);
        }
      }
    }
  }
}

TEST(Stride, stops_where_the_text_deviates) {
  using enum json::ErrorKind;
  const Deviation rows[] = {{"key:1", unexpected_byte, 0},
                            {"'key':1", unexpected_byte, 0},
                            {"\"key\" 1", unexpected_byte, 6},
                            {"\"key\":1 \"b\":2", unexpected_byte, 8},
                            {"\"key\":\"a\" \"b\":2", unexpected_byte, 10},
                            {"\"key\":,\"b\":2", unexpected_byte, 6},
                            {"\"key\":[1,]", unexpected_byte, 9},
                            {"\"key\":[,1]", unexpected_byte, 7},
                            {"\"key\":{\"a\":1]", unexpected_byte, 12},
                            {"\"key\":[1 2]", unexpected_byte, 9},
                            {"\"key\":[\"x\" 1]", unexpected_byte, 11},
                            {"\"key\":\"say \"hi\" now\"", unexpected_byte, 12},
                            {"\"key\":\"\"x\"", unexpected_byte, 8},
                            {"\"key\":\"\"\"x\"\"\"", unexpected_byte, 8},
                            {"\"key\":\"a\\tb\" c\\qd\"", unexpected_byte, 13},
                            {"\"key\":\"a\\nb\\qc\"", bad_escape, 11},
                            {"\"key\":\"a\\u00e9\\qc\"", bad_escape, 14},
                            {"\"k\":\"\\n\",\"l\":\"\\/\\q\"", bad_escape, 16},
                            {"\"key\":01", bad_number, 6},
                            {"\"key\":1.", bad_number, 6},
                            {"\"key\":.5", unexpected_byte, 6},
                            {"\"key\":/1", unexpected_byte, 6},
                            {"\"key\":trux", bad_literal, 6},
                            {"\"key\":nulll", bad_literal, 6},
                            {"\"key\":\"a\tb\"", control_character, 8},
                            {"\"k\ny\":1", control_character, 2},
                            {"\"key\":\"a\\qb\"", bad_escape, 8},
                            {"\"k\\qy\":1", bad_escape, 2},
                            {"\"key\":\"\\u12G4\"", bad_escape, 7},
                            {"\"key\":\"\\ud800\"", lone_surrogate, 7},
                            {"\"key\":\"a\xff\"", invalid_utf8, 8},
                            {"\"k\xc3\x28\":1", invalid_utf8, 2},
                            {"\"key\":\xff", unexpected_byte, 6},
                            {"\"key\":\"0123456789012345678901234567890123456789\x01\"", control_character, 47}};
  const std::string before = "{" + members("b", 9) + ",";
  for (const Deviation& row : rows) {
    const std::string input = around(row.member);
    SCOPED_TRACE(printable(row.member));
    ASSERT_NE(parse_independently(input).opinion, Opinion::accepted);
    const Outcome strict = read_whole(input, in(json::Mode::strict));
    EXPECT_EQ(name(strict.reading.error.kind), name(row.kind));
    EXPECT_EQ(strict.reading.error.position.offset, before.size() + row.at);
    const Outcome got = read_whole(input);
    EXPECT_NE(name(got.reading.verdict.word()), "valid");
    EXPECT_EQ(fault(got, input), "");
    for (json::Mode mode : {json::Mode::tolerant, json::Mode::strict}) EXPECT_EQ(cut_faults(input, in(mode)), "");
  }
}

TEST(Stride, counts_lines) {
  const std::string lines = "{\n" + members("b", 9) + ",\n\n\"a\":\n\"x\"\n,\"b\":[\n1,\n\"y\"\n]\n,\n" +
                            members("m", 9) + ",\n  \"e\": ?," + members("e", 9) + "}";
  const auto at = read_whole(lines, in(json::Mode::strict)).reading.error.position;
  EXPECT_EQ(at.line, 12u);
  EXPECT_EQ(at.column, 8u);
  EXPECT_EQ(cut_faults(lines, in(json::Mode::strict)), "");
  // Behind a string that is read again the lines are counted again.
  const std::string again =
      "{" + members("b", 9) + ",\n\"a\":\"x\",\n\"c\":[\"y\"\n]\n\n? z\"," + members("e", 9) + ",\n\"f\":\"";
  EXPECT_EQ(read_whole(again, {}, json::Ending::cut).reading.error.position.line, 7u);
  EXPECT_EQ(cut_faults(again, {}, json::Ending::cut), "");
}

TEST(Stride, stops_at_the_limits) {
  const std::string input = around_value("[[[1,\"a\"]]]");
  for (std::uint64_t depth = 1; depth <= 5; ++depth) {
    json::ReaderOptions options;
    options.limits.depth = depth;
    EXPECT_EQ(read_whole(input, options).reading.error.kind == json::ErrorKind::limit, depth < 4) << depth;
    EXPECT_EQ(cut_faults(input, options), "") << depth;
  }
  for (std::uint64_t bytes : {90u, 120u, 150u}) {
    json::ReaderOptions options;
    options.limits.bytes = bytes;
    EXPECT_EQ(read_whole(input, options).reading.error.kind, json::ErrorKind::limit) << bytes;
    EXPECT_EQ(cut_faults(input, options), "") << bytes;
  }
}

TEST(Stride, ends_anywhere) {
  std::string words;
  while (words.size() < 300) words += "plain words \\n\\u20ac\\ud83d\\ude00 \xe2\x82\xac\\\"";
  for (const std::string& value : {std::string("[\"a\\u00e9\xc3\xa9\",-1.5e3,true,{\"b\":{}}]"), "\"" + words + "\"",
                                   "\"" + std::string(140, 'x') + "\\u00e9" + std::string(60, 'y') +
                                       "\",\"k\\u00e9y\" : [ null , 12345678901 ]"}) {
    const std::string text = around_value(value);
    for (std::size_t size = 60; size <= text.size(); ++size) {
      const std::string_view start = std::string_view(text).substr(0, size);
      for (json::Ending ending : {kComplete, json::Ending::cut}) {
        const Outcome whole = read_whole(start, {}, ending);
        for (std::size_t piece : {1u, 90u, 140u})
          EXPECT_EQ(difference(whole, read_pieces(chop(start, piece), {}, ending)), "") << start;
        for (std::size_t piece : {90u, 140u}) EXPECT_EQ(watch_fault(start, piece, {}, ending), "") << start;
      }
    }
  }
}

// A string that goes on into the last bytes of a piece is found by its node, which may be the last one of its chunk.
TEST(Stride, reads_the_last_bytes_of_pieces_of_a_long_text) {
  std::mt19937 random(21);
  std::string text = "[" + around("\"a\":1");
  std::size_t keys = 0;
  while (text.size() < 400'000) text += "," + random_value(random, 4, keys);
  text += "]";
  const Outcome whole = read_pieces(chop(text, 90), {}, kComplete);
  EXPECT_TRUE(to_tree(whole.reading.document.root()) == parse_independently(text).tree);
  for (std::size_t size : {129u, 150u, 200u, 333u, 1'000u, 4'096u})
    EXPECT_EQ(difference(whole, read_pieces(chop(text, size), {}, kComplete)), "") << size;
}

TEST(Stride, agrees_with_another_parser_on_random_texts_whole_and_damaged) {
  static constexpr std::string_view kBytes = ",:{}[]\"' \n\\ax1-.\xff\xc3";
  std::mt19937 random(20);
  for (int round = 0; round < 400; ++round) {
    std::size_t keys = 0;
    std::string input = around("\"r1\":" + random_value(random, 5, keys) + ",\"r2\":" + random_value(random, 5, keys));
    for (std::size_t damage = round % 2 == 0 ? 0 : 1 + random() % 2; damage > 0; --damage) {
      const std::size_t at = random() % input.size();
      if (random() % 2 == 0)
        input[at] = kBytes[random() % kBytes.size()];
      else
        input.insert(at, 1, kBytes[random() % kBytes.size()]);
    }
    SCOPED_TRACE(printable(input));
    const Independent other = parse_independently(input);
    for (json::Mode mode : {json::Mode::tolerant, json::Mode::strict}) {
      const Outcome whole = read_whole(input, in(mode));
      const bool valid = other.opinion == Opinion::accepted && (mode == json::Mode::strict || !other.repeats);
      EXPECT_EQ(whole.reading.verdict.word() == json::Word::valid, valid) << describe(whole);
      if (valid) {
        EXPECT_TRUE(to_tree(whole.reading.document.root()) == other.tree) << describe(whole);
      }
      EXPECT_EQ(incoherence(whole, input), "");
      for (std::size_t size : {std::size_t{1}, std::size_t{3}, std::size_t{30}, 129 + random() % 200})
        EXPECT_EQ(difference(whole, read_pieces(chop(input, size), in(mode), kComplete)), "") << size;
    }
  }
}

}  // namespace
}  // namespace belay::check
