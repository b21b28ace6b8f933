#include "net/transfer.h"

#include "net/time_limit.h"

#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <utility>

namespace BELAY_NAMESPACE::net {
namespace {

// libcurl's sockets would live on in every program that is started meanwhile.
curl_socket_t open_socket(void*, curlsocktype, struct curl_sockaddr* address) {
  return ::socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

long as_long(std::int64_t number) { return static_cast<long>(number); }

}  // namespace

Transfer::Transfer(Client::Id id, Request request, std::shared_ptr<Receiver> receiver)
    : id_(id),
      request_(std::move(request)),
      receiver_(std::move(receiver)),
      started_(std::chrono::steady_clock::now()),
      last_byte_(started_),
      waiting_since_(started_) {}

bool Transfer::prepare(const Manner& manner) {
  auto place = place_of(request_.url);
  if (!place) {
    failure_ = place.error();
    return false;
  }
  place_ = std::move(*place);
  failure_ = refusal(request_, place_);
  if (failure_) return false;
  easy_.reset(curl_easy_init());
  CURL* const e = easy_.get();
  if (!e || !add_headers()) {
    failure_ = from_curl({.code = CURLE_FAILED_INIT, .detail = {}}, place_, request_.timeouts);
    return false;
  }
  curl_easy_setopt(e, CURLOPT_PRIVATE, this);
  curl_easy_setopt(e, CURLOPT_URL, request_.url.c_str());
  curl_easy_setopt(e, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(e, CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(e, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_2TLS));
  curl_easy_setopt(e, CURLOPT_USERAGENT, manner.user_agent.c_str());
  curl_easy_setopt(e, CURLOPT_HTTPHEADER, lines_.get());
  curl_easy_setopt(e, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  curl_easy_setopt(e, CURLOPT_ERRORBUFFER, detail_);
  curl_easy_setopt(e, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(e, CURLOPT_QUICK_EXIT, 1L);  // a name that takes long to resolve must not hold up a cancellation
  curl_easy_setopt(e, CURLOPT_TCP_NODELAY, 1L);
  curl_easy_setopt(e, CURLOPT_TCP_KEEPALIVE, 1L);
  curl_easy_setopt(e, CURLOPT_TCP_KEEPIDLE, 30L);
  curl_easy_setopt(e, CURLOPT_TCP_KEEPINTVL, 10L);
  curl_easy_setopt(e, CURLOPT_OPENSOCKETFUNCTION, open_socket);
  curl_easy_setopt(e, CURLOPT_CONNECTTIMEOUT_MS, as_long(time_limit(request_.timeouts.connect).count()));
  curl_easy_setopt(e, CURLOPT_HEADERFUNCTION, on_header);
  curl_easy_setopt(e, CURLOPT_HEADERDATA, this);
  curl_easy_setopt(e, CURLOPT_WRITEFUNCTION, on_body);
  curl_easy_setopt(e, CURLOPT_WRITEDATA, this);
  curl_easy_setopt(e, CURLOPT_PREREQFUNCTION, on_connected);
  curl_easy_setopt(e, CURLOPT_PREREQDATA, this);
  if (request_.direct) curl_easy_setopt(e, CURLOPT_PROXY, "");
  if (!manner.ca_file.empty()) {
    curl_easy_setopt(e, CURLOPT_CAINFO, manner.ca_file.c_str());
    curl_easy_setopt(e, CURLOPT_CAPATH, nullptr);  // else the system's folder would be trusted as well
    curl_easy_setopt(e, CURLOPT_PROXY_CAINFO, manner.ca_file.c_str());
    curl_easy_setopt(e, CURLOPT_PROXY_CAPATH, nullptr);
  }
  set_method();
  return true;
}

bool Transfer::add_headers() {
  std::vector<std::string> lines{"Expect:"};
  // What libcurl would say of a body that it knows nothing about.
  if (!find(request_.headers, "content-type")) lines.emplace_back("Content-Type:");
  if (!find(request_.headers, "accept-encoding"))
    lines.push_back("Accept-Encoding: " + std::string(kAcceptedEncodings));
  for (const Header& header : request_.headers) {
    const std::string_view value = trimmed(header.value);
    lines.push_back(value.empty() ? header.name + ";" : header.name + ": " + std::string(value));
  }
  for (const std::string& line : lines) {
    curl_slist* const longer = curl_slist_append(lines_.get(), line.c_str());
    if (!longer) return false;
    (void)lines_.release();  // it is a part of the longer one
    lines_.reset(longer);
  }
  return true;
}

void Transfer::set_method() {
  CURL* const e = easy_.get();
  const std::string& method = request_.method;
  if (method == "HEAD") {
    curl_easy_setopt(e, CURLOPT_NOBODY, 1L);
    return;
  }
  const bool says_length = method == "POST" || method == "PUT" || method == "PATCH";
  if (says_length || !request_.body.empty()) {
    curl_easy_setopt(e, CURLOPT_POST, 1L);
    curl_easy_setopt(e, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request_.body.size()));
    curl_easy_setopt(e, CURLOPT_POSTFIELDS, request_.body.c_str());
    if (method != "POST") curl_easy_setopt(e, CURLOPT_CUSTOMREQUEST, method.c_str());
  } else if (method != "GET") {
    curl_easy_setopt(e, CURLOPT_CUSTOMREQUEST, method.c_str());
  }
}

// Called before the request goes out, and again when libcurl wants to repeat it, because a connection that it used
// again was closed by the other end. Only what may be done twice goes out twice.
int Transfer::on_connected(void* self, char*, char*, int, int) noexcept {
  Transfer& t = *static_cast<Transfer*>(self);
  const std::string& method = t.request_.method;
  long sent = 0;
  curl_easy_getinfo(t.easy(), CURLINFO_REQUEST_SIZE, &sent);
  const bool repeatable = t.request_.repeatable || method == "GET" || method == "HEAD";
  if (t.connected_ && sent > 0 && !repeatable) {
    t.failure_ = not_repeated(t.place_);
    return CURL_PREREQFUNC_ABORT;
  }
  t.connected_ = true;
  t.last_byte_ = std::chrono::steady_clock::now();
  return CURL_PREREQFUNC_OK;
}

std::size_t Transfer::on_header(char* bytes, std::size_t, std::size_t size, void* self) noexcept {
  Transfer& t = *static_cast<Transfer*>(self);
  t.last_byte_ = t.waiting_since_ = std::chrono::steady_clock::now();
  switch (t.head_.line({bytes, size})) {
    case HeadReader::Step::more: break;
    case HeadReader::Step::complete: {
      const Encoding encoding = encoding_of(find(t.head_.head().headers, "content-encoding").value_or(""));
      t.encoded_ = encoding != Encoding::identity;
      t.decoder_ = make_decoder(encoding);
      t.receiver_->on_head(t.head_.head());
      break;
    }
    case HeadReader::Step::too_large: t.failure_ = head_too_large(t.place_); return 0;
  }
  return size;
}

// After a pause libcurl gives the same bytes again; so a receiver that has had enough gets the bytes that made it say
// so, and the pause begins with the next ones.
std::size_t Transfer::on_body(char* bytes, std::size_t, std::size_t size, void* self) noexcept {
  Transfer& t = *static_cast<Transfer*>(self);
  if (size == 0) return 0;
  if (t.paused_) {
    t.held_ = true;
    return CURL_WRITEFUNC_PAUSE;
  }
  t.last_byte_ = std::chrono::steady_clock::now();
  t.any_body_ = true;
  if (t.encoded_) return t.take_encoded({bytes, size});
  return t.deliver({bytes, size}) ? size : 0;
}

// A pause may fall into the middle of what these bytes unpack to. Then libcurl keeps them, and what the decoder has had
// already is passed over when they come again. So nothing is held but the bytes as they came, and the end of the
// exchange cannot overtake them.
std::size_t Transfer::take_encoded(std::string_view bytes) {
  const std::size_t known = std::min(decoded_, bytes.size());
  std::size_t taken = known;
  while (true) {
    const Decoder::Step step = decoder_ ? decoder_->run(bytes.substr(taken)) : Decoder::Step{.damaged = true};
    taken += step.taken;
    if (!step.out.empty() && !deliver(step.out)) return 0;
    const bool stuck = step.taken == 0 && step.out.empty() && taken < bytes.size();
    if (step.damaged || stuck) {
      failure_ = from_curl({.code = CURLE_BAD_CONTENT_ENCODING, .detail = {}}, place_, request_.timeouts);
      return 0;
    }
    const bool more = step.more || taken < bytes.size();
    if (!more) break;
    if (paused_) {
      decoded_ = std::max(decoded_, taken);
      held_ = true;
      return CURL_WRITEFUNC_PAUSE;
    }
  }
  decoded_ -= known;
  return bytes.size();
}

bool Transfer::deliver(std::string_view bytes) {
  if (bytes.size() > request_.max_bytes - received_) {
    failure_ = too_large(request_.max_bytes, place_);
    return false;
  }
  received_ += bytes.size();
  paused_ = !receiver_->on_bytes(bytes);
  return true;
}

bool Transfer::resume(Time now) {
  if (!paused_) return true;
  paused_ = false;
  last_byte_ = waiting_since_ = now;
  if (!std::exchange(held_, false)) return true;
  const CURLcode code = curl_easy_pause(easy(), CURLPAUSE_CONT);  // gives the held bytes at once
  if (code == CURLE_OK) return true;
  if (!failure_) failure_ = outcome(code);
  return false;
}

void Transfer::note_progress(Time now) {
  curl_off_t up = 0, down = 0;
  curl_easy_getinfo(easy(), CURLINFO_SIZE_UPLOAD_T, &up);
  curl_easy_getinfo(easy(), CURLINFO_SIZE_DOWNLOAD_T, &down);
  if (up + down != std::exchange(progress_, up + down)) last_byte_ = now;
}

Time Transfer::quiet_since() const {
  const auto progress = any_body_ ? receiver_->last_progress() : std::nullopt;
  return progress ? std::max(*progress, waiting_since_) : last_byte_;
}

Time Transfer::deadline() const {
  const Time total = started_ + time_limit(request_.timeouts.total);
  return connected_ && !paused_ ? std::min(total, quiet_since() + time_limit(request_.timeouts.idle)) : total;
}

bool Transfer::expired(Time now) {
  if (connected_) note_progress(now);
  if (now < deadline()) return false;
  if (now >= started_ + time_limit(request_.timeouts.total))
    failure_ = timed_out(Clock::total, request_.timeouts.total, place_);
  else
    failure_ = timed_out(last_byte_ > quiet_since() ? Clock::progress : Clock::idle, request_.timeouts.idle, place_);
  return true;
}

std::optional<Error> Transfer::outcome(CURLcode code) const {
  if (failure_) return failure_;
  if (code == CURLE_OK && head_.complete()) {
    if (any_body_ && decoder_ && !decoder_->complete()) return encoding_cut(place_);
    return std::nullopt;
  }
  // For libcurl a head that breaks off is an answer.
  Outcome o{.code = code == CURLE_OK ? CURLE_PARTIAL_FILE : code, .detail = detail_};
  curl_easy_getinfo(easy(), CURLINFO_OS_ERRNO, &o.os_error);
  curl_easy_getinfo(easy(), CURLINFO_HTTP_CONNECTCODE, &o.proxy_status);
  o.has_head = head_.complete();
  return from_curl(o, place_, request_.timeouts);
}

void Transfer::end(const std::optional<Error>& error) {
  easy_.reset();
  const std::shared_ptr<Receiver> receiver = std::move(receiver_);
  receiver->on_end(error);
}

}  // namespace BELAY_NAMESPACE::net
