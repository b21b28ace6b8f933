// What the model is told of a call: exactly one result, whatever happened.
#pragma once

#include <belay/policy/gate.h>
#include <belay/tool.h>

#include <string_view>
#include <vector>

namespace BELAY_NAMESPACE::policy {
BELAY_API_BEGIN

/// The result of a call from its plan and the results of its runs, in order; a plan that was refused takes none. Adds
/// the receipt of what was mended or guessed, and what was not run. An error when the plan was refused or a run failed.
tool::Result answer(const Plan& plan, std::vector<tool::Result> results);

/// One run's share of answer(): the shares of all runs, joined in order, are the answer. `run` counts from 0. What was
/// not run, and the receipt, come with the last.
struct Share {
  std::size_t run = 0, runs = 1;
  std::string_view arguments{};  ///< of this run, JSON text
  std::string_view not_run{}, receipt{};
};
tool::Result share(const Share& share, tool::Result result);

/// The result of a call that is held, because something before it in its turn did not go well.
tool::Result held(std::string_view tool, std::string_view because_of);
/// The result of a run that the permissions denied, or that would have to be asked about where nobody can be asked.
tool::Result denied(std::string_view tool, std::string_view reason);
/// The result of a run that a person did not approve; `words` is what they said, or nothing.
tool::Result not_approved(std::string_view tool, std::string_view words);

BELAY_API_END
}  // namespace BELAY_NAMESPACE::policy
