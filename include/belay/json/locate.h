// Where in a text its values stand: values do not keep their positions, and only errors ask for them.
#pragma once

#include <belay/base.h>

#include <cstddef>
#include <optional>
#include <string_view>

namespace BELAY_NAMESPACE::json {
BELAY_API_BEGIN

/// The position of a node's first byte in a text that Mode::strict accepts: of its quote, bracket, digit, sign or
/// letter. `node` is Value::index(); a key is the node before its value. Nothing when the text has fewer nodes.
///
/// Linear in the text up to there, without recursion or memory. Other texts do no harm: the answer is then nothing, or
/// the place of some token.
[[nodiscard]] std::optional<Position> locate(std::string_view text, std::size_t node);

/// The same for several nodes of one text, which is read once however many are asked for.
class Locator {
 public:
  /// The text must stay while it is used.
  explicit Locator(std::string_view text) : text_(text) {}
  /// `node` must not be less than in the call before.
  [[nodiscard]] std::optional<Position> find(std::size_t node);

 private:
  void skip_token();

  std::string_view text_;
  std::size_t at_ = 0;    // the next byte
  std::size_t node_ = 0;  // of the next token that begins a node
  std::size_t line_ = 1;
  std::size_t line_start_ = 0;
  std::size_t counted_ = 0;  // line feeds before here are in line_
};

BELAY_API_END
}  // namespace BELAY_NAMESPACE::json
