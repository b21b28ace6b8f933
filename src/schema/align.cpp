// Aligning goes in rounds: the machine says what is wrong, one edit is proposed for each value that can be helped, and
// all are made; a string that held JSON may show new faults, hence rounds. Only if the last result satisfies the schema
// anything is kept.
#include <belay/schema/schema.h>

#include "schema/aligner.h"

#include <algorithm>
#include <utility>

namespace BELAY_NAMESPACE::schema {
namespace {

constexpr int kRounds = 8;

}  // namespace

std::string_view name(AlignKind kind) noexcept {
  constexpr std::string_view names[] = {
      "number_from_string", "string_from_number", "boolean_from_string", "item_to_list", "json_in_string", "enum_case",
      "null_dropped",       "near_key",           "unknown_key_dropped",
  };
  static_assert(std::size(names) == kAlignKinds);
  return names[static_cast<std::size_t>(kind)];
}

json::Grade Aligned::grade() const {
  json::Grade grade = json::Grade::strict;
  for (const AlignEdit& e : edits) grade = std::max(grade, e.grade);
  return grade;
}

void doubt_respelled(Aligned& aligned, const json::Reading& reading) {
  // What was only counted may be a number, too.
  const bool respelled =
      reading.edits_total > reading.edits.size() || std::ranges::any_of(reading.edits, [](const json::Edit& edit) {
        return edit.kind == json::EditKind::number_spelling || edit.kind == json::EditKind::foreign_number;
      });
  if (!respelled) return;
  for (AlignEdit& edit : aligned.edits)
    if (edit.kind == AlignKind::string_from_number) edit.grade = json::Grade::guess;
}

Aligned Schema::align(json::Value value) const {
  Aligned out;
  out.valid = valid(value);
  if (out.valid) return out;
  const auto most = static_cast<std::size_t>(std::min<std::uint64_t>(program_->limits.edits, 1'000'000));
  json::Document current;
  json::Value root = value;
  std::vector<std::string> dropped;  // names of members whose null was dropped
  std::size_t dropped_from = 0;
  for (int round = 0; round < kRounds; ++round) {
    Machine machine(*program_, root, Machine::Want::faults, most);
    if (machine.run()) {
      out.value = std::move(current);
      out.valid = true;
      return out;
    }
    if (!machine.given_up().empty()) break;
    for (std::size_t i = dropped_from; i < out.edits.size(); ++i)
      if (out.edits[i].kind == AlignKind::null_dropped)
        dropped.push_back(out.edits[i].path.substr(out.edits[i].path.rfind('/') + 1));
    dropped_from = out.edits.size();
    Changes changes = Aligner(*program_, root, machine, dropped).propose();
    if (changes.empty()) break;
    std::optional<json::Document> next = Applier(root, changes, out.edits).run();
    if (!next || out.edits.size() > most) break;
    current = std::move(*next);
    root = current.root();
  }
  out.edits.clear();
  return out;
}

}  // namespace BELAY_NAMESPACE::schema
