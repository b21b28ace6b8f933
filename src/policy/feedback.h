// All that is said to a model about its calls. One file, so that it can be read in one go.
#pragma once

#include <belay/tool.h>
#include <belay/turn.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace BELAY_NAMESPACE::policy::feedback {

/// There is no such tool.
std::string unknown_tool(std::string_view name, const std::vector<std::string_view>& near, const tool::Registry& tools);
std::string no_name();
/// The arguments do not satisfy the schema; `why` is the schema's own sentence or sentences.
std::string against_schema(std::string_view tool, std::string_view why);
/// The text of the arguments was cut off.
std::string truncated(const turn::Call& call);
/// There is no value in them.
std::string broken(const turn::Call& call);
/// It could be read only by guessing, and the tool has an effect.
std::string guessed(const turn::Call& call);
/// The turn did not end properly.
std::string not_ended(std::string_view tool);
/// Something before it in the turn did not go well.
std::string held(std::string_view tool, std::string_view because_of);
/// Of several objects only the first was run.
/// `rest`: the objects that were not run, as JSON text; named in short.
std::string first_only(std::string_view tool, std::span<const std::string> rest);
/// The permissions do not let it run.
std::string denied(std::string_view tool, std::string_view reason);
/// A person did not approve of it.
std::string not_approved(std::string_view tool, std::string_view words);
/// The heading of one of several runs of a call.
std::string nth_run(std::size_t n, std::size_t count, std::string_view arguments, bool failed);
/// The turn ended before all runs of a call.
std::string runs_left(std::size_t ran, std::size_t count);
/// What was mended or guessed, for the receipt: kinds with their number, first place and first few parameters.
std::string receipt(const turn::Call& call);

}  // namespace BELAY_NAMESPACE::policy::feedback
