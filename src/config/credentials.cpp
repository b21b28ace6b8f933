#include "credentials.h"

#include "keys.h"
#include "model.h"
#include "set_in.h"

#include <algorithm>
#include <array>

namespace BELAY_NAMESPACE::config {
namespace {

using wire::Wire;

struct Candidate {
  Setting<Secret> key;
  bool bearer = false;
  std::optional<std::string> home;  ///< the only origin that it goes to; nothing: wherever the person said
};

bool is_openai(Wire wire) { return wire == Wire::openai_chat || wire == Wire::openai_responses; }

// Anything else would end a header, or is a file's content rather than a key.
bool can_be_sent(std::string_view key) {
  return key.size() <= 16'384 && std::ranges::all_of(key, [](char c) { return c > ' ' && c < 0x7F; });
}

constexpr std::string_view kNotAKey =
    "the key has spaces, line ends or other characters that no key has; copy it again";

bool is_token(std::string_view name) {
  constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
  return !name.empty() && name.size() <= 256 && std::ranges::all_of(name, [&](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           kMarks.find(c) != std::string_view::npos;
  });
}

bool same_header(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char x, char y) {
    auto low = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    return low(x) == low(y);
  });
}

std::string complaint_about_header(std::string_view name) {
  if (!is_token(name)) return "expected the name of a header, not " + cited(name);
  for (std::string_view ours : {"host", "content-length", "content-type", "transfer-encoding", "connection"})
    if (same_header(name, ours)) return "the header " + std::string(ours) + " is not yours to set";
  return {};
}

class Credentials {
 public:
  Credentials(const Layers& layers, const Environment& environment, const Url& url, Config& out)
      : layers_(layers), environment_(environment), url_(url), out_(out) {}

  std::expected<void, Problem> choose() {
    for (auto step : {&Credentials::from_flag, &Credentials::from_model, &Credentials::from_environment,
                      &Credentials::from_file, &Credentials::headers})
      if (!(this->*step)()) return std::unexpected(problem_);
    pick();
    want_a_key();
    keep_off_plain_http();
    return {};
  }

 private:
  bool wrong(Problem problem) {
    problem_ = std::move(problem);
    return false;
  }

  bool from_flag() {
    const Entry* named = Layers::find_in(layers_.flags, "key_env");
    if (named == nullptr) return true;
    const std::string& variable = std::get<std::string>(named->value);
    const auto text = set_in(environment_, variable);
    if (!text) return wrong({"--key-env: the environment variable " + cited(variable) + " is not set"});
    if (!can_be_sent(*text)) return wrong({"--key-env: " + variable + ": " + std::string(kNotAKey)});
    const Entry* bearer = layers_.find("bearer");
    add(*text, {Source::Level::environment, variable},
        variable == "ANTHROPIC_AUTH_TOKEN" || (bearer != nullptr && std::get<bool>(bearer->value)), std::nullopt);
    return true;
  }

  bool from_model() { return from_table(layers_.model, model_given_text()); }
  bool from_file() {
    auto model_in = [](const Layer& layer) {
      const Entry* model = Layers::find_in(layer, "model");
      return model == nullptr ? std::string() : std::get<std::string>(model->value);
    };
    return from_table(layers_.profile, model_in(layers_.profile)) && from_table(layers_.top, model_in(layers_.top));
  }

  bool from_table(const Layer& table, const std::string& model) {
    const Entry* key = Layers::find_in(table, "key");
    const Entry* named = Layers::find_in(table, "key_env");
    if (key == nullptr && named == nullptr) return true;
    if (key != nullptr && named != nullptr)
      return wrong(problem_at(*named, "key_env", "expected one of key and key_env, not both"));
    const Entry& entry = key != nullptr ? *key : *named;
    const auto home = home_of(table, model);
    if (!home)
      return wrong(
          problem_at(entry, key != nullptr ? "key" : "key_env", "whom is the key for? add base_url or wire beside it"));
    const Entry* bearer = Layers::find_in(table, "bearer");
    const bool as_bearer = bearer != nullptr && std::get<bool>(bearer->value);
    const std::string& text = std::get<std::string>(entry.value);
    if (key != nullptr) {
      if (!can_be_sent(text)) return wrong(problem_at(entry, "key", kNotAKey));
      add(text, entry.source, as_bearer, home);
      return true;
    }
    const auto value = set_in(environment_, text);
    if (!value) {
      // It matters only where it would have been used.
      if (*home == url_.origin() && unset_.empty())
        unset_ = "the environment variable " + cited(text) + ", which key_env names (" + describe(entry.source) +
                 "), is not set";
      return true;
    }
    if (!can_be_sent(*value)) return wrong({text + ": " + std::string(kNotAKey)});
    add(*value, {Source::Level::environment, text}, as_bearer || text == "ANTHROPIC_AUTH_TOKEN", home);
    return true;
  }

