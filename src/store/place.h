// The place of a file, looked at before SQLite may touch it.
#pragma once

#include <belay/store/sqlite.h>

#include <string>

namespace BELAY_NAMESPACE::store {

/// Makes the file, empty and with mode 0600, when there is none; otherwise sees whether it is one of ours that can be
/// read and written. Gives its absolute path, links resolved: two names of one file share their claims. Whatever it
/// refuses has not been changed.
Expected<std::string> find_place(const SqliteOptions& options);

}  // namespace BELAY_NAMESPACE::store
