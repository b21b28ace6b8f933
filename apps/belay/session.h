// Tasks of the person's store: beginning one, going on with one.
#pragma once

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

/// The store in the person's data folder, which must exist. Errors here are one sentence.
std::expected<std::unique_ptr<store::Store>, std::string> open_store(const std::string& folder);

/// A task to go on with.
struct Earlier {
  std::string id;
  task::Settings settings;  ///< as it began
};
/// The task of this id, or of the only one that begins so.
std::expected<Earlier, std::string> earlier_task(store::Store& store, const std::string& id);
/// The last one that works in this folder.
std::expected<Earlier, std::string> last_task_of(store::Store& store, const std::string& workspace);

/// The right to run a task.
std::expected<std::unique_ptr<store::Claim>, std::string> claim_task(store::Store& store, const std::string& id);
struct Resumed {
  task::Tree tree;
  std::optional<task::Finished> end;  ///< how it ended, when it had
  std::vector<task::Record> records;  ///< of the task itself, without those within it
};
std::expected<Resumed, std::string> resume_task(store::Store& store, const std::string& id,
                                                task::Conditions conditions);

}  // namespace belay::cli
