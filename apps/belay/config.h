// `belay config`: what applies, and whence.
#pragma once

#include <belay/config.h>

#include "exit_code.h"
#include "io.h"

#include <expected>
#include <span>
#include <string>

namespace belay::cli {

struct ConfigOptions {
  bool help = false;
  bool json = false;
  config::Flags flags;
};
std::expected<ConfigOptions, std::string> parse_config_options(std::span<const std::string> arguments);
/// Exit 2: the file, a variable or a flag is wrong; 3: no request could be made with it.
Exit show_config(const ConfigOptions& options, Output& out, Output& err);

}  // namespace belay::cli
