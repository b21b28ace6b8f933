// A server asks the model, through the person.
#include "server_questions.h"

#include <algorithm>
#include <utility>

namespace belay::cli {
namespace {

constexpr std::size_t kQuestion = 40;  // rows of what a server would ask, at first
constexpr std::size_t kAnswer = 60;    // and of the answer, in a question
constexpr std::size_t kAll = 100'000;

std::string text_of(const mcp::Sampling& wanted, std::size_t most, bool& cut) {
  std::string all;
  if (!wanted.system.empty()) all += "[system] " + wanted.system + "\n";
  for (const mcp::SamplingMessage& message : wanted.messages)
    all += std::string(message.assistant ? "[assistant] " : "[user] ") + message.text + "\n";
  if (all.ends_with('\n')) all.pop_back();
  return their_words(all, most, &cut);
}

chat::Request request_of(const mcp::Sampling& wanted, const std::string& model) {
  chat::Request out;
  out.model = model;
  if (!wanted.system.empty()) out.messages.push_back({chat::Role::system, {chat::text_block(wanted.system)}, {}});
  for (const mcp::SamplingMessage& message : wanted.messages)
    out.messages.push_back(
        {message.assistant ? chat::Role::assistant : chat::Role::user, {chat::text_block(message.text)}, {}});
  out.max_output_tokens = wanted.max_tokens;
  out.temperature = wanted.temperature;
  out.stop = wanted.stop;
  return out;
}

std::string mcp_stop_word(chat::StopReason stop) { return stop == chat::StopReason::length ? "maxTokens" : "endTurn"; }

}  // namespace

std::expected<std::string, std::string> sample(Desk& desk, const mcp::Question& question, const SamplingModel& model,
                                               const std::stop_token& stop) {
  const std::unexpected<std::string> refused("the person said no");
  const auto wanted = mcp::sampling_of(*question.params);
  if (!wanted) return std::unexpected(wanted.error());
  const std::string server = their_name(question.server);
  bool cut = false, first = false;
  const std::string shown = text_of(*wanted, kQuestion, cut);
  const std::string text = "MCP server " + server + " wants to ask the model " + their_name(model.name) +
                           ", on your account, for at most " + std::to_string(wanted->max_tokens) + " tokens:\n" +
                           shown;
  std::vector<std::string> choices = {"No", "Yes", "Yes, but show me the answer before the server gets it"};
  if (cut) choices.emplace_back("Show all of it");
  for (bool asked = false; !asked;) {
    const auto words = choose(desk, text, choices, question.withdrawn);
    if (!words) return refused;
    if (cut && *words == choices[3]) {
      desk.remark("All that MCP server " + server + " would ask:\n" + text_of(*wanted, kAll, cut));
      cut = true;
      continue;
    }
    asked = true;
    first = *words == choices[2];
    if (!first && *words != choices[1]) return refused;
  }
  // It ends when nobody waits for it, and when the program does.
  std::stop_source either;
  const std::stop_callback by_server(question.withdrawn, [&] { either.request_stop(); });
  const std::stop_callback by_end(stop, [&] { either.request_stop(); });
  const auto answer = run::ask_model(model.endpoint, request_of(*wanted, model.name), either.get_token());
  if (!answer) {
    desk.remark("The model gave no answer for MCP server " + server + ": " + mcp::shown(answer.error()));
    return std::unexpected("the model gave no answer: " + answer.error());
  }
  const std::string usage = std::to_string(answer->usage.input_tokens.value_or(0)) + " tokens in, " +
                            std::to_string(answer->usage.output_tokens.value_or(0)) + " out";
  const std::string head = "The model's answer for MCP server " + server + " (" + usage + "):\n";
  const std::string all = head + their_words(answer->text, kAll);
  if (!first) {
    desk.remark(all);
  } else {
    const std::string part = head + their_words(answer->text, kAnswer, &cut);
    if (cut) desk.remark(all);
    const std::vector<std::string> last = {"Give it to the server", "Keep it back"};
    if (choose(desk, part, last, question.withdrawn) != last[0]) return refused;
  }
  return mcp::sampling_result(answer->text, answer->model, mcp_stop_word(answer->stop));
}

}  // namespace belay::cli
