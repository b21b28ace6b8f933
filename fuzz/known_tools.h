// Tools that calls may be of, and what models send them: for the targets that put calls together.
#pragma once

#include <support/outcome.h>

#include <belay/turn.h>

#include <string_view>
#include <vector>

namespace belay::fuzz {

inline constexpr std::string_view kArgumentPieces[] = {
    "",
    "{",
    "}",
    "{}",
    "{\"a\":1}",
    "{\"a\":",
    "1",
    "\"b",
    "\"",
    ",",
    "[",
    "]",
    "\"b\":\"x\"",
    " ",
    "\n",
    "'",
    "\\",
    "é",
    "\"{\\\"a\\\"",
    ":1}\"",
    "\\u00",
    "e9",
    "true",
    "{\"a\":\"2\"}",
    "null",
    "{\"b\":\"",
    "```",
    "// x",
    "{\"a\":1,\"a\":2}",
    "\xc3",
};

/// `f` wants an integer `a` and may have a string `b`; of `g` nothing is known.
inline const std::vector<turn::KnownTool>& known_tools() {
  static const json::Document text =
      check::document_of(R"({"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"string"}},
                             "required":["a"],"additionalProperties":false})");
  static const schema::Schema parameters = *schema::Schema::compile(text.root());
  static const std::vector<turn::KnownTool> tools = {{"f", &parameters}, {"g", nullptr}, {"write", &parameters}};
  return tools;
}

}  // namespace belay::fuzz
