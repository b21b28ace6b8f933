// A task that begins or goes on, with its place in the store.
#pragma once

#include "run_options.h"

#include <belay/config.h>
#include <belay/store.h>
#include <belay/task/tree.h>

#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace belay::cli {

/// Milliseconds since 1970.
std::int64_t now_ms();
/// An id that sorts by time and that nobody else makes: UUID version 7.
std::string new_task_id();

struct Session {
  std::unique_ptr<store::Store> store;
  std::unique_ptr<store::Claim> claim;  ///< taken when the task is there; a new one has it with its first record
  std::optional<task::Tree> tree;
  std::string id;
  std::string model, protocol;  ///< of the task: a resumed one keeps its own protocol
  bool resumed = false;
};

struct SessionWish {
  std::optional<std::string> resume;  ///< an id, or how one begins
  bool last = false;                  ///< the last task
  bool fork = false;
  std::vector<chat::Block> goal;  ///< for a new task; for one that goes on, what the person says
  task::Settings settings;        ///< for a new task
  task::Conditions conditions;
};

/// Opens the store in the folder and begins, or goes on. The error is one sentence.
std::expected<Session, std::string> open_session(const std::string& folder, SessionWish wish);

}  // namespace belay::cli
