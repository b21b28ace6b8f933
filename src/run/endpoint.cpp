#include <belay/run/agent.h>

namespace BELAY_NAMESPACE::run {
namespace {

std::string_view without_slashes(std::string_view url) {
  while (url.ends_with('/')) url.remove_suffix(1);
  return url;
}

// The wire's own path, unless the base already ends in its version.
std::string joined(std::string_view base, std::string_view version, std::string_view path) {
  base = without_slashes(base);
  std::string out(base);
  if (!base.ends_with(version)) out += version;
  return out += path;
}

// A model's name in a path: what could end the segment is escaped. A slash stays: `publishers/x/models/y` is a name.
std::string escaped(std::string_view text) {
  constexpr std::string_view kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/:@";
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    if (kPlain.find(c) != kPlain.npos) {
      out += c;
      continue;
    }
    const auto u = static_cast<unsigned char>(c);
    out += '%';
    out += kDigits[u >> 4];
    out += kDigits[u & 15];
  }
  return out;
}

// The host of a URL, without user and port.
std::string_view host_of(std::string_view url) {
  const std::size_t scheme = url.find("://");
  if (scheme != url.npos) url.remove_prefix(scheme + 3);
  url = url.substr(0, url.find_first_of("/?#"));
  if (const std::size_t at = url.rfind('@'); at != url.npos) url.remove_prefix(at + 1);
  if (url.starts_with('[')) return url.substr(0, url.find(']') + 1);
  return url.substr(0, url.find(':'));
}

bool on_this_machine(std::string_view url) {
  const std::string_view host = host_of(url);
  return host == "localhost" || host.ends_with(".localhost") || host.starts_with("127.") || host == "[::1]";
}

}  // namespace

std::string url_of(const Endpoint& endpoint, std::string_view model) {
  switch (endpoint.wire) {
    case wire::Wire::openai_chat: return joined(endpoint.base_url, "", "/chat/completions");
    case wire::Wire::openai_responses: return joined(endpoint.base_url, "", "/responses");
    case wire::Wire::anthropic: return joined(endpoint.base_url, "/v1", "/messages");
    case wire::Wire::ollama: return joined(endpoint.base_url, "/api", "/chat");
    case wire::Wire::gemini:
      return joined(endpoint.base_url, without_slashes(endpoint.base_url).ends_with("/v1") ? "/v1" : "/v1beta",
                    "/models/" + escaped(model) + ":streamGenerateContent?alt=sse");
  }
  return endpoint.base_url;
}

net::Request request_to(const Endpoint& endpoint, const chat::Request& body) {
  net::Request out;
  out.url = url_of(endpoint, body.model);
  out.timeouts = endpoint.timeouts;
  // Asked twice, a model does nothing that it would not do asked once.
  out.repeatable = true;
  // A proxy is another host, and a key must not reach it in clear.
  out.direct = on_this_machine(endpoint.base_url);
  // An answer takes about ten times its bytes in memory while it is read, shown and kept.
  out.max_bytes = 128ull << 20;
  out.headers.push_back({"content-type", "application/json"});
  out.headers.push_back({"accept", "text/event-stream, application/x-ndjson, application/json"});
  if (endpoint.wire == wire::Wire::anthropic) out.headers.push_back({"anthropic-version", "2023-06-01"});
  if (!endpoint.key.empty()) {
    if (endpoint.wire == wire::Wire::anthropic && !endpoint.bearer)
      out.headers.push_back({"x-api-key", endpoint.key});
    else if (endpoint.wire == wire::Wire::gemini)
      out.headers.push_back({"x-goog-api-key", endpoint.key});
    else
      out.headers.push_back({"authorization", "Bearer " + endpoint.key});
  }
  // The person's own come last and win.
  for (const net::Header& header : endpoint.headers) {
    std::erase_if(out.headers, [&](const net::Header& h) { return net::find({h}, header.name).has_value(); });
    out.headers.push_back(header);
  }
  chat::Request streamed = body;
  streamed.stream = true;
  out.body = wire::encode_request(endpoint.wire, streamed);
  return out;
}

}  // namespace BELAY_NAMESPACE::run
