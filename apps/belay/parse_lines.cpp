#include "parse_lines.h"

#include "event_lines.h"
#include "lines.h"
#include "report.h"
#include "strict_text.h"

#include <belay/json/reader.h>
#include <belay/json/writer.h>

#include <algorithm>
#include <array>
#include <optional>

namespace belay::cli {
namespace {

enum : std::size_t { kRead, kWithError, kNoBody };
constexpr std::array kResults{RecordOutcome{"read", Exit::done}, RecordOutcome{"with an error", Exit::failed},
                              RecordOutcome{"without a body", Exit::failed}};

// The string that a record is, or that its `body` is; of a body that is an object, as an answer that was not streamed
// may be recorded, its text.
std::optional<std::string> body_in(json::Value record) {
  if (record.is_object()) {
    const auto member = record.find("body");
    if (!member) return std::nullopt;
    if (member->is_object()) return json::to_string(*member);
    record = *member;
  }
  if (!record.is_string()) return std::nullopt;
  return std::string(record.as_string());
}

json::Error without_body(const json::Reading& reading, std::string_view record) {
  if (reading.error) return {reading.error.kind, reading.error.position, why_not_json(reading.error, record)};
  return {json::ErrorKind::no_value,
          {},
          "there is no body in this record; send the body as a JSON string, or an object "
          "that has it as `body`"};
}

class BodyReader final : public RecordReader {
 public:
  BodyReader(const ParseOptions& options, const BodyOptions& bodies, bool terminal)
      : bodies_(bodies),
        coalesce_(options.coalesce),
        terminal_(terminal),
        chunk_(options.chunk),
        reader_({.mode = json::Mode::strict, .limits = options.limits}) {}

  std::size_t report(std::string_view record, std::string& out) override {
    reader_.reset();
    reader_.push(record);
    const json::Reading& reading = reader_.finish_in_place();
    const bool json = reading.verdict.word() == json::Word::valid;
    const auto body = json ? body_in(reading.document.root()) : std::nullopt;
    out += R"({"events":[)";
    const bool failed = body && !read(*body, out);
    out += R"(],"error":)";
    if (body) {
      out += "null";
    } else {
      TextInMemory text(out);
      write_error(text, without_body(reading, record));
    }
    out += "}\n";
    return !body ? kNoBody : failed ? kWithError : kRead;
  }

 private:
  // Appends the events. False when one of them is an error.
  bool read(std::string_view body, std::string& out) {
    TextInMemory text(out);
    EventLines events(text, coalesce_, terminal_, ",");
    Body turn(bodies_, events);
    const std::size_t piece = chunk_ == 0 ? body.size() : chunk_;
    for (; !body.empty(); body.remove_prefix(std::min(piece, body.size()))) turn.push(body.substr(0, piece));
    turn.finish();
    events.flush();
    if (out.back() == ',') out.pop_back();
    return !events.failed();
  }

  const BodyOptions& bodies_;
  bool coalesce_;
  bool terminal_;
  std::size_t chunk_;
  json::Reader reader_;
};

}  // namespace

Exit parse_lines(const ParseOptions& options, const BodyOptions& bodies, Output& out, Output& err) {
  LineJob job;
  job.command = "belay parse";
  job.file = options.file;
  job.lines = options.lines;
  job.record_bytes = options.limits.bytes;
  job.outcomes = kResults;
  job.make_reader = [&, terminal = out.is_terminal()] {
    return std::make_unique<BodyReader>(options, bodies, terminal);
  };
  return run_lines(job, out, err);
}

}  // namespace belay::cli
