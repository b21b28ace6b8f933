// The developer's log: a rotating file under the data folder. No key ever gets into it.
#pragma once

#include <expected>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace belay::cli {

class DevLog {
 public:
  struct Options {
    std::string folder;                ///< must exist
    std::string level = "info";        ///< trace, debug, info, warn, error, off
    std::vector<std::string> secrets;  ///< whatever of these stands in a line is made unreadable
  };
  /// The error is one sentence.
  static std::expected<DevLog, std::string> open(const Options& options);
  ~DevLog();
  DevLog(DevLog&&) noexcept;

  /// One line, with time and level before it; control characters are shown by name.
  void line(std::string_view level, std::string_view text);
  [[nodiscard]] const std::string& path() const;

 private:
  struct State;
  explicit DevLog(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace belay::cli
