// Random calls are written, and read back as the same.
#include "text_dialect_calls.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>

namespace belay::text {
namespace {

using testing::Heard;

// Parameters of every type, and one of which nothing is known.
const std::vector<chat::Tool> kTools = {
    {"write_to_file",
     "",
     R"({"type":"object","properties":{"content":{"type":"string"},"path":{"type":"string"},"count":{"type":"integer"},
         "ratio":{"type":"number"},"on":{"type":"boolean"},"list":{"type":"array"},"options":{"type":"object"},
         "maybe":{"type":["string","null"]},"free":{}}})",
     {}},
    {"list_files", "", R"({"type":"object","properties":{"path":{"type":"string"}}})", {}},
};

// Texts made of what is hard for one format or another.
rc::Gen<std::string> text() {
  const std::vector<std::string> parts = {"a",
                                          "word",
                                          " ",
                                          "\n",
                                          "\r\n",
                                          "\r",
                                          "\t",
                                          "\"",
                                          "'",
                                          "\\",
                                          "\\n",
                                          "{",
                                          "}",
                                          "[",
                                          "]",
                                          ",",
                                          ":",
                                          "=",
                                          "(",
                                          ")",
                                          "<",
                                          ">",
                                          "</",
                                          "<b>",
                                          "</content>",
                                          "<content>",
                                          "</path>",
                                          "<path>",
                                          "</write_to_file>",
                                          "<list_files>",
                                          "<![CDATA[",
                                          "]]>",
                                          "</parameter>",
                                          "<parameter=path>",
                                          "</function>",
                                          "<function=f>",
                                          "<parameter name=\"path\">",
                                          "</invoke>",
                                          "</arg_value>",
                                          "<arg_key>",
                                          "<tool_call>",
                                          "</tool_call>",
                                          "<|tool_call_end|>",
                                          "<|\"|>",
                                          "<escape>",
                                          "[TOOL_CALLS]",
                                          "[ARGS]",
                                          "```",
                                          "<think>",
                                          "</think>",
                                          "<|call|>",
                                          "<|im_end|>",
                                          "</s>",
                                          "</｜DSML｜parameter>",
                                          "<|close|>argument<|sep|>",
                                          "]<]minimax[>[</content>",
                                          "7",
                                          "-1.5e3",
                                          "true",
                                          "null",
                                          "None",
                                          "#",
                                          "é",
                                          "漢",
                                          "😀",
                                          "<function_calls>",
                                          "</tool>",
                                          ">>>f",
                                          "functools[",
                                          "Action:",
                                          "\x01"};
  return rc::gen::map(rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(parts)),
                      [](const std::vector<std::string>& chosen) {
                        std::string out;
                        for (const std::string& part : chosen) out += part;
                        return out;
                      });
}

std::string quoted(const std::string& text) {
  std::string out;
  json::write_string(text, out);
  return out;
}

std::string value(int depth) {
  switch (*rc::gen::inRange(0, depth > 0 ? 8 : 5)) {
    case 0: return "null";
    case 1: return *rc::gen::arbitrary<bool>() ? "true" : "false";
    case 2: return std::to_string(*rc::gen::arbitrary<std::int64_t>());
    case 3: return *rc::gen::element<std::string>("1.5", "-0.25", "1e10", "123456789012345678901234567890");
    case 5: {
      std::string out = "[";
      for (int n = *rc::gen::inRange(0, 4); n > 0; --n) out += value(depth - 1) + (n > 1 ? "," : "");
      return out + "]";
    }
    case 6: {
      std::map<std::string, std::string> members;
      for (int n = *rc::gen::inRange(0, 4); n > 0; --n) members[*text()] = value(depth - 1);
      std::string out = "{";
      for (auto& [key, member] : members) out += (out.size() > 1 ? "," : "") + quoted(key) + ":" + member;
      return out + "}";
    }
    default: return quoted(*text());
  }
}

std::string object(int depth) {
  std::string out = "{";
  for (int n = *rc::gen::inRange(0, 3); n > 0; --n)
    out += "\"k" + std::to_string(n) + "\":" + value(depth) + (n > 1 ? "," : "");
  return out + "}";
}

