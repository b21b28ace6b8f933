// What a stream may weigh, what is refused at its beginning, and that memory stays where it is.
#include "sse_oracle.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

namespace {
std::size_t allocations = 0;
std::size_t allocated = 0;
}  // namespace

void* operator new(std::size_t size) {
  ++allocations;
  allocated += size;
  if (void* memory = std::malloc(size != 0 ? size : 1)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace belay::check {
namespace {

using namespace std::string_literals;
using sse::Ended;
using sse::Framing;
using sse::Trouble;

struct LimitRow {
  Framing framing;
  std::string input;
  std::size_t events;  ///< before the trouble, or all
};

void expect(const std::vector<LimitRow>& rows, std::uint64_t limit, bool trouble) {
  for (const LimitRow& row : rows)
    for (Ended ended : {Ended::eof, Ended::reset}) {
      SCOPED_TRACE(row.input);
      const Heard whole = hear({row.input}, row.framing, ended, limit);
      EXPECT_EQ(whole.trouble == Trouble::event_bytes, trouble);
      EXPECT_EQ(whole.said.size(), row.events);
      EXPECT_EQ(cut_difference(whole, row.input, row.framing, ended, limit), "");
      EXPECT_EQ(naive_difference(whole, row.input, row.framing, ended, limit), "");
    }
}

TEST(Limit, event_bytes_allows_exactly_as_many) {
  expect({{Framing::sse, "data: 12345678\n\ndata: 12345678\n\n", 2},
          {Framing::sse, "data: 123\ndata: 4567\n\n", 1},
          {Framing::sse, "event: 12345678\nid: 12345678\ndata: 12345678\n\n", 1},
          {Framing::sse,
           "data: 1\n\n: a comment has no limit\nnor has a field that nobody knows\nretry: 000000000000\n", 2},
          {Framing::json, "\"123456\" 12345678 {\"a\":12} garbage1\n", 4}},
         8, false);
}

TEST(Limit, event_bytes_is_trouble_beyond) {
  expect({{Framing::sse, "data: 1\n\ndata: 123456789\n\ndata: 2\n\n", 1},
          {Framing::sse, "data: 123\ndata: 45678\n\n", 0},
          {Framing::sse, "data\ndata\ndata\ndata\ndata\ndata\ndata\ndata\ndata\ndata\n\n", 0},
          {Framing::sse, "data: 123456789", 0},
          {Framing::sse, "event: 123456789\n", 0},
          {Framing::sse, "data: 1\n\nid: 123456789", 1},
          {Framing::json, "1 {\"a\":123} 2\n", 1},
          {Framing::json, "1 123456789\n", 1},
          {Framing::json, "1 garbage 1\n2", 1},
          {Framing::json, "{\"a\":[\"bcd", 0}},
         8, true);
  expect({{Framing::sse, "\xEF\xBB\ndata: 1\n\n", 0}, {Framing::json, "{}", 0}}, 0, true);
}

TEST(Limit, event_bytes_has_a_message_that_names_it_and_the_flag) {
  const Heard heard = hear({"data: 12345"}, Framing::sse, Ended::eof, 4);
  EXPECT_NE(heard.message.find("limit of 4 for event_bytes"), std::string::npos) << heard.message;
  EXPECT_NE(heard.message.find("--limit event_bytes="), std::string::npos) << heard.message;
  EXPECT_EQ(heard.left_over, 0u);
}

TEST(Compressed, bodies_are_refused_at_their_first_bytes) {
  for (const std::string& mark : {"\x1f\x8b"s, "\x28\xb5\x2f\xfd"s, "\x78\x9c"s, "\xfd\x37\x7a\x58\x5a\x00"s})
    for (Framing framing : {Framing::automatic, Framing::sse, Framing::json}) {
      const std::string body = mark + "\n\ndata: x\n\n{}";
      const Heard whole = hear({body}, framing, Ended::eof);
      EXPECT_EQ(whole.trouble, Trouble::compressed);
      EXPECT_TRUE(whole.said.empty());
      EXPECT_NE(whole.message.find("without Accept-Encoding"), std::string::npos) << whole.message;
      EXPECT_EQ(whole.beginning, body);
      EXPECT_EQ(cut_difference(whole, body, framing, Ended::eof), "");
    }
}

TEST(Compressed, bodies_are_not_those_that_only_begin_like_one) {
  for (const std::string& body : {"\x1f"s, "\x1f: x\n\ndata: y\n\n"s, "(\xb5/\n\ndata: x\n\n"s, "x\n\ndata: x\n\n"s,
                                  "\n\x1f\x8b\n\ndata: x\n\n"s, "\xEF\xBB\xBF\x1f\x8b\n\ndata: x\n\n"s}) {
    const Heard whole = hear({body}, Framing::automatic, Ended::eof);
    EXPECT_EQ(whole.trouble, Trouble::none);
    EXPECT_EQ(whole.said.size(), body.size() == 1 ? 0u : 1u);
    EXPECT_EQ(cut_difference(whole, body, Framing::automatic, Ended::eof), "");
    EXPECT_EQ(naive_difference(whole, body, Framing::automatic, Ended::eof), "");
  }
}

struct Quiet final : sse::Sink {
  void on_event(const sse::Event& event) override { bytes += event.data.size(); }
  std::size_t bytes = 0;
};

TEST(Memory, does_not_grow_with_what_is_ignored) {
  for (const char* start : {": ", "foo: ", "data: x\n\n:", "data: x\nunknown ", "retry: ", "\n"}) {
    Quiet sink;
    sse::Decoder decoder(sink, Framing::sse);
    decoder.push(start);
    const std::size_t before = allocated;
    const std::string piece(1000, start[0] == '\n' ? '\n' : '1');
    const std::size_t own = allocated - before;
    for (int i = 0; i < 10'000; ++i) decoder.push(piece);
    EXPECT_LT(allocated - before - own, 1024u) << start;
    EXPECT_EQ(decoder.trouble(), Trouble::none);
  }
}

TEST(Memory, does_not_grow_with_white_space_before_or_between_values) {
  for (Framing framing : {Framing::automatic, Framing::json}) {
    Quiet sink;
    sse::Decoder decoder(sink, framing);
    const std::string piece(1000, ' ');
    const std::size_t before = allocated;
    for (int i = 0; i < 10'000; ++i) decoder.push(piece);
    EXPECT_LT(allocated - before, 1024u);
  }
}

TEST(Memory, is_bounded_by_the_limit_when_an_event_never_ends) {
  for (const char* start : {"data: ", "event: ", "id: ", "[\"", "{\"a\":["}) {
    Limits limits;
    limits.event_bytes = 100'000;
    Quiet sink;
    sse::Decoder decoder(sink, Framing::automatic, limits);
    decoder.push(start);
    const std::string piece(1000, '1');
    const std::size_t before = allocated;
    for (int i = 0; i < 1000; ++i) decoder.push(piece);
    EXPECT_LT(allocated - before, 500'000u) << start;  // what a growing string has asked for in all
    EXPECT_EQ(decoder.trouble(), Trouble::event_bytes);
  }
}

TEST(Memory, is_asked_for_no_more_once_warm) {
  std::string body;
  const std::string data = "{\"text\":\"" + std::string(300, 'x') + "\"}";
  sse::append_event(body, data, "content_block_delta");
  body += "id: 0123456789012345678901234567890\n";
  sse::append_event(body, "two\nlines of data, and more", "another");
  const std::string lines = data + "\n" + data + ",12345\n";
  for (std::size_t size : {1ul, 7ul, 100ul, 333ul, 5000ul})
    for (const std::string& text : {body, lines}) {
      Quiet sink;
      sse::Decoder decoder(sink);
      auto round = [&] {
        for (std::size_t at = 0; at < text.size(); at += size) decoder.push(std::string_view(text).substr(at, size));
      };
      for (int i = 0; i < 3; ++i) round();
      const std::size_t before = allocations;
      for (int i = 0; i < 50; ++i) round();
      EXPECT_EQ(allocations, before) << size;
      EXPECT_GT(sink.bytes, 50 * data.size());
    }
}

TEST(Memory, is_not_used_for_an_event_that_lies_in_one_piece) {
  struct Place final : sse::Sink {
    void on_event(const sse::Event& event) override { data = event.data, name = event.event; }
    std::string_view data, name;
  } sink;
  auto inside = [](std::string_view part, const std::string& whole) {
    return part.data() >= whole.data() && part.data() + part.size() <= whole.data() + whole.size();
  };
  const std::string event = "event: e\r\ndata: {\"a\":1}\r\n\r\n", value = " {\"a\":1}\n";
  sse::Decoder events(sink);
  events.push(event);
  EXPECT_TRUE(inside(sink.data, event) && inside(sink.name, event));
  sse::Decoder values(sink);
  values.push(value);
  EXPECT_TRUE(inside(sink.data, value));
}

}  // namespace
}  // namespace belay::check
