// What went wrong with an exchange, in words.
#include "mcp/http_exchange.h"

#include <utility>

namespace BELAY_NAMESPACE::mcp {
namespace {

std::string beginning(std::string_view text) {
  const std::size_t from = text.find_first_not_of(" \t\r\n");
  if (from == text.npos) return {};
  text = text.substr(from, 200);
  return ": " + std::string(text.substr(0, text.find('\n')));
}

// What happened, without the advice to send it again, which is for requests that may be sent twice.
std::string facts_of(const net::Error& error) {
  std::string out = error.message;
  for (const std::string_view advice : {": try again", ", or try again", ": send it again"})
    if (const std::size_t at = out.find(advice); at != out.npos) out.resize(at);
  return out;
}

}  // namespace

// A stream is resumed when its request has been taken already: whatever goes wrong then, it may have been carried out.
Failure failure_of(const HttpExchange& exchange, const std::optional<net::Error>& error) {
  const bool resumed = exchange.use() == HttpExchange::Use::resume;
  if (error) return {Failure::Kind::transport, facts_of(*error), 0, error->reached || resumed};
  if (exchange.body() == HttpExchange::Body::nothing)
    return {Failure::Kind::garbage,
            "it accepted the request (HTTP " + std::to_string(exchange.status()) + ") and gave no answer", 0, true};
  if (exchange.body() != HttpExchange::Body::other)
    return {Failure::Kind::garbage, "its answer ended before there was a result", 0, true};
  std::string type(exchange.content_type().substr(0, 80));
  if (type.empty()) type = "no content type";
  return {Failure::Kind::garbage,
          "it answered with " + type + " in place of JSON or a stream" + beginning(exchange.text()), 0, true};
}

Failure status_failure(const HttpExchange& exchange, const std::string& place) {
  const int status = exchange.status();
  std::string message = "HTTP " + std::to_string(status);
  if (status == 401 || status == 403) {
    message += ": it wants authorization; put it into \"headers\" of the server in " + place;
  } else if (const auto to = net::find(exchange.head().headers, "location"); to && status >= 300 && status < 400) {
    message += ": it redirects to " + std::string(to->substr(0, 200)) +
               ", which is not followed; if that is right, put it into \"url\" of the server";
  } else {
    message += beginning(exchange.text());
  }
  return {Failure::Kind::transport, std::move(message), status,
          status >= 500 || exchange.use() == HttpExchange::Use::resume};
}

}  // namespace BELAY_NAMESPACE::mcp
