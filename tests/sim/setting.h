// What a made-up world is like: all of it from one seed.
#pragma once

#include "sim/random.h"

#include <belay/task.h>
#include <belay/wire.h>

#include <cstdint>
#include <string>
#include <vector>

namespace belay::sim {

/// How its model behaves.
struct Nature {
  wire::Wire wire = wire::Wire::openai_chat;
  enum class Counts : std::uint8_t { all, nothing, zeros, input_only };
  Counts counts = Counts::all;  ///< what its server says of tokens
  std::uint64_t window = 0;     ///< tokens that it takes at most; 0: any
  bool calls_in_text = false;   ///< now and then it writes a call into its text though it has native ones
};

struct Setting {
  Setting(Random& random, const tool::Registry& tools);

  task::Settings settings;
  task::Conditions conditions;
  Nature nature;
  std::vector<chat::Message> history;  ///< from elsewhere; anything may be wrong with it
  std::vector<chat::Block> goal;
  bool silent = false;         ///< the person answers nothing
  std::uint64_t crashing = 0;  ///< percent of the steps
  bool images = false;         ///< tools and the person give some
  bool forks = false;          ///< somebody makes a copy in between
};

/// Some picture, another for another number.
chat::Block image(std::uint64_t number);

/// A rule that somebody may have, now or later.
policy::Rule some_rule(Random& random);

/// A call as it stands in a file or a message: whoever quotes it does not mean it. It has a token below kQuoted.
std::string quotation(std::uint64_t number);
inline constexpr std::int64_t kQuoted = -1'000;
inline constexpr std::uint64_t kQuotations = 6;  ///< that there are

}  // namespace belay::sim