  bool from_environment() {
    struct Known {
      std::string_view variable;
      Wire wire;
    };
    constexpr std::array kKnown{Known{"OPENAI_API_KEY", Wire::openai_chat},
                                Known{"ANTHROPIC_AUTH_TOKEN", Wire::anthropic},
                                Known{"ANTHROPIC_API_KEY", Wire::anthropic}, Known{"GEMINI_API_KEY", Wire::gemini},
                                Known{"GOOGLE_API_KEY", Wire::gemini}};
    for (const Known& known : kKnown) {
      if (known.wire != *out_.wire && !(is_openai(known.wire) && is_openai(*out_.wire))) continue;
      const auto text = set_in(environment_, known.variable);
      if (!text) continue;
      if (!can_be_sent(*text)) return wrong({std::string(known.variable) + ": " + std::string(kNotAKey)});
      std::string home = url_from(usual_url(known.wire))->origin();
      if (auto placed = provider_url(known.wire, environment_)) {
        if (!*placed) return wrong((*placed).error());
        home = (*placed)->url.origin();
      }
      add(*text, {Source::Level::environment, std::string(known.variable)}, known.variable == "ANTHROPIC_AUTH_TOKEN",
          std::move(home));
    }
    return true;
  }

  // The origin that a table's keys and headers are for: its base URL, or that of the wire it is about.
  std::optional<std::string> home_of(const Layer& table, const std::string& model) const {
    if (const Entry* base = Layers::find_in(table, "base_url"))
      return url_from(std::get<std::string>(base->value))->origin();
    std::optional<Wire> wire = wire_of_name(model);
    if (const auto split = prefixed(model)) wire = split->wire;
    if (const Entry* given = Layers::find_in(table, "wire"))
      wire = wire::wire_named(std::get<std::string>(given->value));
    if (!wire) return std::nullopt;
    return url_from(usual_url(*wire))->origin();
  }

  std::string model_given_text() const {
    const Entry* given = layers_.find("model");
    return given == nullptr ? std::string() : std::get<std::string>(given->value);
  }

  void add(const std::string& text, Source source, bool bearer, std::optional<std::string> home) {
    candidates_.push_back({{Secret(text), std::move(source)}, bearer, std::move(home)});
  }

  void pick() {
    for (const Candidate& candidate : candidates_)
      if (!candidate.home || *candidate.home == url_.origin()) {
        out_.key = candidate.key;
        out_.bearer = candidate.bearer;
        return;
      }
    for (const Candidate& candidate : candidates_) {
      const std::string whence = describe(candidate.key.source);
      out_.notes.push_back("the key from " + whence + " is not sent to " + url_.origin() + ": it belongs to " +
                           candidate.home.value_or("") +
                           (candidate.key.source.level == Source::Level::environment
                                ? "; to send it all the same: --key-env " + whence +
                                      ", or key_env beside base_url in " + out_.places.config_file
                                : "; to send a key there: --key-env NAME, or key_env beside that base_url"));
    }
  }

