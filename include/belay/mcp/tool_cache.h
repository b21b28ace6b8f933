// The tools that servers had when they were last seen: what a model can be told while a server is down. An edge.
#pragma once

#include <belay/mcp/types.h>

#include <cstddef>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace BELAY_NAMESPACE::mcp {

/// One file for each definition of a server, for its owner only. Safe for several processes: a file is written as a
/// whole or not at all. What is damaged counts as absent.
class ToolCache {
 public:
  struct Limits {
    std::size_t bytes = 1ull << 20;  ///< of one server's tools; a longer list is not kept
    std::size_t servers = 64;        ///< whose tools are kept; the one that was written longest ago goes first
  };
  /// The folder need not exist. Empty: nothing is kept.
  explicit ToolCache(std::string folder = {}) : ToolCache(std::move(folder), Limits{}) {}
  ToolCache(std::string folder, Limits limits) : folder_(std::move(folder)), limits_(limits) {}

  /// `server` is ServerConfig::hash. Empty when nothing is known.
  [[nodiscard]] std::vector<ToolDefinition> load(std::string_view server) const;
  /// Nothing is written when the same is there already. The error is one sentence.
  std::expected<void, std::string> keep(std::string_view server, const std::vector<ToolDefinition>& tools) const;

 private:
  [[nodiscard]] std::string path_of(std::string_view server) const;
  void thin_out() const;
  std::string folder_;
  Limits limits_;
};

}  // namespace BELAY_NAMESPACE::mcp
