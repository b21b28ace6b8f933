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

// A body that is the model's text and nothing else.
class TextStream {
 public:
  explicit TextStream(chat::DeltaSink& sink) : sink_(sink) {}
  void push(std::string_view bytes) {
    chat::Delta d;
    d.kind = chat::Delta::Kind::text;
    d.text = bytes;
    sink_.on(d);
  }
  void finish(sse::Ended ended) {
    if (ended != sse::Ended::eof) return;
    chat::Delta d;
    d.kind = chat::Delta::Kind::stop;
    d.stop = chat::StopReason::end;
    sink_.on(d);
    d.kind = chat::Delta::Kind::end;
    sink_.on(d);
  }

 private:
  chat::DeltaSink& sink_;
};

}  // namespace

Exit parse(const ParseOptions& options, Output& out, Output& err) {
  call::AssemblerOptions assembling;
  assembling.limits = options.limits;
  assembling.format = options.format;
  assembling.prompt_tail = options.prompt_tail;
  assembling.raw_text = !options.wire;
  std::unique_ptr<ToolSet> tools;
  if (!options.tools.empty()) {
    auto read = read_tools(options.tools, options.limits);
    if (!read) return cannot(err, read.error());
    tools = std::move(*read);
    assembling.tools = tools->known;
    assembling.shapes = tools->shapes;
    assembling.any_tool = false;
  }
  auto input = Input::open(options.file, options.chunk);
  if (!input) return cannot(err, input.error());

  EventLines lines(out, options.coalesce);
  EventView view(out);
  call::EventSink& sink = options.show ? static_cast<call::EventSink&>(view) : lines;
  call::Assembler assembler(sink, std::move(assembling));
  view.watch(assembler);
  std::optional<wire::StreamDecoder> decoder;
  if (options.wire) decoder.emplace(*options.wire, assembler, options.limits);
  TextStream plain(assembler);
  while (out.error() == 0) {
    auto piece = input->next();
    if (!piece) return cannot(err, piece.error());
    if (piece->empty()) break;
    decoder ? decoder->push(*piece) : plain.push(*piece);
    if (options.show) view.update();
    if (!input->has_piece()) out.flush();
  }
  decoder ? decoder->finish(options.ended) : plain.finish(options.ended);
  assembler.finish();
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
