#include "net/outbox.h"

#include "net/headers.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <ctime>
#include <utility>

namespace BELAY_NAMESPACE::net {
namespace {

std::string_view reason_of(int status) {
  constexpr std::array<std::pair<int, std::string_view>, 30> kReasons{{
      {200, "OK"},
      {201, "Created"},
      {202, "Accepted"},
      {204, "No Content"},
      {206, "Partial Content"},
      {301, "Moved Permanently"},
      {302, "Found"},
      {303, "See Other"},
      {304, "Not Modified"},
      {307, "Temporary Redirect"},
      {308, "Permanent Redirect"},
      {400, "Bad Request"},
      {401, "Unauthorized"},
      {403, "Forbidden"},
      {404, "Not Found"},
      {405, "Method Not Allowed"},
      {406, "Not Acceptable"},
      {408, "Request Timeout"},
      {409, "Conflict"},
      {410, "Gone"},
      {413, "Content Too Large"},
      {415, "Unsupported Media Type"},
      {422, "Unprocessable Content"},
      {429, "Too Many Requests"},
      {431, "Request Header Fields Too Large"},
      {500, "Internal Server Error"},
      {501, "Not Implemented"},
      {502, "Bad Gateway"},
      {503, "Service Unavailable"},
      {504, "Gateway Timeout"},
  }};
  const auto* const found = std::ranges::find(kReasons, status, &std::pair<int, std::string_view>::first);
  return found != kReasons.end() ? found->second : "Status";
}

std::string status_line(int status) {
  return "HTTP/1.1 " + std::to_string(status) + " " + std::string(reason_of(status)) + "\r\n";
}

std::string date_line() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  constexpr std::array<const char*, 7> kDays{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  constexpr std::array<const char*, 12> kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  char text[32];  // by hand, since strftime would use the program's language
  std::strftime(text, sizeof text, " %Y %H:%M:%S GMT\r\n", &parts);
  const std::string day = (parts.tm_mday < 10 ? "0" : "") + std::to_string(parts.tm_mday);
  return std::string("Date: ") + kDays[static_cast<std::size_t>(parts.tm_wday)] + ", " + day + " " +
         kMonths[static_cast<std::size_t>(parts.tm_mon)] + text;
}

bool can_be_sent(const std::vector<Header>& headers) {
  return std::ranges::all_of(headers, [](const Header& h) { return is_token(h.name) && is_value(h.value); });
}

// What concerns the connection, not the answer, is ours to write.
bool is_ours(std::string_view name) {
  return same_name(name, "connection") || same_name(name, "keep-alive") || same_name(name, "transfer-encoding");
}

}  // namespace

std::string refusal_text(int status) {
  std::string_view why;
  switch (status) {
    case 408: why = "the request took too long; the server's option idle says how long it may take\n"; break;
    case 413: why = "the body is too large; the server's option body_bytes says how large it may be\n"; break;
    case 431: why = "the head is too large; the server's option head_bytes says how large it may be\n"; break;
    case 501: why = "the body has a Transfer-Encoding that is not read; send it as it is, or chunked\n"; break;
    case 503: why = "too many connections; the server's option connections says how many there may be\n"; break;
    default: why = "this is not an HTTP/1.1 request that can be read\n"; break;
  }
  return status_line(status) + date_line() +
         "Content-Type: text/plain\r\nContent-Length: " + std::to_string(why.size()) + "\r\nConnection: close\r\n\r\n" +
         std::string(why);
}

Outbox::Outbox(AnswerForm form, std::shared_ptr<Loop> loop, std::function<void()> wake)
    : form_(form), loop_(std::move(loop)), wake_(std::move(wake)), keep_alive_(form.keep_alive) {}

// NOLINTNEXTLINE(performance-unnecessary-value-param): as the interface has it
void Outbox::head(int status, std::vector<Header> headers) {
  const std::lock_guard guard(lock_);
  if (closed_ || reset_) return;
  if (has_head_) return break_locked();  // a mistake of the program's, which the other end must not take for an answer
  if (status < 200 || status > 999 || !can_be_sent(headers)) {
    head_locked(500, {{"Content-Length", "0"}});
    ended_ = true;
    return wake_locked();
  }
  head_locked(status, headers);
  wake_locked();
}

void Outbox::head_locked(int status, const std::vector<Header>& headers) {
  has_head_ = true;
  const bool no_body = status == 204 || status == 304;
  std::string text = status_line(status);
  bool dated = false, measured = false;
  for (const Header& header : headers) {
    if (same_name(header.name, "connection") && header.value.contains("close")) keep_alive_ = false;
    if (is_ours(header.name)) continue;
    if (same_name(header.name, "content-length")) {
      const std::string_view value = trimmed(header.value);
      const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), left_);
      if (status == 204 || measured || error != std::errc() || end != value.data() + value.size()) continue;
      measured = true;
    }
    dated = dated || same_name(header.name, "date");
    text.append(header.name).append(": ").append(trimmed(header.value)).append("\r\n");
  }
  if (!dated) text += date_line();
  if (form_.bare || no_body) {
    framing_ = Framing::none;
  } else if (measured) {
    framing_ = Framing::length;
  } else if (form_.http10) {
    framing_ = Framing::until_close;
    keep_alive_ = false;
  } else {
    framing_ = Framing::chunks;
    text += "Transfer-Encoding: chunked\r\n";
  }
  if (!keep_alive_)
    text += "Connection: close\r\n";
  else if (form_.http10)
    text += "Connection: keep-alive\r\n";
  put_locked(text += "\r\n");
}

