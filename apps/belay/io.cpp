#include "io.h"

#include "terminal.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace belay::cli {
namespace {

constexpr std::size_t kPiece = 64 * 1024;

// A parent may have left a shared terminal or pipe non-blocking; then EAGAIN only means "wait".
void wait_for(int fd, short events) {
  pollfd p{fd, events, 0};
  ::poll(&p, 1, -1);
}

std::string reason(const std::string& name, int code) { return "cannot read " + name + ": " + std::strerror(code); }

// Where a standard stream is closed, a file would get its number, and be taken for it.
int above_standard_streams(int fd) {
  if (fd < 0 || fd > STDERR_FILENO) return fd;
  const int higher = ::fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  const int code = errno;
  ::close(fd);
  errno = code;
  return higher;
}

// The text with DEL and the controls from U+0080 to U+009F as escapes. JSON has escaped those before the space itself.
std::string without_controls(std::string_view text) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = [&](std::size_t at) { return at < text.size() ? static_cast<unsigned char>(text[at]) : 0u; };
    const bool pair = byte(i) == 0xC2 && byte(i + 1) >= 0x80 && byte(i + 1) < 0xA0;
    if (!pair && byte(i) != 0x7F) {
      out += text[i];
      continue;
    }
    if (pair) ++i;
    out += "\\u00";
    out += kDigits[byte(i) >> 4];
    out += kDigits[byte(i) & 15];
  }
  return out;
}

std::string cited_path(const std::string& path) { return "'" + printable(path) + "'"; }

}  // namespace

std::expected<Input, std::string> Input::open(const std::string& path, std::size_t chunk) {
  if (path == "-") return Input(STDIN_FILENO, "standard input", chunk);
  int fd = -1;
  do fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  while (fd < 0 && errno == EINTR);
  fd = above_standard_streams(fd);
  if (fd < 0) return std::unexpected(reason(cited_path(path), errno));
  return Input(fd, cited_path(path), chunk);
}

Input::Input(int fd, std::string name, std::size_t chunk)
    : fd_(fd), name_(std::move(name)), chunk_(chunk), buffer_(std::max(kPiece, chunk), '\0') {}

Input::Input(Input&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)),
      name_(std::move(other.name_)),
      chunk_(other.chunk_),
      buffer_(std::move(other.buffer_)),
      begin_(other.begin_),
      end_(other.end_) {}

Input::~Input() {
  if (fd_ > STDERR_FILENO) ::close(fd_);
}

bool Input::is_terminal() const { return ::isatty(fd_) == 1; }

std::expected<std::string_view, std::string> Input::next() {
  if (chunk_ == 0) begin_ = end_;
  while (end_ - begin_ < std::max<std::size_t>(chunk_, 1)) {
    auto got = read_some();
    if (!got) return std::unexpected(std::move(got.error()));
    if (*got == 0) break;
  }
  std::size_t size = end_ - begin_;
  if (chunk_ != 0) size = std::min(size, chunk_);
  std::string_view piece(buffer_.data() + begin_, size);
  begin_ += size;
  return piece;
}

std::expected<std::size_t, std::string> Input::read_some() {
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= std::exchange(begin_, 0);
  }
  auto got = read(buffer_.data() + end_, buffer_.size() - end_);
  if (got) end_ += *got;
  return got;
}

std::expected<std::size_t, std::string> Input::read(char* to, std::size_t room) {
  while (true) {
    const ssize_t n = ::read(fd_, to, room);
    if (n >= 0) return static_cast<std::size_t>(n);
    if (errno == EAGAIN || errno == EWOULDBLOCK)
      wait_for(fd_, POLLIN);
    else if (errno != EINTR)
      return std::unexpected(reason(name_, errno));
  }
}

bool Input::ready() const {
  pollfd p{fd_, POLLIN, 0};
  return ::poll(&p, 1, 0) != 0;
}

Output& Output::operator<<(std::string_view text) {
  if (text.empty()) return *this;
  last_ = text.back();
  size_ += text.size();
  if (buffer_.size() + text.size() > kPiece) flush();
  if (text.size() > kPiece && !is_terminal())
    write_all(text);  // large enough by itself: no copy
  else
    buffer_ += text;
  return *this;
}

void Output::end_line() {
  if (last_ == '\n' || last_ == '\0' || !is_terminal()) return;
  *this << "\n";
  --size_;
}

void Output::flush() {
  if (!is_terminal()) {
    write_all(buffer_);
    buffer_.clear();
    return;
  }
  // Half a character waits for the other half.
  const std::size_t half = buffer_.ends_with('\xC2') ? 1 : 0;
  write_all(without_controls(std::string_view(buffer_).substr(0, buffer_.size() - half)));
  buffer_.erase(0, buffer_.size() - half);
}

void Output::write_all(std::string_view rest) {
  while (!rest.empty() && error_ == 0) {
    const ssize_t n = ::write(fd_, rest.data(), rest.size());
    if (n >= 0)
      rest.remove_prefix(static_cast<std::size_t>(n));
    else if (errno == EAGAIN || errno == EWOULDBLOCK)
      wait_for(fd_, POLLOUT);
    else if (errno != EINTR)
      error_ = errno;
  }
}

void Output::finish() {
  if (fd_ < 0) return;
  flush();
  write_all(buffer_);
  buffer_.clear();
  // A descriptor that was closed before we started is an error only for those who had something to say.
  if (::close(fd_) != 0 && errno != EBADF && errno != EINTR && error_ == 0) error_ = errno;
  fd_ = -1;
}

bool Output::is_terminal() const { return ::isatty(fd_) == 1; }

}  // namespace belay::cli
