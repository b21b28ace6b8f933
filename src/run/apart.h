// A tool's code in a process of its own.
#pragma once

#include <belay/tool.h>

namespace BELAY_NAMESPACE::run {

/// Forks, runs the code there, and gives its result. A crash, the end of its time and a request to stop are error
/// results; the process is gone when this returns.
tool::Result run_apart(const tool::Tool& tool, const tool::Invocation& invocation, const tool::ResultLimits& limits);

}  // namespace BELAY_NAMESPACE::run
