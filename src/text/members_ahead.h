// What ends the item that begins here: looked for without taking anything.
#pragma once

#include <belay/version.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace BELAY_NAMESPACE::text {

/// A parenthesis may hold one value or be a tuple, a brace a dict or a set, a string may be a name: what follows the
/// first item decides. Remembers how far it looked, so that pieces are looked at once.
class Ahead {
 public:
  /// How far it looks: beyond that it says `far`.
  static constexpr std::size_t kReach = 500;

  enum class Stop : std::uint8_t {
    comma,
    colon,
    equals,
    closer,  ///< a bracket that the item did not open
    empty,   ///< a closing bracket, and no item before it
    far,     ///< not within reach, or the text is over
    more,    ///< more bytes are needed
  };

  /// `text` begins with the item and, until it says something else than `more`, is the same text grown.
  Stop look(std::string_view text, bool final);

 private:
  Stop walk(std::string_view text);
  void start() { *this = Ahead(); }
  [[nodiscard]] bool triple(std::string_view text) const;

  std::size_t at_ = 0;
  std::uint32_t depth_ = 0;
  char quote_ = 0;
  bool triple_ = false;
  bool comment_ = false;
  bool any_ = false;  // something but white space was there
};

}  // namespace BELAY_NAMESPACE::text
