#include "support/task_records.h"

#include <utility>

namespace belay::check {
namespace {

using namespace task;

class Dice {
 public:
  explicit Dice(std::mt19937_64& random) : random_(random) {}
  std::uint64_t below(std::uint64_t end) { return random_() % end; }
  bool flip() { return below(2) == 0; }
  std::string text() { return random_text(random_); }
  std::uint64_t number() { return below(3) == 0 ? below(1ull << 53) : below(100); }
  template <class Enum>
  Enum one_of(std::uint64_t count) {
    return static_cast<Enum>(below(count));
  }
  std::vector<std::string> texts(std::uint64_t at_most) {
    std::vector<std::string> out(below(at_most + 1));
    for (std::string& s : out) s = text();
    return out;
  }
  std::string object() {
    static constexpr const char* kObjects[] = {"{}", R"({"path":"a.txt"})", R"({"a":[1,2.50,null],"b":{"c":"\u0000"}})",
                                               R"({"n":12345678901234567890})"};
    return kObjects[below(4)];
  }
  std::vector<chat::Block> blocks(std::uint64_t at_most) {
    std::vector<chat::Block> out(below(at_most + 1));
    for (chat::Block& b : out) {
      if (below(4) == 0) {
        b.kind = chat::Block::Kind::image;
        b.media_type = "image/png";
        b.data = "iVBORw0KGgo=";
      } else {
        b = chat::text_block(text());
      }
    }
    return out;
  }
  chat::Usage usage() {
    chat::Usage u;
    if (flip()) u.input_tokens = number();
    if (flip()) u.output_tokens = number();
    if (flip()) u.cached_tokens = number();
    return u;
  }
  double cost() { return static_cast<double>(below(1000)) / 64; }

