#include "mcp/http_exchange.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace BELAY_NAMESPACE::mcp {
namespace {

constexpr std::size_t kGlimpse = 64 * 1024;  // of a body that is only looked at to say what it was

}  // namespace

struct HttpExchange::Sink final : sse::Sink {
  std::vector<StreamEvent> events;
  std::optional<std::uint64_t> retry;
  void on_event(const sse::Event& e) override {
    events.push_back({std::string(e.data), std::string(e.event), std::string(e.id)});
  }
  void on_retry(std::uint64_t ms) override { retry = ms; }
  // Servers begin a stream so, to be asked for the rest of it.
  void on_id(std::string_view id) override { events.push_back({"", "", std::string(id)}); }
};

std::string_view HttpExchange::content_type() const {
  std::string_view type = net::find(head_.headers, "content-type").value_or("");
  type = type.substr(0, type.find(';'));
  while (type.ends_with(' ')) type.remove_suffix(1);
  return type;
}

void HttpExchange::on_head(const net::Head& head) {
  head_ = head;
  auto is = [&](std::string_view wanted) {
    return std::ranges::equal(content_type(), wanted,
                              [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; });
  };
  if (!fine()) {
    body_ = Body::other;
  } else if (is("text/event-stream")) {
    body_ = Body::stream;
    sink_ = std::make_shared<Sink>();
    Limits limits;
    limits.event_bytes = limit_;
    decoder_.emplace(*sink_, sse::Framing::sse, limits);
  } else if (is("application/json")) {
    body_ = Body::json;
  } else {
    body_ = head.status == 202 || head.status == 204 ? Body::nothing : Body::other;
  }
}

bool HttpExchange::on_bytes(std::string_view bytes, std::vector<StreamEvent>& events) {
  if (body_ == Body::json) {
    if (text_.size() + bytes.size() > limit_) return false;
    text_ += bytes;
  } else if (body_ == Body::stream) {
    decoder_->push(bytes);
    if (decoder_->trouble() != sse::Trouble::none) return false;
  } else {
    text_ += bytes.substr(0, kGlimpse - std::min(kGlimpse, text_.size()));
  }
  if (!sink_) return true;
  events = std::exchange(sink_->events, {});
  if (sink_->retry) retry_ = sink_->retry;
  if (!events.empty()) {
    had_events_ = true;
    attempts = 0;
    last_id_ = events.back().id;
  }
  return true;
}

void HttpExchange::on_end(bool broken, std::vector<StreamEvent>& events) {
  if (!decoder_) return;
  decoder_->finish(broken ? sse::Ended::reset : sse::Ended::eof);
  events = std::exchange(sink_->events, {});
  if (!events.empty()) last_id_ = events.back().id;
}

}  // namespace BELAY_NAMESPACE::mcp
