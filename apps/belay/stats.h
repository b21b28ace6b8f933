// `belay stats`: what was damaged, and what became of it.
#pragma once

#include "exit_code.h"
#include "io.h"

#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace belay::cli {

struct StatsOptions {
  bool help = false;
  bool json = false;
  std::string since;  ///< as it was given; empty for all
  bool all = false;   ///< demonstrations too
};
std::expected<StatsOptions, std::string> parse_stats_options(std::span<const std::string> arguments);
Exit stats(const StatsOptions& options, Output& out, Output& err);

/// `12h`, `7d`, `2w` before now, or the beginning of a day of the person's clock, `2026-11-16`: milliseconds since
/// 1970. Nothing when it is none of these.
std::optional<std::int64_t> since_from(std::string_view text, std::int64_t now);

}  // namespace belay::cli
