// Tools within their time, and crashes that stay where they are.
#include <belay/run.h>

#include "run/parcel.h"

#include <gtest/gtest.h>

#include <unistd.h>
#include <atomic>
#include <cstdlib>
#include <stdexcept>
#include <thread>

namespace belay::run {
namespace {

using tool::Result;

struct Settings {
  bool apart = false;
  double timeout = 60;
  tool::Effect effect = tool::Effect::read;
};

tool::Tool make(Settings settings, tool::Code code) {
  tool::Spec spec;
  spec.name = "t";
  spec.apart = settings.apart;
  spec.timeout = settings.timeout;
  spec.effect = settings.effect;
  auto made = tool::Tool::make(std::move(spec), std::move(code));
  EXPECT_TRUE(made) << made.error();
  return std::move(*made);
}

Result run(const tool::Tool& tool, std::string_view arguments = "{}", std::stop_token stop = {}) {
  json::Reading r = json::read(arguments);
  return perform(tool, {r.document.root(), std::move(stop)});
}

TEST(Perform, AResultComesBackWholeFromAProcessOfItsOwn) {
  const pid_t here = ::getpid();
  const tool::Tool tool = make({.apart = true}, [here](const tool::Invocation& i) {
    Result r = tool::text_result(std::string(i.arguments.find("x")->as_string()));
    r.content.push_back(chat::text_block(::getpid() == here ? "same process" : "another process"));
    chat::Block image;
    image.kind = chat::Block::Kind::image;
    image.media_type = "image/png";
    image.data = std::string(200'000, 'A');
    r.content.push_back(image);
    return r;
  });
  const Result r = run(tool, R"({"x":"\u0000yes"})");
  ASSERT_EQ(r.content.size(), 3u);
  EXPECT_FALSE(r.is_error);
  EXPECT_EQ(r.content[0].text, std::string("\0yes", 4));
  EXPECT_EQ(r.content[1].text, "another process");
  EXPECT_EQ(r.content[2].data.size(), 200'000u);
}

TEST(Perform, ACrashIsAnErrorResult) {
  for (auto effect : {tool::Effect::read, tool::Effect::write}) {
    const tool::Tool tool =
        make({.apart = true, .effect = effect}, [](const tool::Invocation&) -> Result { std::abort(); });
    const Result r = run(tool);
    EXPECT_TRUE(r.is_error);
    EXPECT_NE(text_of(r).find("t crashed (Aborted)."), std::string::npos) << text_of(r);
    EXPECT_EQ(text_of(r).find("is not known") != std::string::npos, effect == tool::Effect::write);
  }
  const tool::Tool leaves = make({.apart = true}, [](const tool::Invocation&) -> Result { ::_exit(0); });
  EXPECT_TRUE(run(leaves).is_error);
  const tool::Tool throws =
      make({.apart = true}, [](const tool::Invocation&) -> Result { throw std::runtime_error("no"); });
  EXPECT_EQ(text_of(run(throws)), "t failed: no");
}

TEST(Perform, CodeThatNeverStopsIsEndedWithItsProcess) {
  const tool::Tool tool = make({.apart = true, .timeout = 0.05}, [](const tool::Invocation&) -> Result {
    while (true) ::pause();
  });
  const Result r = run(tool);
  EXPECT_TRUE(r.is_error);
  EXPECT_NE(text_of(r).find("its time of"), std::string::npos) << text_of(r);
}

TEST(Perform, ARequestToStopReachesBothKinds) {
  std::stop_source source;
  source.request_stop();
  const tool::Tool apart = make({.apart = true}, [](const tool::Invocation&) -> Result {
    while (true) ::pause();
  });
  EXPECT_EQ(text_of(run(apart, "{}", source.get_token())), "t was stopped.");
  const tool::Tool here = make({}, [](const tool::Invocation& i) {
    while (!i.stop.stop_requested()) std::this_thread::yield();
    return tool::error_result("stopped");
  });
  EXPECT_EQ(text_of(run(here, "{}", source.get_token())), "stopped");
}

TEST(Perform, CodeInThisProcessIsAskedToStopWhenItsTimeIsOver) {
  const tool::Tool tool = make({.timeout = 0.02}, [](const tool::Invocation& i) {
    while (!i.stop.stop_requested()) std::this_thread::yield();
    return tool::text_result("half");
  });
  const Result r = run(tool);
  EXPECT_TRUE(r.is_error);
  EXPECT_NE(text_of(r).find("half\n[t was asked to stop"), std::string::npos) << text_of(r);
  const tool::Tool quick = make({}, [](const tool::Invocation&) { return tool::text_result("done"); });
  EXPECT_EQ(text_of(run(quick)), "done");
}

TEST(Parcel, WhatIsNotAllThereIsNothing) {
  Result r = tool::text_result("abc");
  r.is_error = true;
  const std::string bytes = packed(r);
  EXPECT_EQ(unpacked(bytes), r);
  for (std::size_t n = 0; n < bytes.size(); ++n) EXPECT_FALSE(unpacked(bytes.substr(0, n))) << n;
  EXPECT_FALSE(unpacked(bytes + "x"));
}

}  // namespace
}  // namespace belay::run
