// Arguments of a call, and what every file tool says.
#pragma once

#include <belay/json.h>
#include <belay/sandbox/path_error.h>
#include <belay/sandbox/workspace.h>
#include <belay/tool.h>

#include <optional>
#include <string>
#include <string_view>

namespace BELAY_NAMESPACE::builtin {

/// The string of that name; empty when it is not there.
std::string_view text_argument(const tool::Invocation& call, std::string_view name);
bool flag_argument(const tool::Invocation& call, std::string_view name);
/// The number of that name, if it is one from 1 on that fits; a number beyond all counts is the largest one.
std::optional<std::size_t> number_argument(const tool::Invocation& call, std::string_view name);

/// The error of a path as a result.
tool::Result failed(const sandbox::PathError& error);
/// Refuses to write what other programs run by themselves, unless the path of the call says that it is one: by its path
/// it was permitted, or somebody was asked.
sandbox::Refuse by_its_name(const sandbox::Workspace& workspace, std::string_view path);
/// What a tool says that was asked to stop.
tool::Result stopped();

/// The rules of a call, at the end of each description.
inline constexpr std::string_view kOneObject =
    " Send exactly one JSON object as the arguments of a call, never several in a row.";

}  // namespace BELAY_NAMESPACE::builtin
