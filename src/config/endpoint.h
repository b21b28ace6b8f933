// Which model, where it is, and which key may go there.
#pragma once

#include <belay/version.h>

#include "layers.h"

#include <expected>

namespace BELAY_NAMESPACE::config {

/// Fills in the model, its wire, base URL, key and headers, notes, and why it is unusable. `layers.model` must be the
/// table of the model that `layers` names.
std::expected<void, Problem> choose_endpoint(const Layers& layers, const Environment& environment, Config& out);

/// Where nobody names a model, the usual one of the provider whose key is in the environment: Anthropic's before
/// OpenAI's before Google's. Not where a server, or a key, is named: it may be somebody else's.
void add_usual_model(Layers& layers, const Environment& environment);

/// The name of the model as it was given, and whence; empty when nobody gave one.
Setting<std::string> model_given(const Layers& layers);

}  // namespace BELAY_NAMESPACE::config
