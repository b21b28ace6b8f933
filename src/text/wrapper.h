// An object that holds a call: which of its members is the name, and which the arguments.
#pragma once

#include "text/payload.h"

#include <optional>
#include <string>
#include <string_view>

namespace BELAY_NAMESPACE::text {

/// Arguments of a call that has none.
json::Document empty_object();
/// The arguments that are being read in an object.
json::MaybePartial arguments_in(json::MaybePartial object);
/// The name in an object that is being read, once it is whole.
std::optional<std::string> name_in(json::MaybePartial object, const Context& context, std::string* id);

/// Takes the object apart. `reading` has the positions of the whole text already.
Found unwrap(json::Reading reading, const Context& context, const Row& row, std::uint64_t offset);

/// Arguments that are a string which holds them: false when it does not hold an object. Words around that object make
/// it a guess: the string may be something else, code say.
bool read_quoted(json::Reading& reading, std::string_view text, std::uint64_t offset, const Limits& limits);

bool is_name_key(std::string_view key);
bool is_arguments_key(std::string_view key);
bool is_other_key(std::string_view key);

}  // namespace BELAY_NAMESPACE::text
