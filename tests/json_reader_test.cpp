// Reader: its interface, its receipts and the words it uses.
#include "support/oracles.h"
#include "support/outcome.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <vector>

namespace belay::check {
namespace {

using json::Edit;
using json::EditKind;
using json::Grade;

std::vector<std::string> receipts(std::string_view input) {
  std::vector<std::string> out;
  for (const Edit& edit : read_whole(input).reading.edits) out.push_back(describe(edit));
  return out;
}

using Receipts = std::vector<std::string>;

TEST(Reader, counts_the_lines_before_a_key_that_is_read_again_long_after_a_string) {
  const std::string input =
      "{\"a\":\"b\",\n" + std::string(4000, ' ') + "\n\"key\"" + std::string(200, ' ') + "x: 1, \"c\": [\n";
  EXPECT_EQ(read_whole(input, {}, json::Ending::cut).reading.error.position.line, 4u);
}

TEST(Reader, says_where_each_edit_is) {
  EXPECT_EQ(receipts(R"({"a":1,})"), Receipts{"trailing_comma(safe) at 6+1"});
  EXPECT_EQ(receipts("[1,2 , ]"), Receipts{"trailing_comma(safe) at 5+1"});
  EXPECT_EQ(receipts(R"({"a":1,,"b":2})"), Receipts{"doubled_comma(safe) at 7+1"});
  EXPECT_EQ(receipts(R"({"a"::1})"), Receipts{"doubled_colon(safe) at 5+1"});
  EXPECT_EQ(receipts(R"({"a"=>1})"), Receipts{"colon_spelling(safe) at 4+2"});
  EXPECT_EQ(receipts(R"({"a":1;"b":2})"), Receipts{"comma_spelling(safe) at 6+1"});
  EXPECT_EQ(receipts("{\"a\":1}}"), Receipts{"surplus_closer(safe) at 7+1"});
  EXPECT_EQ(receipts("[True]"), Receipts{"literal_spelling(safe) at 1+4"});
  EXPECT_EQ(receipts("[0x1F]"), Receipts{"number_spelling(safe) at 1+4"});
  EXPECT_EQ(receipts("{key:1}"), Receipts{"unquoted_key(safe) at 1+3"});
  EXPECT_EQ(receipts("[1 /* c */]"), Receipts{"comment(safe) at 3+7"});
  EXPECT_EQ(receipts("[\"a\tb\"]"), Receipts{"control_character(safe) at 3+1"});
  EXPECT_EQ(receipts("\xef\xbb\xbf[1]"), Receipts{"byte_order_mark(safe) at 0+3"});
  EXPECT_EQ(receipts("[1,\xc2\xa0"
                     "2]"),
            Receipts{"odd_space(safe) at 3+2"});
  EXPECT_EQ(receipts("[\"\\d\"]"), Receipts{"unknown_escape(safe) at 2+2"});
  EXPECT_EQ(receipts("{\"a\":1"), Receipts{"missing_closer(guess) at 6+0"});
  EXPECT_EQ(receipts("[1 2]"), Receipts{"missing_comma(guess) at 3+0"});
}

TEST(Reader, gives_the_same_after_reset_as_when_it_was_new) {
  const std::string_view inputs[] = {
      "{\"a\":[1,2,{\"b\":\"c\"}]}", "{'a':'b',}", "[[[",         "{\"a\":\"x", "", "prose", "{}{}",
      "{\"a\":1,\"a\":2}",           "\"k\":1}",   "[1,\"\xff\"]"};
  json::ReaderOptions options;
  options.text = true;
  json::Reader reused(options);
  for (int round = 0; round < 3; ++round)
    for (std::string_view input : inputs) {
      reused.push(input);
      Outcome again;
      again.reading = reused.finish();
      again.text = reused.take_text();
      again.text_stopped = reused.text_stopped();
      for (json::Value v : again.reading.document.values()) again.values.push_back(json::to_string(v));
      reused.reset();
      EXPECT_EQ(difference(read_whole(input), again), "") << input;
    }
}

TEST(Reader, gives_the_same_wherever_it_lives_in_memory) {
  // Hashes are seeded by addresses; which keys collide must not show.
  for (std::string_view input :
       {"[{{:0\"8\",\"\"", "{\"a\":1,\"b\":2,\"c\":3,\"d\":4,\"b\":5}", "{:1,\"a\":2,\"b\":3,:4}"}) {
    const Outcome first = read_whole(input);
    std::vector<std::unique_ptr<char[]>> elsewhere;
    for (std::size_t i = 0; i < 2000; ++i) {
      elsewhere.push_back(std::make_unique<char[]>(16 + i * 48 % 500));
      ASSERT_EQ(difference(first, read_whole(input)), "") << input;
    }
  }
}

TEST(Reader, reads_keys_that_never_come_again_and_keys_that_do_the_same_however_they_are_cut) {
  // So many that it stops to expect them; then records like each other, one of which has a key twice.
  std::string text = "[";
  for (int i = 0; i < 1500; ++i) text += "{\"key" + std::to_string(i) + "\":" + std::to_string(i) + "},";
  for (int i = 0; i < 800; ++i) text += "{\"id\":" + std::to_string(i) + ",\"text\": \"x\",\n\"status\":\"done\"},";
  for (std::string_view end : {"{\"id\":1}]", "{\"id\":1,\"text\":\"x\",\"id\":2}]", "{\"id\":1,\"text\" \"x\"}]"}) {
    const std::string input = text + std::string(end);
    const Outcome whole = read_whole(input);
    EXPECT_EQ(json::name(whole.reading.verdict.word()), end.size() < 10 ? "valid" : "guessed") << end;
    for (std::size_t size : {1u, 3u, 4u, 7u, 16u, 32u, 33u, 1000u})
      for (const Pieces& before : {Pieces{}, Pieces{input}})
        EXPECT_EQ(difference(whole, read_pieces(chop(input, size), {}, json::Ending::complete, before)), "") << size;
  }
}

TEST(Reader, can_be_reset_in_the_middle) {
  for (std::string_view begun :
       {"{\"a\":\"x", "[[[1,", "Sure: ", "{\"a\":\"say \"hi", "\"key\"", "[\"\\ud83d", "```json\n{"}) {
    json::Reader reader;
    reader.push(begun);
    reader.reset();
    EXPECT_FALSE(reader.value().has_value());
    EXPECT_EQ(reader.offset(), 0u);
    EXPECT_TRUE(reader.edits().empty());
    reader.push("[1]");
    EXPECT_EQ(json::name(reader.finish().verdict.word()), "valid") << begun;
  }
}

TEST(Reader, keeps_its_result_inside_when_asked_to) {
  json::Reader reader;
  for (int i = 0; i < 3; ++i) {
    reader.push("{\"a\":[1,2],}");
    const json::Reading& reading = reader.finish_in_place();
    EXPECT_EQ(json::name(reading.verdict.word()), "mended");
    EXPECT_EQ(json::to_string(reading.document.root()), "{\"a\":[1,2]}");
    reader.reset();
  }
}

TEST(Reader, can_be_moved_in_the_middle) {
  json::Reader a;
  a.push("{\"a\":\"x");
  json::Reader b = std::move(a);
  b.push("y\"");
  a = std::move(b);
  a.push("}");
  EXPECT_EQ(json::to_string(root_of(a.finish().document)), "{\"a\":\"xy\"}");
}

TEST(Reader, counts_the_bytes_it_took) {
  json::Reader reader;
  EXPECT_EQ(reader.offset(), 0u);
  reader.push("{\"a\"");
  reader.push("");
  reader.push(":1}");
  EXPECT_EQ(reader.offset(), 7u);
}

TEST(Reader, does_not_keep_the_bytes_it_was_given) {
  json::Reader reader;
  for (std::string_view piece :
       {"{\"first key\":", "\"a string of some length\"", ",\"b\":[12345678901234567890", ",true]}"}) {
    std::string own(piece);
    reader.push(own);
    own.assign(own.size(), '#');
  }
  EXPECT_EQ(json::to_string(root_of(reader.finish().document)),
            R"({"first key":"a string of some length","b":[12345678901234567890,true]})");
}

TEST(Reader, lists_edits_while_it_reads) {
  json::Reader reader;
  reader.push("{a:1,");
  EXPECT_GE(reader.edits_total(), 1u);
  EXPECT_EQ(reader.edits().size(), reader.edits_total());
  reader.push("b:2}");
  EXPECT_EQ(reader.finish().edits_total, 2u);
}

TEST(Reader, says_where_a_cut_text_ended) {
  Outcome got = read_whole("{\"a\":1,\n\"b\":\"x", {}, json::Ending::cut);
  EXPECT_EQ(got.reading.error.kind, json::ErrorKind::truncated);
  EXPECT_EQ(got.reading.error.position, (Position{.offset = 14, .line = 2, .column = 7}));
}

TEST(Reader, tells_an_empty_text_from_one_without_a_value) {
  EXPECT_EQ(json::name(read_whole("").reading.error.kind), "empty");
  EXPECT_EQ(json::name(read_whole(" \n ").reading.error.kind), "empty");
  EXPECT_EQ(json::name(read_whole("I cannot.").reading.error.kind), "no_value");
}

TEST(Names, of_edits_are_all_different_and_stable) {
  std::set<std::string> names;
  for (std::size_t i = 0; i < json::kEditKinds; ++i) names.emplace(json::name(static_cast<EditKind>(i)));
  EXPECT_EQ(names.size(), json::kEditKinds);
  for (const std::string& name : names)
    EXPECT_EQ(name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_"), name.npos) << name;
  EXPECT_EQ(json::name(EditKind::byte_order_mark), "byte_order_mark");
  EXPECT_EQ(json::name(EditKind::trailing_comma), "trailing_comma");
  EXPECT_EQ(json::name(EditKind::invalid_utf8), "invalid_utf8");
  EXPECT_EQ(json::name(EditKind::stray_bytes), "stray_bytes");
}

TEST(Names, of_grades_words_and_ends_are_those_of_the_contract) {
  EXPECT_EQ(json::name(Grade::strict), "strict");
  EXPECT_EQ(json::name(Grade::safe), "safe");
  EXPECT_EQ(json::name(Grade::guess), "guess");
  const json::Word words[] = {json::Word::valid,   json::Word::mended,    json::Word::split,
                              json::Word::guessed, json::Word::truncated, json::Word::broken};
  const std::string_view names[] = {"valid", "mended", "split", "guessed", "truncated", "broken"};
  for (std::size_t i = 0; i < std::size(words); ++i) EXPECT_EQ(json::name(words[i]), names[i]);
  EXPECT_EQ(json::name(json::End::complete), "complete");
  EXPECT_EQ(json::name(json::End::cut), "cut");
  EXPECT_EQ(json::name(json::End::broken), "broken");
}

TEST(Verdict, is_the_first_word_that_applies) {
  using json::End, json::Verdict, json::Word;
  struct Row {
    Verdict verdict;
    Word word;
    bool trusted;
  };
  const Row rows[] = {
      {{End::broken, Grade::guess, 2}, Word::broken, false},
      {{End::broken, Grade::strict, 1}, Word::broken, false},
      {{End::cut, Grade::guess, 2}, Word::truncated, false},
      {{End::cut, Grade::strict, 1}, Word::truncated, false},
      {{End::complete, Grade::guess, 2}, Word::guessed, false},
      {{End::complete, Grade::guess, 1}, Word::guessed, false},
      {{End::complete, Grade::safe, 2}, Word::split, true},
      {{End::complete, Grade::strict, 3}, Word::split, true},
      {{End::complete, Grade::safe, 1}, Word::mended, true},
      {{End::complete, Grade::strict, 1}, Word::valid, true},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(json::name(row.verdict.word()), json::name(row.word));
    EXPECT_EQ(row.verdict.trusted(), row.trusted) << json::name(row.word);
  }
}

// ["x" 1 …: whether the quote ended the string is asked for 4 KiB, and not beyond.
TEST(Reader, lists_each_value_that_may_be_prose_once) {
  using json::EditKind, json::Grade;
  const std::vector<json::Edit> words = {{EditKind::prose, Grade::safe, 0, 1},
                                         {EditKind::weak_value, Grade::guess, 2, 3},
                                         {EditKind::prose, Grade::safe, 6, 1},
                                         {EditKind::weak_value, Grade::guess, 8, 3},
                                         {EditKind::prose, Grade::safe, 12, 1}};
  EXPECT_EQ(read_whole("x [1] y [2] z {\"a\":1}").reading.edits, words);
  // The words come last.
  const std::vector<json::Edit> glued = {{EditKind::weak_value, Grade::guess, 0, 2},
                                         {EditKind::weak_value, Grade::guess, 2, 2},
                                         {EditKind::prose, Grade::safe, 5, 4}};
  EXPECT_EQ(read_whole("{}{} done").reading.edits, glued);
  json::ReaderOptions few;
  few.limits.edits = 1;
  const Outcome counted = read_whole("{}{}{} done", few);
  EXPECT_EQ(counted.reading.edits_total, 4u);
  EXPECT_EQ(counted.reading.edits.size(), 2u);  // the prose, and the first guess
}

TEST(Reader, decides_about_a_number_behind_a_string_within_the_bound) {
  const auto first_item = [](const std::string& input) {
    EXPECT_EQ(cut_difference(input, {}, json::Ending::complete, 64), "");
    const Outcome whole = read_whole(input);
    return std::string(whole.reading.document.root().at(0).value().as_string());
  };
  const std::string spaces(4000, ' '), digits(4000, '7');
  EXPECT_EQ(first_item("[\"x\" 1" + spaces + "]"), "x");
  EXPECT_EQ(first_item("[\"x\" " + digits + ",2]"), "x");
  EXPECT_EQ(first_item("[\"x\" 1" + spaces + "y\"]"), "x\" 1" + spaces + "y");
  EXPECT_EQ(first_item("[\"x\" " + digits + "y\"]"), "x\" " + digits + "y");
  EXPECT_EQ(first_item("[\"x\" 1" + spaces + spaces + "y\"]"), "x");
  EXPECT_EQ(first_item("[\"x\" " + digits + digits + "y\"]"), "x");
}

}  // namespace
}  // namespace belay::check
