// A task without a person: its result as text, as one JSON object, or as JSON lines while it runs. The shapes are those
// that scripts know from Claude Code, with `receipts` beside them.
#pragma once

#include "io.h"
#include "stream_events.h"

#include <belay/run/front.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace belay::cli {

enum class OutputFormat : std::uint8_t { text, json, stream_json };

/// What the first line says of the run.
struct HeadlessInfo {
  std::string program = "belay run";  ///< named before what is said on standard error
  std::string session, model, workspace, permission_mode, key_source, protocol;
  std::vector<std::string> tools;
  struct Server {
    std::string name, status;
  };
  std::vector<Server> servers;  ///< of MCP
  bool partial = false;         ///< pieces of messages as they come: `stream_event` lines
};

class Headless final : public run::Front {
 public:
  Headless(Output& out, Output& err, OutputFormat format, HeadlessInfo info);

  /// The line `system/init`.
  void begin();
  void on(const task::Event& event) override;
  void kept(const task::Record& record) override;
  // Nobody is there; the task knows that and does not ask.
  void ask(std::string_view, const task::AskPerson&) override {}
  void drop(std::string_view) override {}
  /// The last words: the result, or why there is none.
  void finish(const task::Finished& end);
  /// The run could not go on; `message` says why. `kept`: the task can be resumed.
  void broke(std::string_view message, bool kept);

 private:
  struct Receipt {
    std::string task, call, tool, verdict, kinds, error, receipt, not_run;
    std::string handling;  ///< what the gate said, or what became of it: denied, held, ...
  };
  struct Call {
    std::string name, arguments;
    std::string content;  ///< of its result so far: JSON values, with commas between
    bool is_error = false;
  };
  void line(std::string_view json);
  void assistant(const task::Record& record, const task::Turn& turn);
  void result_of(const task::Record& record, const task::Finding& finding);
  void said(const task::Record& record, const task::Said& said);
  void receipts_of(const task::Record& record, const task::Turn& turn);
  void tell(std::string_view text);
  std::string receipts_json() const;
  void count(const chat::Usage& usage, const chat::Usage& estimated, double cost);
  std::string around(std::string_view type, const std::string& task);
  std::string usage_json() const;
  std::string result_line(std::string_view subtype, bool is_error, std::string_view result, std::string_view reason,
                          std::string_view detail);

  Output& out_;
  Output& err_;
  OutputFormat format_;
  HeadlessInfo info_;
  StreamEvents partial_;
  std::map<std::string, std::string> parents_;  ///< of tasks within: the call that started them
  std::map<std::string, Call> calls_;           ///< by task and id
  std::vector<Receipt> receipts_;
  std::string denials_;  ///< JSON values, with commas between
  std::string trouble_;  ///< of the last request that failed
  std::uint64_t turns_ = 0;
  // As Claude Code counts: what the cache gave or took is no part of the input.
  std::uint64_t input_ = 0, output_ = 0, cached_ = 0, cache_write_ = 0, estimated_ = 0;
  double cost_ = 0;
  std::chrono::steady_clock::time_point began_;
  std::map<std::string, std::chrono::steady_clock::time_point> asked_;  ///< by task: a request is under way
  std::chrono::milliseconds at_model_{0};
};

}  // namespace belay::cli
