// Plays scripted stories through the real Terminal, without a model: for screen_test.py, which looks at the screen.
//
//   screen_driver SCENE LOG [WIDTH]
//
// What the terminal wants of the agent goes into LOG, one line each.
#include <belay/screen.h>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <mutex>
#include <thread>

using namespace belay;
using task::AskPerson;
using task::EventKind;

namespace {

// What came from the person.
struct Fact {
  std::string kind, question, text;
  task::Reply::Kind reply = task::Reply::Kind::nobody;
};

class Person {
 public:
  explicit Person(const char* log) : log_(log) {}
  screen::Hands hands() {
    using Kind = task::Reply::Kind;
    return {[this](std::string, std::string question, task::Reply reply) {
              const char* names[] = {"yes", "no", "words", "nobody"};
              const Kind kind = reply.kind;
              put({"reply", question, reply.text, kind},
                  "reply " + question + " " + names[static_cast<std::size_t>(kind)] + " " + reply.text);
            },
            [this](std::vector<chat::Block> blocks) {
              put({"say", {}, blocks.at(0).text, Kind::nobody}, "say " + blocks.at(0).text);
            },
            [this] { put({"stop", {}, {}, Kind::nobody}, "stop"); },
            [this] { put({"leave", {}, {}, Kind::nobody}, "leave"); },
            [this](policy::Rule rule) {
              put({"allow", {}, {}, Kind::nobody}, "allow " + rule.tool + "(" + rule.pattern + ")");
            }};
  }
  Fact wait() {
    std::unique_lock lock(mutex_);
    arrived_.wait(lock, [this] { return !facts_.empty(); });
    return next();
  }
  /// Nothing when nothing came in this time.
  Fact wait_for(std::chrono::milliseconds time) {
    std::unique_lock lock(mutex_);
    if (!arrived_.wait_for(lock, time, [this] { return !facts_.empty(); })) return {};
    return next();
  }

 private:
  Fact next() {
    Fact fact = facts_.front();
    // Who has left stays away, whichever wait was told of it: otherwise a driver would outlive its terminal.
    if (fact.kind != "leave") facts_.pop_front();
    return fact;
  }
  void put(Fact fact, const std::string& line) {
    const std::lock_guard lock(mutex_);
    std::ofstream(log_, std::ios::app) << line << std::endl;
    facts_.push_back(std::move(fact));
    arrived_.notify_all();
  }
  std::string log_;
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<Fact> facts_;
};

constexpr const char* kChange =
    "--- src/parser.c\n+++ src/parser.c\n@@ -1,3 +1,3 @@\n int parse(void) {\n-  return 1;\n+  return 0;\n }\n";

class Scene {
 public:
  Scene(screen::Terminal& terminal, Person& person) : terminal_(terminal), person_(person) {}

