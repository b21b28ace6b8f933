// How long it takes from the start of a tool server to its tools in hand, and how much of that is the server's own.
//
//   bench_mcp RUNS      one line of JSON: medians in seconds
//   bench_mcp --server  is such a server: it answers at once
//
// The server's own time is what a client costs that does nothing but write three fixed lines and read two.
#include <belay/mcp.h>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <string>
#include <vector>

extern char** environ;

namespace {

using Clock = std::chrono::steady_clock;

int serve() {
  std::string line;
  while (std::getline(std::cin, line)) {
    const std::size_t at = line.find("\"id\":");
    if (at == line.npos) continue;
    const std::string id = std::to_string(std::strtoull(line.c_str() + at + 5, nullptr, 10));
    const bool list = line.find("\"tools/list\"") != line.npos;
    std::cout << R"({"jsonrpc":"2.0","id":)" << id << R"(,"result":)"
              << (list ? R"({"tools":[{"name":"echo","description":"says it again","inputSchema":{"type":"object"}}]})"
                       : R"({"protocolVersion":"2025-11-25","capabilities":{"tools":{}},)"
                         R"("serverInfo":{"name":"bench","version":"1"}})")
              << "}" << std::endl;
  }
  return 0;
}

void give_up(const char* what) {
  std::perror(what);
  std::exit(1);
}

void write_line(int fd, std::string line) {
  line += '\n';
  if (::write(fd, line.data(), line.size()) != static_cast<ssize_t>(line.size())) give_up("write");
}

void read_line(int fd) {
  char piece[65536];
  for (ssize_t n = 0; (n = ::read(fd, piece, sizeof piece)) > 0;)
    if (std::memchr(piece, '\n', static_cast<std::size_t>(n))) return;
  give_up("read");
}

double own(const char* program) {
  int in[2], out[2];
  if (::pipe2(in, O_CLOEXEC) != 0 || ::pipe2(out, O_CLOEXEC) != 0) give_up("pipe2");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
  std::string name = program, how = "--server";
  char* arguments[] = {name.data(), how.data(), nullptr};
  const auto began = Clock::now();
  pid_t child = 0;
  if (::posix_spawn(&child, program, &actions, nullptr, arguments, environ) != 0) give_up("posix_spawn");
  write_line(in[1], R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{}})");
  read_line(out[0]);
  write_line(in[1], R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
  write_line(in[1], R"({"jsonrpc":"2.0","id":2,"method":"tools/list"})");
  read_line(out[0]);
  const std::chrono::duration<double> took = Clock::now() - began;
  for (const int fd : {in[0], in[1], out[0], out[1]}) ::close(fd);
  ::waitpid(child, nullptr, 0);
  posix_spawn_file_actions_destroy(&actions);
  return took.count();
}

double ours(const char* program) {
  belay::mcp::ServerConfig config;
  config.name = "bench";
  config.command = program;
  config.args = {"--server"};
  const auto began = Clock::now();
  const auto servers = belay::mcp::Servers::make({config});
  servers->wait(std::chrono::seconds(30));
  const std::chrono::duration<double> took = Clock::now() - began;
  if (servers->tools("bench").size() != 1) {
    std::cerr << "bench_mcp: the server is not ready: " << servers->status().at(0).reason << "\n";
    std::exit(1);
  }
  return took.count();
}

double median(std::vector<double> all) {
  std::ranges::sort(all);
  return all[all.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::string(argv[1]) == "--server") return serve();
  const int runs = argc == 2 ? std::atoi(argv[1]) : 0;
  if (runs < 1) {
    std::cerr << "usage: bench_mcp RUNS\n";
    return 2;
  }
  std::vector<double> servers, all, share;  // share: of two that were measured one after the other
  for (int i = 0; i < runs; ++i) {
    servers.push_back(own("/proc/self/exe"));
    all.push_back(ours("/proc/self/exe"));
    share.push_back(all.back() - servers.back());
  }
  std::cout << R"({"own":)" << median(servers) << R"(,"all":)" << median(all) << R"(,"share":)" << median(share)
            << "}\n";
  return 0;
}
