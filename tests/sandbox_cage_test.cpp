// What a cage keeps out of reach: the attacks of the exec kind, for real, with canaries, in every cage that can be
// built here, as root and as an ordinary user.
#include <belay/sandbox.h>

#include "support/cage_place.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

namespace belay::sandbox {
namespace {

using belay::testing::Attempt;
using belay::testing::Place;
using belay::testing::Trial;
using belay::testing::TrialOptions;

std::string all_of(const Trial& trial) {
  return trial.error + trial.outcome.output + "[" + std::string(name(trial.outcome.end)) + " " +
         std::to_string(trial.outcome.code) + "]";
}

class CageAttack : public ::testing::TestWithParam<Attempt> {
 protected:
  CageAttack() : place_(GetParam().ordinary) {}
  void SetUp() override {
    if (std::string reason = why_not(GetParam()); !reason.empty())
      GTEST_SKIP() << "this part did not run, since such a cage cannot be built here: " << reason;
  }
  Trial run(const std::string& command, const TrialOptions& options = {}) {
    Trial trial = attempt_command(GetParam(), place_, command, options);
    EXPECT_EQ(trial.error, "");
    return trial;
  }
  std::string output(const std::string& command, const TrialOptions& options = {}) {
    return run(command, options).outcome.output;
  }
  Trial read_only(const std::string& command) { return run(command, {.level = Level::read_only}); }
  static bool has_mounts() { return GetParam().wall != Wall::landlock; }
  // Where nothing can protect .git, nothing runs.
  void is_refused() {
    std::string before = place_.state("ws");
    Trial trial = attempt_command(GetParam(), place_, "echo ran > ran", {.insist_on_landlock = false});
    EXPECT_NE(trial.error.find(".git"), std::string::npos) << all_of(trial);
    EXPECT_NE(trial.error.find("insist"), std::string::npos) << all_of(trial);
    EXPECT_EQ(place_.state("ws"), before);
  }
  Place place_;
};

TEST_P(CageAttack, AnInterpreterCannotWriteOutside) {  // FS061
  std::string before = place_.state("outside");
  Trial trial = run("python3 -c \"open('../outside/x','w')\"");
  EXPECT_NE(trial.outcome.code, 0) << all_of(trial);
  EXPECT_EQ(place_.state("outside"), before);
}

TEST_P(CageAttack, NothingOutsideCanBeChangedInAnyOtherWay) {
  std::string before = place_.state("outside");
  Trial trial =
      run("o=../outside; echo x > $o/a; echo x >> $o/secret.txt; : > $o/secret.txt; rm -f $o/secret.txt; mv "
          "$o/secret.txt .; "
          "mkdir $o/d; ln -s x $o/l; ln a.txt $o/hard; mv a.txt $o/a.txt; mkfifo $o/f; truncate -s 0 $o/secret.txt; "
          "ln -s $o/secret.txt link; echo x > link; cp -f a.txt link; python3 -c \"import os; "
          "os.truncate('../outside/secret.txt', 0)\"; "
          "dd if=a.txt of=$o/secret.txt conv=notrunc");
  EXPECT_EQ(place_.state("outside"), before) << all_of(trial);
}

TEST_P(CageAttack, ModesAndTimesOutsideStay) {
  std::string before = place_.state("outside");
  const std::string attack =
      "chmod 777 ../outside/secret.txt; touch -d 2001-01-01 ../outside/secret.txt; setfattr -n user.x -v y "
      "../outside/secret.txt; chgrp 0 ../outside; chmod 700 ../outside; true";
  if (has_mounts())
    run(attack);
  else
    is_refused();
  read_only(attack);
  EXPECT_EQ(place_.state("outside"), before);
}

TEST_P(CageAttack, TheWorkspaceAndAPrivateTmpAreWritable) {
  Trial trial =
      run("echo new > b.txt && mkdir d && mv b.txt d/ && chmod +x d/b.txt && echo x > \"$TMPDIR/t\" && cat "
          "\"$TMPDIR/t\" && "
          "echo y > \"$HOME/t\" && echo > /dev/null && rm a.txt");
  EXPECT_EQ(trial.outcome.code, 0) << all_of(trial);
  EXPECT_EQ(place_.read("ws/d/b.txt"), "new\n");
  EXPECT_FALSE(place_.has("ws/a.txt"));
}

TEST_P(CageAttack, ReadOnlyChangesNothingAtAll) {
  place_.folder("ws/.git");
  std::string before = place_.state(".");
  Trial trial = read_only(
      "echo x > a.txt; echo x > new; rm a.txt; mv a.txt b; mkdir d; chmod 777 a.txt; touch -d 2001-01-01 a.txt; touch "
      "a.txt; "
      "echo x > .git/config; python3 -c \"import os; os.utime('a.txt', (1, 1))\"; cat a.txt");
  EXPECT_EQ(place_.state("."), before) << all_of(trial);
  EXPECT_NE(trial.outcome.output.find("hello"), std::string::npos) << all_of(trial);
}

// A mount that is read-only does not keep anybody from writing into a pipe, and the private /tmp is above the
// workspace.
TEST_P(CageAttack, ANamedPipeInAWorkspaceBelowTmpCannotBeWrittenReadOnly) {
  if (GetParam().wall == Wall::bubblewrap || probe().landlock == 0)
    GTEST_SKIP() << "this part did not run: nothing but Landlock keeps pipes, and bubblewrap has none";
  for (const char* above : {"/tmp", "/dev/shm"}) {
    std::string ws = std::string(above) + "/belay-test-XXXXXX";
    if (mkdtemp(ws.data()) == nullptr) continue;  // not everywhere
    chmod(ws.c_str(), 0755);
    const std::string pipe = ws + "/pipe";
    ASSERT_EQ(mkfifo(pipe.c_str(), 0666), 0);
    chmod(pipe.c_str(), 0666);
    int reader = open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    const std::string said = belay::testing::as(GetParam().ordinary, [&] {
      auto cage = Cage::make({.level = Level::read_only, .workspace = ws, .wall = GetParam().wall}, probe());
      if (!cage) return cage.error();
      auto outcome = sandbox::run(
          *cage, {.text = "echo x > pipe; echo fine > \"$TMPDIR/t\" && cat \"$TMPDIR/t\"; echo > ~/x && ls ~/x"});
      return outcome ? outcome->output : outcome.error();
    });
    char got = 0;
    EXPECT_LE(read(reader, &got, 1), 0) << said;
    EXPECT_NE(said.find("fine\n"), std::string::npos) << said;
    EXPECT_NE(said.find("/x\n"), std::string::npos) << said;
    close(reader);
    unlink(pipe.c_str());
    rmdir(ws.c_str());
  }
}

TEST_P(CageAttack, GitAndBelayFoldersAreReadOnlyWhetherTheyExistOrNot) {
  if (!has_mounts()) return is_refused();
  place_.folder("ws/.git");
  place_.write("ws/.git/config", "[core]\n");
  Trial trial =
      run("echo x >> .git/config; mkdir .git/hooks; mv .git g; rm -rf .git; mkdir .belay; echo '{}' > "
          ".belay/settings.json; "
          "rmdir .belay; ln -s /etc .belay; chmod 777 .git; cat .git/config");
  EXPECT_EQ(place_.read("ws/.git/config"), "[core]\n") << all_of(trial);
  EXPECT_FALSE(place_.has("ws/.git/hooks"));
  EXPECT_FALSE(place_.has("ws/.belay")) << "what was made for the time of the command has to go";
  EXPECT_FALSE(place_.has("ws/g"));
  EXPECT_NE(trial.outcome.output.find("[core]"), std::string::npos);
}

TEST_P(CageAttack, AGitFileThatPointsElsewhereIsReadOnlyToo) {
  if (!has_mounts()) return is_refused();
  place_.write("ws/.git", "gitdir: ../outside/git\n");
  Trial trial = run("echo x > .git; rm .git; mv .git g");
  EXPECT_EQ(place_.read("ws/.git"), "gitdir: ../outside/git\n") << all_of(trial);
}

// What git runs lies where the file .git says.
TEST_P(CageAttack, AFolderOfGitThatAGitFileNamesIsReadOnly) {
  if (!has_mounts()) return is_refused();
  for (const char* folder : {"ws/sub", "ws/sub/gitreal", "ws/sub/gitreal/hooks"}) place_.folder(folder);
  for (const std::string& named : {std::string("sub/gitreal"), place_.ws() + "/sub/gitreal",
                                   std::string("../ws/./sub//gitreal/"), std::string("sub/gitreal\r")}) {
    place_.write("ws/.git", "gitdir: " + named + "\n");
    // Whoever renames a folder on the way can put another one there.
    Trial trial =
        run("cd sub; echo x > gitreal/hooks/pre-commit; echo x > gitreal/config; mv gitreal g; rm -rf gitreal; "
            "chmod 777 gitreal; cd ..; mv sub s; mkdir -p sub/gitreal/hooks; echo x > sub/gitreal/hooks/pre-commit; "
            "rm -rf sub; echo done > done; echo fine > sub/file && rm sub/file");
    EXPECT_EQ(place_.read("ws/done"), "done\n") << all_of(trial);
    EXPECT_EQ(trial.outcome.code, 0) << all_of(trial);
    EXPECT_FALSE(place_.has("ws/s"));
    EXPECT_FALSE(place_.has("ws/sub/gitreal/hooks/pre-commit")) << named << all_of(trial);
    EXPECT_FALSE(place_.has("ws/sub/gitreal/config")) << named << all_of(trial);
    EXPECT_TRUE(place_.has("ws/sub/gitreal/hooks")) << named << all_of(trial);
  }
}

TEST_P(CageAttack, TheCommonFolderOfLinkedWorktreesIsReadOnly) {
  if (!has_mounts()) return is_refused();
  const std::string mine = "ws/main/.git/worktrees/w";
  for (const char* folder : {"ws/main", "ws/main/.git", "ws/main/.git/hooks", "ws/main/.git/worktrees",
                             "ws/main/.git/worktrees/w", "outside/w"})
    place_.folder(folder);
  place_.write(mine + "/commondir", "../..\n");
  place_.write("outside/w/commondir", "../../ws/main/.git\n");
  for (const char* named : {"main/.git/worktrees/w", "../outside/w"}) {
    place_.write("ws/.git", std::string("gitdir: ") + named + "\n");
    Trial trial = run("echo x > main/.git/hooks/pre-commit; echo x > main/.git/config; mv main m; echo done > done");
    EXPECT_EQ(place_.read("ws/done"), "done\n") << all_of(trial);
    EXPECT_FALSE(place_.has("ws/main/.git/hooks/pre-commit")) << named << all_of(trial);
    EXPECT_FALSE(place_.has("ws/main/.git/config")) << named << all_of(trial);
    EXPECT_TRUE(place_.has("ws/main")) << named << all_of(trial);
  }
}

TEST_P(CageAttack, AGitFolderThatNamesAnotherIsFollowed) {
  if (!has_mounts()) return is_refused();
  for (const char* folder : {"ws/.git", "ws/common", "ws/common/hooks"}) place_.folder(folder);
  place_.write("ws/.git/commondir", "../common\n");
  Trial trial = run("echo x > common/hooks/pre-commit; echo done > done");
  EXPECT_TRUE(place_.has("ws/done")) << all_of(trial);
  EXPECT_FALSE(place_.has("ws/common/hooks/pre-commit")) << all_of(trial);
}

TEST_P(CageAttack, AGitFileOfAWorktreeElsewhereIsNoHindrance) {
  place_.folder("outside/bare");
  for (const char* named : {"../outside/bare", "/nowhere/.git/worktrees/x", "..", "../outside/none"}) {
    place_.write("ws/.git", std::string("gitdir: ") + named + "\n");
    Trial trial = run("echo fine");
    EXPECT_EQ(trial.outcome.output, "fine\n") << named << all_of(trial);
  }
}

TEST_P(CageAttack, AGitFileThatCannotBeUnderstoodIsRefused) {
  if (!has_mounts()) return is_refused();
  for (const char* folder : {"ws/real", "ws/a"}) place_.folder(folder);
  ASSERT_EQ(symlink("real", (place_.ws() + "/link").c_str()), 0);
  for (const std::string& text :
       {std::string(), std::string("gitdir: \n"), std::string("nonsense"), "gitdir: " + std::string(5000, 'x'),
        std::string("gitdir: link\n"), std::string("gitdir: a/../real\n"), std::string("gitdir: later\n"),
        std::string("gitdir: a.txt\n"), std::string("gitdir: .\n"), std::string("gitdir: real\0x", 14)}) {
    place_.write("ws/.git", text);
    Trial trial = attempt_command(GetParam(), place_, "echo ran > ran");
    EXPECT_NE(trial.error.find(".git"), std::string::npos) << text << all_of(trial);
    EXPECT_NE(trial.error.find("insist"), std::string::npos) << text << all_of(trial);
    EXPECT_FALSE(place_.has("ws/ran"));
  }
  EXPECT_EQ(read_only("echo fine").outcome.output, "fine\n");
}

TEST_P(CageAttack, AGitThatIsALinkIsRefused) {
  if (!has_mounts()) return is_refused();
  ASSERT_EQ(symlink("../outside", (place_.ws() + "/.git").c_str()), 0);
  Trial trial = attempt_command(GetParam(), place_, "echo ran > ran");
  EXPECT_NE(trial.error.find("symbolic link"), std::string::npos) << trial.error;
  EXPECT_FALSE(place_.has("ws/ran"));
}

TEST_P(CageAttack, NoHomeIsVisible) {
  Trial trial = run("cat ../home/.ssh/id; ls -a ../home; ls -a /root /home; echo x > ../home/x; cat /root/.bashrc");
  EXPECT_EQ(trial.outcome.output.find("PRIVATE"), std::string::npos) << all_of(trial);
  EXPECT_EQ(trial.outcome.output.find(".ssh\n"), std::string::npos) << all_of(trial);
  EXPECT_EQ(trial.outcome.output.find("bashrc\n"), std::string::npos) << all_of(trial);
  EXPECT_FALSE(place_.has("home/x"));
}

TEST_P(CageAttack, PasswordsOfTheMachineStayUnread) {
  EXPECT_EQ(output("cat /etc/shadow /etc/gshadow").find("root:"), std::string::npos);
}

TEST_P(CageAttack, KeysThatTheKernelHoldsAreNotListed) {
  for (Level level : {Level::read_only, Level::workspace_write}) {
    Trial trial = run("cat /proc/keys /proc/key-users 2>/dev/null | wc -c", {.level = level});
    EXPECT_EQ(trial.outcome.output, "0\n") << all_of(trial);
  }
}

// A listener, and how many came.
class Listener {
 public:
  explicit Listener(int family, const sockaddr* address, socklen_t size, int type = SOCK_STREAM)
      : fd_(socket(family, type | SOCK_CLOEXEC, 0)) {
    good_ = fd_ >= 0 && bind(fd_, address, size) == 0 && (type == SOCK_DGRAM || listen(fd_, 8) == 0);
  }
  // At a path, for everybody.
  explicit Listener(const std::string& path, int type = SOCK_STREAM) : Listener(at(path), type) {
    good_ = good_ && chmod(path.c_str(), 0777) == 0;
  }
  ~Listener() { close(fd_); }
  [[nodiscard]] bool good() const { return good_; }
  [[nodiscard]] int port() const {
    sockaddr_in at{};
    socklen_t size = sizeof at;
    getsockname(fd_, reinterpret_cast<sockaddr*>(&at), &size);
    return ntohs(at.sin_port);
  }
  [[nodiscard]] bool anyone() const {
    pollfd waiting{fd_, POLLIN, 0};
    return poll(&waiting, 1, 0) > 0;
  }

