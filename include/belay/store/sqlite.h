// Tasks in a file, by SQLite.
#pragma once

#include <belay/store/store.h>

#include <cstdint>
#include <memory>
#include <string>

namespace BELAY_NAMESPACE::store {

struct SqliteOptions {
  std::string path{};            ///< the file; its folder must exist; made with mode 0600
  std::int64_t busy_ms = 5'000;  ///< how long to wait for another writer, and for what a dead owner left running
  std::string vfs{};             ///< a name of SQLite's file systems; empty for the usual one (tests put faults there)
  bool check = true;             ///< look at the file's integrity when it is opened
  std::uint64_t check_bytes = 256ull << 20;   ///< of a larger file only the list of tasks is looked at
  std::uint64_t record_bytes = 256ull << 20;  ///< of one record as JSON text; at most 1,000,000,000
  std::uint64_t log_pages = 1'000;            ///< so many in the log, and they are moved into the file
};

/// Opens or makes the file, brings an older one up to date (one transaction a step), and refuses a newer, damaged or
/// foreign one without touching it. Beside the file stand its log (`-wal`), the log's index (`-shm`), and the folder
/// `.claims`. The file system must be a local one. The process must not open the file by other means while a Store has
/// it: POSIX would drop SQLite's locks.
Expected<std::unique_ptr<Store>> open_sqlite(const SqliteOptions& options);

/// `3.40.1`
std::string sqlite_version();

}  // namespace BELAY_NAMESPACE::store