  void show(task::Event event) {
    event.task = "t7";
    terminal_.on(event);
  }
  void begin() {
    show({.kind = EventKind::started, .text = "Make the failing test pass."});
    show({.kind = EventKind::request, .number = 1});
  }
  void stream(EventKind kind, std::string_view text, std::string call = {}) {
    for (std::size_t i = 0; i < text.size(); i += 5)
      show({.kind = kind, .call = call, .text = std::string(text.substr(i, 5))});
  }
  void finish(std::string reason) {
    show({.kind = EventKind::finished, .name = std::move(reason), .number = 0});
    terminal_.idle();
  }
  AskPerson approval(std::string id, std::string tool, std::string arguments, std::string receipt = {}) {
    show({.kind = EventKind::call_started, .call = id, .name = tool});
    stream(EventKind::call_delta, arguments, id);
    std::string data = R"({"receipt":")" + receipt + R"(","feedback":""})";
    show({.kind = EventKind::call_ended, .call = id, .name = tool, .text = "valid", .data = data});
    return {.id = "approve/" + id + "/0",
            .kind = AskPerson::Kind::approval,
            .text = "it may change something",
            .call = id,
            .tool = std::move(tool),
            .arguments = std::move(arguments),
            .receipt = std::move(receipt)};
  }
  // Asks, and plays what comes of it. False: the person left.
  bool ask_and_run(const AskPerson& question, const std::string& result) {
    show({.kind = EventKind::asked, .call = question.call, .name = "approval", .text = question.text});
    terminal_.ask("t7", question);
    Fact fact = person_.wait();
    while (fact.kind == "allow" || fact.kind == "say") fact = person_.wait();
    if (fact.kind == "leave") return false;
    const bool yes = fact.reply == task::Reply::Kind::yes;
    if (fact.kind == "stop") {
      terminal_.drop(question.id);
    } else if (yes) {
      show({.kind = EventKind::tool_started, .call = question.call, .name = question.tool, .data = question.arguments});
    }
    show({.kind = EventKind::tool_ended,
          .call = question.call,
          .name = question.tool,
          .text = yes ? result : "The person did not approve of this call. They said: " + fact.text,
          .is_error = !yes});
    if (fact.kind == "stop") {
      finish("aborted");
      return stay();
    }
    return true;
  }
  // Idle until the person leaves.
  bool stay() {
    while (true) {
      const Fact fact = person_.wait();
      if (fact.kind == "leave") return false;
      if (fact.kind != "say") continue;
      show({.kind = EventKind::request, .number = 1});
      stream(EventKind::text, "You said: " + fact.text);
      finish("completed");
    }
  }

