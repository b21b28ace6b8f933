// What was written, read again.
#include "text/dialect_parts.h"
#include "text/scan.h"

#include <utility>

namespace BELAY_NAMESPACE::text {
namespace {

class Heard final : public Sink {
 public:
  void on_text(std::string_view text) override { other = other || past_space(text, 0) != text.size(); }
  void on_reasoning(std::string_view) override { other = true; }
  void on_call_start(std::size_t, std::string_view, std::string_view) override {}
  void on_call_delta(std::size_t, std::string_view) override {}
  void on_call_end(std::size_t, Found found) override { calls.push_back(std::move(found)); }
  void on_call_doubt(std::size_t, json::Edit) override { other = true; }
  void on_notice(std::string_view, std::string_view) override { other = true; }

  std::vector<Found> calls;
  bool other = false;
};

}  // namespace

bool reads_back(std::string_view format, const std::vector<Tool>& tools, const Limits& limits, std::string_view text,
                const std::vector<Piece>& pieces, std::vector<Found>* heard) {
  Heard sink;
  Options options;
  options.format = format;
  options.tools = tools;
  options.limits = limits;
  Decoder decoder(sink, std::move(options));
  decoder.push(text);
  decoder.finish();
  bool same = !sink.other && sink.calls.size() == pieces.size();
  for (std::size_t i = 0; same && i < pieces.size(); ++i) {
    const Found& found = sink.calls[i];
    const json::Reading& reading = found.reading;
    same = found.name == pieces[i].name && found.closed && reading.edits_total == 0 &&
           reading.verdict.word() == json::Word::valid && !reading.document.empty() &&
           reading.document.root() == pieces[i].arguments;
  }
  if (heard) *heard = std::move(sink.calls);
  return same;
}

}  // namespace BELAY_NAMESPACE::text
