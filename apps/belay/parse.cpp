#include "parse.h"

#include "event_lines.h"
#include "event_view.h"
#include "tools_file.h"

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
  call::AssemblerOptions assembling;
  assembling.limits = options.limits;
  std::unique_ptr<ToolSet> tools;
  if (!options.tools.empty()) {
    auto read = read_tools(options.tools, options.limits);
    if (!read) return cannot(err, read.error());
    tools = std::move(*read);
    assembling.tools = tools->known;
    assembling.any_tool = false;
  }
  auto input = Input::open(options.file, options.chunk);
  if (!input) return cannot(err, input.error());

  EventLines lines(out, options.coalesce);
  EventView view(out);
  call::EventSink& sink = options.show ? static_cast<call::EventSink&>(view) : lines;
  call::Assembler assembler(sink, std::move(assembling));
  view.watch(assembler);
  wire::StreamDecoder decoder(options.wire, assembler, options.limits);
  while (out.error() == 0) {
    auto piece = input->next();
    if (!piece) return cannot(err, piece.error());
    if (piece->empty()) break;
    decoder.push(*piece);
    if (options.show) view.update();
    if (!input->has_piece()) out.flush();
  }
  decoder.finish(options.ended);
  assembler.finish(options.ended == sse::Ended::eof);
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
