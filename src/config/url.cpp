#include "url.h"

#include <arpa/inet.h>

#include <algorithm>
#include <charconv>
#include <optional>

namespace BELAY_NAMESPACE::config {
namespace {

constexpr std::uint32_t kOllamaPort = 11434;

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

bool is_name(std::string_view host) {
  return !host.empty() && host.size() <= 253 && std::ranges::all_of(host, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '_';
  });
}

bool is_ipv6(const std::string& host) {
  in6_addr address{};
  return host.size() > 2 && host.front() == '[' && host.back() == ']' &&
         ::inet_pton(AF_INET6, host.substr(1, host.size() - 2).c_str(), &address) == 1;
}

std::optional<std::uint32_t> port_from(std::string_view text) {
  std::uint32_t port = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, code] = std::from_chars(text.data(), end, port);
  if (code != std::errc{} || rest != end || port == 0 || port > 65535) return std::nullopt;
  return port;
}

std::uint32_t usual_port(std::string_view scheme) { return scheme == "https" ? 443 : 80; }

}  // namespace

std::string Url::origin() const { return scheme + "://" + host + ":" + std::to_string(port); }

std::string Url::text() const {
  return scheme + "://" + host + (port == usual_port(scheme) ? "" : ":" + std::to_string(port)) + path;
}

bool Url::loopback() const {
  if (host == "localhost" || host.ends_with(".localhost")) return true;
  in_addr four{};
  if (::inet_pton(AF_INET, host.c_str(), &four) == 1) return (ntohl(four.s_addr) >> 24) == 127;
  in6_addr six{};
  return is_ipv6(host) && ::inet_pton(AF_INET6, host.substr(1, host.size() - 2).c_str(), &six) == 1 &&
         IN6_IS_ADDR_LOOPBACK(&six);
}

std::expected<Url, std::string> url_from(std::string_view text) {
  auto wrong = [](std::string_view message) { return std::unexpected(std::string(message)); };
  Url url;
  const std::size_t colon = text.find("://");
  if (colon == std::string_view::npos) return wrong("expected a URL that begins with https:// or http://");
  url.scheme = lower(text.substr(0, colon));
  if (url.scheme != "http" && url.scheme != "https")
    return wrong("expected a URL that begins with https:// or http://");
  if (std::ranges::any_of(text, [](char c) { return c <= ' ' || c == 0x7F || c == '\\'; }))
    return wrong("expected a URL without spaces, backslashes and control characters");
  std::string_view rest = text.substr(colon + 3);
  if (rest.find_first_of("?#") != std::string_view::npos) return wrong("expected a URL without ? and #");
  const std::size_t slash = std::min(rest.find('/'), rest.size());
  std::string_view authority = rest.substr(0, slash);
  if (authority.find('@') != std::string_view::npos)
    return wrong("expected a URL without a user or a key in it; name the key by key_env");
  url.path = rest.substr(slash);
  while (url.path.ends_with('/')) url.path.pop_back();

  const std::size_t bracket = authority.rfind(']');
  const std::size_t port = authority.find(':', bracket == std::string_view::npos ? 0 : bracket);
  url.host = lower(authority.substr(0, port));
  url.port = usual_port(url.scheme);
  if (port != std::string_view::npos) {
    const auto number = port_from(authority.substr(port + 1));
    if (!number) return wrong("expected a port from 1 to 65535 behind the host");
    url.port = *number;
  }
  if (!is_name(url.host) && !is_ipv6(url.host))
    return wrong("expected the name of a host (ASCII), or an address (IPv6 in brackets)");
  return url;
}

std::expected<Url, std::string> url_from_ollama_host(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '"' || text.front() == '\'')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '"' || text.back() == '\'')) text.remove_suffix(1);
  const bool schemed = text.find("://") != std::string_view::npos;
  std::string whole = schemed ? std::string(text) : "http://" + std::string(text);
  const std::size_t at = whole.find("://") + 3;
  const std::size_t end = std::min(whole.find('/', at), whole.size());
  std::string authority = whole.substr(at, end - at);
  // An IPv6 address alone has colons, and no port.
  if (is_ipv6("[" + authority + "]")) authority = "[" + authority + "]";
  if (authority.empty() || authority.front() == ':') authority.insert(0, "127.0.0.1");
  const std::size_t bracket = authority.rfind(']');
  const bool has_port = authority.find(':', bracket == authority.npos ? 0 : bracket) != authority.npos;
  whole.replace(at, end - at, authority);
  auto url = url_from(whole);
  if (!url) return url;
  if (!schemed && !has_port) url->port = kOllamaPort;
  if (url->host == "0.0.0.0") url->host = "127.0.0.1";
  if (url->host == "[::]") url->host = "[::1]";
  return url;
}

}  // namespace BELAY_NAMESPACE::config
