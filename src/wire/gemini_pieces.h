// Arguments that come in pieces: Vertex names the place of each by a path, when it is asked to stream them.
#pragma once

#include <belay/json/value.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace BELAY_NAMESPACE::wire::gemini {

/// Makes one JSON text of the pieces of a call, in the order in which they come. Nothing is kept but the last path: one
/// that goes back to an object which is over writes its name twice, and the reader of the text sees that.
class ArgumentPieces {
 public:
  /// Appends what a part's `partialArgs` add. False when any of it cannot be placed; it is left out then.
  bool add(json::Value pieces, std::string& out);
  /// Appends the end of the object, for the next call. False when a text was to go on.
  bool finish(std::string& out);

 private:
  struct Step {
    std::string name;
    std::optional<std::uint64_t> index{};
    bool operator==(const Step&) const = default;
  };
  using Path = std::vector<Step>;
  static std::optional<Path> path_of(std::string_view text);
  bool place(json::Value piece, std::string& out);
  bool go_to(const Path& path, std::string& out);
  void close(std::size_t depth, std::string& out);

  Path open_;  // of the last value
  bool text_open_ = false;
};

}  // namespace BELAY_NAMESPACE::wire::gemini
