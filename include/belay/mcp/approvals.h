// What a person has approved: servers that a workspace names, and the tools of servers as they were then. An edge.
#pragma once

#include <belay/mcp/types.h>

#include <cstdint>
#include <expected>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace BELAY_NAMESPACE::mcp {

/// What a tool is known again by: name, description, schemas and annotations. 64 hexadecimal digits.
std::string hash_of(const ToolDefinition& tool);

/// What a server shows at one moment.
struct Offer {
  std::vector<ToolDefinition> tools;
  std::string instructions;
};

/// How something that a server shows compares to what a person has approved of it.
enum class Standing : std::uint8_t {
  unknown,   ///< nothing of the kind was ever approved of this server: it is taken as it is
  approved,  ///< it is exactly that
  changed,   ///< it was something else
  added,     ///< a tool that was not there when others were approved
};

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

  /// `server` is the hash of its server here, too. Instructions that are empty put nothing before anybody: approved.
  [[nodiscard]] Standing standing(std::string_view server, const ToolDefinition& tool) const;
  [[nodiscard]] Standing standing(std::string_view server, std::string_view instructions) const;
  /// None of it has changed or was added.
  [[nodiscard]] bool holds(std::string_view server, const Offer& offer) const;

  void approve_server(std::string_view file, std::string_view name, std::string_view hash);
  void approve_tool(std::string_view server, std::string_view name, std::string_view hash);
  void approve_offer(std::string_view server, const Offer& offer);
  /// Changes the file: reads it again, applies the change, writes it as a whole. Other processes wait meanwhile.
  std::expected<void, std::string> update(const std::function<void(Approvals&)>& change);

 private:
  [[nodiscard]] std::string text() const;
  std::string path_;
  std::map<std::pair<std::string, std::string>, std::string, std::less<>> servers_, tools_;
  std::map<std::string, std::string, std::less<>> instructions_;  // of servers, by their hashes: the hash of the text
};

}  // namespace BELAY_NAMESPACE::mcp
