// Where byte offsets of a streamed input are, for messages to people.
#pragma once

#include <belay/base.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace belay::cli {

/// Turns offsets into lines and columns after the bytes have gone by. Memory stays bounded whatever the input: it
/// knows the first million lines (8 MiB at most) and keeps the first 64 KiB and the last few for excerpts.
class Places {
 public:
  /// Takes the next bytes of the input.
  void note(std::string_view bytes);

  /// The place of a byte that was noted, or of the end. Nothing for an offset beyond the lines it knows.
  [[nodiscard]] std::optional<Position> find(std::uint64_t offset) const;
  /// "line 3, column 14, byte 57", or "byte 57" where the line is not known.
  [[nodiscard]] std::string describe(std::uint64_t offset) const;
  /// The first bytes of the input.
  [[nodiscard]] std::string_view head() const { return head_; }
  /// Bytes noted.
  [[nodiscard]] std::uint64_t size() const { return size_; }
  /// Where to show something that is missing at `offset`: white space that ends the input does not separate it from
  /// what it belongs to.
  [[nodiscard]] std::uint64_t shown(std::uint64_t offset) const { return offset < size_ ? offset : text_end_; }

  /// Bytes around an offset, and the offset of the first of them.
  struct Around {
    std::string_view text;
    std::uint64_t from = 0;
  };
  /// Nothing for an offset whose bytes were not kept.
  [[nodiscard]] std::optional<Around> around(std::uint64_t offset) const;

 private:
  static constexpr std::size_t kLines = 1'000'000;
  static constexpr std::size_t kHead = 64 * 1024;
  static constexpr std::size_t kTail = 4 * 1024;

  std::vector<std::uint64_t> line_starts_{0};
  std::uint64_t known_ = 0;  ///< offsets up to this one can be found
  std::uint64_t size_ = 0;
  std::uint64_t text_end_ = 0;  ///< behind the last byte that is not white space
  std::string head_;
  std::string tail_;  ///< the last bytes: kTail of them or a few more
};

std::string describe(const Position&);

}  // namespace belay::cli
