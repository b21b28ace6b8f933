// A file in the making, beside the one that it replaces.
#pragma once

#include <belay/sandbox/handle.h>

#include <sys/stat.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace BELAY_NAMESPACE::sandbox {

/// Without a name where the system can do that, so that even a process that is killed leaves nothing; otherwise with a
/// random one. Gone when it is destroyed, unless it took its place. All functions give 0 or an errno.
class Replacement {
 public:
  enum class Named : std::uint8_t { when_placed, at_once };
  explicit Replacement(int folder, Named named = Named::when_placed) : folder_(folder), named_(named) {}
  Replacement(const Replacement&) = delete;
  Replacement& operator=(const Replacement&) = delete;
  ~Replacement();

  /// For a new file (0666 without the umask), or for one that takes the place of another.
  int make(bool is_new);
  int fill(std::string_view content);
  /// Owner and mode of the old file, as far as it may be; without set-user-ID and set-group-ID, since the content is
  /// another one now. False in `kept` when the owner or the group is not the same.
  int adopt(const struct stat& old, bool& kept);
  int synchronise();

  /// Takes a name that nobody has: EEXIST otherwise.
  int place_new(const std::string& name);
  /// Takes the name of whatever has it.
  int place_over(const std::string& name);
  /// Takes the name of exactly this file: ESTALE when it is another one, or has changed. Then all is as it was.
  int place_for(const std::string& name, const struct stat& old);

 private:
  int take_name();
  int unnamed_to(const std::string& name);
  int folder_;
  Named named_;
  Handle handle_;
  std::string name_;  // in the folder; empty while it has none
};

}  // namespace BELAY_NAMESPACE::sandbox
