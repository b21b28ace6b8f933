#include "net/request_reader.h"

#include "net/headers.h"

#include <utility>  // Boost 1.74 needs it, and does not include it

#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>

#include <algorithm>
#include <limits>

namespace BELAY_NAMESPACE::net {
namespace {

namespace http = boost::beast::http;

int refusal_of(const boost::system::error_code& error) {
  if (error == http::error::header_limit) return 431;
  if (error == http::error::body_limit) return 413;
  return 400;
}

std::string copy(boost::beast::string_view text) { return {text.data(), text.size()}; }

// What a head that the parser lets pass is refused for, or 0. A coding of the body that is not read here leaves open
// where the next request begins (RFC 9112, 6.1).
template <class Head>
int flaw_of(const Head& head) {
  if (head.version() >= 11 && head.count(http::field::host) != 1) return 400;
  const auto codings = head.count(http::field::transfer_encoding);
  if (codings > 1 || (codings == 1 && !same_name(copy(head[http::field::transfer_encoding]), "chunked"))) return 501;
  return 0;
}

}  // namespace

struct RequestReader::State {
  http::request_parser<http::string_body> parser;
  bool asked = false;  // whether wants_continue() has been answered
  bool shown = false;  // whether new_head() has given it
};

RequestReader::RequestReader(std::uint64_t head_bytes, std::uint64_t body_bytes)
    : head_bytes_(head_bytes), body_bytes_(body_bytes) {}

RequestReader::~RequestReader() = default;

RequestReader::Step RequestReader::push(std::string_view bytes) {
  Step step;
  if (!state_) {
    // Line ends before a request are for robustness passed over (RFC 9112, 2.2).
    while (step.taken < bytes.size() && (bytes[step.taken] == '\r' || bytes[step.taken] == '\n')) ++step.taken;
    if (step.taken == bytes.size()) return step;
    state_ = std::make_unique<State>();
    state_->parser.eager(true);
    state_->parser.header_limit(
        static_cast<std::uint32_t>(std::min<std::uint64_t>(head_bytes_, std::numeric_limits<std::uint32_t>::max())));
    state_->parser.body_limit(body_bytes_);
  }
  auto& parser = state_->parser;
  boost::system::error_code error;
  while (step.taken < bytes.size() && !parser.is_done()) {
    const std::size_t used =
        parser.put(boost::asio::const_buffer(bytes.data() + step.taken, bytes.size() - step.taken), error);
    step.taken += used;
    if (error == http::error::need_more) {
      error = {};
      if (used == 0 || !parser.is_header_done()) break;
    } else if (error) {
      step.refused = refusal_of(error);
      return step;
    }
  }
  // The parser looks at the limit when a head is complete or the bytes run out; more than this is never one.
  if (!parser.is_header_done() && bytes.size() - step.taken > head_bytes_) step.refused = 431;
  if (parser.is_header_done() && step.refused == 0) step.refused = flaw_of(parser.get());
  step.complete = step.refused == 0 && parser.is_done();
  return step;
}

bool RequestReader::wants_continue() {
  if (!state_ || state_->asked || !state_->parser.is_header_done()) return false;
  state_->asked = true;
  const auto& head = state_->parser.get();
  return head.version() >= 11 && !state_->parser.is_done() &&
         same_name(copy(head[http::field::expect]), "100-continue");
}

bool RequestReader::has_head() const { return state_ && state_->parser.is_header_done(); }

std::optional<ServerRequest> RequestReader::new_head() {
  if (!state_ || state_->shown || !state_->parser.is_header_done() || state_->parser.is_done()) return std::nullopt;
  state_->shown = true;
  const auto& message = state_->parser.get();
  ServerRequest out;
  out.method = copy(message.method_string());
  out.target = copy(message.target());
  for (const auto& field : message) out.headers.push_back({copy(field.name_string()), copy(field.value())});
  return out;
}

RequestReader::Complete RequestReader::take() {
  auto message = state_->parser.release();
  state_.reset();
  Complete out;
  out.request.method = copy(message.method_string());
  out.request.target = copy(message.target());
  for (const auto& field : message) out.request.headers.push_back({copy(field.name_string()), copy(field.value())});
  out.request.body = std::move(message.body());
  out.http10 = message.version() < 11;
  out.keep_alive = message.keep_alive();
  return out;
}

}  // namespace BELAY_NAMESPACE::net
