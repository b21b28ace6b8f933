// Start here: libbelay's modules, in the order of the data.
#pragma once

#include <belay/base.h>  // limits, positions
#include <belay/json.h>  // the tolerant incremental JSON reader
