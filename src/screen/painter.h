// Frames as bytes for a terminal: only what changed, without flicker, without an alternate screen.
#pragma once

#include <belay/screen/console.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace BELAY_NAMESPACE::screen {

/// Columns of a row of ours: colours take none.
std::size_t shown_columns(std::string_view row);
/// Every character beyond ASCII as question marks, as many as its columns: for terminals with another character set.
std::string ascii_only(std::string_view text);

class Painter {
 public:
  /// The bytes that make the screen look like the frame. Empty when it does already.
  std::string draw(const Frame& frame);
  /// The rows are wiped; the cursor is where they began.
  std::string wipe();
  /// The screen has another width now: what was drawn is broken anew there, and drawn again by the next draw().
  void resized(std::size_t width);
  /// Nothing of ours is on the screen any more.
  void forget();

 private:
  std::string to_top();
  std::vector<std::string> rows_;
  std::size_t row_ = 0, column_ = 0;  // of the cursor
  bool anew_ = false;                 // nothing of what was drawn can be trusted
};

}  // namespace BELAY_NAMESPACE::screen
