// The exit codes that every command shares.
#pragma once

namespace belay::cli {

enum class Exit : int {
  done = 0,
  failed = 1,
  usage = 2,     ///< the command line was wrong, or a file it names cannot be read
  doubtful = 3,  ///< there is a result, but a person should look at it first
};

}  // namespace belay::cli
