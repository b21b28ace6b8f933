// Commands: started in a cage, bounded in everything, ended with all that they started.
#pragma once

#include <belay/sandbox/cage.h>

#include <cstdint>
#include <expected>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace BELAY_NAMESPACE::sandbox {

/// Every bound of a command. Each is finite; what ends a command is said in its Outcome.
struct CommandLimits {
  double seconds = 120;                        ///< wall time
  double grace_seconds = 2;                    ///< between SIGTERM and SIGKILL, at the most
  std::uint64_t output_bytes = 192 * 1024;     ///< kept: two thirds from the start, the rest from the end
  std::uint64_t flood_bytes = 256ull << 20;    ///< written: beyond, the command is ended
  std::uint32_t processes = 512;               ///< at once
  std::uint64_t memory_bytes = 8ull << 30;     ///< resident memory of all its processes, files left out
  std::uint64_t file_bytes = 4ull << 30;       ///< of one file (RLIMIT_FSIZE)
  std::uint64_t temporary_bytes = 1ull << 30;  ///< of the private /tmp, where it is a file system of its own
  std::uint32_t files = 4096;                  ///< open at once in one process (RLIMIT_NOFILE)
  std::uint64_t command_bytes = 1ull << 20;    ///< of the command's text
  bool operator==(const CommandLimits&) const = default;
};

/// The shell of commands that name none: /bin/bash, or /bin/sh where that is not there.
std::string usual_shell();

struct Command {
  std::string text{};   ///< for `SHELL -c`
  std::string shell{};  ///< an absolute path; empty: usual_shell()
  std::string cwd{};    ///< a folder beneath the workspace, relative to it or absolute; empty: the workspace
  /// More variables for the environment. Names that may hold secrets or change how programs load are left out all the
  /// same: see passes().
  std::vector<std::pair<std::string, std::string>> environment{};
  CommandLimits limits{};
};

enum class End : std::uint8_t {
  exited,     ///< by itself; `code`
  signalled,  ///< by a signal that was not ours; `signal`. Bubblewrap says 128 + signal as the code instead
  timed_out,
  cancelled,  ///< by the stop token
  too_many_processes,
  too_much_memory,
  too_much_output,
};
std::string_view name(End) noexcept;

/// How a command went. When it is there, no process of the command is left, but `survivors`.
struct Outcome {
  End end = End::exited;
  int code = 0;
  int signal = 0;
  double seconds = 0;
  std::string output;         ///< stdout and stderr as they came; a cut is stated in the middle. Any bytes
  std::uint64_t written = 0;  ///< bytes of output altogether
  std::uint64_t left_out = 0;
  std::uint32_t survivors = 0;  ///< that could not be ended: somebody else's, started by sudo. Only without a cage
  std::uint64_t peak = 0;       ///< for too_many_processes and too_much_memory: how much it was
};

/// Runs a command and waits for its end. Output goes to `progress` as it comes, from this thread. Memory does not grow
/// with the output beyond `output_bytes`. Output is read on after that bound, so that a build does not stop for being
/// talkative; beyond `flood_bytes` the command is ended. When the command's own process has ended, whatever it left
/// behind is killed at once. At a time-out or a stop every process gets SIGTERM and, after a grace, SIGKILL
/// (bubblewrap: at once when the command's own process has ended). If this process dies, all processes of the command
/// die as well; an empty .git or .belay, and with Landlock a private folder in /tmp, may then stay behind.
///
/// The error is a sentence: the command did not run. Safe to call from several threads at once.
std::expected<Outcome, std::string> run(const Cage& cage, const Command& command, const std::stop_token& stop = {},
                                        const std::function<void(std::string_view)>& progress = {});

/// True when a variable of this name may be handed to commands: no name that looks like a secret's, none that changes
/// how programs are loaded or started, no odd bytes.
bool passes(std::string_view variable) noexcept;

/// Text that a terminal shows and does not obey: ESC and other control characters but newline and tab, C1 controls,
/// and bytes that are not UTF-8 are written visibly (`\x1b`); bidirectional overrides as `\u202e`. A carriage return
/// before a newline goes.
std::string for_terminal(std::string_view text);

}  // namespace BELAY_NAMESPACE::sandbox
