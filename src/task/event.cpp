#include <belay/task/event.h>

#include <belay/json/reader.h>
#include <belay/json/writer.h>

#include <iterator>

namespace BELAY_NAMESPACE::task {

std::string_view name(EventKind kind) noexcept {
  constexpr std::string_view names[] = {
      "started", "resumed", "request",      "text",        "reasoning",     "call_started", "call_delta", "call_ended",
      "asked",   "replied", "tool_started", "tool_output", "tool_ended",    "todos",        "usage",      "notice",
      "mistake", "failed",  "retry",        "folded",      "child_started", "completed",    "finished"};
  static_assert(std::size(names) == static_cast<std::size_t>(EventKind::finished) + 1);
  return names[static_cast<std::size_t>(kind)];
}

namespace {

// Whatever it is, the line stays one line of JSON.
void write_data(std::string_view data, std::string& out) {
  json::ReaderOptions options;
  options.mode = json::Mode::strict;
  options.limits.bytes = kUnlimited;
  const json::Reading reading = json::read(data, options);
  if (reading.verdict.word() == json::Word::valid)
    json::write(reading.document.root(), out);
  else
    json::write_string(data, out);
}

}  // namespace

std::string to_json(const Event& event) {
  std::string out = "{\"type\":\"";
  out += name(event.kind);
  out += '"';
  const auto text = [&](std::string_view key, const std::string& value, bool always = false) {
    if (value.empty() && !always) return;
    out += ",\"";
    out += key;
    out += "\":";
    json::write_string(value, out);
  };
  text("task", event.task, true);
  text("call", event.call);
  text("name", event.name);
  text("text", event.text);
  if (event.number != 0) out += ",\"number\":" + std::to_string(event.number);
  if (event.is_error) out += ",\"is_error\":true";
  if (!event.data.empty()) {
    out += ",\"data\":";
    write_data(event.data, out);
  }
  out += '}';
  return out;
}

}  // namespace BELAY_NAMESPACE::task
