#include <belay/config.h>

#include <array>
#include <charconv>
#include <ostream>
#include <type_traits>

namespace BELAY_NAMESPACE::config {
namespace {

std::string shown(const std::string& text) { return text; }
std::string shown(bool truth) { return truth ? "true" : "false"; }
std::string shown(std::uint64_t n) { return std::to_string(n); }
std::string shown(double n) {
  std::array<char, 64> text{};
  const auto [end, code] = std::to_chars(text.data(), text.data() + text.size(), n);
  return {text.data(), end};
}
std::string shown(policy::Mode mode) { return std::string(policy::name(mode)); }
std::string shown(sandbox::Level level) { return std::string(sandbox::name(level)); }
std::string shown(wire::Wire wire) { return std::string(wire::name(wire)); }

std::string shown(const policy::Rule& rule) {
  return rule.tool + (rule.pattern.empty() ? "" : "(" + rule.pattern + ")");
}

std::string_view word(policy::Decision decision) {
  return decision == policy::Decision::deny ? "deny" : decision == policy::Decision::ask ? "ask" : "allow";
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const Secret& secret) { return out << (secret.empty() ? "" : "***"); }

std::string describe(const Source& source) {
  switch (source.level) {
    case Source::Level::built_in: return source.name.empty() ? "default" : "default for " + source.name;
    case Source::Level::file: return source.name + ":" + std::to_string(source.line);
    case Source::Level::environment:
    case Source::Level::flag: return source.name;
  }
  return {};
}

std::string describe(const Problem& problem) {
  std::string out;
  if (!problem.file.empty()) {
    out = problem.file + ":";
    if (problem.line > 0) out += std::to_string(problem.line) + ":" + std::to_string(problem.column) + ":";
    out += " ";
  }
  return out + problem.message;
}

task::Settings task_settings(const Config& config) {
  task::Settings out;
  out.model = *config.model;
  out.protocol = *config.format;
  out.reasoning_effort = *config.effort;
  out.output_tokens = *config.max_tokens;
  out.output_tokens_at_most = *config.max_output;
  out.todos_before_completion = *config.todos_before_completion;
  out.budget.turns = *config.max_turns;
  out.budget.tokens = *config.max_tokens_total;
  out.budget.cost = *config.max_cost;
  out.budget.milliseconds = static_cast<std::int64_t>(*config.max_seconds) * 1000;
  out.prices = {*config.price_input, *config.price_output, *config.price_cached, *config.price_cache_write};
  out.breakers = {*config.mistakes, *config.same_mistake, *config.mistakes_in_all, *config.repeats, *config.cycle,
                  *config.nudges,   *config.empty};
  out.context.tokens = *config.context;
  return out;
}

policy::Permissions permissions(const Config& config) {
  policy::Permissions out;
  out.mode = *config.permission_mode;
  for (const Setting<policy::Rule>& rule : config.rules) out.rules.push_back(*rule);
  return out;
}

std::vector<Line> listing(const Config& config) {
  std::vector<Line> out;
  auto add = [&](std::string_view name, const auto& setting) {
    const bool literal = std::is_arithmetic_v<std::remove_cvref_t<decltype(setting.value)>>;
    out.push_back({std::string(name), shown(setting.value), setting.source, literal});
  };
  if (!config.profile->empty()) add("profile", config.profile);
  add("model", config.model);
  // The built-in model has none of these, and where the wire is not known they mean nothing.
  if (!config.base_url->empty()) {
    add("wire", config.wire);
    add("base_url", config.base_url);
    out.push_back({"key",
                   config.key->empty() ? ""
                   : config.bearer     ? "set, as a bearer token"
                                       : "set",
                   config.key.source});
    for (const Header& header : config.headers) out.push_back({"headers." + header.name, "set", header.source});
    add("insecure_http", config.insecure_http);
  }
  add("format", config.format);
  add("effort", config.effort);
  add("max_tokens", config.max_tokens);
  add("max_output", config.max_output);
  add("context", config.context);
  add("price.input", config.price_input);
  add("price.output", config.price_output);
  // Where no price is known for what the cache gives and takes, that of the input is counted.
  const auto charged = [&](const Setting<double>& price) {
    if (*price > 0 || *config.price_input <= 0) return price;
    return Setting<double>{*config.price_input, {Source::Level::built_in, "price.input"}};
  };
  add("price.cached", charged(config.price_cached));
  add("price.cache_write", charged(config.price_cache_write));
  add("max_turns", config.max_turns);
  add("max_tokens_total", config.max_tokens_total);
  add("max_cost", config.max_cost);
  add("max_seconds", config.max_seconds);
  add("breakers.mistakes", config.mistakes);
  add("breakers.same_mistake", config.same_mistake);
  add("breakers.mistakes_in_all", config.mistakes_in_all);
  add("breakers.repeats", config.repeats);
  add("breakers.cycle", config.cycle);
  add("breakers.nudges", config.nudges);
  add("breakers.empty", config.empty);
  add("permissions.mode", config.permission_mode);
  for (const Setting<policy::Rule>& rule : config.rules) add("permissions." + std::string(word(rule->decision)), rule);
  add("sandbox", config.sandbox);
  add("network", config.network);
  add("ask_for_guesses", config.ask_for_guesses);
  add("todos_before_completion", config.todos_before_completion);
  add("log_level", config.log_level);
  add("colour", config.colour);
  return out;
}

}  // namespace BELAY_NAMESPACE::config