 private:
  explicit Listener(const sockaddr_un& address, int type)
      : Listener(AF_UNIX, reinterpret_cast<const sockaddr*>(&address), sizeof address, type) {}
  static sockaddr_un at(const std::string& path) {
    sockaddr_un out{};
    out.sun_family = AF_UNIX;
    std::strncpy(out.sun_path, path.c_str(), sizeof out.sun_path - 1);
    return out;
  }
  int fd_;
  bool good_ = false;
};

sockaddr_in loopback() {
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return at;
}

TEST_P(CageAttack, TheNetworkIsOutOfReach) {  // FS062
  sockaddr_in at = loopback();
  Listener listener(AF_INET, reinterpret_cast<sockaddr*>(&at), sizeof at);
  ASSERT_TRUE(listener.good());
  std::string connect =
      "python3 -c \"import socket;socket.create_connection(('127.0.0.1'," + std::to_string(listener.port()) + "),5)\"";
  Trial trial = run(connect);
  EXPECT_NE(trial.outcome.code, 0) << all_of(trial);
  EXPECT_NE(run("exec 3<>/dev/tcp/127.0.0.1/" + std::to_string(listener.port())).outcome.code, 0);
  EXPECT_NE(read_only(connect).outcome.code, 0);
  EXPECT_FALSE(listener.anyone());
}

TEST_P(CageAttack, TheNetworkIsThereWhenItIsAllowed) {
  sockaddr_in at = loopback();
  Listener listener(AF_INET, reinterpret_cast<sockaddr*>(&at), sizeof at);
  ASSERT_TRUE(listener.good());
  Trial trial = run(
      "python3 -c \"import socket;socket.create_connection(('127.0.0.1'," + std::to_string(listener.port()) + "),5)\"",
      {.network = true});
  EXPECT_EQ(trial.outcome.code, 0) << all_of(trial);
  EXPECT_TRUE(listener.anyone());
}

TEST_P(CageAttack, AbstractSocketsAreOutOfReach) {
  sockaddr_un at{};
  at.sun_family = AF_UNIX;
  std::string name = "belay-canary-" + std::to_string(getpid());
  std::memcpy(at.sun_path + 1, name.data(), name.size());
  Listener listener(AF_UNIX, reinterpret_cast<sockaddr*>(&at),
                    static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size()));
  ASSERT_TRUE(listener.good());
  std::string connect = "python3 -c \"import socket;socket.socket(socket.AF_UNIX).connect('\\\\0" + name + "')\"";
  EXPECT_NE(run(connect).outcome.code, 0);
  EXPECT_NE(run(connect, {.network = true}).outcome.code, 0);
  EXPECT_FALSE(listener.anyone());
}

TEST_P(CageAttack, SocketsOfDaemonsAreOutOfReach) {  // FS070
  if (geteuid() != 0) GTEST_SKIP() << "this part did not run: only root can put a socket into /run";
  std::string path = "/run/belay-canary-" + std::to_string(getpid()) + ".sock";
  sockaddr_un at{};
  at.sun_family = AF_UNIX;
  std::strcpy(at.sun_path, path.c_str());
  unlink(path.c_str());
  Listener listener(AF_UNIX, reinterpret_cast<sockaddr*>(&at), sizeof at);
  ASSERT_TRUE(listener.good());
  ASSERT_EQ(chmod(path.c_str(), 0777), 0);
  for (bool network : {false, true}) {
    Trial trial = run("python3 -c \"import socket;socket.socket(socket.AF_UNIX).connect('" + path +
                          "')\"; ls /run /var/run; "
                          "curl -s --unix-socket " +
                          path + " http://x/; curl -s --unix-socket /var/run/docker.sock http://x/",
                      {.network = network});
    EXPECT_NE(trial.outcome.code, 0) << all_of(trial);
    EXPECT_EQ(trial.outcome.output.find("canary-" + std::to_string(getpid()) + ".sock\n"), std::string::npos)
        << all_of(trial);
  }
  EXPECT_FALSE(listener.anyone());
  unlink(path.c_str());
}

std::string connecting(const std::string& path) {
  return "python3 -c \"import socket;socket.socket(socket.AF_UNIX).connect('" + path + "')\"";
}

// Where no place is hidden, and nothing but the socket's own mode would be asked.
TEST_P(CageAttack, SocketsOfDaemonsAnywhereElseAreOutOfReachToo) {
  const std::string path = place_.outside() + "/d.sock";
  Listener listener(path);
  ASSERT_TRUE(listener.good());
  ASSERT_EQ(symlink("outside", (place_.root() + "/alias").c_str()), 0);
  for (bool network : {false, true})
    for (Level level : {Level::read_only, Level::workspace_write})
      for (const std::string& name : {path, place_.root() + "/alias/d.sock"}) {
        Trial trial = run(connecting(name), {.level = level, .network = network});
        EXPECT_NE(trial.outcome.code, 0) << all_of(trial);
      }
  EXPECT_FALSE(listener.anyone());
}

TEST_P(CageAttack, DatagramsDoNotReachADaemonEither) {
  const std::string path = place_.outside() + "/log.sock";
  Listener listener(path, SOCK_DGRAM);
  ASSERT_TRUE(listener.good());
  // One of a pair can send to whatever has a name, or take it for its peer.
  const std::string attack =
      "python3 - <<'X'\nfrom socket import *\nfor kind in (SOCK_DGRAM, SOCK_RAW):\n"
      "  for make in (lambda: socket(AF_UNIX, kind), lambda: socketpair(AF_UNIX, kind)[0]):\n"
      "    for use in (lambda s: s.sendto(b'x', '" +
      path + "'), lambda s: s.connect('" + path +
      "')):\n      try: use(make()); print('REACHED')\n      except OSError as e: print(e)\nX";
  for (Level level : {Level::read_only, Level::workspace_write}) {
    Trial trial = run(attack, {.level = level});
    EXPECT_EQ(trial.outcome.output.find("REACHED"), std::string::npos) << all_of(trial);
  }
  EXPECT_FALSE(listener.anyone());
}

TEST_P(CageAttack, ReadOnlyHasNoUnixSocketsButPairs) {
  Trial trial = read_only(
      "python3 - <<'X'\nfrom socket import *\nfor kind in (SOCK_STREAM, SOCK_DGRAM, SOCK_SEQPACKET):\n"
      "  try: socket(AF_UNIX, kind); print('MADE')\n  except OSError: print('refused')\n"
      "for kind in (SOCK_STREAM, SOCK_SEQPACKET):\n  a, b = socketpair(AF_UNIX, kind | SOCK_NONBLOCK)\n"
      "  a.send(b'x'); print('pair', b.recv(1) == b'x')\nX");
  EXPECT_EQ(trial.outcome.output, "refused\nrefused\nrefused\npair True\npair True\n") << all_of(trial);
}

// As PostgreSQL's tests do, and many others.
TEST_P(CageAttack, AServerOfOnesOwnCanListenInTmpAndInTheWorkspace) {
  if (!has_mounts()) GTEST_SKIP() << "this part did not run: with Landlock alone there are no unix sockets";
  Trial trial =
      run("python3 - <<'X'\nfrom socket import *\nfor path in ('/tmp/s', './s'):\n"
          "  with socket(AF_UNIX) as s, socket(AF_UNIX) as c:\n"
          "    s.bind(path); s.listen(1); c.connect(path); s.accept()[0].send(b'x'); print(c.recv(1) == b'x')\nX");
  EXPECT_EQ(trial.outcome.output, "True\nTrue\n") << all_of(trial);
}

TEST_P(CageAttack, ASocketThatThePersonHasInTheWorkspaceStaysThere) {
  if (!has_mounts()) GTEST_SKIP() << "this part did not run: with Landlock alone there are no unix sockets";
  Listener listener(place_.ws() + "/s");
  ASSERT_TRUE(listener.good());
  Trial trial = run(connecting("s"));
  EXPECT_EQ(trial.outcome.code, 0) << all_of(trial);
  EXPECT_TRUE(listener.anyone());
}

// Somebody else's process, of the same user as the command.
class Bystander {
 public:
  explicit Bystander(bool ordinary) : pid_(fork()) {
    if (pid_ != 0) return;
    if (ordinary && geteuid() == 0 && setresuid(65534, 65534, 65534) != 0) _exit(1);
    setenv("BYSTANDER", "sk-canary-of-a-bystander", 1);
    execl("/bin/sleep", "sleep", "600", nullptr);
    _exit(1);
  }
  ~Bystander() {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  [[nodiscard]] pid_t pid() const { return pid_; }
  [[nodiscard]] bool alive() const { return waitpid(pid_, nullptr, WNOHANG) == 0; }

 private:
  pid_t pid_;
};

TEST_P(CageAttack, OtherProcessesCannotBeSignalled) {  // FS063
  Bystander other(GetParam().ordinary);
  std::string agent = std::to_string(getpid()), bystander = std::to_string(other.pid());
  Trial trial = run("kill -9 $PPID; echo still here; kill -9 " + agent + "; kill -9 " + bystander + "; kill -STOP " +
                    bystander + "; python3 -c \"import os; os.kill(" + bystander + ", 9)\"");
  EXPECT_NE(trial.outcome.output.find("still here"), std::string::npos) << all_of(trial);
  EXPECT_TRUE(other.alive()) << all_of(trial);
  trial = run("kill -9 -1; kill -9 -" + bystander + "; kill -9 -" + agent);
  EXPECT_TRUE(other.alive()) << all_of(trial);
}

// A limit is as good as a signal: the kernel ends who is over it.
TEST_P(CageAttack, LimitsAndPrioritiesOfOtherProcessesStay) {
  Bystander other(GetParam().ordinary);
  std::string bystander = std::to_string(other.pid());
  auto limits = [&] {
    std::ifstream file("/proc/" + bystander + "/limits");
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  std::string before = limits();
  EXPECT_NE(before.find("Max open files"), std::string::npos);
  for (Level level : {Level::read_only, Level::workspace_write})
    for (const std::string& pid : {bystander, std::to_string(getpid()), std::string("$PPID"), std::string("1")}) {
      Trial trial =
          run("for p in " + pid +
                  "; do prlimit --pid $p --nofile=7:7 && echo DID limit; "
                  "prlimit --pid $p --cpu=1:1 && echo DID time; renice -n 19 -p $p >&2 && echo DID renice; "
                  "chrt -i -p 0 $p && echo DID schedule; taskset -p 1 $p && echo DID pin; "
                  "ionice -c 3 -p $p && echo DID input; done; renice -n 19 -u $(id -u) >&2 && echo DID user; true",
              {.level = level});
      EXPECT_EQ(trial.outcome.output.find("DID"), std::string::npos) << pid << all_of(trial);
    }
  EXPECT_EQ(limits(), before);
  EXPECT_TRUE(other.alive());
  EXPECT_EQ(output("ulimit -n 100 && nice -n 5 sh -c 'ulimit -n'"), "100\n") << "its own are the command's to set";
}

TEST_P(CageAttack, SharedMemoryOfOtherProcessesIsOutOfReach) {
  const int segment = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0666);
  ASSERT_GE(segment, 0);
  void* memory = shmat(segment, nullptr, 0);
  ASSERT_NE(memory, reinterpret_cast<void*>(-1));
  std::strcpy(static_cast<char*>(memory), "sk-canary-shared");
  for (Level level : {Level::read_only, Level::workspace_write}) {
    Trial trial =
        run("python3 - <<'X'\nimport ctypes\nlibc = ctypes.CDLL(None)\nlibc.shmat.restype = ctypes.c_void_p\n"
            "at = libc.shmat(" +
                std::to_string(segment) +
                ", None, 0)\n"
                "print('refused' if at == ctypes.c_void_p(-1).value else ctypes.string_at(at))\nX",
            {.level = level});
    EXPECT_EQ(trial.outcome.output, "refused\n") << all_of(trial);
  }
  shmdt(memory);
  shmctl(segment, IPC_RMID, nullptr);
}

TEST_P(CageAttack, OtherProcessesCannotBeLookedInto) {
  Bystander other(GetParam().ordinary);
  std::string pid = std::to_string(other.pid());
  Trial trial = run("cat /proc/" + pid + "/environ /proc/" + pid + "/cmdline; ls -l /proc/" + pid + "/fd /proc/" + pid +
                    "/cwd/; cat /proc/" + pid +
                    "/root/etc/hostname; python3 -c \"import "
                    "ctypes,os\nlibc=ctypes.CDLL(None,use_errno=True)\nprint('ptrace', libc.ptrace(16, " +
                    pid + ", 0, 0))\"");
  EXPECT_EQ(trial.outcome.output.find("sk-canary"), std::string::npos) << all_of(trial);
  EXPECT_EQ(trial.outcome.output.find("sleep"), std::string::npos) << all_of(trial);
  EXPECT_NE(trial.outcome.output.find("ptrace -1"), std::string::npos) << all_of(trial);
}

TEST_P(CageAttack, KeysOfTheAgentAreNowhere) {
  setenv("BELAY_TEST_API_KEY", "sk-canary-4711", 1);
  setenv("LD_PRELOAD_CANARY", "sk-canary-4711", 1);
  setenv("BASH_ENV", "/nonexistent/sk-canary-4711", 1);
  Trial trial =
      run("env; cat /proc/*/environ /proc/*/cmdline /proc/*/task/*/environ | tr '\\0' '\\n'; strings /proc/1/mem; "
          "python3 - <<'X'\nimport os\nfor p in [1]:\n  try:\n    "
          "print(open(f'/proc/{p}/maps').read()[:80])\n"
          "    print('op' + 'ened', open(f'/proc/{p}/mem','rb'))\n  except Exception as e: print(e)\nX\necho done");
  unsetenv("BELAY_TEST_API_KEY");
  unsetenv("LD_PRELOAD_CANARY");
  unsetenv("BASH_ENV");
  EXPECT_EQ(trial.outcome.output.find("sk-canary-4711"), std::string::npos) << all_of(trial);
  EXPECT_NE(trial.outcome.output.find("done"), std::string::npos) << all_of(trial);
  // Bubblewrap's own process has nothing of the agent in it; the keeper would have.
  if (GetParam().wall == Wall::namespaces) {
    EXPECT_EQ(trial.outcome.output.find("opened"), std::string::npos) << all_of(trial);
  }
}

TEST_P(CageAttack, TheKeeperCannotBeTraced) {
  Trial trial =
      run("python3 - <<'X'\nimport ctypes\nlibc=ctypes.CDLL(None)\n"
          "for request in (16, 0x4206): print('traced' if libc.ptrace(request, 1, 0, 0) == 0 else 'refused')\nX");
  EXPECT_EQ(trial.outcome.output, "refused\nrefused\n");
}

TEST_P(CageAttack, OnlyThreeDescriptorsAreOpen) {  // FS066
  int leak = open("/etc/passwd", O_RDONLY);        // without O_CLOEXEC
  Trial trial =
      run("python3 - <<'X'\nimport os\nfor fd in range(4096):\n  try: os.fstat(fd); print('open', fd)\n  except "
          "OSError: pass\nX");
  close(leak);
  EXPECT_EQ(trial.outcome.output, "open 0\nopen 1\nopen 2\n");
  if (has_mounts()) {
    EXPECT_EQ(output("ls /proc/self/fd"), "0\n1\n2\n3\n");
  }
}

TEST_P(CageAttack, NoTerminalCanBeTypedInto) {  // FS067
  Trial trial = run(
      "python3 -c \"import fcntl,termios;[fcntl.ioctl(0,termios.TIOCSTI,c.encode()) for c in 'id\\\\n']\" || echo "
      "refused; "
      "(: < /dev/tty) 2>/dev/null || echo no terminal; python3 -c \"import os; print(os.getsid(0) == os.getpgrp())\"; "
      "[ -t 0 ] || echo no input; read x || echo end");
  for (const char* part : {"refused", "no terminal", "True", "no input", "end"})
    EXPECT_NE(trial.outcome.output.find(part), std::string::npos) << part << "\n" << all_of(trial);
}

TEST_P(CageAttack, NoTerminalOfItsOwnEither) {
  Trial trial =
      run("python3 - <<'X'\nimport os,fcntl,termios\ntry:\n  m,s=os.openpty()\nexcept OSError:\n  print('refused'); "
          "raise SystemExit\n"
          "try:\n  fcntl.ioctl(s,termios.TIOCSTI,b'x'); print('typed')\nexcept OSError as e: print('refused', e)\nX");
  EXPECT_EQ(trial.outcome.output.find("typed"), std::string::npos) << all_of(trial);
  EXPECT_NE(trial.outcome.output.find("refused"), std::string::npos) << all_of(trial);
}

TEST_P(CageAttack, RightsCannotBeGained) {  // FS075
  Trial trial =
      run("cp /bin/sh mine; for c in 'chmod u+s /bin/sh' 'chmod u+s mine' 'chmod 2755 mine' 'mount -t tmpfs x /mnt' "
          "'unshare -r true' "
          "'unshare -m true' 'unshare -n true' 'chroot / true' 'nsenter -t 1 -m true' 'mknod dev c 1 3' 'install -m "
          "4755 mine other'; do "
          "$c && echo \"DID $c\"; done; true");
  EXPECT_EQ(trial.outcome.output.find("DID"), std::string::npos) << all_of(trial);
  struct stat found{};
  ASSERT_EQ(stat((place_.ws() + "/mine").c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & (S_ISUID | S_ISGID), 0u);
}

TEST_P(CageAttack, NoCapabilitiesAreLeft) {
  Trial trial =
      run("python3 - <<'X'\nimport ctypes\nlibc=ctypes.CDLL(None,use_errno=True)\n"
          "print('bounding', [c for c in range(41) if libc.prctl(23,c,0,0,0)==1])\nprint('no_new_privs', "
          "libc.prctl(39,0,0,0,0))\n"
          "class H(ctypes.Structure): "
          "_fields_=[('v',ctypes.c_uint),('p',ctypes.c_int)]\nh=H(0x20080522,0)\nd=(ctypes.c_uint*6)()\n"
          "print('capget', libc.syscall(125,ctypes.byref(h),d), list(d))\nX");
  EXPECT_NE(trial.outcome.output.find("no_new_privs 1"), std::string::npos) << all_of(trial);
  EXPECT_NE(trial.outcome.output.find("capget 0 [0, 0, 0, 0, 0, 0]"), std::string::npos) << all_of(trial);
  if (geteuid() == 0 && !GetParam().ordinary) {
    EXPECT_NE(trial.outcome.output.find("bounding []"), std::string::npos) << all_of(trial);
  }
}

TEST_P(CageAttack, TheMachinesSettingsCannotBeWritten) {
  // The same value again, so that a cage that fails does no harm.
  Trial trial =
      run("for f in /proc/sys/kernel/core_pattern /proc/sys/vm/overcommit_memory "
          "/sys/kernel/mm/transparent_hugepage/enabled; do "
          "v=$(cat $f 2>/dev/null); (printf '%s' \"$v\" > $f) 2>/dev/null && echo \"DID $f\"; done; "
          "(echo h > /proc/sysrq-trigger) 2>/dev/null && echo DID sysrq; true");
  EXPECT_EQ(trial.outcome.output.find("DID"), std::string::npos) << all_of(trial);
}

TEST_P(CageAttack, DevicesOfTheMachineAreNotThere) {
  Trial trial = run(
      "for d in /dev/vda /dev/sda /dev/mem /dev/kmsg /dev/fuse /dev/kvm /dev/net/tun /dev/loop0 /dev/console; do "
      "(: < $d) 2>/dev/null && echo \"DID $d\"; (: <> $d) 2>/dev/null && echo \"DID $d\"; done; echo x > /dev/null && "
      "head -c 4 /dev/urandom | wc -c");
  EXPECT_EQ(trial.outcome.output.find("DID"), std::string::npos) << all_of(trial);
  EXPECT_NE(trial.outcome.output.find('4'), std::string::npos) << all_of(trial);
}

INSTANTIATE_TEST_SUITE_P(Cages, CageAttack, ::testing::ValuesIn(belay::testing::every_attempt()),
                         [](const auto& each) { return belay::testing::test_name(each.param); });

// --- decisions, without running anything ---

Abilities nothing() {
  Abilities none;
  none.bubblewrap.why_not = "it is not installed";
  none.namespaces.why_not = "no";
  return none;
}

TEST(CageLevel, HasTheNamesThatPeopleKnow) {
  EXPECT_EQ(name(Level::read_only), "read-only");
  EXPECT_EQ(name(Level::workspace_write), "workspace-write");
  EXPECT_EQ(name(Level::danger_full_access), "danger-full-access");
  for (Level level : {Level::read_only, Level::workspace_write, Level::danger_full_access})
    EXPECT_EQ(level_named(name(level)), level);
  EXPECT_EQ(level_named("Read-Only"), std::nullopt);
}

TEST(CageChoice, TakesOurOwnNamespacesThenBubblewrapThenLandlock) {
  Abilities all = nothing();
  EXPECT_EQ(all.wall_for(Level::read_only), Wall::none);
  all.landlock = 7;
  EXPECT_EQ(all.wall_for(Level::read_only), Wall::landlock);
  all.bubblewrap.works = true;
  EXPECT_EQ(all.wall_for(Level::read_only), Wall::bubblewrap);
  all.namespaces.work = true;
  EXPECT_EQ(all.wall_for(Level::read_only), Wall::namespaces);
  EXPECT_EQ(all.wall_for(Level::danger_full_access), Wall::none);
}

TEST(CageChoice, RefusesWhatCannotBeEnforcedAndSaysWhatAndHow) {
  auto cage = Cage::make({.level = Level::read_only, .workspace = "/usr"}, nothing());
  ASSERT_FALSE(cage);
  for (const char* part :
       {"read-only", "every file can be written to", "network", "signalled", "home directory", "insist"})
    EXPECT_NE(cage.error().find(part), std::string::npos) << part << "\n" << cage.error();
}

TEST(CageChoice, RunsWithWhatThereIsWhenThePersonInsists) {
  auto cage = Cage::make({.level = Level::read_only, .workspace = "/usr", .insist = true}, nothing());
  ASSERT_TRUE(cage);
  EXPECT_EQ(cage->wall(), Wall::none);
  EXPECT_FALSE(cage->gaps().empty());
}

TEST(CageChoice, AnOldLandlockIsNotEnough) {
  Abilities old = nothing();
  old.seccomp = true;
  old.landlock = 2;
  auto cage = Cage::make({.level = Level::read_only, .workspace = "/usr"}, old);
  ASSERT_FALSE(cage);
  EXPECT_NE(cage.error().find("truncated"), std::string::npos) << cage.error();
  EXPECT_NE(cage.error().find("signalled"), std::string::npos) << cage.error();
  old.landlock = 6;
  EXPECT_TRUE(Cage::make({.level = Level::read_only, .workspace = "/usr"}, old));
}

// Rights on a folder hold for all that is in it, so .git cannot be taken out of a workspace that is writable.
TEST(CageChoice, LandlockAloneIsEnoughToReadAndNotToWrite) {
  Abilities bare = nothing();
  bare.seccomp = true;
  bare.landlock = 7;
  bare.namespaces.remedy = "run it as root";
  EXPECT_TRUE(Cage::make({.level = Level::read_only, .workspace = "/usr"}, bare));
  auto cage = Cage::make({.level = Level::workspace_write, .workspace = "/usr"}, bare);
  ASSERT_FALSE(cage);
  for (const char* part : {"workspace-write", ".git", "modes, owners", "run it as root", "read-only", "insist"})
    EXPECT_NE(cage.error().find(part), std::string::npos) << part << "\n" << cage.error();
  auto insisting = Cage::make({.level = Level::workspace_write, .workspace = "/usr", .insist = true}, bare);
  ASSERT_TRUE(insisting);
  EXPECT_EQ(insisting->wall(), Wall::landlock);
}

TEST(CageChoice, NoFilterMeansNoPromiseOfWritesOrProcessesEitherWithNamespaces) {
  Abilities old = nothing();
  old.landlock = 7;
  old.namespaces.work = true;
  for (Level level : {Level::read_only, Level::workspace_write}) {
    auto cage = Cage::make({.level = level, .workspace = "/usr"}, old);
    ASSERT_FALSE(cage);
    EXPECT_NE(cage.error().find("seccomp"), std::string::npos) << cage.error();
  }
}

TEST(CageChoice, RemediesAreNamedWhereALevelIsNotEnforcedAndOnlyThere) {
  Abilities some = nothing();
  some.namespaces.work = some.seccomp = true;
  some.landlock = 7;
  for (Level level : {Level::read_only, Level::workspace_write, Level::danger_full_access})
    EXPECT_TRUE(remedies(level, some).empty());
  some.namespaces.work = false;
  EXPECT_TRUE(remedies(Level::read_only, some).empty());
  EXPECT_FALSE(remedies(Level::workspace_write, some).empty());
  EXPECT_FALSE(remedies(Level::read_only, nothing()).empty());
}

TEST(CageChoice, NoFilterMeansNoNetworkPromiseWithoutNamespaces) {
  Abilities old = nothing();
  old.landlock = 7;
  auto cage = Cage::make({.level = Level::read_only, .workspace = "/usr"}, old);
  ASSERT_FALSE(cage);
  EXPECT_NE(cage.error().find("network"), std::string::npos) << cage.error();
}

TEST(CageChoice, FullAccessNeedsNothing) {
  auto cage = Cage::make({.level = Level::danger_full_access, .workspace = "/usr"}, nothing());
  ASSERT_TRUE(cage);
  EXPECT_EQ(cage->wall(), Wall::none);
}

TEST(CageChoice, SomeFoldersAreNoWorkspace) {
  Abilities all = nothing();
  all.namespaces.work = all.seccomp = true;
  EXPECT_FALSE(Cage::make({.workspace = "/"}, all));
  EXPECT_FALSE(Cage::make({.workspace = "/nonexistent/x"}, all));
  EXPECT_FALSE(Cage::make({.workspace = "/etc/passwd"}, all));
  auto above = Cage::make({.workspace = "/var", .home = "/var/lib"}, all);
  ASSERT_FALSE(above);
  EXPECT_NE(above.error().find("holds the home directory"), std::string::npos) << above.error();
}

TEST(CageChoice, AWallThatCannotBeBuiltIsAnError) {
  EXPECT_FALSE(Cage::make({.workspace = "/usr", .insist = true, .wall = Wall::bubblewrap}, nothing()));
}

TEST(CageProbe, SaysWhyForWhatDoesNotWork) {
  Abilities found = probe();
  EXPECT_EQ(found.bubblewrap.works, found.bubblewrap.why_not.empty());
  EXPECT_EQ(found.namespaces.work, found.namespaces.why_not.empty());
  if (found.bubblewrap.works) {
    EXPECT_NE(found.bubblewrap.version.find("bubblewrap"), std::string::npos);
  }
  EXPECT_EQ(found.root, geteuid() == 0);
}

}  // namespace
}  // namespace belay::sandbox
