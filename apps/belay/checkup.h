// What `belay doctor` finds out besides the sandbox: the model, the store, the versions.
#pragma once

#include <belay/config.h>

#include <cstdint>
#include <expected>
#include <functional>
#include <string>
#include <vector>

namespace belay::cli {

struct Check {
  enum class State : std::uint8_t { good, bad, open };  ///< open: not looked at, or nothing to say against it
  std::string name;
  State state = State::open;
  std::string what;    ///< one or two sentences
  std::string remedy;  ///< for what is bad
};

struct ModelCheckOptions {
  bool offline = false;                ///< only what the configuration says
  std::int64_t idle_timeout = 60'000;  ///< milliseconds without a byte from the server
};
/// Asks the configured model for one call of a small tool, over the network: is it reachable, does it know the key,
/// does it call tools, and does its server make calls of them? `known` gets each check as soon as it is known.
std::vector<Check> check_model(const config::Config& config, const ModelCheckOptions& options,
                               const std::function<void(const Check&)>& known);
/// The store in the data folder; makes none.
std::vector<Check> check_store(const config::Config& config);
std::vector<Check> check_versions();

}  // namespace belay::cli
