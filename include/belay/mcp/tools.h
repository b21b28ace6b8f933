// Remote tools as tools: named so that they hide nothing, checked like any other, and held to what was approved.
#pragma once

#include <belay/mcp/approvals.h>
#include <belay/mcp/servers.h>
#include <belay/mcp/tool_cache.h>
#include <belay/schema/regex.h>
#include <belay/tool.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace BELAY_NAMESPACE::mcp {

/// `server__tool`, of letters, digits, _ and -, 64 bytes at most. What cannot be written so is replaced, and a few
/// digits of a hash are added where something was. The server's part has no "__" in it: the first one separates them.
std::string tool_name(std::string_view server, std::string_view tool);
/// The text without control characters and characters that nobody sees; how many went is counted.
std::string visible_text(std::string_view text, std::size_t& removed);

/// Something about the tools that the person should see.
struct ToolNote {
  enum class Kind : std::uint8_t {
    unavailable,  ///< the server is not ready: `text` is its state and why
    renamed,      ///< the tool's own name could not stay
    refused,      ///< the tool is not offered: its schema cannot be used, its name is taken
    cleaned,      ///< something was cut or taken out of its description
    changed,      ///< not what was approved: it is offered as it was then, and not run; or it is left out
    list,         ///< about the server's list as a whole
  };
  Kind kind = Kind::list;
  std::string server, tool;  ///< tool: its own name; empty when it is about the server
  std::string text;          ///< one sentence; what the server said may be in it: show it with shown()
  bool operator==(const ToolNote&) const = default;
};
std::string_view name(ToolNote::Kind) noexcept;

/// Which tool is behind a name.
struct RemoteTool {
  std::string name;          ///< as models call it
  std::string server, tool;  ///< whose, and its own name
  std::string hash;          ///< of its definition: hash_of()
  bool changed = false;      ///< since it was approved
  bool operator==(const RemoteTool&) const = default;
};

struct RemoteTools {
  std::vector<tool::Tool> tools;
  std::vector<RemoteTool> origins;  ///< of the tools, in the same order
  std::vector<ToolNote> notes;
};

struct RemoteToolOptions {
  std::vector<std::string> taken{};  ///< names and aliases that are used already: those of the built-in tools
  const schema::Regexes* regexes = nullptr;
  Limits limits{};                             ///< for schemas of strangers
  std::size_t description_bytes = 8ull << 10;  ///< of one description
  /// What was approved. A tool of a server none of whose tools is in it is taken as it is. One that differs from what
  /// was approved is not run, and nothing that its server says of it now is put before a model.
  const Approvals* approvals = nullptr;
  /// The tools as they were when they were approved: what a model is told of one that has changed since. One that is
  /// not in it, or is there with another hash than the approved one, is offered without a word of its server's.
  const ToolCache* approved = nullptr;
  /// What servers had when they were last seen: offered for a server that has not listed anything yet.
  const ToolCache* cache = nullptr;
  /// The tool is called, and is another than the one that was offered, though it still takes the same: is it run as it
  /// is now? Called on the thread of the call, may wait for a person, until a stop. None: it is not run.
  std::function<bool(std::string_view server, const ToolDefinition& before, const ToolDefinition& now,
                     const std::stop_token& stop)>
      agrees{};
  /// A tool that is not what was approved counts as one that only reads: all that its call does is to say that it is
  /// not run, and nobody needs to be asked about that.
  bool refuse_unasked = false;
};

/// The tools of all servers that have listed any, now or (by the cache) when they were last seen: a tool of a server
/// that is down answers "unavailable" and why, and works again when the server is there again. Their effect is
/// `execute`, unless the config trusts the server's annotations and they say read-only. No schema is fetched from
/// anywhere. A tool whose definition becomes another later, while the server runs, is not run. The tools keep the
/// servers alive.
RemoteTools remote_tools(const std::shared_ptr<Servers>& servers, const RemoteToolOptions& options = {});

/// What a server shows now; empty for one that is not there.
Offer offer_of(const Servers& servers, std::string_view server);
/// Approves of all tools of a server as they are now. Where a person was shown what they approve of, that is what
/// Approvals::approve_offer() should get: the server may have changed it since.
std::expected<void, std::string> approve_tools(Approvals& approvals, const Servers& servers, std::string_view server);

}  // namespace BELAY_NAMESPACE::mcp
