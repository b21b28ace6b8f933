// A use of every module of the core: a provider's bytes to a call, its tool's check, the gate, a task that asks for
// more.
#include <belay/belay.h>

#include <iostream>

namespace {

struct Shown final : belay::turn::EventSink {
  void on_text(std::string_view text) override { std::cout << "text: " << text << "\n"; }
};

}  // namespace

int main() {
  using namespace belay;
  tool::Registry tools;
  auto read = tool::Tool::make({.name = "read_file",
                                .description = "Reads",
                                .parameters = R"({"properties": {"line": {"type": "integer"}}})",
                                .effect = tool::Effect::read,
                                .aliases = {},
                                .parameter_aliases = {},
                                .list_parameter = {}},
                               {});
  if (!read || !tools.add(std::move(*read))) return 1;

  Shown shown;
  turn::LedgerOptions options;
  options.tools = tools.known();
  options.any_tool = false;
  options.format = "hermes";
  turn::Ledger ledger(shown, std::move(options));
  wire::StreamDecoder decoder(wire::Wire::ollama, ledger);
  decoder.push(R"({"message": {"content": "Sure.<tool_call>{\"name\": \"read_file\", \"arguments\": )");
  decoder.push(R"({\"line\": \"3\",}}</tool_call>"}, "done": true, "done_reason": "stop"})");
  decoder.finish();

  policy::Gate gate(tools, {.native = false});
  const turn::Answer answer = ledger.finish();
  for (const turn::Call& call : answer.calls)
    for (const policy::Run& run : gate.plan(call).runs) std::cout << call.name << " " << run.text << "\n";
  std::cout << name(policy::judge_command("rm -rf /").decision) << "\n";

  task::Tree task = task::Tree::create({.tools = &tools, .permissions = {}}, "one", {});
  std::cout << task.start(0).actions.size() << " action\n";
}
