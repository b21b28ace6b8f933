#include <belay/mcp/message.h>

#include <algorithm>
#include <charconv>

namespace BELAY_NAMESPACE::mcp {
namespace {

Message garbage(std::string why, Id id = {}) {
  Message m;
  m.text = std::move(why);
  m.id = std::move(id);
  m.looks_like_json = true;
  return m;
}

std::string_view without_space(std::string_view s) {
  constexpr std::string_view kSpace = " \t\r\n";
  const std::size_t from = s.find_first_not_of(kSpace);
  if (from == s.npos) return {};
  return s.substr(from, s.find_last_not_of(kSpace) - from + 1);
}

// Nothing for what is no id of MCP: null, fractions, containers, or a string beyond the limit.
// `replaced`: some text of the message was not as it stands here. Two ids that both had to be replaced look the same.
std::optional<Id> id_of(json::Value v, const CodecLimits& limits, bool replaced = false) {
  if (v.is_string()) {
    if (v.as_string().size() > limits.id_bytes) return std::nullopt;
    if (replaced && v.as_string().contains("\xEF\xBF\xBD")) return std::nullopt;
    return Id{Id::Kind::string, std::string(v.as_string())};
  }
  if (auto n = v.as_int64()) return Id{Id::Kind::number, std::to_string(*n)};
  if (auto n = v.as_uint64()) return Id{Id::Kind::number, std::to_string(*n)};
  return std::nullopt;
}

// The id of an object that is an answer, as far as can be seen; none for a request.
Id answered_by(json::Value object, const CodecLimits& limits) {
  if (!object.is_object() || object.find("method")) return {};
  const auto id = object.find("id");
  return id ? id_of(*id, limits).value_or(Id{}) : Id{};
}

Message error_of(const Payload& all, json::Value error, const std::optional<Id>& id) {
  const auto code = error.find("code");
  const auto text = error.find("message");
  const auto number = error.is_object() && code ? code->as_int64() : std::nullopt;
  if (!number) return garbage("an error without a code", id.value_or(Id{}));
  Message m;
  m.kind = Message::Kind::error;
  m.id = id.value_or(Id{});
  m.code = *number;
  if (text) m.text = text->as_string();
  if (const auto data = error.find("data")) m.payload = all.with(*data);
  return m;
}

Message message_of(const Payload& all, const CodecLimits& limits, bool replaced) {
  const json::Value& root = *all;
  if (!root.is_object()) return garbage("JSON that is no object");
  const auto version = root.find("jsonrpc");
  const auto method = root.find("method");
  const auto id_value = root.find("id");
  auto result = root.find("result");
  auto error = root.find("error");
  // Version 1 of JSON-RPC wants both, one of them null, and libraries that know it write that still.
  if (result && error && error->is_null()) error.reset();
  if (result && error && result->is_null()) result.reset();
  std::optional<Id> id;
  if (id_value) id = id_of(*id_value, limits, replaced);
  if (!version || version->as_string() != "2.0") {
    Message m = garbage("no \"jsonrpc\":\"2.0\" in it", answered_by(root, limits));
    if (method) m.asked = id.value_or(Id{});
    return m;
  }

  if (method) {
    auto no_request = [&](std::string why) {
      Message m = garbage(std::move(why));
      m.asked = id.value_or(Id{});
      return m;
    };
    if (result || error) return no_request("a method and an answer in one message");
    if (!method->is_string() || method->as_string().empty() || method->as_string().size() > limits.method)
      return no_request("a method that is no name");
    if (id_value && !id) return garbage("the id of a request has to be a string of whole characters or an integer");
    Message m;
    m.kind = id ? Message::Kind::request : Message::Kind::notification;
    m.id = id.value_or(Id{});
    m.method = method->as_string();
    const auto params = root.find("params");
    if (params && !params->is_object() && !params->is_array()) return no_request("params that are no object");
    if (params) m.payload = all.with(*params);
    return m;
  }
  if (result && error) return garbage("a result and an error in one answer", id.value_or(Id{}));
  if (error) return error_of(all, *error, id);
  if (!result) return garbage("neither a method, nor a result, nor an error", id.value_or(Id{}));
  if (!id) return garbage("a result without the id of its request");
  Message m;
  m.kind = Message::Kind::result;
  m.id = *id;
  m.payload = all.with(*result);
  return m;
}

// What cannot be helped by who writes JSON with an ordinary library.
bool harmless(const json::Reading& reading) {
  using enum json::EditKind;
  const json::Word word = reading.verdict.word();
  if (word == json::Word::truncated || word == json::Word::broken || reading.verdict.count != 1) return false;
  if (reading.edits_total != reading.edits.size()) return false;
  return std::ranges::all_of(reading.edits, [](const json::Edit& e) {
    return e.kind == byte_order_mark || e.kind == lone_surrogate || e.kind == invalid_utf8;
  });
}

// The request that half an answer belongs to. The tolerant reader shows what was complete: a cut number is not.
Id remains(const json::Reading& reading, const CodecLimits& limits) {
  if (reading.document.empty()) return {};
  const json::Value root = reading.document.root();
  const auto version = root.find("jsonrpc");
  if (!version || version->as_string() != "2.0") return {};
  return answered_by(root, limits);
}

// Whether what came begins as a result does. Many servers write its id last, which is lost when it is cut.
bool begins_answer(const json::Reading& reading) {
  if (reading.document.empty()) return false;
  const json::Value root = reading.document.root();
  if (!root.is_object() || root.size() == 0 || root.find("method") || !root.find("result")) return false;
  const auto version = root.find("jsonrpc");
  return version ? version->as_string() == "2.0" : (*root.members().begin()).key == "result";
}

}  // namespace

Incoming decode(std::string_view line, const CodecLimits& limits) {
  Incoming out;
  std::string_view text = without_space(line);
  if (text.empty()) return out;
  if (const std::string_view inner = text.starts_with("\xEF\xBB\xBF") ? text.substr(3) : text;
      !inner.starts_with('{') && !inner.starts_with('[')) {
    Message m;
    json::ReaderOptions strict;
    strict.mode = json::Mode::strict;
    strict.limits.bytes = kUnlimited;
    const bool is_json = json::read(inner, strict).verdict.word() == json::Word::valid;
    m.text = is_json ? "JSON that is no object" : "not JSON";
    out.messages.push_back(std::move(m));
    return out;
  }
  json::ReaderOptions options;
  options.mode = json::Mode::strict;
  options.limits.depth = limits.depth;
  options.limits.bytes = kUnlimited;  // whoever frames the lines has the limit
  json::Reading reading = json::read(text, options);
  bool replaced = false;
  if (reading.verdict.word() != json::Word::valid) {
    // Of the limits of the reader only the depth counts here. Whether an option raises it is not known in this place.
    const std::string why =
        "not JSON: " + (reading.error.kind == json::ErrorKind::limit
                            ? "it is nested deeper than " + std::to_string(limits.depth) + " levels (limit depth)"
                            : reading.error.message);
    options.mode = json::Mode::tolerant;
    options.limits.edits = 10'000;
    json::Reading tolerant = json::read(text, options, json::Ending::cut);
    if (!harmless(tolerant)) {
      Message m = garbage(why, remains(tolerant, limits));
      m.half_answer = !m.id && begins_answer(tolerant);
      m.looks_like_json = text.starts_with('{');
      out.messages.push_back(std::move(m));
      return out;
    }
    reading = std::move(tolerant);
    replaced = true;
  }
  const auto document = std::make_shared<const json::Document>(std::move(reading.document));
  const Payload root(document, document->root());
  if (!root->is_array()) {
    out.messages.push_back(message_of(root, limits, replaced));
    return out;
  }
  out.batch = true;
  if (root->size() == 0) out.messages.push_back(garbage("an empty batch"));
  for (json::Value item : root->items()) {
    if (out.messages.size() >= limits.batch) {
      out.messages.push_back(garbage("more than " + std::to_string(limits.batch) + " messages in one batch"));
      break;
    }
    out.messages.push_back(message_of(root.with(item), limits, replaced));
  }
  return out;
}

}  // namespace BELAY_NAMESPACE::mcp
