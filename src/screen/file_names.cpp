#include "screen/file_names.h"

#include <belay/screen/text.h>

#include <algorithm>
#include <filesystem>

namespace BELAY_NAMESPACE::screen {
namespace {

constexpr std::size_t kOffered = 200;  // that are offered

}  // namespace

std::vector<std::string> files_below(const std::string& workspace, std::string_view beginning) {
  namespace fs = std::filesystem;
  std::vector<std::string> out;
  if (beginning.starts_with('/') || beginning.find("..") != beginning.npos) return out;
  const std::size_t slash = beginning.rfind('/');
  const std::string folder(slash == beginning.npos ? "" : beginning.substr(0, slash + 1));
  const std::string_view name = beginning.substr(folder.size());
  std::error_code error;
  for (fs::directory_iterator it(fs::path(workspace) / folder, error), end; !error && it != end; it.increment(error)) {
    const std::string found = it->path().filename().string();
    if (!found.starts_with(name) || (found.starts_with('.') && !name.starts_with('.'))) continue;
    if (printable(found) != found) continue;
    std::error_code kind;
    out.push_back(folder + found + (it->is_directory(kind) ? "/" : ""));
    if (out.size() >= kOffered) break;
  }
  std::ranges::sort(out);
  return out;
}

}  // namespace BELAY_NAMESPACE::screen
