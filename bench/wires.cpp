// What providers stream, from bytes to events, the partial value read after every delta.
#include "heap.h"
#include "sections.h"
#include "streams.h"

#include <belay/turn.h>

#include <cstdio>
#include <stdexcept>

namespace belay::bench {
namespace {

// Looks at the arguments after every delta, as a program does that shows a call while it arrives.
class Viewer final : public turn::EventSink {
 public:
  std::size_t deltas = 0, seen = 0;
  bool trusted = false;
  chat::StopReason stop = chat::StopReason::none;
  const turn::Ledger* ledger = nullptr;

  void on_text(std::string_view piece) override {
    ++deltas;
    seen += piece.size();
  }
  void on_call_delta(std::size_t slot, std::string_view) override {
    ++deltas;
    auto value = ledger->partial(slot);
    auto content = value ? value->find("content") : value;
    if (!content) return;
    std::string_view text = content->as_string();
    seen += text.empty() ? 0 : text.size() + static_cast<unsigned char>(text.back());
  }
  void on_call_end(const turn::Call& call) override { trusted = call.trusted; }
  void on_stop(chat::StopReason reason, std::string_view) override { stop = reason; }
};

void read(wire::Wire wire, const Stream& stream) {
  Viewer viewer;
  turn::Ledger ledger(viewer);
  viewer.ledger = &ledger;
  wire::StreamDecoder decoder(wire, ledger);
  for (std::string_view rest = stream.body; !rest.empty(); rest.remove_prefix(std::min(rest.size(), kNetworkRead)))
    decoder.push(rest.substr(0, kNetworkRead));
  decoder.finish();
  ledger.finish();
  keep(viewer.seen);
  const bool right = wire == wire::Wire::ollama ? viewer.stop == chat::StopReason::end : viewer.trusted;
  if (!right || viewer.deltas < stream.deltas) throw std::runtime_error("belay did not read a stream as it is");
}

struct Case {
  wire::Wire wire;
  double bound;  // MB/s
};
constexpr Case kCases[] = {
    {wire::Wire::openai_chat, 300},
    {wire::Wire::openai_responses, 200},
    {wire::Wire::anthropic, 200},
    {wire::Wire::ollama, 200},
};

}  // namespace

void measure_wires(const Plan& plan, Results& results) {
  std::printf("Wires: an answer in deltas of %zu bytes, the partial value read after each; MB/s of wire bytes\n",
              kDelta);
  Table table(
      {"wire", "payload", "deltas", "wire bytes", "ms", "ns a delta", "MB/s", "allocations", "target", "target"});
  for (const Case& c : kCases) {
    for (std::size_t payload : {128 * kKiB, kMiB}) {
      const Stream stream = make_stream(c.wire, payload);
      const Contender contender[] = {{"belay", [&] { read(c.wire, stream); }}};
      Effort effort = plan.effort();
      effort.total = plan.quick ? 0.5 : 2;
      const double seconds = race(contender, effort)[0];
      std::size_t allocations = 0;
      {
        HeapCount count;
        read(c.wire, stream);
        allocations = count.calls();
      }
      const double speed = static_cast<double>(stream.body.size()) / seconds / 1e6;
      const double each = static_cast<double>(allocations) / static_cast<double>(stream.deltas);
      const std::string wire(wire::name(c.wire));
      const std::string size = payload == kMiB ? "1 MiB" : "128 KiB";
      std::string fast, lean;
      if (payload == kMiB) {
        fast = results.target("wire, " + wire + ", 1 MiB in deltas of 8 B, MB/s", speed, c.bound, true);
        lean = results.target("wire, " + wire + ", 1 MiB in deltas of 8 B, allocations a delta", each, 0.01, false);
      }
      table.add({wire, size, std::to_string(stream.deltas), std::to_string(stream.body.size()), ms_text(seconds),
                 fixed(seconds / static_cast<double>(stream.deltas) * 1e9, 1), fixed(speed, 0),
                 std::to_string(allocations), fast, lean});
      results.add("wires", {{"wire", wire},
                            {"payload", payload},
                            {"bytes", stream.body.size()},
                            {"deltas", stream.deltas},
                            {"seconds", seconds},
                            {"allocations", allocations}});
    }
  }
  table.print();
}

}  // namespace belay::bench
