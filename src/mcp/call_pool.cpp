#include "mcp/call_pool.h"

#include <algorithm>
#include <exception>
#include <utility>

namespace BELAY_NAMESPACE::mcp {

CallPool::CallPool(Carrier carry, const ServeLimits& limits) : carry_(std::move(carry)), limits_(limits) {}

CallPool::~CallPool() {
  stop_all();
  for (std::jthread& thread : threads_) thread.request_stop();
  if (ticker_) ticker_->request_stop();
  threads_.clear();
}

std::expected<CallPool::Key, std::string> CallPool::start(Job job) {
  const std::lock_guard guard(lock_);
  if (waiting_bytes_ + job.arguments.size() > limits_.waiting_bytes && !waiting_.empty())
    return std::unexpected("the calls that wait hold " + std::to_string(waiting_bytes_) +
                           " bytes, which is the limit waiting_bytes: wait for some of them; belay mcp serve --limit "
                           "waiting_bytes=N raises it");
  const Key key = next_++;
  const bool ticks = job.progress;
  waiting_bytes_ += job.arguments.size();
  waiting_.emplace_back(key, std::move(job));
  if (idle_ < waiting_.size() && threads_.size() < std::max<std::size_t>(limits_.workers, 1)) {
    try {
      threads_.emplace_back([this](const std::stop_token& end) { work(end); });
    } catch (const std::exception& trouble) {
      if (threads_.empty()) {
        waiting_bytes_ -= waiting_.back().second.arguments.size();
        waiting_.pop_back();
        return std::unexpected("no thread can be started (" + std::string(trouble.what()) +
                               "): look at the limits of this machine");
      }
    }
  }
  try {
    if (ticks && !ticker_) ticker_.emplace([this](const std::stop_token& end) { tick(end); });
  } catch (const std::exception&) {
    ticker_.reset();  // then there is no word of progress, which is a may
  }
  changed_.notify_all();
  return key;
}

void CallPool::stop(Key key) {
  std::shared_ptr<Running> running;
  {
    const std::lock_guard guard(lock_);
    const auto waits = std::ranges::find(waiting_, key, &std::pair<Key, Job>::first);
    if (waits != waiting_.end()) {
      waiting_bytes_ -= waits->second.arguments.size();
      waiting_.erase(waits);
      changed_.notify_all();
    }
    if (const auto runs = running_.find(key); runs != running_.end()) running = runs->second;
  }
  if (running) running->stop.request_stop();
}

void CallPool::stop_all() {
  std::vector<std::shared_ptr<Running>> all;
  std::deque<std::pair<Key, Job>> never;
  {
    const std::lock_guard guard(lock_);
    never.swap(waiting_);
    waiting_bytes_ = 0;
    for (const auto& [key, running] : running_) all.push_back(running);
    changed_.notify_all();
  }
  for (const auto& running : all) running->stop.request_stop();
  for (const auto& [key, job] : never) job.done({tool::error_result(job.tool + " was not run: the server ends."), {}});
}

void CallPool::work(const std::stop_token& end) {
  std::unique_lock lock(lock_);
  while (true) {
    ++idle_;
    const bool more = changed_.wait(lock, end, [this] { return !waiting_.empty(); });
    --idle_;
    if (!more || end.stop_requested()) return;
    auto [key, job] = std::move(waiting_.front());
    waiting_.pop_front();
    waiting_bytes_ -= job.arguments.size();
    const auto running = std::make_shared<Running>();
    running->since = std::chrono::steady_clock::now();
    running->progress = job.progress;
    running->progressed = job.progressed;
    running_[key] = running;
    lock.unlock();
    carry_out(key, std::move(job), running);
    lock.lock();
    running_.erase(key);
    changed_.notify_all();
  }
}

void CallPool::carry_out(Key, Job job, const std::shared_ptr<Running>& running) {
  ServedCall call{std::move(job.tool), std::move(job.arguments), running->stop.get_token(), {}, job.log};
  if (job.progress)
    call.output = [&](std::string_view text) {
      const std::lock_guard guard(running->lock);
      running->line.add(text);
    };
  CallOutcome outcome;
  try {
    outcome = carry_(call);
  } catch (const std::exception& trouble) {
    outcome.result = tool::error_result(call.tool + " failed: " + trouble.what());
  }
  {
    const std::lock_guard guard(running->lock);
    running->progress = false;  // nothing may be said of it behind its result
  }
  job.done(std::move(outcome));
}

// A command that says nothing for long shows all the same that it lives: clients give up on silence.
void CallPool::tick(const std::stop_token& end) {
  std::unique_lock lock(lock_);
  while (!end.stop_requested()) {
    changed_.wait_for(lock, end, std::chrono::milliseconds(limits_.progress_ms), [] { return false; });
    const auto now = std::chrono::steady_clock::now();
    std::vector<std::shared_ptr<Running>> all;
    for (const auto& [key, running] : running_)
      if (now - running->since >= std::chrono::milliseconds(limits_.progress_ms)) all.push_back(running);
    lock.unlock();
    for (const auto& running : all) {
      std::string line;
      {
        const std::lock_guard guard(running->lock);
        if (!running->progress) continue;
        line = running->line.text();
      }
      running->progressed(std::chrono::duration<double>(now - running->since).count(), line);
    }
    lock.lock();
  }
}

}  // namespace BELAY_NAMESPACE::mcp
