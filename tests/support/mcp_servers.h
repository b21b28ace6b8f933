// MCP servers for tests: the scripted bad one, with time-outs that a test can wait for.
#pragma once

#include "support/patience.h"

#include <belay/json/writer.h>
#include <belay/mcp.h>

#include <chrono>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace belay::check {

/// Looks again and again. False: it did not come to that in all our patience.
inline bool eventually(const std::function<bool()>& reached) {
  const auto until = std::chrono::steady_clock::now() + kPatience;
  while (!reached()) {
    if (std::chrono::steady_clock::now() > until) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

/// tests/mcp/bad_server.py for one case.
inline mcp::ServerConfig bad(std::string id, std::string name = "s", const std::string& file = {}) {
  mcp::ServerConfig config;
  config.name = std::move(name);
  config.command = "python3";
  config.args = {BELAY_BAD_SERVER, std::move(id)};
  if (!file.empty()) config.args.push_back(file);
  config.timeout = 20;
  return config;
}

inline mcp::ServersOptions options() {
  mcp::ServersOptions out;
  out.environment = [](std::string_view name) -> std::optional<std::string> {
    const char* value = std::getenv(std::string(name).c_str());
    return value ? std::optional<std::string>(value) : std::nullopt;
  };
  out.backoff_ms = 10;
  return out;
}

/// Started, and no longer starting.
inline std::shared_ptr<mcp::Servers> started(std::vector<mcp::ServerConfig> configs,
                                             mcp::ServersOptions with = options()) {
  auto servers = mcp::Servers::make(std::move(configs), std::move(with));
  if (!servers->wait(std::chrono::duration_cast<std::chrono::milliseconds>(kPatience))) std::abort();
  return servers;
}

inline std::string text_argument(const std::string& text) {
  std::string out = "{\"text\":";
  json::write_string(text, out);
  return out + "}";
}

}  // namespace belay::check
