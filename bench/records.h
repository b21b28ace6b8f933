// Files of records, one a line, for bench/lines.py.
#pragma once

#include <filesystem>

namespace belay::bench {

/// Writes files of about 64 MB and a list of them (records.json) into a folder. False when it cannot.
bool write_records(const std::filesystem::path& folder);

}  // namespace belay::bench
