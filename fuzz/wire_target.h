// What the targets of the wires share. The first bytes decide how the body ends, how it is cut and which wire it is
// written on again; the rest is the body as it is, a list of events, or decisions from which events are made.
#pragma once

#include "turn.h"

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

namespace belay::fuzz {

/// A wire, and what its servers say. In an event `$i` stands for an index, `$d` for an id, `$n` for a name, `$a` for a
/// piece of text (of arguments, mostly) and `$s` for a stop, all as JSON; `$o` for any JSON value.
struct Speech {
  wire::Wire wire;
  std::span<const std::string_view> events;
  std::span<const std::string_view> stops;
};

/// Any cut of the body gives the same deltas and events, they follow the rules, and what was read soundly is the same
/// when it is written on any wire and read again.
int try_wire(const Speech& speech, const std::uint8_t* data, std::size_t size);

}  // namespace belay::fuzz
