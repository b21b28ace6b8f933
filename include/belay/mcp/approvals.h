// What a person has approved: servers that a workspace names, and the tools of servers as they were then. An edge.
#pragma once

#include <belay/mcp/types.h>

#include <expected>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace belay::mcp {

/// What a tool is known again by: name, description, schemas and annotations. 64 hexadecimal digits.
std::string hash_of(const ToolDefinition& tool);

/// Kept in one file, which only its owner can read. A value: load it, look things up, change it with update().
class Approvals {
 public:
  /// Nothing is approved, and nothing is kept.
  Approvals() = default;
  /// A file that is not there is empty. The error is one sentence; a damaged file approves of nothing.
  static std::expected<Approvals, std::string> load(std::string path);

  /// Exactly this definition, from this file.
  [[nodiscard]] bool server(std::string_view file, std::string_view name, std::string_view hash) const;
  /// The tool's hash when it was approved; nothing when it was never seen. `server` is the hash of its server.
  [[nodiscard]] std::optional<std::string> tool(std::string_view server, std::string_view name) const;

  void approve_server(std::string_view file, std::string_view name, std::string_view hash);
  void approve_tool(std::string_view server, std::string_view name, std::string_view hash);
  /// Changes the file: reads it again, applies the change, writes it as a whole. Other processes wait meanwhile.
  std::expected<void, std::string> update(const std::function<void(Approvals&)>& change);

 private:
  [[nodiscard]] std::string text() const;
  std::string path_;
  std::map<std::pair<std::string, std::string>, std::string, std::less<>> servers_, tools_;
};

}  // namespace belay::mcp
