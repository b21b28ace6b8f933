// Runs tools: keeps their time, and keeps a crash from spreading. An edge: it uses threads, processes and the clock.
#pragma once

#include <belay/tool.h>

namespace BELAY_NAMESPACE::run {

/// Runs a tool's code within its time. When the time is over (Spec::timeout) or `invocation.stop` asks for it, the code
/// is asked to stop, and the result says so. A tool whose Spec::apart is set runs in a process of its own: a crash
/// there is an error result, and code that does not stop when asked is ended with its process. Output as it comes
/// (Invocation::progress) does not come from such a process. Thread-safe; blocks until there is a result.
tool::Result perform(const tool::Tool& tool, const tool::Invocation& invocation, const tool::ResultLimits& limits = {});

}  // namespace BELAY_NAMESPACE::run
