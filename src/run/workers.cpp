#include "run/workers.h"

#include <belay/run/perform.h>

#include <algorithm>
#include <utility>

namespace BELAY_NAMESPACE::run {
namespace {

bool is(const std::string& task, const task::RunTool& run, std::string_view of_task, std::string_view call,
        std::uint64_t number) {
  return task == of_task && run.call == call && run.run == number;
}

}  // namespace

Workers::~Workers() { stop_all(); }

void Workers::stop_all() {
  waiting_.clear();
  for (Worker& worker : working_) worker.thread.request_stop();
}

void Workers::start(std::string_view task, const task::RunTool& run) {
  Job job{std::string(task), run};
  if (working_.size() >= at_once_)
    waiting_.push_back(std::move(job));
  else
    begin(std::move(job));
}

void Workers::begin(Job job) {
  const tool::Tool* tool = tools_.find(job.run.tool);
  working_.push_back({job, {}});
  working_.back().thread = std::jthread([this, tool, job](const std::stop_token& stop) {
    ToolEnded ended{job.task, job.run.call, job.run.run, {}};
    if (!tool) {
      ended.result = tool::error_result("The tool " + job.run.tool + " is not there.");
    } else {
      tool::Invocation invocation{job.run.what->arguments.root(), stop};
      invocation.confined = job.run.confined;
      invocation.progress = [&](std::string_view text) {
        facts_.post(ToolSaid{job.task, job.run.call, std::string(text)});
      };
      ended.result = perform(*tool, invocation);
    }
    facts_.post(std::move(ended));
  });
}

void Workers::cancel(std::string_view task, std::string_view call, std::uint64_t run) {
  std::erase_if(waiting_, [&](const Job& job) { return is(job.task, job.run, task, call, run); });
  for (Worker& worker : working_)
    if (is(worker.job.task, worker.job.run, task, call, run)) worker.thread.request_stop();
}

void Workers::ended(const ToolEnded& fact) {
  // The fact is the last thing that its thread does: the join is short.
  working_.remove_if(
      [&](const Worker& worker) { return is(worker.job.task, worker.job.run, fact.task, fact.call, fact.run); });
  while (!waiting_.empty() && working_.size() < at_once_) {
    Job job = std::move(waiting_.front());
    waiting_.pop_front();
    begin(std::move(job));
  }
}

}  // namespace BELAY_NAMESPACE::run
