#include "harness.h"

#include <time.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <limits>
#include <numeric>

namespace belay::bench {

Stopwatch::Clocks Stopwatch::now() {
  auto seconds = [](clockid_t clock) {
    timespec t{};
    clock_gettime(clock, &t);
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
  };
  return {seconds(CLOCK_THREAD_CPUTIME_ID), seconds(CLOCK_MONOTONIC)};
}

double Stopwatch::lap() {
  constexpr double kAgree = 0.98;
  const Clocks end = now();
  const double cpu = end.cpu - start_.cpu, wall = end.wall - start_.wall;
  start_ = end;
  return cpu < kAgree * wall ? wall : cpu;
}

void Laps::begin() {
  at_ = 0;
  watch_ = Stopwatch();
}

void Laps::lap() {
  const double part = watch_.lap();
  if (at_ == best_.size())
    best_.push_back(part);
  else
    best_[at_] = std::min(best_[at_], part);
  ++at_;
}

double Laps::best() const { return std::accumulate(best_.begin(), best_.end(), 0.0); }

namespace {

// Drives everything else out of the caches, by writing to more memory than they hold.
void sweep_caches() {
  constexpr std::size_t kLargest = std::size_t{96} << 20, kLine = 64;
  static std::vector<char> memory(kLargest);
  for (std::size_t i = 0; i < memory.size(); i += kLine) ++memory[i];
  keep(memory);
}

}  // namespace

std::vector<double> race(std::span<const Contender> contenders, const Effort& effort) {
  std::vector<Laps> laps(contenders.size());
  auto timed = [&](std::size_t at, std::size_t runs) {
    const Contender& c = contenders[at];
    Stopwatch watch;
    for (std::size_t i = 0; i < runs; ++i) {
      if (!c.run_in_laps) {
        c.run();
        continue;
      }
      laps[at].begin();
      c.run_in_laps(laps[at]);
      laps[at].lap();
    }
    return watch.lap() / static_cast<double>(runs);
  };
  auto prepare = [&](const Contender& c) {
    Laps ignored;
    if (effort.caches == Caches::cold)
      sweep_caches();
    else if (c.run_in_laps)
      c.run_in_laps(ignored);
    else
      c.run();
  };
  std::vector<double> best;
  std::vector<std::size_t> runs;
  for (std::size_t i = 0; i < contenders.size(); ++i) {
    timed(i, 1);  // memory is fetched
    prepare(contenders[i]);
    double once = std::max(timed(i, 1), 1e-8);
    const bool cold = effort.caches == Caches::cold;
    // Right behind itself it may have found its text in a cache that is larger than what is swept.
    best.push_back(cold ? std::numeric_limits<double>::infinity() : once);
    const double fill = cold ? 0 : effort.batch / once;
    runs.push_back(std::max<std::size_t>(1, static_cast<std::size_t>(fill)));
  }
  std::vector<double> spent(contenders.size());
  for (int round = 0;; ++round) {
    bool more = false;
    for (std::size_t i = 0; i < contenders.size(); ++i) {
      if (round >= effort.rounds && spent[i] >= effort.total) continue;
      prepare(contenders[i]);
      double seconds = timed(i, runs[i]);
      best[i] = contenders[i].run_in_laps ? laps[i].best() : std::min(best[i], seconds);
      spent[i] += seconds * static_cast<double>(runs[i]);
      more = true;
    }
    if (!more) return best;
  }
}

std::vector<double> race_again(std::span<const Contender> contenders, const Effort& effort,
                               const std::function<bool(const std::vector<double>&)>& misses, int& repeats) {
  constexpr int kRepeats = 10;
  std::vector<double> best = race(contenders, effort);
  for (repeats = 0; repeats < kRepeats && misses(best); ++repeats) {
    const std::vector<double> again = race(contenders, effort);
    for (std::size_t i = 0; i < best.size(); ++i) best[i] = std::min(best[i], again[i]);
  }
  return best;
}

void Table::print() const {
  std::vector<std::size_t> widths;
  for (const auto& row : rows_) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      int width = static_cast<int>(widths[i]);
      std::printf(i == 0 ? "%-*s" : "  %*s", width, row[i].c_str());
    }
    std::printf("\n");
  }
  std::printf("\n");
  std::fflush(stdout);
}

std::string fixed(double value, int digits) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, "%.*f", digits, value);
  return buffer;
}

std::string size_text(std::size_t bytes) {
  return bytes < 1'000'000 ? std::to_string(bytes / 1'000) + " KB" : std::to_string(bytes / 1'000'000) + " MB";
}

std::string ms_text(double seconds) {
  double ms = seconds * 1e3;
  return fixed(ms, ms < 0.1 ? 4 : ms < 10 ? 3 : ms < 100 ? 2 : 0);
}

std::string Results::target(std::string_view what, double value, double bound, bool at_least, bool also_met) {
  bool met = also_met || (at_least ? value >= bound : value <= bound);
  add("targets", {{"what", what}, {"value", value}, {"bound", bound}, {"at_least", at_least}, {"met", met}});
  std::string sign = at_least ? ">=" : "<=";
  return sign + fixed(bound, bound < 10 ? 2 : 0) + (met ? " ok" : " MISSED");
}

void Results::print_targets() const {
  if (!all_.contains("targets")) return;
  std::size_t met = 0, missed = 0;
  for (const Row& t : all_["targets"]) ++(t["met"].get<bool>() ? met : missed);
  std::printf("Targets: %zu met, %zu missed\n", met, missed);
  for (const Row& t : all_["targets"]) {
    if (t["met"].get<bool>()) continue;
    std::printf("  missed: %s: %s, target %s %s\n", t["what"].get<std::string>().c_str(), fixed(t["value"], 2).c_str(),
                t["at_least"].get<bool>() ? ">=" : "<=", fixed(t["bound"], 2).c_str());
  }
}

bool Results::write(const std::string& path) const {
  std::ofstream file(path);
  file << all_.dump(1) << '\n';
  return file.good();
}

}  // namespace belay::bench
