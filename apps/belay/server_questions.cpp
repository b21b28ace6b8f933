#include "server_questions.h"

#include <belay/regex.h>

#include "terminal.h"

#include <utility>

namespace belay::cli {
namespace {

constexpr std::size_t kTheirName = 40;  // columns of a name

}  // namespace

std::string their_name(std::string_view name) { return clipped(mcp::shown(name), kTheirName); }

ServerQuestions::ServerQuestions(Desk& desk, SamplingModel model)
    : desk_(desk),
      model_(std::move(model)),
      regexes_(regex::make_regexes()),
      thread_([this](const std::stop_token& s) { work(s); }) {}

ServerQuestions::~ServerQuestions() {
  desk_.close();
  thread_.request_stop();
  thread_.join();
  for (Job& job : jobs_) job.reply(std::unexpected("nobody is here any more"));
}

void ServerQuestions::put(const mcp::Question& question, mcp::Reply reply) {
  const std::lock_guard guard(lock_);
  jobs_.push_back({question, std::move(reply)});
  changed_.notify_all();
}

void ServerQuestions::work(const std::stop_token& stop) {
  for (;;) {
    Job job;
    {
      std::unique_lock guard(lock_);
      if (!changed_.wait(guard, stop, [&] { return !jobs_.empty(); })) return;
      job = std::move(jobs_.front());
      jobs_.pop_front();
    }
    if (job.question.withdrawn.stop_requested()) continue;
    if (!job.question.params)
      job.reply(std::unexpected("the question is empty"));
    else if (job.question.method == "sampling/createMessage")
      job.reply(sample(desk_, job.question, model_, stop));
    else
      job.reply(elicit(desk_, job.question, regexes_.get()));
  }
}

std::optional<std::string> choose(Desk& desk, const std::string& text, const std::vector<std::string>& choices,
                                  const std::stop_token& withdrawn) {
  const auto plain = [](std::string_view words) {
    if (words.starts_with('/')) words.remove_prefix(1);
    std::string out(words.substr(0, words.find_last_not_of(' ') + 1));
    for (char& c : out)
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
    return out;
  };
  for (std::string again;;) {
    const auto words = desk.ask(text + again, choices, withdrawn);
    if (!words) return std::nullopt;
    for (const std::string& choice : choices)
      if (*words == choice || plain(*words) == plain(choice)) return choice;
    again = "\nThat is none of the choices: type a number, 1 to " + std::to_string(choices.size());
  }
}

std::string their_words(std::string_view text, std::size_t rows, bool* cut) {
  // Broken here rather than by the screen: a row that goes on must not look like one of ours.
  const std::size_t width = Desk::columns() - 2;
  std::string out = "| ";
  std::size_t used = 0, row = 1, left = 0;
  const auto next_row = [&] {
    if (row >= rows) return false;
    ++row;
    used = 0;
    out += "\n| ";
    return true;
  };
  for (std::size_t at = 0; at < text.size();) {
    std::size_t next = at + 1;
    while (next < text.size() && (static_cast<unsigned char>(text[next]) & 0xc0) == 0x80) ++next;
    const std::string_view bytes = text.substr(at, next - at);
    const std::string character = mcp::shown(bytes);
    const std::size_t wide = columns(character);
    if (bytes == "\n" ? !next_row() : used + wide > width && !next_row()) {
      left = text.size() - at;
      break;
    }
    if (bytes != "\n") {
      out += character;
      used += wide;
    }
    at = next;
  }
  if (cut) *cut = left > 0;
  if (left > 0) out += "\n[" + std::to_string(left) + " more bytes are not shown]";
  return out;
}

}  // namespace belay::cli
