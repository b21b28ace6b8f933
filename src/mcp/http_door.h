// Who may come in over HTTP, and with what. Pure: a request in, a refusal or the facts out.
#pragma once

#include <belay/mcp/types.h>
#include <belay/net/server.h>

#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace BELAY_NAMESPACE::mcp {

/// What is answered instead.
struct Refusal {
  int status = 400;
  std::int64_t code = kInvalidRequest;
  std::string why;
  std::vector<net::Header> headers{};
};

/// A request that may be looked at.
struct Visit {
  enum class Kind : std::uint8_t { post, get, remove };
  Kind kind = Kind::post;
  std::string session;                ///< Mcp-Session-Id; empty for none
  std::optional<Version> version{};   ///< MCP-Protocol-Version
  bool json = false, events = false;  ///< what the client accepts
};

/// In this order: the path (404), the host and the page that it is for (403), the token (401), the method (405), what
/// is sent (415) and accepted (406), the version (400).
std::expected<Visit, Refusal> at_the_door(const net::ServerRequest& request, std::string_view token);

/// True for localhost, 127.0.0.0/8 and ::1, with or without a port.
bool is_this_machine(std::string_view host);
/// Takes the same time for all texts of one length.
bool same_secret(std::string_view a, std::string_view b);
/// The first of that name; empty for none.
std::string_view header_of(const net::ServerRequest& request, std::string_view name);

}  // namespace BELAY_NAMESPACE::mcp
