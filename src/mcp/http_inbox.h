// What the network's thread has for a connection's: raw pieces of answers, within a bound.
#pragma once

#include <belay/net/client.h>
#include <belay/sandbox/handle.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace BELAY_NAMESPACE::mcp {

/// Thread-safe. Lives as long as the last exchange that may still write to it.
class HttpInbox {
 public:
  struct Ended {
    std::optional<net::Error> error;
  };
  struct News {
    std::uint64_t key = 0;
    std::variant<net::Head, std::string, Ended> what;
  };
  HttpInbox();
  [[nodiscard]] int event() const { return event_.get(); }  ///< readable when there is news
  /// All of it, in order; and whose exchanges were paused for their size and may go on now.
  std::vector<News> take(std::vector<std::uint64_t>& paused);
  /// A receiver that puts an exchange's answer here, under this key.
  static std::shared_ptr<net::Receiver> receiver(std::shared_ptr<HttpInbox> inbox, std::uint64_t key);

 private:
  class Writer;
  bool put(News news);
  std::mutex lock_;
  std::deque<News> news_;
  std::set<std::uint64_t> paused_;
  std::size_t bytes_ = 0;
  sandbox::Handle event_;
};

}  // namespace BELAY_NAMESPACE::mcp
