// The stream is a list of blocks: each is opened at an index, grows by deltas, and is closed. A whole answer has the
// same blocks in one body.
#include "wire/anthropic.h"
#include "wire/body.h"

#include <belay/json/reader.h>
#include <belay/json/writer.h>

#include <limits>
#include <map>

namespace BELAY_NAMESPACE::wire::anthropic {
namespace {

using Place = delta::Place;
using Index = std::optional<std::int64_t>;  // none is a key too: for servers that leave it out

std::uint64_t sum(std::uint64_t a, std::uint64_t b) {
  return a > std::numeric_limits<std::uint64_t>::max() - b ? std::numeric_limits<std::uint64_t>::max() : a + b;
}

// A block's JSON with another input.
void add_input(std::string& block, std::string_view input) {
  json::Reading reading = json::read(block);
  block.clear();
  JsonText out(block);
  out.open('{');
  for (json::Member m : reading.document.root().members())
    if (m.key != "input") out.key(m.key).raw(json::to_string(m.value));
  out.key("input").raw(input).close('}');
}

// The arguments in a call's start and those of its fragments are not the same. None in the start contradict nothing.
bool contradicts(std::string_view start, std::string_view fragments) {
  const json::Reading a = json::read(start), b = json::read(fragments);
  if (a.document.empty()) return start.find_first_not_of(" \t\r\n") != start.npos;
  const json::Value first = a.document.root();
  if ((first.is_object() || first.is_array()) && first.size() == 0) return false;
  return b.verdict.end != json::End::complete || b.verdict.count != 1 || !(first == b.document.root());
}

class Reader final : public Dialect {
 public:
  using Dialect::Dialect;
  void on_event(json::Value value, std::string_view event) override;
  void on_done() override;
  void on_over() override;

 private:
  // A block between its start and its stop.
  struct Open {
    enum class What : std::uint8_t { prose, call, other } what = What::prose;
    std::string name;        // tells it from every other block of the answer; an index may be used again
    std::string id;          // of a call
    std::string start;       // a call: the arguments that its start held; other: the start itself
    std::string pieces;      // other: its input; a call whose start held arguments: all fragments
    bool fragments = false;  // of arguments came for it
    bool told = false;       // a call: the arguments of its start were
    bool lost = false;       // a call: a part of it could not be read
    bool input = false;      // other: it has one, so that fragments are for it
  };

  [[nodiscard]] std::string_view wire_name() const override { return kName; }
  void on_typed(std::string_view type, json::Value value);
  void on_message_start(json::Value value);
  void add_citation(std::string_view block, json::Value citation);
  void on_block_start(Index index, json::Value block);
  void on_prose(std::string_view type, std::string_view name, json::Value block);
  void on_block_delta(json::Value value);
  void on_fragment(Index index, std::string_view piece, bool odd);
  void lose_part(Index index, std::string_view message);
  void on_call(Index index, json::Value block, bool whole);
  void on_message(json::Value message);
  void on_stop(json::Value delta);
  void on_usage(json::Value usage);
  void on_error(json::Value value);
  void tell_start();
  void finish_block(Index index, Open& block, bool stopped);
  void finish_blocks();

