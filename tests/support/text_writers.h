// Calls as the models write them, one writer a format. Nothing here uses the engine's tables: a fault there cannot
// hide itself.
#pragma once

#include "tree.h"

#include <string>
#include <string_view>
#include <vector>

namespace belay::check {

struct WrittenCall {
  std::string name;
  Tree arguments;  ///< an object
};

/// What a string may hold without becoming something else in the format.
enum class StringsHold : std::uint8_t {
  anything,         ///< it is quoted
  no_quote_marker,  ///< it stands between two markers of its own
  no_tags,          ///< it is raw text between tags
};

struct TextWriter {
  std::string_view format;
  StringsHold strings = StringsHold::anything;
  std::string (*write)(const std::vector<WrittenCall>&);
  std::string_view before_text{};  ///< what says that text follows, behind a call
};

/// One for each name that text::formats() lists, at least.
const std::vector<TextWriter>& text_writers();

}  // namespace belay::check
