#include "event_lines.h"
#include "result_json.h"
#include "words.h"

#include <belay/json/writer.h>

namespace belay::cli {
namespace {

void add_string(std::string& line, std::string_view key, std::string_view text) {
  (line += ",\"") += key;
  line += "\":";
  json::write_string(text, line);
}

void add_number(std::string& line, std::string_view key, std::uint64_t n) {
  (line += ",\"") += key;
  (line += "\":") += std::to_string(n);
}

void add_count(std::string& line, std::string_view key, const std::optional<std::uint64_t>& n) {
  if (n) add_number(line, key, *n);
}

std::string edits_of(const turn::Call& call) {
  std::string out = "[";
  for (const json::Edit& e : call.reading.edits) {
    out += out.size() > 1 ? "," : "";
    out += R"({"kind":")" + std::string(json::name(e.kind)) + R"(","offset":)" + std::to_string(e.offset) +
           R"(,"length":)" + std::to_string(e.length) + R"(,"grade":")" + std::string(json::name(e.grade)) + "\"}";
  }
  for (const schema::AlignEdit& e : call.aligned) {
    out += out.size() > 1 ? "," : "";
    out += R"({"kind":")" + std::string(schema::name(e.kind)) + R"(","path":)";
    json::write_string(e.path, out);
    if (!e.note.empty()) {
      out += R"(,"to":)";
      json::write_string(e.note, out);
    }
    out += R"(,"grade":")" + std::string(json::name(e.grade)) + "\"}";
  }
  return out + "]";
}

}  // namespace

// A terminal obeys DEL and C1, which JSON leaves as they are.
void EventLines::write_line() {
  line_ += '}';
  if (terminal_)
    out_ << quiet_json(line_) << end_;
  else
    out_ << line_ << end_;
}

void EventLines::piece_of(What what, std::size_t slot, std::string_view piece) {
  if (!coalesce_) return write_piece(what, slot, piece);
  if (waiting_ != what || slot_ != slot) {
    flush();
    waiting_ = what;
    slot_ = slot;
  }
  text_ += piece;
}

void EventLines::write_piece(What what, std::size_t slot, std::string_view piece) {
  line_ = "{\"type\":";
  if (what == What::delta) {
    line_ += "\"call_delta\"";
    add_number(line_, "slot", slot);
    add_string(line_, "delta", piece);
  } else {
    line_ += what == What::text ? "\"text\"" : "\"reasoning\"";
    add_string(line_, "text", piece);
  }
  write_line();
}

void EventLines::flush() {
  if (waiting_ == What::nothing) return;
  write_piece(waiting_, slot_, text_);
  waiting_ = What::nothing;
  text_.clear();
}

void EventLines::on_call_start(std::size_t slot, std::string_view id, std::string_view name) {
  flush();
  line_ = R"({"type":"call_start")";
  add_number(line_, "slot", slot);
  add_string(line_, "id", id);
  add_string(line_, "name", name);
  write_line();
}

void EventLines::on_call_end(const turn::Call& call) {
  flush();
  line_ = R"({"type":"call_end")";
  add_number(line_, "slot", call.slot);
  add_string(line_, "id", call.id);
  add_string(line_, "name", call.name);
  if (!call.tool.empty() && call.tool != call.name) add_string(line_, "tool", call.tool);
  add_string(line_, "verdict", json::name(call.verdict.word()));
  line_ += call.trusted ? R"(,"trusted":true)" : R"(,"trusted":false)";
  line_ += R"(,"arguments":)";
  const bool none = call.verdict.end == json::End::broken;
  if (auto value = call.arguments(); value && !none)
    json::write(*value, line_);
  else
    line_ += "null";
  if (call.verdict.count > 1 && !none) {
    line_ += R"(,"values":[)";
    bool first = true;
    for (json::Value v : call.values()) {
      if (!std::exchange(first, false)) line_ += ',';
      json::write(v, line_);
    }
    line_ += ']';
  }
  line_ += R"(,"edits":)" + edits_of(call) + R"(,"error":)";
  if (call.error) {
    line_ += R"({"kind":)";
    json::write_string(call.error->kind, line_);
    add_string(line_, "message", for_shell(call.error->message));
    add_number(line_, "offset", call.error->position.offset);
    add_number(line_, "line", call.error->position.line);
    add_number(line_, "column", call.error->position.column);
    line_ += '}';
  } else {
    line_ += "null";
  }
  write_line();
}

void EventLines::on_usage(const chat::Usage& usage) {
  flush();
  line_ = R"({"type":"usage","input_tokens":)";
  line_ += usage.input_tokens ? std::to_string(*usage.input_tokens) : "null";
  line_ += R"(,"output_tokens":)";
  line_ += usage.output_tokens ? std::to_string(*usage.output_tokens) : "null";
  add_count(line_, "cached_tokens", usage.cached_tokens);
  add_count(line_, "cache_write_tokens", usage.cache_write_tokens);
  add_count(line_, "reasoning_tokens", usage.reasoning_tokens);
  write_line();
}

void EventLines::on_stop(chat::StopReason reason, std::string_view raw) {
  flush();
  line_ = R"({"type":"stop","reason":")" + std::string(chat::name(reason)) + R"(","raw":)";
  if (raw.empty())
    line_ += "null";
  else
    json::write_string(raw, line_);
  write_line();
}

void EventLines::on_notice(std::string_view kind, std::string_view message) {
  flush();
  line_ = R"({"type":"notice")";
  add_string(line_, "kind", kind);
  add_string(line_, "message", for_shell(message));
  write_line();
}

void EventLines::on_failure(const chat::Failure& failure) {
  flush();
  failed_ = true;
  line_ = R"({"type":"error")";
  add_string(line_, "kind", failure.kind);
  add_string(line_, "message", for_shell(failure.message));
  line_ += failure.retryable ? R"(,"retryable":true)" : R"(,"retryable":false)";
  if (failure.retry_after) {
    std::string seconds = std::to_string(*failure.retry_after);
    while (seconds.ends_with('0')) seconds.pop_back();
    if (seconds.ends_with('.')) seconds.pop_back();
    line_ += R"(,"retry_after":)" + seconds;
  }
  write_line();
}

}  // namespace belay::cli
