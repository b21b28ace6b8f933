// A task with a real store and real files, and a model that follows a script: to be killed at any moment, and started
// again until it says that it is done.
//   task_driver DATABASE FILE SEED
// The tool `put` appends a line to FILE. Every answer of the script asks for some of those, and for looks in between.
#include "builtin/task_tools.h"

#include <belay/store.h>
#include <belay/task.h>
#include <belay/wire.h>

#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <string>

using namespace belay;

namespace {

constexpr std::uint64_t kTurns = 12;

std::int64_t now() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

// One write, so that a line is there or is not.
bool append_line(const std::string& path, const std::string& line) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0) return false;
  const std::string text = line + "\n";
  const bool well = ::write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size()) && ::fsync(fd) == 0;
  ::close(fd);
  return well;
}

tool::Registry make_tools(const std::string& file) {
  tool::Registry tools;
  auto add = [&](std::string name, tool::Effect effect, tool::Code code) {
    tool::Spec spec;
    spec.name = std::move(name);
    spec.description = "made up";
    spec.parameters = R"({"type":"object","properties":{"token":{"type":"string"}},"required":["token"]})";
    spec.effect = effect;
    tools.add(*tool::Tool::make(std::move(spec), std::move(code)));
  };
  add("put", tool::Effect::write, [file](const tool::Invocation& i) {
    const std::string token(i.arguments.find("token")->as_string());
    return append_line(file, token) ? tool::text_result("put " + token) : tool::error_result("could not write");
  });
  add("look", tool::Effect::read, [](const tool::Invocation&) { return tool::text_result("nothing new"); });
  tools.add(*tool::Tool::make(builtin::attempt_completion_spec(), {}));
  return tools;
}

// What the model says depends on how often it has spoken, and on nothing else.
turn::Answer scripted(const task::SendRequest& request, const tool::Registry& tools, std::uint64_t seed) {
  std::uint64_t turn = 0;
  for (const chat::Message& m : request.body.messages) turn += m.role == chat::Role::assistant;
  wire::StreamEncoder encoder(wire::Wire::anthropic, {"m", "script", 0});
  const auto call = [&](std::uint64_t i, std::string_view name, const std::string& arguments) {
    encoder.begin_call("toolu_" + std::to_string(turn) + "_" + std::to_string(i), name);
    encoder.arguments(arguments);
    encoder.end_call();
  };
  if (turn >= kTurns) {
    call(0, "attempt_completion", R"({"result":"all is put"})");
  } else {
    const std::uint64_t calls = 1 + task::random_number(seed, turn) % 4;
    for (std::uint64_t i = 0; i < calls; ++i) {
      const std::string token = std::to_string(seed) + "-" + std::to_string(turn) + "-" + std::to_string(i);
      call(i, task::random_number(seed, turn * 16 + i) % 3 == 0 ? "look" : "put", "{\"token\":\"" + token + "\"}");
    }
  }
  chat::Usage usage;
  usage.input_tokens = 10;
  usage.output_tokens = 10;
  encoder.usage(usage);
  encoder.stop(chat::StopReason::tool_calls);
  const std::string bytes = encoder.take();
  task::Listener listener("t", tools, request.format, {});
  wire::StreamDecoder decoder(wire::Wire::anthropic, listener);
  decoder.push(bytes);
  decoder.finish();
  return std::move(*listener.finish());
}

[[noreturn]] void fail(const std::string& what) {
  std::fprintf(stderr, "task_driver: %s\n", what.c_str());
  std::exit(1);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) fail("usage: task_driver DATABASE FILE SEED");
  const std::string file = argv[2];
  const std::uint64_t seed = std::strtoull(argv[3], nullptr, 10);
  store::SqliteOptions options;
  options.path = argv[1];
  auto store = store::open_sqlite(options);
  if (!store) fail(store.error().message);
  // A task that is not there yet cannot be claimed: who keeps its first record has it.
  auto claim = (*store)->claim("t", {"task_driver", ::getpid()});
  if (!claim && claim.error().kind != store::Error::Kind::not_found) fail(claim.error().message);

  const tool::Registry tools = make_tools(file);
  task::Conditions conditions{
      .tools = &tools, .permissions = {.mode = policy::Mode::bypass, .rules = {}}, .person = false};
  auto records = (*store)->load_tree("t");
  if (!records && records.error().kind != store::Error::Kind::not_found) fail(records.error().message);
  std::optional<task::Tree> tree;
  if (records && !records->empty()) {
    auto resumed = task::Tree::resume(conditions, *records);
    if (!resumed) fail(resumed.error());
    tree.emplace(std::move(*resumed));
  } else {
    task::Created created;
    created.settings.model = "script";
    created.settings.breakers.repeats = 1'000;
    created.goal.push_back(chat::text_block("Put everything."));
    tree.emplace(task::Tree::create(conditions, "t", std::move(created)));
  }
  if (tree->finished()) return 0;

  std::deque<task::Action> actions;
  auto perform = [&](task::Step step) {
    if (auto kept = (*store)->append(step.records); !kept) fail(kept.error().message);
    for (task::Action& action : step.actions) actions.push_back(std::move(action));
  };
  perform(tree->start(now()));
  if (!claim) claim = (*store)->claim("t", {"task_driver", ::getpid()});
  if (!claim) fail(claim.error().message);
  while (!tree->finished()) {
    if (actions.empty()) fail("nothing to do, and not done");
    task::Action action = std::move(actions.front());
    actions.pop_front();
    if (auto* send = std::get_if<task::SendRequest>(&action.deed)) {
      perform(tree->on_answer(action.task, send->request, scripted(*send, tools, seed), now()));
    } else if (auto* run = std::get_if<task::RunTool>(&action.deed)) {
      const json::Reading arguments = json::read(run->arguments());
      tool::Result result = tools.find(run->tool)->run({arguments.document.root(), {}});
      perform(tree->on_tool_result(action.task, run->call, run->run, std::move(result), now()));
    }
  }
  return 0;
}
