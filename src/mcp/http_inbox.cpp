#include "mcp/http_inbox.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <iterator>
#include <utility>

namespace BELAY_NAMESPACE::mcp {
namespace {

constexpr std::size_t kMuch = 8 << 20;  // bytes that wait; then the network waits

}  // namespace

HttpInbox::HttpInbox() : event_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

class HttpInbox::Writer final : public net::Receiver {
 public:
  Writer(std::shared_ptr<HttpInbox> inbox, std::uint64_t key) : inbox_(std::move(inbox)), key_(key) {}
  void on_head(const net::Head& head) override { inbox_->put({key_, head}); }
  bool on_bytes(std::string_view bytes) override { return inbox_->put({key_, std::string(bytes)}); }
  void on_end(const std::optional<net::Error>& error) override { inbox_->put({key_, Ended{error}}); }

 private:
  std::shared_ptr<HttpInbox> inbox_;
  std::uint64_t key_;
};

std::shared_ptr<net::Receiver> HttpInbox::receiver(std::shared_ptr<HttpInbox> inbox, std::uint64_t key) {
  return std::make_shared<Writer>(std::move(inbox), key);
}

bool HttpInbox::put(News news) {
  const std::lock_guard guard(lock_);
  if (const auto* bytes = std::get_if<std::string>(&news.what)) bytes_ += bytes->size();
  const bool more = bytes_ < kMuch;
  if (!more) paused_.insert(news.key);
  news_.push_back(std::move(news));
  const std::uint64_t one = 1;
  while (::write(event_.get(), &one, sizeof one) < 0 && errno == EINTR) continue;
  return more;
}

std::vector<HttpInbox::News> HttpInbox::take(std::vector<std::uint64_t>& paused) {
  const std::lock_guard guard(lock_);
  std::uint64_t count = 0;
  while (::read(event_.get(), &count, sizeof count) < 0 && errno == EINTR) continue;
  std::vector<News> out(std::make_move_iterator(news_.begin()), std::make_move_iterator(news_.end()));
  news_.clear();
  bytes_ = 0;
  paused.assign(paused_.begin(), paused_.end());
  paused_.clear();
  return out;
}

}  // namespace BELAY_NAMESPACE::mcp
