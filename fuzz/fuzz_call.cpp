// Deltas put together to calls: any deltas, in any order, with and without the names that tell them apart. Arguments
// that are cut into more fragments give the same events, and all events follow the rules (turn.h).
#include "fuzz.h"
#include "known_tools.h"
#include "turn.h"

#include <support/choices.h>

#include <deque>

using namespace belay;

namespace {

using Kind = chat::Delta::Kind;

struct Script {
  std::deque<std::string> texts;  // what the deltas point to
  std::deque<chat::Usage> usages;
  std::deque<chat::Failure> failures;
  std::deque<chat::Opaque> opaques;
  std::vector<chat::Delta> deltas;
};

Script make_script(check::Choices& choices) {
  static constexpr Kind kKinds[] = {Kind::call,       Kind::call,     Kind::call,   Kind::call,  Kind::call,
                                    Kind::call_whole, Kind::call_end, Kind::stop,   Kind::end,   Kind::text,
                                    Kind::reasoning,  Kind::refusal,  Kind::opaque, Kind::usage, Kind::notice,
                                    Kind::failure,    Kind::start};
  static constexpr std::string_view kIds[] = {"", "a", "b", "belay_0", "belay_1"};
  static constexpr std::string_view kItems[] = {"", "", "x", "y"};
  static constexpr std::string_view kNames[] = {"", "", "f", "g", "wr", "ite", "write"};
  static constexpr std::int64_t kIndexes[] = {0, 1, -1, 7};
  Script out;
  while (!choices.used_up() && out.deltas.size() < 32) {
    chat::Delta d;
    d.kind = choices.pick(kKinds);
    std::string& text = out.texts.emplace_back();
    for (std::size_t n = choices.below(3); n > 0; --n) text += choices.pick(fuzz::kArgumentPieces);
    d.text = text;
    if (choices.flip()) d.index = choices.pick(kIndexes);
    d.id = choices.pick(kIds);
    d.item = choices.pick(kItems);
    d.name = choices.pick(kNames);
    d.closed = d.kind == Kind::call_whole && choices.flip();
    if (choices.once_in(16)) d.grade = json::Grade::guess;
    d.stop = static_cast<chat::StopReason>(choices.below(8));
    if (d.kind == Kind::usage) d.usage = &out.usages.emplace_back(chat::Usage{1, 2, {}, {}, {}});
    if (d.kind == Kind::failure) d.failure = &out.failures.emplace_back(chat::Failure{"overloaded", "m", true, {}});
    if (d.kind == Kind::opaque) d.opaque = &out.opaques.emplace_back(chat::Opaque{"anthropic", "x", "{}"});
    out.deltas.push_back(d);
  }
  return out;
}

std::string listen(fuzz::Turn& turn, const Script& script) {
  for (const chat::Delta& d : script.deltas) turn.on(d);
  return turn.finish();
}

// How much of a fragment must stay in one piece. Beside a name, what may stand behind whole arguments begins no others;
// so the name comes with their first byte.
std::size_t indivisible(const chat::Delta& d) {
  const std::size_t begins = d.name.empty() ? 0 : d.text.find_first_not_of(" \t\r\n}]");
  return begins == d.text.npos ? d.text.size() : begins + 1;
}

// Each fragment of arguments as several: the first has what names it, the others only what tells them apart.
std::string listen_in_pieces(fuzz::Turn& turn, const Script& script, std::size_t size) {
  for (const chat::Delta& d : script.deltas) {
    if (d.kind != Kind::call || d.text.size() <= size || (!d.index && d.id.empty() && d.item.empty())) {
      turn.on(d);
      continue;
    }
    chat::Delta part = d;
    part.text = d.text.substr(0, std::max(size, indivisible(d)));
    turn.on(part);
    part.name = {};
    for (std::string_view piece : check::chop(d.text.substr(part.text.size()), size)) {
      part.text = piece;
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
