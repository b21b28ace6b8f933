// Values that still grow, for the program's commands.
#pragma once

#include <belay/screen/partial_text.h>

namespace belay::cli {

using screen::kOpenMark;
using screen::partial_text;

}  // namespace belay::cli
