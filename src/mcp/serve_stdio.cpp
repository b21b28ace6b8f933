#include <belay/mcp/serve.h>

#include "mcp/call_pool.h"
#include "mcp/server_lines.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

namespace BELAY_NAMESPACE::mcp {
namespace {

using Clock = std::chrono::steady_clock;

// The session, and what is on its way out; used by the thread that reads and writes, and by those of the pool.
class StdioServing {
 public:
  StdioServing(const ServeOptions& options, int in, int out)
      : options_(options),
        in_(in),
        out_(out),
        wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
        session_(with_limits(options)),
        lines_(options.limits.line_bytes),
        pool_(std::make_unique<CallPool>(options.carry, options.limits)) {}
  StdioServing(const StdioServing&) = delete;
  StdioServing& operator=(const StdioServing&) = delete;
  ~StdioServing() {
    {
      const std::lock_guard guard(lock_);
      closed_ = true;
      session_.close();
      perform();
    }
    room_.notify_all();
    pool_.reset();
    if (wake_ >= 0) ::close(wake_);
  }

  std::expected<void, std::string> run(const std::stop_token& stop) {
    if (wake_ < 0) return std::unexpected("no descriptor is left to wait with: " + std::string(std::strerror(errno)));
    const std::stop_callback wakes(stop, [this] { wake(); });
    while (!stop.stop_requested()) {
      const auto now = Clock::now();
      if (ended_ && (all_is_said() || now >= deadline_)) {
        if (all_is_said() || stopped_) return {};
        stopped_ = true;  // what became of them is still said, to who takes it
        deadline_ = now + std::chrono::milliseconds(options_.limits.idle_ms);
        pool_->stop_all();
      }
      if (auto went = wait_once(); !went) return std::unexpected(std::move(went.error()));
      if (reader_gone_) return {};
    }
    return {};
  }

 private:
  static ServerSessionOptions with_limits(const ServeOptions& options) {
    ServerSessionOptions out = options.session;
    out.limits = options.limits.session;
    return out;
  }

