#include "screen/history_file.h"

#include <belay/json/reader.h>
#include <belay/json/writer.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cstdio>
#include <string_view>

namespace BELAY_NAMESPACE::screen {
namespace {

constexpr std::size_t kFile = 16 << 20;  // bytes that are read; more than any number of entries that were typed

std::string line_of(const std::string& entry) {
  std::string line;
  json::write_string(entry, line);
  return line + "\n";
}

bool write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(fd, text.data(), text.size());
    if (n <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

}  // namespace

std::vector<std::string> HistoryFile::load(std::size_t most) const {
  std::vector<std::string> entries;
  const int fd = path_.empty() ? -1 : ::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (fd < 0) return entries;
  std::string text;
  char piece[65536];
  for (ssize_t n = 0; text.size() < kFile && (n = ::read(fd, piece, sizeof piece)) > 0;)
    text.append(piece, static_cast<std::size_t>(n));
  ::close(fd);
  std::size_t lines = 0;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    ++lines;
    const json::Reading reading = json::read(line, {.mode = json::Mode::strict});
    if (reading.verdict.trusted() && reading.document.root().is_string())
      entries.emplace_back(reading.document.root().as_string());
  }
  if (entries.size() > most) entries.erase(entries.begin(), entries.end() - static_cast<std::ptrdiff_t>(most));
  if (lines > 2 * most) {
    const std::string fresh = path_ + ".new";
    const int to = ::open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (to >= 0) {
      std::string all;
      for (const std::string& entry : entries) all += line_of(entry);
      const bool whole = write_all(to, all);
      ::close(to);
      if (!whole || std::rename(fresh.c_str(), path_.c_str()) != 0) ::unlink(fresh.c_str());
    }
  }
  return entries;
}

void HistoryFile::add(const std::string& entry) const {
  const int fd =
      path_.empty() ? -1 : ::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd < 0) return;
  ::fchmod(fd, 0600);
  write_all(fd, line_of(entry));
  ::close(fd);
}

}  // namespace BELAY_NAMESPACE::screen
