// A command made ready to start: everything that its keeper needs, and what has to go when it has ended.
#pragma once

#include <belay/sandbox/command.h>

#include "sandbox/descriptor.h"
#include "sandbox/keeper.h"

#include <expected>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace BELAY_NAMESPACE::sandbox {

/// Memory for a child, asked of the kernel: it costs nothing until it is written to.
class Pages {
 public:
  explicit Pages(std::size_t bytes);
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;
  ~Pages();
  [[nodiscard]] void* data() const { return data_; }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  void* data_;
  std::size_t size_;
};

/// Stays where it is: `orders` points into it.
class Plan {
 public:
  static std::expected<std::unique_ptr<Plan>, std::string> make(const Cage& cage, const Command& command);
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;
  /// Removes what was made for this command alone. Nothing of it may run any more.
  ~Plan();

  Orders orders;
  Descriptor control, output;  // Belay's ends
  void close_childs_ends();
  /// For a command that has exited: false when its wall, bubblewrap, ended before it had become the command.
  [[nodiscard]] bool command_ran() const;

 private:
  Plan() = default;
  std::expected<void, std::string> prepare(const Cage& cage, const Command& command);
  std::expected<void, std::string> open_cwd(const std::string& cwd);
  std::expected<void, std::string> open_pipes();
  std::expected<void, std::string> guard();
  std::expected<void, std::string> guard_git();
  std::expected<void, std::string> guard_own(std::set<std::string>& above);
  std::expected<void, std::string> find_sockets();
  std::expected<void, std::string> make_private_folder();
  std::expected<void, std::string> prepare_view(const Command& command);
  std::expected<void, std::string> prepare_bubblewrap(const Command& command);
  std::expected<void, std::string> prepare_rules();
  void prepare_filter();
  void prepare_words(const Command& command);
  const char* keep(std::string text);

  const Cage* cage_ = nullptr;
  View view_;
  Descriptor workspace_, cwd_, null_, proc_, rules_, filter_file_, status_file_, childs_control_, childs_output_;
  std::string cwd_path_, private_folder_, home_, temporary_, shell_;
  std::vector<std::unique_ptr<std::string>> texts_;
  std::vector<std::string> sockets_;
  std::vector<const char*> covers_, masks_, readable_, guarded_, held_, socket_names_;
  struct Lock {
    Descriptor folder;   // guarded
    std::string remove;  // its path, when it was not there before
  };
  std::vector<Lock> locks_;
  std::vector<std::string> words_, environment_;
  std::vector<char*> arguments_, variables_;
  std::vector<sock_filter> filter_;
  std::unique_ptr<Pages> pages_;
};

/// Where this process's arguments and environment are in its memory. Empty when /proc does not say.
std::span<char> own_arguments();
/// The folders and files that Landlock's rules allow for a cage, in place of a view.
std::expected<Descriptor, std::string> landlock_rules(const Cage& cage, const std::string& private_folder);

}  // namespace BELAY_NAMESPACE::sandbox
