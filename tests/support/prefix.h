// What may stand at the beginning of JSON text, checked byte by byte without the engine.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace belay::check {

/// Accepts the prefixes of JSON texts that stand one a line (a single text included). Iterative.
class JsonPrefix {
 public:
  /// False when no valid text begins with the bytes so far.
  bool push(std::string_view bytes);
  /// True when what came so far is itself one or more whole values.
  [[nodiscard]] bool whole() const;

 private:
  enum class State : std::uint8_t {
    value,
    first_item,
    first_key,
    key,
    colon,
    after,
    string,
    escape,
    hex,
    number,
    literal,
  };
  bool take(char c);
  bool begin_value(char c);
  bool end_number();
  void end_value();

  std::vector<char> open_;
  State state_ = State::value;
  bool in_key_ = false;
  std::uint8_t hex_left_ = 0;
  std::string_view literal_;
  int number_ = 0;           ///< where in the grammar of numbers
  bool any_ = false;         ///< a value was completed
  bool line_ended_ = false;  ///< since then, a line end
};

bool is_json_prefix(std::string_view text);
bool is_utf8(std::string_view bytes);

}  // namespace belay::check
