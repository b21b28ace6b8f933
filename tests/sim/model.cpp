#include "sim/model.h"

#include <belay/task/context.h>
#include <belay/text/dialect.h>

#include <algorithm>
#include <vector>

namespace belay::sim {
namespace {

using chat::StopReason;

std::string quoted(std::string_view text) {
  std::string out;
  json::write_string(text, out);
  return out;
}

constexpr std::string_view kTexts[] = {"",
                                       "a",
                                       "line one\nline two",
                                       "{\"not\": \"json\"}",
                                       "</tool_call>",
                                       "über \\ \"q\"",
                                       "0123456789012345678901234567890123456789"};

// Wires whose arguments travel as text, so that they can be broken.
bool carries_text(wire::Wire wire) { return wire != wire::Wire::gemini && wire != wire::Wire::ollama; }

}  // namespace

std::string Model::damaged(std::string arguments, Meant& meant) {
  meant.whole = false;
  switch (random_.below(9)) {
    case 0: arguments.insert(arguments.size() - 1, ","); break;                       // mended
    case 1: arguments = "```json\n" + arguments + "\n```"; break;                     // mended
    case 2: arguments += arguments; break;                                            // twice the same: one
    case 3: arguments += R"({"token": -1, "text": "second"})"; break;                 // split
    case 4: arguments.pop_back(); break;                                              // a guess
    case 5: arguments = arguments.substr(0, random_.below(arguments.size())); break;  // whatever it was
    case 6: arguments = "[]"; break;
    case 7: arguments.insert(arguments.size() - 1, R"(, "surplus": 1)"); break;  // against the schema
    default: arguments = R"({"token": "seven"})"; break;
  }
  return arguments;
}

Model::Sent Model::some_call(bool last, bool& cut) {
  Sent sent;
  const std::int64_t token = ++token_;
  Meant& meant = meant_[token];
  meant.whole = true;
  const std::uint64_t kind = tired_ ? 100 : random_.below(100);
  const std::string_view text = kTexts[random_.below(std::size(kTexts))];
  meant.arguments = "{\"token\":" + std::to_string(token) + ",\"text\":" + quoted(text) + "}";
  if (kind < 35) {
    sent.name = "look";
  } else if (kind < 58) {
    sent.name = "put";
  } else if (kind < 70) {
    sent.name = "do";
  } else if (kind < 74) {
    sent.name = "update_todo_list";
    meant.arguments = random_.chance(50) ? R"({"todos":"[x] one\n[ ] two"})" : R"({"todos":"[x] one"})";
  } else if (kind < 79) {
    sent.name = "ask_followup_question";
    meant.arguments = R"({"question":"which?","follow_up":["a","b"]})";
  } else if (kind < 83) {
    sent.name = "new_task";
    meant.arguments = R"({"message":"do a part of it"})";
  } else if (kind < 86) {
    sent.name = random_.pick<const char*>({"lok", "", "put file!", "mcp__x__y"});
  } else {
    sent.name = "attempt_completion";
    meant.arguments = "{\"result\":\"done " + std::to_string(token) + "\"}";
  }
  meant.tool = sent.name;
  sent.arguments = meant.arguments;
  switch (random_.below(6)) {
    case 0: break;                      // an id that the wire lacks
    case 1: sent.id = "call_0"; break;  // the same in every turn
    default: sent.id = "call_" + std::to_string(token); break;
  }
  if (carries_text(nature_.wire) && !tired_) {
    if (last && random_.chance(12)) {
      cut = true;
      meant.whole = false;
      sent.arguments = sent.arguments.substr(0, random_.below(sent.arguments.size()));
    } else if (random_.chance(15)) {
      sent.arguments = damaged(sent.arguments, meant);
    }
  }
  return sent;
}

// An answer of a model that has no native calls: some text, and calls in the format.
std::string Model::text_answer(const task::SendRequest& request, const tool::Registry& tools) {
  const std::vector<chat::Tool> offered = tools.offered();
  const text::Dialect dialect(request.format, offered);
  std::string out = random_.chance(60) ? "Let me see.\n" : "";
  const std::uint64_t calls = random_.chance(12) && !tired_ ? 0 : 1 + random_.below(3);
  for (std::uint64_t i = 0; i < calls; ++i) {
    bool cut = false;
    Sent sent = some_call(false, cut);
    auto written = dialect.write_call({sent.name, sent.arguments, {}});
    if (!written) continue;
    std::string text = *written;
    if (random_.chance(6)) {
      text = text.substr(0, random_.below(text.size()));
      for (auto& [token, meant] : meant_) meant.whole = meant.whole && token != token_;
    }
    out += text + "\n";
  }
  return out;
}

// What a model with native calls writes beside them: a call all the same, or one that it has read somewhere.
std::string Model::around_calls(const task::SendRequest& request, const tool::Registry& tools) {
  if (!nature_.calls_in_text || request.format != "auto" || !random_.chance(30)) return {};
  std::string out = "\n";
  std::vector<std::string> read;  // what tools and the person have shown it
  for (const chat::Message& message : request.body.messages)
    for (const chat::Block& block : message.blocks) {
      if (message.role == chat::Role::assistant) continue;
      const std::string& text = block.content.empty() ? block.text : block.content.front().text;
      const std::size_t begin = text.find("<tool_call>"), end = text.find("</tool_call>");
      if (begin < end && end != std::string::npos) read.push_back(text.substr(begin, end + 12 - begin));
    }
  const bool quotes = !read.empty() && random_.chance(60);
  if (quotes) out += "It says: " + read[random_.below(read.size())] + "\n";
  if (quotes && random_.chance(60)) return out;
  const std::vector<chat::Tool> offered = tools.offered();
  const text::Dialect dialect("hermes", offered);
  bool cut = false;
  Sent sent = some_call(false, cut);
  meant_[token_].in_text = true;
  if (auto written = dialect.write_call({sent.name, sent.arguments, {}})) out += *written + "\n";
  return out;
}

chat::Usage Model::usage_of(const task::SendRequest& request) {
  chat::Usage usage;
  if (nature_.counts == Nature::Counts::zeros) {
    usage.input_tokens = usage.output_tokens = 0;
    return usage;
  }
  usage.input_tokens = task::estimate_tokens(request.body) * (80 + random_.below(30)) / 100;
  if (nature_.counts == Nature::Counts::all) usage.output_tokens = 1 + random_.below(200);
  return usage;
}

std::expected<turn::Answer, task::Trouble> Model::answer(const std::string& task, const task::SendRequest& request,
                                                         const tool::Registry& tools) {
  const std::uint64_t kind = random_.below(100);
  if (nature_.window > 0 && task::estimate_tokens(request.body) > nature_.window)
    return std::unexpected(
        task::Trouble{random_.pick<const char*>({"too_long", "context_length"}), "too much for it", false, {}});
  if (!tired_ && kind < 10) {
    task::Trouble trouble;
    trouble.kind = random_.pick<const char*>(
        {"rate_limit", "overloaded", "server_error", "connection", "stream_broke_off", "too_long", "connection"});
    trouble.message = "made up";
    trouble.retryable = trouble.kind != "too_long";
    if (random_.chance(40)) trouble.retry_after = static_cast<double>(random_.below(30));
    if (random_.chance(4)) trouble.kind = random_.pick<const char*>({"quota", "authentication", "invalid_request"});
    return std::unexpected(trouble);
  }
  wire::StreamEncoder encoder(nature_.wire, {"r" + std::to_string(request.request), "made-up", 0});
  StopReason stop = StopReason::end;
  bool broken_off = false;
  if (request.summary) {
    encoder.text(random_.chance(90) ? "What happened so far: a lot." : "");
  } else if (request.format != "none" && request.format != "auto") {
    encoder.text(text_answer(request, tools));
  } else {
    if (random_.chance(15)) encoder.reasoning("hm");
    if (random_.chance(50)) encoder.text("I will do the next step.");
    const std::string more = tired_ ? std::string() : around_calls(request, tools);
    if (!more.empty()) encoder.text(more);
    const std::uint64_t calls =
        !tired_ && random_.chance(more.empty() ? 12 : 60) ? 0 : 1 + random_.below(tired_ ? 1 : 4);
    bool cut = false;
    for (std::uint64_t i = 0; i < calls; ++i) {
      const Sent sent = some_call(i + 1 == calls, cut);
      encoder.begin_call(sent.id, sent.name);
      encoder.arguments(sent.arguments);
      encoder.end_call();
    }
    stop = calls > 0 ? StopReason::tool_calls : StopReason::end;
    if (cut) stop = StopReason::length;
    if (!tired_ && random_.chance(4))
      stop = random_.pick({StopReason::length, StopReason::content_filter, StopReason::refusal, StopReason::pause});
    broken_off = !tired_ && random_.chance(3);
  }
  if (nature_.counts != Nature::Counts::nothing) encoder.usage(usage_of(request));
  std::string bytes;
  if (broken_off) {
    bytes = encoder.take();
    bytes.resize(random_.below(bytes.size() + 1));
  } else {
    encoder.stop(stop);
    bytes = encoder.take();
  }
  task::Listener listener(task, tools, request.format, {});
  wire::StreamDecoder decoder(nature_.wire, listener);
  for (std::string_view rest = bytes; !rest.empty();) {
    const std::size_t piece = std::min<std::size_t>(rest.size(), 1 + random_.below(200));
    decoder.push(rest.substr(0, piece));
    rest.remove_prefix(piece);
  }
  decoder.finish(broken_off ? sse::Ended::reset : sse::Ended::eof);
  return listener.finish();
}

}  // namespace belay::sim
