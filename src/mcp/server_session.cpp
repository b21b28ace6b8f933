#include <belay/mcp/server_session.h>

#include "mcp/fields.h"
#include "mcp/object.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace BELAY_NAMESPACE::mcp {
namespace {

constexpr std::array<std::string_view, 8> kLevels{"debug", "info",     "notice", "warning",
                                                  "error", "critical", "alert",  "emergency"};

std::string number_text(double value) {
  char text[64];
  const auto [end, trouble] = std::to_chars(text, text + sizeof text, value);
  return trouble == std::errc() ? std::string(text, end) : "0";
}

bool not_json(const Message& message) { return message.text.starts_with("not JSON"); }

}  // namespace

std::string_view name(LogLevel level) noexcept { return kLevels[static_cast<std::size_t>(level)]; }

ServerSession::ServerSession(ServerSessionOptions options) : options_(std::move(options)) {
  if (!options_.tools) options_.tools = std::make_shared<const std::vector<OfferedTool>>();
}

std::vector<ServerOutput> ServerSession::take() { return std::exchange(outputs_, {}); }

void ServerSession::on_text(std::string_view text, Exchange exchange) {
  on_incoming(decode(text, options_.codec), exchange);
}

void ServerSession::on_incoming(const Incoming& incoming, Exchange exchange) {
  const std::uint64_t turn = next_++;
  Turn& now = turns_[turn];
  now.exchange = exchange;
  now.due = 1;  // this function itself, so that the turn is not over before all of it was looked at
  // Batches came with JSON-RPC, and were taken out of MCP after 2025-03-26. `initialize` may not stand in one.
  const bool batches = version_ && *version_ <= Version::v2025_03_26;
  if (incoming.batch && !batches) {
    ++now.due;
    answer(turn, encode_error({}, kInvalidRequest,
                              version_ ? "batches are not a part of the version " + std::string(name(*version_)) +
                                             ": send one message at a time"
                                       : "a batch cannot come before initialize"));
  } else {
    now.batch = incoming.batch;
    for (const Message& message : incoming.messages) on_message(message, turn);
  }
  less_due(turn);
}

void ServerSession::on_message(const Message& message, std::uint64_t turn) {
  switch (message.kind) {
    case Message::Kind::request: {
      ++turns_[turn].due;
      return on_request(message, turn);
    }
    case Message::Kind::notification:
      if (message.method == "notifications/cancelled") on_cancelled(message);
      return;
    case Message::Kind::garbage: {
      ++turns_[turn].due;
      Message about = message;
      if (!about.id) about.id = message.asked;
      return error(about, turn, not_json(message) ? kParseError : kInvalidRequest, message.text);
    }
    case Message::Kind::result:
    case Message::Kind::error: return;  // nothing is ever asked of a client
  }
}

void ServerSession::on_cancelled(const Message& message) {
  if (!message.payload) return;
  const auto wanted = message.payload->find("requestId");
  if (!wanted) return;
  Id id;
  if (wanted->is_string())
    id = {Id::Kind::string, std::string(wanted->as_string())};
  else if (const auto n = wanted->as_int64())
    id = {Id::Kind::number, std::to_string(*n)};
  else if (const auto u = wanted->as_uint64())
    id = {Id::Kind::number, std::to_string(*u)};
  const auto found = std::ranges::find_if(calls_, [&](const auto& c) { return c.second.id == id; });
  if (found == calls_.end()) return;  // it may have been answered meanwhile
  outputs_.emplace_back(EndCall{found->first});
  const std::uint64_t turn = found->second.turn;
  calls_.erase(found);
  less_due(turn);
}

void ServerSession::on_done(CallNumber call, const CallOutcome& outcome) {
  const auto found = calls_.find(call);
  if (found == calls_.end()) return;
  const Running running = std::move(found->second);
  calls_.erase(found);
  answer(running.turn, encode_result(running.id, call_result_text(outcome, running.version)));
}

void ServerSession::on_refused(CallNumber call, std::string_view why) {
  constexpr std::int64_t kBusy = -32000;
  const auto found = calls_.find(call);
  if (found == calls_.end()) return;
  const Running running = std::move(found->second);
  calls_.erase(found);
  answer(running.turn, encode_error(running.id, kBusy, why));
}

void ServerSession::on_progress(CallNumber call, double progress, std::string_view message) {
  const auto found = calls_.find(call);
  if (found == calls_.end() || !found->second.progress) return;
  Object params;
  params.raw("progressToken", to_json(found->second.progress)).raw("progress", number_text(progress));
  if (found->second.version >= Version::v2025_03_26 && !message.empty()) params.text("message", message);
  outputs_.emplace_back(
      Say{turns_[found->second.turn].exchange, encode_notification("notifications/progress", params.done())});
}

void ServerSession::on_log(CallNumber call, LogLevel level, std::string_view text) {
  const auto found = calls_.find(call);
  if (found == calls_.end() || !level_ || level < *level_) return;
  Object params;
  params.text("level", name(level)).text("logger", "belay").text("data", text);
  outputs_.emplace_back(
      Say{turns_[found->second.turn].exchange, encode_notification("notifications/message", params.done())});
}

void ServerSession::on_gone(Exchange exchange) {
  for (auto call = calls_.begin(); call != calls_.end();) {
    if (turns_[call->second.turn].exchange != exchange) {
      ++call;
      continue;
    }
    outputs_.emplace_back(EndCall{call->first});
    call = calls_.erase(call);
  }
  std::erase_if(turns_, [&](const auto& turn) { return turn.second.exchange == exchange; });
}

void ServerSession::close() {
  for (const auto& [call, running] : calls_) outputs_.emplace_back(EndCall{call});
  calls_.clear();
  turns_.clear();
}

void ServerSession::answer(std::uint64_t turn, std::string text) {
  Turn& now = turns_[turn];
  if (now.batch)
    (now.texts += now.texts.empty() ? "[" : ",") += text;
  else
    outputs_.emplace_back(Say{now.exchange, std::move(text), true});
  less_due(turn);
}

void ServerSession::error(const Message& message, std::uint64_t turn, std::int64_t code, std::string_view why,
                          std::string_view data) {
  answer(turn, encode_error(message.id, code, why, data));
}

void ServerSession::less_due(std::uint64_t turn) {
  const auto found = turns_.find(turn);
  if (found == turns_.end() || --found->second.due > 0) return;
  Turn over = std::move(found->second);
  turns_.erase(found);
  if (!over.texts.empty()) outputs_.emplace_back(Say{over.exchange, over.texts + "]", true});
  outputs_.emplace_back(Over{over.exchange});
}

}  // namespace BELAY_NAMESPACE::mcp
