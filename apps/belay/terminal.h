// What the program's commands use of the screen.
#pragma once

#include <belay/screen/text.h>

namespace belay::cli {

using screen::clipped;
using screen::columns;
using screen::Excerpt;
using screen::excerpt;
using screen::first_glyph;
using screen::folded;
using screen::Glyph;
using screen::printable;
using screen::Style;

}  // namespace belay::cli
