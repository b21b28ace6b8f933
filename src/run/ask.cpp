#include <belay/run/ask.h>

#include "run/exchange.h"
#include "run/progress.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>

namespace BELAY_NAMESPACE::run {
namespace {

constexpr std::uint64_t kAnswerBytes = 8ull << 20;  // as it comes over the wire
constexpr std::size_t kErrorBytes = 64u << 10;

// Reads on the client's thread; who asked waits.
class Answer final : public net::Receiver, private chat::DeltaSink {
 public:
  Answer(wire::Wire wire, const Limits& limits) : wire_(wire), decoder_(wire, *this, limits) {}

  void on_head(const net::Head& head) override {
    const std::lock_guard guard(lock_);
    status_ = head.status;
  }
  bool on_bytes(std::string_view bytes) override {
    const std::lock_guard guard(lock_);
    if (well())
      decoder_.push(bytes);
    else
      error_body_ += bytes.substr(0, kErrorBytes - std::min(kErrorBytes, error_body_.size()));
    if (!well()) progress_ = std::chrono::steady_clock::now();
    return true;
  }
  void on_end(const std::optional<net::Error>& error) override {
    const std::lock_guard guard(lock_);
    if (well()) decoder_.finish(error ? sse::Ended::reset : sse::Ended::eof);
    if (error && failure_.empty() && !decoder_.ended()) failure_ = error->message;
    if (!well() && failure_.empty()) failure_ = wire::decode_failure(wire_, status_, error_body_).message;
    ended_ = true;
    changed_.notify_all();
  }

  [[nodiscard]] std::optional<std::chrono::steady_clock::time_point> last_progress() const override {
    const std::lock_guard guard(lock_);
    return progress_;
  }

  /// False: a stop came first.
  bool wait(const std::stop_token& stop) {
    std::unique_lock guard(lock_);
    return changed_.wait(guard, stop, [&] { return ended_; });
  }
  std::expected<ModelWords, std::string> take() {
    std::unique_lock guard(lock_);
    changed_.wait(guard, [&] { return ended_; });
    if (!failure_.empty()) return std::unexpected(std::move(failure_));
    return std::move(words_);
  }

 private:
  [[nodiscard]] bool well() const { return status_ >= 200 && status_ < 300; }
  void on(const chat::Delta& delta) override {
    if (is_progress(delta)) progress_ = std::chrono::steady_clock::now();
    std::visit([this](const auto& piece) { take(piece); }, delta);
  }
  void take(const chat::delta::Start& d) { words_.model = d.model; }
  void take(const chat::delta::Text& d) { words_.text += d.text; }
  void take(const chat::delta::Refusal& d) { words_.text += d.text; }
  void take(const chat::delta::Stop& d) { words_.stop = d.reason; }
  void take(const chat::delta::Usage& d) {
    if (d.usage->input_tokens) words_.usage.input_tokens = d.usage->input_tokens;
    if (d.usage->output_tokens) words_.usage.output_tokens = d.usage->output_tokens;
  }
  void take(const chat::Failure& failure) {
    if (failure_.empty()) failure_ = failure.message;
  }
  void take(const auto&) {}  // nothing that is asked for

  mutable std::mutex lock_;
  std::condition_variable_any changed_;
  wire::Wire wire_;
  wire::StreamDecoder decoder_;
  ModelWords words_;
  std::string failure_, error_body_;
  int status_ = 0;
  std::chrono::steady_clock::time_point progress_{};
  bool ended_ = false;
};

}  // namespace

std::expected<ModelWords, std::string> ask_model(const Endpoint& endpoint, const chat::Request& request,
                                                 const std::stop_token& stop, const Limits& limits) {
  auto answer = std::make_shared<Answer>(endpoint.wire, limits);
  net::Request out = request_to(endpoint, request);
  out.max_bytes = kAnswerBytes;
  net::Client client;
  const net::Client::Id id = client.start(std::move(out), answer);
  const bool stopped = !answer->wait(stop);
  if (stopped) client.cancel(id);
  auto words = answer->take();
  if (!words && stopped) return std::unexpected("it was stopped");
  if (!words) return std::unexpected(secrets_of(endpoint).without(std::move(words.error())));
  if (words->model.empty()) words->model = request.model;
  return words;
}

}  // namespace BELAY_NAMESPACE::run