  std::map<Index, Open> open_;
  Index newest_;         // the block that was opened last
  chat::Usage counted_;  // input_tokens as Anthropic counts them: without the cached ones
  std::size_t blocks_ = 0;
  bool started_ = false, stopped_ = false;
  std::string raw_stop_;
};

// Blocks have a list of them, so each is a list of one.
void Reader::add_citation(std::string_view block, json::Value citation) {
  json::Reading list = json::read("[" + json::to_string(citation) + "]");
  opaque("citations", list.document.root(), {Place::Kind::text, block});
}

void Reader::on_event(json::Value value, std::string_view event) {
  if (ended_ || failed_) return;
  if (!value.is_object()) return lost("ignored_event", "an event that is no object");
  std::string_view type = text_at(value, "type");
  if (type.empty()) type = event;
  if (type == "error") return on_error(value);
  if (error_at(value)) return on_error(value);
  if (type.empty() && array_at(value, "content")) type = "message";
  if (type.empty() && (value.find("delta") || value.find("partial_json")))
    return lost("ignored_event", "an event without a type; it may be a part of a call");
  if (type.empty()) return notice("ignored_event", "an event without a type");
  on_typed(type, value);
}

void Reader::on_typed(std::string_view type, json::Value value) {
  bool block = type.starts_with("content_block_");
  bool message = type == "message_start" || type == "message_delta" || type == "message_stop" || type == "message";
  if (!block && !message) return;  // ping, and what may come: to be ignored, says the API's versioning policy
  recognised_ = true;
  if (type == "message_start") return on_message_start(value);
  if (type == "message") return on_message(value);
  if (type == "message_delta") {
    if (auto u = object_at(value, "usage")) on_usage(*u);
    if (auto delta = object_at(value, "delta")) on_stop(*delta);
  } else if (type == "message_stop") {
    finish_blocks();
    end();
  } else if (type == "content_block_start") {
    on_block_start(index_at(value, "index"), object_at(value, "content_block").value_or(value));
  } else if (type == "content_block_delta") {
    on_block_delta(value);
  } else if (type == "content_block_stop") {
    auto it = open_.find(index_at(value, "index"));
    if (it == open_.end()) return;
    finish_block(it->first, it->second, true);
    open_.erase(it);
  }
}

// [DONE] is not this wire's end marker, but servers that speak several wires put it behind the last event.
void Reader::on_done() {
  if (stopped_) {
    finish_blocks();
    end();
  } else {
    notice("ignored_event", "[DONE] before a stop reason");
  }
}

// The end marker is message_stop. A reason without it says how the answer was about to end.
void Reader::on_over() {
  finish_blocks();
  if (!stopped_) return;
  stop(chat::StopReason::none, raw_stop_);
  notice("no_end_marker", "the stream ended behind its stop reason, without message_stop; the answer may not be whole");
}

void Reader::on_message_start(json::Value value) {
  if (blocks_ > 0) {
    chat::Failure failure{"malformed_stream", "a second message began in the stream", true, std::nullopt};
    return fail(failure);
  }
  if (started_) return notice("ignored_event", "a second message_start");
  started_ = true;
  auto message = object_at(value, "message");
  if (!message) return start({}, {});
  start(text_at(*message, "id"), text_at(*message, "model"));
  if (auto u = object_at(*message, "usage")) on_usage(*u);
}

void Reader::on_block_start(Index index, json::Value block) {
  if (auto it = open_.find(index); it != open_.end()) {
    finish_block(index, it->second, false);
    open_.erase(it);
  }
  std::string_view type = text_at(block, "type");
  if (type.empty() || type.starts_with("content_block_")) return notice("ignored_fragment", "a block without a type");
  if (open_.size() >= limits_.calls) return fail_limit("more blocks are open at once", "calls", limits_.calls);
  tell_start();
  newest_ = index;
  Open& open = open_[index];
  open.name = std::to_string(blocks_++);
  if (type == "text" || type == "thinking" || type == "redacted_thinking") {
    on_prose(type, open.name, block);
  } else if (type == "tool_use") {
    open.what = Open::What::call;
    open.id = text_at(block, "id");
    if (auto input = block.find("input"); input && !(input->is_object() && input->size() == 0))
      open.start = arguments_text(*input);
    on_call(index, block, false);
  } else {
    // Run by the server, or not known yet: nothing of it is for us, all of it has to go back.
    open.what = Open::What::other;
    open.input = block.find("input").has_value();
    open.start = json::to_string(block);
  }
}

// A block may hold nothing but what is opaque: a thinking block without text has a signature.
void Reader::on_prose(std::string_view type, std::string_view name, json::Value block) {
  const Place thought{Place::Kind::reasoning, name};
  if (type == "text") {
    text(text_at(block, "text"), name);
    if (auto citations = array_at(block, "citations"); citations && citations->size() > 0)
      opaque("citations", *citations, {Place::Kind::text, name});
  } else if (type == "thinking") {
    reasoning(text_at(block, "thinking"), name);
    if (auto s = block.find("signature"); s && !s->as_string().empty()) opaque("signature", *s, thought);
  } else if (auto data = block.find("data")) {
    opaque("data", *data, thought);
  }
}

// What cannot be read of a call may have been a part of its arguments.
void Reader::lose_part(Index index, std::string_view message) {
  auto it = open_.find(index);
  if (it != open_.end() && it->second.what != Open::What::call) return notice("ignored_fragment", message);
  if (it == open_.end()) return lost("ignored_fragment", message);
  it->second.lost = true;
  lost("ignored_fragment", message, {.index = index, .id = it->second.id});
}

void Reader::on_block_delta(json::Value value) {
  const Index index = index_at(value, "index");
  const json::Value delta = object_at(value, "delta").value_or(value);
  auto it = open_.find(index);
  std::string_view name;
  if (it != open_.end())
    name = it->second.name;
  else
    ++blocks_;
  std::string_view type = text_at(delta, "type");
  if (type == "input_json_delta") {
    auto piece = delta.find("partial_json");
    // Some servers leave out what is empty.
    if ((!piece && delta.size() > 1) || value.find("partial_json"))
      lose_part(index, "a fragment of arguments that is not where it belongs");
    const bool odd = it == open_.end() && odd_index_at(value, "index");
    if (odd) notice("unusable_index", "a fragment of arguments has an index that names no block");
    // An object where a text belongs is its text: to leave it out could make a call look whole.
    if (piece && !piece->is_string()) return on_fragment(index, arguments_text(*piece), odd);
    return on_fragment(index, piece ? piece->as_string() : std::string_view{}, odd);
  }
  const bool call = it != open_.end() && it->second.what == Open::What::call;
  bool known = true;
  if (type == "text_delta") {
    text(text_at(delta, "text"), name);
  } else if (type == "thinking_delta") {
    reasoning(text_at(delta, "thinking"), name);
  } else if (type == "signature_delta") {
    if (auto s = delta.find("signature"); s && !s->as_string().empty())
      opaque("signature", *s, {Place::Kind::reasoning, name});
  } else if (type == "citations_delta") {
    if (auto c = object_at(delta, "citation")) add_citation(name, *c);
  } else {
    known = false;
  }
  if (call || !known) lose_part(index, "a delta of a type that is not known, or not for its block");
}

void Reader::on_fragment(Index index, std::string_view piece, bool odd) {
  if (piece.empty()) return;
  auto it = open_.find(index);
  if (it != open_.end() && (it->second.what == Open::What::other || !it->second.start.empty())) {
    Open& block = it->second;
    if (block.pieces.size() + piece.size() > limits_.bytes)
      return fail_limit("the input of a block has more bytes", "bytes", limits_.bytes);
    block.pieces += piece;
    if (block.told) return;
    if (block.what == Open::What::other) {
      if (!block.input) lost("ignored_fragment", "a fragment of arguments for a block that began without any");
      return;
    }
  }
  // A fragment for a block that is not open, or holds text, is passed on all the same: whose it is, the wire does not
  // say.
  delta::Call d{.key = {.index = index}, .arguments = piece, .disputed = odd};
  d.fragment = it == open_.end() || it->second.what == Open::What::prose;
  if (it != open_.end()) {
    d.key.id = it->second.id;
    it->second.fragments = true;
  }
  send(d);
}

void Reader::on_call(Index index, json::Value block, bool whole) {
  const delta::CallKey key{.index = index, .id = text_at(block, "id")};
  std::string arguments;
  if (auto input = block.find("input"); input && whole) arguments = arguments_text(*input);
  send({.key = key,
        .name = text_at(block, "name"),
        .arguments = arguments,
        .whole = whole,
        .begins = !whole,
        .closed = whole,
        .awaits_end = true});
  for (json::Member m : block.members())
    if (m.key != "type" && m.key != "id" && m.key != "name" && m.key != "input" && !m.value.is_null())
      opaque(m.key, m.value, key);
}

// Arguments that stand in a block's start count when the block is over, because fragments would take their place, or
// when the next one begins: to whoever listens that one follows them.
void Reader::tell_start() {
  auto it = open_.find(newest_);
  if (it == open_.end()) return;
  Open& block = it->second;
  if (block.what != Open::What::call || block.start.empty() || block.fragments || block.told) return;
  block.told = true;
  send({.key = {.index = newest_, .id = block.id}, .arguments = block.start, .whole = true, .disputed = block.lost});
}

void Reader::finish_block(Index index, Open& block, bool stopped) {
  const delta::CallKey key{.index = index, .id = block.id};
  if (block.what == Open::What::call) {
    if (block.fragments && !block.start.empty() && contradicts(block.start, block.pieces))
      lost("contradiction", "the start of a call holds other arguments than its fragments; it cannot be trusted", key);
    std::string_view arguments;
    if (block.told)
      arguments = block.pieces;
    else if (!block.fragments)
      arguments = block.start;
    if (!arguments.empty())
      send({.key = key, .arguments = arguments, .whole = true, .closed = stopped, .disputed = block.lost});
    else if (stopped)
      send(delta::CallEnd{key});
  } else if (block.what == Open::What::other) {
    if (!block.pieces.empty()) add_input(block.start, object_text(block.pieces));
    json::Reading reading = json::read(block.start);
    const json::Value root = reading.document.root();
    opaque(text_at(root, "type"), root, {Place::Kind::other, block.name});
  } else if (block.fragments) {
    // They are not those of a call that begins on this index later.
    send(delta::CallEnd{key});
  }
}

void Reader::finish_blocks() {
  for (auto& [index, block] : open_) finish_block(index, block, false);
  open_.clear();
}

void Reader::on_message(json::Value message) {
  start(text_at(message, "id"), text_at(message, "model"));
  std::int64_t index = 0;
  text(text_at(message, "content"));
  auto on_block = [&](json::Value block) {
    if (text_at(block, "type") == "tool_use") {
      on_call(index, block, true);
    } else {
      on_block_start(index, block);
      finish_blocks();
    }
    ++index;
  };
  if (auto content = array_at(message, "content")) {
    for (json::Value block : content->items()) on_block(block);
  } else if (auto one = object_at(message, "content"); one && one->size() > 0) {
    notice("mended_event", "content that is one block, not a list of them, was read as one");
    on_block(*one);
  }
  if (auto u = object_at(message, "usage")) on_usage(*u);
  on_stop(message);
  end();
}

void Reader::on_stop(json::Value delta) {
  for (std::string_view key : {"stop_sequence", "stop_details", "container"})
    if (auto v = delta.find(key); v && !v->is_null()) opaque(key, *v, {Place::Kind::message, {}});
  std::string_view raw = text_at(delta, "stop_reason");
  if (raw.empty()) return;
  stopped_ = true;
  raw_stop_ = raw;
  stop(stop_reason(raw), raw);
}

// Counts are totals and come in any order, each event with some of them. Anthropic counts cached input apart; the
// neutral count of the input is all of it.
void Reader::on_usage(json::Value u) {
  auto learn = [&](std::optional<std::uint64_t>& into, std::string_view key) {
    auto n = count_at(u, key);
    if (n) into = n;
    return n.has_value();
  };
  chat::Usage said;
  bool input = learn(counted_.input_tokens, "input_tokens");
  bool written = learn(counted_.cache_write_tokens, "cache_creation_input_tokens");
  bool read = learn(counted_.cached_tokens, "cache_read_input_tokens");
  if (input || written || read)
    said.input_tokens = sum(counted_.input_tokens.value_or(0),
                            sum(counted_.cache_write_tokens.value_or(0), counted_.cached_tokens.value_or(0)));
  if (written) said.cache_write_tokens = counted_.cache_write_tokens;
  if (read) said.cached_tokens = counted_.cached_tokens;
  said.output_tokens = count_at(u, "output_tokens");
  if (auto details = object_at(u, "output_tokens_details"))
    said.reasoning_tokens = count_at(*details, "thinking_tokens");
  if (said != chat::Usage{}) usage(said);
}

void Reader::on_error(json::Value value) {
  json::Value error = value.find("error").value_or(value);
  if (error.is_null()) error = value;
  if (error.is_string()) return fail(classify("", "", error.as_string()));
  std::string_view type = text_at(error, "type"), code;
  if (type == "error") type = {};
  // A spend limit calls itself a rate limit; only this field tells them apart.
  if (auto details = object_at(error, "details")) code = text_at(*details, "error_code");
  fail(classify(type, code, text_at(error, "message")));
}

}  // namespace

std::unique_ptr<Dialect> reader(chat::DeltaSink& sink) { return std::make_unique<Reader>(sink); }

}  // namespace BELAY_NAMESPACE::wire::anthropic
