// Aligning: a value edited to what the schema wants, where its meaning is plain.
#pragma once

#include <belay/json/edit.h>
#include <belay/json/reader.h>
#include <belay/json/value.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace BELAY_NAMESPACE::schema {
BELAY_API_BEGIN

/// The kinds of edits. Their names (see name()) are stable: they appear in receipts, records and statistics.
enum class AlignKind : std::uint8_t {
  number_from_string,   ///< "5" for 5, the same digits
  string_from_number,   ///< 5 for "5", the same digits
  boolean_from_string,  ///< "true", "false"
  item_to_list,         ///< one item where a list is wanted
  json_in_string,       ///< a string that holds the array or object that is wanted
  enum_case,            ///< a value of the enum in other case
  null_dropped,         ///< a null for a member that may be absent
  near_key,             ///< a key that is nearly one that is known and absent: a guess
  unknown_key_dropped,  ///< a member that the schema does not allow: a guess
};
inline constexpr std::size_t kAlignKinds = static_cast<std::size_t>(AlignKind::unknown_key_dropped) + 1;
std::string_view name(AlignKind) noexcept;

struct AlignEdit {
  AlignKind kind = AlignKind::number_from_string;
  json::Grade grade = json::Grade::safe;
  std::string path{};  ///< JSON Pointer of what was edited, in the value as the edits before have made it
  std::string note{};  ///< near_key: the key that it became
  bool operator==(const AlignEdit&) const = default;
};

/// The result of Schema::align(). Either `edits` made the value satisfy the schema, or there are none and the value is
/// as it was. A value that satisfies the schema is never changed; no value is ever made up.
struct Aligned {
  json::Document value{};          ///< a copy, edited; empty when there was nothing to edit or no edit helped
  std::vector<AlignEdit> edits{};  ///< in the order in which they were made, at most Limits::edits
  bool valid = false;              ///< the value (edited, if there are edits) satisfies the schema
  [[nodiscard]] json::Grade grade() const;
};

/// For a value that was read tolerantly and then aligned. A number whose spelling was mended (0x1F, +49, .5, 1_000) is
/// not the text that was written any more, so each number that became a string is a guess. Callers must do this before
/// they ask for the grade.
void doubt_respelled(Aligned& aligned, const json::Reading& reading);

BELAY_API_END
}  // namespace BELAY_NAMESPACE::schema
