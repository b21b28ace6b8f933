// A server on the other ends of three pipes.
#include "mcp/lines.h"
#include "mcp/place.h"
#include "mcp/process.h"
#include "mcp/transport.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <deque>
#include <utility>

namespace BELAY_NAMESPACE::mcp {
namespace {

constexpr std::size_t kPiece = 64 * 1024;
constexpr std::size_t kTurn = 4 << 20;     // bytes of a stream in one turn; then it is somebody else's
constexpr Session::Time kLastWords = 300;  // between the end of its output and the end of itself

class StdioTransport final : public Transport {
 public:
  StdioTransport(const ServerConfig& config, Environment environment)
      : config_(config), environment_(std::move(environment)), lines_(config.transport.line_bytes) {}

  std::expected<void, std::string> open(Time) override {
    auto process = Process::start(config_, environment_);
    if (!process) return std::unexpected(process.error());
    process_ = std::make_unique<Process>(std::move(*process));
    return {};
  }

  void send(Send message, Time now) override {
    if (stage_ != Stage::open || !process_->input) return;
    if (queued_ + message.text.size() + 1 > config_.transport.queue_bytes) {
      if (message.request != 0) refused_.push_back(message.request);
      return;
    }
    if (queue_.empty()) write_since_ = now;
    queued_ += message.text.size() + 1;
    queue_.push_back(std::move(message.text) + "\n");
    write_some(now);
  }

  void add_polls(std::vector<pollfd>& polls) const override {
    polls.push_back({queue_.empty() ? -1 : process_->input.get(), POLLOUT, 0});
    polls.push_back({process_->output.get(), POLLIN, 0});
    polls.push_back({process_->errors.get(), POLLIN, 0});
    polls.push_back({stage_ == Stage::gone ? -1 : process_->ended(), POLLIN, 0});
  }

  void turn(std::span<const pollfd> polled, Time now, Arrivals& arrivals) override {
    for (std::uint64_t request : std::exchange(refused_, {}))
      arrivals.exchange_failed(request, {Failure::Kind::refused,
                                         "more than " + std::to_string(config_.transport.queue_bytes) +
                                             " bytes wait until the server reads them (limit queue_bytes)",
                                         0});
    if (polled.size() == 4) {
      if (polled[2].revents != 0) read_errors();
      if (polled[1].revents != 0) read_output(now, arrivals);
      if (polled[0].revents != 0) write_some(now);
      if (polled[3].revents != 0) has_ended(now, arrivals);
    }
    on_time(now, arrivals);
  }

  [[nodiscard]] std::optional<Time> deadline() const override {
    if (stage_ == Stage::gone) return std::nullopt;
    if (stage_ == Stage::open && output_over_) return output_over_;
    if (stage_ == Stage::open) {
      if (!refused_.empty()) return 0;
      if (queue_.empty()) return std::nullopt;
      return write_since_ + config_.transport.write_ms;
    }
    return stage_since_ + config_.transport.grace_ms;
  }

  void close(Time now) override {
    if (stage_ != Stage::open) return;
    if (!process_) {
      stage_ = Stage::gone;
      return;
    }
    process_->input = sandbox::Handle();
    queue_.clear();
    stage_ = Stage::input_closed;
    stage_since_ = now;
  }
  [[nodiscard]] bool gone() const override { return stage_ == Stage::gone || !process_; }
  [[nodiscard]] std::string diagnosis() const override { return errors_; }

 private:
  enum class Stage : std::uint8_t { open, input_closed, terminated, killed, gone };

  void write_some(Time now) {
    while (!queue_.empty() && process_->input) {
      const std::string_view rest = std::string_view(queue_.front()).substr(written_);
      const ssize_t n = ::write(process_->input.get(), rest.data(), rest.size());
      if (n < 0 && errno == EINTR) continue;
      if (n < 0 && errno == EAGAIN) return;
      if (n < 0) {  // nobody reads any more; how it ended comes by another way
        queue_.clear();
        queued_ = 0;
        process_->input = sandbox::Handle();
        return;
      }
      write_since_ = now;
      queued_ -= static_cast<std::size_t>(n);
      written_ += static_cast<std::size_t>(n);
      if (written_ == queue_.front().size()) {
        queue_.pop_front();
        written_ = 0;
      }
    }
  }

