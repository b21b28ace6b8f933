// What MCP's messages carry, read from JSON and written to it. Pure. Readers take what they can use: a field of the
// wrong type counts as absent, an item that cannot be used is counted in `unusable`.
#pragma once

#include <belay/mcp/message.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace BELAY_NAMESPACE::mcp {

/// Protocol versions, oldest first. From the last on there is no handshake: each request carries its version.
enum class Version : std::uint8_t { v2024_11_05, v2025_03_26, v2025_06_18, v2025_11_25, v2026_07_28 };
std::string_view name(Version) noexcept;
std::optional<Version> version_named(std::string_view text) noexcept;
constexpr bool stateless(Version v) { return v >= Version::v2026_07_28; }

/// Who somebody says to be.
struct Peer {
  std::string name, title, version;
  bool operator==(const Peer&) const = default;
};

struct ServerCapabilities {
  bool tools = false, tools_list_changed = false;
  bool resources = false, resources_list_changed = false, resources_subscribe = false;
  bool prompts = false, prompts_list_changed = false;
  bool logging = false, completions = false;
  bool operator==(const ServerCapabilities&) const = default;
};

/// The answer to `initialize`, or to `server/discover`.
struct Introduction {
  std::vector<std::string> versions;  ///< one after initialize; those that the server has after server/discover
  Peer server;
  ServerCapabilities capabilities;
  std::string instructions;
  bool operator==(const Introduction&) const = default;
};
std::optional<Introduction> introduction_of(json::Value result);
/// The versions that an error with code kUnsupportedVersion lists.
std::vector<std::string> supported_versions(json::Value data);

/// What a server says about a tool. Hints of a stranger: true, false, or nothing said.
struct Annotations {
  std::optional<bool> read_only, destructive, idempotent, open_world;
  bool operator==(const Annotations&) const = default;
};

struct ToolDefinition {
  std::string name, title, description;
  std::string input_schema;   ///< JSON text
  std::string output_schema;  ///< JSON text; empty for none
  Annotations hints;
  std::string annotations;  ///< JSON text, all of them; empty for none
  bool operator==(const ToolDefinition&) const = default;
};

struct Resource {
  std::string uri, name, title, description, mime_type;
  std::optional<std::uint64_t> size;
  bool operator==(const Resource&) const = default;
};
struct ResourceTemplate {
  std::string uri_template, name, title, description, mime_type;
  bool operator==(const ResourceTemplate&) const = default;
};
struct PromptArgument {
  std::string name, description;
  bool required = false;
  bool operator==(const PromptArgument&) const = default;
};
struct Prompt {
  std::string name, title, description;
  std::vector<PromptArgument> arguments;
  bool operator==(const Prompt&) const = default;
};

/// What an entry of a list takes, in bytes: all its texts.
std::size_t bytes_of(const ToolDefinition& tool);
std::size_t bytes_of(const Resource& resource);
std::size_t bytes_of(const ResourceTemplate& resource);
std::size_t bytes_of(const Prompt& prompt);

/// One page of a list.
template <class T>
struct Page {
  std::vector<T> items;
  std::string next_cursor;  ///< where the next page begins; empty: this is the last
  std::size_t unusable = 0;
};
/// Nothing when it is no such list at all. At most `most` items are read; `more` is set when there were more.
std::optional<Page<ToolDefinition>> tools_page(json::Value result, std::size_t most, bool& more);
std::optional<Page<Resource>> resources_page(json::Value result, std::size_t most, bool& more);
std::optional<Page<ResourceTemplate>> templates_page(json::Value result, std::size_t most, bool& more);
std::optional<Page<Prompt>> prompts_page(json::Value result, std::size_t most, bool& more);

/// A part of a result or of a prompt.
struct Content {
  enum class Kind : std::uint8_t {
    text,
    image,          ///< `data` in base64, `mime_type`
    audio,          ///< `data` in base64, `mime_type`
    resource_link,  ///< `uri`, `name`, `text`: its description
    resource,       ///< `uri`, and `text`, or `data` in base64 with `binary`
    other,          ///< a kind that nobody here knows: `name` is its type
  };
  Kind kind = Kind::text;
  std::string text, data, mime_type, uri, name;
  bool binary = false;
  bool operator==(const Content&) const = default;
};

struct CallResult {
  std::vector<Content> content;  ///< at most `most`
  std::size_t left_out = 0;      ///< further ones
  Payload structured;            ///< structuredContent, if there is any
  bool is_error = false;
  std::size_t unusable = 0;
};
/// Nothing when it is neither a result of a tool nor close to one.
std::optional<CallResult> call_result(const Payload& result, std::size_t most = 1024);

/// What resources/read gives.
std::optional<std::vector<Content>> resource_contents(json::Value result, std::size_t most = 1024);

struct PromptMessage {
  std::string role;
  Content content;
  bool operator==(const PromptMessage&) const = default;
};
struct PromptResult {
  std::string description;
  std::vector<PromptMessage> messages;
  bool operator==(const PromptResult&) const = default;
};
std::optional<PromptResult> prompt_result(json::Value result, std::size_t most = 1024);

struct Root {
  std::string uri, name;
  bool operator==(const Root&) const = default;
};
std::string roots_result(const std::vector<Root>& roots);

struct Progress {
  Id token;
  double progress = 0;
  std::optional<double> total;
  std::string message;
  bool operator==(const Progress&) const = default;
};
std::optional<Progress> progress_of(json::Value params);

struct LogLine {
  std::string level, logger;
  std::string text;  ///< the data: a string as it is, anything else as JSON
  bool operator==(const LogLine&) const = default;
};
std::optional<LogLine> log_line(json::Value params);

/// elicitation/create: what a server wants to know of the person.
struct Elicitation {
  bool url_mode = false;
  std::string message;
  std::string schema;  ///< JSON text: of the form
  std::string url;     ///< url mode: where the person should go. Shown, never opened through a shell
  bool operator==(const Elicitation&) const = default;
};
std::optional<Elicitation> elicitation_of(json::Value params);
/// The pages that an error with code kUrlRequired names, each as the params of an elicitation.
std::vector<Payload> required_pages(const Payload& data);
enum class Choice : std::uint8_t { accept, decline, cancel };
/// `content` is JSON text of an object; only with accept.
std::string elicitation_result(Choice choice, std::string_view content = {});
bool is_accepted(std::string_view elicitation_result);

/// 2026-07-28: a result that asks for input before there is a real one.
struct InputRequest {
  std::string key, method;
  Payload params;
};
struct InputRequired {
  std::vector<InputRequest> requests;
  std::optional<std::string> state;
};
/// Nothing for any other result.
std::optional<InputRequired> input_required(const Payload& result);
/// False for a result that is neither complete nor asks for input: an extension that nobody here knows.
bool known_result_type(json::Value result);

/// What this client is and can do, as it is told to servers.
struct ClientFacts {
  Peer peer{"belay", "Belay", "0"};
  bool roots = false, sampling = false, elicitation = false;
};
std::string initialize_params(const ClientFacts& facts, Version version);
/// The `_meta` of a request of 2026-07-28. `progress` is the token; none: no progress wanted.
std::string request_meta(const ClientFacts& facts, Version version, const Id& progress);
/// The params of a request with this `_meta` in front; `params` is JSON text of an object, or empty.
std::string with_meta(std::string_view params, std::string_view meta);
std::string call_params(std::string_view tool, std::string_view arguments);

}  // namespace BELAY_NAMESPACE::mcp
