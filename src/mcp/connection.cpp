#include "mcp/connection.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <utility>

namespace BELAY_NAMESPACE::mcp {

Connection::Connection(ServerConfig config, const ServersOptions& options, net::Client* client)
    : config_(std::move(config)), options_(options), client_(client) {
  mail_->event = sandbox::Handle(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  status_.name = config_.name;
  if (config_.disabled || !config_.withheld.empty()) {
    // A definition that cannot be used has failed; off is only what somebody wants so, or has not approved of.
    status_.state = config_.disabled || config_.unapproved ? State::disabled : State::failed;
    status_.reason = config_.disabled || config_.withheld.empty() ? "its config says so" : config_.withheld;
    mail_->over = true;
    return;
  }
  // Signals are for the program's own threads; a pipe that nobody reads is an error here, not a SIGPIPE.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::thread([this] { run(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

Connection::~Connection() {
  stop();
  if (thread_.joinable()) thread_.join();
}

void Connection::Mailbox::wake() const {
  const std::uint64_t one = 1;
  while (::write(event.get(), &one, sizeof one) < 0 && errno == EINTR) continue;
}

bool Connection::Mailbox::put(Order order) {
  const std::lock_guard guard(lock);
  if (over) return false;
  orders.push_back(std::move(order));
  wake();
  return true;
}

void Connection::stop() {
  const std::lock_guard guard(mail_->lock);
  mail_->stop = true;
  mail_->wake();
}

bool Connection::stopping() const {
  const std::lock_guard guard(mail_->lock);
  return mail_->stop;
}

Status Connection::status() const {
  const std::lock_guard guard(lock_);
  return status_;
}

std::vector<ToolDefinition> Connection::tools() const {
  const std::lock_guard guard(lock_);
  return tools_;
}

bool Connection::wait(std::chrono::steady_clock::time_point until, const std::stop_token& stop) const {
  std::unique_lock guard(lock_);
  return changed_.wait_until(guard, stop, until, [&] { return status_.state != State::starting; });
}

std::uint64_t Connection::request(std::string method, std::string params, const RequestOptions& options,
                                  Callbacks callbacks) {
  const std::uint64_t call = next_call_++;
  auto done = callbacks.done;
  if (!mail_->put(Begin{call, std::move(method), std::move(params), options, std::move(callbacks)}))
    done(std::unexpected(Failure{Failure::Kind::closed, why_down(), 0}));
  return call;
}

void Connection::cancel(std::uint64_t call, std::string reason) { mail_->put(Cancel{call, std::move(reason)}); }

std::string Connection::why_down() const {
  const std::lock_guard guard(lock_);
  std::string out = "it is " + std::string(name(status_.state));
  return status_.reason.empty() ? out : out + ": " + status_.reason;
}

void Connection::set(State state, std::string reason) {
  Status copy;
  {
    const std::lock_guard guard(lock_);
    if (status_.state == state && status_.reason == reason) return;
    status_.state = state;
    status_.reason = std::move(reason);
    copy = status_;
  }
  changed_.notify_all();
  if (options_.changed) options_.changed(copy);
}

void Connection::publish() {
  const std::lock_guard guard(lock_);
  status_.version = session_->version();
  status_.peer = session_->server().server;
  status_.instructions = session_->server().instructions;
  status_.capabilities = session_->server().capabilities;
  status_.notes = session_->notes();
  status_.oddities = session_->oddities();
  if (transport_) status_.errors = transport_->diagnosis();
}

void Connection::publish_tools() {
  const std::lock_guard guard(lock_);
  tools_ = session_->tools();
  status_.tools = tools_.size();
  status_.notes = session_->notes();
}

}  // namespace BELAY_NAMESPACE::mcp
