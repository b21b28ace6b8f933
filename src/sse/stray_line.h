// Lines of an event stream that are ignored by its rules, and look as if they should not be.
#pragma once

#include <belay/sse.h>

namespace belay::sse {

/// A sink that is this too is told of them. By the WHATWG rules a line whose field nobody knows is ignored; where such
/// a line holds JSON, it is most likely an event whose field's name was damaged.
class StrayLineSink {
 public:
  /// A line that is neither a known field nor a comment has a `{` or `[`. Said once for a line, as soon as that is
  /// there, in its order among the events. `offset` is the line's place in the stream.
  virtual void on_stray_line(std::uint64_t offset) = 0;

 protected:
  ~StrayLineSink() = default;
};

}  // namespace belay::sse
