// What a person can do where a level cannot be enforced.
#include "sandbox/remedy.h"

#include "sandbox/landlock.h"

#include <algorithm>
#include <fstream>
#include <string>

namespace BELAY_NAMESPACE::sandbox {
namespace {

bool says(const char* path, std::string_view value) {
  std::ifstream file(path);
  std::string found;
  return file >> found && found == value;
}

// Below a root that is no mount, the list of mounts has none for "/".
bool in_a_plain_chroot() {
  std::ifstream mounts("/proc/self/mountinfo");
  if (!mounts) return false;
  std::string line;
  while (std::getline(mounts, line)) {
    std::size_t at = 0;
    for (int field = 0; field < 4 && at != line.npos; ++field) at = line.find(' ', at + 1);
    if (at != line.npos && line.compare(at, 3, " / ") == 0) return false;
  }
  return true;
}

bool enforced(Level level, const Abilities& abilities) {
  return std::ranges::all_of(gaps(level, abilities.wall_for(level), false, abilities),
                             [](const Gap& gap) { return gap.promise == Promise::minor; });
}

}  // namespace

Obstacle obstacle_for_namespaces(bool root) {
  if (root)
    return {"root may not make namespaces here",
            "allow namespaces; in a container that is a matter of its settings (docker run --cap-add SYS_ADMIN "
            "--security-opt seccomp=unconfined)"};
  if (in_a_plain_chroot())
    return {"only root may make namespaces in a chroot", "run it as root in the chroot, or outside of the chroot"};
  if (says("/proc/sys/kernel/unprivileged_userns_clone", "0"))
    return {"kernel.unprivileged_userns_clone is 0", "sysctl -w kernel.unprivileged_userns_clone=1 (as root)"};
  if (says("/proc/sys/user/max_user_namespaces", "0"))
    return {"user.max_user_namespaces is 0", "sysctl -w user.max_user_namespaces=10000 (as root)"};
  if (says("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1"))
    return {"AppArmor keeps user namespaces to programs with a profile (apparmor_restrict_unprivileged_userns is 1)",
            "give belay a profile that has userns, or install bubblewrap with its profile"};
  return {"this user may not make namespaces",
          "allow user namespaces; in a container that is a matter of its settings (docker run --security-opt "
          "seccomp=unconfined)"};
}

std::vector<std::string> remedies(Level level, const Abilities& abilities) {
  std::vector<std::string> out;
  if (level == Level::danger_full_access || enforced(level, abilities)) return out;
  const bool walled = abilities.namespaces.work || abilities.bubblewrap.works;
  if (!walled) {
    if (!abilities.namespaces.remedy.empty()) out.push_back(abilities.namespaces.remedy);
    if (abilities.bubblewrap.path.empty() && abilities.namespaces.remedy.find("chroot") == std::string::npos)
      out.emplace_back("install bubblewrap (apt install bubblewrap)");
    if (level == Level::read_only && abilities.landlock < landlock::kScoped)
      out.emplace_back("use Linux 6.12 or later, with Landlock");
  }
  if (!abilities.seccomp) out.emplace_back("use a kernel with seccomp filters (CONFIG_SECCOMP_FILTER)");
  if (level != Level::read_only && enforced(Level::read_only, abilities))
    out.emplace_back("take the level read-only, which can be enforced here (--sandbox read-only)");
  out.emplace_back("insist, to run with what can be enforced (--insist)");
  return out;
}

}  // namespace BELAY_NAMESPACE::sandbox
