// `belay mcp serve`: Belay's own tools for other agents.
#pragma once

#include <belay/config.h>
#include <belay/mcp/serve.h>
#include <belay/sandbox.h>

#include "exit_code.h"
#include "io.h"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace belay::cli {

struct ServeMcpOptions {
  bool help = false;
  std::string workspace = ".";
  std::optional<std::string> address;  ///< --http: where; nothing: over standard input and output
  std::uint16_t port = 0;
  std::string token_file;  ///< empty: one in the data folder
  config::Flags flags{};   ///< --permission-mode, --allow, --ask, --deny, --sandbox, --network
  bool insist = false;
  mcp::ServeLimits limits{};
  std::size_t repair_bytes = 4u << 20;
  std::uint64_t message_depth = mcp::CodecLimits{}.depth;
  sandbox::WorkspaceLimits file_limits{};
  sandbox::CommandLimits command_limits{};
};
std::expected<ServeMcpOptions, std::string> parse_serve_mcp_options(std::span<const std::string> arguments);
Exit serve_mcp(const ServeMcpOptions& options, Output& out, Output& err);

/// The tools, and the gate before them, ready to be offered.
class ServedTools {
 public:
  /// The error is one sentence.
  static std::expected<std::shared_ptr<const ServedTools>, std::string> make(const ServeMcpOptions& options,
                                                                             config::Config& config);
  virtual ~ServedTools() = default;
  [[nodiscard]] virtual std::vector<mcp::OfferedTool> offered() const = 0;
  [[nodiscard]] virtual std::string instructions() const = 0;
  /// Thread-safe.
  [[nodiscard]] virtual mcp::CallOutcome carry(const mcp::ServedCall& call) const = 0;
};

}  // namespace belay::cli
