// Measuring and printing: CPU time, the best of many runs, tables, targets.
#pragma once

#include <cstddef>
#include <functional>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace belay::bench {

/// Times what this thread does: by its CPU time, as long as the clock on the wall agrees. A virtual machine learns late
/// of time that others took from it, and may subtract that from a timing in which it was not taken. So where the two
/// clocks differ, the one on the wall counts, which is never too fast.
class Stopwatch {
 public:
  Stopwatch() : start_(now()) {}
  /// Since the start, or since it was asked before.
  double lap();

 private:
  struct Clocks {
    double cpu = 0, wall = 0;
  };
  static Clocks now();
  Clocks start_;
};

/// Makes the compiler believe that x is used.
template <class T>
void keep(const T& x) {
  asm volatile("" : : "r"(&x) : "memory");
}

/// The time of a run that is timed in parts, of which each keeps its best: what disturbs the machine for a moment
/// spoils one part of one run, and not all of a long one.
class Laps {
 public:
  /// A run starts.
  void begin();
  /// A part of it has ended. The parts of all runs must be the same.
  void lap();
  /// The sum of the parts' best times.
  [[nodiscard]] double best() const;

 private:
  std::vector<double> best_;
  std::size_t at_ = 0;
  Stopwatch watch_;
};

/// What a timing finds in the processor. warm: what the contender itself has left there, by a run before each timing
/// that does not count; without it, short timings would measure what the contender before had left. cold: nothing of
/// the documents; they and what is made of them lie in memory, whatever their size, and every timing is of one run.
enum class Caches { warm, cold };

struct Effort {
  double batch = 5e-4;  ///< seconds that one timing takes at least; short runs are repeated to fill it
  double total = 0.15;  ///< seconds for each contender
  int rounds = 5;       ///< timings of each contender at least
  Caches caches = Caches::warm;
};

struct Contender {
  std::string name;
  std::function<void()> run;
  std::function<void(Laps&)> run_in_laps{};  ///< instead of `run`, for what takes long and can be timed in parts
};

/// Seconds of one run of each contender: the best of its timings, or of those of its laps. They take turns, so that a
/// disturbance from outside hits all of them and the ratios hold.
std::vector<double> race(std::span<const Contender> contenders, const Effort& effort);

/// The same, measured again while it seems to miss, up to ten times, and all contenders alike: each keeps its best.
/// What is slow misses again; what was disturbed does not. `repeats`: how often that was.
std::vector<double> race_again(std::span<const Contender> contenders, const Effort& effort,
                               const std::function<bool(const std::vector<double>&)>& misses, int& repeats);

/// Text in columns; the first is aligned to the left, the others to the right.
class Table {
 public:
  explicit Table(std::vector<std::string> header) : rows_{std::move(header)} {}
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  void print() const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

std::string fixed(double value, int digits);
/// 1 KB, 16 MB.
std::string size_text(std::size_t bytes);
/// Milliseconds with three significant digits or so.
std::string ms_text(double seconds);

/// Everything that was measured, for the report and the charts.
class Results {
 public:
  using Row = nlohmann::ordered_json;

  void add(std::string_view section, Row row) { all_[section].push_back(std::move(row)); }
  /// Notes whether a target was met, and gives back the mark that stands beside the figure.
  std::string target(std::string_view what, double value, double bound, bool at_least, bool also_met = false);
  void set(std::string_view key, Row value) { all_[key] = std::move(value); }
  /// One line about the targets, and the missed ones.
  void print_targets() const;
  /// False when the file cannot be written.
  [[nodiscard]] bool write(const std::string& path) const;

 private:
  Row all_ = Row::object();
};

}  // namespace belay::bench
