// The flags that settings have on the command line, for every command that takes them.
#pragma once

#include <belay/config.h>

#include "command_line.h"

#include <expected>
#include <span>
#include <vector>

namespace belay::cli {

/// --model, --wire, --max-turns and so on: one for each setting that has a flag.
std::span<const Option> config_options();
/// What a command line says of them.
config::Flags config_flags(const CommandLine& line);
/// What applies in this process.
std::expected<config::Config, config::Problem> load_config(const config::Flags& flags);

}  // namespace belay::cli
