#include "recording.h"

#include "io.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

namespace belay::cli {
namespace {

constexpr std::size_t kCassetteBytes = 1u << 30;  // of a cassette

}  // namespace

std::expected<run::Cassette, std::string> read_cassette(const std::string& path) {
  auto input = Input::open(path, 0);
  if (!input) return std::unexpected(input.error());
  std::string text;
  for (;;) {
    auto piece = input->next();
    if (!piece) return std::unexpected(piece.error());
    if (piece->empty()) break;
    text += *piece;
    if (text.size() > kCassetteBytes) return std::unexpected(path + " is larger than a cassette may be: 1 GiB");
  }
  auto cassette = run::cassette_from_json(text);
  if (!cassette) return std::unexpected(path + ": " + cassette.error());
  return cassette;
}

std::expected<Recording, std::string> Recording::open(std::string path, wire::Wire wire, std::string model,
                                                      std::string task) {
  run::Cassette cassette;
  cassette.wire = wire;
  cassette.model = std::move(model);
  cassette.task = std::move(task);
  Recording out(std::move(path), std::move(cassette));
  out.write();
  if (!out.problem_.empty()) return std::unexpected(out.problem_);
  return out;
}

void Recording::add(const run::Exchange& exchange) {
  cassette_.turns.push_back(run::turn_of(cassette_.wire, exchange));
  write();
}

void Recording::write() {
  if (!problem_.empty()) return;
  // A file beside it takes its place: that must not be the place of a device.
  struct stat there{};
  if (::stat(path_.c_str(), &there) == 0 && !S_ISREG(there.st_mode)) {
    problem_ = "--record " + path_ + ": it is no regular file";
    return;
  }
  const std::string beside = path_ + ".part";
  const int fd = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK, 0600);
  if (fd >= 0 && (::fstat(fd, &there) != 0 || !S_ISREG(there.st_mode))) {
    ::close(fd);
    problem_ = "--record " + path_ + ": " + beside + " is no regular file";
    return;
  }
  if (fd < 0) {
    problem_ = "--record " + path_ + ": " + std::strerror(errno);
    return;
  }
  Output out(fd);
  out << run::to_json(cassette_);
  out.finish();
  if (out.error() != 0 || std::rename(beside.c_str(), path_.c_str()) != 0)
    problem_ = "--record " + path_ + ": " + std::strerror(out.error() != 0 ? out.error() : errno);
}

std::expected<void, std::string> Recording::finish() {
  if (!problem_.empty()) return std::unexpected(problem_);
  return {};
}

}  // namespace belay::cli
