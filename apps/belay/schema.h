// `belay schema`: checks a value against a JSON Schema, or aligns it with one.
#pragma once

#include "exit_code.h"
#include "io.h"
#include "options.h"

namespace belay::cli {

Exit check_value(const SchemaOptions& options, Output& out, Output& err);

}  // namespace belay::cli
