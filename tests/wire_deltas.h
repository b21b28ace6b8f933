// What the tests of the wires share: deltas as lines of text, bodies made of events, random answers.
#pragma once

#include "support/decisions.h"
#include "support/documents.h"
#include "support/outcome.h"
#include "support/tree.h"

#include <belay/json.h>
#include <belay/wire.h>

#include <rapidcheck.h>

#include <string>
#include <string_view>
#include <vector>

namespace belay::check {

using Lines = std::vector<std::string>;

/// Writes each delta as one line, every field that counts in it.
class DeltaLines final : public chat::DeltaSink {
 public:
  void on(const chat::Delta& d) override {
    lines.push_back(std::visit([](const auto& piece) { return line(piece); }, d));
  }
  Lines lines;

 private:
  static std::string line(const chat::delta::Start& d) {
    return "start " + std::string(d.id) + " " + std::string(d.model);
  }
  static std::string line(const chat::delta::Text& d) { return prose("text", d.block, d.text); }
  static std::string line(const chat::delta::Reasoning& d) { return prose("reasoning", d.block, d.text); }
  static std::string line(const chat::delta::Refusal& d) { return prose("refusal", d.block, d.text); }
  static std::string line(const chat::delta::Call& d) {
    const std::string who = key(d.key) + (d.name.empty() ? "" : " name=" + std::string(d.name));
    if (d.whole) return (d.closed ? "closed call" : "whole call") + who + " " + std::string(d.arguments);
    if (d.disputed && d.arguments.empty() && d.name.empty()) return "lost" + who;
    return (d.cut ? "cut call" : "call") + who + " " + std::string(d.arguments);
  }
  static std::string line(const chat::delta::CallEnd& d) { return "call_end" + key(d.key); }
  static std::string line(const chat::delta::CallOpaque& d) {
    return "opaque" + (d.key.empty() ? " []" : key(d.key)) + " " + d.opaque->key + "=" + d.opaque->json;
  }
  static std::string line(const chat::delta::BlockOpaque& d) {
    constexpr std::string_view kinds[] = {"", "message", "text", "reasoning", "refusal", "other"};
    return "opaque " + std::string(kinds[static_cast<std::size_t>(d.place.kind)]) + "[" + std::string(d.place.block) +
           "] " + d.opaque->key + "=" + d.opaque->json;
  }
  static std::string line(const chat::delta::Usage& d) { return "usage" + counts(*d.usage); }
  static std::string line(const chat::delta::Stop& d) {
    return "stop " + std::string(chat::name(d.reason)) + " " + std::string(d.raw);
  }
  static std::string line(const chat::delta::End&) { return "end"; }
  static std::string line(const chat::Failure& d) {
    std::string wait = d.retry_after ? " after " + std::to_string(*d.retry_after).substr(0, 4) : "";
    return "failure " + std::string(d.kind) + (d.retryable ? " retry" : "") + wait + ": " + std::string(d.message);
  }
  static std::string line(const chat::delta::Notice& d) { return "notice " + std::string(d.kind); }

  static std::string prose(std::string name, std::string_view block, std::string_view text) {
    if (!block.empty()) name += "[" + std::string(block) + "]";
    return name + " " + std::string(text);
  }
  static std::string key(const chat::delta::CallKey& key) {
    std::string out;
    if (key.index) out += " #" + std::to_string(*key.index);
    if (!key.id.empty()) out += " id=" + std::string(key.id);
    if (!key.item.empty()) out += " item=" + std::string(key.item);
    return out;
  }
  static std::string counts(const chat::Usage& u) {
    std::string out;
    auto add = [&](std::string_view name, std::optional<std::uint64_t> n) {
      if (n) out += " " + std::string(name) + "=" + std::to_string(*n);
    };
    add("in", u.input_tokens);
    add("out", u.output_tokens);
    add("cached", u.cached_tokens);
    add("written", u.cache_write_tokens);
    add("reasoning", u.reasoning_tokens);
    return out;
  }
};

/// The deltas of a body, read in pieces of `size` bytes; 0 for one piece.
inline Lines deltas_of(wire::Wire wire, std::string_view body, std::size_t size = 0) {
  DeltaLines sink;
  wire::StreamDecoder decoder(wire, sink);
  for (std::string_view piece : chop(body, size ? size : body.size() + 1)) decoder.push(piece);
  decoder.finish();
  return sink.lines;
}

/// A body of these events: server-sent events, or one a line for Ollama.
inline std::string body_of(wire::Wire wire, const Lines& events) {
  std::string out;
  for (const std::string& e : events) out += wire == wire::Wire::ollama ? e + "\n" : "data: " + e + "\n\n";
  return out;
}

/// Every document that has one node of this one replaced by something of another kind, or left out.
inline Lines mutations(const std::string& json) {
  Lines out;
  static const Lines kStrange = {"null",
                                 "true",
                                 "0",
                                 "-1",
                                 "1e300",
                                 "99999999999999999999",
                                 "\"\"",
                                 "\"x\"",
                                 "[]",
                                 "[1]",
                                 "{}",
                                 R"([[{"a":[]}]])",
                                 R"({"type":"x","a":{"type":"text"}})"};
  Tree root = to_tree(root_of(document_of(json)));
  auto walk = [&](auto& self, Tree& node) -> void {
    Tree old = node;
    for (const std::string& strange : kStrange) {
      node = to_tree(root_of(document_of(strange)));
      out.push_back(to_text(root));
    }
    node = old;
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      self(self, node.items[i]);
      old = node;
      node.items.erase(node.items.begin() + static_cast<std::ptrdiff_t>(i));
      if (!node.keys.empty()) node.keys.erase(node.keys.begin() + static_cast<std::ptrdiff_t>(i));
      out.push_back(to_text(root));
      node = old;
    }
  };
  walk(walk, root);
  return out;
}

