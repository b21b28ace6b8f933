#include "body.h"

#include <utility>

namespace belay::cli {
namespace {

void text_piece(chat::DeltaSink& sink, std::string_view bytes) { sink.on(chat::delta::Text{bytes}); }

void text_end(chat::DeltaSink& sink) {
  sink.on(chat::delta::Stop{chat::StopReason::end});
  sink.on(chat::delta::End{});
}

}  // namespace

std::expected<BodyOptions, std::string> body_options(const ParseOptions& options) {
  BodyOptions out;
  out.wire = options.wire;
  out.ended = options.ended;
  out.limits = options.limits;
  out.assembling.limits = options.limits;
  out.assembling.format = options.format;
  out.assembling.prompt_tail = options.prompt_tail;
  out.assembling.raw_text = !options.wire;
  if (options.tools.empty()) return out;
  auto tools = read_tools(options.tools, options.limits);
  if (!tools) return std::unexpected(std::move(tools.error()));
  out.tools = std::move(*tools);
  out.assembling.tools = out.tools->known;
  out.assembling.shapes = out.tools->shapes;
  out.assembling.any_tool = false;
  return out;
}

Body::Body(const BodyOptions& options, turn::EventSink& sink) : options_(options), ledger_(sink, options.assembling) {
  if (options.wire) decoder_.emplace(*options.wire, ledger_, options.limits);
}

void Body::push(std::string_view bytes) { decoder_ ? decoder_->push(bytes) : text_piece(ledger_, bytes); }

void Body::finish() {
  if (decoder_)
    decoder_->finish(options_.ended);
  else if (options_.ended == sse::Ended::eof)
    text_end(ledger_);
  ledger_.finish();
}

}  // namespace belay::cli
