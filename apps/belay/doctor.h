// `belay doctor`: is everything there that a task needs, and what can this machine enforce?
#pragma once

#include <belay/config.h>

#include "exit_code.h"
#include "io.h"

#include <cstdint>
#include <expected>
#include <span>
#include <string>

namespace belay::cli {

struct DoctorOptions {
  bool help = false;
  bool json = false;
  bool offline = false;
  std::int64_t idle_timeout = 60;  ///< seconds without a byte of the model
  config::Flags flags;
};
std::expected<DoctorOptions, std::string> parse_doctor_options(std::span<const std::string> arguments);
/// Exit 0: all is well; 3: something is not, or a level cannot be enforced, or only with gaps that count.
Exit doctor(const DoctorOptions& options, Output& out, Output& err);

}  // namespace belay::cli
