// A record as it is kept: its top apart, its body as text. And what is drawn from records for lists. For every store.
#pragma once

#include <belay/store/store.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace BELAY_NAMESPACE::store {

struct Row {
  std::string task;
  std::uint64_t number = 0;
  std::int64_t time = 0;
  std::string kind;
  std::string body;  ///< JSON text
  bool operator==(const Row&) const = default;
};

Row to_row(const task::Record& record);
/// `corrupt`, with the reason, when the body is not one of that kind.
Expected<task::Record> to_record(const Row& row);

/// Says whether a row is as it was written. A change of one byte always gives another sum.
std::uint64_t record_sum(const Row& row) noexcept;

/// Adds one record to what the list says of its task. `created` and `finished` are read, the others only counted.
Expected<void> fold(Summary& summary, const Row& row);
void fold(Summary& summary, std::string_view kind, std::int64_t time, const task::Body* body);

/// The kinds under which an outcome counts: its own, each once, or the verdict's word.
std::vector<std::string> counted_kinds(const task::Outcome& outcome);

/// The first line with something in it of the first text, at most kTitleBytes long, whole characters only.
inline constexpr std::size_t kTitleBytes = 120;
std::string title_of(const task::Created& created);

}  // namespace BELAY_NAMESPACE::store
