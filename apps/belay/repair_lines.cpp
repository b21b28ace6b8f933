#include "repair_lines.h"

#include "lines.h"
#include "report.h"

#include <belay/json/reader.h>

#include <array>

namespace belay::cli {
namespace {

// In the order of json::Word.
constexpr std::array kVerdicts{
    RecordOutcome{"valid", Exit::done},         RecordOutcome{"mended", Exit::done},
    RecordOutcome{"split", Exit::done},         RecordOutcome{"guessed", Exit::doubtful},
    RecordOutcome{"truncated", Exit::doubtful}, RecordOutcome{"broken", Exit::failed},
};
static_assert(static_cast<std::size_t>(json::Word::broken) + 1 == kVerdicts.size());

class Mending final : public RecordReader {
 public:
  explicit Mending(const RepairOptions& options) : ending_(options.ending), reader_(options.reader) {}

  std::size_t report(std::string_view record, std::string& out) override {
    reader_.reset();
    reader_.push(record);
    const json::Reading& reading = reader_.finish_in_place(ending_);
    const json::Word word = reading.verdict.word();
    // A carriage return between tokens stays out: many readers of lines would take it for a line's end.
    if (word == json::Word::valid && !record.contains('\r')) {
      write_valid_report(out, record);
    } else {
      TextInMemory text(out);
      write_report(text, reading);
    }
    return static_cast<std::size_t>(word);
  }

 private:
  json::Ending ending_;
  json::Reader reader_;
};

}  // namespace

Exit repair_lines(const RepairOptions& options, Output& out, Output& err) {
  LineJob job;
  job.command = "belay repair";
  job.file = options.file;
  job.lines = options.lines;
  job.record_bytes = options.reader.limits.bytes;
  job.block = options.chunk;
  job.verbose = options.verbose;
  job.outcomes = kVerdicts;
  job.make_reader = [&] { return std::make_unique<Mending>(options); };
  return run_lines(job, out, err);
}

}  // namespace belay::cli
