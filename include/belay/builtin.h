// The built-in tools: files, search and commands of one workspace, and the tools that a running task gives meaning to.
#pragma once

#include <belay/sandbox.h>
#include <belay/schema.h>
#include <belay/tool.h>

#include <cstddef>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace BELAY_NAMESPACE::builtin {

/// Where the tools act, and how far commands may go.
struct Place {
  std::shared_ptr<const sandbox::Workspace> workspace{};
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

/// `repair_json`: the tolerant reader as a tool, for who has damaged JSON in hand; not one of tools(). Its first text
/// is a JSON object that satisfies the schema repair_json_output(), unless it is an error without one. `regexes` must
/// outlive it. A text, or a result, of more than `most_bytes` is an error.
std::expected<tool::Tool, std::string> repair_json(const schema::Regexes* regexes = nullptr,
                                                   std::size_t most_bytes = 4u << 20);
std::string_view repair_json_output();

/// What a call of write_to_file or apply_diff would change now, for a person who has to approve of it: a unified diff,
/// whole, or a sentence where there is none to show. `arguments` is JSON text. Empty for other tools. Changes nothing.
std::string preview(const sandbox::Workspace& workspace, std::string_view tool, std::string_view arguments);

}  // namespace BELAY_NAMESPACE::builtin
