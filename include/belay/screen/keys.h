// Bytes from a terminal, as keys.
#pragma once

#include <belay/version.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace BELAY_NAMESPACE::screen {

struct Key {
  enum class Kind : std::uint8_t {
    text,   ///< `text`: characters that were typed
    paste,  ///< `text`: pasted at once; newlines are '\n'
    enter,
    newline,  ///< Alt-Enter, Ctrl-J
    tab,
    escape,
    backspace,
    erase,  ///< Delete
    left,
    right,
    up,
    down,
    home,
    end,
    word_left,
    word_right,
    erase_word,          ///< Ctrl-W, Alt-Backspace
    erase_word_forward,  ///< Alt-D
    kill_to_end,         ///< Ctrl-K
    kill_line,           ///< Ctrl-U
    yank,                ///< Ctrl-Y
    interrupt,           ///< Ctrl-C
    end_of_input,        ///< Ctrl-D
    suspend,             ///< Ctrl-Z
    redraw,              ///< Ctrl-L
    search,              ///< Ctrl-R
  };
  Kind kind = Kind::text;
  std::string text{};
  bool cut = false;  ///< of a paste: it was longer than what is taken
  bool operator==(const Key&) const = default;
};

/// Puts keys together from bytes, however these are cut. Sequences that mean nothing here are taken as a whole and
/// ignored. Text is valid UTF-8 without control characters; adjacent characters come as one key.
class KeyReader {
 public:
  static constexpr std::size_t kPaste = 1 << 20;  ///< bytes of one paste that are taken

  std::vector<Key> push(std::string_view bytes);
  /// Bytes that may go on are waiting: an escape that may be a key of its own. Call over() when nothing follows soon.
  [[nodiscard]] bool waiting() const { return !rest_.empty() && !pasting_; }
  std::vector<Key> over();

 private:
  void read(std::vector<Key>& out, bool last);
  std::size_t sequence(std::string_view s, std::vector<Key>& out, bool last);
  void pasted(std::vector<Key>& out);

  std::string rest_;
  bool pasting_ = false;
  Key paste_;
};

}  // namespace BELAY_NAMESPACE::screen
