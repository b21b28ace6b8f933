#include "lines.h"

#include "line_input.h"
#include "result_json.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace belay::cli {
namespace {

// Large enough that reads, writes and turns cost nothing beside the work; small enough for the second cache.
constexpr std::size_t kBlock = 256 * 1024;
constexpr std::size_t kMostOutcomes = 6;

// How many records had each outcome, and which had it first.
struct LineCount {
  std::uint64_t records = 0;
  std::uint64_t first = 0;  // counted from 0
};

struct LineCounts {
  std::uint64_t records = 0;
  std::array<LineCount, kMostOutcomes> by_outcome{};

  void add(std::size_t outcome) {
    LineCount& count = by_outcome[outcome];
    if (count.records++ == 0) count.first = records;
    ++records;
  }
  void append(const LineCounts& next) {
    for (std::size_t i = 0; i < by_outcome.size(); ++i) {
      if (by_outcome[i].records == 0) by_outcome[i].first = records + next.by_outcome[i].first;
      by_outcome[i].records += next.by_outcome[i].records;
    }
    records += next.records;
  }
};

// A block on its way from the input to the output.
struct Batch {
  std::uint64_t turn = 0;
  LineBlock block;
  std::string reports;
  LineCounts counts;
};

void read_records(Batch& batch, RecordReader& reader) {
  batch.reports.clear();
  batch.counts = {};
  std::string_view text = batch.block.text();
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view record = text.substr(0, end);
    if (end != text.npos && record.ends_with('\r')) record.remove_suffix(1);
    batch.counts.add(reader.report(record, batch.reports));
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
  }
}

// Threads take blocks by turns, and write by the same turns. So no more blocks are under way than there are threads.
class Crew {
 public:
  Crew(LineInput& input, Output& out) : input_(input), out_(out), terminal_(out.is_terminal()) {}

  void work(const std::function<std::unique_ptr<RecordReader>()>& make_reader) noexcept {
    try {
      const std::unique_ptr<RecordReader> reader = make_reader();
      for (Batch batch; take(batch);) {
        read_records(batch, *reader);
        give(batch);
      }
    } catch (...) {
      fail(std::current_exception());
    }
  }

  [[nodiscard]] const LineCounts& counts() const { return counts_; }
  [[nodiscard]] const std::string& trouble() const { return trouble_; }
  [[nodiscard]] std::exception_ptr failure() const { return failure_; }

 private:
  bool take(Batch& batch) {
    const std::lock_guard lock(taking_);
    if (stop_) return false;
    const auto more = input_.next(batch.block);
    if (!more) trouble_ = more.error();
    if (!more || !*more) {
      stop_ = true;
      return false;
    }
    batch.turn = taken_++;
    return true;
  }

  void give(Batch& batch) {
    std::unique_lock lock(giving_);
    turn_over_.wait(lock, [&] { return given_ == batch.turn || failure_; });
    if (failure_) return;
    counts_.append(batch.counts);
    if (terminal_) batch.reports = quiet_json(batch.reports);
    out_ << batch.reports;
    out_.flush();
    if (out_.error() != 0) stop_ = true;
    ++given_;
    turn_over_.notify_all();
  }

  // Nobody's turn comes any more.
  void fail(std::exception_ptr failure) {
    const std::lock_guard lock(giving_);
    if (!failure_) failure_ = std::move(failure);
    stop_ = true;
    turn_over_.notify_all();
  }

  LineInput& input_;
  Output& out_;
  const bool terminal_;
  std::atomic<bool> stop_ = false;

  std::mutex taking_;  // guards the input and what follows
  std::uint64_t taken_ = 0;
  std::string trouble_;

  std::mutex giving_;  // guards the output and what follows
  std::condition_variable turn_over_;
  std::uint64_t given_ = 0;
  LineCounts counts_;
  std::exception_ptr failure_;
};

// False when the system gives no more threads.
bool add_thread(std::vector<std::jthread>& threads, const std::function<void()>& work) {
  try {
    threads.emplace_back(work);
    return true;
  } catch (const std::system_error&) {
    return false;
  }
}

// Where there are fewer threads than were asked for, those do all of the work.
void work_through(const LineJob& job, Crew& crew) {
  const auto work = [&] { crew.work(job.make_reader); };
  std::vector<std::jthread> others;
  while (others.size() + 1 < job.lines.jobs && add_thread(others, work)) continue;
  work();
}

Exit worst(const LineJob& job, const LineCounts& counts) {
  auto exit = Exit::done;
  for (std::size_t i = 0; i < job.outcomes.size(); ++i) {
    if (counts.by_outcome[i].records == 0 || job.outcomes[i].exit == Exit::done) continue;
    if (exit != Exit::failed) exit = job.outcomes[i].exit;
  }
  return exit;
}

// 10000 records: 9998 valid, 1 guessed (in line 17), 1 broken (in line 400)
void write_summary(const LineJob& job, const LineCounts& counts, Output& err) {
  err << job.command << ": " << std::to_string(counts.records) << (counts.records == 1 ? " record" : " records");
  std::string_view before = ": ";
  for (std::size_t i = 0; i < job.outcomes.size(); ++i) {
    const LineCount& count = counts.by_outcome[i];
    if (count.records == 0) continue;
    err << std::exchange(before, ", ") << std::to_string(count.records) << " " << job.outcomes[i].name;
    if (job.outcomes[i].exit == Exit::done) continue;
    err << (count.records == 1 ? " (in line " : " (first in line ") << std::to_string(count.first + 1) << ")";
  }
  err << "\n";
}

Exit stopped(const LineJob& job, std::string_view reason, Exit exit, Output& err) {
  err << job.command << ": " << reason << "\n";
  return exit;
}

}  // namespace

Exit run_lines(const LineJob& job, Output& out, Output& err) {
  auto opened = Input::open(job.file, 0);
  if (!opened) return stopped(job, opened.error(), Exit::usage, err);
  LineInput input(std::move(*opened), job.block == 0 ? kBlock : job.block, job.record_bytes);
  if (input.is_terminal() && err.is_terminal()) {
    err << job.command << ": reading what you type, a record a line; Ctrl-D ends it\n";
    err.flush();
  }
  Crew crew(input, out);
  work_through(job, crew);
  if (crew.failure()) std::rethrow_exception(crew.failure());
  out.finish();
  // A reader that went away (head, say) knows that it did; anything else must be said.
  if (out.error() == EPIPE) return Exit::failed;
  if (out.error() != 0)
    return stopped(job, std::string("cannot write to standard output: ") + std::strerror(out.error()), Exit::failed,
                   err);
  if (!crew.trouble().empty()) return stopped(job, crew.trouble(), Exit::usage, err);
  const Exit exit = worst(job, crew.counts());
  if (exit != Exit::done || job.verbose) write_summary(job, crew.counts(), err);
  return exit;
}

}  // namespace belay::cli
