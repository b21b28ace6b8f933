// One reading of members, in pieces, in a form that can be compared.
#pragma once

#include "support/outcome.h"
#include "text/members.h"

#include <string>
#include <vector>

namespace belay::check {

struct MembersReading {
  std::string value;  ///< compact JSON; what was open is closed
  std::vector<json::Edit> edits;
  std::uint64_t total = 0;
  json::Grade grade = json::Grade::strict;
  bool done = false;
  std::size_t consumed = 0;
  json::Error error;
  std::string fault;  ///< a promise that was broken on the way; must be nothing
};

struct MembersOptions {
  text::Notation notation{};
  const text::Shape* shape = nullptr;  ///< nothing is known without one
  Limits limits{};
  bool close = false;  ///< an end marker follows the text
  bool watch = true;   ///< look at the partial value after each piece
};

MembersReading read_members(const Pieces& pieces, const MembersOptions& options);
std::string difference(const MembersReading& a, const MembersReading& b);
/// Whole against byte by byte and every two-way split; empty when all are the same.
std::string members_cut_difference(std::string_view input, const MembersOptions& options,
                                   std::size_t max_splits = 1024);
/// The edits as "kind guess 3+2, kind safe 7+1", offsets from the start of the input.
std::string to_text(const std::vector<json::Edit>& edits);

inline constexpr text::Notation kPython{text::Notation::Language::python, ""};
inline constexpr text::Notation kScript{text::Notation::Language::script, "<|\"|>"};

}  // namespace belay::check
