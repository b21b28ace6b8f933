#include <belay/policy/answer.h>

#include "policy/feedback.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace belay::policy {

tool::Result answer(const Plan& plan, std::vector<tool::Result> results) {
  if (plan.runs.empty()) return tool::error_result(plan.feedback);
  tool::Result out;
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (plan.runs.size() > 1) {
      const std::string text = feedback::nth_run(i + 1, plan.runs.size(), plan.runs[i].text, results[i].is_error);
      out.content.push_back(chat::text_block(text));
    }
    out.is_error |= results[i].is_error;
    std::ranges::move(results[i].content, std::back_inserter(out.content));
  }
  if (results.size() < plan.runs.size()) {
    out.is_error = true;
    out.content.push_back(chat::text_block(feedback::runs_left(results.size(), plan.runs.size())));
  }
  if (!plan.not_run.empty()) out.content.push_back(chat::text_block(plan.not_run));
  if (!plan.receipt.empty()) out.content.push_back(chat::text_block(plan.receipt));
  return out;
}

tool::Result denied(std::string_view tool, std::string_view reason) {
  return tool::error_result(feedback::denied(tool, reason));
}

tool::Result not_approved(std::string_view tool, std::string_view words) {
  return tool::error_result(feedback::not_approved(tool, words));
}

}  // namespace belay::policy
