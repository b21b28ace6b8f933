// An open descriptor that closes itself.
#pragma once

#include <belay/version.h>

#include <utility>

namespace BELAY_NAMESPACE::sandbox {

/// Owns one descriptor, or none. Move-only.
class Handle {
 public:
  Handle() = default;
  explicit Handle(int descriptor) : descriptor_(descriptor) {}
  Handle(Handle&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~Handle();

  /// The descriptor, or -1; it stays owned.
  [[nodiscard]] int get() const { return descriptor_; }
  [[nodiscard]] explicit operator bool() const { return descriptor_ >= 0; }
  /// The descriptor, which is no longer owned.
  [[nodiscard]] int release() { return std::exchange(descriptor_, -1); }

 private:
  int descriptor_ = -1;
};

}  // namespace BELAY_NAMESPACE::sandbox
