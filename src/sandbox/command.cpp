#include <belay/sandbox/command.h>

#include "sandbox/launch.h"
#include "sandbox/output.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <utility>
#include <vector>

namespace BELAY_NAMESPACE::sandbox {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t kOutputPiece = 64 * 1024;
constexpr double kCancelGrace = 0.5;  // who stops something wants it stopped
constexpr double kKeepersTime = 8;    // beyond the grace, for a keeper to end what it has to end
constexpr int kWallTries = 16;        // to build a wall while what it covers comes and goes, as often as it may

Clock::duration seconds(double count) {
  return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(std::clamp(count, 0.0, 1e6)));
}

// One command's time from start to end, in the caller's thread.
class Watch {
 public:
  Watch(const Command& command, Plan& plan, Running& running, int stop,
        const std::function<void(std::string_view)>& progress)
      : limits_(command.limits),
        plan_(plan),
        running_(running),
        stop_(stop),
        progress_(progress),
        walls_words_(plan.orders.wall == Wall::bubblewrap),
        kept_(limits_.output_bytes),
        piece_(kOutputPiece),
        begin_(Clock::now()),
        deadline_(begin_ + seconds(limits_.seconds)) {}

  std::expected<Outcome, std::string> run() {
    bool alive = true;
    while (alive) {
      std::array<pollfd, 4> fds = {{{plan_.output.get(), POLLIN, 0},
                                    {running_.reports(), POLLIN, 0},
                                    {running_.ended(), POLLIN, 0},
                                    {ending_ ? -1 : stop_, POLLIN, 0}}};
      if (drained_) fds[0].fd = -1;
      if (deaf_) fds[1].fd = -1;
      auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline_ - Clock::now()).count();
      int ready = poll(fds.data(), fds.size(), static_cast<int>(std::clamp<long>(left, 0, 60'000)));
      if (ready < 0 && errno != EINTR) return std::unexpected(std::string("poll failed: ") + std::strerror(errno));
      if (ready > 0) {
        if (fds[1].revents != 0) hear();
        if (fds[0].revents != 0) read_once();
        if (fds[3].revents != 0) end(End::cancelled, std::min(kCancelGrace, limits_.grace_seconds));
        alive = fds[2].revents == 0;
      }
      if (alive && Clock::now() >= deadline_) late();
    }
    hear();
    // Nobody is left to write: what is in the pipe is all there will be.
    while (!drained_ && read_once()) continue;
    return outcome();
  }
  /// Nothing ran, since the wall could not be built; another try may find the place as the plan says.
  [[nodiscard]] bool wall_failed() const { return wall_failed_; }

 private:
  void late() {
    if (!ending_) return end(End::timed_out, limits_.grace_seconds);
    running_.kill();
    deadline_ = Clock::now() + seconds(60);
  }

  void end(End why, double grace) {
    if (ending_) return;
    ending_ = true;
    why_ = why;
    running_.end(grace);
    deadline_ = Clock::now() + seconds(grace + kKeepersTime);
  }

  // False when there is nothing more for now.
  bool read_once() {
    ssize_t got = read(plan_.output.get(), piece_.data(), piece_.size());
    if (got < 0) return errno == EINTR;
    if (got == 0) {
      drained_ = true;
      return false;
    }
    std::string_view piece(piece_.data(), static_cast<std::size_t>(got));
    kept_.push(piece);
    if (progress_) show(piece);
    if (kept_.written() > limits_.flood_bytes) end(End::too_much_output, 0);
    return true;
  }

  // What may be the wall's own words is shown when it is known to be the command's.
  void show(std::string_view piece) {
    constexpr std::string_view kWalls = "bwrap: ";
    constexpr std::size_t kMost = 4096;
    if (!walls_words_) return progress_(piece);
    held_ += piece;
    const std::size_t same = std::min(kWalls.size(), held_.size());
    if (held_.size() <= kMost && kWalls.substr(0, same) == std::string_view(held_).substr(0, same)) return;
    show_held();
  }
  void show_held() {
    walls_words_ = false;
    if (!held_.empty()) progress_(std::exchange(held_, std::string()));
  }

  void hear() {
    bool any = false;
    while (auto report = running_.hear()) {
      any = true;
      switch (report->kind) {
        case Report::Kind::failed: failure_ = sentence(*report); break;
        case Report::Kind::started: started_ = true; break;
        case Report::Kind::ended: status_ = report->status; break;
        case Report::Kind::processes:
        case Report::Kind::memory:
          if (!ending_) why_ = report->kind == Report::Kind::memory ? End::too_much_memory : End::too_many_processes;
          ending_ = true;
          amount_ = report->amount;
          deadline_ = Clock::now() + seconds(kKeepersTime);
          break;
        case Report::Kind::survivors: survivors_ = report->amount; break;
      }
    }
    deaf_ = !any;  // its end is closed
  }

  std::expected<Outcome, std::string> outcome() {
    if (!failure_.empty()) return std::unexpected(failure_);
    if (!started_) return std::unexpected("the command was not run: its keeper ended without a word");
    Outcome out;
    out.seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
    out.written = kept_.written();
    out.left_out = kept_.left_out();
    out.output = std::move(kept_).take();
    out.peak = amount_;
    out.survivors = static_cast<std::uint32_t>(survivors_);
    out.end = why_;
    if (ending_) {
      show_held();
      return out;
    }
    if (!status_) return std::unexpected("the process that keeps the command was killed, and the command with it");
    if (WIFSIGNALED(*status_)) {
      out.end = End::signalled;
      out.signal = WTERMSIG(*status_);
    } else {
      out.code = WEXITSTATUS(*status_);
    }
    wall_failed_ = out.end == End::exited && !plan_.command_ran();
    if (wall_failed_) return std::unexpected("the command was not run: " + out.output.substr(0, out.output.find('\n')));
    show_held();
    return out;
  }

  const CommandLimits& limits_;
  Plan& plan_;
  Running& running_;
  int stop_;
  const std::function<void(std::string_view)>& progress_;
  bool walls_words_;  // may still be what comes
  std::string held_;
  Output kept_;
  std::vector<char> piece_;
  Clock::time_point begin_, deadline_;
  bool ending_ = false, drained_ = false, deaf_ = false, started_ = false, wall_failed_ = false;
  End why_ = End::exited;
  std::optional<int> status_;
  std::uint64_t amount_ = 0, survivors_ = 0;
  std::string failure_;
};

}  // namespace

std::string_view name(End end) noexcept {
  constexpr std::string_view kNames[] = {
      "exited", "signalled", "timed_out", "cancelled", "too_many_processes", "too_much_memory", "too_much_output"};
  return kNames[static_cast<std::size_t>(end)];
}

std::expected<Outcome, std::string> run(const Cage& cage, const Command& command, const std::stop_token& stop,
                                        const std::function<void(std::string_view)>& progress) {
  Descriptor asked(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!asked) return std::unexpected(std::string("no event to stop by: ") + std::strerror(errno));
  std::stop_callback wake(stop, [fd = asked.get()] { eventfd_write(fd, 1); });
  for (int tries = 1;; ++tries) {
    auto plan = Plan::make(cage, command);
    if (!plan) return std::unexpected(plan.error());
    auto running = Running::start(**plan);
    if (!running) return std::unexpected(running.error());
    Watch watch(command, **plan, *running, asked.get(), progress);
    auto out = watch.run();
    // A socket that was to be covered has gone since the plan was made: bubblewrap gives up.
    if (!watch.wall_failed() || tries == kWallTries || stop.stop_requested()) return out;
  }
}

}  // namespace BELAY_NAMESPACE::sandbox
