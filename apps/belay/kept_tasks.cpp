#include "kept_tasks.h"

#include <belay/config.h>

#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <ctime>

namespace belay::cli {
namespace {

std::string formatted(std::int64_t milliseconds, const char* format) {
  const std::time_t seconds = static_cast<std::time_t>(milliseconds / 1000);
  std::tm parts{};
  if (::localtime_r(&seconds, &parts) == nullptr) return "?";
  std::array<char, 64> text{};
  return {text.data(), std::strftime(text.data(), text.size(), format, &parts)};
}

}  // namespace

std::string store_path(const std::string& data) { return data + "/tasks.db"; }

std::expected<std::unique_ptr<store::Store>, std::string> open_kept_tasks() {
  const auto places = config::places(config::process_environment());
  if (!places) return std::unexpected(describe(places.error()));
  store::SqliteOptions options;
  options.path = store_path(places->data);
  struct stat s{};
  if (::stat(options.path.c_str(), &s) != 0) {
    if (errno == ENOENT || errno == ENOTDIR) return nullptr;
    return std::unexpected(options.path + ": " + std::strerror(errno));
  }
  auto store = store::open_sqlite(options);
  if (!store) return std::unexpected(store.error().message);
  return std::move(*store);
}

std::string local_minute(std::int64_t milliseconds) { return formatted(milliseconds, "%Y-%m-%d %H:%M"); }

std::string local_second(std::int64_t milliseconds) { return formatted(milliseconds, "%H:%M:%S"); }

std::int64_t now_milliseconds() {
  using namespace std::chrono;
  return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

std::int64_t zone_offset() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  return ::localtime_r(&now, &parts) == nullptr ? 0 : static_cast<std::int64_t>(parts.tm_gmtoff) * 1000;
}

}  // namespace belay::cli