 private:
  std::mt19937_64& random_;
};

Turn random_turn(Dice& dice) {
  Turn turn;
  turn.message.role = chat::Role::assistant;
  turn.message.blocks = dice.blocks(2);
  for (std::uint64_t i = dice.below(3); i > 0; --i) {
    const std::string id = "call_" + std::to_string(i), arguments = dice.object();
    turn.message.blocks.push_back(chat::call_block(id, "read_file", arguments));
    PlannedCall call;
    call.id = id;
    call.name = call.tool = "read_file";
    call.effect = dice.one_of<tool::Effect>(3);
    call.handling = dice.one_of<policy::Handling>(2);
    call.runs = {arguments};
    call.must_ask = dice.flip();
    call.receipt = dice.text();
    call.feedback = dice.text();
    call.damage = {dice.one_of<json::Word>(6), dice.texts(3), dice.text()};
    turn.calls.push_back(std::move(call));
  }
  turn.stop = dice.one_of<chat::StopReason>(8);
  turn.raw_stop = dice.text();
  turn.usage = dice.usage();
  turn.model = dice.text();
  turn.cost = dice.cost();
  return turn;
}

}  // namespace

Record created_record(std::string task, std::int64_t time, std::string goal, std::string parent) {
  Created created;
  created.settings.model = "m";
  created.goal = {chat::text_block(std::move(goal))};
  created.depth = parent.empty() ? 0 : 1;
  created.parent_call = parent.empty() ? "" : "call_1";
  created.parent = std::move(parent);
  return {std::move(task), 1, time, std::move(created)};
}

Record said_record(std::string task, std::uint64_t number, std::int64_t time, std::string text) {
  return {std::move(task), number, time, Said{Said::Why::person, {chat::text_block(std::move(text))}}};
}

Record turn_record(std::string task, std::uint64_t number, std::int64_t time) {
  Turn turn;
  const std::string id = "call_" + std::to_string(number);
  const std::string arguments = R"({"path":"src/main.cpp"})";
  turn.message = {chat::Role::assistant,
                  {chat::text_block("I look at the file."), chat::call_block(id, "read_file", arguments)},
                  {}};
  PlannedCall call;
  call.id = id;
  call.name = call.tool = "read_file";
  call.effect = tool::Effect::read;
  call.handling = policy::Handling::run;
  call.runs = {arguments};
  turn.calls = {std::move(call)};
  turn.stop = chat::StopReason::tool_calls;
  turn.raw_stop = "tool_calls";
  turn.usage.input_tokens = 1200;
  turn.usage.output_tokens = 40;
  turn.model = "m-2";
  return {std::move(task), number, time, std::move(turn)};
}

Record finding_record(std::string task, std::uint64_t number, std::int64_t time, std::string text) {
  Finding finding;
  finding.call = "call_" + std::to_string(number - 1);
  finding.content = {chat::text_block(std::move(text))};
  finding.milliseconds = 3;
  return {std::move(task), number, time, std::move(finding)};
}

Record child_record(std::string task, std::uint64_t number, std::int64_t time, std::string child) {
  return {std::move(task), number, time, ChildStarted{"call_1", std::move(child)}};
}

Record outcome_record(std::string task, std::uint64_t number, std::int64_t time, std::vector<std::string> kinds,
                      Outcome::Became became, std::string model, std::string tool) {
  Outcome outcome;
  outcome.call = "call_1";
  outcome.tool = std::move(tool);
  outcome.model = std::move(model);
  outcome.kinds = std::move(kinds);
  outcome.verdict = json::Word::truncated;
  outcome.became = became;
  return {std::move(task), number, time, std::move(outcome)};
}

Record finished_record(std::string task, std::uint64_t number, std::int64_t time, EndReason reason) {
  return {std::move(task), number, time, Finished{reason, "done", "All of it was done."}};
}

std::vector<Record> long_task(const std::string& task, std::uint64_t turns) {
  std::vector<Record> records = {created_record(task, 1)};
  records.reserve(4 * turns + 1);
  for (std::uint64_t i = 0; i < turns; ++i) {
    const std::uint64_t n = records.size() + 1;
    const auto t = static_cast<std::int64_t>(n);
    records.push_back(turn_record(task, n, t));
    records.push_back({task, n + 1, t + 1, Intent{"call_" + std::to_string(n), 0, true}});
    records.push_back(finding_record(task, n + 2, t + 2, std::string(600, 'x')));
    records.push_back(said_record(task, n + 3, t + 3));
  }
  return records;
}

std::string random_text(std::mt19937_64& random, std::size_t size) {
  static constexpr const char* kPieces[] = {"a", "Z", "0", " ", "\n", "\t", "\"", "\\", "'", "{", "}", "\x01", "\x7f", "é",
                                            "日", "🧗", "\xE2\x80\xA8", "%", ";--", "null"};
  std::string out;
  for (std::size_t n = random() % (size + 1); n > 0; --n) {
    const std::size_t pick = random() % (std::size(kPieces) + 1);
    if (pick == std::size(kPieces))
      out.push_back('\0');
    else
      out += kPieces[pick];
  }
  return out;
}

Created random_created(std::mt19937_64& random) {
  Dice dice(random);
  Created created;
  created.settings.model = dice.text();
  created.settings.system = dice.text();
  created.settings.output_tokens = dice.number();
  created.settings.budget.turns = dice.number();
  created.settings.budget.cost = dice.cost();
  created.goal = dice.blocks(3);
  created.todos = dice.text();
  created.healed = dice.texts(2);
  created.depth = dice.below(3);
  return created;
}

Body random_body(std::mt19937_64& random) {
  Dice dice(random);
  switch (dice.below(12)) {
    case 0: return Said{dice.one_of<Said::Why>(5), dice.blocks(3)};
    case 1: return random_turn(dice);
    case 2: return Intent{dice.text(), dice.number(), dice.flip()};
    case 3:
      return Finding{dice.text(), dice.number(), dice.flip(), dice.one_of<Finding::Why>(8), dice.blocks(3), dice.flip(),
                     static_cast<std::int64_t>(dice.number())};
    case 4: return Approved{dice.text(), dice.text(), dice.number(), dice.object(), dice.flip(), dice.text()};
    case 5: return Todos{dice.text()};
    case 6: return ChildStarted{dice.text(), dice.text()};
    case 7: return Folded{dice.texts(3), dice.number(), dice.text(), dice.usage(), dice.cost()};
    case 8: return Changed{dice.number(), dice.below(2), Budget{}, dice.flip()};
    case 9: return RequestFailed{dice.text(), dice.text(), dice.number(), dice.flip()};
    case 10:
      return Outcome{dice.text(), dice.text(), dice.text(), dice.texts(3), dice.one_of<json::Word>(6),
                     dice.one_of<Outcome::Became>(5)};
    default: return Finished{dice.one_of<EndReason>(9), dice.text(), dice.text()};
  }
}

}  // namespace belay::check
