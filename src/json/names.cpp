// The stable names of kinds, grades, verdicts and errors: one table each, checked for completeness when compiled.
#include <belay/json/edit.h>
#include <belay/json/value.h>
#include <belay/json/verdict.h>

#include <array>

namespace BELAY_NAMESPACE::json {
namespace {

constexpr std::array<std::string_view, kEditKinds> kEditNames = {
    "byte_order_mark", "odd_space",         "fence",
    "prose",           "special_token",     "comment",
    "surplus_closer",  "surplus_separator", "missing_opener",
    "quoted_document", "weak_value",        "trailing_comma",
    "leading_comma",   "doubled_comma",     "comma_spelling",
    "missing_comma",   "doubled_colon",     "colon_spelling",
    "missing_colon",   "missing_value",     "missing_key",
    "missing_closer",  "wrong_closer",      "wrong_opener",
    "quote_spelling",  "missing_quote",     "inner_quote",
    "unquoted_key",    "unquoted_string",   "string_prefix",
    "concatenated",    "control_character", "escaped_quote",
    "unknown_escape",  "foreign_escape",    "broken_escape",
    "lone_surrogate",  "invalid_utf8",      "literal_spelling",
    "foreign_literal", "number_spelling",   "foreign_number",
    "wrapper_call",    "ellipsis",          "duplicate_key",
    "stray_bytes",     "marker_spelling",   "missing_marker",
    "surplus_marker",  "key_alias",         "loose_arguments",
    "tag_in_text"};
static_assert(!kEditNames.back().empty());

constexpr std::array<std::string_view, 3> kGradeNames = {"strict", "safe", "guess"};
constexpr std::array<std::string_view, 6> kWordNames = {"valid", "mended", "split", "guessed", "truncated", "broken"};
constexpr std::array<std::string_view, 3> kEndNames = {"complete", "cut", "broken"};
constexpr std::array<std::string_view, 6> kKindNames = {"null", "boolean", "number", "string", "array", "object"};
constexpr std::array<std::string_view, 14> kErrorNames = {
    "none",           "empty",       "no_value",          "truncated",    "unexpected_byte", "bad_escape",
    "bad_number",     "bad_literal", "control_character", "invalid_utf8", "lone_surrogate",  "unclosed",
    "trailing_bytes", "limit"};
static_assert(!kErrorNames.back().empty());

}  // namespace

std::string_view name(EditKind kind) noexcept { return kEditNames[static_cast<std::size_t>(kind)]; }
std::string_view name(Grade grade) noexcept { return kGradeNames[static_cast<std::size_t>(grade)]; }
std::string_view name(Word word) noexcept { return kWordNames[static_cast<std::size_t>(word)]; }
std::string_view name(End end) noexcept { return kEndNames[static_cast<std::size_t>(end)]; }
std::string_view name(Kind kind) noexcept { return kKindNames[static_cast<std::size_t>(kind)]; }
std::string_view name(ErrorKind kind) noexcept { return kErrorNames[static_cast<std::size_t>(kind)]; }

Word Verdict::word() const noexcept {
  if (end == End::broken) return Word::broken;
  if (end == End::cut) return Word::truncated;
  if (grade == Grade::guess) return Word::guessed;
  if (count > 1) return Word::split;
  return grade == Grade::safe ? Word::mended : Word::valid;
}

bool Verdict::trusted() const noexcept {
  Word w = word();
  return w == Word::valid || w == Word::mended || w == Word::split;
}

}  // namespace BELAY_NAMESPACE::json
