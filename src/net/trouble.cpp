#include "net/trouble.h"

#include "net/headers.h"

#include <cerrno>
#include <memory>
#include <optional>
#include <system_error>

namespace BELAY_NAMESPACE::net {
namespace {

using Kind = Error::Kind;

struct FreeUrl {
  void operator()(CURLU* url) const { curl_url_cleanup(url); }
};

std::string part(CURLU* url, CURLUPart which, unsigned flags = 0) {
  char* text = nullptr;
  if (curl_url_get(url, which, &text, flags) != CURLUE_OK || !text) return {};
  std::string copy(text);
  curl_free(text);
  return copy;
}

// A time as a person says it.
std::string span(std::int64_t milliseconds) {
  if (milliseconds % 1000 == 0) return std::to_string(milliseconds / 1000) + " s";
  return std::to_string(milliseconds) + " ms";
}

std::string reason(long os_error, std::string_view otherwise) {
  return os_error == 0 ? std::string(otherwise) : std::generic_category().message(static_cast<int>(os_error));
}

// "Failed to connect to HOST port N after ...": with a proxy, HOST is the proxy.
std::string connected_to(std::string_view detail, const std::string& host) {
  constexpr std::string_view kBegin = "Failed to connect to ", kPort = " port ";
  if (!detail.starts_with(kBegin)) return host;
  detail.remove_prefix(kBegin.size());
  const std::size_t port = detail.find(kPort);
  if (port == std::string_view::npos) return host;
  const std::string_view name = detail.substr(0, port);
  detail.remove_prefix(port + kPort.size());
  const std::string number(detail.substr(0, detail.find_first_not_of("0123456789")));
  const std::string bracketed = name.contains(':') ? "[" + std::string(name) + "]" : std::string(name);
  if (bracketed + ":" + number == host) return host;
  return host + " through the proxy " + bracketed + ":" + number;
}

// A handshake that the other end broke off is no verdict about certificates.
bool broke_off_in_handshake(std::string_view detail) {
  return detail.contains("SSL_connect: ") || detail.contains("unexpected eof") || detail.contains("Recv failure") ||
         detail.contains("Send failure");
}

Error tls_error(const Outcome& o, const Place& place) {
  if (o.code == CURLE_SSL_CONNECT_ERROR && broke_off_in_handshake(o.detail))
    return {Kind::connection,
            place.host +
                " broke off the connection during the TLS handshake: try again, or look at the proxy and the "
                "server between here and there"};
  if (o.code == CURLE_SSL_CACERT_BADFILE)
    return {Kind::tls, "cannot reach " + place.host +
                           ": the file of trusted certificates cannot be read; look at the setting of the CA file, "
                           "SSL_CERT_FILE and CURL_CA_BUNDLE, or install ca-certificates"};
  if (o.code == CURLE_PEER_FAILED_VERIFICATION)
    return {Kind::tls, place.host + " was not trusted (" + std::string(o.detail) +
                           "): if it should be, name its CA's certificate by the setting of the CA file or "
                           "SSL_CERT_FILE, and use the host name that the certificate is for"};
  if (o.detail.contains("wrong version number") || o.detail.contains("packet length too long"))
    return {Kind::tls, place.host +
                           " does not speak TLS on this port: use http:// if the server is meant to be "
                           "plain, or the port of its TLS"};
  return {Kind::tls, "no TLS with " + place.host + " (" + std::string(o.detail) +
                         "): look at the versions and certificates that the server offers"};
}

Error proxy_refusal(const Outcome& o, const Place& place) {
  std::string remedy = "look at HTTPS_PROXY and NO_PROXY";
  if (o.proxy_status == 407) remedy = "give its user and password in HTTPS_PROXY";
  return {Kind::connection,
          "the proxy answered " + std::to_string(o.proxy_status) + " when asked for " + place.host + ": " + remedy};
}

}  // namespace

std::string_view name(Kind kind) noexcept {
  switch (kind) {
    case Kind::url: return "url";
    case Kind::resolve: return "resolve";
    case Kind::connection: return "connection";
    case Kind::tls: return "tls";
    case Kind::timeout: return "timeout";
    case Kind::too_large: return "too_large";
    case Kind::protocol: return "protocol";
    case Kind::cancelled: return "cancelled";
  }
  return "connection";
}

std::expected<Place, Error> place_of(const std::string& url) {
  const auto refuse = [](std::string_view why) {
    return std::unexpected(Error{Kind::url, "the address of the request " + std::string(why) +
                                                ": it must be like http://host:port/path or https://host/path"});
  };
  if (url.find('\0') != std::string::npos) return refuse("has a NUL in it");
  const std::size_t slashes = url.find("//");
  if (url.find("///") == slashes && slashes != url.npos) return refuse("names no host");  // libcurl would find one
  const std::unique_ptr<CURLU, FreeUrl> parsed(curl_url());
  if (!parsed) return refuse("cannot be read, out of memory");
  const CURLUcode code = curl_url_set(parsed.get(), CURLUPART_URL, url.c_str(), CURLU_NON_SUPPORT_SCHEME);
  if (code == CURLUE_BAD_PORT_NUMBER) return refuse("has a port that is no number from 0 to 65535");
  if (code == CURLUE_NO_HOST) return refuse("names no host");
  if (code == CURLUE_BAD_SCHEME) return refuse("does not begin with http:// or https://");
  if (code != CURLUE_OK) return refuse("cannot be read");
  const std::string scheme = part(parsed.get(), CURLUPART_SCHEME);
  if (scheme != "http" && scheme != "https") return refuse("is neither http nor https");
  const std::string host = part(parsed.get(), CURLUPART_HOST);
  if (host.empty()) return refuse("names no host");
  return Place{host + ":" + part(parsed.get(), CURLUPART_PORT, CURLU_DEFAULT_PORT), scheme == "https"};
}

std::optional<Error> refusal(const Request& request, const Place& place) {
  const auto refuse = [&](std::string_view why) {
    return Error{Kind::url, "the request to " + place.host + " cannot be sent: " + std::string(why)};
  };
  if (!is_token(request.method)) return refuse("its method must be one word, like POST");
  if (request.method == "HEAD" && !request.body.empty()) return refuse("a HEAD has no body; use POST");
  for (const Header& header : request.headers) {
    if (!is_token(header.name))
      return refuse(
          "a header's name is empty or has a character that names cannot have; look at the configured headers");
    if (!is_value(header.value))
      return refuse("the value of a header has a line break or a NUL in it; look for one at the end of a key");
    if (same_name(header.name, "content-length") || same_name(header.name, "transfer-encoding"))
      return refuse("content-length and transfer-encoding follow from the body; leave them out of the headers");
  }
  return std::nullopt;
}

Error from_curl(const Outcome& o, const Place& place, const Timeouts& timeouts) {
  const std::string& host = place.host;
  if (o.proxy_status >= 300) return proxy_refusal(o, place);
  switch (o.code) {
    case CURLE_URL_MALFORMAT:
      return {Kind::url, "the address of " + host + " cannot be read: it must be like http://host:port/path"};
    case CURLE_COULDNT_RESOLVE_PROXY:
      return {Kind::resolve,
              "the name of the proxy to " + host + " is not known: look at HTTP_PROXY, HTTPS_PROXY and ALL_PROXY",
              false};
    case CURLE_COULDNT_RESOLVE_HOST:
      return {Kind::resolve, "the name of " + host + " is not known: look for a typing error, and at the network",
              false};
    case CURLE_COULDNT_CONNECT:
      return {Kind::connection,
              "cannot connect to " + connected_to(o.detail, host) + " (" + reason(o.os_error, "no connection") +
                  "): is the server running, and are host and port right?",
              false};
    case CURLE_OPERATION_TIMEDOUT: return timed_out(Clock::connect, timeouts.connect, place);
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CIPHER:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_ENGINE_NOTFOUND:
    case CURLE_SSL_ENGINE_SETFAILED:
    case CURLE_SSL_ENGINE_INITFAILED:
    case CURLE_SSL_CRL_BADFILE:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_INVALIDCERTSTATUS:
    case CURLE_SSL_CLIENTCERT:
    case CURLE_PEER_FAILED_VERIFICATION: return tls_error(o, place);
    case CURLE_GOT_NOTHING:
      return {Kind::connection,
              host + " closed the connection without an answer: look at the server's log, or try again"};
    case CURLE_RECV_ERROR:
      if (o.detail.contains("chunked-encoding"))
        return {Kind::protocol, "the chunks of " + host +
                                    "'s answer are damaged: try again, or look at the proxy between here and there"};
      [[fallthrough]];
    case CURLE_PARTIAL_FILE:
    case CURLE_SEND_ERROR:
    case CURLE_HTTP2_STREAM:
      return {Kind::connection, host + " broke off the connection " +
                                    (o.has_head ? "in the middle of its answer" : "before its answer") + " (" +
                                    reason(o.os_error, "no end of it came") + "): try again"};
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_WEIRD_SERVER_REPLY:
      return {Kind::protocol, "what " + host + " answers is not HTTP: look at the port, and at http or https"};
    case CURLE_BAD_CONTENT_ENCODING:
      return {Kind::protocol, "the answer of " + host +
                                  " cannot be unpacked, its content-encoding is damaged or unknown: try again, or look "
                                  "at the proxy between here and there"};
    case CURLE_OUT_OF_MEMORY:
      if (!o.has_head) return head_too_large(place);
      [[fallthrough]];
    default:
      return {Kind::protocol, "the exchange with " + host + " failed (" + curl_easy_strerror(o.code) +
                                  "): try again, or look at the server"};
  }
}

Error timed_out(Clock which, std::int64_t milliseconds, const Place& place) {
  const std::string time = span(milliseconds);
  switch (which) {
    case Clock::connect:
      return {Kind::timeout, "no connection to " + place.host + " within " + time +
                                 ": is it reachable from here? The connect time-out can be raised"};
    case Clock::idle:
      return {Kind::timeout, place.host + " sent nothing for " + time +
                                 ": it may be overloaded; the idle time-out (--idle-timeout) can be raised"};
    case Clock::progress:
      return {Kind::timeout, place.host + " sent signs of life, and nothing of its answer, for " + time +
                                 ": it may be overloaded; the idle time-out (--idle-timeout) can be raised"};
    case Clock::total: break;
  }
  return {Kind::timeout,
          place.host + " did not end its answer within " + time + ": ask for less, or raise the total time-out"};
}

Error too_large(std::uint64_t max_bytes, const Place& place) {
  return {Kind::too_large, "the answer of " + place.host + " has more than " + std::to_string(max_bytes) +
                               " bytes: ask for less, or raise max_bytes"};
}

Error head_too_large(const Place& place) {
  return {Kind::protocol, "the headers of " + place.host + "'s answer are too large (more than " +
                              std::to_string(kAnswerHeadBytes >> 10) +
                              " KiB, or a line of 100 KB): look at the server, this limit is fixed"};
}

Error encoding_cut(const Place& place) {
  return {Kind::protocol, "the answer of " + place.host +
                              " came to its end, but what is packed in it did not: try again, or look at the proxy "
                              "between here and there"};
}

Error not_repeated(const Place& place) {
  return {Kind::connection, place.host +
                                " closed the connection when the request was already out, and whether it was acted on "
                                "is not known: send it again if it may be done twice"};
}

Error cancelled(const Place& place) {
  return {Kind::cancelled, "the request to " + place.host + " was cancelled; send it again to have an answer"};
}

}  // namespace BELAY_NAMESPACE::net
