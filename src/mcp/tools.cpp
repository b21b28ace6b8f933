#include <belay/mcp/tools.h>

#include "mcp/fields.h"
#include "mcp/visible_schema.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

namespace BELAY_NAMESPACE::mcp {
namespace {

using NoteKind = ToolNote::Kind;

// What runs when a remote tool is called.
class Remote {
 public:
  Remote(std::shared_ptr<Servers> servers, const ServerConfig& server, const ToolDefinition& definition, bool changed,
         std::optional<schema::Schema> output, const RemoteToolOptions& options)
      : servers_(std::move(servers)),
        server_(server.name),
        approve_(approve_command(server)),
        tool_(definition.name),
        taken_(std::make_shared<Taken>(definition)),
        changed_(changed),
        output_(std::move(output)),
        agrees_(options.agrees) {}

  tool::Result operator()(const tool::Invocation& invocation) const {
    if (invocation.confined)
      return tool::error_result("a tool of another program cannot be kept from the network and from writing");
    const std::string who = server_ + ": " + tool_;
    // As it is listed now: what was approved is what is called, or nothing is.
    bool changed = changed_, there = false;
    for (const ToolDefinition& now : servers_->tools(server_)) {
      if (now.name != tool_) continue;
      there = true;
      changed = changed || !still_taken(now, invocation.stop);
    }
    if (changed)
      return tool::error_result(who + " has changed since it was approved, and was not run; " + approve_ +
                                " shows what it is now, and asks");
    const auto status = servers_->status(server_);
    if (!there && status && status->state == State::ready)
      return tool::error_result("unavailable: " + who + " is not offered by its server any more");
    const Answer answer = servers_->request(
        server_, "tools/call", call_params(tool_, json::to_string(invocation.arguments)), invocation.stop,
        invocation.progress
            ? Servers::ProgressText([&](std::string_view news) { invocation.progress(std::string(news) + "\n"); })
            : Servers::ProgressText());
    if (!answer) return failure_result(server_, answer.error());
    const auto result = call_result(*answer);
    if (!result) return failure_result(server_, {Failure::Kind::garbage, "its answer is no result of a tool", 0, true});
    tool::Result out = to_result(*result);
    if (output_ && !result->is_error) check(*output_, *result, out);
    return out;
  }

 private:
  // The server promised a shape. The model is told when it did not keep to it; the result stands.
  static void check(const schema::Schema& promised, const CallResult& result, tool::Result& out) {
    std::string why = "there is none";
    if (result.structured) {
      const schema::Report report = promised.check(*result.structured);
      if (report.valid()) return;
      why = report.violations.empty() ? "it is too large to be checked" : report.violations[0].message;
    }
    out.content.push_back(
        chat::text_block("[the structured content is not what the tool's output schema promises: " + why + "]"));
  }

  // The definition that was offered, or one that a person has agreed to since. Calls may come at the same time: one
  // asks, and the others wait for what is said.
  struct Taken {
    explicit Taken(const ToolDefinition& d) : definition(d), hash(hash_of(d)) {}
    std::mutex lock;
    ToolDefinition definition;
    std::string hash, refused;
  };
  bool still_taken(const ToolDefinition& now, const std::stop_token& stop) const {
    const std::lock_guard guard(taken_->lock);
    const std::string hash = hash_of(now);
    if (hash == taken_->hash) return true;
    // What it takes is what the model was told. When that is another, no answer of a person makes the call fit.
    if (!agrees_ || now.input_schema != taken_->definition.input_schema || hash == taken_->refused) return false;
    const bool agreed = agrees_(server_, taken_->definition, now, stop);
    if (agreed) {
      taken_->definition = now;
      taken_->hash = hash;
    } else if (!stop.stop_requested()) {
      taken_->refused = hash;
    }
    return agreed;
  }

  std::shared_ptr<Servers> servers_;
  std::string server_, approve_, tool_;
  std::shared_ptr<Taken> taken_;
  bool changed_;
  std::optional<schema::Schema> output_;
  decltype(RemoteToolOptions::agrees) agrees_;
};

class Collection {
 public:
  Collection(const std::shared_ptr<Servers>& servers, const RemoteToolOptions& options)
      : servers_(servers), options_(options), taken_(options.taken.begin(), options.taken.end()) {}

  void add(const ServerConfig& config, const Status& status) {
    config_ = &config;
    if (status.state != State::ready)
      note(NoteKind::unavailable, "",
           std::string(name(status.state)) + (status.reason.empty() ? "" : ": " + status.reason));
    for (const std::string& text : status.notes) note(NoteKind::list, "", text);
    std::vector<ToolDefinition> tools = servers_->tools(config.name);
    if (options_.approvals && !status.instructions.empty() &&
        !options_.approvals->holds(config.hash, {tools, status.instructions}))
      note(NoteKind::changed, "",
           "what it says of itself is left out, since that, or one of its tools, is not what was approved; " +
               approve_command(config));
    // One that nobody has approved of offers nothing, whatever it was before.
    if (tools.empty() && options_.cache && status.state != State::ready && status.state != State::disabled)
      tools = options_.cache->load(config.hash);
    approved_ = options_.approved ? options_.approved->load(config.hash) : std::vector<ToolDefinition>{};
    for (const ToolDefinition& definition : tools) one(definition);
  }

  RemoteTools out;

 private:
  void note(NoteKind kind, std::string tool, std::string text) {
    out.notes.push_back({kind, config_->name, std::move(tool), std::move(text)});
  }

