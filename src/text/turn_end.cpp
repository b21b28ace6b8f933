// Tokens that end a turn, which are no text where it ends.
#include "text/state.h"

namespace BELAY_NAMESPACE::text {
namespace {

Match last_token(std::string_view text, bool final) {
  Match found;
  for (std::string_view token : last_tokens()) {
    Match m = match_literal(text, token, final);
    if (m.is == Is::yes) return m;
    if (m.is == Is::more) found = m;
  }
  return found;
}

}  // namespace

// They count when nothing stands behind them but others of their kind, or what begins a call. What is found holds for
// all of them in the row: to look again from each one would take the square of their number.
Decoder::State::Begin Decoder::State::ends_turn(std::string_view text, std::size_t index, bool final) {
  const Match first = last_token(text, final);
  if (!first) return {first.is};
  const std::uint64_t from = at.offset + index;
  const Begin silent_token{Is::yes, first.length, What::silent};
  if (from >= tokens.from && from < tokens.to) return tokens.silent ? silent_token : Begin{};
  std::size_t behind = first.length;
  auto decided = [&](bool silent) {
    tokens = {from, from + behind, silent};
    return silent ? silent_token : Begin{};
  };
  while (behind < kHoldBare) {
    const std::string_view rest = text.substr(behind);
    const Match byte = next_byte(rest, 0, final);
    if (byte.is == Is::more) return {Is::more};
    if (byte.is == Is::no) return decided(rest.size() < kHold);
    const std::string_view next = rest.substr(byte.length);
    Begin begin = next.front() == '<' ? begins_something(next, final) : Begin{};
    if (begin.is == Is::more) return {Is::more};
    if (begin.is == Is::yes) return decided(true);
    const Match token = last_token(next, final);
    if (token.is == Is::more) return {Is::more};
    if (token.is == Is::no) return decided(false);
    behind += byte.length + token.length;
  }
  return decided(false);
}

}  // namespace BELAY_NAMESPACE::text
