// Streams as data: cases/streams/*.json. CONTRIBUTING says how to add one; the fields are described here.
#pragma once

#include "tree.h"
#include "turn.h"

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace belay::check {

/// What is expected of a call. In the file: {"name", "verdict", "trusted", "arguments", "id", "values", "edits",
/// "error", "at", "tool"}. Without "arguments" there must be none, without "id" any will do and null means one that was
/// made; "edits" is a list of "kind grade", in order, and "error" a kind; without them there must be none. "at" is the
/// offset of the error, "tool" the tool that the name means; without them any will do.
struct ExpectedCall {
  std::string name, verdict;
  bool trusted = false;
  std::optional<std::string> id;  ///< "" for one that was made
  std::optional<Tree> arguments;
  std::vector<Tree> values;
  std::vector<std::string> edits;
  std::string error;
  std::optional<std::uint64_t> at;
  std::optional<std::string> tool;
};

/// One case. In the file: {"name", "why", "wire", "events" or "input", "ended": "reset", "tools": [{"name",
/// "parameters"}], "limits": {name: value}, "expect": {"stop", "raw", "text", "reasoning", "calls", "notices",
/// "failure", "usage": [input, output, cached, written, reasoning]}}.
///
/// The wire may be "text": the input is what the model wrote. "format" and "prompt_tail" say how calls are found in
/// text. "tools": true stands for the "tools" of the file.
///
/// "events" are framed as the wire has it: each value is one event, a text is the data of one as it is. "input" is the
/// body as it is: a text, or a list of texts, {"b64"} and {"repeat", "times"}. What "expect" leaves out must not come,
/// except "raw".
struct StreamCase {
  std::string kind;  ///< the file's name
  std::string name;  ///< a sentence
  std::string why;
  std::string body;
  TurnOptions options;

  std::string text, reasoning, stop, failure;
  std::optional<std::string> raw;
  std::vector<ExpectedCall> calls;
  std::vector<std::string> notices;
  std::optional<chat::Usage> usage;

  std::vector<std::shared_ptr<const schema::Schema>> schemas;  ///< that options.tools points to
};

/// Of all files in the folder, in the order of their names. Throws std::runtime_error with the case's name when one
/// does not have the form above: a test that reads too little must not pass.
std::vector<StreamCase> load_stream_cases(const std::filesystem::path& folder);

/// What a turn is otherwise than the case expects, one sentence a line; empty when it is as expected.
std::string surprises(const StreamCase& one, const Turn& turn);

}  // namespace belay::check
