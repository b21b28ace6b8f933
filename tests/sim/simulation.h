// A whole task in a made-up world: model, network, tools, disk, clock, person and crashes, all from one seed.
#pragma once

#include <belay/task.h>

#include <cstdint>
#include <map>
#include <string>

namespace belay::sim {

struct Outcome {
  std::string fault;         ///< the first promise that was broken; empty for none
  std::uint64_t trace = 0;   ///< the same for the same seed
  std::uint64_t events = 0;  ///< facts that the task was given
  std::uint64_t records = 0, crashes = 0, turns = 0, tasks = 0, effects = 0;
  std::map<std::string, std::uint64_t> seen;  ///< how often things happened, by name
};

/// Runs the world of this seed to its end. With `show`, every record and action is printed.
Outcome simulate(std::uint64_t seed, bool show = false);

}  // namespace belay::sim
