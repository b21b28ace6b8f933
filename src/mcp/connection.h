// One server and the thread that talks to it.
#pragma once

#include <belay/mcp/servers.h>
#include <belay/sandbox/handle.h>

#include "mcp/transport.h"

#include <atomic>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>
#include <variant>
#include <vector>

namespace BELAY_NAMESPACE::mcp {

class Connection final : private Arrivals {
 public:
  struct Callbacks {
    std::function<void(Answer)> done;
    std::function<void(const Progress&)> progress;  // may be empty
  };
  Connection(ServerConfig config, const ServersOptions& options, net::Client* client);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// Asks it to end; the destructor waits for that.
  void stop();
  [[nodiscard]] const ServerConfig& config() const { return config_; }
  [[nodiscard]] Status status() const;
  [[nodiscard]] std::vector<ToolDefinition> tools() const;
  /// Until it is not starting; false: the time was over.
  bool wait(std::chrono::steady_clock::time_point until, const std::stop_token& stop) const;

  /// The number of the call, for cancel().
  std::uint64_t request(std::string method, std::string params, const RequestOptions& options, Callbacks callbacks);
  void cancel(std::uint64_t call, std::string reason);

 private:
  struct Begin {
    std::uint64_t call;
    std::string method, params;
    RequestOptions options;
    Callbacks callbacks;
  };
  struct Cancel {
    std::uint64_t call;
    std::string reason;
  };
  struct Reply {
    std::uint64_t life, ask;
    std::expected<std::string, std::string> result;
  };
  using Order = std::variant<Begin, Cancel, Reply>;
  // What other threads want. It outlives the connection: whoever answers a question may do so much later.
  struct Mailbox {
    std::mutex lock;
    std::vector<Order> orders;
    bool stop = false, over = false;
    sandbox::Handle event;  // readable when there is something new
    void wake() const;
    bool put(Order order);  // false: nobody takes it any more
  };

  void run();
  void live();                      // one life of the server
  void perform(Session::Time now);  // what the session wants done
  void obey(Session::Time now);     // what other threads want
  bool judge();
  void end_life(Session::Time now);
  bool sleep(std::int64_t ms);  // false: it is to stop
  void set(State state, std::string reason);
  void publish();
  void publish_tools();
  [[nodiscard]] bool stopping() const;
  [[nodiscard]] std::string why_down() const;

  // Arrivals
  void text(std::string_view text, std::uint64_t exchange) override;
  void exchange_failed(std::uint64_t request, Failure failure) override;
  void session_lost(std::uint64_t request, bool current) override;
  [[nodiscard]] bool waits_for(std::uint64_t request) const override;
  void closed(std::string reason) override;

  const ServerConfig config_;
  const ServersOptions& options_;
  net::Client* client_;
  const std::shared_ptr<Mailbox> mail_ = std::make_shared<Mailbox>();
  std::atomic<std::uint64_t> next_call_ = 1;

  // Of the thread alone.
  std::unique_ptr<Session> session_;
  std::unique_ptr<Transport> transport_;
  std::map<Ticket, std::uint64_t> calls_;
  std::map<std::uint64_t, std::pair<Ticket, Callbacks>> waiting_;
  std::map<std::uint64_t, std::stop_source> asks_;  // that are open
  std::uint64_t life_ = 0;
  bool introduced_ = false, permanent_ = false, was_ready_ = false, judged_ = false, again_ = false;
  std::size_t restarts_ = 0;
  Session::Time ready_since_ = 0;

  mutable std::mutex lock_;
  mutable std::condition_variable_any changed_;
  Status status_;
  std::vector<ToolDefinition> tools_;
  std::thread thread_;
};

}  // namespace BELAY_NAMESPACE::mcp
