// Watches the partial value while its text arrives: it may only grow (docs/reader.md, property 2).
#pragma once

#include "tree.h"

#include <belay/json.h>

#include <optional>
#include <string>
#include <vector>

namespace belay::check {

/// A copy of what a Partial showed.
struct Shown {
  json::Kind kind = json::Kind::null;
  bool closed = false;
  std::string text;  ///< of a string or number; "true" or "false" of a boolean
  std::vector<std::string> keys;
  std::vector<Shown> items;
  bool operator==(const Shown&) const = default;
};

Shown copy(const json::Partial& partial);
std::string to_text(const Shown& shown);

/// Why `later` cannot follow `earlier`; empty when it can.
std::string regression(const Shown& earlier, const Shown& later);
/// Why `final` cannot be what `earlier` became; empty when it can.
std::string regression(const Shown& earlier, const Tree& final);
/// Why a single snapshot is not a lawful partial value; empty when it is.
std::string unlawful(const Shown& shown);

class Watch {
 public:
  /// After each push. A sentence when something shown was taken back or changed.
  std::string after_push(const json::Reader& reader);
  /// After finish(). Call once.
  std::string at_end(const json::Reading& reading);

 private:
  std::optional<Shown> last_;
  json::TextSoFar writer_;
  std::string text_;  // that it gave
};

/// Pushes the input in pieces of `size` bytes and watches. What is shown must also be the same however the bytes so far
/// were cut.
std::string watch_fault(std::string_view input, std::size_t size, json::ReaderOptions options, json::Ending ending);

}  // namespace belay::check
