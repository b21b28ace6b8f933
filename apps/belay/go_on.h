// How a task that has ended goes on.
#pragma once

#include <belay/task/record.h>

#include <string>
#include <string_view>

namespace belay::cli {

/// `To go on: belay run --resume ID`, and behind it the option that must be raised where the task has used up what it
/// had: without that it would end again at once.
std::string go_on_line(std::string_view id, task::EndReason reason);

}  // namespace belay::cli
