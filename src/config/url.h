// Base URLs: read strictly, since they say where keys go.
#pragma once

#include <belay/version.h>

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

namespace BELAY_NAMESPACE::config {

struct Url {
  std::string scheme;  ///< http or https
  std::string host;    ///< lower case; an IPv6 address in its brackets
  std::uint32_t port = 0;
  std::string path{};  ///< empty, or /...; without a slash at its end

  /// Scheme, host and port: what a key is bound to.
  [[nodiscard]] std::string origin() const;
  /// As it is written: without the scheme's own port.
  [[nodiscard]] std::string text() const;
  /// True for localhost and addresses of this machine, and for no name that only looks so.
  [[nodiscard]] bool loopback() const;
  bool operator==(const Url&) const = default;
};

/// http or https, a host, perhaps a port and a path; no user, query or fragment. The error says what is wrong and does
/// not cite the URL, which may hold a password.
std::expected<Url, std::string> url_from(std::string_view text);
/// OLLAMA_HOST as ollama reads it: `host`, `host:port`, `:port`, `scheme://host:port/path`. An address that means every
/// interface is that of this machine.
std::expected<Url, std::string> url_from_ollama_host(std::string_view text);

}  // namespace BELAY_NAMESPACE::config
