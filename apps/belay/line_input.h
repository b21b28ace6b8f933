// A file of records, one a line, cut into blocks of whole lines.
#pragma once

#include "io.h"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <utility>

namespace belay::cli {

/// Whole lines, each with its line feed; only the last one of a file may lack it.
class LineBlock {
 public:
  [[nodiscard]] std::string_view text() const { return {memory_.data(), size_}; }

 private:
  friend class LineInput;
  char* room(std::size_t bytes);

  std::string memory_;  // only grows, so that it is used again
  std::size_t size_ = 0;
};

/// Memory: one block, or one line if that is longer, within its limit. The lines are the same however the file arrives.
class LineInput {
 public:
  /// `block`: bytes of a read, and of a block at least, as long as more is there. `line_bytes`: of a longer line some
  /// of the bytes behind that many may be left out, but not all of them, so that it still is too long.
  LineInput(Input input, std::size_t block, std::uint64_t line_bytes)
      : input_(std::move(input)), block_(block), line_bytes_(line_bytes) {}

  /// Waits for one line, then takes what is there without waiting. False at the end; an error comes behind the whole
  /// lines before it.
  std::expected<bool, std::string> next(LineBlock& block);

  [[nodiscard]] bool is_terminal() const { return input_.is_terminal(); }

 private:
  std::expected<std::size_t, std::string> read_into(LineBlock& block);

  Input input_;
  std::size_t block_;
  std::uint64_t line_bytes_;
  std::string rest_;  // the beginning of a line
  bool ended_ = false;
  std::string trouble_;
};

}  // namespace belay::cli
