// Depth costs heap, not stack: a million open brackets on a small stack, read, written, compared and shown.
#include <belay/json.h>

#include <gtest/gtest.h>

#include <pthread.h>

#include <functional>
#include <string>

namespace belay::check {
namespace {

constexpr std::size_t kMillion = 1'000'000;
constexpr std::size_t kStack = 256 * 1024;

/// Runs f to its end on a thread with a stack of 256 KiB.
void on_a_small_stack(std::function<void()> f) {
  pthread_attr_t attributes;
  ASSERT_EQ(pthread_attr_init(&attributes), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, kStack), 0);
  pthread_t thread{};
  auto run = [](void* p) -> void* {
    (*static_cast<std::function<void()>*>(p))();
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, &attributes, run, &f), 0);
  ASSERT_EQ(pthread_join(thread, nullptr), 0);
  pthread_attr_destroy(&attributes);
}

json::ReaderOptions deep(json::Mode mode = json::Mode::tolerant) {
  json::ReaderOptions options;
  options.mode = mode;
  options.limits.depth = 2 * kMillion;
  return options;
}

TEST(Depth, a_million_open_brackets_pass_the_default_limit_with_an_error) {
  on_a_small_stack([] {
    for (json::Mode mode : {json::Mode::tolerant, json::Mode::strict}) {
      json::ReaderOptions options;
      options.mode = mode;
      json::Reading reading = json::read(std::string(kMillion, '['), options);
      EXPECT_EQ(json::name(reading.verdict.word()), "broken");
      EXPECT_EQ(json::name(reading.error.kind), "limit");
      EXPECT_EQ(reading.error.position.offset, 1024u);
    }
  });
}

TEST(Depth, a_million_open_brackets_are_closed_when_the_limit_is_raised) {
  on_a_small_stack([] {
    json::Reading reading = json::read(std::string(kMillion, '['), deep());
    EXPECT_EQ(json::name(reading.verdict.word()), "guessed");
    EXPECT_EQ(json::to_string(reading.document.root()), std::string(kMillion, '[') + std::string(kMillion, ']'));
    EXPECT_EQ(json::name(json::read(std::string(kMillion, '['), deep(), json::Ending::cut).verdict.word()),
              "truncated");
    EXPECT_EQ(json::name(json::read(std::string(kMillion, '['), deep(json::Mode::strict)).error.kind), "unclosed");
  });
}

TEST(Depth, a_million_open_objects_are_closed_when_the_limit_is_raised) {
  on_a_small_stack([] {
    std::string input, closers(kMillion, '}');
    for (std::size_t i = 0; i < kMillion; ++i) input += "{\"a\":";
    json::Reading reading = json::read(input + "1" + closers, deep());
    EXPECT_EQ(json::name(reading.verdict.word()), "valid");
    EXPECT_EQ(json::to_string(reading.document.root()), input + "1" + closers);
    EXPECT_EQ(json::name(json::read(input, deep()).verdict.word()), "guessed");
  });
}

TEST(Depth, a_million_levels_with_damage_on_each_have_an_answer) {
  on_a_small_stack([] {
    std::string input;
    for (std::size_t i = 0; i < kMillion; ++i) input += "{'a':[,";
    json::Reading reading = json::read(input, deep());
    EXPECT_NE(json::name(reading.verdict.word()), "valid");
    EXPECT_EQ(reading.edits.size(), Limits().edits);
    EXPECT_GT(reading.edits_total, kMillion);
  });
}

TEST(Depth, a_million_crossed_closers_have_an_answer) {
  on_a_small_stack([] {
    std::string input = std::string(kMillion, '[') + std::string(kMillion, '}');
    EXPECT_FALSE(json::read(input, deep()).verdict.trusted());
    EXPECT_FALSE(json::read(std::string(kMillion, '}') + "[", deep()).verdict.trusted());
  });
}

TEST(Depth, two_values_a_million_deep_are_compared) {
  on_a_small_stack([] {
    const std::string open(kMillion, '['), close(kMillion, ']');
    json::Reading a = json::read(open + "1" + close, deep()), b = json::read(open + "1.0" + close, deep()),
                  c = json::read(open + "2" + close, deep());
    EXPECT_TRUE(a.document.root() == b.document.root());
    EXPECT_FALSE(a.document.root() == c.document.root());
  });
}

TEST(Depth, the_partial_value_is_there_at_every_depth) {
  on_a_small_stack([] {
    json::Reader reader(deep());
    reader.push(std::string(kMillion, '['));
    ASSERT_TRUE(reader.value().has_value());
    EXPECT_EQ(reader.value()->size(), 1u);
    EXPECT_FALSE(reader.value()->closed());
    EXPECT_TRUE(reader.value()->last().has_value());
    reader.push(std::string(kMillion, ']'));
    EXPECT_EQ(json::name(reader.finish().verdict.word()), "valid");
  });
}

TEST(Depth, a_builder_builds_a_million_levels) {
  on_a_small_stack([] {
    json::Builder builder(deep().limits);
    for (std::size_t i = 0; i < kMillion; ++i) {
      if (i % 2 == 0)
        builder.open_array();
      else
        builder.open_object(), builder.key("k");
    }
    builder.null();
    for (std::size_t i = 0; i < kMillion; ++i) builder.close();
    const std::string text = json::to_string(root_of(builder.take()));
    EXPECT_EQ(json::name(json::read(text, deep()).verdict.word()), "valid");
  });
}

}  // namespace
}  // namespace belay::check
