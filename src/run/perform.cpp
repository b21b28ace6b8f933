#include <belay/run.h>

#include "run/apart.h"

#include <chrono>
#include <cmath>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

namespace BELAY_NAMESPACE::run {
namespace {

// Asks to stop when the time is over, and is gone at once when it is not needed any more.
class Deadline {
 public:
  Deadline(double seconds, std::stop_source source)
      : thread_([this, seconds, source = std::move(source)](const std::stop_token& done) mutable {
          std::unique_lock lock(mutex_);
          wake_.wait_for(lock, done, std::chrono::duration<double>(seconds), [] { return false; });
          if (done.stop_requested()) return;
          over_ = true;
          source.request_stop();
        }) {}
  /// Ends the waiting. True when the time was over before.
  bool end() {
    thread_.request_stop();
    thread_.join();
    return over_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable_any wake_;
  bool over_ = false;
  std::jthread thread_;
};

}  // namespace

tool::Result perform(const tool::Tool& tool, const tool::Invocation& invocation, const tool::ResultLimits& limits) {
  const tool::Spec& spec = tool.spec();
  if (spec.apart && tool.has_code()) return run_apart(tool, invocation, limits);
  if (spec.timeout <= 0) return tool.run(invocation, limits);
  std::stop_source source;
  std::stop_callback outer(invocation.stop, [&] { source.request_stop(); });
  tool::Invocation inner = invocation;
  inner.stop = source.get_token();
  Deadline deadline(spec.timeout, source);
  tool::Result result = tool.run(inner, limits);
  if (deadline.end()) {
    result.content.push_back(chat::text_block("[" + spec.name + " was asked to stop: its time of " +
                                              std::to_string(std::lround(spec.timeout)) + " s was over]"));
    result.is_error = true;
  }
  return result;
}

}  // namespace BELAY_NAMESPACE::run
