// A folder of one's own for a test of the file system, and a child process that is an ordinary user.
#pragma once

#include <fcntl.h>
#include <grp.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <string_view>

namespace belay::check {

inline constexpr uid_t kNobody = 65534;

/// `ws`, the workspace, and `outside` with a secret beside it. Gone at the end. Everybody may go through it.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "belay-test-XXXXXX").string();
    if (!::mkdtemp(name.data())) std::abort();
    top_ = std::filesystem::canonical(name).string();
    ::chmod(top_.c_str(), 0755);
    std::filesystem::create_directory(top_ + "/ws");
    std::filesystem::create_directory(top_ + "/outside");
    put_at(top_ + "/outside/secret.txt", "SECRET\n");
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder() {
    std::error_code trouble;
    std::filesystem::remove_all(top_, trouble);
  }

  [[nodiscard]] const std::string& top() const { return top_; }
  [[nodiscard]] std::string ws() const { return top_ + "/ws"; }
  [[nodiscard]] std::string in(std::string_view name) const { return ws() + "/" + std::string(name); }

  /// A file of the workspace, its folders too.
  void put(std::string_view name, std::string_view content) const {
    std::filesystem::create_directories(std::filesystem::path(in(name)).parent_path());
    put_at(in(name), content);
  }
  void link(std::string_view target, std::string_view name) const {
    ASSERT_EQ(::symlink(std::string(target).c_str(), in(name).c_str()), 0);
  }
  void folder(std::string_view name) const { std::filesystem::create_directories(in(name)); }
  [[nodiscard]] std::string get(std::string_view name) const { return get_at(in(name)); }
  [[nodiscard]] bool exists(std::string_view name) const {
    struct stat s{};
    return ::lstat(in(name).c_str(), &s) == 0;
  }

  static void put_at(const std::string& path, std::string_view content) {
    std::ofstream out(path, std::ios::binary);
    out << content;
    out.close();
    if (!out) std::abort();
  }
  static std::string get_at(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  /// How many entries a folder has.
  static std::size_t count(const std::string& path) {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(path), std::filesystem::directory_iterator{}));
  }

 private:
  std::string top_;
};

/// Runs it in a child that is nobody when the test is root, and gives back what it says.
inline std::string as_ordinary_user(const std::function<std::string()>& code) {
  int pipe[2];
  if (::pipe(pipe) != 0) return "no pipe";
  const pid_t child = ::fork();
  if (child == 0) {
    if (::getuid() == 0 && (::setgroups(0, nullptr) != 0 || ::setgid(kNobody) != 0 || ::setuid(kNobody) != 0))
      ::_exit(9);
    const std::string said = code();
    const bool told = ::write(pipe[1], said.data(), said.size()) == static_cast<ssize_t>(said.size());
    ::_exit(told ? 0 : 8);
  }
  ::close(pipe[1]);
  std::string said;
  char buffer[4096];
  for (ssize_t got = 0; (got = ::read(pipe[0], buffer, sizeof buffer)) > 0;)
    said.append(buffer, static_cast<std::size_t>(got));
  ::close(pipe[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return "the child ended with status " + std::to_string(status);
  return said;
}

}  // namespace belay::check
