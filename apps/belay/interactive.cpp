#include "interactive.h"

#include <utility>

namespace belay::cli {

screen::Hands Relay::hands() {
  screen::Hands out;
  out.reply = [this](std::string task, std::string question, task::Reply reply) {
    const std::scoped_lock lock(mutex_);
    if (agent_) agent_->reply(std::move(task), std::move(question), std::move(reply));
  };
  out.say = [this](std::vector<chat::Block> blocks) {
    const std::scoped_lock lock(mutex_);
    if (agent_)
      agent_->say(std::move(blocks));
    else if (!words_)
      words_ = std::move(blocks);
    else
      for (chat::Block& block : blocks) words_->push_back(std::move(block));
    changed_.notify_all();
  };
  out.stop = [this] {
    const std::scoped_lock lock(mutex_);
    if (agent_) agent_->stop();
  };
  out.leave = [this] { leave(); };
  out.allow = [this](policy::Rule rule) {
    const std::scoped_lock lock(mutex_);
    if (agent_) agent_->allow(std::move(rule));
  };
  return out;
}

std::optional<std::vector<chat::Block>> Relay::first_words() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return left_ || words_; });
  if (left_) return std::nullopt;
  return std::exchange(words_, std::nullopt);
}

void Relay::connect(run::Agent* agent) {
  const std::scoped_lock lock(mutex_);
  agent_ = agent;
  if (!agent) return;
  // What was typed between the first words and now.
  if (words_) agent->say(std::move(*std::exchange(words_, std::nullopt)));
  if (left_) agent->leave();
}

void Relay::leave() {
  const std::scoped_lock lock(mutex_);
  left_ = true;
  if (agent_) agent_->leave();
  changed_.notify_all();
}

}  // namespace belay::cli
