// Where the records of tasks are kept. Nothing here knows what a record means, beyond what stands at its top.
#pragma once

#include <belay/task/record.h>

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace BELAY_NAMESPACE::store {

struct Error {
  enum class Kind : std::uint8_t {
    full,       ///< no space left
    io,         ///< the disk, or the server, fails
    read_only,  ///< it can be read, and not be written
    corrupt,    ///< what is there is not what was written
    newer,      ///< written by a newer Belay
    busy,       ///< somebody else writes, and did not stop in time
    claimed,    ///< the task is being run by somebody else: `message` says by whom
    not_found,
    ambiguous,  ///< several tasks begin so: `message` names some
    conflict,   ///< the record's number, or the id of a new task, is taken: somebody else wrote it
    refused,    ///< anything else, such as a path that cannot be opened, or a record that is not the next one
  };
  Kind kind = Kind::refused;
  std::string message;  ///< one sentence, with what to do
  bool operator==(const Error&) const = default;
};
std::string_view name(Error::Kind) noexcept;

template <class T>
using Expected = std::expected<T, Error>;

/// The longest id of a task. Ids are visible ASCII characters, so that they can be typed, sorted and put into names.
inline constexpr std::size_t kIdBytes = 256;

/// A task in a list.
struct Summary {
  std::string id, parent;
  std::string title;  ///< the goal's first line, short and without control characters
  std::string model;
  /// Milliseconds since 1970. A task changes when a record of it, or of a task that it started, is added.
  std::int64_t created = 0, changed = 0;
  std::uint64_t records = 0, turns = 0;
  std::string end;  ///< name of the EndReason; empty while it is not finished, and once it was opened again
  bool operator==(const Summary&) const = default;
};

struct Listing {
  std::uint64_t at_most = 100;
  bool children = false;  ///< tasks that tasks started too
  std::string before{};   ///< only what stands behind this task in the list: for the next page
};

/// How often something became of damaged calls; see task::Outcome. An outcome of several kinds counts for each.
struct OutcomeCount {
  std::string model, tool;
  std::string kind;  ///< one of Outcome::kinds; the verdict's word when there was none
  std::string became;
  std::uint64_t count = 0;
  bool operator==(const OutcomeCount&) const = default;
};

/// The same over time. An outcome counts once here, however many kinds it has.
struct OutcomeDay {
  std::int64_t day = 0;  ///< days since 1970
  std::string model, tool, became;
  std::uint64_t count = 0;
  bool operator==(const OutcomeDay&) const = default;
};

/// Who runs a task.
struct Owner {
  std::string name{};  ///< `user@host`, a worker's name
  std::int64_t pid = 0;
};

/// The right to write to a task and its children. Released when it is destroyed, and when its process dies. It may
/// outlive its Store.
class Claim {
 public:
  virtual ~Claim() = default;
};

/// Keeps tasks. Not thread-safe: one object a thread; several objects, in one process or many, may use the same place.
/// Every call gives a result or an Error, never an exception, and leaves no half of anything behind.
class Store {
 public:
  virtual ~Store() = default;

  /// All of them or none, in one transaction; durable when it returns. Records of several tasks may stand in it. A
  /// record's number must be the next one of its task; `created` begins a task, whose parent must be there.
  /// After `io` or `full` the records are not there for this object; whether they are after a crash is unknown, so
  /// whoever begins anew loads first.
  virtual Expected<void> append(std::span<const task::Record> records) = 0;
  /// All records of a task, in order. What is not as it was written is `corrupt`, never left out.
  virtual Expected<std::vector<task::Record>> load(std::string_view task) = 0;
  /// The record that a task begins with, `created`. Costs no more for a long task.
  virtual Expected<task::Record> load_first(std::string_view task) = 0;
  /// Those of a task and of all tasks that it started, directly or not; each task's in order, parents first.
  virtual Expected<std::vector<task::Record>> load_tree(std::string_view task) = 0;

  /// The right to run a task; for a child it is that of the root. `claimed` when somebody who lives has it.
  virtual Expected<std::unique_ptr<Claim>> claim(std::string_view task, const Owner& owner) = 0;

  /// The last changed first; of those that changed at once the greater id first.
  virtual Expected<std::vector<Summary>> list(const Listing& listing) = 0;
  /// The whole id of the task of this id, or of the only one that begins so; children count when no other does.
  virtual Expected<std::string> find(std::string_view prefix) = 0;
  /// A task and its children, gone, and their outcomes too. `claimed` while somebody runs it, the caller included. A
  /// child goes with its root only, whose records name it: `refused`.
  virtual Expected<void> remove(std::string_view task) = 0;
  /// A new task with the records of this one up to `number` (0: all), and of the children that they name, under ids
  /// that begin with `id`. Records keep their times, the list has `now`. The fork of a child has no parent. Outcomes
  /// are not counted again.
  virtual Expected<void> fork(std::string_view task, std::uint64_t number, std::string_view id, std::int64_t now) = 0;
  /// A task, its children and all records, as one JSON object.
  virtual Expected<std::string> export_json(std::string_view task) = 0;
  /// Counts by model, tool, kind and what became of it, of outcomes from `since` on; in the order of these.
  virtual Expected<std::vector<OutcomeCount>> outcomes(std::int64_t since) = 0;
  /// Counts by day, model, tool and what became of it, of outcomes from `since` on; in the order of these. A day begins
  /// at midnight of a clock that is `zone` milliseconds ahead of UTC.
  virtual Expected<std::vector<OutcomeDay>> outcomes_by_day(std::int64_t since, std::int64_t zone) = 0;
};

}  // namespace BELAY_NAMESPACE::store
