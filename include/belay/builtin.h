// The built-in tools: files, search and commands of one workspace, and the tools that a running task gives meaning to.
#pragma once

#include <belay/sandbox.h>
#include <belay/schema.h>
#include <belay/tool.h>

#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace belay::builtin {

/// Where the tools act, and how far commands may go.
struct Place {
  std::shared_ptr<const sandbox::Workspace> workspace;
  /// What this machine can enforce: sandbox::probe(). Nothing: it is looked at when the first command runs.
  std::optional<sandbox::Abilities> abilities{};
  sandbox::Level level = sandbox::Level::workspace_write;
  bool network = false;  ///< commands may reach the network
  bool insist = false;   ///< run commands with what this machine can enforce, even if a promise is not kept
  sandbox::CommandLimits limits{};
};

/// What a model is told of all built-in tools, in the order in which they are offered.
std::vector<tool::Spec> specs();

/// All built-in tools, ready to be run in their place; those that need a running task have no code.
std::expected<tool::Registry, std::string> tools(const Place& place, const schema::Regexes* regexes = nullptr);

/// What a call of write_to_file or apply_diff would change now, for a person who has to approve of it: a unified diff,
/// whole, or a sentence where there is none to show. `arguments` is JSON text. Empty for other tools. Changes nothing.
std::string preview(const sandbox::Workspace& workspace, std::string_view tool, std::string_view arguments);

}  // namespace belay::builtin