  screen::Terminal& terminal_;
  Person& person_;
};

void approvals(Scene& scene) {
  scene.begin();
  scene.stream(EventKind::text, "I will change the parser, and commit it.");
  if (!scene.ask_and_run(scene.approval("c1", "write_to_file",
                                        R"({"path":"src/parser.c","content":"int parse(void) {\n  return 0;\n}\n"})",
                                        "Mended: trailing_comma at byte 61."),
                         "overwrote src/parser.c (3 lines, 33 bytes)\n"))
    return;
  if (!scene.ask_and_run(scene.approval("c2", "execute_command", R"({"command":"git commit -am fix"})"),
                         "[main 1a2b3c] fix\n[exit code 0, 0.1 s]"))
    return;
  scene.show({.kind = EventKind::completed, .text = "The parser gives 0 now."});
  scene.terminal_.ask("t7", {.id = "complete/c3", .kind = AskPerson::Kind::completion, .text = "The parser"});
  scene.person_.wait();
  scene.finish("completed");
  scene.stay();
}

void questions(Scene& scene) {
  scene.begin();
  scene.terminal_.ask("t7", {.id = "question/c1",
                             .kind = AskPerson::Kind::question,
                             .text = "Which parser do you mean?",
                             .choices = {"the old one", "the new one"}});
  const Fact fact = scene.person_.wait();
  if (fact.kind == "leave") return;
  scene.stream(EventKind::text, "So it is: " + fact.text);
  scene.terminal_.ask("t7", {.id = "limit/turns/9/0",
                             .kind = AskPerson::Kind::limit,
                             .text = "the task has used its 9 turns (--max-turns). Go on?"});
  const Fact limit = scene.person_.wait();
  scene.finish(limit.reply == task::Reply::Kind::yes ? "completed" : "turns");
  scene.stay();
}

// Writes until it is stopped.
void streams(Scene& scene) {
  scene.begin();
  for (int i = 1;; ++i) {
    scene.stream(EventKind::text, "word" + std::to_string(i) + " ");
    const Fact fact = scene.person_.wait_for(std::chrono::milliseconds(20));
    if (fact.kind == "leave") return;
    if (fact.kind == "say") scene.show({.kind = EventKind::request, .number = 1});
    if (fact.kind == "stop") break;
  }
  scene.finish("aborted");
  scene.stay();
}

// Stands still in the middle of a call, then of a tool's work: until the person says something.
void forms(Scene& scene) {
  scene.begin();
  scene.stream(EventKind::reasoning, "The person wants a parser that gives 0, so I write it anew and run its tests.");
  scene.person_.wait();
  scene.stream(EventKind::text, "I write the parser anew. It is short.");
  scene.show({.kind = EventKind::call_started, .call = "c1", .name = "write_to_file"});
  scene.stream(
      EventKind::call_delta,
      R"({"path":"src/parser.c","content":"/* reads one number */\nint parse(const char* text) {\n  int n = 0;\n)"
      R"(  for (; *text; ++text) n = n * 10 + (*text - '0');\n  return n)",
      "c1");
  scene.person_.wait();
  scene.show({.kind = EventKind::failed, .name = "stream_broke_off", .text = "the answer ended without saying so"});
  scene.show({.kind = EventKind::retry, .name = "stream_broke_off", .number = 60'000});
  scene.person_.wait();
  scene.show({.kind = EventKind::request, .number = 2});
  const AskPerson call = scene.approval("c2", "execute_command", R"({"command":"make test"})");
  scene.show({.kind = EventKind::tool_started, .call = "c2", .name = "execute_command", .data = call.arguments});
  for (int i = 1; i < 30; ++i)
    scene.show({.kind = EventKind::tool_output, .call = "c2", .text = "test " + std::to_string(i) + " ok\n"});
  scene.person_.wait();
}

// Does not stop when it is asked to.
void hangs(Scene& scene) {
  scene.begin();
  scene.stream(EventKind::text, "I hang.");
  while (true) scene.person_.wait();
}

// Asks when the person has begun to type: the log says so before.
void asks_late(Scene& scene, const char* log) {
  scene.begin();
  scene.stream(EventKind::text, "Type something.");
  while (!std::ifstream(std::string(log) + ".go")) scene.person_.wait_for(std::chrono::milliseconds(10));
  scene.ask_and_run(scene.approval("c1", "execute_command", R"({"command":"rm -r build"})"), "[exit code 0, 0.1 s]");
  scene.finish("completed");
  scene.stay();
}

// Text of this many megabytes, as fast as it is taken.
void floods(Scene& scene, std::size_t megabytes, const char* log) {
  scene.begin();
  const auto begun = std::chrono::steady_clock::now();
  std::string piece;
  for (int i = 0; piece.size() < 4096; ++i) piece += "word" + std::to_string(i) + (i % 20 == 19 ? "\n" : " ");
  for (std::size_t n = 0; n < megabytes * 256; ++n) scene.show({.kind = EventKind::text, .text = piece});
  scene.finish("completed");
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
  std::ofstream(log, std::ios::app) << "took " << took.count() << std::endl;
  scene.stay();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const std::string scene_name = argv[1];
  const char* log = argv[2];
  screen::TerminalOptions options = screen::for_environment(0, 1);
  options.model = "a-model";
  const char* workspace = std::getenv("BELAY_DRIVER_WORKSPACE");
  options.workspace = workspace ? workspace : ".";
  options.log = "/var/log/belay.log";
  options.history = std::string(log) + ".history";
  options.preview = [](std::string_view tool, std::string_view) {
    return tool == "write_to_file" ? std::string(kChange) : std::string();
  };
  Person person(log);
  screen::Terminal terminal(options);
  if (scene_name == "first") {
    const auto goal = terminal.first_message();
    std::ofstream(log, std::ios::app) << "goal " << goal.value_or("(left)") << std::endl;
    if (!goal) return 0;
    terminal.on({.kind = EventKind::started, .task = "t7", .text = *goal});
  }
  terminal.attach(person.hands());
  Scene scene(terminal, person);
  if (scene_name == "first") scene.stay();
  if (scene_name == "approvals") approvals(scene);
  if (scene_name == "questions") questions(scene);
  if (scene_name == "streams") streams(scene);
  if (scene_name == "hangs") hangs(scene);
  if (scene_name == "forms") forms(scene);
  if (scene_name == "asks-late") asks_late(scene, log);
  if (scene_name == "floods") floods(scene, argc > 3 ? std::strtoul(argv[3], nullptr, 10) : 20, log);
  if (scene_name == "throws") {
    scene.begin();
    scene.stream(EventKind::text, "Something goes wrong.");
    throw 1;
  }
  terminal.close();
}
