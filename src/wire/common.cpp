#include "wire/dialect.h"
#include "wire/stop_words.h"

#include <belay/json/writer.h>

#include <algorithm>
#include <charconv>
#include <utility>

namespace BELAY_NAMESPACE::wire {

void Dialect::text(std::string_view piece, std::string_view block) {
  if (!piece.empty()) send(delta::Text{piece, block});
}

void Dialect::reasoning(std::string_view piece, std::string_view block) {
  if (!piece.empty()) send(delta::Reasoning{piece, block});
}

void Dialect::refusal(std::string_view piece, std::string_view block) {
  if (!piece.empty()) send(delta::Refusal{piece, block});
}

void Dialect::send(delta::Call call) {
  call.guess = guess_;
  sink_.on(call);
}

void Dialect::start(std::string_view id, std::string_view model) { send(delta::Start{id, model}); }

void Dialect::usage(const chat::Usage& usage) { send(delta::Usage{&usage}); }

void Dialect::stop(chat::StopReason reason, std::string_view raw) { send(delta::Stop{reason, raw}); }

chat::StopReason Dialect::stop_reason(std::string_view raw) {
  if (std::optional<chat::StopReason> known = stop_word(raw)) return *known;
  std::size_t shown = std::min<std::size_t>(raw.size(), 60);
  while (shown < raw.size() && shown > 0 && (static_cast<unsigned char>(raw[shown]) & 0xC0) == 0x80) --shown;
  notice("unknown_stop", "the answer ended by a word that is not known, and counts as ended: " +
                             std::string(raw.substr(0, shown)) + (shown < raw.size() ? "..." : ""));
  return chat::StopReason::end;
}

void Dialect::end() {
  if (!std::exchange(ended_, true)) send(delta::End{});
}

void Dialect::fail(const chat::Failure& failure) {
  failed_ = recognised_ = true;
  send(failure);
}

void Dialect::fail_limit(std::string_view what, std::string_view limit, std::uint64_t most) {
  const std::string name(limit);
  const std::string message = std::string(what) + " than " + std::to_string(most) + "; raise the limit with --limit " +
                              name + "=N (Limits::" + name + ")";
  const chat::Failure failure{"limit", message, false, std::nullopt};
  fail(failure);
}

void Dialect::notice(std::string_view kind, std::string_view message) { send(delta::Notice{kind, message}); }

void Dialect::lost(std::string_view kind, std::string_view message, const delta::CallKey& where) {
  notice(kind, message);
  lose(where);
}

void Dialect::lose(const delta::CallKey& where) { send({.key = where, .disputed = true}); }

void Dialect::opaque(std::string_view key, json::Value value, const delta::Place& place) {
  const chat::Opaque opaque{std::string(wire_name()), std::string(key), json::to_string(value)};
  send(delta::BlockOpaque{place, &opaque});
}

void Dialect::opaque(std::string_view key, json::Value value, const delta::CallKey& call) {
  const chat::Opaque opaque{std::string(wire_name()), std::string(key), json::to_string(value)};
  send(delta::CallOpaque{call, &opaque});
}

std::string_view text_at(json::Value object, std::string_view key) {
  std::optional<json::Value> v = object.find(key);
  return v ? v->as_string() : std::string_view{};
}

std::optional<json::Value> object_at(json::Value object, std::string_view key) {
  std::optional<json::Value> v = object.find(key);
  return v && v->is_object() ? v : std::nullopt;
}

std::optional<json::Value> array_at(json::Value object, std::string_view key) {
  std::optional<json::Value> v = object.find(key);
  return v && v->is_array() ? v : std::nullopt;
}

std::optional<std::uint64_t> count_at(json::Value object, std::string_view key) {
  std::optional<json::Value> v = object.find(key);
  return v ? v->as_uint64() : std::nullopt;
}

std::optional<std::int64_t> index_at(json::Value object, std::string_view key) {
  std::optional<json::Value> v = object.find(key);
  if (!v || !v->is_string()) return v ? v->as_int64() : std::nullopt;
  // Some servers write them as texts. To overlook one could put a fragment into the wrong call.
  const std::string_view digits = v->as_string();
  std::int64_t n = 0;
  const auto r = std::from_chars(digits.data(), digits.data() + digits.size(), n);
  return r.ec == std::errc() && r.ptr == digits.data() + digits.size() ? std::optional(n) : std::nullopt;
}

std::optional<json::Value> error_at(json::Value event) {
  std::optional<json::Value> error = event.find("error");
  if (!error || error->is_null()) return std::nullopt;
  const bool none = (error->is_bool() && !error->as_bool()) || (error->is_string() && error->as_string().empty());
  return none && event.size() > 1 ? std::nullopt : error;
}

bool odd_index_at(json::Value object, std::string_view key) {
  std::optional<json::Value> v = object.find(key);
  return v && !v->is_null() && !index_at(object, key);
}

namespace {

bool holds(std::string_view text, std::string_view part) {
  auto low = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  for (std::size_t i = 0; i + part.size() <= text.size(); ++i) {
    std::size_t k = 0;
    while (k < part.size() && low(text[i + k]) == part[k]) ++k;
    if (k == part.size()) return true;
  }
  return false;
}

// "try again in 11.054s", "in 2 minutes", "in 350ms": how long to wait, in seconds.
std::optional<double> wait_in(std::string_view message) {
  std::size_t at = message.find("try again in ");
  if (at == message.npos) return std::nullopt;
  std::string_view rest = message.substr(at + 13, 32);
  double total = 0;
  bool any = false;
  while (!rest.empty()) {
    double n = 0;
    auto r = std::from_chars(rest.data(), rest.data() + rest.size(), n, std::chars_format::fixed);
    if (r.ec != std::errc() || n < 0) break;
    rest.remove_prefix(static_cast<std::size_t>(r.ptr - rest.data()));
    while (rest.starts_with(' ')) rest.remove_prefix(1);
    double scale = rest.starts_with("ms") ? 0.001 : rest.starts_with('m') ? 60 : rest.starts_with('h') ? 3600 : 1;
    if (!rest.starts_with("ms") && !rest.starts_with('s') && !rest.starts_with('m') && !rest.starts_with('h')) break;
    rest.remove_prefix(rest.starts_with("ms") ? 2 : 1);
    total += n * scale;
    any = true;
  }
  return any ? std::optional(total) : std::nullopt;
}

// Each in the words of a server: OpenAI's and vLLM's, Anthropic's two, llama.cpp's, OpenAI's Responses, Gemini's,
// xAI's, Bedrock's.
bool tells_too_long(std::string_view message) {
  for (const std::string_view words :
       {"context length", "prompt is too long", "exceed context limit", "context size", "context window",
        "exceeds the maximum number of tokens", "maximum prompt length", "input is too long"})
    if (holds(message, words)) return true;
  return false;
}

// "11s", "0.5s".
std::optional<double> seconds_of(std::string_view duration) {
  double n = 0;
  auto r = std::from_chars(duration.data(), duration.data() + duration.size(), n, std::chars_format::fixed);
  const bool whole = r.ec == std::errc() && std::string_view(r.ptr, duration.data() + duration.size()) == "s";
  return whole && n >= 0 && n < 1e9 ? std::optional(n) : std::nullopt;
}

// The kind of error that a sentence tells of; nothing when it does not.
std::string_view kind_in(std::string_view message) {
  struct Row {
    std::string_view words, kind;
  };
  static constexpr Row kRows[] = {
      // Ollama, of what its model wrote: another answer may be better.
      {"error parsing tool call", "server_error"},
      {"api key", "authentication"},
      {"unauthorized", "authentication"},
      {"forbidden", "permission"},
      {"rate limit", "rate_limit"},
      {"too many requests", "rate_limit"},
      {"quota", "insufficient_quota"},
      {"credits", "billing"},
      {"payment required", "billing"},
      {"context size", "context_length"},
      {"context window", "context_length"},
      {"not found", "not_found"},
      {"does not support", "invalid_request"},
      {"maximum pending requests", "overloaded"},
      {"server busy", "overloaded"},
      {"unavailable", "overloaded"},
      {"timeout", "timeout"},
      {"timed out", "timeout"},
      {"invalid", "invalid_request"},
  };
  for (const Row& row : kRows)
    if (holds(message, row.words)) return row.kind;
  return {};
}

}  // namespace

ErrorDetails details_of(json::Value error) {
  ErrorDetails out;
  const auto details = array_at(error, "details");
  if (!details) return out;
  for (json::Value detail : details->items()) {
    if (auto wait = seconds_of(text_at(detail, "retryDelay"))) out.wait = wait;
    if (text_at(detail, "reason").starts_with("API_KEY_")) out.type = "authentication";
    if (const auto violations = array_at(detail, "violations"))
      for (json::Value violation : violations->items())
        if (text_at(violation, "quotaId").contains("PerDay")) out.type = "insufficient_quota";
  }
  return out;
}

chat::Failure classify(std::string_view type, std::string_view code, std::string_view message, int status) {
  if (status == 0 && code.size() == 3) std::from_chars(code.data(), code.data() + 3, status);
  chat::Failure f;
  f.message = message.empty() ? (type.empty() ? code : type) : message;
  if (f.message.empty()) f.message = "the server says that it failed, and not why";
  // Where an error is a sentence and nothing else, only its words say what kind it is.
  if (type.empty() && code.empty() && status == 0) type = kind_in(message);
  auto says = [&](std::string_view part) { return holds(type, part) || holds(code, part); };
  // Money that is used up does not come back by waiting; everything else about rates does.
  if (says("insufficient_quota") || says("spend_limit") || says("usage_limit") || says("usage_not_included") ||
      says("billing") || says("credit") || holds(message, "insufficient_quota") || holds(message, "spend limit") ||
      status == 402) {
    f.kind = "quota";
  } else if (says("rate_limit") || says("resource_exhausted") || says("too_many_requests") || status == 429) {
    f.kind = "rate_limit";
    f.retryable = true;
  } else if (says("overloaded") || says("unavailable") || says("slow_down") || holds(message, "overloaded") ||
             status == 503 || status == 529) {
    f.kind = "overloaded";
    f.retryable = true;
  } else if (says("authentication") || says("invalid_api_key") || says("unauthenticated") || status == 401) {
    f.kind = "authentication";
  } else if (says("permission") || status == 403) {
    // Who is known and may not; or a proxy that lets nobody through.
    f.kind = "permission";
  } else if (says("context_length") || says("context_size") || tells_too_long(message)) {
    f.kind = "context_length";
  } else if (says("request_too_large") || status == 413) {
    f.kind = "too_large";
  } else if (says("not_found") || status == 404) {
    f.kind = "not_found";
  } else if (says("timeout") || says("deadline") || status == 408 || status == 504) {
    f.kind = "timeout";
    f.retryable = true;
  } else if (says("policy") || says("content_filter") || says("safety")) {
    f.kind = "content_filter";
  } else if (says("invalid") || says("bad_request") || says("failed_precondition") || says("unsupported") ||
             says("not_supported") || (says("image") && !says("server")) || (status >= 400 && status < 500)) {
    // Of images, whatever is said is about one in the request.
    f.kind = "invalid_request";
  } else {
    // server_error, api_error, internal and whatever else a server says about itself.
    f.kind = "server_error";
    f.retryable = true;
  }
  f.retry_after = wait_in(message);
  return f;
}

}  // namespace BELAY_NAMESPACE::wire
