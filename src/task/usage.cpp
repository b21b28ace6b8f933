#include "task/usage.h"

#include "task/work.h"

#include <algorithm>
#include <charconv>

namespace BELAY_NAMESPACE::task {

chat::Usage uncounted(const chat::Usage& usage, std::uint64_t input, std::uint64_t output) {
  chat::Usage out;
  if (usage.input_tokens.value_or(0) == 0 && input > 0) out.input_tokens = input;
  if (usage.output_tokens.value_or(0) == 0 && output > 0) out.output_tokens = output;
  return out;
}

double Work::cost_of(const Member& m, const chat::Usage& usage, const chat::Usage& estimated) const {
  const Prices& p = m.c.settings.prices;
  const auto tokens = [](const std::optional<std::uint64_t>& n) { return static_cast<double>(n.value_or(0)); };
  const double cached = tokens(usage.cached_tokens), written = tokens(usage.cache_write_tokens);
  const double plain = std::max(0.0, tokens(usage.input_tokens) - cached - written) + tokens(estimated.input_tokens);
  const double output = tokens(usage.output_tokens) + tokens(estimated.output_tokens);
  // A price that is not known for cached tokens is that of the others: rather too much than too little.
  const double sum = plain * p.input + cached * (p.cached > 0 ? p.cached : p.input) +
                     written * (p.cache_write > 0 ? p.cache_write : p.input) + output * p.output;
  return sum / 1e6;
}

void Work::tell_usage(const Member& m, const chat::Usage& usage, const chat::Usage& estimated, double cost) {
  const auto dollars = [](double amount) {
    char text[400];
    const auto end = std::to_chars(text, text + sizeof text, amount, std::chars_format::fixed, 6);
    return std::string(text, end.ptr);
  };
  const auto sum = [](const std::optional<std::uint64_t>& n, const std::optional<std::uint64_t>& more) {
    return std::to_string(n.value_or(0) + more.value_or(0));
  };
  std::string data = "{\"input_tokens\":" + sum(usage.input_tokens, estimated.input_tokens) +
                     ",\"output_tokens\":" + sum(usage.output_tokens, estimated.output_tokens) +
                     ",\"estimated_tokens\":" + sum(estimated.input_tokens, estimated.output_tokens) +
                     ",\"input_tokens_in_all\":" + std::to_string(m.c.input_tokens) +
                     ",\"output_tokens_in_all\":" + std::to_string(m.c.output_tokens) +
                     ",\"estimated_tokens_in_all\":" + std::to_string(m.c.estimated_tokens) +
                     ",\"turns\":" + std::to_string(m.c.turns) + ",\"cost\":" + dollars(cost) +
                     ",\"cost_in_all\":" + dollars(m.c.cost) + "}";
  tell(m, {.kind = EventKind::usage, .data = std::move(data)});
}

}  // namespace BELAY_NAMESPACE::task
