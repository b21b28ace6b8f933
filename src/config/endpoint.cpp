#include "endpoint.h"

#include "credentials.h"
#include "keys.h"
#include "model.h"
#include "set_in.h"
#include "url.h"

#include <array>
#include <optional>

namespace BELAY_NAMESPACE::config {
namespace {

using wire::Wire;

// What the environment says about where models are.
struct Hint {
  std::string_view variable;
  Wire wire;
};
constexpr std::array kHints{
    Hint{"OPENAI_BASE_URL", Wire::openai_chat},  Hint{"OLLAMA_HOST", Wire::ollama},
    Hint{"ANTHROPIC_BASE_URL", Wire::anthropic}, Hint{"OPENAI_API_KEY", Wire::openai_responses},
    Hint{"ANTHROPIC_API_KEY", Wire::anthropic},  Hint{"ANTHROPIC_AUTH_TOKEN", Wire::anthropic},
    Hint{"GEMINI_API_KEY", Wire::gemini},        Hint{"GOOGLE_API_KEY", Wire::gemini},
};

class Chooser {
 public:
  Chooser(const Layers& layers, const Environment& environment, Config& out)
      : layers_(layers), environment_(environment), out_(out) {}

  std::expected<void, Problem> choose() {
    out_.model = model_given(layers_);
    if (built_in()) return {};
    choose_wire();
    if (wire_known_)
      if (auto done = choose_url(); !done) return done;
    if (wire_known_)
      if (auto done = choose_credentials(layers_, environment_, url_, out_); !done) return done;
    if (out_.model->empty()) unusable(no_model());
    if (!out_.model->empty() && !wire_known_)
      unusable("it is not known how to speak to the model " + cited(*out_.model) +
               ": name its wire (--wire openai-chat, openai-responses, anthropic, gemini or ollama), or put it before "
               "the name, as ollama/NAME");
    const auto built_in = [](const auto& setting) { return setting.source.level == Source::Level::built_in; };
    if (!built_in(out_.max_cost) && (built_in(out_.price_input) || built_in(out_.price_output)))
      unusable("max_cost (" + describe(out_.max_cost.source) +
               ") cannot be kept: no price is known for this model; set price.input and price.output in [models.\"" +
               out_.model.value + "\"] of " + out_.places.config_file);
    return {};
  }

 private:
  // What a server of the person's own has cannot be guessed, but it says so itself.
  std::string no_model() const {
    std::string out = "no model is chosen: name one by --model, BELAY_MODEL or model = \"...\" in " +
                      out_.places.config_file + " (--model demo, without a task, plays a demonstration)";
    if (wire_known_ && out_.base_url.source.level != Source::Level::built_in)
      out += "; to see which there are: curl " + out_.base_url.value +
             (*out_.wire == Wire::ollama      ? "/api/tags"
              : *out_.wire == Wire::anthropic ? "/v1/models"
              : *out_.wire == Wire::gemini    ? "/v1beta/models"
                                              : "/models");
    return out;
  }

  void unusable(std::string why) {
    if (out_.unusable.empty()) out_.unusable = std::move(why);
    out_.key = {};
    out_.headers.clear();
  }

  // `demo` is meant when it is asked for, or when there is nothing else to ask for.
  bool built_in() {
    const bool placed = layers_.find("wire") != nullptr || layers_.find("base_url") != nullptr;
    bool named_nothing =
        out_.model->empty() && !placed && layers_.find("key") == nullptr && layers_.find("key_env") == nullptr;
    for (const Hint& hint : kHints) named_nothing = named_nothing && !set_in(environment_, hint.variable);
    const bool asked_for = *out_.model == "demo" && layers_.model.empty() &&
                           Layers::find_in(layers_.flags, "wire") == nullptr &&
                           Layers::find_in(layers_.flags, "base_url") == nullptr;
    if (!named_nothing && !asked_for) return false;
    out_.model.value = "demo";
    out_.demo = true;
    return true;
  }

