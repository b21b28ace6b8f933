// Who runs which task: a lock on a file for each task that is run, which ends with the process that has it.
#pragma once

#include <belay/store/store.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace BELAY_NAMESPACE::store {

/// Files in one folder, made when the first claim is. A claim is a `flock` on a descriptor that no other program
/// inherits. A process that the owner forked has it too: as long as a tool of a dead owner still runs, the task is not
/// free. Such remains are waited for, since they are about to be killed.
class Claims {
 public:
  Claims(std::string folder, std::int64_t wait_ms) : folder_(std::move(folder)), wait_ms_(wait_ms) {}

  Expected<std::unique_ptr<Claim>> claim(std::string_view root, const Owner& owner) const;

 private:
  [[nodiscard]] std::string file_of(std::string_view root) const;
  std::string folder_;
  std::int64_t wait_ms_;
};

}  // namespace BELAY_NAMESPACE::store
