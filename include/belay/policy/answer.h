// What the model is told of a call: exactly one result, whatever happened.
#pragma once

#include <belay/policy/gate.h>
#include <belay/tool.h>

#include <string_view>
#include <vector>

namespace belay::policy {

/// The result of a call from its plan and the results of its runs, in order; a plan that was refused takes none. Adds
/// the receipt of what was mended or guessed, and what was not run. An error when the plan was refused or a run failed.
tool::Result answer(const Plan& plan, std::vector<tool::Result> results);

/// The result of a run that the permissions denied, or that would have to be asked about where nobody can be asked.
tool::Result denied(std::string_view tool, std::string_view reason);
/// The result of a run that a person did not approve; `words` is what they said, or nothing.
tool::Result not_approved(std::string_view tool, std::string_view words);

}  // namespace belay::policy
