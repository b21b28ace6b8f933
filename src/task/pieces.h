// An answer in pieces: its blocks, with the calls that stand in its text cut out of it.
#pragma once

#include <belay/call.h>
#include <belay/chat.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace belay::task {

struct Piece {
  chat::Block block{};                ///< whole; or of a cut text one part, as it was shown
  std::optional<std::size_t> call{};  ///< the call that stands here, by its place in the list
  bool quoted = false;                ///< that is no call after all: it is text, as it was received
  /// Of a text that was cut: which one, where in all text the part begins, and the part as it was received.
  std::optional<std::size_t> cut_from{};
  std::uint64_t begin = 0;
  std::string received{};
};

/// The blocks of an answer in their order. A text in which calls were found is cut at them; everything else, signed
/// blocks above all, is as it came and where it was. `around` is the text that was shown before each of the calls from
/// text, and behind the last: without markers that mean nothing by themselves; empty when that is not known. Calls
/// whose place is not known are left to the caller.
std::vector<Piece> pieces_of(std::vector<chat::Block> blocks, const std::vector<call::Call>& calls,
                             const std::vector<std::string>& around);

/// The pieces put together. Texts around a quotation are one text with it, byte for byte as they were received.
std::vector<chat::Block> joined(std::vector<Piece> pieces);

}  // namespace belay::task
