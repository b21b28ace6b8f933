// Where the records of tasks are kept. Nothing here knows what a record means, beyond what stands at its top.
#pragma once

#include <belay/task/record.h>

#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace belay::store {

struct Error {
  enum class Kind : std::uint8_t {
    full,  ///< no space left
    io,    ///< the disk, or the server, fails
    read_only,
    corrupt,  ///< what is there is not what was written
    newer,    ///< written by a newer Belay
    busy,     ///< somebody else writes, and did not stop in time
    claimed,  ///< the task is being run by somebody else: `message` says by whom
    not_found,
    conflict,  ///< the record's number is taken: the task was written by somebody else
    refused,   ///< anything else, such as a path that cannot be opened
  };
  Kind kind = Kind::refused;
  std::string message;  ///< one sentence, with what to do
  bool operator==(const Error&) const = default;
};
std::string_view name(Error::Kind) noexcept;

template <class T>
using Expected = std::expected<T, Error>;

/// A task in a list.
struct Summary {
  std::string id, parent, title, model;
  std::int64_t created = 0, changed = 0;  ///< milliseconds since 1970
  std::uint64_t records = 0, turns = 0;
  std::string end;  ///< name of the EndReason; empty while it is not finished
  bool operator==(const Summary&) const = default;
};

struct Listing {
  std::uint64_t at_most = 100;
  bool children = false;  ///< tasks that tasks started too
  std::string before;     ///< only what changed before this task did: for the next page
};

/// How often something became of damaged calls; see task::Outcome.
struct OutcomeCount {
  std::string model, tool, kind, became;
  std::uint64_t count = 0;
  bool operator==(const OutcomeCount&) const = default;
};

/// Who runs a task.
struct Owner {
  std::string name;  ///< `user@host`, a worker's name
  std::int64_t pid = 0;
};

/// The right to write to a task and its children. Released when it is destroyed, and when its process dies.
class Claim {
 public:
  virtual ~Claim() = default;
};

/// Keeps tasks. Not thread-safe: one object a thread. Every call gives a result or an Error and leaves no half of
/// anything behind.
class Store {
 public:
  virtual ~Store() = default;

  /// All of them or none, in one transaction; durable when it returns. Records of several tasks may stand in it. A
  /// record's number must be the next one of its task; `created` begins a task.
  virtual Expected<void> append(std::span<const task::Record> records) = 0;
  /// All records of a task, in order.
  virtual Expected<std::vector<task::Record>> load(std::string_view task) = 0;
  /// Those of a task and of all tasks that it started, directly or not; each task's in order, parents first.
  virtual Expected<std::vector<task::Record>> load_tree(std::string_view task) = 0;

  /// The right to run a task. `claimed` when somebody who lives has it.
  virtual Expected<std::unique_ptr<Claim>> claim(std::string_view task, const Owner& owner) = 0;

  /// The newest first.
  virtual Expected<std::vector<Summary>> list(const Listing& listing) = 0;
  /// The whole id of the only task that begins so.
  virtual Expected<std::string> find(std::string_view prefix) = 0;
  /// A task and its children, gone. `claimed` while somebody runs it.
  virtual Expected<void> remove(std::string_view task) = 0;
  /// A new task with the records of this one up to `number` (0: all), and of the children that they name, under ids
  /// that begin with `id`.
  virtual Expected<void> fork(std::string_view task, std::uint64_t number, std::string_view id, std::int64_t now) = 0;
  /// A task, its children and all records, as one JSON object.
  virtual Expected<std::string> export_json(std::string_view task) = 0;
  /// Counts by model, tool and kind, of outcomes from `since` on.
  virtual Expected<std::vector<OutcomeCount>> outcomes(std::int64_t since) = 0;
};

}  // namespace belay::store
