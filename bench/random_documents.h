// Documents of random shape; see documents.h.
#pragma once

#include <cstddef>
#include <string>

namespace belay::bench {

std::string random_code(std::size_t bytes);
std::string random_todo(std::size_t bytes);

}  // namespace belay::bench
