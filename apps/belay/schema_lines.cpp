#include "schema_lines.h"

#include "lines.h"
#include "schema_report.h"

#include <belay/json/reader.h>

#include <array>

namespace belay::cli {
namespace {

enum : std::size_t { kSatisfies, kGuessed, kViolates, kNotJson };
constexpr std::array kFindings{RecordOutcome{"valid", Exit::done}, RecordOutcome{"guessed", Exit::doubtful},
                               RecordOutcome{"not valid", Exit::failed}, RecordOutcome{"not JSON", Exit::failed}};

class Checker final : public RecordReader {
 public:
  Checker(const SchemaOptions& options, const schema::Schema& schema)
      : schema_(schema),
        how_{.align = options.align, .mend = options.mend},
        reader_({.mode = options.mend ? json::Mode::tolerant : json::Mode::strict, .limits = options.limits}) {}

  std::size_t report(std::string_view record, std::string& out) override {
    reader_.reset();
    reader_.push(record);
    const json::Reading& reading = reader_.finish_in_place();
    const Checked checked = check_text(schema_, how_, reading, record);
    TextInMemory text(out);
    write_schema_report(text, checked, how_, reading);
    if (reading.document.empty() || (!how_.mend && reading.verdict.word() != json::Word::valid)) return kNotJson;
    if (!checked.valid()) return kViolates;
    return checked.exit(how_, reading) == Exit::doubtful ? kGuessed : kSatisfies;
  }

 private:
  const schema::Schema& schema_;
  Checking how_;
  json::Reader reader_;
};

}  // namespace

Exit check_lines(const SchemaOptions& options, const schema::Schema& schema, Output& out, Output& err) {
  LineJob job;
  job.command = "belay schema";
  job.file = options.file;
  job.lines = options.lines;
  job.record_bytes = options.limits.bytes;
  job.outcomes = kFindings;
  job.make_reader = [&] { return std::make_unique<Checker>(options, schema); };
  return run_lines(job, out, err);
}

}  // namespace belay::cli
