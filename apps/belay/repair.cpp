#include "repair.h"

#include "places.h"
#include "receipt.h"
#include "repair_lines.h"
#include "report.h"

#include <cerrno>
#include <cstring>

namespace belay::cli {
namespace {

Exit exit_for(json::Word word) {
  using enum json::Word;
  switch (word) {
    case valid:
    case mended:
    case split: return Exit::done;
    case guessed:
    case truncated: return Exit::doubtful;
    case broken: return Exit::failed;
  }
  return Exit::failed;
}

Exit cannot_repair(Output& err, const std::string& reason) {
  err << "belay repair: " << reason << "\n";
  return Exit::usage;
}

// A reader that went away (head, say) knows that it did; anything else must be said.
Exit cannot_write(const Output& out, Output& err) {
  if (out.error() != EPIPE)
    err << "belay repair: cannot write to standard output: " << std::strerror(out.error()) << "\n";
  return Exit::failed;
}

// Passes on what has become certain, no later than the input runs dry. Where the text stops for good the output is
// closed, so that whoever reads it does not wait; the input is still read to its end, for the verdict on all of it.
void pass_on(json::Reader& reader, const Input& input, Output& out) {
  out << reader.take_text();
  if (!input.has_piece()) out.flush();
  if (!reader.text_stopped()) return;
  out.end_line();
  out.finish();
}

// JSON without damage passes byte for byte; other text ends its last line, as text should.
bool lacks_line_feed(const json::Reader& reader, const json::Reading& reading, const Output& out) {
  if (!reading.verdict.trusted() || reader.text_stopped() || out.last_byte() == '\n') return false;
  return reading.verdict.word() != json::Word::valid || out.is_terminal();
}

void write_result(const RepairOptions& options, json::Reader& reader, const json::Reading& reading, Output& out) {
  if (options.json) return write_report(out, reading);
  if (!options.stream) {
    if (reading.verdict.word() != json::Word::broken) write_values(out, reading.document);
    return;
  }
  out << reader.take_text();
  if (lacks_line_feed(reader, reading, out)) out << "\n";
}

}  // namespace

Exit repair(const RepairOptions& options, Output& out, Output& err) {
  if (options.lines.on) return repair_lines(options, out, err);
  auto input = Input::open(options.file, options.chunk);
  if (!input) {
    const bool text = options.file.starts_with('{') || options.file.starts_with('[');
    return cannot_repair(err, input.error() + (text ? "\nText goes to standard input: echo '...' | belay repair" : ""));
  }
  if (input->is_terminal() && err.is_terminal()) {
    err << "belay repair: reading what you type; Ctrl-D ends it\n";
    err.flush();
  }

  json::Reader reader(options.reader);
  Places places;
  while (!reader.failed()) {
    auto piece = input->next();
    if (!piece) return cannot_repair(err, piece.error());
    if (piece->empty()) break;
    places.note(*piece);
    reader.push(*piece);
    if (options.stream) pass_on(reader, *input, out);
    if (out.error() != 0) return cannot_write(out, err);
  }
  // So that a message shows the same line whatever the pieces are.
  if (reader.failed()) places.note(input->rest());

  const json::Reading reading = reader.finish(options.ending);
  write_result(options, reader, reading, out);
  out.end_line();
  out.finish();
  if (out.error() != 0) return cannot_write(out, err);
  // A report says it all already.
  if (options.verbose || !options.json)
    write_receipt(err, reading, options.reader, places, options.verbose ? Detail::full : Detail::brief,
                  options.stream ? std::optional(out.size()) : std::nullopt);
  if (options.stream && reading.verdict.trusted() && reader.text_stopped()) {
    err << "belay repair: the output stopped after " << std::to_string(out.size())
        << " bytes: a mend came after more bytes than may wait. It is a prefix of a value, and not closed;"
           " repair it without --stream\n";
    return Exit::doubtful;
  }
  return exit_for(reading.verdict.word());
}

}  // namespace belay::cli
