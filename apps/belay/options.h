// The command line of `belay repair`.
#pragma once

#include <belay/json/reader.h>

#include <cstddef>
#include <expected>
#include <span>
#include <string>
#include <string_view>

namespace belay::cli {

struct RepairOptions {
  bool help = false;
  std::string file = "-";  ///< "-": standard input
  json::ReaderOptions reader;
  json::Ending ending = json::Ending::complete;
  bool json = false;
  bool stream = false;
  bool verbose = false;
  std::size_t chunk = 0;  ///< bytes a push; 0: as they arrive
};

/// The arguments after the command's name. The error is one sentence for standard error.
std::expected<RepairOptions, std::string> parse_repair_options(std::span<const std::string> arguments);

/// A whole number, with K, M or G behind it for 2^10, 2^20 and 2^30. The error says what is wrong with it.
std::expected<std::uint64_t, std::string> parse_size(std::string_view text);

}  // namespace belay::cli