  std::string description(const ToolDefinition& definition) {
    std::size_t removed = 0;
    std::string text = visible_text(definition.description, removed);
    if (text.empty()) text = visible_text(definition.title, removed);
    if (removed > 0)
      note(NoteKind::cleaned, definition.name,
           std::to_string(removed) + " characters that nobody sees were taken out of its description");
    if (text.size() > options_.description_bytes) {
      std::size_t end = options_.description_bytes;
      while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
      text = text.substr(0, end) + " [...]";
      note(NoteKind::cleaned, definition.name,
           "its description was cut at " + std::to_string(options_.description_bytes) + " bytes (description_bytes)");
    }
    return text;
  }

  std::optional<schema::Schema> output_schema(const ToolDefinition& definition) {
    if (definition.output_schema.empty()) return std::nullopt;
    json::ReaderOptions strict;
    strict.mode = json::Mode::strict;
    strict.limits = options_.limits;
    const json::Reading reading = json::read(definition.output_schema, strict);
    schema::CompileOptions compile;
    compile.regexes = options_.regexes;
    compile.limits = options_.limits;
    if (reading.verdict.word() == json::Word::valid)
      if (auto compiled = schema::Schema::compile(reading.document.root(), compile)) return std::move(*compiled);
    note(NoteKind::list, definition.name, "its output schema cannot be used, and is not checked");
    return std::nullopt;
  }

  // What a model is told of a tool that has changed: what was approved, or what Belay itself can say. Its name is the
  // one that was approved in any case.
  ToolDefinition instead_of(const ToolDefinition& listed) const {
    const auto known = std::ranges::find(approved_, listed.name, &ToolDefinition::name);
    if (known != approved_.end() && hash_of(*known) == options_.approvals->tool(config_->hash, listed.name))
      return *known;
    ToolDefinition stub;
    stub.name = listed.name;
    stub.description = "This tool has changed since it was approved. It is not run: a call of it only says so.";
    return stub;
  }

  void one(const ToolDefinition& listed) {
    const Standing standing =
        options_.approvals ? options_.approvals->standing(config_->hash, listed) : Standing::unknown;
    // Not even its name: that may be a sentence, too.
    if (standing == Standing::added)
      return note(
          NoteKind::changed, listed.name,
          "it was not there when the server's tools were approved, and is not offered; " + approve_command(*config_));
    const bool changed = standing == Standing::changed;
    const ToolDefinition definition = changed ? instead_of(listed) : listed;
    tool::Spec spec;
    spec.name = tool_name(config_->name, definition.name);
    if (spec.name != config_->name + "__" + definition.name)
      note(NoteKind::renamed, definition.name, "it is called " + spec.name + " here");
    if (taken_.contains(spec.name))
      return note(NoteKind::refused, definition.name, "the name " + spec.name + " is taken");
    if (!definition.input_schema.starts_with('{') && !definition.input_schema.empty())
      return note(NoteKind::refused, definition.name, "its schema is no object");
    spec.description = description(definition);
    std::size_t removed = 0;
    auto parameters = visible_schema(definition.input_schema, options_.limits, removed);
    if (!parameters) return note(NoteKind::refused, definition.name, parameters.error());
    if (removed > 0)
      note(NoteKind::cleaned, definition.name,
           std::to_string(removed) + " characters that nobody sees were taken out of its schema");
    spec.parameters = definition.input_schema.empty() ? R"({"type":"object"})" : std::move(*parameters);
    if (config_->trust_annotations && definition.hints.read_only == true) spec.effect = tool::Effect::read;
    spec.timeout = config_->timeout * 10 + 5;  // the session has the time-outs; this one is only behind them
    if (changed)
      note(NoteKind::changed, listed.name,
           "it has changed since it was approved, and is not run; " + approve_command(*config_));
    if (changed && options_.refuse_unasked) spec.effect = tool::Effect::read;
    RemoteTool origin{spec.name, config_->name, listed.name, hash_of(listed), changed};
    Remote remote(servers_, *config_, definition, changed, output_schema(definition), options_);
    auto made = tool::Tool::make(std::move(spec), std::move(remote), options_.regexes, options_.limits);
    if (!made) return note(NoteKind::refused, definition.name, made.error());
    taken_.insert(origin.name);
    out.tools.push_back(std::move(*made));
    out.origins.push_back(std::move(origin));
  }

  const std::shared_ptr<Servers>& servers_;
  const RemoteToolOptions& options_;
  std::set<std::string> taken_;
  const ServerConfig* config_ = nullptr;
  std::vector<ToolDefinition> approved_;  // of that server, as far as they are known
};

}  // namespace

RemoteTools remote_tools(const std::shared_ptr<Servers>& servers, const RemoteToolOptions& options) {
  Collection collection(servers, options);
  for (const ServerConfig& config : servers->configs())
    if (const auto status = servers->status(config.name)) collection.add(config, *status);
  return std::move(collection.out);
}

Offer offer_of(const Servers& servers, std::string_view server) {
  const auto status = servers.status(server);
  return {servers.tools(server), status ? status->instructions : std::string()};
}

std::expected<void, std::string> approve_tools(Approvals& approvals, const Servers& servers, std::string_view server) {
  const auto config = std::ranges::find(servers.configs(), server, &ServerConfig::name);
  if (config == servers.configs().end()) return std::unexpected("there is no server " + std::string(server));
  const Offer offer = offer_of(servers, server);
  return approvals.update([&](Approvals& a) { a.approve_offer(config->hash, offer); });
}

}  // namespace BELAY_NAMESPACE::mcp
