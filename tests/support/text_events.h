// What a text decoder says of a text, in a form that can be compared: whole against cut.
#pragma once

#include "outcome.h"

#include <belay/text.h>

#include <string>
#include <vector>

namespace belay::check {

/// A call that was found, as values.
struct TextCall {
  std::string name, arguments, verdict;  ///< `arguments` as compact JSON; "" when there are none
  std::string raw;                       ///< the bytes of the call, as they were given
  bool closed = false;
  bool sound = false;  ///< closed, whole, and read without a guess: what may be trusted
};

struct TextEvents {
  std::vector<std::string> lines;  ///< every event with every field; adjacent pieces of one kind are one
  std::string text, reasoning;
  std::string said;  ///< both, in the order in which they came
  std::vector<TextCall> calls;
  std::string fault;  ///< the first thing that may never be, as a sentence
};

/// Reads the pieces, one push each.
TextEvents read_text(const Pieces& pieces, const text::Options& options);

/// Where the events first differ; empty when they never do.
std::string difference(const TextEvents& a, const TextEvents& b);

/// True when the first is made of bytes of the second, in their order.
bool subsequence(std::string_view part, std::string_view whole);

}  // namespace belay::check
