#include "desk.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

namespace belay::cli {

void Desk::open(screen::Terminal& terminal) {
  const std::lock_guard guard(lock_);
  terminal_ = &terminal;
  changed_.notify_all();
}

void Desk::close() {
  {
    const std::lock_guard guard(lock_);
    closed_ = true;
    terminal_ = nullptr;
  }
  give_up();
}

void Desk::give_up() {
  const std::lock_guard guard(lock_);
  for (auto& [id, open] : open_) open.over = true;
  changed_.notify_all();
}

bool Desk::answered(const std::string& question, const task::Reply& reply) {
  const std::lock_guard guard(lock_);
  const auto found = open_.find(question);
  if (found == open_.end()) return false;
  if (reply.kind == task::Reply::Kind::words) found->second.words = reply.text;
  found->second.over = true;
  changed_.notify_all();
  return true;
}

screen::Hands Desk::between(const screen::Hands& hands) {
  screen::Hands out = hands;
  out.reply = [this, hands](std::string task, std::string question, task::Reply reply) {
    if (!answered(question, reply)) hands.reply(std::move(task), std::move(question), std::move(reply));
  };
  out.stop = [this, hands] {
    give_up();
    hands.stop();
  };
  out.leave = [this, hands] {
    give_up();
    hands.leave();
  };
  return out;
}

std::optional<std::string> Desk::ask(const std::string& text, const std::vector<std::string>& choices,
                                     const std::stop_token& withdrawn) {
  task::AskPerson question;
  question.kind = task::AskPerson::Kind::question;
  question.text = text;
  question.choices = choices;
  question.only_choices = !choices.empty();
  std::unique_lock guard(lock_);
  if (!changed_.wait(guard, withdrawn, [&] { return terminal_ != nullptr || closed_; }) || closed_) return std::nullopt;
  question.id = "mcp-" + std::to_string(next_++);
  Open& open = open_[question.id];
  // Under the lock, so that close() cannot come between; the terminal only takes a note of it.
  terminal_->ask({}, question);
  changed_.wait(guard, withdrawn, [&] { return open.over; });
  const bool mine = open.over;
  std::optional<std::string> words = std::move(open.words);
  open_.erase(question.id);
  // The screen forgets by itself what it has the answer to, and everything at a stop.
  if ((!mine || !words) && terminal_) terminal_->drop(question.id);
  return words;
}

std::size_t Desk::columns() {
  constexpr std::size_t kLead = 2, kLeast = 18;  // what the screen puts before a row; and it is never narrower
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80 - kLead;
  return std::max<std::size_t>(size.ws_col, kLead + kLeast) - kLead;
}

void Desk::remark(std::string_view text) {
  const std::lock_guard guard(lock_);
  if (terminal_) terminal_->remark(text);
}

}  // namespace belay::cli
