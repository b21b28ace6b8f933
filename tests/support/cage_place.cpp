#include "cage_place.h"

#include <grp.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

namespace belay::testing {
namespace {

namespace fs = std::filesystem;
constexpr uid_t kOther = 65534;

std::string made_in(const std::string& base) {
  std::string name = base + "/belay-cage-XXXXXX";
  return mkdtemp(name.data()) == nullptr ? std::string() : name;
}

void check(bool good, const char* what) {
  if (!good) throw std::runtime_error(std::string(what) + ": " + std::strerror(errno));
}

const sandbox::Abilities& abilities_here() {
  static const sandbox::Abilities found = sandbox::probe();  // of this process: forks with another user ask anew
  return found;
}

sandbox::Abilities abilities_of(bool ordinary) {
  return ordinary && geteuid() != 0 ? sandbox::probe() : abilities_here();
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const Attempt& attempt) { return out << test_name(attempt); }

std::vector<Attempt> every_attempt() {
  std::vector<Attempt> out;
  for (sandbox::Wall wall : {sandbox::Wall::namespaces, sandbox::Wall::bubblewrap, sandbox::Wall::landlock}) {
    if (geteuid() == 0) out.push_back({wall, false});
    out.push_back({wall, true});
  }
  return out;
}

std::string test_name(const Attempt& attempt) {
  return std::string(name(attempt.wall)) + (attempt.ordinary ? "_as_ordinary_user" : "_as_root");
}

Place::Place(bool ordinary) : other_user_(ordinary && geteuid() == 0) {
  const char* chosen = std::getenv("BELAY_TEST_ROOT");
  for (const std::string& base : {std::string(chosen == nullptr ? "" : chosen), std::string("/var/lib"),
                                  fs::current_path().string(), std::string("/tmp")})
    if (root_.empty() && !base.empty()) root_ = made_in(base);
  check(!root_.empty(), "no folder to try cages in");
  check(chmod(root_.c_str(), 0755) == 0, "chmod");
  own(root_);
  for (const char* path : {"ws", "outside", "home", "home/.ssh"}) folder(path);
  write("outside/secret.txt", "SECRET\n");
  write("home/.ssh/id", "PRIVATE\n");
  write("ws/a.txt", "hello\n");
}

Place::~Place() {
  std::error_code ignored;
  fs::remove_all(root_, ignored);
}

void Place::own(const std::string& path) const {
  if (other_user_) check(lchown(path.c_str(), kOther, kOther) == 0, "chown");
}

void Place::write(const std::string& path, const std::string& text) const {
  std::ofstream file(root_ + '/' + path, std::ios::binary);
  file << text;
  file.close();
  check(file.good(), "write");
  own(root_ + '/' + path);
}

void Place::folder(const std::string& path) const {
  fs::create_directories(root_ + '/' + path);
  own(root_ + '/' + path);
}

std::string Place::read(const std::string& path) const {
  std::ifstream file(root_ + '/' + path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

bool Place::has(const std::string& path) const { return fs::exists(fs::symlink_status(root_ + '/' + path)); }

std::string Place::state(const std::string& path) const {
  std::ostringstream out;
  auto add = [&](const fs::path& at) {
    struct stat found{};
    check(lstat(at.c_str(), &found) == 0, "lstat");
    out << at.string() << ' ' << std::oct << found.st_mode << std::dec << ' ' << found.st_uid << ' ' << found.st_gid
        << ' ' << found.st_nlink << ' ' << found.st_size << ' ' << found.st_mtim.tv_sec << '.' << found.st_mtim.tv_nsec
        << '\n';
    if (S_ISREG(found.st_mode)) out << std::ifstream(at, std::ios::binary).rdbuf() << '\n';
  };
  add(root_ + '/' + path);
  for (const auto& entry : fs::recursive_directory_iterator(root_ + '/' + path)) add(entry.path());
  return out.str();
}

namespace {

// What a child does, and says into a pipe.
std::string said_by(const std::function<void(int)>& child_does) {
  std::array<int, 2> ends{};
  check(pipe(ends.data()) == 0, "pipe");
  pid_t child = fork();
  check(child >= 0, "fork");
  if (child == 0) {
    close(ends[0]);
    child_does(ends[1]);
    _exit(0);
  }
  close(ends[1]);
  std::string out;
  std::array<char, 4096> piece{};
  for (ssize_t n = 0; (n = ::read(ends[0], piece.data(), piece.size())) > 0;)
    out.append(piece.data(), static_cast<std::size_t>(n));
  close(ends[0]);
  waitpid(child, nullptr, 0);
  return out;
}

void say(int end, const std::function<std::string()>& what) {
  std::string said;
  try {
    said = what();
  } catch (const std::exception& e) {
    said = std::string("exception: ") + e.what();
  }
  for (std::size_t at = 0; at < said.size();) {
    ssize_t n = ::write(end, said.data() + at, said.size() - at);
    if (n <= 0) break;
    at += static_cast<std::size_t>(n);
  }
}

// A new /proc, and a limit: each pid namespace has its own since Linux 6.14; before, this would be the machine's.
void limit_processes() {
  check(mount("proc", "/proc", "proc", 0, nullptr) == 0, "mount");
  utsname system{};
  int major = 0, minor = 0;
  if (uname(&system) != 0 || std::sscanf(system.release, "%d.%d", &major, &minor) != 2) return;
  if (major > 6 || (major == 6 && minor >= 14)) std::ofstream("/proc/sys/kernel/pid_max") << 5000;
}

}  // namespace

std::string as(bool ordinary, const std::function<std::string()>& what) {
  if (!ordinary || geteuid() != 0) return what();
  return said_by([&](int end) {
    say(end, [&] {
      check(setgroups(0, nullptr) == 0 && setresgid(kOther, kOther, kOther) == 0 &&
                setresuid(kOther, kOther, kOther) == 0,
            "setuid");
      return what();
    });
  });
}

std::string above_a_net(const std::function<std::string()>& what) {
  if (geteuid() != 0) return what();
  return said_by([&](int end) {
    // In a chroot there is no net: its root is no mount that could be made private.
    if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        unshare(CLONE_NEWPID) != 0)
      return say(end, what);
    pid_t inside = fork();
    if (inside < 0) return;
    if (inside == 0) {
      say(end, [&] {
        limit_processes();
        return what();
      });
      _exit(0);
    }
    waitpid(inside, nullptr, 0);
  });
}

std::string packed(const Trial& trial) {
  std::ostringstream out;
  const sandbox::Outcome& o = trial.outcome;
  out << static_cast<int>(o.end) << ' ' << o.code << ' ' << o.signal << ' ' << o.seconds << ' ' << o.written << ' '
      << o.left_out << ' ' << o.survivors << ' ' << o.peak << ' ' << trial.error.size() << '\n'
      << trial.error << o.output;
  return out.str();
}

Trial unpacked(const std::string& text) {
  Trial out;
  std::istringstream in(text);
  int end = 0;
  std::size_t error = 0;
  in >> end >> out.outcome.code >> out.outcome.signal >> out.outcome.seconds >> out.outcome.written >>
      out.outcome.left_out >> out.outcome.survivors >> out.outcome.peak >> error;
  if (!in) {
    out.error = text.empty() ? "nothing came back" : text;
    return out;
  }
  out.outcome.end = static_cast<sandbox::End>(end);
  std::size_t body = text.find('\n') + 1;
  out.error = text.substr(body, error);
  out.outcome.output = text.substr(body + error);
  return out;
}

Trial attempt_command(const Attempt& attempt, const Place& place, const std::string& command,
                      const TrialOptions& options) {
  return unpacked(as(attempt.ordinary, [&] {
    Trial trial;
    sandbox::CageOptions wanted;
    wanted.level = options.level;
    wanted.network = options.network;
    wanted.workspace = place.ws();
    wanted.home = place.root() + "/home";
    wanted.wall = attempt.wall;
    wanted.insist = options.insist_on_landlock && attempt.wall == sandbox::Wall::landlock &&
                    options.level == sandbox::Level::workspace_write;
    auto cage = sandbox::Cage::make(wanted, abilities_of(attempt.ordinary));
    if (!cage) {
      trial.error = "refused: " + cage.error();
      return packed(trial);
    }
    sandbox::Command what;
    what.text = command;
    what.cwd = options.cwd;
    what.limits = options.limits;
    auto outcome = sandbox::run(*cage, what);
    if (outcome)
      trial.outcome = std::move(*outcome);
    else
      trial.error = outcome.error();
    return packed(trial);
  }));
}

std::string why_not(const Attempt& attempt) {
  return as(attempt.ordinary, [&]() -> std::string {
    sandbox::Abilities found = abilities_of(attempt.ordinary);
    if (attempt.wall == sandbox::Wall::namespaces) return found.namespaces.why_not;
    if (attempt.wall == sandbox::Wall::bubblewrap) return found.bubblewrap.why_not;
    if (found.landlock < 6 || !found.seccomp) return "Landlock " + std::to_string(found.landlock) + " is too old";
    return "";
  });
}

}  // namespace belay::testing
