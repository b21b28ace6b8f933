// A file system for SQLite whose calls fail when a test says so, and which can lose power.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace belay::check {

/// What happens at the chosen call.
enum class Fault : std::uint8_t {
  none,
  full,  ///< no space: writes end half-way; once, then there is space again
  full_stays,
  io,  ///< an error of the disk, once
  io_stays,
  power,  ///< everything ends there: this call and all after it do nothing
};

/// What is left of writes that were not synced when the power went. Files that were never synced may be gone, files
/// that were removed may be back.
enum class Left : std::uint8_t {
  all,  ///< as after kill -9: the system still has everything
  nothing,
  writes,   ///< each write whole or not at all, by chance
  sectors,  ///< each 512 bytes of each write, by chance
};

/// Registered with SQLite under name() as long as it lives. Wraps the usual file system; counts each call that can
/// fail. Nothing is really synced: what a power cut leaves is decided here. For one thread.
class FaultVfs {
 public:
  FaultVfs();
  FaultVfs(const FaultVfs&) = delete;
  FaultVfs& operator=(const FaultVfs&) = delete;
  ~FaultVfs();

  [[nodiscard]] const std::string& name() const { return name_; }

  /// The call that fails, counted from 1 and from now on. Forgets what was.
  void plan(Fault fault, std::uint64_t call);
  /// Whether it came to that call.
  [[nodiscard]] bool fired() const { return fired_; }
  [[nodiscard]] std::uint64_t calls() const { return calls_; }
  /// The name of the call that failed.
  [[nodiscard]] const std::string& where() const { return where_; }

  /// Syncs say that they worked, and do nothing, as bad disks do. For the test of the tests.
  void lie_about_syncs() { lies_ = true; }
  /// The power goes now.
  void go_dark() { fired_ = dark_ = true; }
  /// After the power went and the connection is closed: makes the files what the disk would have.
  void settle(Left left, std::uint64_t seed);

  struct File;
  struct Calls;

 private:
  /// A change that no sync has made certain yet.
  struct Change {
    bool truncate = false;
    std::int64_t at = 0;
    std::string bytes;
  };
  /// What the disk has for certain, and what it may have.
  struct Disk {
    bool exists = false;  ///< for certain
    std::string bytes;
    std::vector<Change> changes;
    bool made = false;     ///< not certain: it was made
    bool removed = false;  ///< not certain: it was removed
  };

  /// The code that this call has to give, or 0.
  int judge(const char* call, int io_code);
  Disk& disk(const std::string& path);
  static void apply(std::string& bytes, const Change& change);
  void make_certain(const std::string& path);

  std::string name_;
  struct Registration;
  std::unique_ptr<Registration> registration_;
  Fault fault_ = Fault::none;
  std::uint64_t at_ = 0, calls_ = 0;
  bool fired_ = false, dark_ = false, lies_ = false;
  std::string where_;
  std::map<std::string, Disk> disks_;
};

}  // namespace belay::check
