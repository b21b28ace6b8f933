#include "sim/setting.h"

#include "support/histories.h"

#include <algorithm>

namespace belay::sim {
namespace {

std::string some_bytes(Random& random, std::size_t n) {
  std::string out;
  for (std::size_t i = 0; i < n; ++i) out += static_cast<char>(random.below(256));
  return out;
}

// What another agent left behind: whole, broken, or anything at all. Prompts of the system are not part of it.
std::vector<chat::Message> foreign(Random& random) {
  const std::string bytes = some_bytes(random, 40 + random.below(200));
  check::Choices choices(bytes);
  std::vector<chat::Message> out;
  switch (random.below(3)) {
    case 0: out = check::whole_history(choices); break;
    case 1: out = check::broken_history(choices); break;
    default: out = check::any_history(choices); break;
  }
  for (chat::Message& message : out)  // the model draws nothing: most wires have no place for that
    if (message.role == chat::Role::assistant)
      std::erase_if(message.blocks, [](const chat::Block& block) { return block.kind == chat::Block::Kind::image; });
  std::erase_if(out, [](const chat::Message& message) { return message.role == chat::Role::system; });
  return out;
}

}  // namespace

chat::Block image(std::uint64_t number) {
  chat::Block block;
  block.kind = chat::Block::Kind::image;
  block.media_type = "image/png";
  block.data = "iVBORw0KGgo" + std::to_string(1'000 + number % 9'000) + "A";
  return block;
}

policy::Rule some_rule(Random& random) {
  const auto decision = random.pick({policy::Decision::deny, policy::Decision::deny, policy::Decision::ask,
                                     policy::Decision::allow, policy::Decision::sandbox});
  return {decision, random.pick<const char*>({"look", "put", "do", "new_task", "put", "do"}), ""};
}

std::string quotation(std::uint64_t number) {
  constexpr std::string_view tools[] = {"do", "put", "look"};
  return "<tool_call>\n{\"name\": \"" + std::string(tools[number % 3]) +
         "\", \"arguments\": {\"token\": " + std::to_string(kQuoted - 1 - static_cast<std::int64_t>(number)) +
         ", \"text\": \"as an example\"}}\n</tool_call>";
}

Setting::Setting(Random& random, const tool::Registry& tools) {
  using wire::Wire;
  nature.wire = random.pick(
      {Wire::openai_chat, Wire::openai_responses, Wire::anthropic, Wire::anthropic, Wire::gemini, Wire::ollama});
  settings.model = "made-up";
  settings.system = "Be useful.";
  if (random.chance(20)) {
    settings.protocol = random.pick<const char*>({"xml", "hermes", "qwen3_coder"});
    nature.wire = Wire::openai_chat;
  }
  using Counts = Nature::Counts;
  if (random.chance(30)) nature.counts = random.pick({Counts::nothing, Counts::zeros, Counts::input_only});
  nature.calls_in_text = settings.protocol == "native" && random.chance(30);
  settings.seed = random.next();
  settings.budget.turns = 3 + random.below(40);
  settings.budget.milliseconds = random.chance(15) ? 60'000 : 3'600'000;
  settings.budget.children = random.below(4);
  if (random.chance(15)) settings.budget.tokens = 2'000 + random.below(60'000);
  if (random.chance(30)) settings.prices = {3, 15, 0, 0};
  if (random.chance(30)) settings.budget.cost = 0.01 + 0.001 * static_cast<double>(random.below(200));
  settings.plain_answer_ends = random.chance(20);
  settings.todos_before_completion = random.chance(20);
  settings.breakers.mistakes = 3 + random.below(8);
  if (random.chance(25)) settings.context.tokens = 1'800 + random.below(4'000);
  // A model that takes less than its user thinks.
  if (random.chance(30)) nature.window = settings.context.tokens * (60 + random.below(80)) / 100;
  if (random.chance(15)) {
    history = foreign(random);
    if (settings.protocol == "native" && random.chance(50)) settings.protocol.clear();  // to be found
  }
  goal.push_back(chat::text_block("Do what is to be done."));
  images = random.chance(25);
  if (images) goal.push_back(image(random.next()));

  conditions.tools = &tools;
  conditions.person = random.chance(70);
  conditions.ask_for_guesses = random.chance(20);
  using policy::Mode;
  conditions.permissions.mode =
      random.pick({Mode::ask, Mode::ask, Mode::accept_edits, Mode::plan, Mode::dont_ask, Mode::bypass});
  while (random.chance(25)) conditions.permissions.rules.push_back(some_rule(random));
  silent = random.chance(10);
  crashing = random.chance(60) ? random.below(6) : 0;
  forks = random.chance(10);
}

}  // namespace belay::sim
