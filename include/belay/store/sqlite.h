// Tasks in a file, by SQLite.
#pragma once

#include <belay/store/store.h>

#include <memory>
#include <string>

namespace belay::store {

struct SqliteOptions {
  std::string path;              ///< the file; its folder must exist; made with mode 0600
  std::int64_t busy_ms = 5'000;  ///< how long to wait for another writer
  std::string vfs;               ///< a name of SQLite's file systems; empty for the usual one (tests put faults there)
  bool check = true;             ///< look at the file's integrity when it is opened
};

/// Opens or makes the file, brings an older one up to date (one transaction a step), and refuses a newer or damaged
/// one without touching it.
Expected<std::unique_ptr<Store>> open_sqlite(const SqliteOptions& options);

}  // namespace belay::store
