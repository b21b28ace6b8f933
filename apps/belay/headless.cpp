#include "headless.h"

#include "go_on.h"
#include "json_string.h"
#include "result_json.h"
#include "session.h"
#include "terminal.h"

#include <belay/json/writer.h>

#include <algorithm>
#include <cstdio>
#include <utility>

namespace belay::cli {
namespace {

using Clock = std::chrono::steady_clock;

// Dollars, without the noise of binary fractions.
std::string dollars(double cost) {
  char out[48];
  const int n = std::snprintf(out, sizeof out, "%.10g", cost);
  return {out, static_cast<std::size_t>(n)};
}

std::string block_json(const chat::Block& block) {
  using Kind = chat::Block::Kind;
  switch (block.kind) {
    case Kind::text:
    case Kind::refusal: return R"({"type":"text","text":)" + json_string(block.text) + "}";
    case Kind::reasoning: return R"({"type":"thinking","thinking":)" + json_string(block.text) + "}";
    case Kind::tool_call:
      return R"({"type":"tool_use","id":)" + json_string(block.id) + R"(,"name":)" + json_string(block.name) +
             R"(,"input":)" + (block.arguments.empty() ? "{}" : block.arguments) + "}";
    case Kind::image:
      if (!block.url.empty()) return R"({"type":"image","source":{"type":"url","url":)" + json_string(block.url) + "}}";
      return R"({"type":"image","source":{"type":"base64","media_type":)" + json_string(block.media_type) +
             R"(,"data":)" + json_string(block.data) + "}}";
    case Kind::tool_result:
    case Kind::other: return {};
  }
  return {};
}

// A text as a terminal may have it: its lines, and nothing that steers.
std::string printable_lines(std::string_view text) {
  std::string out;
  while (true) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    while (!line.empty()) {
      const std::size_t tab = line.find('\t');
      out += printable(line.substr(0, tab));
      if (tab == line.npos) break;
      out += '\t';
      line.remove_prefix(tab + 1);
    }
    if (end == text.npos) return out;
    out += '\n';
    text.remove_prefix(end + 1);
  }
}

// The beginning, up to the end of a word, and a mark where something is left out.
std::string beginning(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  std::size_t end = text.rfind(' ', most);
  if (end == text.npos || end < most / 2)
    for (end = most; end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80;) --end;
  return std::string(text.substr(0, end)) + " ...";
}

std::uint64_t uncached(const chat::Usage& usage) {
  const std::uint64_t all = usage.input_tokens.value_or(0);
  return all - std::min(all, usage.cached_tokens.value_or(0) + usage.cache_write_tokens.value_or(0));
}

void append(std::string& list, std::string_view item) {
  if (item.empty()) return;
  if (!list.empty()) list += ',';
  list += item;
}

std::string_view stop_word(chat::StopReason reason) {
  switch (reason) {
    case chat::StopReason::tool_calls: return "tool_use";
    case chat::StopReason::length: return "max_tokens";
    case chat::StopReason::refusal:
    case chat::StopReason::content_filter: return "refusal";
    case chat::StopReason::pause: return "pause_turn";
    default: return "end_turn";
  }
}

std::string_view subtype_of(task::EndReason reason) {
  switch (reason) {
    case task::EndReason::completed: return "success";
    case task::EndReason::turns: return "error_max_turns";
    case task::EndReason::cost: return "error_max_budget_usd";
    default: return "error_during_execution";
  }
}

}  // namespace

Headless::Headless(Output& out, Output& err, OutputFormat format, HeadlessInfo info)
    : out_(out), err_(err), format_(format), info_(std::move(info)), partial_(info_.model), began_(Clock::now()) {}

void Headless::line(std::string_view json) {
  // JSON leaves DEL and C1 as they are, and a terminal obeys them.
  out_ << quiet_json(json) << "\n";
  out_.flush();
}

std::string Headless::around(std::string_view type, const std::string& task) {
  std::string out = R"({"type":")" + std::string(type) + R"(","session_id":)" + json_string(info_.session);
  out += R"(,"uuid":)" + json_string(new_task_id());
  out += R"(,"parent_tool_use_id":)";
  const auto parent = parents_.find(task);
  return out += parent == parents_.end() ? "null" : json_string(parent->second);
}

