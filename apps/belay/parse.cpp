#include "parse.h"

#include "body.h"
#include "event_lines.h"
#include "event_view.h"
#include "parse_lines.h"

#include <cerrno>
#include <cstring>

namespace belay::cli {
namespace {

Exit cannot(Output& err, const std::string& reason) {
  err << "belay parse: " << reason << "\n";
  return Exit::usage;
}

}  // namespace

Exit parse(const ParseOptions& options, Output& out, Output& err) {
  const auto bodies = body_options(options);
  if (!bodies) return cannot(err, bodies.error());
  if (options.lines.on) return parse_lines(options, *bodies, out, err);
  auto input = Input::open(options.file, options.chunk);
  if (!input) return cannot(err, input.error());

  EventLines lines(out, options.coalesce, out.is_terminal());
  EventView view(out);
  turn::EventSink& sink = options.show ? static_cast<turn::EventSink&>(view) : lines;
  Body body(*bodies, sink);
  view.watch(body.ledger());
  while (out.error() == 0) {
    auto piece = input->next();
    if (!piece) return cannot(err, piece.error());
    if (piece->empty()) break;
    body.push(*piece);
    if (options.show) view.update();
    if (!input->has_piece()) out.flush();
  }
  body.finish();
  options.show ? view.flush() : lines.flush();
  out.finish();
  if (out.error() != 0) {
    if (out.error() != EPIPE)
      err << "belay parse: cannot write to standard output: " << std::strerror(out.error()) << "\n";
    return Exit::failed;
  }
  return lines.failed() || view.failed() ? Exit::failed : Exit::done;
}

}  // namespace belay::cli
