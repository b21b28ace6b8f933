#include <belay/policy/answer.h>

#include "policy/feedback.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace BELAY_NAMESPACE::policy {

tool::Result share(const Share& share, tool::Result result) {
  tool::Result out;
  out.is_error = result.is_error;
  if (share.runs > 1)
    out.content.push_back(
        chat::text_block(feedback::nth_run(share.run + 1, share.runs, share.arguments, result.is_error)));
  std::ranges::move(result.content, std::back_inserter(out.content));
  if (share.run + 1 < share.runs) return out;
  if (!share.not_run.empty()) out.content.push_back(chat::text_block(std::string(share.not_run)));
  if (!share.receipt.empty()) out.content.push_back(chat::text_block(std::string(share.receipt)));
  return out;
}

tool::Result answer(const Plan& plan, std::vector<tool::Result> results) {
  if (plan.runs.empty()) return tool::error_result(plan.feedback);
  tool::Result out;
  auto add = [&](tool::Result part) {
    out.is_error |= part.is_error;
    std::ranges::move(part.content, std::back_inserter(out.content));
  };
  for (std::size_t i = 0; i < results.size(); ++i)
    add(share({i, plan.runs.size(), plan.runs[i].text, plan.not_run, plan.receipt}, std::move(results[i])));
  if (results.size() >= plan.runs.size()) return out;
  out.is_error = true;
  out.content.push_back(chat::text_block(feedback::runs_left(results.size(), plan.runs.size())));
  if (!plan.not_run.empty()) out.content.push_back(chat::text_block(plan.not_run));
  if (!plan.receipt.empty()) out.content.push_back(chat::text_block(plan.receipt));
  return out;
}

tool::Result held(std::string_view tool, std::string_view because_of) {
  return tool::error_result(feedback::held(tool, because_of));
}

tool::Result denied(std::string_view tool, std::string_view reason) {
  return tool::error_result(feedback::denied(tool, reason));
}

tool::Result not_approved(std::string_view tool, std::string_view words) {
  return tool::error_result(feedback::not_approved(tool, words));
}

}  // namespace BELAY_NAMESPACE::policy