  void choose_wire() {
    wire_known_ = true;
    if (const Entry* given = layers_.find("wire")) {
      // The table of keys let no other words pass.
      out_.wire = {wire::wire_named(std::get<std::string>(given->value)).value_or(Wire::openai_chat), given->source};
    } else if (auto split = prefixed(*out_.model)) {
      out_.wire = {split->wire, out_.model.source};
      out_.model.value = split->model;
    } else if (auto named = wire_of_name(*out_.model)) {
      out_.wire = {*named, out_.model.source};
    } else if (const Entry* url = layers_.find("base_url")) {
      // What people put on hosts of their own speaks this, nearly always.
      out_.wire = {Wire::openai_chat, url->source};
    } else {
      for (const Hint& hint : kHints)
        if (set_in(environment_, hint.variable)) {
          out_.wire = {hint.wire, {Source::Level::environment, std::string(hint.variable)}};
          return;
        }
      wire_known_ = false;
    }
  }

  std::expected<void, Problem> choose_url() {
    const Entry* flag = Layers::find_in(layers_.flags, "base_url");
    const Entry* own = Layers::find_in(layers_.model, "base_url");
    if (const Entry* given = flag != nullptr ? flag : own) {
      use(*given);
      return {};
    }
    if (auto placed = provider_url(*out_.wire, environment_)) {
      if (!*placed) return std::unexpected((*placed).error());
      url_ = (*placed)->url;
      out_.base_url = {url_.text(), {Source::Level::environment, std::string((*placed)->variable)}};
      return {};
    }
    if (const Entry* given = layers_.find("base_url")) {
      use(*given);
      return {};
    }
    url_ = *url_from(usual_url(*out_.wire));
    out_.base_url = {std::string(usual_url(*out_.wire)), {}};
    return {};
  }

  // It can be read: otherwise the layer would have been refused.
  void use(const Entry& given) {
    url_ = *url_from(std::get<std::string>(given.value));
    out_.base_url = {url_.text(), given.source};
  }

  const Layers& layers_;
  const Environment& environment_;
  Config& out_;
  bool wire_known_ = false;
  Url url_;
};

}  // namespace

Setting<std::string> model_given(const Layers& layers) {
  const Entry* given = layers.find("model");
  if (given == nullptr) return {};
  return {std::get<std::string>(given->value), given->source};
}

void add_usual_model(Layers& layers, const Environment& environment) {
  struct Usual {
    std::string_view variable, model;
    Wire wire;
  };
  constexpr std::array kUsual{
      Usual{"ANTHROPIC_AUTH_TOKEN", "claude-sonnet-4-5", Wire::anthropic},
      Usual{"ANTHROPIC_API_KEY", "claude-sonnet-4-5", Wire::anthropic},
      Usual{"OPENAI_API_KEY", "gpt-5", Wire::openai_responses},
      Usual{"GEMINI_API_KEY", "gemini-2.5-pro", Wire::gemini},
      Usual{"GOOGLE_API_KEY", "gemini-2.5-pro", Wire::gemini},
  };
  // A server of one's own has models of its own; and a key that was named may be another provider's.
  for (std::string_view key : {"model", "base_url", "key", "key_env"})
    if (layers.find(key) != nullptr) return;
  for (std::string_view variable : {"OPENAI_BASE_URL", "OLLAMA_HOST"})
    if (set_in(environment, variable)) return;
  std::optional<Wire> wanted;
  if (const Entry* wire = layers.find("wire")) wanted = wire::wire_named(std::get<std::string>(wire->value));
  if (wanted == Wire::openai_chat) wanted = Wire::openai_responses;
  for (const Usual& usual : kUsual)
    if ((!wanted || *wanted == usual.wire) && set_in(environment, usual.variable)) {
      layers.usual["model"] = {std::string(usual.model), {Source::Level::built_in, std::string(usual.variable)}};
      return;
    }
}

std::expected<void, Problem> choose_endpoint(const Layers& layers, const Environment& environment, Config& out) {
  return Chooser(layers, environment, out).choose();
}

}  // namespace BELAY_NAMESPACE::config
