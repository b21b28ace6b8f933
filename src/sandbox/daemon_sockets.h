// Sockets of daemons: where in the file system somebody listens.
#pragma once

#include <belay/sandbox/cage.h>

#include <cstddef>
#include <expected>
#include <string>
#include <vector>

namespace BELAY_NAMESPACE::sandbox {

/// How many of them a cage takes out of reach.
inline constexpr std::size_t kMostSockets = 256;

/// The sockets that a command could connect to although it must not, as real paths, each once: those that the kernel
/// lists for this network namespace, outside of the workspace and of the hidden places. Not found: what was bound by a
/// relative path, was renamed since, or belongs to another network namespace. Costs one read of /proc/net/unix. The
/// error is a sentence: no such list, or more than kMostSockets; not when the person insists.
std::expected<std::vector<std::string>, std::string> daemon_sockets(const Cage& cage);

}  // namespace BELAY_NAMESPACE::sandbox
