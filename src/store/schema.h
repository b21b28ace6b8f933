// The tables, as a list of steps from an empty file to the newest version.
#pragma once

#include "store/database.h"

#include <cstdint>
#include <span>

namespace BELAY_NAMESPACE::store {

/// "BLAY", in the header of each of our files.
inline constexpr std::int64_t kApplicationId = 0x424C4159;

/// The n-th step, counted from 1, leads from version n - 1 to version n. Its last statement sets the version: a step is
/// a constant text as a whole. A new version of the records (task::kRecordVersion) needs a step too, even one that does
/// nothing else, so that an older Belay refuses the file instead of stumbling over a record.
struct Step {
  const char* sql;
};
std::span<const Step> steps();

/// Performs the steps that the file lacks, each in a transaction of its own. A step that fails leaves the version
/// before it. Others may do the same at the same time.
Expected<void> migrate(Database& database, std::span<const Step> steps);

/// The version of a file; `newer` when there is no step to it.
Expected<std::uint64_t> version(Database& database, std::span<const Step> steps);

Error too_new(std::string_view path, std::uint64_t version, std::uint64_t newest);

}  // namespace BELAY_NAMESPACE::store
