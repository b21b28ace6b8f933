// What sdk_test.mjs needs of Belay: answers written on every wire, and requests read.
//
//   belay_sdk_peer answers               every answer on every wire, streamed and whole: one JSON object
//   belay_sdk_peer request WIRE [MODEL]  reads requests, one a line, and writes what they say, one a line
#include <belay/json.h>
#include <belay/wire.h>

#include <cstdio>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

using namespace belay;

namespace {

using Kind = chat::Block::Kind;
using wire::Wire;

constexpr Wire kWires[] = {Wire::openai_chat, Wire::openai_responses, Wire::anthropic, Wire::gemini, Wire::ollama};

struct Answer {
  std::string name;
  chat::Response response;
  bool open = false;     // the last call was cut off
  bool failure = false;  // the stream breaks off with a failure
};

chat::Block reasoning_block(std::string text) {
  chat::Block b = chat::text_block(std::move(text));
  b.kind = Kind::reasoning;
  return b;
}

Answer answer(std::string name, std::vector<chat::Block> blocks, chat::StopReason stop) {
  Answer out{std::move(name), {}, false, false};
  out.response.id = "answer_1";
  out.response.model = "some-model";
  out.response.message.blocks = std::move(blocks);
  out.response.stop = stop;
  out.response.usage.input_tokens = 31;
  out.response.usage.output_tokens = 17;
  return out;
}

std::vector<Answer> answers() {
  using chat::call_block, chat::text_block, chat::StopReason;
  std::vector<Answer> out;
  out.push_back(answer("text", {text_block("Good day, naïve 日本 😀.\n\"Quoted\" \\ done.")}, StopReason::end));
  out.push_back(answer("one call", {call_block("call_1", "read_file", R"({"path":"notes.md","lines":[1,20]})")},
                       StopReason::tool_calls));
  out.push_back(
      answer("text, then two calls",
             {text_block("I look."), call_block("call_1", "read_file", R"({"path":"a \"b\" \\ \u00e9 😀.md"})"),
              call_block("call_2", "search", R"({"query":{"any":["x",null,true,-1.5e3]},"deep":[[[{}]]]})")},
             StopReason::tool_calls));
  out.push_back(answer("a call without arguments", {call_block("call_1", "list", "{}")}, StopReason::tool_calls));
  out.push_back(answer("reasoning, text and a call",
                       {reasoning_block("Which file? That one."), text_block("This one."),
                        call_block("call_1", "read_file", R"({"path":"a.txt"})")},
                       StopReason::tool_calls));
  std::vector<chat::Block> many;
  for (int i = 0; i < 40; ++i)
    many.push_back(
        call_block("call_" + std::to_string(i), "tool_" + std::to_string(i % 3), R"({"n":)" + std::to_string(i) + "}"));
  out.push_back(answer("forty calls", std::move(many), StopReason::tool_calls));
  out.push_back(answer("text that was cut", {text_block("Once upon a")}, StopReason::length));
  out.push_back(answer("a call that was cut",
                       {text_block("I write."), call_block("call_1", "write", R"({"text":"Once up)")},
                       StopReason::length));
  out.back().open = true;
  out.push_back(answer("a failure", {text_block("I wri")}, StopReason::none));
  out.back().failure = true;
  return out;
}

/// In pieces of a few bytes that end between characters.
std::vector<std::string_view> pieces(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    std::size_t n = std::min<std::size_t>(5, text.size());
    while (n < text.size() && (static_cast<unsigned char>(text[n]) & 0xc0) == 0x80) ++n;
    out.push_back(text.substr(0, n));
    text.remove_prefix(n);
  }
  return out;
}

