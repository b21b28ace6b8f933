// What was typed before, in a file.
#pragma once

#include <belay/version.h>

#include <cstddef>
#include <string>
#include <vector>

namespace BELAY_NAMESPACE::screen {

/// One entry a line, as a JSON string. Only its owner can read it. Whatever goes wrong with the file, the person's work
/// does not stop for it: entries are then simply not there.
class HistoryFile {
 public:
  explicit HistoryFile(std::string path) : path_(std::move(path)) {}
  /// The last entries, oldest first. A file that has grown to twice as many lines is written anew.
  std::vector<std::string> load(std::size_t most) const;
  void add(const std::string& entry) const;

 private:
  std::string path_;
};

}  // namespace BELAY_NAMESPACE::screen
