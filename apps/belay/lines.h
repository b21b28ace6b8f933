// One record a line in, one report a line out: what the commands with --lines share.
#pragma once

#include "exit_code.h"
#include "io.h"
#include "options.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace belay::cli {

/// Reads records, one after the other. Each thread has its own.
class RecordReader {
 public:
  virtual ~RecordReader() = default;
  /// Appends the report of one record and a line feed. Says what became of it: an index into LineJob::outcomes.
  virtual std::size_t report(std::string_view record, std::string& out) = 0;
};

/// What may become of a record, for the exit status and the summary.
struct RecordOutcome {
  std::string_view name;
  Exit exit;
};

struct LineJob {
  std::string_view command;  ///< "belay repair"
  std::string file;          ///< "-": standard input
  LineOptions lines;
  std::uint64_t record_bytes = 0;  ///< what is behind them in a record is not needed; the reader refuses such a record
  std::size_t block = 0;           ///< bytes of a read; 0: as is best
  bool verbose = false;            ///< a summary in any case
  std::span<const RecordOutcome> outcomes;
  std::function<std::unique_ptr<RecordReader>()> make_reader;
};

/// A line ends with \n or \r\n, which are not part of the record. Reports come in the order of the records, as soon as
/// the input would have to be waited for. Memory is bounded: each thread has a block of lines and their reports, or one
/// record and its report. The exit is the worst of all records. Unless all went well, a summary goes to `err`.
Exit run_lines(const LineJob& job, Output& out, Output& err);

}  // namespace belay::cli
