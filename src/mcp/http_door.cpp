#include "mcp/http_door.h"

#include "mcp/lower.h"
#include "net/headers.h"

#include <algorithm>
#include <cctype>

namespace BELAY_NAMESPACE::mcp {
namespace {

std::string media_type(std::string_view text) { return lower(net::trimmed(text.substr(0, text.find(';')))); }

// The host of `http://host:port`; empty when it is no such origin.
std::string_view host_of_origin(std::string_view origin) {
  for (std::string_view scheme : {"http://", "https://"})
    if (origin.starts_with(scheme)) return origin.substr(scheme.size());
  return {};
}

std::optional<Refusal> stranger(const net::ServerRequest& request) {
  std::size_t hosts = 0;
  for (const net::Header& header : request.headers) {
    if (net::same_name(header.name, "host")) {
      ++hosts;
      if (!is_this_machine(header.value))
        return Refusal{403, kInvalidRequest,
                       "Host has to be localhost, 127.0.0.1 or [::1]: another name may be a trick"};
    }
    if (net::same_name(header.name, "origin") && !is_this_machine(host_of_origin(header.value)))
      return Refusal{403, kInvalidRequest, "pages of other machines may not use this server (Origin)"};
  }
  if (hosts != 1) return Refusal{403, kInvalidRequest, "one Host header is needed"};
  return std::nullopt;
}

bool bears(const net::ServerRequest& request, std::string_view token) {
  const std::string_view given = header_of(request, "authorization");
  const std::size_t space = given.find(' ');
  return space != given.npos && lower(given.substr(0, space)) == "bearer" &&
         same_secret(net::trimmed(given.substr(space + 1)), token);
}

void read_accept(const net::ServerRequest& request, Visit& visit) {
  bool any = false;
  for (const net::Header& header : request.headers) {
    if (!net::same_name(header.name, "accept")) continue;
    any = true;
    for (std::string_view rest = header.value; !rest.empty();) {
      const std::size_t end = std::min(rest.find(','), rest.size());
      const std::string type = media_type(rest.substr(0, end));
      visit.json |= type == "*/*" || type == "application/*" || type == "application/json";
      visit.events |= type == "*/*" || type == "text/*" || type == "text/event-stream";
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  if (!any) visit.json = visit.events = true;  // RFC 9110: whoever says nothing accepts anything
}

}  // namespace

std::string_view header_of(const net::ServerRequest& request, std::string_view name) {
  for (const net::Header& header : request.headers)
    if (net::same_name(header.name, name)) return net::trimmed(header.value);
  return {};
}

bool is_this_machine(std::string_view host) {
  std::string_view name = host;
  std::string_view port;
  if (host.starts_with('[')) {
    const std::size_t end = host.find(']');
    if (end == host.npos) return false;
    name = host.substr(0, end + 1);
    port = host.substr(end + 1);
  } else if (const std::size_t colon = host.find(':'); colon != host.npos) {
    name = host.substr(0, colon);
    port = host.substr(colon);
  }
  if (!port.empty() && (port.front() != ':' || port.size() > 6 ||
                        !std::ranges::all_of(port.substr(1), [](unsigned char c) { return std::isdigit(c) != 0; })))
    return false;
  const std::string known = lower(name);
  if (known == "localhost" || known == "[::1]") return true;
  // 127.x.y.z, four numbers: a name such as 127.evil.example is none.
  if (!known.starts_with("127.")) return false;
  int dots = 0, number = 0;
  std::size_t digits = 0;
  for (char c : known) {
    if (c == '.') {
      if (digits == 0) return false;
      ++dots;
      digits = 0;
      number = 0;
    } else {
      if (c < '0' || c > '9') return false;
      ++digits;
      number = number * 10 + (c - '0');
      if (digits > 3 || number > 255) return false;
    }
  }
  return dots == 3 && digits > 0;
}

bool same_secret(std::string_view a, std::string_view b) {
  // The length alone may be told by the time that it takes.
  unsigned differs = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const unsigned char other = b.empty() ? 0 : static_cast<unsigned char>(b[i % b.size()]);
    differs |= static_cast<unsigned>(static_cast<unsigned char>(a[i]) ^ other);
  }
  return differs == 0 && !b.empty();
}

std::expected<Visit, Refusal> at_the_door(const net::ServerRequest& request, std::string_view token) {
  const std::string_view path = std::string_view(request.target).substr(0, request.target.find('?'));
  if (path != "/mcp") return std::unexpected(Refusal{404, kInvalidRequest, "there is nothing here but /mcp"});
  if (auto no = stranger(request)) return std::unexpected(*std::move(no));
  if (std::ranges::count_if(request.headers,
                            [](const net::Header& header) { return net::same_name(header.name, "authorization"); }) > 1)
    return std::unexpected(Refusal{400, kInvalidRequest, "one Authorization header is enough: which counts?"});
  if (!bears(request, token))
    return std::unexpected(
        Refusal{401,
                kInvalidRequest,
                "the header Authorization: Bearer TOKEN is needed, with the token that belay mcp serve "
                "showed when it began",
                {{"WWW-Authenticate", "Bearer realm=\"belay\""}}});
  Visit out;
  if (request.method == "POST")
    out.kind = Visit::Kind::post;
  else if (request.method == "GET")
    out.kind = Visit::Kind::get;
  else if (request.method == "DELETE")
    out.kind = Visit::Kind::remove;
  else
    return std::unexpected(
        Refusal{405, kInvalidRequest, "POST, GET and DELETE are understood here", {{"Allow", "POST, GET, DELETE"}}});
  if (out.kind == Visit::Kind::post && media_type(header_of(request, "content-type")) != "application/json")
    return std::unexpected(Refusal{415, kInvalidRequest, "the Content-Type of a message is application/json"});
  read_accept(request, out);
  if (out.kind == Visit::Kind::get && !out.events)
    return std::unexpected(Refusal{406, kInvalidRequest, "a GET opens a stream: Accept has to have text/event-stream"});
  if (out.kind == Visit::Kind::post && !out.json && !out.events)
    return std::unexpected(Refusal{406, kInvalidRequest, "Accept has to have application/json and text/event-stream"});
  if (const std::string_view said = header_of(request, "mcp-protocol-version"); !said.empty()) {
    out.version = version_named(said);
    if (!out.version)
      return std::unexpected(Refusal{400, kInvalidRequest,
                                     "MCP-Protocol-Version is none of 2026-07-28, 2025-11-25, 2025-06-18, 2025-03-26 "
                                     "and 2024-11-05"});
  }
  out.session = header_of(request, "mcp-session-id");
  return out;
}

}  // namespace BELAY_NAMESPACE::mcp
