#include "net/session.h"

#include "net/time_limit.h"

#include <algorithm>

namespace BELAY_NAMESPACE::net {
namespace {

constexpr std::size_t kAhead = 64u << 10;  // bytes of further requests that are read during an answer
constexpr std::chrono::milliseconds kLinger{2'000};
/// What a handler gets. The outbox outlives it for as long as bytes are on their way.
class Handle final : public Responder {
 public:
  explicit Handle(std::shared_ptr<Outbox> outbox) : outbox_(std::move(outbox)) {}
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() override {
    if (!outbox_->ended()) outbox_->reset();
  }
  void head(int status, std::vector<Header> headers) override { outbox_->head(status, std::move(headers)); }
  void write(std::string bytes) override { outbox_->write(bytes); }
  void end() override { outbox_->end(); }
  void reset() override { outbox_->reset(); }
  [[nodiscard]] std::size_t waiting() const override { return outbox_->waiting(); }
  [[nodiscard]] bool closed() const override { return outbox_->closed(); }
  void on_closed(std::function<void()> gone) override { outbox_->on_closed(std::move(gone)); }

 private:
  std::shared_ptr<Outbox> outbox_;
};

}  // namespace

Session::Session(Socket socket, std::string peer, Shared& shared, std::function<void(Session*)> over)
    : socket_(std::move(socket)),
      timer_(socket_.get_executor()),
      peer_(std::move(peer)),
      shared_(shared),
      over_(std::move(over)),
      reader_(shared.options.head_bytes, shared.options.body_bytes) {}

void Session::start() {
  boost::system::error_code ignored;
  socket_.non_blocking(true, ignored);
  socket_.set_option(asio::ip::tcp::no_delay(true), ignored);
  socket_.set_option(asio::socket_base::keep_alive(true), ignored);
  set_deadline(time_limit(std::min(shared_.options.head, shared_.options.idle)));
  wait_readable();
}

void Session::wait_readable() {
  if (reading_ || phase_ == Phase::closed) return;
  reading_ = true;
  socket_.async_wait(asio::socket_base::wait_read, [self = shared_from_this()](const boost::system::error_code& error) {
    self->reading_ = false;
    if (self->phase_ == Phase::closed) return;
    if (error) return self->close();
    self->on_readable();
  });
}

void Session::on_readable() {
  boost::system::error_code error;
  const std::size_t got = socket_.read_some(asio::buffer(shared_.scratch), error);
  if (error == asio::error::would_block || error == asio::error::interrupted) return wait_readable();
  if (error) {
    // Who has said all and reads on still gets the end of an answer that is complete on our side.
    const bool still_sends = phase_ == Phase::farewell || (outbox_ && outbox_->ended());
    if (error == asio::error::eof && still_sends && phase_ != Phase::lingering) return;
    return close();
  }
  if (phase_ == Phase::farewell || phase_ == Phase::lingering) return wait_readable();
  in_.append(shared_.scratch.data(), got);
  if (phase_ == Phase::request) read_requests();
  if (phase_ == Phase::answer && in_.size() > kAhead) return;  // until the answer is out
  wait_readable();
}

void Session::read_requests() {
  const bool had_begun = reader_.begun();
  const RequestReader::Step step = reader_.push(in_);
  if (!had_begun && reader_.begun()) {
    // Of the first request the time has begun already: bytes do not stretch it.
    if (heard_) set_deadline(time_limit(std::min(shared_.options.head, shared_.options.idle)));
    in_head_ = true;
  }
  if (in_head_ && (reader_.has_head() || step.complete)) {
    heard_ = true;
    in_head_ = false;
    set_deadline(time_limit(shared_.options.idle));
  }
  in_.erase(0, step.taken);
  if (step.refused != 0) return refuse(step.refused);
  if (step.complete) return dispatch();
  if (shared_.options.admit)
    if (const auto head = reader_.new_head(); head && !shared_.options.admit(*head)) {
      in_ = {};
      return dispatch(false);
    }
  if (reader_.wants_continue()) {
    constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
    out_ += kContinue;
    preamble_ += kContinue.size();
    flush();
  }
}

void Session::dispatch(bool whole) {
  RequestReader::Complete got = reader_.take();
  if (!whole) {
    got.request.body.clear();
    got.keep_alive = false;
  }
  got.request.peer = peer_;
  phase_ = Phase::answer;
  no_deadline();
  const AnswerForm form{.bare = got.request.method == "HEAD",
                        .http10 = got.http10,
                        .keep_alive = got.keep_alive,
                        .waiting_bytes = shared_.options.waiting_bytes};
  outbox_ = std::make_shared<Outbox>(form, shared_.loop, [weak = weak_from_this(), loop = shared_.loop] {
    loop->post([weak] {
      if (const auto self = weak.lock()) self->flush();
    });
  });
  const std::shared_ptr<Outbox> outbox = outbox_;
  const auto handle = std::make_shared<Handle>(outbox);
  try {
    shared_.handler(std::move(got.request), handle);
  } catch (...) {
    if (outbox->has_head()) return outbox->reset();
    answer(*handle, 500, "text/plain", "the server failed at this request; its log may say more\n");
  }
}

void Session::refuse(int status) {
  phase_ = Phase::farewell;
  in_ = {};
  const std::string text = refusal_text(status);
  out_ += text;
  preamble_ += text.size();
  set_deadline(kLinger);
  flush();
}

void Session::flush() {
  if (phase_ == Phase::closed || phase_ == Phase::lingering) return;
  Outbox::Taken taken;
  if (outbox_) {
    taken = outbox_->take();
    if (out_.empty())
      out_ = std::move(taken.bytes);
    else
      out_ += taken.bytes;
    keep_alive_ = taken.keep_alive;
  }
  if (taken.reset) return break_off();
  if (!send()) return;
  if (phase_ == Phase::farewell) return linger();
  if (taken.ended) answered();
}

bool Session::send() {
  if (writing_) return false;
  while (sent_ < out_.size()) {
    boost::system::error_code error;
    const std::size_t went = socket_.write_some(asio::buffer(out_.data() + sent_, out_.size() - sent_), error);
    if (error == asio::error::would_block || error == asio::error::interrupted) {
      if (phase_ == Phase::answer && deadline_ == Time::max()) set_deadline(time_limit(shared_.options.stall));
      wait_writable();
      return false;
    }
    if (error) {
      close();
      return false;
    }
    sent_ += went;
    const std::size_t uncounted = std::min(preamble_, went);
    preamble_ -= uncounted;
    if (outbox_) outbox_->sent(went - uncounted);
    if (phase_ == Phase::answer) no_deadline();
  }
  out_.clear();
  sent_ = 0;
  if (out_.capacity() > (64u << 10)) out_ = {};
  return true;
}

void Session::wait_writable() {
  writing_ = true;
  socket_.async_wait(asio::socket_base::wait_write,
                     [self = shared_from_this()](const boost::system::error_code& error) {
                       self->writing_ = false;
                       if (self->phase_ == Phase::closed) return;
                       if (error) return self->close();
                       self->flush();
                     });
}

void Session::answered() {
  outbox_->gone();
  outbox_.reset();
  if (!keep_alive_) return linger();
  phase_ = Phase::request;
  set_deadline(time_limit(shared_.options.idle));
  read_requests();
  wait_readable();
}

void Session::linger() {
  phase_ = Phase::lingering;
  boost::system::error_code ignored;
  socket_.shutdown(asio::socket_base::shutdown_send, ignored);
  set_deadline(kLinger);
  wait_readable();
}

void Session::break_off() {
  boost::system::error_code error;
  if (sent_ < out_.size()) socket_.write_some(asio::buffer(out_.data() + sent_, out_.size() - sent_), error);
  socket_.set_option(asio::socket_base::linger(true, 0), error);
  close();
}

void Session::shut() {
  if (phase_ == Phase::closed) return;
  if (outbox_) {
    Outbox::Taken taken = outbox_->take();
    out_.erase(0, std::exchange(sent_, 0));
    out_ += taken.bytes;
    boost::system::error_code error;
    std::size_t went = 0;
    if (!out_.empty()) went = socket_.write_some(asio::buffer(out_), error);
    const bool whole = taken.ended && went == out_.size();
    out_.clear();
    if (!whole) return break_off();
  }
  close();
}

void Session::close() {
  if (phase_ == Phase::closed) return;
  phase_ = Phase::closed;
  const auto self = shared_from_this();
  boost::system::error_code ignored;
  socket_.close(ignored);
  timer_.cancel(ignored);
  in_ = {};
  out_ = {};
  if (const auto outbox = std::move(outbox_)) outbox->gone();
  over_(this);
}

void Session::set_deadline(Duration from_now) {
  deadline_ = std::chrono::steady_clock::now() + from_now;
  if (deadline_ < armed_) arm_timer();
}

// A deadline that moves away is found when the timer rings; only one that comes nearer sets it anew.
void Session::arm_timer() {
  armed_ = deadline_;
  timer_.expires_at(deadline_);
  timer_.async_wait([weak = weak_from_this()](const boost::system::error_code& error) {
    const auto self = weak.lock();
    if (error || !self || self->phase_ == Phase::closed) return;
    self->armed_ = Time::max();
    self->on_deadline();
  });
}

void Session::on_deadline() {
  if (deadline_ == Time::max()) return;
  if (std::chrono::steady_clock::now() < deadline_) return arm_timer();
  deadline_ = Time::max();
  if (phase_ == Phase::request && reader_.begun()) return refuse(408);
  if (phase_ == Phase::answer) return break_off();
  close();
}

}  // namespace BELAY_NAMESPACE::net
