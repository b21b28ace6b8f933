// One of several, chosen by a person: by arrow keys, or by its number.
#pragma once

#include <belay/screen/keys.h>
#include <belay/screen/text.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace BELAY_NAMESPACE::screen {

/// Keys in, rows out. Pure, and not thread-safe. The rows are text of any kind; nothing in them steers the terminal.
class Picker {
 public:
  enum class State : std::uint8_t { open, chosen, left };

  /// At least one row. `title` stands above them, `heading` names their columns; both may be empty.
  Picker(std::string title, std::string heading, std::vector<std::string> rows, Style style)
      : title_(std::move(title)), heading_(std::move(heading)), rows_(std::move(rows)), style_(style) {}

  State on(const Key& key);
  /// From 0.
  [[nodiscard]] std::size_t at() const { return at_; }
  /// At most `height` rows of at most `width` columns: those around the one that is marked.
  [[nodiscard]] std::vector<std::string> draw(std::size_t width, std::size_t height) const;

 private:
  std::string title_, heading_;
  std::vector<std::string> rows_;
  Style style_;
  std::size_t at_ = 0;
  std::string typed_;  // a number, as far as it was typed
};

struct PickOptions {
  int input = 0, output = 1;         ///< not closed
  bool colour = false, live = true;  ///< see TerminalOptions; not `live`: the rows are listed, and a line is the answer
  std::string title{}, heading{};    ///< see Picker
  std::vector<std::string> rows{};
};
/// Asks at the terminal, which is the caller's own again afterwards. Nothing when the person left, or nobody is there.
std::optional<std::size_t> pick(const PickOptions& options);

}  // namespace BELAY_NAMESPACE::screen
