// config: what the person chose, by flags, environment and file, and whence each choice comes. An edge: it reads files.
#pragma once

#include <belay/policy/permission.h>
#include <belay/sandbox/cage.h>
#include <belay/task/settings.h>
#include <belay/wire.h>

#include <cstdint>
#include <expected>
#include <functional>
#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace BELAY_NAMESPACE::config {

/// The text of a key. It leaves only by reveal(), so that whoever prints it must have meant to.
class Secret {
 public:
  Secret() = default;
  explicit Secret(std::string text) : text_(std::move(text)) {}
  [[nodiscard]] const std::string& reveal() const { return text_; }
  [[nodiscard]] bool empty() const { return text_.empty(); }
  bool operator==(const Secret&) const = default;

 private:
  std::string text_;
};
/// `***`, or nothing when it is empty.
std::ostream& operator<<(std::ostream&, const Secret&);

/// Where a setting comes from.
struct Source {
  enum class Level : std::uint8_t { built_in, file, environment, flag };
  Level level = Level::built_in;
  std::string name{};      ///< the file's path, the variable's name, or the flag; of a default what it is for, or empty
  std::uint64_t line = 0;  ///< in the file
  bool operator==(const Source&) const = default;
};
/// `default`, `default for OPENAI_API_KEY`, `/home/me/.config/belay/config.toml:12`, `OPENAI_API_KEY`, `--model`.
std::string describe(const Source& source);

template <class T>
struct Setting {
  T value{};
  Source source{};
  const T& operator*() const { return value; }
  const T* operator->() const { return &value; }
  bool operator==(const Setting&) const = default;
};

/// Why there is no configuration. One sentence and its remedy; no key is in it.
struct Problem {
  std::string message;
  std::string file{};  ///< empty when it is about a flag or a variable
  std::uint64_t line = 0, column = 0;
  bool operator==(const Problem&) const = default;
};
/// `FILE:3:7: expected a whole number`.
std::string describe(const Problem& problem);

/// The value of an environment variable. An empty value counts as none.
using Environment = std::function<std::optional<std::string>(std::string_view)>;
/// That of this process.
Environment process_environment();

/// Where the person's files are.
struct Places {
  std::string config_file;  ///< need not exist
  std::string data;         ///< the folder of store, log and history; need not exist, see make_folder()
  std::vector<std::string> notes{};
  bool operator==(const Places&) const = default;
};
/// By BELAY_HOME, else XDG_CONFIG_HOME and XDG_STATE_HOME, else HOME. A relative BELAY_HOME is a Problem: it would mean
/// another file in each folder, a stranger's among them. Relative XDG folders are ignored, as their specification says.
std::expected<Places, Problem> places(const Environment& environment);
/// Makes a folder and those above it, for the owner alone (0700). One that is there must be the owner's.
std::expected<void, Problem> make_folder(const std::string& path);

/// What stands on the command line, as it stands there. What is wrong with it is said by load().
struct Flags {
  using Text = std::optional<std::string>;
  Text model, wire, base_url, key_env, format, effort, profile;
  Text max_tokens, max_turns, max_tokens_total, max_cost, max_seconds;
  Text permission_mode, sandbox, log_level;
  Text color, colour;  ///< one setting, spelled in two ways; the second counts where both are given
  std::optional<bool> network, ask_for_guesses, todos_before_completion;
  std::vector<std::string> allow, ask, deny;  ///< permission rules, beside those of the file
  std::vector<std::string> headers;           ///< `Name: value`, beside those of the file
};

struct Header {
  std::string name;
  Secret value;  ///< often a token
  Source source{};
  bool operator==(const Header&) const = default;
};

struct Config {
  // The model, and where it is.
  Setting<std::string> model;  ///< as it is sent, without a prefix that named the wire
  bool demo = false;           ///< the built-in model is meant: no host, no key
  Setting<wire::Wire> wire;
  Setting<std::string> base_url;  ///< without a slash at its end; with /v1 where that is the convention (OpenAI)
  Setting<Secret> key;            ///< belongs to this base_url; empty for none
  bool bearer = false;            ///< Anthropic: the key is a token for `authorization`
  std::vector<Header> headers;    ///< belong to this base_url
  Setting<bool> insecure_http;    ///< keys may go over plain http to other machines
  Setting<std::string> format;    ///< `native`, or a name of text::formats()
  Setting<std::string> effort;    ///< empty, minimal, low, medium or high
  Setting<std::uint64_t> max_tokens, max_output;  ///< of an answer: asked for at first, and at most
  Setting<std::uint64_t> context;                 ///< tokens that the model can take
  Setting<double> price_input, price_output, price_cached, price_cache_write;  ///< US dollars a million; 0: unknown

  // How far a task may go.
  Setting<std::uint64_t> max_turns, max_tokens_total, max_seconds;
  Setting<double> max_cost;
  Setting<std::uint64_t> mistakes, same_mistake, mistakes_in_all, repeats, cycle, nudges, empty;  ///< breakers

  // What it may do.
  Setting<policy::Mode> permission_mode;
  std::vector<Setting<policy::Rule>> rules;
  Setting<sandbox::Level> sandbox;
  Setting<bool> network, ask_for_guesses, todos_before_completion;

  // How it looks.
  Setting<std::string> log_level;  ///< trace, debug, info, warn, error or off
  Setting<std::string> colour;     ///< auto, always or never

  Setting<std::string> profile;  ///< empty for none
  Places places;
  bool file_found = false;
  /// Why no request can be made (no model, no wire, a key that would go over plain http): one sentence with its remedy.
  /// Empty when one can. There is no key here then.
  std::string unusable;
  std::vector<std::string> notes;  ///< what the person should know, such as a key that is not sent
};

inline constexpr std::uint64_t kFileBytes = 10'000'000;  ///< the largest config file that load() reads by default
struct LoadOptions {
  std::uint64_t file_bytes = kFileBytes;
};

/// Flags over environment over file over defaults; of the file the profile stands over the rest, and what the model's
/// own table says about the model stands over the environment too. Nothing of the workspace is read. A key goes with
/// its own host only: see docs/config.md.
std::expected<Config, Problem> load(const Flags& flags, const Environment& environment, const Places& places,
                                    const LoadOptions& options = {});

/// A task's settings as configured; the system prompt and the seed are the caller's.
task::Settings task_settings(const Config& config);
/// Mode and rules; the workspace is the caller's.
policy::Permissions permissions(const Config& config);

/// The texts that a key of the file may have, such as those of `effort`; none when it may have any.
std::span<const std::string_view> words_of(std::string_view key);

/// One setting as it is shown to the person. Keys are shown as `set`.
struct Line {
  std::string name, value;
  Source source{};
  bool literal = false;  ///< the value is a number, true or false
  bool operator==(const Line&) const = default;
};
/// Every setting that applies, in the order of docs/config.md.
std::vector<Line> listing(const Config& config);

}  // namespace BELAY_NAMESPACE::config
