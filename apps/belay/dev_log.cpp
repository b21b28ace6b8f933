#include "dev_log.h"

#include "terminal.h"

#include <belay/net/secrets.h>

#include <spdlog/logger.h>
#include <spdlog/sinks/rotating_file_sink.h>
#include <sys/stat.h>

namespace belay::cli {
namespace {

constexpr std::size_t kLogBytes = 5u << 20;  // of one file
constexpr std::size_t kLogFiles = 3;

spdlog::level::level_enum level_of(std::string_view name) {
  if (name == "warning") name = "warn";
  return spdlog::level::from_str(std::string(name));
}

}  // namespace

struct DevLog::State {
  std::string path;
  net::Secrets secrets;
  std::shared_ptr<spdlog::logger> logger;
};

DevLog::DevLog(std::unique_ptr<State> state) : state_(std::move(state)) {}
DevLog::~DevLog() = default;
DevLog::DevLog(DevLog&&) noexcept = default;

std::expected<DevLog, std::string> DevLog::open(const Options& options) {
  auto state = std::make_unique<State>();
  state->path = options.folder + "/belay.log";
  state->secrets = net::Secrets(options.secrets);
  if (options.level != "off") {
    // A pipe would make us wait for who reads it.
    struct stat there{};
    if (::stat(state->path.c_str(), &there) == 0 && !S_ISREG(there.st_mode))
      return std::unexpected("no log is kept: " + state->path + " is no regular file; remove it");
    // It may hold what tools and models said: for its owner only.
    const ::mode_t before = ::umask(0077);
    try {
      auto sink = std::make_shared<spdlog::sinks::rotating_file_sink_mt>(state->path, kLogBytes, kLogFiles);
      state->logger = std::make_shared<spdlog::logger>("belay", std::move(sink));
      state->logger->set_pattern("%Y-%m-%dT%H:%M:%S.%e%z %P %l %v");
      state->logger->set_level(level_of(options.level));
      // On a full disk it is the store that has to be heard of; spdlog would write across the screen.
      state->logger->set_error_handler([](const std::string&) {});
      state->logger->flush_on(spdlog::level::info);
    } catch (const spdlog::spdlog_ex& failure) {
      ::umask(before);
      return std::unexpected("the log cannot be written: " + std::string(failure.what()));
    }
    ::umask(before);
  }
  return DevLog(std::move(state));
}

void DevLog::line(std::string_view level, std::string_view text) {
  if (!state_->logger) return;
  state_->logger->log(level_of(level), "{}", state_->secrets.without(printable(text)));
}

const std::string& DevLog::path() const { return state_->path; }

}  // namespace belay::cli
