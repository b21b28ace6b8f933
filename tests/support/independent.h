// Another strict parser, by other people: what JSON is when the engine may be wrong about it.
#pragma once

#include "tree.h"

#include <optional>
#include <string_view>

namespace belay::check {

enum class Opinion : std::uint8_t {
  accepted,
  refused,
  unsure,  ///< the other parser has a limit of its own here: a number beyond double, or very deep
};

struct Independent {
  Opinion opinion = Opinion::refused;
  Tree tree;             ///< when accepted; members as often as they stand in the text
  bool repeats = false;  ///< a key stands twice in one object
};

/// Depths beyond `max_depth` are unsure, because Tree is recursive.
Independent parse_independently(std::string_view text, std::size_t max_depth = 1024);

}  // namespace belay::check