/// A body read into the neutral vocabulary. Fails the test when it cannot be.
inline chat::Request request_of(wire::Wire wire, std::string_view body, std::string_view model = {}) {
  json::Document document = document_of(body);
  auto request = wire::decode_request(wire, document.root(), model);
  if (!request) throw std::runtime_error(request.error().path + " " + request.error().message);
  return *request;
}

/// Empty when reading, writing and reading again gives what reading gave; else both, for the message.
inline std::string round_trip_difference(wire::Wire wire, std::string_view body, std::string_view model = {}) {
  chat::Request first = request_of(wire, body, model);
  std::string written = wire::encode_request(wire, first);
  chat::Request second = request_of(wire, written, model);
  if (first == second) return {};
  return "read: " + std::string(body) + "\nwritten: " + written + "\nagain: " + wire::encode_request(wire, second);
}

inline std::string make_text(Choices& choices) {
  static const Lines kTexts = {
      "a",    "two words", "line\nbreak", "\"quoted\" \\", "naïve 日本 😀", "data: x\n\ndata: y",
      "\r\n", "</tool>",   "\t",          "[DONE]"};
  std::string out;
  for (std::size_t n = 1 + choices.below(4); n > 0; --n) out += choices.pick(kTexts);
  return out;
}

/// The text in pieces that end between characters.
inline Pieces make_pieces(std::string_view text, Choices& choices) {
  Pieces out;
  while (!text.empty()) {
    std::size_t n = 1 + choices.below(8);
    if (choices.used_up()) n = text.size();
    while (n < text.size() && (static_cast<unsigned char>(text[n]) & 0xc0) == 0x80) ++n;
    out.push_back(text.substr(0, n));
    text.remove_prefix(out.back().size());
  }
  return out;
}

/// What an answer of a wire may hold: the Opaque that signs a block, if the wire has one.
struct AnswerKind {
  std::string wire, signature;
  bool sign_reasoning = false, sign_text = false, sign_calls = false;
  bool ids = true;
  bool one_of_each = false;  ///< one text and one reasoning, before the calls
};

inline chat::Response make_answer(Choices& choices, const AnswerKind& kind) {
  using Kind = chat::Block::Kind;
  chat::Response out;
  out.id = "answer_1";
  out.model = "some-model";
  auto sign = [&](chat::Block& b, bool may) {
    if (may && choices.flip()) b.opaque.push_back({kind.wire, kind.signature, json_string(make_text(choices))});
  };
  std::size_t calls = 0;
  for (std::size_t n = choices.below(6); n > 0; --n) {
    auto& blocks = out.message.blocks;
    std::size_t what = kind.one_of_each ? std::min<std::size_t>(blocks.size(), 2) : choices.below(3);
    if (what == 2) {
      std::string id = kind.ids ? "call_" + std::to_string(calls) : "";
      blocks.push_back(chat::call_block(id, "tool_" + std::to_string(calls++ % 2), to_text(make_document(choices))));
      sign(blocks.back(), kind.sign_calls);
      continue;
    }
    Kind block = what == 0 ? Kind::reasoning : Kind::text;
    // Texts that stand beside each other are one in a stream, unless something ends the first.
    if (!blocks.empty() && blocks.back().kind == block && blocks.back().opaque.empty()) continue;
    blocks.push_back(chat::text_block(make_text(choices)));
    blocks.back().kind = block;
    sign(blocks.back(), block == Kind::text ? kind.sign_text : kind.sign_reasoning);
  }
  out.stop = calls > 0 ? chat::StopReason::tool_calls : chat::StopReason::end;
  if (choices.once_in(4)) out.stop = chat::StopReason::length;
  out.usage.input_tokens = choices.below(1000);
  out.usage.output_tokens = choices.below(1000);
  return out;
}