void Headless::begin() {
  if (format_ != OutputFormat::stream_json) return;
  std::string out = R"({"type":"system","subtype":"init","cwd":)" + json_string(info_.workspace) + R"(,"session_id":)" +
                    json_string(info_.session) + R"(,"uuid":)" + json_string(new_task_id()) +
                    R"(,"slash_commands":[],"output_style":"default","tools":[)";
  std::string names, servers;
  for (const std::string& tool : info_.tools) append(names, json_string(tool));
  for (const HeadlessInfo::Server& server : info_.servers)
    append(servers, R"({"name":)" + json_string(server.name) + R"(,"status":)" + json_string(server.status) + "}");
  out += names + R"(],"mcp_servers":[)" + servers + R"(],"model":)" + json_string(info_.model) +
         R"(,"permissionMode":)" + json_string(info_.permission_mode) + R"(,"apiKeySource":)" +
         json_string(info_.key_source) + R"(,"protocol":)" + json_string(info_.protocol) + "}";
  line(out);
}

// Lines are broken for people only: whoever reads a pipe looks for whole ones.
void Headless::tell(std::string_view text) {
  const std::string lead = info_.program + ": ";
  err_ << lead << (err_.is_terminal() ? folded(text, lead.size()) : printable(text)) << "\n";
  err_.flush();
}

void Headless::on(const task::Event& event) {
  using Kind = task::EventKind;
  if (event.kind == Kind::request) asked_[event.task] = Clock::now();
  if (event.kind == Kind::usage || event.kind == Kind::failed)
    if (auto asked = asked_.extract(event.task))
      at_model_ += std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - asked.mapped());
  if (event.kind == Kind::failed) trouble_ = event.name + ": " + event.text;
  const std::string again =
      event.kind == Kind::retry ? trouble_ + "; asked again in " + std::to_string(event.number) + " ms" : "";
  if (format_ == OutputFormat::text && event.kind == Kind::retry) tell(again);
  if (format_ == OutputFormat::text && event.kind == Kind::folded) tell(event.text);
  // The task goes on, and its next requests may be refused as too long: that must not come as a surprise.
  if (format_ == OutputFormat::text && event.kind == Kind::notice && event.name == "context_full")
    tell("context_full: " + event.text);
  if (format_ != OutputFormat::stream_json) return;
  if (info_.partial)
    for (const std::string& piece : partial_.on(event))
      line(around("stream_event", event.task) + R"(,"event":)" + piece + "}");
  if (event.kind == Kind::retry || event.kind == Kind::failed || event.kind == Kind::folded ||
      event.kind == Kind::notice)
    line(around("system", event.task) + R"(,"subtype":)" + json_string(task::name(event.kind)) + R"(,"kind":)" +
         json_string(event.name) + R"(,"message":)" + json_string(event.kind == Kind::retry ? again : event.text) +
         (event.kind == Kind::retry ? R"(,"delay_ms":)" + std::to_string(event.number) : "") + "}");
}

void Headless::kept(const task::Record& record) {
  if (const auto* created = std::get_if<task::Created>(&record.body)) {
    if (!created->parent.empty()) parents_[record.task] = created->parent_call;
  } else if (const auto* turn = std::get_if<task::Turn>(&record.body)) {
    assistant(record, *turn);
  } else if (const auto* finding = std::get_if<task::Finding>(&record.body)) {
    result_of(record, *finding);
  } else if (const auto* words = std::get_if<task::Said>(&record.body)) {
    said(record, *words);
  } else if (const auto* folded = std::get_if<task::Folded>(&record.body)) {
    count(folded->usage, folded->estimated, folded->cost);
  } else if (const auto* failed = std::get_if<task::RequestFailed>(&record.body)) {
    count(failed->usage, failed->estimated, failed->cost);
  }
}

void Headless::count(const chat::Usage& usage, const chat::Usage& estimated, double cost) {
  const std::uint64_t input = estimated.input_tokens.value_or(0), output = estimated.output_tokens.value_or(0);
  input_ += uncached(usage) + input;
  output_ += usage.output_tokens.value_or(0) + output;
  estimated_ += input + output;
  cached_ += usage.cached_tokens.value_or(0);
  cache_write_ += usage.cache_write_tokens.value_or(0);
  cost_ += cost;
}

