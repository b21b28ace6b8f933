#include "wire_target.h"

#include "fuzz.h"
#include "known_tools.h"

#include <damage.h>
#include <support/choices.h>
#include <support/tree.h>

#include <algorithm>

namespace belay::fuzz {
namespace {

using check::Choices;

constexpr std::string_view kIndexes[] = {"0", "1", "0", "-1", "7", "null", "\"0\"", "1e0", "99999999999999999999"};
constexpr std::string_view kIds[] = {"a", "b", "", "belay_0", "c", "belay_1_"};
constexpr std::string_view kNames[] = {"f", "g", "", "write", "f__g", "wr"};
constexpr std::string_view kValues[] = {
    "{}",   "{\"a\":1}", "null", "[]",      "\"{\\\"a\\\":2}\"", "{\"a\":{\"b\":[1,\"é\"]}}",
    "true", "-0.5e3",    "\"\"", "{\"b\":", "{\"a\":1,\"a\":2}"};

// Every dollar sign and the letter behind it, filled in.
std::string filled(std::string_view event, const Speech& speech, Choices& choices) {
  std::string out;
  for (std::size_t i = 0; i < event.size(); ++i) {
    if (event[i] != '$') {
      out += event[i];
      continue;
    }
    switch (event[++i]) {
      case 'i': out += choices.pick(kIndexes); break;
      case 'd': out += check::json_string(choices.pick(kIds)); break;
      case 'n': out += check::json_string(choices.pick(kNames)); break;
      case 'a': out += check::json_string(choices.pick(kArgumentPieces)); break;
      case 's': out += check::json_string(choices.pick(speech.stops)); break;
      default: out += choices.pick(kValues); break;
    }
  }
  return out;
}

void frame(std::string_view event, const Speech& speech, Choices& choices, std::string& body) {
  const std::size_t how = choices.once_in(8) ? choices.below(6) : 6;
  if (how == 0) body += ": a comment\n";
  if (how == 1) body += "event: error\n";
  if (how == 2) body += "data: [DONE]\r\n\r\n";
  if (speech.wire == wire::Wire::ollama && how > 2)
    (body += event) += "\n";
  else
    ((body += "data: ") += event) += how == 3 ? "\r\n\r\n" : how == 4 ? "\r\r" : how == 5 ? "\n" : "\n\n";
}

std::string body_of(const Speech& speech, Choices& choices) {
  std::string body;
  switch (choices.below(3)) {
    case 0:
      while (!choices.used_up() && body.size() < 1024)
        frame(filled(choices.pick(speech.events), speech, choices), speech, choices, body);
      return body;
    case 1: {
      std::string_view lines = choices.rest();
      while (!lines.empty()) {
        const std::string_view line = lines.substr(0, lines.find('\n'));
        lines.remove_prefix(std::min(lines.size(), line.size() + 1));
        if (!line.empty())
          (((speech.wire == wire::Wire::ollama ? body : body += "data: ") += line) +=
           speech.wire == wire::Wire::ollama ? "\n" : "\n\n");
      }
      return body;
    }
    default: return std::string(choices.rest());
  }
}

struct Reading {
  turn::LedgerOptions options;
  sse::Ended ended = sse::Ended::eof;
};

std::string read(Turn& turn, wire::Wire wire, const check::Pieces& pieces, const Reading& how) {
  wire::StreamDecoder decoder(wire, turn, how.options.limits);
  for (std::string_view piece : pieces) decoder.push(piece);
  decoder.finish(how.ended);
  return turn.finish();
}

std::string first_difference(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    const std::string x = i < a.size() ? a[i] : "nothing", y = i < b.size() ? b[i] : "nothing";
    if (x != y) return "whole: " + x + "\ncut:   " + y;
  }
  return {};
}

}  // namespace

int try_wire(const Speech& speech, const std::uint8_t* data, std::size_t size) {
  Choices choices(text_of(data, size));
  Reading how;
  how.ended = choices.once_in(8) ? sse::Ended::reset : sse::Ended::eof;
  if (choices.flip()) {
    how.options.tools = known_tools();
    how.options.any_tool = false;
  }
  if (choices.once_in(8)) {
    how.options.limits.event_bytes = 40 + choices.below(60);
    how.options.limits.calls = 2;
    how.options.limits.bytes = 12;
    how.options.limits.name_bytes = 2;
    how.options.limits.depth = 6;
  }
  const auto other = static_cast<wire::Wire>(choices.below(5));
  std::vector<std::size_t> cuts = {choices.below(65536), choices.below(256), choices.below(65536)};
  const std::string body = body_of(speech, choices);
  for (std::size_t& cut : cuts) cut %= body.size() + 1;
  std::sort(cuts.begin(), cuts.end());

  Turn whole(how.options);
  require_none(read(whole, speech.wire, {body}, how), body);
  for (const check::Pieces& pieces : {check::cut_at(body, cuts), check::chop(body, 1)}) {
    Turn cut(how.options);
    require_none(read(cut, speech.wire, pieces, how), body);
    require_none(first_difference(whole.deltas(), cut.deltas()), body);
    require_none(first_difference(whole.events(), cut.events()), body);
  }
  if (!whole.sound()) return 0;
  how.options.limits = {};
  for (wire::Wire wire : {speech.wire, other}) {
    const std::string written = whole.written(wire);
    Turn again(how.options);
    require_none(read(again, wire, {written}, Reading{how.options, sse::Ended::eof}), body);
    if (std::string f = whole.difference(again, wire == speech.wire); !f.empty())
      require_none(f + "\nwritten on " + std::string(wire::name(wire)) + ": " + written, body);
  }
  return 0;
}

}  // namespace belay::fuzz
