#include "wire/body.h"
#include "wire/ollama.h"

#include <utility>

namespace BELAY_NAMESPACE::wire {
namespace ollama {
namespace {

std::string_view done_word(chat::StopReason reason, std::string_view raw) {
  if (raw == "stop" || raw == "length" || raw == "load" || raw == "unload") return raw;
  if (reason == chat::StopReason::none) return {};
  // No word for a malformed call, but nobody runs one that was cut.
  return reason == chat::StopReason::length || reason == chat::StopReason::malformed ? "length" : "stop";
}

std::string padded(std::int64_t n, std::size_t digits) {
  std::string out = std::to_string(n);
  return out.size() < digits ? std::string(digits - out.size(), '0') + out : out;
}

// Seconds since 1970 as 2026-01-31T12:00:00Z. The calendar's rule is counted from 1 March of the year 0, so that the
// leap day is the last of its year.
std::string time_text(std::int64_t seconds) {
  constexpr std::int64_t kDay = 86400, kEra = 146097, kMost = 253402300799;  // the end of the year 9999
  if (seconds < 0 || seconds > kMost) seconds = 0;
  std::int64_t days = seconds / kDay + 719468, rest = seconds % kDay;
  std::int64_t era = days / kEra, of_era = days % kEra;
  std::int64_t year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
  std::int64_t of_year = of_era - (365 * year + year / 4 - year / 100);
  std::int64_t month = (5 * of_year + 2) / 153;
  std::int64_t day = of_year - (153 * month + 2) / 5 + 1;
  month += month < 10 ? 3 : -9;
  year += era * 400 + (month <= 2 ? 1 : 0);
  return padded(year, 4) + "-" + padded(month, 2) + "-" + padded(day, 2) + "T" + padded(rest / 3600, 2) + ":" +
         padded(rest / 60 % 60, 2) + ":" + padded(rest % 60, 2) + "Z";
}

struct Spoken {
  std::string_view content, thinking;
  std::string_view calls;  // JSON text, a list's inside
};

// The beginning of a line, its object left open.
void begin_line(JsonText& out, std::string_view model, std::int64_t created, const Spoken& spoken) {
  out.open('{').member("model", model).member("created_at", time_text(created)).key("message").open('{');
  out.member("role", "assistant").member("content", spoken.content);
  if (!spoken.thinking.empty()) out.member("thinking", spoken.thinking);
  if (!spoken.calls.empty()) out.key("tool_calls").open('[').raw(spoken.calls).close(']');
  out.close('}');
}

void end_line(JsonText& out, chat::StopReason reason, std::string_view raw, const chat::Usage& usage) {
  out.key("done").boolean(true);
  if (std::string_view word = done_word(reason, raw); !word.empty()) out.member("done_reason", word);
  if (usage.input_tokens) out.key("prompt_eval_count").number(*usage.input_tokens);
  if (usage.output_tokens) out.key("eval_count").number(*usage.output_tokens);
  out.close('}');
}

class Writer final : public Encoder {
 public:
  using Encoder::Encoder;
  void text(std::string_view piece) override {
    if (!piece.empty()) line({piece, {}, {}});
  }
  void reasoning(std::string_view piece) override {
    if (!piece.empty()) line({{}, piece, {}});
  }
  void begin_call(std::string_view id, std::string_view name) override {
    open_ = true;
    call_ = chat::call_block(std::string(id), std::string(name), {});
  }
  void arguments(std::string_view piece) override { call_.arguments += piece; }
  void end_call() override;
  void usage(const chat::Usage& usage) override;
  void stop(chat::StopReason reason, std::string_view raw) override;
  void failure(const chat::Failure& failure) override;

 private:
  void line(const Spoken& spoken);
  bool open_ = false;
  chat::Block call_;
  std::uint64_t calls_ = 0;
  chat::Usage usage_;
};

void Writer::line(const Spoken& spoken) {
  JsonText out(out_);
  begin_line(out, head_.model, head_.created, spoken);
  out.key("done").boolean(false).close('}');
  out_ += '\n';
}

void Writer::end_call() {
  if (!std::exchange(open_, false)) return;
  std::string call;
  JsonText out(call);
  write_call(out, call_, calls_++);
  line({{}, {}, call});
}

void Writer::usage(const chat::Usage& u) {
  if (u.input_tokens) usage_.input_tokens = u.input_tokens;
  if (u.output_tokens) usage_.output_tokens = u.output_tokens;
}

// A call that nobody ended was cut, and is not written: clients run whatever comes.
void Writer::stop(chat::StopReason reason, std::string_view raw) {
  if (reason == chat::StopReason::none) return;  // the stream broke off, and so does this one
  JsonText out(out_);
  begin_line(out, head_.model, head_.created, {});
  end_line(out, reason, raw, usage_);
  out_ += '\n';
}

void Writer::failure(const chat::Failure& f) {
  JsonText(out_).open('{').member("error", f.message).close('}');
  out_ += '\n';
}

}  // namespace

std::unique_ptr<Encoder> writer(StreamEncoder::Head head) { return std::make_unique<Writer>(std::move(head)); }

std::string write_response(const chat::Response& response) {
  std::string thinking, calls, body;
  JsonText list(calls);
  std::uint64_t index = 0;
  for (const chat::Block& b : response.message.blocks) {
    if (b.kind == chat::Block::Kind::reasoning) thinking += b.text;
    if (b.kind == chat::Block::Kind::tool_call) write_call(list, b, index++);
  }
  std::string content = joined_text(response.message.blocks, "");
  JsonText out(body);
  begin_line(out, response.model, 0, {content, thinking, calls});
  end_line(out, response.stop, response.raw_stop, response.usage);
  return body;
}

}  // namespace ollama

const Codec kOllama = {ollama::reader, ollama::writer, ollama::read_request, ollama::write_request,
                       ollama::write_response};

}  // namespace BELAY_NAMESPACE::wire
