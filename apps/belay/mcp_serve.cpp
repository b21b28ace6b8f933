#include "mcp_serve.h"

#include "dev_log.h"
#include "interrupt.h"
#include "serve_log.h"
#include "serve_token.h"
#include "terminal.h"
#include "version.h"

#include <unistd.h>

#include <chrono>
#include <cstring>
#include <optional>
#include <utility>

namespace belay::cli {
namespace {

constexpr std::string_view kProgram = "belay mcp serve: ";

Exit trouble(Output& err, std::string_view message, Exit exit) {
  err << kProgram << message << "\n";
  return exit;
}

// Nothing: it cannot be kept, which is said.
std::shared_ptr<DevLog> log_of(const config::Config& config, const std::optional<ServeToken>& token, Output& err) {
  DevLog::Options options;
  options.folder = config.places.data;
  options.level = config.log_level.value;
  if (token) options.secrets.push_back(token->text());
  auto folder = config::make_folder(config.places.data);
  auto log = folder ? DevLog::open(options) : std::unexpected("no log is kept: " + config::describe(folder.error()));
  if (log) return std::make_shared<DevLog>(std::move(*log));
  trouble(err, log.error(), Exit::done);
  return nullptr;
}

Exit over_http(const ServeMcpOptions& options, const mcp::ServeOptions& serve, ServeToken& token,
               const config::Config& config, const DevLog* log, Interrupt& interrupt, Output& err) {
  auto serving = mcp::HttpServing::make(
      serve, {.address = options.address.value_or("127.0.0.1"), .port = options.port, .token = token.text()});
  if (!serving) return trouble(err, serving.error(), Exit::usage);
  if (token.made()) {
    std::string file = options.token_file;
    if (file.empty()) {
      const std::string& data = config.places.data;
      if (auto folder = config::make_folder(data); !folder)
        return trouble(err, config::describe(folder.error()), Exit::failed);
      file = data + "/mcp-serve-" + std::to_string((*serving)->port()) + ".token";
    }
    if (auto kept = token.keep(file); !kept) return trouble(err, kept.error(), Exit::failed);
  }
  err << kProgram << "listening on " << (*serving)->url() << "\n"
      << kProgram << "permission mode: " << policy::name(config.permission_mode.value);
  if (config.permission_mode.source.level != config::Source::Level::built_in)
    err << " (" << printable(config::describe(config.permission_mode.source)) << ")";
  err << "\n";
  if (log != nullptr) err << kProgram << "calls are logged in " << printable(log->path()) << "\n";
  if (token.made())
    err << kProgram << "token: " << token.text() << "\n"
        << kProgram << "it is also in " << printable(token.file()) << ", which goes when this ends\n";
  else
    err << kProgram << "the token is that of " << ServeToken::kVariable << "\n";
  err.flush();
  interrupt.wait();
  return Exit::done;
}

}  // namespace

Exit serve_mcp(const ServeMcpOptions& options, Output&, Output& err) {
  Interrupt interrupt;  // before there is any thread
  const config::Environment environment = config::process_environment();
  const auto places = config::places(environment);
  if (!places) return trouble(err, config::describe(places.error()), Exit::usage);
  auto config = config::load(options.flags, environment, *places);
  if (!config) return trouble(err, config::describe(config.error()), Exit::usage);
  const auto tools = ServedTools::make(options, *config);
  if (!tools) return trouble(err, tools.error(), Exit::usage);

  mcp::ServeOptions serve;
  serve.session.peer = {"belay", "Belay", std::string(kVersion)};
  serve.session.instructions = (*tools)->instructions();
  serve.session.tools = std::make_shared<const std::vector<mcp::OfferedTool>>((*tools)->offered());
  std::optional<ServeToken> token;
  if (options.address) {
    auto made = ServeToken::from(environment);
    if (!made) return trouble(err, made.error(), Exit::usage);
    token.emplace(std::move(*made));
  }
  const std::shared_ptr<DevLog> log = config->log_level.value == "off" ? nullptr : log_of(*config, token, err);
  serve.carry = [tools = *tools, log](const mcp::ServedCall& call) {
    const auto begin = std::chrono::steady_clock::now();
    mcp::CallOutcome out = tools->carry(call);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    if (log) log->line(out.result.is_error ? "warn" : "info", serve_log_line(call, out, took.count()));
    return out;
  };
  serve.session.codec.depth = options.message_depth;
  serve.limits = options.limits;
  if (token) return over_http(options, serve, *token, *config, log.get(), interrupt, err);

  if (::isatty(STDIN_FILENO) == 1 && err.is_terminal()) {
    err << kProgram
        << "this speaks MCP over standard input; agents start it (belay mcp serve --help). Ctrl-D ends it\n";
    err.flush();
  }
  const auto served = mcp::serve_stdio(serve, STDIN_FILENO, STDOUT_FILENO, interrupt.token());
  return served ? Exit::done : trouble(err, served.error(), Exit::failed);
}

}  // namespace belay::cli
