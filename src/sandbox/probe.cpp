#include <belay/sandbox/command.h>

#include "sandbox/landlock.h"
#include "sandbox/launch.h"
#include "sandbox/remedy.h"

#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>
#include <utility>

namespace BELAY_NAMESPACE::sandbox {
namespace {

bool can_make_user_namespace() {
  long pid =
      syscall(SYS_clone, static_cast<unsigned long>(CLONE_NEWUSER | SIGCHLD), nullptr, nullptr, nullptr, nullptr);
  if (pid == 0) _exit(0);
  if (pid < 0) return false;
  while (waitpid(static_cast<pid_t>(pid), nullptr, 0) < 0 && errno == EINTR) continue;
  return true;
}

// A cage for trying: any folder does, nothing is written to it.
CageOptions trial_options(Wall wall) {
  CageOptions options;
  options.level = Level::read_only;
  options.workspace = "/usr";
  options.wall = wall;
  options.insist = true;
  return options;
}

void try_namespaces(Abilities& abilities) {
  Abilities::Namespaces& found = abilities.namespaces;
  // Root needs no user namespace, and in a chroot could not have one.
  for (bool with_user : {false, true}) {
    if (with_user ? !abilities.user_namespaces : !abilities.root) continue;
    found = {true, with_user, {}, {}};
    auto cage = Cage::make(trial_options(Wall::namespaces), abilities);
    auto tried = cage ? trial(*cage) : std::expected<void, std::string>(std::unexpected(cage.error()));
    if (tried) return;
    found = {false, false, tried.error(), {}};
  }
  auto [what, remedy] = obstacle_for_namespaces(abilities.root);
  if (found.why_not.empty()) found.why_not = std::move(what);
  found.remedy = std::move(remedy);
}

void try_bubblewrap(Abilities& abilities) {
  Abilities::Bubblewrap& found = abilities.bubblewrap;
  // Not PATH: the workspace may be in it.
  for (const char* path : {"/usr/bin/bwrap", "/usr/local/bin/bwrap", "/bin/bwrap"})
    if (found.path.empty() && access(path, X_OK) == 0) found.path = path;
  if (found.path.empty()) {
    found.why_not = "it is not installed";
    return;
  }
  Command version;
  version.text = found.path + " --version";
  version.limits.seconds = 10;
  found.works = true;
  auto cage = Cage::make(trial_options(Wall::bubblewrap), abilities);
  auto said = cage ? run(*cage, version) : std::expected<Outcome, std::string>(std::unexpected(cage.error()));
  if (said && said->end == End::exited && said->code == 0) {
    found.version = said->output.substr(0, said->output.find('\n'));
    return;
  }
  found.works = false;
  found.why_not = !said ? said.error() : said->output.substr(0, said->output.find('\n'));
  if (found.why_not.empty()) found.why_not = "it ended without doing anything";
}

}  // namespace

Abilities probe(const ProbeOptions& options) {
  Abilities found;
  found.root = geteuid() == 0;
  found.landlock = landlock::version();
  // Without a program the kernel says EFAULT when it would have taken one, EINVAL when it knows nothing of them.
  found.seccomp = prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, nullptr, 0, 0) != 0 && errno == EFAULT;
  found.user_namespaces = can_make_user_namespace();
  try_namespaces(found);
  if (options.bubblewrap) try_bubblewrap(found);
  return found;
}

}  // namespace BELAY_NAMESPACE::sandbox