  // Read whether anybody wants it or not: a server must not stop because its log is full.
  void read_errors() {
    std::array<char, kPiece> buffer;
    for (std::size_t total = 0; total < kTurn;) {
      const ssize_t n = ::read(process_->errors.get(), buffer.data(), buffer.size());
      if (n < 0 && errno == EINTR) continue;
      if (n < 0 && errno == EAGAIN) return;
      if (n <= 0) {
        process_->errors = sandbox::Handle();
        return;
      }
      total += static_cast<std::size_t>(n);
      const std::size_t most = config_.transport.stderr_bytes;
      errors_.append(buffer.data(), static_cast<std::size_t>(n));
      if (errors_.size() > 2 * most) errors_.erase(0, errors_.size() - most);
    }
    const std::size_t most = config_.transport.stderr_bytes;
    if (errors_.size() > most) errors_.erase(0, errors_.size() - most);
  }

  void read_output(Time now, Arrivals& arrivals) {
    std::array<char, kPiece> buffer;
    for (std::size_t total = 0; total < kTurn && process_->output;) {
      const ssize_t n = ::read(process_->output.get(), buffer.data(), buffer.size());
      if (n < 0 && errno == EINTR) continue;
      if (n < 0 && errno == EAGAIN) return;
      if (n <= 0) {
        process_->output = sandbox::Handle();
        if (stage_ == Stage::open && !output_over_) output_over_ = now + kLastWords;
        return;
      }
      total += static_cast<std::size_t>(n);
      if (stage_ != Stage::open) continue;  // read, so that it can end
      const bool fits = lines_.push({buffer.data(), static_cast<std::size_t>(n)},
                                    [&](std::string_view line) { arrivals.text(line, 0); });
      if (!fits) {
        arrivals.closed("it sent a message of more than " + std::to_string(config_.transport.line_bytes) +
                        " bytes; \"limits\": {\"line_bytes\": ...} of the server in " + place_of(config_) +
                        " raises that");
        close(now);
      }
    }
  }

  void has_ended(Time now, Arrivals& arrivals) {
    read_errors();
    if (process_->output) read_output(now, arrivals);  // what it said before
    const auto how = process_->reap();
    if (!how) return;
    if (stage_ == Stage::open) arrivals.closed(*how);
    stage_ = Stage::gone;
    for (sandbox::Handle* h : {&process_->input, &process_->output, &process_->errors}) *h = sandbox::Handle();
  }

  void on_time(Time now, Arrivals& arrivals) {
    if (stage_ == Stage::open) {
      if (output_over_ && now >= *output_over_) {
        arrivals.closed("it closed its output");
        close(now);
      } else if (!queue_.empty() && now >= write_since_ + config_.transport.write_ms) {
        arrivals.closed("it does not read: " + std::to_string(queued_) + " bytes have waited for " +
                        std::to_string(config_.transport.write_ms / 1000) + " s (limit write_ms)");
        close(now);
      }
      return;
    }
    if (stage_ == Stage::gone || now < stage_since_ + config_.transport.grace_ms) return;
    process_->signal(stage_ == Stage::input_closed ? SIGTERM : SIGKILL);
    stage_ = stage_ == Stage::input_closed ? Stage::terminated : Stage::killed;
    stage_since_ = now;
  }

  const ServerConfig config_;
  Environment environment_;
  std::unique_ptr<Process> process_;
  Lines lines_;
  std::deque<std::string> queue_;
  std::size_t queued_ = 0, written_ = 0;
  Time write_since_ = 0, stage_since_ = 0;
  std::optional<Time> output_over_;
  std::vector<std::uint64_t> refused_;
  std::string errors_;
  Stage stage_ = Stage::open;
};

}  // namespace

Session::Time now_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

std::unique_ptr<Transport> stdio_transport(const ServerConfig& config, const Environment& environment) {
  return std::make_unique<StdioTransport>(config, environment);
}

}  // namespace BELAY_NAMESPACE::mcp
