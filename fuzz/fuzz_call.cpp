// Deltas put together to calls: any deltas, in any order, with and without the names that tell them apart. Arguments
// that are cut into more fragments give the same events, and all events follow the rules (turn.h).
#include "fuzz.h"
#include "known_tools.h"
#include "turn.h"

#include <support/choices.h>

#include <deque>

using namespace belay;

namespace {

namespace delta = chat::delta;

enum class Kind : std::uint8_t {
  start,
  text,
  reasoning,
  refusal,
  call,
  call_whole,
  call_end,
  opaque,
  usage,
  stop,
  end,
  failure,
  notice
};

struct Script {
  std::deque<std::string> texts;  // what the deltas point to
  std::deque<chat::Usage> usages;
  std::deque<chat::Opaque> opaques;
  std::vector<chat::Delta> deltas;
};

// The choices are those of the corpus: each is made for every kind.
chat::Delta make_delta(check::Choices& choices, Script& out) {
  static constexpr Kind kKinds[] = {Kind::call,       Kind::call,     Kind::call,   Kind::call,  Kind::call,
                                    Kind::call_whole, Kind::call_end, Kind::stop,   Kind::end,   Kind::text,
                                    Kind::reasoning,  Kind::refusal,  Kind::opaque, Kind::usage, Kind::notice,
                                    Kind::failure,    Kind::start};
  static constexpr std::string_view kIds[] = {"", "a", "b", "belay_0", "belay_1"};
  static constexpr std::string_view kItems[] = {"", "", "x", "y"};
  static constexpr std::string_view kNames[] = {"", "", "f", "g", "wr", "ite", "write"};
  static constexpr std::int64_t kIndexes[] = {0, 1, -1, 7};
  const Kind kind = choices.pick(kKinds);
  std::string& text = out.texts.emplace_back();
  for (std::size_t n = choices.below(3); n > 0; --n) text += choices.pick(fuzz::kArgumentPieces);
  delta::CallKey key;
  if (choices.flip()) key.index = choices.pick(kIndexes);
  key.id = choices.pick(kIds);
  key.item = choices.pick(kItems);
  delta::Call call{.key = key, .name = choices.pick(kNames), .arguments = text, .whole = kind == Kind::call_whole};
  call.closed = call.whole && choices.flip();
  if (choices.once_in(16)) call.guess = json::EditKind::invalid_utf8;
  const auto reason = static_cast<chat::StopReason>(choices.below(8));
  switch (kind) {
    case Kind::start: return delta::Start{key.id, call.name};
    case Kind::text: return delta::Text{text, key.item};
    case Kind::reasoning: return delta::Reasoning{text, key.item};
    case Kind::refusal: return delta::Refusal{text, key.item};
    case Kind::call:
    case Kind::call_whole: return call;
    case Kind::call_end: return delta::CallEnd{key};
    case Kind::opaque: return delta::CallOpaque{key, &out.opaques.emplace_back(chat::Opaque{"anthropic", "x", "{}"})};
    case Kind::usage: return delta::Usage{&out.usages.emplace_back(chat::Usage{1, 2, {}, {}, {}})};
    case Kind::stop: return delta::Stop{reason, text};
    case Kind::end: return delta::End{};
    case Kind::failure: return chat::Failure{"overloaded", "m", true, {}};
    case Kind::notice: return delta::Notice{call.name, text};
  }
  return delta::End{};
}

Script make_script(check::Choices& choices) {
  Script out;
  while (!choices.used_up() && out.deltas.size() < 32) out.deltas.push_back(make_delta(choices, out));
  return out;
}

std::string listen(fuzz::Turn& turn, const Script& script) {
  for (const chat::Delta& d : script.deltas) turn.on(d);
  return turn.finish();
}

// How much of a fragment must stay in one piece. Beside a name, what may stand behind whole arguments begins no others;
// so the name comes with their first byte.
std::size_t indivisible(const delta::Call& d) {
  const std::size_t begins = d.name.empty() ? 0 : d.arguments.find_first_not_of(" \t\r\n}]");
  return begins == d.arguments.npos ? d.arguments.size() : begins + 1;
}

// Each fragment of arguments as several: the first has what names it, the others only what tells them apart.
std::string listen_in_pieces(fuzz::Turn& turn, const Script& script, std::size_t size) {
  for (const chat::Delta& d : script.deltas) {
    const auto* call = std::get_if<delta::Call>(&d);
    if (!call || call->whole || call->arguments.size() <= size || call->key.empty()) {
      turn.on(d);
      continue;
    }
    delta::Call part = *call;
    part.arguments = call->arguments.substr(0, std::max(size, indivisible(*call)));
    turn.on(part);
    part.name = {};
    for (std::string_view piece : check::chop(call->arguments.substr(part.arguments.size()), size)) {
      part.arguments = piece;
      turn.on(part);
    }
  }
  return turn.finish();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = fuzz::text_of(data, size);
  check::Choices choices(input);
  turn::LedgerOptions options;
  if (choices.flip()) {
    options.tools = fuzz::known_tools();
    options.any_tool = choices.flip();
  }
  if (choices.once_in(8)) {
    options.limits.calls = 2;
    options.limits.bytes = 12;
    options.limits.name_bytes = 2;
    options.limits.values = 1;
  }
  choices.below(4);  // nothing depends on it any more; the corpus has a byte here
  const std::size_t piece = 1 + choices.below(4);
  const Script script = make_script(choices);

  fuzz::Turn whole(options), cut(options);
  fuzz::require_none(listen(whole, script), input);
  fuzz::require_none(listen_in_pieces(cut, script, piece), input);
  for (std::size_t i = 0; i < std::max(whole.events().size(), cut.events().size()); ++i) {
    const std::string a = i < whole.events().size() ? whole.events()[i] : "nothing";
    const std::string b = i < cut.events().size() ? cut.events()[i] : "nothing";
    if (a != b) fuzz::require_none("whole: " + a + "\ncut:   " + b + "\n" + whole.story(), input);
  }
  return 0;
}
