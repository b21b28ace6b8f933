// Shell commands: read by their grammar, and judged by what they can do.
#pragma once

#include <belay/version.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace BELAY_NAMESPACE::policy {
BELAY_API_BEGIN

/// What may be done with a command without asking a person.
enum class Decision : std::uint8_t {
  allow,    ///< run it: literal words of known commands with exactly known options, which only read the workspace
  sandbox,  ///< run it, but only inside an enforced sandbox that can change nothing, reach no network and see no home
  ask,      ///< ask a person: unread, unknown, over budget, or able to change something
  deny,     ///< never run it: it cannot be shown to a person as it is (NUL bytes)
};
/// `allow`, `sandbox`, `ask`, `deny`.
std::string_view name(Decision) noexcept;

struct ShellVerdict {
  Decision decision = Decision::ask;
  std::string reason{};  ///< one sentence for a person: what it is about, and why
  bool operator==(const ShellVerdict&) const = default;
};

struct ShellLimits {
  std::size_t bytes = 16 * 1024;  ///< of the command
  std::size_t commands = 32;      ///< simple commands in it
  std::size_t words = 512;        ///< words in it
  std::size_t depth = 16;         ///< nesting
};

/// Judges a command that a POSIX shell or bash would run in the workspace. Pure: the file system is not asked, so paths
/// are judged by their text, and a link in the workspace is not seen. Linear in the command's size. Any bytes: a
/// verdict. `workspace` is an absolute path, or empty: absolute paths below it count as inside; / counts as none.
/// `folder` is where the shell starts, relative to the workspace or absolute; empty: in the workspace. Elsewhere it is
/// as if `cd` stood before the command.
ShellVerdict judge_command(std::string_view command, const ShellLimits& limits = {}, std::string_view workspace = {},
                           std::string_view folder = {});

BELAY_API_END
}  // namespace BELAY_NAMESPACE::policy
