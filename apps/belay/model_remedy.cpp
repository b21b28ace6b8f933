#include "model_remedy.h"

#include <belay/run.h>

namespace belay::cli {
namespace {

constexpr std::string_view kNoKey = "no key was sent: --key-env VARIABLE names the variable that holds one";

std::string origin(const config::Source& source) {
  return (source.level == config::Source::Level::built_in ? "is the " : "comes from ") + config::describe(source);
}

// The address that was asked, with the wire's own path: what is wrong with a base URL is seen there.
std::string asked(const config::Config& config) {
  run::Endpoint endpoint;
  endpoint.wire = config.wire.value;
  endpoint.base_url = config.base_url.value;
  return run::url_of(endpoint, config.model.value);
}

}  // namespace

std::string model_remedy(const config::Config& config, std::string_view kind) {
  const std::string& base = config.base_url.value;
  const std::string key = config.key.value.empty() ? "" : "the key from " + config::describe(config.key.source);
  if (kind == "unreachable")
    return "the base URL " + base + " " + origin(config.base_url.source) + "; belay doctor looks at it";
  if (kind == "authentication")
    return key.empty() ? std::string(kNoKey) : key + " was sent to " + base + "; --key-env VARIABLE names another";
  // Somebody else than the provider may have said it: a proxy, a firewall.
  if (kind == "permission")
    return base + " or a proxy on the way to it forbids this; " +
           (key.empty() ? std::string(kNoKey) : key + " was sent: may it use the model " + config.model.value + "?");
  if (kind == "not_found")
    return "the address asked was " + asked(config) + ", for the model " + config.model.value +
           "; --base-url, --wire and --model name others";
  return {};
}

std::string model_remedy_sentence(const config::Config& config, std::string_view kind) {
  std::string out = model_remedy(config, kind);
  if (out.empty()) return out;
  // An address is not written with a capital.
  if (out[0] >= 'a' && out[0] <= 'z' && !out.starts_with("http")) out[0] = static_cast<char>(out[0] - 'a' + 'A');
  return out.ends_with('?') ? out : out + ".";
}

}  // namespace belay::cli
