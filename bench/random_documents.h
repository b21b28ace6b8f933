// Documents of random shape; see documents.h.
#pragma once

#include <cstddef>
#include <string>

namespace belay::bench {

/// Another one for each `which`.
std::string random_code(std::size_t bytes, std::size_t which);
std::string random_todo(std::size_t bytes, std::size_t which);

}  // namespace belay::bench
