// Calls in text: a long call in small pieces, in one format of each grammar, and prose through `auto`.
#include "sections.h"

#include <belay/text.h>

#include <cstdio>
#include <stdexcept>
#include <utility>

namespace belay::bench {
namespace {

constexpr std::size_t kPiece = 8;

// Counts, and looks at the arguments after every piece.
class Counter final : public text::Sink {
 public:
  std::size_t bytes = 0, calls = 0;
  bool sound = true;
  void on_text(std::string_view piece) override { bytes += piece.size(); }
  void on_reasoning(std::string_view piece) override { bytes += piece.size(); }
  void on_call_start(std::size_t, std::string_view, std::string_view) override {}
  void on_call_delta(std::size_t, std::string_view piece) override { bytes += piece.size(); }
  void on_call_end(std::size_t, text::Found found) override {
    ++calls;
    sound = sound && found.reading.verdict.trusted();
  }
  void on_call_doubt(std::size_t, json::Edit) override { sound = false; }
  void on_notice(std::string_view, std::string_view) override {}
};

std::vector<text::Tool> tools() {
  json::Reading schema = json::read(
      R"({"type":"object","properties":{"path":{"type":"string"},"content":{"type":"string"}},"required":["path"]})");
  return {{"write_to_file", text::shape_of(schema.document.root())}};
}

void read(std::string_view format, std::string_view body, std::size_t piece, std::size_t calls) {
  Counter counter;
  text::Options options;
  options.format = format;
  options.tools = tools();
  text::Decoder decoder(counter, std::move(options));
  std::size_t seen = 0;
  for (; !body.empty(); body.remove_prefix(std::min(body.size(), piece))) {
    decoder.push(body.substr(0, piece));
    auto value = decoder.partial(0);
    if (auto content = value ? value->find("content") : value) seen += content->as_string().size();
  }
  decoder.finish();
  keep(seen);
  if (counter.calls != calls || !counter.sound) throw std::runtime_error("belay did not read a text as it is");
}

std::string lines(std::size_t bytes, std::string_view line_end) {
  std::string out;
  while (out.size() < bytes) {
    out += "  for (int i = 0; i < n; ++i) total += values[i] * 2;  // add it up";
    out += line_end;
  }
  return out;
}

std::string prose(std::size_t bytes) {
  std::string out;
  while (out.size() < bytes)
    out +=
        "The answer is in the second file, which was changed last week; it has the same name as before, but another\n"
        "owner. Nobody noticed, because the tests (all of them) still passed. Next time we will look earlier.\n\n";
  return out;
}

struct Case {
  std::string_view format;
  double bound;  // ms for 1 MB; 0: none
  std::string (*make)(std::size_t);
};

const Case kCases[] = {
    {"hermes", 40,
     [](std::size_t n) {
       return "<tool_call>\n{\"name\": \"write_to_file\", \"arguments\": {\"path\": \"a\", \"content\": \"" +
              lines(n, "\\n") + "\"}}\n</tool_call>";
     }},
    {"qwen3_coder", 80,
     [](std::size_t n) {
       return "<tool_call>\n<function=write_to_file>\n<parameter=path>\na\n</parameter>\n<parameter=content>\n" +
              lines(n, "\n") + "\n</parameter>\n</function>\n</tool_call>";
     }},
    {"xml", 0,
     [](std::size_t n) {
       return "<write_to_file>\n<path>a</path>\n<content>\n" + lines(n, "\n") + "\n</content>\n</write_to_file>";
     }},
    {"kimi_k2", 0,
     [](std::size_t n) {
       return "<|tool_calls_section_begin|><|tool_call_begin|>functions.write_to_file:0<|tool_call_argument_begin|>"
              "{\"path\": \"a\", \"content\": \"" +
              lines(n, "\\n") + "\"}<|tool_call_end|><|tool_calls_section_end|>";
     }},
    {"pythonic", 0, [](std::size_t n) { return "[write_to_file(path='a', content='" + lines(n, "\\n") + "')]"; }},
    {"gemma4", 0,
     [](std::size_t n) {
       return "<|tool_call>call:write_to_file{path:<|\"|>a<|\"|>,content:<|\"|>" + lines(n, "\n") +
              "<|\"|>}<tool_call|>";
     }},
    {"harmony", 0,
     [](std::size_t n) {
       return "<|channel|>commentary to=functions.write_to_file <|constrain|>json<|message|>{\"path\": \"a\", "
              "\"content\": \"" +
              lines(n, "\\n") + "\"}<|call|>";
     }},
};

}  // namespace

void measure_texts(const Plan& plan, Results& results) {
  std::printf(
      "Calls in text: one call in pieces of %zu bytes, the partial value read after each; 1 MB and twice that\n",
      kPiece);
  Table table({"format", "ms", "ns a piece", "ms, 2 MB", "growth", "target", "target"});
  Effort effort = plan.effort();
  effort.total = plan.quick ? 0.3 : 1;
  for (const Case& c : kCases) {
    const std::string one = c.make(1'000'000), two = c.make(2'000'000);
    const Contender contenders[] = {{"1 MB", [&] { read(c.format, one, kPiece, 1); }},
                                    {"2 MB", [&] { read(c.format, two, kPiece, 1); }}};
    const std::vector<double> seconds = race(contenders, effort);
    const std::string name(c.format);
    std::string fast;
    if (c.bound > 0)
      fast = results.target("text, " + name + ", 1 MB in pieces of 8 B, ms", seconds[0] * 1e3, c.bound, false);
    std::string linear = results.target("text, " + name + ", twice the size", seconds[1] / seconds[0], 2.3, false);
    table.add({name, ms_text(seconds[0]), fixed(seconds[0] / (static_cast<double>(one.size()) / kPiece) * 1e9, 1),
               ms_text(seconds[1]), fixed(seconds[1] / seconds[0], 2), fast, linear});
    results.add("texts", {{"format", name}, {"seconds", seconds[0]}, {"twice", seconds[1]}});
  }
  table.print();

  Table plain({"prose through auto", "MB/s", "target"});
  const std::string text = prose(8'000'000);
  for (std::size_t piece : {std::size_t{4096}, text.size()}) {
    const Contender contender[] = {{"belay", [&] { read("auto", text, piece, 0); }}};
    const double speed = static_cast<double>(text.size()) / race(contender, effort)[0] / 1e6;
    const std::string how = piece == text.size() ? "in one piece" : "in pieces of 4 KB";
    plain.add({how, fixed(speed, 0), results.target("text, prose through auto, " + how + ", MB/s", speed, 500, true)});
    results.add("texts", {{"format", "prose"}, {"piece", piece}, {"MB/s", speed}});
  }
  plain.print();
}

}  // namespace belay::bench
