// `belay schema --lines`: one value a line in, one report a line out.
#pragma once

#include "exit_code.h"
#include "io.h"
#include "options.h"

#include <belay/schema/schema.h>

namespace belay::cli {

Exit check_lines(const SchemaOptions& options, const schema::Schema& schema, Output& out, Output& err);

}  // namespace belay::cli
