#include "fresh_look.h"

#include <utility>

namespace belay::cli {

void FreshLook::ask(std::string_view task, const task::AskPerson& question) {
  {
    const std::scoped_lock lock(mutex_);
    open_[question.id] = {std::string(task), question, preview_(question.tool, question.arguments)};
  }
  terminal_.ask(task, question);
}

void FreshLook::drop(std::string_view question) {
  {
    const std::scoped_lock lock(mutex_);
    if (auto found = open_.find(question); found != open_.end()) open_.erase(found);
  }
  terminal_.drop(question);
}

screen::Hands FreshLook::hands_of(run::Agent& agent) {
  screen::Hands out = screen::hands_of(agent);
  out.reply = [this, &agent](std::string task, std::string question, task::Reply reply) {
    std::optional<Open> again;
    {
      const std::scoped_lock lock(mutex_);
      auto found = open_.find(question);
      if (found != open_.end() && reply.kind == task::Reply::Kind::yes &&
          found->second.question.kind == task::AskPerson::Kind::approval) {
        std::string now = preview_(found->second.question.tool, found->second.question.arguments);
        if (now != found->second.shown) {
          found->second.shown = std::move(now);
          again = found->second;
        }
      }
      if (!again && found != open_.end()) open_.erase(found);
    }
    if (!again) return agent.reply(std::move(task), std::move(question), std::move(reply));
    terminal_.remark("The file has changed since this was shown. Look again:");
    terminal_.ask(again->task, again->question);
  };
  return out;
}

}  // namespace belay::cli
