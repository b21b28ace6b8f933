// An object that holds a call: which of its members is the name, and which the arguments.
#pragma once

#include "text/payload.h"

#include <array>

namespace belay::text {

/// Where the first keys of an object stand, for the receipt.
struct KeyPlaces {
  struct Place {
    std::uint64_t offset = 0;
    std::uint64_t length = 0;
  };
  std::array<Place, 16> places{};
  std::size_t size = 0;
};

/// The arguments that are being read in an object.
json::MaybePartial arguments_in(json::MaybePartial object);
/// The name in an object that is being read, once it is whole.
std::optional<std::string> name_in(json::MaybePartial object, std::string* id);

/// Takes the object apart. `reading` has the positions of the whole text already.
Found unwrap(json::Reading reading, const Context& context, const Row& row, std::uint64_t offset);

bool is_name_key(std::string_view key);
bool is_arguments_key(std::string_view key);
bool is_other_key(std::string_view key);

}  // namespace belay::text