/// Writes the answer as a stream, its texts in random pieces.
inline std::string stream_of(wire::Wire wire, const chat::Response& answer, Choices& choices) {
  wire::StreamEncoder encoder(wire, {answer.id, answer.model, 1'700'000'000});
  std::string out;
  for (const chat::Block& b : answer.message.blocks) {
    if (b.kind == chat::Block::Kind::tool_call) {
      encoder.begin_call(b.id, b.name);
      for (std::string_view piece : make_pieces(b.arguments, choices)) encoder.arguments(piece);
      encoder.end_call();
    }
    for (std::string_view piece : make_pieces(b.text, choices)) {
      if (b.kind == chat::Block::Kind::reasoning)
        encoder.reasoning(piece);
      else
        encoder.text(piece);
      if (choices.flip()) out += encoder.take();
    }
    for (const chat::Opaque& o : b.opaque) encoder.opaque(o);
  }
  encoder.usage(answer.usage);
  encoder.stop(answer.stop, answer.raw_stop);
  return out + encoder.take();
}

/// Any request: each role says what it can say, in any order.
inline chat::Request make_request(Choices& choices) {
  using Kind = chat::Block::Kind;
  static const Lines kModels = {"m", "claude-opus-4-5", "claude-sonnet-5", "gemini-2.5-pro", "gemini-3-pro"};
  static const Lines kWires = {"anthropic", "gemini", "ollama", "openai-chat"};
  static const Lines kKeys = {"signature", "thoughtSignature", "data", "cache_control", "x"};
  chat::Request r;
  r.model = choices.pick(kModels);
  auto keep = [&](std::vector<chat::Opaque>& opaque) {
    if (choices.once_in(6))
      opaque.push_back({choices.pick(kWires), choices.pick(kKeys), json_string(make_text(choices))});
  };
  static const std::vector<Kind> kKinds[] = {{Kind::text},
                                             {Kind::text, Kind::image, Kind::tool_result},
                                             {Kind::text, Kind::reasoning, Kind::refusal, Kind::tool_call},
                                             {Kind::tool_result},
                                             {Kind::text, Kind::image}};
  auto make_block = [&](auto& self, std::size_t role) -> chat::Block {
    chat::Block b;
    b.kind = choices.pick(kKinds[role]);
    if (b.kind == Kind::image) {
      b.media_type = "image/png";
      b.data = choices.flip() ? "iVBORw0KGgo" : "";
      b.url = b.data.empty() ? "https://example.org/a.png" : "";
    } else if (b.kind == Kind::tool_call) {
      b = chat::call_block("call_" + std::to_string(choices.below(4)), "tool", to_text(make_document(choices)));
    } else if (b.kind == Kind::tool_result) {
      b.id = "call_" + std::to_string(choices.below(4));
      b.is_error = choices.flip();
      for (std::size_t n = choices.below(3); n > 0; --n) b.content.push_back(self(self, 4));
    } else if (!choices.once_in(5)) {
      b.text = make_text(choices);
    }
    keep(b.opaque);
    return b;
  };
  for (std::size_t n = choices.below(6); n > 0; --n) {
    std::size_t role = choices.below(4);
    r.messages.push_back({static_cast<chat::Role>(role), {}, {}});
    for (std::size_t k = choices.below(4); k > 0; --k) r.messages.back().blocks.push_back(make_block(make_block, role));
  }
  for (std::size_t n = choices.below(3); n > 0; --n) {
    r.tools.push_back({"tool_" + std::to_string(n), choices.flip() ? make_text(choices) : "", "", {}});
    if (choices.flip()) r.tools.back().parameters = to_text(make_document(choices));
    keep(r.tools.back().opaque);
  }
  if (choices.flip()) r.tool_choice = {static_cast<chat::ToolChoice::Kind>(choices.below(4)), {}};
  if (r.tool_choice && r.tool_choice->kind == chat::ToolChoice::Kind::named) r.tool_choice->name = "tool_1";
  if (choices.flip()) r.parallel_calls = choices.flip();
  if (choices.flip()) r.max_output_tokens = choices.below(100'000);
  if (choices.flip()) r.temperature = static_cast<double>(choices.below(20)) / 10;
  if (choices.flip()) r.top_p = 0.5;
  if (choices.flip()) r.stop.push_back(make_text(choices));
  if (choices.flip()) r.reasoning_effort = choices.flip() ? "low" : "high";
  if (choices.once_in(3)) r.reasoning_tokens = choices.below(10'000);
  r.stream = choices.flip();
  keep(r.opaque);
  return r;
}

}  // namespace belay::check
