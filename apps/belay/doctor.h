// `belay doctor`: what this machine can enforce.
#pragma once

#include "exit_code.h"
#include "io.h"

#include <expected>
#include <span>
#include <string>

namespace belay::cli {

struct DoctorOptions {
  bool help = false;
  bool json = false;
};
std::expected<DoctorOptions, std::string> parse_doctor_options(std::span<const std::string> arguments);
/// Exit 0: every level can be enforced; 3: some cannot, or only with gaps that count.
Exit doctor(const DoctorOptions& options, Output& out, Output& err);

}  // namespace belay::cli