void Outbox::put_locked(std::string_view bytes) {
  if (bytes.size() > form_.waiting_bytes || waiting_ > form_.waiting_bytes - bytes.size()) return break_locked();
  waiting_ += bytes.size();
  out_ += bytes;
}

void Outbox::break_locked() {
  reset_ = true;
  wake_locked();
}

void Outbox::wake_locked() {
  if (!std::exchange(woken_, true)) wake_();
}

void Outbox::write(std::string_view bytes) {
  const std::lock_guard guard(lock_);
  if (closed_ || reset_ || bytes.empty()) return;
  if (!has_head_ || ended_) return break_locked();
  switch (framing_) {
    case Framing::none: return;
    case Framing::length:
      if (bytes.size() > left_) return break_locked();
      left_ -= bytes.size();
      put_locked(bytes);
      break;
    case Framing::chunks: {
      char size[16];
      const char* const end = std::to_chars(size, size + sizeof size, bytes.size(), 16).ptr;
      out_.reserve(out_.size() + bytes.size() + 20);
      put_locked({size, static_cast<std::size_t>(end - size)});
      put_locked("\r\n");
      put_locked(bytes);
      put_locked("\r\n");
      break;
    }
    case Framing::until_close: put_locked(bytes); break;
  }
  wake_locked();
}

void Outbox::end() {
  std::function<void()> unused;  // destroyed without the lock: it may hold the last reference to anything
  const std::lock_guard guard(lock_);
  unused.swap(gone_);
  if (closed_ || reset_ || ended_) return;
  if (!has_head_ || (framing_ == Framing::length && left_ > 0)) return break_locked();
  if (framing_ == Framing::chunks) put_locked("0\r\n\r\n");
  ended_ = true;
  wake_locked();
}

void Outbox::reset() {
  const std::lock_guard guard(lock_);
  if (closed_ || reset_) return;
  break_locked();
}

void Outbox::on_closed(std::function<void()> gone) {
  {
    const std::lock_guard guard(lock_);
    if (ended_ || reset_) return;
    if (!closed_) {
      gone_.swap(gone);
      return;
    }
  }
  if (!loop_->post(gone)) gone();
}

bool Outbox::ended() const {
  const std::lock_guard guard(lock_);
  return ended_;
}

bool Outbox::has_head() const {
  const std::lock_guard guard(lock_);
  return has_head_;
}

Outbox::Taken Outbox::take() {
  const std::lock_guard guard(lock_);
  woken_ = false;
  return {std::exchange(out_, {}), ended_, reset_, keep_alive_};
}

void Outbox::gone() {
  std::function<void()> tell;
  bool own = false;
  {
    const std::lock_guard guard(lock_);
    closed_ = true;
    waiting_ = 0;
    out_ = {};
    tell.swap(gone_);  // in any case: it may hold the responder, which holds this
    own = ended_ || reset_;
  }
  if (tell && !own) tell();
}

}  // namespace BELAY_NAMESPACE::net
