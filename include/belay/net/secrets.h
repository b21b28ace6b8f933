// What must not be read by anybody: keys, and headers that hold some.
#pragma once

#include <belay/version.h>

#include <string>
#include <string_view>
#include <vector>

namespace BELAY_NAMESPACE::net {

/// Texts that are taken out of whatever is shown, logged, recorded or sent to somebody else.
class Secrets {
 public:
  /// What is shorter than this is no secret: it would be found in ordinary words.
  static constexpr std::size_t kShortest = 8;

  Secrets() = default;
  explicit Secrets(const std::vector<std::string>& texts) {
    for (const std::string& text : texts) add(text);
  }
  /// Also what stands behind its first word, as in "Bearer KEY".
  void add(std::string_view text);
  [[nodiscard]] bool empty() const { return texts_.empty(); }

  /// The text with "***" in place of each of them: as they are, in JSON's escapes, percent-encoded or as HTML's numeric
  /// entities, in any mixture of these; and where only the beginning is there because something was cut off, half of it
  /// or 16 bytes, whichever is less. Time: linear in the text for each secret.
  [[nodiscard]] std::string without(std::string text) const;

 private:
  std::vector<std::string> texts_;  // the longest first
};

}  // namespace BELAY_NAMESPACE::net
