#include "config_flags.h"

#include <array>

namespace belay::cli {
namespace {

using config::Flags;

struct TextFlag {
  std::string_view name;
  Flags::Text Flags::* text;
};
constexpr std::array kTexts{
    TextFlag{"--model", &Flags::model},
    TextFlag{"--wire", &Flags::wire},
    TextFlag{"--base-url", &Flags::base_url},
    TextFlag{"--key-env", &Flags::key_env},
    TextFlag{"--format", &Flags::format},
    TextFlag{"--effort", &Flags::effort},
    TextFlag{"--profile", &Flags::profile},
    TextFlag{"--max-tokens", &Flags::max_tokens},
    TextFlag{"--max-turns", &Flags::max_turns},
    TextFlag{"--max-tokens-total", &Flags::max_tokens_total},
    TextFlag{"--max-cost", &Flags::max_cost},
    TextFlag{"--max-seconds", &Flags::max_seconds},
    TextFlag{"--permission-mode", &Flags::permission_mode},
    TextFlag{"--sandbox", &Flags::sandbox},
    TextFlag{"--log-level", &Flags::log_level},
    TextFlag{"--color", &Flags::color},
    TextFlag{"--colour", &Flags::colour},
};

struct TruthFlag {
  std::string_view name;
  std::optional<bool> Flags::* truth;
};
constexpr std::array kTruths{
    TruthFlag{"--network", &Flags::network},
    TruthFlag{"--ask-for-guesses", &Flags::ask_for_guesses},
    TruthFlag{"--todos-before-completion", &Flags::todos_before_completion},
};

struct ListFlag {
  std::string_view name;
  std::vector<std::string> Flags::* list;
};
constexpr std::array kLists{
    ListFlag{"--allow", &Flags::allow},
    ListFlag{"--ask", &Flags::ask},
    ListFlag{"--deny", &Flags::deny},
    ListFlag{"--header", &Flags::headers},
};

constexpr auto kConfigOptions = [] {
  std::array<Option, kTexts.size() + kTruths.size() + kLists.size()> out{};
  std::size_t n = 0;
  for (const TextFlag& flag : kTexts) out[n++] = {flag.name, '\0', true};
  for (const TruthFlag& flag : kTruths) out[n++] = {flag.name, '\0', false};
  for (const ListFlag& flag : kLists) out[n++] = {flag.name, '\0', true};
  return out;
}();

}  // namespace

std::span<const Option> config_options() { return kConfigOptions; }

config::Flags config_flags(const CommandLine& line) {
  Flags out;
  for (const TextFlag& flag : kTexts) out.*flag.text = line.value(flag.name);
  for (const TruthFlag& flag : kTruths)
    if (line.has(flag.name)) out.*flag.truth = true;
  for (const ListFlag& flag : kLists) out.*flag.list = line.values(flag.name);
  return out;
}

std::expected<config::Config, config::Problem> load_config(const config::Flags& flags) {
  const config::Environment environment = config::process_environment();
  const auto places = config::places(environment);
  if (!places) return std::unexpected(places.error());
  return config::load(flags, environment, *places);
}

}  // namespace belay::cli
