// What tool servers ask for beside being called: something of the person (elicitation), something of the model
// (sampling). Both go through the person, in the server's name.
#pragma once

#include "desk.h"

#include <belay/mcp.h>
#include <belay/run.h>

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

namespace belay::cli {

/// Where the model is that answers a sampling.
struct SamplingModel {
  run::Endpoint endpoint;
  std::string name;
};

/// One question after the other, on a thread of its own. Make it before the servers, end it after them.
class ServerQuestions {
 public:
  ServerQuestions(Desk& desk, SamplingModel model);
  /// What waits is answered: nobody is there.
  ~ServerQuestions();
  ServerQuestions(const ServerQuestions&) = delete;
  ServerQuestions& operator=(const ServerQuestions&) = delete;

  /// For mcp::ServersOptions: person and model.
  void put(const mcp::Question& question, mcp::Reply reply);

 private:
  struct Job {
    mcp::Question question;
    mcp::Reply reply;
  };
  void work(const std::stop_token& stop);

  Desk& desk_;
  const SamplingModel model_;
  const std::unique_ptr<const schema::Regexes> regexes_;
  std::mutex lock_;
  std::condition_variable_any changed_;
  std::deque<Job> jobs_;  // bounded by the sessions' limit asks
  std::jthread thread_;
};

/// The result of elicitation/create as JSON text, or why there is none. Waits for the person.
std::expected<std::string, std::string> elicit(Desk& desk, const mcp::Question& question,
                                               const schema::Regexes* regexes);
/// The result of sampling/createMessage, likewise.
std::expected<std::string, std::string> sample(Desk& desk, const mcp::Question& question, const SamplingModel& model,
                                               const std::stop_token& stop);

/// Asks until one of the choices is chosen, by its number or its word (large or small letters, "/" before it or not):
/// a typing error answers nothing. Nothing when the question was given up.
std::optional<std::string> choose(Desk& desk, const std::string& text, const std::vector<std::string>& choices,
                                  const std::stop_token& withdrawn);
/// A name of a stranger, on one line.
std::string their_name(std::string_view name);
/// A text of a stranger: harmless, each row marked as theirs, cut after `rows` rows of the desk with a word about it.
std::string their_words(std::string_view text, std::size_t rows, bool* cut = nullptr);

}  // namespace belay::cli
