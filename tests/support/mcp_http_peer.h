// tests/mcp/http_server.py: one case of it, running.
#pragma once

#include <belay/json.h>
#include <belay/mcp.h>

#include "mcp/process.h"
#include "scratch_folder.h"
#include "support/mcp_servers.h"

#include <poll.h>
#include <unistd.h>

#include <fstream>
#include <string>
#include <vector>

namespace belay::check {

class HttpPeer {
 public:
  explicit HttpPeer(const std::string& id) : process_(start(id)) {
    char c = 0;
    while (c != '\n') {
      pollfd out{process_.output.get(), POLLIN, 0};
      if (::poll(&out, 1, 60'000) <= 0 || ::read(out.fd, &c, 1) <= 0) std::abort();
      if (c != '\n') port_ += c;
    }
  }

  [[nodiscard]] mcp::ServerConfig config(mcp::ServerConfig::Type type = mcp::ServerConfig::Type::http) const {
    mcp::ServerConfig config;
    config.name = "s";
    config.type = type;
    config.url = "http://127.0.0.1:" + port_ + "/mcp";
    config.headers = {{"x-key", "secret"}};
    config.timeout = 20;
    return config;
  }

  struct Seen {
    std::string http, path, rpc;
    double at = 0;
    json::Reading headers;
    [[nodiscard]] std::string header(std::string_view name) const {
      const auto h = headers.document.root().find("headers");
      const auto v = h ? h->find(name) : std::nullopt;
      return v ? std::string(v->as_string()) : std::string();
    }
  };
  /// The requests so far.
  [[nodiscard]] std::vector<Seen> seen() const {
    std::vector<Seen> out;
    std::ifstream in(folder_.in("seen"));
    for (std::string line; std::getline(in, line);) {
      Seen s;
      s.headers = json::read(line);
      const json::Value v = s.headers.document.root();
      s.http = v.find("http")->as_string();
      s.path = v.find("path")->as_string();
      s.rpc = v.find("rpc")->as_string();
      s.at = v.find("at")->as_double();
      out.push_back(std::move(s));
    }
    return out;
  }

 private:
  mcp::Process start(const std::string& id) {
    mcp::ServerConfig config;
    config.command = "python3";
    config.args = {BELAY_HTTP_SERVER, id, folder_.in("seen")};
    auto process = mcp::Process::start(config, options().environment);
    if (!process) std::abort();
    return std::move(*process);
  }
  ScratchFolder folder_;
  mcp::Process process_;
  std::string port_;
};

}  // namespace belay::check
