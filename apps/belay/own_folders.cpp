#include "own_folders.h"

#include <filesystem>
#include <system_error>

namespace belay::cli {

std::vector<std::string> own_folders(const config::Environment& environment, const std::string& workspace) {
  const auto places = config::places(environment);
  if (!places) return {};
  std::error_code error;
  const std::string root = std::filesystem::weakly_canonical(workspace, error).string();
  std::vector<std::string> out;
  for (const std::string& folder :
       {std::filesystem::path(places->config_file).parent_path().string(), std::string(places->data)}) {
    std::string real = std::filesystem::weakly_canonical(folder, error).string();
    if (error) real = folder;
    const bool above = real == "/" || root.starts_with(real + '/');
    if (!above && (out.empty() || out.back() != folder)) out.push_back(folder);
  }
  return out;
}

}  // namespace belay::cli
