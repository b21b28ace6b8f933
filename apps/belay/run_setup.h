// What a run needs, put together step by step: configuration, model, workspace, task. Each step gives an error of one
// sentence.
#pragma once

#include "demo_model.h"
#include "dev_log.h"
#include "instructions.h"
#include "interrupt.h"
#include "io.h"
#include "recording.h"
#include "run_options.h"
#include "run_servers.h"
#include "session.h"

#include <belay/builtin.h>
#include <belay/config.h>
#include <belay/run.h>
#include <belay/store.h>

#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace belay::cli {

/// Members are destroyed in reverse: the agent's parts outlive it.
struct Run {
  const RunOptions& options;
  Output& out;
  Output& err;
  std::optional<Interrupt> interrupt{};  ///< while no terminal looks after signals; made before any thread
  config::Config config{};
  bool person = false;  ///< somebody sits at the terminal
  std::string prompt{};
  std::string workspace{};
  std::optional<Scratch> scratch{};
  std::unique_ptr<run::Player> player{};
  std::unique_ptr<const schema::Regexes> regexes{};
  builtin::Place place{};
  RunServers servers{};
  std::optional<tool::Registry> tools{};
  std::unique_ptr<store::Store> store{};
  std::unique_ptr<store::Claim> claim{};
  std::optional<Earlier> earlier{};
  std::string id{};
  std::optional<task::Finished> ended{};  ///< the task is done already, and nothing more was asked of it
  std::vector<task::Record> before{};     ///< of a task that goes on, for a person to see
  std::optional<DevLog> log{};
  Instructions instructions{};
  std::vector<std::string> notes{};

  /// The task is in the store, so that it can be resumed.
  [[nodiscard]] bool kept() const { return earlier || claim; }
  /// `belay run`, or `belay replay`.
  [[nodiscard]] std::string program() const;
  /// On standard error.
  void note(std::string_view text) const;
};

/// Flags, environment, file; and the task to go on with, whose model is the default then.
std::expected<void, std::string> configure(Run& r);
/// What stands on standard input, when somebody piped it there; says so when it takes long.
std::expected<std::string, std::string> piped(std::uint64_t at_most, Output& err);
/// A server that was chosen, a cassette, or the built-in demo, which is a cassette too.
std::expected<void, std::string> find_model(Run& r);
/// The folder, and the tools in it.
std::expected<void, std::string> find_workspace(Run& r);
void open_log(Run& r);
/// The task: a new one, or the one that goes on.
std::expected<task::Tree, std::string> tree_of(Run& r, bool person);
/// `r` and the recording, which may be none, must outlive the agent.
run::AgentOptions agent_options(Run& r, run::Front& front, Recording* recording);

}  // namespace belay::cli
