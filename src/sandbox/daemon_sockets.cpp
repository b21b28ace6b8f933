#include "sandbox/daemon_sockets.h"

#include "sandbox/path_text.h"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

namespace BELAY_NAMESPACE::sandbox {
namespace {

// 0000000011c9b615: 00000002 00000000 00010000 0001 01 1662 /run/x.sock
std::string path_in(const std::string& line) {
  std::size_t at = line.find(" /");
  return at == line.npos ? std::string() : line.substr(at + 1);
}

bool is_socket(const std::string& path) {
  struct stat found{};
  return lstat(path.c_str(), &found) == 0 && S_ISSOCK(found.st_mode);
}

}  // namespace

std::expected<std::vector<std::string>, std::string> daemon_sockets(const Cage& cage) {
  const CageOptions& options = cage.options();
  auto in_one_of = [](const std::string& path, const std::vector<std::string>& folders) {
    return std::ranges::any_of(folders, [&](const std::string& folder) { return in_folder(path, folder); });
  };
  std::set<std::string> found;
  std::ifstream list("/proc/net/unix");
  if (!list && !options.insist)
    return std::unexpected(
        "/proc/net/unix cannot be read, so the sockets of daemons cannot be kept from the command: run it read-only, "
        "or insist");
  for (std::string line; std::getline(list, line);) {
    std::string bound = path_in(line);
    if (bound.empty()) continue;
    std::error_code error;
    // Whose folder cannot be entered here, cannot be reached by the command either.
    std::string path = std::filesystem::canonical(bound, error).string();
    if (error || in_folder(path, options.workspace) || !is_socket(path)) continue;
    if (in_one_of(path, cage.hidden()) && !in_one_of(path, options.readable)) continue;
    if (found.size() == kMostSockets && !found.contains(path)) {
      if (options.insist) break;
      return std::unexpected("more than " + std::to_string(kMostSockets) +
                             " sockets of daemons would have to be kept from the command (limit kMostSockets), the "
                             "last one at " +
                             path + ": run it read-only, or insist");
    }
    found.insert(std::move(path));
  }
  return std::vector<std::string>(found.begin(), found.end());
}

}  // namespace BELAY_NAMESPACE::sandbox
