// What went wrong with an exchange, in one sentence. Only the host and the port of an address are ever named: its path,
// its query and its userinfo may hold keys.
#pragma once

#include <belay/net/client.h>

#include <curl/curl.h>

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

namespace BELAY_NAMESPACE::net {

/// Where a request goes.
struct Place {
  std::string host;  ///< `host:port`
  bool tls = false;
};
std::expected<Place, Error> place_of(const std::string& url);
/// What cannot be sent: a method or a header with a line break in it, ...
std::optional<Error> refusal(const Request& request, const Place& place);

/// What is known when libcurl gives up.
struct Outcome {
  CURLcode code = CURLE_OK;
  long os_error = 0;
  long proxy_status = 0;    ///< what a proxy said to CONNECT
  std::string_view detail;  ///< libcurl's text; taken from only where it is known what it can hold
  bool has_head = false;    ///< an answer had begun
};
Error from_curl(const Outcome& outcome, const Place& place, const Timeouts& timeouts);

enum class Clock : std::uint8_t { connect, idle, progress, total };
Error timed_out(Clock which, std::int64_t milliseconds, const Place& place);
Error too_large(std::uint64_t max_bytes, const Place& place);
Error head_too_large(const Place& place);
Error encoding_cut(const Place& place);
Error not_repeated(const Place& place);
Error cancelled(const Place& place);

}  // namespace BELAY_NAMESPACE::net
