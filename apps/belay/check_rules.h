// Permission rules against the tools that there are.
#pragma once

#include <belay/config.h>
#include <belay/tool.h>

#include <expected>
#include <string>
#include <vector>

namespace belay::cli {

/// A rule that names no tool would do nothing, and whoever wrote it would believe that it holds: an error, with its
/// place and the tool that was probably meant. A rule that names an alias is about the tool itself from then on. `*`
/// and names of tools of MCP servers (`server__tool`), which may come later, stand as they are.
std::expected<void, std::string> check_rules(std::vector<config::Setting<policy::Rule>>& rules,
                                             const tool::Registry& tools);

}  // namespace belay::cli
