// A task's records under another id, as a store copies them.
#pragma once

#include <belay/task.h>

#include <cstdint>
#include <string>
#include <vector>

namespace belay::sim {

/// The first `number` records of the task `from`, and all of the tasks that they name, under ids that begin with `to`.
std::vector<task::Record> forked(const std::vector<task::Record>& records, const std::string& from,
                                 std::uint64_t number, const std::string& to);

}  // namespace belay::sim