  std::expected<void, std::string> wait_once() {
    bool room = false, waits = false;
    {
      const std::lock_guard guard(lock_);
      room = queue_.size() - sent_ < options_.limits.queue_bytes;
      waits = sent_ < queue_.size();
    }
    // What is not to be read is not polled at all: its end would be reported again and again.
    pollfd fds[3] = {{wake_, POLLIN, 0}, {out_, static_cast<short>(waits ? POLLOUT : 0), 0}, {in_, POLLIN, 0}};
    const nfds_t count = ended_ || !room ? 2 : 3;
    int timeout = -1;
    if (ended_)
      timeout = static_cast<int>(std::clamp<std::int64_t>(
          std::chrono::duration_cast<std::chrono::milliseconds>(deadline_ - Clock::now()).count() + 1, 0, 60'000));
    if (::poll(fds, count, timeout) < 0 && errno != EINTR)
      return std::unexpected("cannot wait for standard input: " + std::string(std::strerror(errno)));
    if ((fds[0].revents & POLLIN) != 0) {
      std::uint64_t times = 0;
      while (::read(wake_, &times, sizeof times) < 0 && errno == EINTR) {
      }
    }
    // A pipe that nobody reads is an error, a socket has hung up: that would be reported again and again.
    if ((fds[1].revents & (POLLERR | POLLNVAL | POLLHUP)) != 0) reader_gone_ = true;
    if ((fds[1].revents & POLLOUT) != 0) write_some();
    if (count == 3 && fds[2].revents != 0 && !reader_gone_) return read_some();
    return {};
  }

  std::expected<void, std::string> read_some() {
    char buffer[64 * 1024];
    const ssize_t got = ::read(in_, buffer, sizeof buffer);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) return {};
    if (got < 0 && errno == ECONNRESET) {  // it went without reading what was there for it
      reader_gone_ = true;
      return {};
    }
    if (got < 0) return std::unexpected("cannot read standard input: " + std::string(std::strerror(errno)));
    const std::lock_guard guard(lock_);
    const auto line = [&](std::string_view text) {
      session_.on_text(text);
      perform();
    };
    if (got == 0) {
      lines_.finish(line);
      ended_ = true;
      deadline_ = Clock::now() + std::chrono::milliseconds(options_.limits.grace_ms);
      return {};
    }
    lines_.push({buffer, static_cast<std::size_t>(got)}, line, [&] {
      put(encode_error({}, kInvalidRequest,
                       "a message is longer than " + std::to_string(options_.limits.line_bytes) +
                           " bytes, which is the limit line_bytes: it was passed over; belay mcp serve --limit "
                           "line_bytes=N raises it"));
    });
    return {};
  }

  // As much as a pipe takes for certain when it is ready, so that this never blocks.
  void write_some() {
    constexpr std::size_t kPiece = 4096;
    std::unique_lock lock(lock_);
    const std::string_view left = std::string_view(queue_).substr(sent_, kPiece);
    const ssize_t went = ::write(out_, left.data(), left.size());
    if (went < 0) {
      if (errno != EINTR && errno != EAGAIN) reader_gone_ = true;
      return;
    }
    sent_ += static_cast<std::size_t>(went);
    if (sent_ == queue_.size() || sent_ > (1u << 20)) {
      queue_.erase(0, sent_);
      sent_ = 0;
      if (queue_.empty() && queue_.capacity() > (1u << 20)) std::string().swap(queue_);
    }
    const bool room = queue_.size() - sent_ < options_.limits.queue_bytes;
    lock.unlock();
    if (room) room_.notify_all();
  }

  bool all_is_said() {
    const std::lock_guard guard(lock_);
    return session_.calls() == 0 && sent_ == queue_.size();
  }

  // With the lock.
  void put(std::string_view text) {
    queue_ += text;
    queue_ += '\n';
  }
  void perform() {
    for (std::vector<ServerOutput> outputs = session_.take(); !outputs.empty(); outputs = session_.take())
      for (ServerOutput& output : outputs) {
        if (const auto* say = std::get_if<Say>(&output)) put(say->text);
        if (auto* begin = std::get_if<BeginCall>(&output)) start(std::move(*begin));
        if (const auto* end = std::get_if<EndCall>(&output))
          if (const auto key = keys_.extract(end->call)) pool_->stop(key.mapped());
      }
    wake();
  }
  void start(BeginCall begin) {
    CallPool::Job job{std::move(begin.tool), std::move(begin.arguments), begin.progress};
    job.done = [this, call = begin.call](const CallOutcome& outcome) {
      std::unique_lock lock(lock_);
      keys_.erase(call);
      session_.on_done(call, outcome);
      perform();
      // Who does not read its answers gets no more of them, and memory stays bounded.
      if (std::this_thread::get_id() == writer_) return;  // it is the one that makes room
      room_.wait(lock, [this] { return closed_ || queue_.size() - sent_ < options_.limits.queue_bytes; });
    };
    job.progressed = [this, call = begin.call](double seconds, const std::string& line) {
      const std::lock_guard guard(lock_);
      if (queue_.size() - sent_ >= options_.limits.queue_bytes)
        return;  // nobody reads it; there is more where it came from
      session_.on_progress(call, seconds, line);
      perform();
    };
    job.log = [this, call = begin.call](LogLevel level, std::string_view text) {
      const std::lock_guard guard(lock_);
      session_.on_log(call, level, text);
      perform();
    };
    auto key = pool_->start(std::move(job));
    if (key)
      keys_[begin.call] = *key;
    else
      session_.on_refused(begin.call, key.error());
  }

  void wake() const {
    const std::uint64_t one = 1;
    if (::write(wake_, &one, sizeof one) < 0) return;  // it is readable already
  }

  const ServeOptions& options_;
  const int in_, out_, wake_;
  const std::thread::id writer_ = std::this_thread::get_id();
  bool ended_ = false, stopped_ = false, reader_gone_ = false;  // of the thread that reads and writes
  Clock::time_point deadline_{};

  std::mutex lock_;  // for all below but the pool
  std::condition_variable room_;
  ServerSession session_;
  ServerLines lines_;
  std::map<CallNumber, CallPool::Key> keys_;
  std::string queue_;
  std::size_t sent_ = 0;  // of the queue
  bool closed_ = false;
  std::unique_ptr<CallPool> pool_;
};

}  // namespace

std::expected<void, std::string> serve_stdio(const ServeOptions& options, int in, int out,
                                             const std::stop_token& stop) {
  StdioServing serving(options, in, out);
  return serving.run(stop);
}

}  // namespace BELAY_NAMESPACE::mcp
