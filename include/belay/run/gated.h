// One call of a tool by somebody who is no model in a task: through the reader, the gate and the permissions.
#pragma once

#include <belay/policy.h>
#include <belay/tool.h>

#include <cstddef>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

namespace BELAY_NAMESPACE::run {

struct GatedCall {
  std::string_view tool;       ///< a name or alias
  std::string_view arguments;  ///< as they were written, damaged or not
  policy::Permissions permissions{};
  /// Called for a run that has to be asked about, with the reason. Nothing: it may run; otherwise the result instead.
  /// Empty: what would be asked is denied.
  std::function<std::optional<tool::Result>(const policy::Plan&, std::size_t run, const std::string& reason)> ask{};
  /// Called when a run begins; the token asks it to stop. May be empty.
  std::function<std::stop_token()> begin{};
  std::function<void(std::string_view)> progress{};  ///< output as it comes; may be empty
  tool::ResultLimits limits{};
};

/// The call as a model's turn would give it: read and mended with a receipt, judged, permitted or not, run. Exactly one
/// result, whatever happens. Thread-safe; blocks until there is one.
tool::Result run_gated(const tool::Registry& tools, const GatedCall& call);

}  // namespace BELAY_NAMESPACE::run
