// Which task is to go on, when the person did not name one.
#pragma once

#include "io.h"

#include <belay/store.h>

#include <expected>
#include <string>

namespace belay::cli {

/// The id of a task of this workspace. At a terminal (`person`) it is chosen from a list, the last changed first;
/// elsewhere the list goes to `err`, and the error says how to name one. Demonstrations are not among them.
std::expected<std::string, std::string> choose_task(store::Store& store, const std::string& workspace, bool person,
                                                    Output& err);

/// `now`, `5 min`, `3 h`, `12 days`: at most eight columns.
std::string age_text(std::int64_t milliseconds);

}  // namespace belay::cli