  bool headers() {
    struct Table {
      const Layer& layer;
      std::string model;
    };
    const Entry* top_model = Layers::find_in(layers_.top, "model");
    const Entry* profile_model = Layers::find_in(layers_.profile, "model");
    auto text_of = [](const Entry* e) { return e == nullptr ? std::string() : std::get<std::string>(e->value); };
    const std::array tables{Table{layers_.top, text_of(top_model)}, Table{layers_.profile, text_of(profile_model)},
                            Table{layers_.model, model_given_text()}, Table{layers_.flags, ""}};
    for (const Table& table : tables) {
      const Entry* given = Layers::find_in(table.layer, "headers");
      if (given == nullptr) continue;
      const Pairs& pairs = std::get<Pairs>(given->value);
      for (const auto& [name, value] : pairs)
        if (std::string message = complaint_about_header(name); !message.empty())
          return wrong(problem_at(*given, "headers", message));
      if (&table.layer != &layers_.flags) {
        const auto home = home_of(table.layer, table.model);
        if (!home) return wrong(problem_at(*given, "headers", "whom are they for? add base_url or wire beside them"));
        if (*home != url_.origin()) {
          out_.notes.push_back("the headers of " + describe(given->source) + " are not sent to " + url_.origin() +
                               ": they belong to " + *home);
          continue;
        }
      }
      for (const auto& [name, value] : pairs) {
        std::erase_if(out_.headers, [&](const Header& h) { return same_header(h.name, name); });
        out_.headers.push_back({name, Secret(value), given->source});
      }
    }
    return true;
  }

  // A request that can only be refused is not made: the person is told what is missing, rather than the provider what
  // the task is.
  void want_a_key() {
    const bool by_header = std::ranges::any_of(out_.headers, [](const Header& h) { return names_a_key(h.name); });
    if (!out_.key->empty() || by_header) {
      if (!unset_.empty()) out_.notes.push_back(unset_);
      return;
    }
    if (!unset_.empty()) {
      out_.unusable = unset_ + "; set it to the key";
    } else if (*out_.wire != Wire::ollama && url_.origin() == url_from(usual_url(*out_.wire))->origin()) {
      const std::string_view variable = is_openai(*out_.wire)           ? "OPENAI_API_KEY"
                                        : *out_.wire == Wire::anthropic ? "ANTHROPIC_API_KEY"
                                                                        : "GEMINI_API_KEY";
      out_.unusable = "there is no key for " + url_.host + ": set " + std::string(variable) +
                      ", or name the variable that holds it by --key-env";
    }
  }

  void keep_off_plain_http() {
    if (url_.scheme != "http" || url_.loopback() || (out_.key->empty() && out_.headers.empty())) return;
    const std::string what = out_.key->empty() ? "headers" : "the key from " + describe(out_.key.source);
    if (*out_.insecure_http) {
      out_.notes.push_back(what + " is sent to " + url_.origin() + " over plain http: anybody on the way can read it");
      return;
    }
    out_.unusable =
        what + " would go to " + url_.origin() +
        " over plain http, where anybody on the way can read it; use https, or set insecure_http = true in " +
        out_.places.config_file;
    out_.key = {};
    out_.bearer = false;
    out_.headers.clear();
  }

  const Layers& layers_;
  const Environment& environment_;
  const Url& url_;
  Config& out_;
  std::vector<Candidate> candidates_;
  std::string unset_;  ///< what is said of a key_env whose variable is not there
  Problem problem_;
};

}  // namespace

std::optional<std::expected<Placed, Problem>> provider_url(Wire wire, const Environment& environment) {
  const std::string_view variable = is_openai(wire)           ? "OPENAI_BASE_URL"
                                    : wire == Wire::anthropic ? "ANTHROPIC_BASE_URL"
                                    : wire == Wire::ollama    ? "OLLAMA_HOST"
                                                              : "";
  if (variable.empty()) return std::nullopt;
  const auto text = set_in(environment, variable);
  if (!text) return std::nullopt;
  auto url = wire == Wire::ollama ? url_from_ollama_host(*text) : url_from(*text);
  if (!url) return std::unexpected(Problem{std::string(variable) + ": " + url.error()});
  return Placed{*url, variable};
}

std::expected<void, Problem> choose_credentials(const Layers& layers, const Environment& environment, const Url& url,
                                                Config& out) {
  return Credentials(layers, environment, url, out).choose();
}

Problem problem_at(const Entry& entry, std::string_view key, std::string_view message) {
  const bool in_file = entry.source.level == Source::Level::file;
  return {(in_file ? std::string(key) : entry.source.name) + ": " + std::string(message),
          in_file ? entry.source.name : "", entry.source.line, entry.column};
}

}  // namespace BELAY_NAMESPACE::config
