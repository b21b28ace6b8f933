// Whether a call begins here: the commit points of all grammars.
#pragma once

#include "text/payload.h"

#include <optional>

namespace BELAY_NAMESPACE::text {

/// What stands at the front of a text.
struct Start {
  Is is = Is::no;
  std::size_t length = 0;  ///< bytes up to where the payload begins
  std::string id, name;
  Receipt receipt{Limits{}.edits};
  Around around;
  std::vector<Attribute> attributes;
  Is beyond = Is::no;  ///< what it is when no more bytes may wait
  bool ended = false;  ///< the tag that begins the call ends it, too
  enum class Kind : std::uint8_t { call, text, reasoning } kind = Kind::call;  ///< channels hold other things too
};

/// `strict`: nothing but the text says which format this is, so it must be sure.
Start peek(std::string_view text, const Row& row, const Context& context, bool strict, bool final);

/// A JSON object that looks like a call, by its first keys. `more` for kHoldBare bytes at most.
Match looks_like_call(std::string_view text, const Context& context, bool final);

}  // namespace BELAY_NAMESPACE::text