void Headless::receipts_of(const task::Record& record, const task::Turn& turn) {
  for (const task::PlannedCall& call : turn.calls) {
    if (call.damage.verdict == json::Word::valid && call.error.empty() && call.receipt.empty()) continue;
    std::string kinds;
    for (const std::string& kind : call.damage.kinds) append(kinds, json_string(kind));
    const bool refused = call.handling == policy::Handling::refuse;
    receipts_.push_back({record.task, call.id, call.name, std::string(json::name(call.damage.verdict)), kinds,
                         call.error, refused ? beginning(call.feedback, 1'000) : call.receipt, call.not_run,
                         std::string(policy::name(call.handling))});
    if (format_ != OutputFormat::text) continue;
    std::string what = refused ? "refused: " + beginning(call.feedback, 300) : call.receipt;
    if (!call.not_run.empty()) what += (what.empty() ? "" : " ") + call.not_run;
    if (what.empty()) what = "several objects in one call; " + std::to_string(call.runs.size()) + " runs";
    tell(call.name + ": " + what);
  }
}

std::string Headless::receipts_json() const {
  std::string out;
  for (const Receipt& r : receipts_)
    append(out, R"({"tool_use_id":)" + json_string(r.call) + R"(,"tool":)" + json_string(r.tool) + R"(,"verdict":)" +
                    json_string(r.verdict) + R"(,"kinds":[)" + r.kinds + R"(],"handling":)" + json_string(r.handling) +
                    R"(,"error":)" + (r.error.empty() ? "null" : json_string(r.error)) + R"(,"receipt":)" +
                    json_string(r.receipt) + R"(,"not_run":)" + json_string(r.not_run) + "}");
  return out;
}

void Headless::assistant(const task::Record& record, const task::Turn& turn) {
  if (!parents_.contains(record.task)) ++turns_;
  count(turn.usage, turn.estimated, turn.cost);
  receipts_of(record, turn);
  std::string content;
  for (const chat::Block& block : turn.message.blocks) {
    append(content, block_json(block));
    if (block.kind == chat::Block::Kind::tool_call)
      calls_[record.task + "\n" + block.id] = {block.name, block.arguments, {}, false};
  }
  if (format_ != OutputFormat::stream_json) return;
  const auto value = [](const std::optional<std::uint64_t>& n) { return n.value_or(0); };
  const auto number = [](std::uint64_t n) { return std::to_string(n); };
  const std::uint64_t input = value(turn.estimated.input_tokens), output = value(turn.estimated.output_tokens);
  const std::string usage = R"({"input_tokens":)" + number(uncached(turn.usage) + input) + R"(,"output_tokens":)" +
                            number(value(turn.usage.output_tokens) + output) + R"(,"cache_read_input_tokens":)" +
                            number(value(turn.usage.cached_tokens)) + R"(,"cache_creation_input_tokens":)" +
                            number(value(turn.usage.cache_write_tokens)) +
                            (input + output > 0 ? R"(,"estimated_tokens":)" + number(input + output) : "") + "}";
  std::string id = partial_.id_of(record.task);
  if (id.empty()) id = "msg_" + new_task_id();
  if (info_.partial)
    for (const std::string& piece : partial_.end(record.task, json_string(stop_word(turn.stop)), usage))
      line(around("stream_event", record.task) + R"(,"event":)" + piece + "}");
  line(around("assistant", record.task) + R"(,"message":{"id":)" + json_string(id) +
       R"(,"type":"message","role":"assistant","model":)" + json_string(turn.model.empty() ? info_.model : turn.model) +
       R"(,"content":[)" + content + R"(],"stop_reason":)" + json_string(stop_word(turn.stop)) +
       R"(,"stop_sequence":null,"usage":)" + usage + "}}");
}

void Headless::result_of(const task::Record& record, const task::Finding& finding) {
  const std::string key = record.task + "\n" + finding.call;
  Call& call = calls_[key];
  for (const chat::Block& block : finding.content) append(call.content, block_json(block));
  call.is_error = call.is_error || finding.is_error;
  if (finding.why != task::Finding::Why::ran && finding.why != task::Finding::Why::refused) {
    const std::string_view why = finding.why == task::Finding::Why::denied         ? "denied"
                                 : finding.why == task::Finding::Why::held         ? "held"
                                 : finding.why == task::Finding::Why::not_approved ? "not_approved"
                                                                                   : "not_run";
    for (Receipt& receipt : receipts_)
      if (receipt.task == record.task && receipt.call == finding.call) receipt.handling = why;
    std::string said;
    for (const chat::Block& block : finding.content) said += block.text;
    if (format_ == OutputFormat::text) tell(said.substr(0, said.find(". ")));
  }
  if (finding.why == task::Finding::Why::denied)
    append(denials_, R"({"tool_name":)" + json_string(call.name) + R"(,"tool_use_id":)" + json_string(finding.call) +
                         R"(,"tool_input":)" + (call.arguments.empty() ? "{}" : call.arguments) + "}");
  if (!finding.last) return;
  if (format_ == OutputFormat::stream_json)
    line(around("user", record.task) + R"(,"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":)" +
         json_string(finding.call) + R"(,"is_error":)" + (call.is_error ? "true" : "false") + R"(,"content":[)" +
         call.content + "]}]}}");
  calls_.erase(key);
}

void Headless::said(const task::Record& record, const task::Said& said) {
  if (format_ != OutputFormat::stream_json) return;
  std::string content;
  for (const chat::Block& block : said.blocks) append(content, block_json(block));
  line(around("user", record.task) + R"(,"message":{"role":"user","content":[)" + content + "]}}");
}

std::string Headless::usage_json() const {
  return R"({"input_tokens":)" + std::to_string(input_) + R"(,"output_tokens":)" + std::to_string(output_) +
         R"(,"cache_read_input_tokens":)" + std::to_string(cached_) + R"(,"cache_creation_input_tokens":)" +
         std::to_string(cache_write_) + (estimated_ > 0 ? R"(,"estimated_tokens":)" + std::to_string(estimated_) : "") +
         "}";
}

std::string Headless::result_line(std::string_view subtype, bool is_error, std::string_view result,
                                  std::string_view reason, std::string_view detail) {
  const auto all = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - began_);
  return R"({"type":"result","uuid":)" + json_string(new_task_id()) + R"(,"subtype":)" + json_string(subtype) +
         R"(,"is_error":)" + (is_error ? "true" : "false") + R"(,"duration_ms":)" + std::to_string(all.count()) +
         R"(,"duration_api_ms":)" + std::to_string(at_model_.count()) + R"(,"num_turns":)" + std::to_string(turns_) +
         R"(,"result":)" + json_string(result) + R"(,"session_id":)" + json_string(info_.session) +
         R"(,"total_cost_usd":)" + dollars(cost_) + R"(,"usage":)" + usage_json() + R"(,"modelUsage":{)" +
         json_string(info_.model) + R"(:{"inputTokens":)" + std::to_string(input_) + R"(,"outputTokens":)" +
         std::to_string(output_) + R"(,"cacheReadInputTokens":)" + std::to_string(cached_) +
         R"(,"cacheCreationInputTokens":)" + std::to_string(cache_write_) + R"(,"costUSD":)" + dollars(cost_) + "}}" +
         R"(,"permission_denials":[)" + denials_ + R"(],"receipts":[)" + receipts_json() + R"(],"reason":)" +
         json_string(reason) + R"(,"detail":)" + json_string(detail) + "}";
}

void Headless::finish(const task::Finished& end) {
  const bool well = end.reason == task::EndReason::completed;
  if (format_ != OutputFormat::text)
    return line(
        result_line(subtype_of(end.reason), !well, well ? end.result : end.detail, task::name(end.reason), end.detail));
  if (well) {
    out_ << (out_.is_terminal() ? printable_lines(end.result) : end.result) << (end.result.ends_with('\n') ? "" : "\n");
    out_.flush();
    return;
  }
  tell(end.detail);
  err_ << go_on_line(info_.session, end.reason) << "\n";
}

void Headless::broke(std::string_view message, bool kept) {
  if (format_ != OutputFormat::text) line(result_line("error_during_execution", true, message, "failed", message));
  tell(message);
  if (kept) err_ << "To go on: belay run --resume " << info_.session << "\n";
}

}  // namespace belay::cli
