// A place to try cages in: a workspace, something outside, a home; and the same as another user.
#pragma once

#include <belay/sandbox.h>

#include <functional>
#include <ostream>
#include <string>
#include <vector>

namespace belay::testing {

/// In which cage, and as whom.
struct Attempt {
  sandbox::Wall wall = sandbox::Wall::namespaces;
  bool ordinary = false;  ///< as user 65534, when the tests run as root; otherwise as whoever runs them
};
std::ostream& operator<<(std::ostream& out, const Attempt& attempt);
/// Every wall, as root (when the tests are run as root) and as an ordinary user.
std::vector<Attempt> every_attempt();
std::string test_name(const Attempt& attempt);

/// ws/, outside/secret.txt and home/.ssh/id below a new folder, which belong to the one who attempts. Not in /tmp,
/// which cages replace by one of their own. Gone at the end.
class Place {
 public:
  explicit Place(bool ordinary);
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;
  ~Place();

  [[nodiscard]] const std::string& root() const { return root_; }
  [[nodiscard]] std::string ws() const { return root_ + "/ws"; }
  [[nodiscard]] std::string outside() const { return root_ + "/outside"; }
  void write(const std::string& path, const std::string& text) const;  ///< relative to the root
  void folder(const std::string& path) const;
  [[nodiscard]] std::string read(const std::string& path) const;
  [[nodiscard]] bool has(const std::string& path) const;
  /// Everything outside of ws/: names, modes, times and contents, as one text. The same before and after: nothing
  /// changed.
  [[nodiscard]] std::string state(const std::string& path) const;

 private:
  void own(const std::string& path) const;
  std::string root_;
  bool other_user_;
};

/// Runs a function as the one who attempts: in a fork with another user, if need be. Gives back what it gives back.
std::string as(bool ordinary, const std::function<std::string()>& what);

/// Runs a function where at most some thousand processes can be, as far as this machine allows it: a net below tests
/// that would take the machine with them if they failed. It holds for root only, whom no other limit binds.
std::string above_a_net(const std::function<std::string()>& what);

/// How a command went, or why it did not run.
struct Trial {
  sandbox::Outcome outcome;
  std::string error;  ///< not empty: nothing ran
};
/// What as() can carry.
std::string packed(const Trial& trial);
Trial unpacked(const std::string& text);

struct TrialOptions {
  sandbox::Level level = sandbox::Level::workspace_write;
  bool network = false;
  sandbox::CommandLimits limits{};
  std::string cwd{};
  bool insist_on_landlock = true;  ///< with Landlock alone workspace-write is refused otherwise
};
/// Runs a command in the place's workspace, in the attempt's cage.
Trial attempt_command(const Attempt& attempt, const Place& place, const std::string& command,
                      const TrialOptions& options = {});
/// Empty when a cage of this kind can be built here; otherwise why not.
std::string why_not(const Attempt& attempt);

}  // namespace belay::testing
