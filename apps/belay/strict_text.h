// A file that has to be JSON, or that is mended, read whole: its bytes are kept, so that errors can say where.
#pragma once

#include "io.h"

#include <belay/base.h>
#include <belay/json/reader.h>

#include <expected>
#include <string>

namespace belay::cli {

struct StrictText {
  std::string name;  ///< for messages: the path, or "<stdin>"; safe for a terminal
  std::string text;  ///< as far as it was read
  json::Reading reading;
  [[nodiscard]] bool is_json() const { return reading.verdict.word() == json::Word::valid; }
};

/// Reads a file ("-": standard input) as RFC 8259 has it. The error says why the file cannot be read.
std::expected<StrictText, std::string> read_strict_text(const std::string& path, const Limits& limits);
/// The same, with what JSON lacks mended.
std::expected<StrictText, std::string> read_damaged_text(const std::string& path, const Limits& limits);

/// Why it is not JSON and what to do about it, as one sentence; for a limit, which one and how to raise it.
/// `text`: what was read; a character at the place of the error that cannot be seen is named.
std::string why_not_json(const json::Error& error, std::string_view text);

}  // namespace belay::cli
