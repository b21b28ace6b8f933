#include <belay/mcp/servers.h>

#include "mcp/connection.h"
#include "mcp/fields.h"
#include "mcp/object.h"

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <mutex>
#include <utility>

namespace BELAY_NAMESPACE::mcp {
namespace {

// An answer that one thread waits for and another brings, with news of progress in between.
struct Awaited {
  std::mutex lock;
  std::condition_variable_any changed;
  std::optional<Answer> answer;
  std::string news;  // the last that was not yet told
};

std::string progress_text(const Progress& p) {
  std::string out = p.message;
  if (p.total && *p.total > 0) {
    if (!out.empty()) out += ' ';
    out += "(" + std::to_string(std::llround(std::clamp(p.progress / *p.total, 0.0, 1.0) * 100)) + "%)";
  }
  return out.empty() ? "progress" : out;
}

RequestOptions request_options(const ServerConfig& config, bool progress) {
  RequestOptions out;
  out.timeout_ms = std::llround(config.timeout * 1000);
  out.total_ms = out.timeout_ms * 10;
  out.progress = progress;
  return out;
}

}  // namespace

std::string_view name(State state) noexcept {
  constexpr std::string_view names[] = {"starting", "ready", "restarting", "failed", "disabled"};
  return names[static_cast<std::size_t>(state)];
}

struct Servers::Inside {
  ServersOptions options;
  std::vector<ServerConfig> configs;
  std::unique_ptr<net::Client> client;  // only where a server needs it
  std::vector<std::unique_ptr<Connection>> connections;

  [[nodiscard]] Connection* find(std::string_view server) const {
    const auto found = std::ranges::find_if(connections, [&](const auto& c) { return c->config().name == server; });
    return found == connections.end() ? nullptr : found->get();
  }
};

Servers::Servers() : inside_(std::make_unique<Inside>()) {}

std::shared_ptr<Servers> Servers::make(std::vector<ServerConfig> configs, ServersOptions options) {
  std::shared_ptr<Servers> out(new Servers());
  Inside& in = *out->inside_;
  in.options = std::move(options);
  in.configs = std::move(configs);
  const auto over_http = [](const ServerConfig& c) {
    return c.type != ServerConfig::Type::stdio && !c.disabled && c.withheld.empty();
  };
  if (std::ranges::any_of(in.configs, over_http)) {
    net::ClientOptions client;
    client.user_agent = "belay/" + in.options.peer.version;
    in.client = std::make_unique<net::Client>(client);
  }
  for (const ServerConfig& config : in.configs)
    in.connections.push_back(std::make_unique<Connection>(config, in.options, in.client.get()));
  return out;
}

Servers::~Servers() {
  for (const auto& connection : inside_->connections) connection->stop();  // all at once, then one by one
  inside_->connections.clear();
}

const std::vector<ServerConfig>& Servers::configs() const { return inside_->configs; }

bool Servers::wait(std::chrono::milliseconds most, const std::stop_token& stop) const {
  const auto until = std::chrono::steady_clock::now() + most;
  return std::ranges::all_of(inside_->connections, [&](const auto& c) { return c->wait(until, stop); });
}

std::vector<Status> Servers::status() const {
  std::vector<Status> out;
  for (const auto& c : inside_->connections) out.push_back(c->status());
  return out;
}

std::optional<Status> Servers::status(std::string_view server) const {
  const Connection* c = inside_->find(server);
  if (!c) return std::nullopt;
  return c->status();
}

std::vector<ToolDefinition> Servers::tools(std::string_view server) const {
  const Connection* c = inside_->find(server);
  return c ? c->tools() : std::vector<ToolDefinition>{};
}

void Servers::request(std::string_view server, std::string method, std::string params,
                      std::function<void(Answer)> done) {
  Connection* c = inside_->find(server);
  if (!c) return done(std::unexpected(Failure{Failure::Kind::closed, "there is no such server", 0}));
  c->request(std::move(method), std::move(params), request_options(c->config(), false), {std::move(done), {}});
}

Answer Servers::request(std::string_view server, std::string method, std::string params, const std::stop_token& stop,
                        const ProgressText& progress) {
  Connection* c = inside_->find(server);
  if (!c) return std::unexpected(Failure{Failure::Kind::closed, "there is no such server", 0});
  auto awaited = std::make_shared<Awaited>();
  Connection::Callbacks callbacks;
  callbacks.done = [awaited](Answer answer) {
    const std::lock_guard guard(awaited->lock);
    awaited->answer = std::move(answer);
    awaited->changed.notify_all();
  };
  if (progress)
    callbacks.progress = [awaited](const Progress& p) {
      const std::lock_guard guard(awaited->lock);
      awaited->news = progress_text(p);
      awaited->changed.notify_all();
    };
  const std::uint64_t call = c->request(std::move(method), std::move(params),
                                        request_options(c->config(), static_cast<bool>(progress)), callbacks);
  std::unique_lock guard(awaited->lock);
  bool cancelled = false;
  while (!awaited->answer) {
    const auto there = [&] { return awaited->answer.has_value() || !awaited->news.empty(); };
    if (cancelled)
      awaited->changed.wait(guard, there);
    else if (!awaited->changed.wait(guard, stop, there)) {
      cancelled = true;
      c->cancel(call, "it was stopped");
    }
    if (std::string news = std::exchange(awaited->news, {}); !news.empty() && progress && !awaited->answer) {
      guard.unlock();
      progress(news);
      guard.lock();
    }
  }
  return std::move(awaited->answer).value_or(std::unexpected(Failure{}));
}

tool::Result Servers::call(std::string_view server, std::string_view tool, std::string_view arguments,
                           const std::stop_token& stop, const ProgressText& progress) {
  const Answer answer = request(server, "tools/call", call_params(tool, arguments), stop, progress);
  if (!answer) return failure_result(server, answer.error());
  const auto result = call_result(*answer);
  if (!result) return failure_result(server, {Failure::Kind::garbage, "its answer is no result of a tool", 0, true});
  return to_result(*result);
}

}  // namespace BELAY_NAMESPACE::mcp