/// The stream, one string for each time that something was ready.
std::vector<std::string> stream_of(Wire wire, const Answer& a) {
  wire::StreamEncoder encoder(wire, {a.response.id, a.response.model, 1'700'000'000});
  std::vector<std::string> out;
  auto take = [&] {
    if (std::string ready = encoder.take(); !ready.empty()) out.push_back(std::move(ready));
  };
  for (const chat::Block& b : a.response.message.blocks) {
    if (b.kind == Kind::tool_call) {
      encoder.begin_call(b.id, b.name);
      for (std::string_view piece : pieces(b.arguments)) {
        encoder.arguments(piece);
        take();
      }
      if (!a.open) encoder.end_call();
    }
    for (std::string_view piece : pieces(b.text)) {
      b.kind == Kind::reasoning ? encoder.reasoning(piece) : encoder.text(piece);
      take();
    }
  }
  if (a.failure) {
    encoder.failure({"overloaded", "Overloaded, sorry.", true, std::nullopt});
  } else {
    encoder.usage(a.response.usage);
    encoder.stop(a.response.stop);
  }
  take();
  return out;
}

/// JSON text, written without the module under test's own encoders.
class Text {
 public:
  Text& raw(std::string_view s) {
    out_ += s;
    return *this;
  }
  Text& string(std::string_view s) {
    json::write_string(s, out_);
    return *this;
  }
  Text& member(std::string_view key, std::string_view text) { return raw(",\"").raw(key).raw("\":").string(text); }
  template <class List, class F>
  Text& list(std::string_view key, const List& items, F&& each) {
    raw(",\"").raw(key).raw("\":[");
    bool first = true;
    for (const auto& item : items) {
      if (!first) raw(",");
      first = false;
      each(item);
    }
    return raw("]");
  }
  [[nodiscard]] const std::string& text() const { return out_; }

 private:
  std::string out_;
};

void write_answers() {
  Text out;
  out.raw("{\"answers\":[");
  bool first = true;
  for (const Answer& a : answers()) {
    out.raw(first ? "{" : ",{");
    first = false;
    out.raw("\"name\":").string(a.name).member("stop", chat::name(a.response.stop));
    std::string text, reasoning;
    std::vector<chat::Block> calls;
    for (const chat::Block& b : a.response.message.blocks) {
      if (b.kind == Kind::text) text += b.text;
      if (b.kind == Kind::reasoning) reasoning += b.text;
      if (b.kind == Kind::tool_call) calls.push_back(b);
    }
    out.member("text", text).member("reasoning", reasoning).raw(a.failure ? ",\"failure\":true" : "");
    out.raw(a.open ? ",\"open\":true" : "");
    out.list("calls", calls, [&](const chat::Block& b) {
      out.raw("{\"id\":").string(b.id).member("name", b.name).member("arguments", b.arguments).raw("}");
    });
    out.raw(",\"wires\":{");
    for (Wire wire : kWires) {
      out.raw(wire == kWires[0] ? "" : ",").string(wire::name(wire)).raw(":{\"type\":");
      out.string(wire::stream_content_type(wire));
      out.list("stream", stream_of(wire, a), [&](const std::string& s) { out.string(s); });
      if (!a.open && !a.failure) out.member("whole", wire::encode_response(wire, a.response));
      out.raw("}");
    }
    out.raw("}}");
  }
  out.raw("]}\n");
  std::cout << out.text();
}

void write_block(Text& out, const chat::Block& b) {
  constexpr std::string_view kinds[] = {"text", "reasoning", "refusal", "image", "tool_call", "tool_result", "other"};
  out.raw("{\"kind\":").string(kinds[static_cast<std::size_t>(b.kind)]);
  for (auto [key, value] : {std::pair<std::string_view, const std::string&>{"text", b.text},
                            {"media_type", b.media_type},
                            {"data", b.data},
                            {"url", b.url},
                            {"id", b.id},
                            {"name", b.name},
                            {"arguments", b.arguments}})
    if (!value.empty()) out.member(key, value);
  if (b.is_error) out.raw(",\"is_error\":true");
  if (!b.content.empty()) out.list("content", b.content, [&](const chat::Block& inner) { write_block(out, inner); });
  out.raw("}");
}

std::string read_request(Wire wire, std::string_view body, std::string_view model) {
  json::ReaderOptions strict;
  strict.mode = json::Mode::strict;
  json::Reading reading = json::read(body, strict);
  Text out;
  if (reading.verdict.word() != json::Word::valid) return "{\"error\":\"the request is not JSON\"}";
  auto request = wire::decode_request(wire, reading.document.root(), model);
  if (!request)
    return out.raw("{\"error\":").string(request.error().path + ": " + request.error().message).raw("}").text();

  json::Reading again = json::read(wire::encode_request(wire, *request), strict);
  auto second = wire::decode_request(wire, again.document.root(), model);
  const chat::Request& r = *request;
  constexpr std::string_view roles[] = {"system", "user", "assistant", "tool"};
  constexpr std::string_view choices[] = {"auto", "none", "required", "named"};
  out.raw("{\"again\":").raw(second && *second == r ? "true" : "false").member("model", r.model);
  out.raw(",\"stream\":").raw(r.stream ? "true" : "false");
  out.list("messages", r.messages, [&](const chat::Message& m) {
    out.raw("{\"role\":").string(roles[static_cast<std::size_t>(m.role)]);
    out.list("blocks", m.blocks, [&](const chat::Block& b) { write_block(out, b); }).raw("}");
  });
  out.list("tools", r.tools, [&](const chat::Tool& t) {
    out.raw("{\"name\":").string(t.name).member("description", t.description);
    out.raw(",\"parameters\":").raw(t.parameters.empty() ? "null" : t.parameters).raw("}");
  });
  if (r.tool_choice)
    out.member("tool_choice", choices[static_cast<std::size_t>(r.tool_choice->kind)])
        .member("tool", r.tool_choice->name);
  if (r.max_output_tokens) out.raw(",\"max_output_tokens\":").raw(std::to_string(*r.max_output_tokens));
  if (r.temperature) out.raw(",\"temperature\":").raw(std::to_string(*r.temperature));
  return out.raw("}").text();
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string_view> arguments(argv + 1, argv + argc);
  if (arguments.size() == 1 && arguments[0] == "answers") {
    write_answers();
    return 0;
  }
  if (arguments.size() >= 2 && arguments[0] == "request") {
    auto wire = wire::wire_named(arguments[1]);
    if (!wire) return 2;
    for (std::string line; std::getline(std::cin, line);)
      std::cout << read_request(*wire, line, arguments.size() > 2 ? arguments[2] : "") << "\n";
    return 0;
  }
  std::fprintf(stderr, "usage: belay_sdk_peer answers | request WIRE [MODEL]\n");
  return 2;
}
