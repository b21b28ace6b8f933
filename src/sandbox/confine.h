// What a process gives up before it becomes a command. Everything here may be called between fork and exec.
#pragma once

#include "sandbox/keeper.h"

namespace BELAY_NAMESPACE::sandbox {

/// Who one is in a new user namespace: the same as outside.
bool map_user(uid_t user, gid_t group) noexcept;
/// The loopback device of a new network namespace.
void raise_loopback() noexcept;
/// No capabilities, now or after any exec, and no_new_privs.
bool drop_rights() noexcept;
/// Limits of one process.
bool limit(const Orders& orders) noexcept;
/// Of all that runs, the kernel shall take what is started meanwhile first when memory is short.
class OomOffer {
 public:
  explicit OomOffer(int proc) noexcept;  // a descriptor of /proc; -1: nothing
  OomOffer(const OomOffer&) = delete;
  OomOffer& operator=(const OomOffer&) = delete;
  ~OomOffer();
  /// This process too, and for good.
  void keep() noexcept { size_ = 0; }

 private:
  int fd_ = -1;
  char before_[16] = {};
  std::size_t size_ = 0;
};
/// Descriptors, session, signals: what a program finds when it starts.
bool tidy(const Orders& orders) noexcept;
/// Landlock's rules for a view: it is the second lock, behind the mounts.
int rules_for_view(const Orders& orders) noexcept;

}  // namespace BELAY_NAMESPACE::sandbox
