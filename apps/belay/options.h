// The command lines of the commands that read text.
#pragma once

#include <belay/json/reader.h>
#include <belay/schema/schema.h>
#include <belay/sse.h>
#include <belay/wire.h>

#include <cstddef>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace belay::cli {

/// One record a line.
struct LineOptions {
  bool on = false;
  std::size_t jobs = 1;  ///< threads
};

struct RepairOptions {
  bool help = false;
  std::string file = "-";  ///< "-": standard input
  json::ReaderOptions reader;
  json::Ending ending = json::Ending::complete;
  bool json = false;
  bool stream = false;
  bool verbose = false;
  std::size_t chunk = 0;  ///< bytes a push (with lines: a read); 0: as they arrive
  LineOptions lines;
};

struct SchemaOptions {
  bool help = false;
  std::string schema;      ///< a file, or "-" for standard input, which only one of the two can be
  std::string file = "-";  ///< the value
  std::optional<schema::Draft> draft;
  std::optional<std::string> remotes;  ///< a folder that stands for http://localhost:1234/
  bool formats = false;
  bool align = false;
  bool mend = false;
  bool json = false;
  Limits limits;  ///< with lines, those of each record
  LineOptions lines;
};

struct ParseOptions {
  bool help = false;
  std::string file = "-";
  std::optional<wire::Wire> wire;  ///< none: plain text
  std::string format;              ///< of calls in text
  std::string prompt_tail;
  std::string tools;  ///< a file; empty for none
  sse::Ended ended = sse::Ended::eof;
  bool coalesce = false;
  bool show = false;
  std::size_t chunk = 0;
  Limits limits;
  LineOptions lines;
};

/// The arguments after the command's name. The error is one sentence for standard error.
std::expected<RepairOptions, std::string> parse_repair_options(std::span<const std::string> arguments);
std::expected<SchemaOptions, std::string> parse_schema_options(std::span<const std::string> arguments);
std::expected<ParseOptions, std::string> parse_parse_options(std::span<const std::string> arguments);

/// A whole number, with K, M or G behind it for 2^10, 2^20 and 2^30. The error says what is wrong with it.
std::expected<std::uint64_t, std::string> parse_size(std::string_view text);

}  // namespace belay::cli
