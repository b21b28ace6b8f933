// The grammar of lists, pipes, groups, subshells and branches around simple commands.
#pragma once

#include <belay/policy/shell.h>

#include "shell_tree.h"

#include <expected>
#include <string_view>

namespace BELAY_NAMESPACE::policy {

/// Reads a command completely, or says why not. Linear; nesting is kept on a stack of its own.
std::expected<Script, Unread> parse_shell(std::string_view text, const ShellLimits& limits);

}  // namespace BELAY_NAMESPACE::policy
