// Starting a command: what each cage adds to it. Wall time, since most of it is the kernel's and other processes'.
#include "sections.h"

#include <belay/sandbox.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <utility>

namespace belay::bench {
namespace {

using sandbox::Level;
using sandbox::Wall;

struct Start {
  std::string name;
  sandbox::Cage cage;
  std::vector<double> seconds{};
};

double median(std::vector<double> all) {
  std::ranges::sort(all);
  return all[all.size() / 2];
}

}  // namespace

void measure_sandbox(const Plan& plan, Results& results) {
  constexpr double kBound = 5e-3;
  const std::size_t runs = plan.quick ? 15 : 50;
  std::filesystem::path workspace = std::filesystem::temp_directory_path() / "belay-bench-sandbox";
  std::filesystem::create_directories(workspace / ".git");
  std::filesystem::create_directories(workspace / ".belay");
  auto begin = std::chrono::steady_clock::now();
  sandbox::Abilities here = sandbox::probe();
  double probing = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();

  std::vector<Start> starts;
  auto add = [&](std::string name, Level level, Wall wall) {
    sandbox::CageOptions options;
    options.level = level;
    options.workspace = workspace.string();
    options.wall = wall;
    if (auto cage = sandbox::Cage::make(options, here)) starts.push_back({std::move(name), *cage});
  };
  add("no cage", Level::danger_full_access, Wall::none);
  for (Wall wall : {Wall::namespaces, Wall::bubblewrap, Wall::landlock})
    for (Level level : {Level::read_only, Level::workspace_write})
      add(std::string(name(wall)) + ", " + std::string(name(level)), level, wall);
  sandbox::Command command;
  command.text = "true";
  for (std::size_t i = 0; i < runs; ++i)
    for (Start& start : starts) {  // in turns, so that a disturbance hits all of them
      auto from = std::chrono::steady_clock::now();
      auto outcome = sandbox::run(start.cage, command);
      start.seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - from).count());
      if (!outcome || outcome->code != 0) throw std::runtime_error("true did not run in " + start.name);
    }
  std::filesystem::remove_all(workspace);

  std::printf("\nStarting a command (bash -c true), median of %zu; finding out what this machine can do took %s ms\n\n",
              runs, ms_text(probing).c_str());
  Table table({"cage", "ms", "more than without", ""});
  double plain = median(starts.front().seconds);
  Wall best = here.wall_for(Level::workspace_write);
  for (const Start& start : starts) {
    double seconds = median(start.seconds), more = seconds - plain;
    std::string mark;
    if (start.cage.wall() == best && best != Wall::none)
      mark = results.target("a command starts in a cage (" + start.name + "): ms more than without", more * 1e3,
                            kBound * 1e3, false);
    table.add({start.name, ms_text(seconds), ms_text(more), mark});
    results.add("sandbox", {{"cage", start.name}, {"seconds", seconds}, {"more", more}});
  }
  table.print();
}

}  // namespace belay::bench
