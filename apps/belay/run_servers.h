// MCP servers of a run: started while the rest is prepared, their tools beside the built-in ones.
#pragma once

#include "mcp.h"
#include "server_news.h"
#include "server_questions.h"

#include <belay/schema.h>
#include <belay/tool.h>

#include <expected>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace belay::cli {

struct RunServersOptions {
  std::string workspace;
  std::vector<std::string> files;  ///< --mcp-config
  bool strict = false;
  /// Somebody sits at the terminal, and can be asked about servers and tools before it is drawn upon. None: what is not
  /// approved stays off.
  Output* person = nullptr;
  Output* err = nullptr;   ///< where it is said what is waited for, when nobody sits there; may be none
  std::stop_token stop{};  ///< ends every wait and every question
  SamplingModel model{};   ///< for servers that ask one; only with a person. Without a name: sampling is not offered
};

class RunServers {
 public:
  /// Starts what is configured for the workspace. Asks about servers that nobody has approved of, where somebody can be
  /// asked; otherwise it returns at once. The error is one sentence.
  static std::expected<RunServers, std::string> start(RunServersOptions options);

  /// Waits until every server is ready or has failed, and says so; asks about tools that have changed, and adds their
  /// tools. From then on a server that goes or comes again is a line on the screen, or on standard error.
  void join(tool::Registry& tools, const schema::Regexes* regexes);

  [[nodiscard]] bool any() const { return servers_ != nullptr; }
  [[nodiscard]] std::vector<mcp::Status> status() const;
  /// One line for each server: how it is, and why.
  [[nodiscard]] std::string overview() const;
  /// What the person should know: servers that are not there, tools that were renamed or refused.
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }
  /// What the model should know: whose tools it cannot have now, and what servers say of themselves.
  [[nodiscard]] std::string for_the_model() const;

  /// Where the questions of servers come up while the task runs; nowhere without a person.
  [[nodiscard]] Desk* desk() { return desk_.get(); }

 private:
  void ask_about_servers();
  void wait_for_servers();
  void ask_about_tools();
  [[nodiscard]] bool may_speak(const mcp::Status& status) const;
  bool agreed(std::string_view server, const mcp::ToolDefinition& before, const mcp::ToolDefinition& now,
              const std::stop_token& stop);

  RunServersOptions options_;
  McpSetting setting_;
  std::vector<std::string> always_;  // servers that were approved for good now: their tools are held to what they are
  std::vector<std::string> notes_;
  std::unique_ptr<ServerNews> news_;
  // Servers put questions, which come up at the desk: they end in the reverse order. On the heap, because of pointers.
  std::unique_ptr<Desk> desk_;
  std::unique_ptr<ServerQuestions> questions_;
  std::shared_ptr<mcp::Servers> servers_;
};

}  // namespace belay::cli
