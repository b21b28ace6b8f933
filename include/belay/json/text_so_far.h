// JSON text of a value while it grows.
#pragma once

#include <belay/json/partial.h>
#include <belay/json/value.h>

#include <cstddef>
#include <string>
#include <vector>

namespace BELAY_NAMESPACE::json {
BELAY_API_BEGIN

/// Writes one growing value as compact JSON text, as far as it is certain: all pieces joined are a prefix of what
/// write() gives for the final value, and nothing is taken back. Of an open string its characters so far, of a number
/// nothing before it is delimited; what is open is never closed. Work is linear in the text, however often it is asked
/// for. Memory: the depth of the value.
///
/// What a Partial shows may still be graded a guess. Callers that must not pass guesses on stop asking when
/// Reader::edits() has one.
class TextSoFar {
 public:
  /// Appends what has become certain since the last call. `value` must come from the same Reader or Builder each time.
  void take(MaybePartial value, std::string& out);
  /// Appends the rest of the value, which is final now and the same as before.
  void finish(Value value, std::string& out);

 private:
  struct Open {
    std::size_t node;
    bool object;
  };
  void walk(const Shown& shown, std::string& out);
  bool take_string(std::string_view text, bool closed, std::string& out);

  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  std::size_t next_ = kNone;  // the first node that is not written, or not to its end
  std::size_t said_ = kNone;  // of a string that is begun: how many bytes of it were written
  bool comma_ = false;        // one is due before the next value
  bool done_ = false;
  std::vector<Open> open_;
};

BELAY_API_END
}  // namespace BELAY_NAMESPACE::json
