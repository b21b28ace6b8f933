// Says in words what the machine found.
#pragma once

#include <belay/schema/schema.h>

#include "schema/machine.h"

namespace BELAY_NAMESPACE::schema {

/// A value in a few words: "three", 12, an array of 3 items.
std::string brief(json::Value value);

/// Sorted by where the values stand, without repeats, at most Limits::violations of them.
Report report_of(const Program& program, json::Value root, const Machine& machine);

}  // namespace BELAY_NAMESPACE::schema
