// The loop: what the engine itself costs in a turn, and how long a long task takes to be resumed.
#include "sections.h"

#include <belay/store.h>
#include <belay/task.h>
#include <belay/wire.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>

namespace belay::bench {
namespace {

using Clock = std::chrono::steady_clock;

tool::Registry make_tools() {
  tool::Registry tools;
  auto add = [&](std::string name, tool::Effect effect) {
    tool::Spec spec;
    spec.name = std::move(name);
    spec.effect = effect;
    spec.parameters =
        R"({"type":"object","properties":{"path":{"type":"string"},"content":{"type":"string"}},"required":["path"]})";
    auto made = tool::Tool::make(std::move(spec), {});
    if (!made || !tools.add(std::move(*made))) throw std::runtime_error("a tool of the bench cannot be made");
  };
  add("read_file", tool::Effect::read);
  add("write_to_file", tool::Effect::write);
  return tools;
}

// A task whose model reads two files and writes one in every turn, and sums up when it is asked to.
class Driver {
 public:
  explicit Driver(std::vector<task::Record>* kept) : kept_(kept) {
    task::Created created;
    created.settings.model = "bench";
    created.settings.system = "Be useful.";
    created.settings.budget.turns = created.settings.budget.tokens = 1'000'000'000;
    created.goal.push_back(chat::text_block("Change every file."));
    task::Conditions conditions;
    conditions.tools = &tools_;
    conditions.permissions.mode = policy::Mode::bypass;
    tree_.emplace(task::Tree::create(conditions, "t", std::move(created)));
    take(tree_->start(now_));
  }

  void turn() {
    while (send_.summary) answer("So far, all went well.", false);
    answer("On with the next one.", true);
    for (int i = 0; i < 3; ++i) {
      task::RunTool run = std::move(runs_.front());
      runs_.erase(runs_.begin());
      take(tree_->on_tool_result("t", run.call, run.run, tool::text_result(text_), ++now_));
    }
  }

  std::uint64_t records = 0, commits = 0;

 private:
  void answer(std::string_view text, bool calls) {
    wire::StreamEncoder encoder(wire::Wire::anthropic, {"m", "bench", 0});
    encoder.text(text);
    const std::string n = std::to_string(++turns_);
    for (int i = 0; calls && i < 3; ++i) {
      encoder.begin_call("toolu_" + n + "_" + std::to_string(i), i == 2 ? "write_to_file" : "read_file");
      encoder.arguments("{\"path\": \"src/file_" + n + ".ts\"" + (i == 2 ? ", \"content\": \"" + text_ + "\"}" : "}"));
      encoder.end_call();
    }
    encoder.stop(calls ? chat::StopReason::tool_calls : chat::StopReason::end);
    const std::string bytes = encoder.take();
    task::Listener listener("t", tools_, send_.format, {});
    wire::StreamDecoder decoder(wire::Wire::anthropic, listener);
    decoder.push(bytes);
    decoder.finish();
    auto answer = listener.finish();
    if (!answer) throw std::runtime_error("the bench's answer cannot be read");
    take(tree_->on_answer("t", send_.request, std::move(*answer), ++now_));
  }

  void take(task::Step step) {
    for (task::Action& action : step.actions) {
      if (auto* send = std::get_if<task::SendRequest>(&action.deed)) send_ = std::move(*send);
      if (auto* run = std::get_if<task::RunTool>(&action.deed)) runs_.push_back(std::move(*run));
    }
    if (step.records.empty()) return;
    records += step.records.size();
    ++commits;
    for (task::Record& record : step.records) {
      if (kept_)
        kept_->push_back(std::move(record));
      else
        keep(task::to_json(record.body));
    }
  }

  std::vector<task::Record>* kept_;
  tool::Registry tools_ = make_tools();
  std::optional<task::Tree> tree_;
  task::SendRequest send_;
  std::vector<task::RunTool> runs_;
  std::string text_ = std::string(400, 'x');
  std::uint64_t turns_ = 0;
  std::int64_t now_ = 1'700'000'000'000;
};

}  // namespace

void measure_task(const Plan& plan, Results& results) {
  std::printf(
      "A turn of a task with three calls: the engine's own time, from the bytes of the answer to the next request\n");
  Table turns({"turns before", "a turn, ms", "records", "commits", "target"});
  Driver driver(nullptr);
  std::uint64_t done = 0;
  for (std::uint64_t before : {10u, 100u, 1'000u}) {
    if (plan.quick && before > 100) break;
    for (; done < before; ++done) driver.turn();
    const std::uint64_t records = driver.records, commits = driver.commits;
    const std::uint64_t count = plan.quick ? 20 : 100;
    const auto from = Clock::now();
    for (std::uint64_t i = 0; i < count; ++i, ++done) driver.turn();
    const double seconds = std::chrono::duration<double>(Clock::now() - from).count() / static_cast<double>(count);
    const std::string what = std::to_string(before);
    turns.add({what, fixed(seconds * 1e3, 3),
               fixed(static_cast<double>(driver.records - records) / static_cast<double>(count), 1),
               fixed(static_cast<double>(driver.commits - commits) / static_cast<double>(count), 1),
               results.target("a turn after " + what + ", ms", seconds * 1e3, 1, false)});
    results.add("task", {{"before", before}, {"seconds", seconds}});
  }
  turns.print();

  const std::uint64_t length = plan.quick ? 1'000 : 10'000;
  std::printf("\nA task of %llu turns, from the store to the next request\n", static_cast<unsigned long long>(length));
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "belay-bench-task";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  store::SqliteOptions options;
  options.path = (folder / "tasks.db").string();
  {
    auto store = store::open_sqlite(options);
    if (!store) throw std::runtime_error(store.error().message);
    std::vector<task::Record> records;
    Driver long_driver(&records);
    for (std::uint64_t i = 0; i < length; ++i) long_driver.turn();
    // In a few commits: how long the disk takes for each is another matter.
    for (std::span<const task::Record> rest(records); !rest.empty();) {
      const auto batch = rest.first(std::min<std::size_t>(rest.size(), 1'000));
      if (auto kept = (*store)->append(batch); !kept) throw std::runtime_error(kept.error().message);
      rest = rest.subspan(batch.size());
    }
  }
  double best = 1e9, loading = 0;
  const tool::Registry tools = make_tools();
  for (int i = 0; i < 3; ++i) {
    const auto from = Clock::now();
    auto store = store::open_sqlite(options);
    auto records = (*store)->load_tree("t");
    const double loaded = std::chrono::duration<double>(Clock::now() - from).count();
    task::Conditions conditions;
    conditions.tools = &tools;
    auto tree = task::Tree::resume(conditions, *records);
    if (!tree) throw std::runtime_error(tree.error());
    keep(tree->start(1'800'000'000'000));
    const double all = std::chrono::duration<double>(Clock::now() - from).count();
    if (all < best) best = all, loading = loaded;
  }
  Table resume({"", "s", "target"});
  resume.add({"open and load", fixed(loading, 3), ""});
  resume.add({"and resume", fixed(best, 3), results.target("resuming 10,000 turns, s", best, 1, false)});
  resume.print();
  results.add("resume", {{"turns", length}, {"load", loading}, {"seconds", best}});
  std::filesystem::remove_all(folder);
}

}  // namespace belay::bench
