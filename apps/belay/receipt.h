// What `belay repair` says on standard error: why a result needs a look, and what was changed.
#pragma once

#include "io.h"
#include "places.h"

#include <belay/json/reader.h>

#include <cstdint>
#include <optional>

namespace belay::cli {

enum class Detail {
  brief,  ///< nothing for a result that can be trusted; otherwise why not: the error, the first guesses, the remedy
  full,   ///< every edit that was listed, whatever the verdict
};

/// Writes sentences for people. Nothing from the input reaches the terminal raw. `options` are those of the reader
/// that gave the reading. `streamed`: bytes of output that were written and are all that there will be; none when the
/// output is a whole value.
void write_receipt(Output& err, const json::Reading& reading, const json::ReaderOptions& options, const Places& places,
                   Detail detail, std::optional<std::uint64_t> streamed = {});

}  // namespace belay::cli
