#include <belay/config.h>

#include "document.h"
#include "endpoint.h"
#include "keys.h"
#include "layers.h"
#include "model.h"
#include "own_file.h"
#include "schema/near.h"

#include <algorithm>
#include <array>

namespace BELAY_NAMESPACE::config {
namespace {

using Done = std::expected<void, Problem>;

Done put(Layer& layer, std::string_view key, std::string_view text, Source source) {
  auto value = value_from(*key_named(key), text);
  if (!value) return std::unexpected(Problem{source.name + ": " + value.error()});
  layer[std::string(key)] = {std::move(*value), std::move(source)};
  return {};
}

std::expected<Layer, Problem> from_flags(const Flags& flags) {
  struct Named {
    std::string_view key, flag;
    const std::optional<std::string>& text;
  };
  const std::array named{Named{"model", "--model", flags.model},
                         Named{"wire", "--wire", flags.wire},
                         Named{"base_url", "--base-url", flags.base_url},
                         Named{"key_env", "--key-env", flags.key_env},
                         Named{"format", "--format", flags.format},
                         Named{"effort", "--effort", flags.effort},
                         Named{"max_tokens", "--max-tokens", flags.max_tokens},
                         Named{"max_turns", "--max-turns", flags.max_turns},
                         Named{"max_tokens_total", "--max-tokens-total", flags.max_tokens_total},
                         Named{"max_cost", "--max-cost", flags.max_cost},
                         Named{"max_seconds", "--max-seconds", flags.max_seconds},
                         Named{"permissions.mode", "--permission-mode", flags.permission_mode},
                         Named{"sandbox", "--sandbox", flags.sandbox},
                         Named{"log_level", "--log-level", flags.log_level},
                         Named{"colour", "--color", flags.color},
                         Named{"colour", "--colour", flags.colour}};
  Layer out;
  for (const Named& n : named)
    if (n.text)
      if (auto done = put(out, n.key, *n.text, {Source::Level::flag, std::string(n.flag)}); !done)
        return std::unexpected(done.error());

  struct Truth {
    std::string_view key, flag;
    std::optional<bool> value;
  };
  for (const Truth& t : {Truth{"network", "--network", flags.network},
                         Truth{"ask_for_guesses", "--ask-for-guesses", flags.ask_for_guesses},
                         Truth{"todos_before_completion", "--todos-before-completion", flags.todos_before_completion}})
    if (t.value) out[std::string(t.key)] = {*t.value, {Source::Level::flag, std::string(t.flag)}};

  struct List {
    std::string_view key, flag;
    const std::vector<std::string>& texts;
  };
  for (const List& l : {List{"permissions.allow", "--allow", flags.allow}, List{"permissions.ask", "--ask", flags.ask},
                        List{"permissions.deny", "--deny", flags.deny}}) {
    if (l.texts.empty()) continue;
    if (std::string message = complaint(*key_named(l.key), l.texts); !message.empty())
      return std::unexpected(Problem{std::string(l.flag) + ": " + message});
    out[std::string(l.key)] = {l.texts, {Source::Level::flag, std::string(l.flag)}};
  }
  if (!flags.headers.empty()) {
    Pairs pairs;
    for (const std::string& header : flags.headers) {
      const std::size_t colon = header.find(':');
      const std::size_t value = colon == header.npos ? header.npos : header.find_first_not_of(' ', colon + 1);
      if (value == header.npos) return std::unexpected(Problem{"--header: expected 'Name: value'"});
      pairs.emplace_back(header.substr(0, colon), header.substr(value));
    }
    if (std::string message = complaint(*key_named("headers"), pairs); !message.empty())
      return std::unexpected(Problem{"--header: " + message});
    out["headers"] = {std::move(pairs), {Source::Level::flag, "--header"}};
  }
  return out;
}

std::expected<Layer, Problem> from_environment(const Environment& environment) {
  Layer out;
  if (auto model = environment("BELAY_MODEL"); model && !model->empty())
    if (auto done = put(out, "model", *model, {Source::Level::environment, "BELAY_MODEL"}); !done)
      return std::unexpected(done.error());
  if (auto no = environment("NO_COLOR"); no && !no->empty())
    out["colour"] = {std::string("never"), {Source::Level::environment, "NO_COLOR"}};
  return out;
}

// Keys in a file are for its owner's eyes only, in whatever table they stand.
Done no_keys_in(const Document& document) {
  auto look = [](const Layer& layer) -> Done {
    for (const auto& [name, entry] : layer) {
      bool secret = name == "key";
      if (name == "headers")
        for (const auto& [header, value] : std::get<Pairs>(entry.value)) secret = secret || names_a_key(header);
      if (secret)
        return std::unexpected(Problem{name + ": a key stands here, and others can read this file; run: chmod 600 '" +
                                           entry.source.name + "', or name a variable by key_env",
                                       entry.source.name, entry.source.line, entry.column});
    }
    return {};
  };
  if (auto done = look(document.top); !done) return done;
  for (const auto* tables : {&document.models, &document.profiles})
    for (const auto& [name, layer] : *tables)
      if (auto done = look(layer); !done) return done;
  return {};
}

template <class T>
Setting<T> pick(const Layers& layers, std::string_view key, T otherwise) {
  const Entry* found = layers.find(key);
  if (found == nullptr) return {std::move(otherwise), {}};
  if constexpr (std::is_same_v<T, double>) {
    if (const auto* whole = std::get_if<std::int64_t>(&found->value))
      return {static_cast<double>(*whole), found->source};
    return {std::get<double>(found->value), found->source};
  } else if constexpr (std::is_same_v<T, std::uint64_t>) {
    return {static_cast<std::uint64_t>(std::get<std::int64_t>(found->value)), found->source};
  } else {
    return {std::get<T>(found->value), found->source};
  }
}

// Rules of every layer hold together: deny comes before ask, and ask before allow, wherever they stand.
Done add_rules(const Layers& layers, Config& out) {
  struct Kind {
    std::string_view key;
    policy::Decision decision;
  };
  for (const Kind& kind :
       {Kind{"permissions.deny", policy::Decision::deny}, Kind{"permissions.ask", policy::Decision::ask},
        Kind{"permissions.allow", policy::Decision::allow}})
    for (const Layer* layer : {&layers.flags, &layers.profile, &layers.top}) {
      const Entry* found = Layers::find_in(*layer, kind.key);
      if (found == nullptr) continue;
      for (const std::string& text : std::get<Texts>(found->value)) {
        auto rule = policy::rule_from(kind.decision, text);
        if (!rule) {
          const bool in_file = found->source.level == Source::Level::file;
          return std::unexpected(
              Problem{(in_file ? std::string(kind.key) : found->source.name) + ": " + cited(text) + ": " + rule.error(),
                      in_file ? found->source.name : "", found->source.line, found->column});
        }
        out.rules.push_back({std::move(*rule), found->source});
      }
    }
  return {};
}

void settle(const Layers& layers, Config& out) {
  const task::Settings usual;
  const auto n = [&](std::string_view key, std::uint64_t otherwise) { return pick(layers, key, otherwise); };
  const auto text = [&](std::string_view key, const char* otherwise) {
    return pick(layers, key, std::string(otherwise));
  };
  out.insecure_http = pick(layers, "insecure_http", false);
  out.format = text("format", "native");
  out.effort = text("effort", "");
  out.max_tokens = n("max_tokens", usual.output_tokens);
  out.max_output = n("max_output", std::max(usual.output_tokens_at_most, *out.max_tokens));
  out.context = n("context", usual.context.tokens);
  out.price_input = pick(layers, "price.input", 0.0);
  out.price_output = pick(layers, "price.output", 0.0);
  out.price_cached = pick(layers, "price.cached", 0.0);
  out.price_cache_write = pick(layers, "price.cache_write", 0.0);
  out.max_turns = n("max_turns", usual.budget.turns);
  out.max_tokens_total = n("max_tokens_total", usual.budget.tokens);
  out.max_cost = pick(layers, "max_cost", usual.budget.cost);
  out.max_seconds = n("max_seconds", static_cast<std::uint64_t>(usual.budget.milliseconds / 1000));
  out.mistakes = n("breakers.mistakes", usual.breakers.mistakes);
  out.same_mistake = n("breakers.same_mistake", usual.breakers.same_mistake);
  out.mistakes_in_all = n("breakers.mistakes_in_all", usual.breakers.mistakes_in_all);
  out.repeats = n("breakers.repeats", usual.breakers.repeats);
  out.cycle = n("breakers.cycle", usual.breakers.cycle);
  out.nudges = n("breakers.nudges", usual.breakers.nudges);
  out.empty = n("breakers.empty", usual.breakers.empty);
  const auto mode = text("permissions.mode", "default");
  out.permission_mode = {policy::mode_named(*mode).value_or(policy::Mode::ask), mode.source};
  const auto level = text("sandbox", "workspace-write");
  out.sandbox = {sandbox::level_named(*level).value_or(sandbox::Level::read_only), level.source};
  out.network = pick(layers, "network", false);
  out.ask_for_guesses = pick(layers, "ask_for_guesses", false);
  out.todos_before_completion = pick(layers, "todos_before_completion", false);
  out.log_level = text("log_level", "info");
  out.colour = text("colour", "auto");
  if (*out.max_tokens > *out.max_output) {
    out.notes.push_back("max_tokens (" + std::to_string(*out.max_tokens) + ", " + describe(out.max_tokens.source) +
                        ") is more than the model's max_output, which counts");
    out.max_tokens = out.max_output;
  }
}

Done choose_profile(const Flags& flags, const Document& document, Layers& layers, Config& out) {
  if (!flags.profile) return {};
  out.profile = {*flags.profile, {Source::Level::flag, "--profile"}};
  const auto found = document.profiles.find(*flags.profile);
  if (found != document.profiles.end()) {
    layers.profile = found->second;
    return {};
  }
  std::vector<std::string_view> names;
  names.reserve(document.profiles.size());
  for (const auto& [name, layer] : document.profiles) names.push_back(name);
  std::string message = "--profile: there is no [profiles." + *flags.profile + "] in " + out.places.config_file;
  if (const std::string_view near = schema::nearest(*flags.profile, names); !near.empty())
    message += "; did you mean " + std::string(near) + "?";
  return std::unexpected(Problem{message});
}

}  // namespace

std::expected<Config, Problem> load(const Flags& flags, const Environment& environment, const Places& places,
                                    const LoadOptions& options) {
  Config out;
  out.places = places;
  out.notes = places.notes;
  Document document;
  auto file = read_own_file(places.config_file, options.file_bytes);
  if (!file) return std::unexpected(file.error());
  if (const std::optional<OwnFile>& own_file = *file) {
    out.file_found = true;
    auto read = read_document(own_file->text, places.config_file);
    if (!read) return std::unexpected(read.error());
    document = std::move(*read);
    if (!own_file->for_owner_only)
      if (auto done = no_keys_in(document); !done) return std::unexpected(done.error());
  }

  Layers layers;
  auto given = from_flags(flags);
  if (!given) return std::unexpected(given.error());
  layers.flags = std::move(*given);
  auto set = from_environment(environment);
  if (!set) return std::unexpected(set.error());
  layers.environment = std::move(*set);
  layers.top = document.top;
  if (auto done = choose_profile(flags, document, layers, out); !done) return std::unexpected(done.error());

  add_usual_model(layers, environment);
  // The table of the model by its whole name, or without what names its wire.
  const std::string model = *model_given(layers);
  auto own = document.models.find(model);
  if (own == document.models.end())
    if (const auto split = prefixed(model)) own = document.models.find(split->model);
  if (own != document.models.end()) layers.model = own->second;

  settle(layers, out);
  if (auto done = add_rules(layers, out); !done) return std::unexpected(done.error());
  if (auto done = choose_endpoint(layers, environment, out); !done) return std::unexpected(done.error());
  return out;
}

}  // namespace BELAY_NAMESPACE::config
