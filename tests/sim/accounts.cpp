#include "sim/accounts.h"

#include <algorithm>
#include <cmath>

namespace belay::sim {

// Either the provider counted, or Belay did; never both, and never nobody.
std::string Accounts::spend(const Account& account, const auto& spent, bool answered) {
  const chat::Usage &counted = spent.usage, &estimated = spent.estimated;
  if (counted.input_tokens.value_or(0) > 0 && estimated.input_tokens) return "counted input is estimated as well";
  if (counted.output_tokens.value_or(0) > 0 && estimated.output_tokens) return "counted output is estimated as well";
  const std::uint64_t input = counted.input_tokens.value_or(0) + estimated.input_tokens.value_or(0);
  const std::uint64_t output = counted.output_tokens.value_or(0) + estimated.output_tokens.value_or(0);
  if (answered && input == 0) return "an answer that nobody counted";
  const double cost =
      (static_cast<double>(input) * account.prices.input + static_cast<double>(output) * account.prices.output) / 1e6;
  if (std::abs(cost - spent.cost) > 1e-9)
    return "it costs " + std::to_string(cost) + ", not " + std::to_string(spent.cost);
  tokens_ += input + output;
  cost_ += cost;
  return {};
}

std::string Accounts::note(const task::Record& record) {
  Account& account = of_[record.task];
  const auto* changed = std::get_if<task::Changed>(&record.body);
  if (changed && changed->resumed)
    account.elapsed += changed->worked;
  else if (account.time > 0 && !account.finished)
    account.elapsed += record.time - account.time;
  account.time = record.time;
  if (const auto* created = std::get_if<task::Created>(&record.body)) {
    account.budget = created->settings.budget;
    account.prices = created->settings.prices;
  }
  if (changed && changed->has_budget) account.budget = changed->budget;
  if (const auto* said = std::get_if<task::Said>(&record.body); said && said->why == task::Said::Why::person)
    account.finished = false;
  if (std::holds_alternative<task::Finished>(record.body)) account.finished = true;
  if (const auto* turn = std::get_if<task::Turn>(&record.body)) {
    ++account.turns;
    return spend(account, *turn, true);
  }
  if (const auto* folded = std::get_if<task::Folded>(&record.body)) return spend(account, *folded, folded->upto > 0);
  if (const auto* failed = std::get_if<task::RequestFailed>(&record.body)) return spend(account, *failed, false);
  return {};
}

std::string Accounts::may_ask(const std::string& task, std::int64_t now) const {
  const Account& account = of_.at(task);
  const task::Budget& budget = account.budget;
  if (account.turns >= budget.turns) return "asked beyond its turns: " + task;
  if (tokens_ >= budget.tokens) return "asked beyond its tokens: " + task;
  if (cost_ > 0 && cost_ >= budget.cost) return "asked beyond its cost: " + task;
  if (account.elapsed + std::max<std::int64_t>(now - account.time, 0) >= budget.milliseconds)
    return "asked beyond its time: " + task;
  return {};
}

}  // namespace belay::sim
