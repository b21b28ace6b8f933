// Schemas of tools, and arguments that satisfy them.
#pragma once

#include <string>
#include <vector>

namespace belay::bench {

struct ToolSchema {
  std::string name;
  std::string schema, arguments;  ///< JSON text
};

/// A search with seven parameters, a file of 1 MB that is written, and a tool with fifty parameters.
std::vector<ToolSchema> make_schemas();

}  // namespace belay::bench
