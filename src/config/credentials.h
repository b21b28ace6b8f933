// Keys and headers, each bound to the host that it is for.
#pragma once

#include <belay/version.h>

#include "layers.h"
#include "url.h"

#include <expected>
#include <optional>
#include <string_view>

namespace BELAY_NAMESPACE::config {

/// Where the environment says that a provider is (OPENAI_BASE_URL, ANTHROPIC_BASE_URL, OLLAMA_HOST). Nothing when it
/// says nothing.
struct Placed {
  Url url;
  std::string_view variable;
};
std::optional<std::expected<Placed, Problem>> provider_url(wire::Wire wire, const Environment& environment);

/// Chooses among the keys those that may go to `url`, and withholds them all where the way is not safe. Who can set
/// what: flags, environment and config file are the person's own; still a base URL of one must not draw a key of
/// another to it, since each may have been copied from somewhere. So a key has a home (the base URL beside which it
/// stands, or its provider's), and goes elsewhere only when the command line names it (--key-env).
std::expected<void, Problem> choose_credentials(const Layers& layers, const Environment& environment, const Url& url,
                                                Config& out);

Problem problem_at(const Entry& entry, std::string_view key, std::string_view message);

}  // namespace BELAY_NAMESPACE::config
