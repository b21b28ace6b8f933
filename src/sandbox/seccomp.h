// The list of system calls that no command in a cage may make, as a BPF program.
#pragma once

#include <belay/version.h>

#include <linux/filter.h>

#include <vector>

namespace BELAY_NAMESPACE::sandbox {

struct SeccompOptions {
  bool trace = true;     ///< debuggers and leak checkers; false where somebody else could be traced
  bool internet = true;  ///< IPv4, IPv6 and route sockets; false where no namespace keeps them from leading out
  bool local = true;     ///< unix sockets beside connected pairs; false where nobody is to be connected to
  bool metadata = true;  ///< modes, owners, times and attributes; false where only this list protects them
  bool apart = true;     ///< namespaces hide other processes and their IPC; false where only this list protects them
};

/// The program. It refuses with the error that programs expect (EPERM, ENOSYS where they have another way), and kills a
/// process that makes calls of another architecture.
std::vector<sock_filter> seccomp_program(const SeccompOptions& options);

}  // namespace BELAY_NAMESPACE::sandbox