Call call() {
  std::string arguments = "{";
  auto add = [&](std::string_view key, const std::string& text_of) {
    if (!*rc::gen::arbitrary<bool>()) return;
    if (arguments.size() > 1) arguments += ",";
    arguments += "\"" + std::string(key) + "\":" + text_of;
  };
  add("path", quoted(*text()));
  if (*rc::gen::arbitrary<bool>()) return {"list_files", arguments + "}", ""};
  add("content", quoted(*text()));
  add("count", std::to_string(*rc::gen::arbitrary<std::int32_t>()));
  add("ratio", *rc::gen::element<std::string>("1.5", "-0.25", "3", "1e-7"));
  add("on", *rc::gen::arbitrary<bool>() ? "true" : "false");
  add("list", "[" + value(1) + "]");
  add("options", object(2));
  add("maybe", *rc::gen::arbitrary<bool>() ? "null" : quoted(*text()));
  add("free", *rc::gen::arbitrary<bool>() ? value(2) : quoted(*text()));
  return {"write_to_file", arguments + "}", *rc::gen::element<std::string>("", "abcDEF123", "call_1")};
}

// Formats that can write every value.
bool writes_all(std::string_view format) {
  constexpr std::string_view kRaw[] = {"xml",
                                       "qwen3_coder",
                                       "mimo",
                                       "seed_oss",
                                       "glm45",
                                       "glm47",
                                       "hy_v3",
                                       "minimax_m2",
                                       "minimax_m3",
                                       "deepseek_v32_dsml",
                                       "deepseek_v4_dsml",
                                       "kimi_k3",
                                       "gemma4",
                                       "functiongemma",
                                       "step3",
                                       "minicpm5",
                                       "dots",
                                       "muse_glimmer"};
  return std::find(std::begin(kRaw), std::end(kRaw), format) == std::end(kRaw);
}

void same(std::string_view format, const std::vector<Call>& calls, const std::string& written) {
  Heard heard;
  testing::decode(heard, format, kTools, written, *rc::gen::inRange<std::size_t>(0, written.size() + 1));
  RC_ASSERT(heard.text.find_first_not_of(" \n") == std::string::npos);
  RC_ASSERT(heard.calls.size() == calls.size());
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const Found& found = heard.calls[i];
    const json::Reading wanted = json::read(calls[i].arguments);
    RC_ASSERT(found.name == calls[i].name);
    RC_ASSERT(found.closed);
    RC_ASSERT(found.reading.edits_total == 0u);
    RC_ASSERT(found.reading.verdict.word() == json::Word::valid);
    RC_ASSERT(found.reading.document.root() == wanted.document.root());
  }
}

class DialectProperty : public ::testing::TestWithParam<std::string_view> {};

TEST_P(DialectProperty, WhatIsWrittenIsReadBackAsTheSame) {
  const std::string_view format = GetParam();
  if (testing::unread(format)) GTEST_SKIP() << format << " is not read yet";
  const Dialect dialect(format, kTools);
  std::size_t refused = 0, all = 0;
  rc::check("calls of " + std::string(format), [&] {
    std::vector<Call> calls;
    for (int n = *rc::gen::inRange(1, 4); n > 0; --n) calls.push_back(call());
    auto written = dialect.write_calls(calls);
    ++all;
    if (written) return same(format, calls, *written);
    ++refused;
    RC_LOG() << written.error().call << "." << written.error().parameter << ": " << written.error().reason << "\n";
    RC_ASSERT(!writes_all(format));
    RC_ASSERT(!written.error().reason.empty());
  });
  // Refusing is for the few that cannot be written, even with texts that are made of markers.
  EXPECT_LT(refused, all / 2) << format;
}

INSTANTIATE_TEST_SUITE_P(Formats, DialectProperty, ::testing::ValuesIn(formats()),
                         [](const auto& p) { return std::string(p.param); });

}  // namespace
}  // namespace belay::text
