// Cases as data: cases/json/*.json. CONTRIBUTING says how to add one; the fields are described here.
#pragma once

#include "tree.h"

#include <belay/json.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace belay::check {

/// One case. In the file: {"name", "why", "input" (text, or a list of pieces) or "input_b64", "end": "complete"|"cut",
/// "root": "any"|"object", "expect": {"verdict" (one or a list), "values" or "values_any", "edits"}}.
struct Case {
  std::string kind;  ///< the file's name
  std::string name;  ///< a sentence
  std::string why;
  std::vector<std::string> pieces;  ///< as given
  json::Ending ending = json::Ending::complete;
  json::Root root = json::Root::any;

  std::vector<std::string> verdicts;  ///< one of these
  /// One of these lists of values; nothing when any value will do.
  std::vector<std::vector<Tree>> values;
  /// The distinct edits, as "kind grade", in alphabetical order: these and no others. Nothing when not specified.
  std::optional<std::vector<std::string>> edits;

  [[nodiscard]] std::string input() const;
};

/// The cases of one file. Throws std::runtime_error with the file's name and the case's when it does not have the form
/// above: a test that reads too little must not pass.
std::vector<Case> load_cases(const std::filesystem::path& file);
/// Of all files in the folder, in the order of their names.
std::vector<Case> load_all_cases(const std::filesystem::path& folder);

std::string decode_base64(std::string_view text);

}  // namespace belay::check
