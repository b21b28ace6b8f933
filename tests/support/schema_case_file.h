// Cases as data: cases/schema/check.json and align.json. The fields are described here.
#pragma once

#include "tree.h"

#include <belay/schema.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace belay::check {

/// What aligning must give: "valid" when there is nothing to do, "unchanged" when nothing may be done.
struct AlignAnswer {
  enum class Kind : std::uint8_t { valid, unchanged, aligned } kind = Kind::unchanged;
  Tree value;                      ///< when aligned, members in this order and numbers in this spelling
  std::vector<std::string> edits;  ///< as describe() spells them
};

/// One case. In both files: {"name", "why", "schema", "value", "draft": "7"|"2020-12", "formats", "limits"}.
/// check: "violations": [[path, keyword, message?]], these and no others, in this order unless "unordered"; "total"
/// when more are counted than listed. align: "expect": {"value", "edits": [[kind, grade, path, note?]]} or one of the
/// words above; "expect_any": a list of such.
struct SchemaCase {
  std::string name;  ///< a sentence
  std::string why;
  Tree schema, value;
  schema::CompileOptions options;

  struct Wanted {
    std::string path, keyword;
    std::optional<std::string> message;
  };
  std::vector<Wanted> violations;
  std::optional<std::uint64_t> total;
  bool unordered = false;
  std::vector<AlignAnswer> answers;  ///< one of these
};

/// The cases of one file. Throws std::runtime_error with the case's name when it does not have the form above.
std::vector<SchemaCase> load_check_cases(const std::filesystem::path& file);
std::vector<SchemaCase> load_align_cases(const std::filesystem::path& file);

}  // namespace belay::check
