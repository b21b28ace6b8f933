// Error bodies: what every wire's servers, and the proxies in front of them, say when they do not answer.
#include "wire/dialect.h"

#include <belay/json/reader.h>

#include <charconv>

namespace BELAY_NAMESPACE::wire {
namespace {

std::optional<double> seconds_in(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  double n = 0;
  auto r = std::from_chars(text.data(), text.data() + text.size(), n, std::chars_format::fixed);
  // A date says nothing without a clock, and there is none here.
  if (r.ec != std::errc() || r.ptr != text.data() + text.size() || !(n >= 0 && n < 1e9)) return std::nullopt;
  return n;
}

// The first of these members that is a text or a number.
std::string_view any_of(json::Value object, std::initializer_list<std::string_view> keys) {
  for (std::string_view key : keys)
    if (auto v = object.find(key)) {
      if (std::string_view text = v->as_string(); !text.empty()) return text;
      if (v->is_number()) return v->number_text();
    }
  return {};
}

// The object that tells of the error, or the text: in `error`, in a list's first item, or the body itself.
json::Value error_in(json::Value body) {
  if (auto first = body.at(0)) body = *first;
  if (auto error = body.find("error"); error && (error->is_object() || error->is_string())) return *error;
  return body;
}

std::string message_in(json::Value error) {
  if (error.is_string()) return std::string(error.as_string());
  std::string_view text = any_of(error, {"message", "detail", "error_description", "title"});
  if (!text.empty()) return std::string(text);
  // FastAPI lists what is wrong with a request.
  if (auto details = array_at(error, "detail"))
    if (auto first = details->at(0)) return std::string(any_of(*first, {"msg", "message"}));
  return {};
}

// A body that is no error of any wire, on one line.
std::string shown(int status, std::string_view body) {
  std::string out = "HTTP status " + std::to_string(status);
  if (body.empty()) return out;
  out += ": ";
  for (char c : body.substr(0, 160)) {
    auto u = static_cast<unsigned char>(c);
    if (u < 0x20 || u == 0x7f) c = ' ';
    if (u >= 0x80) c = '?';
    if (c != ' ' || out.back() != ' ') out += c;
  }
  return out;
}

}  // namespace

HttpFailure decode_failure(Wire, int status, std::string_view body, std::string_view retry_after_header) {
  // All wires agree enough for one reader; a server in front of the model may speak another wire's errors anyway.
  HttpFailure out;
  auto take = [&](const chat::Failure& f) {
    out.kind = f.kind;
    out.message = f.message;
    out.retryable = f.retryable;
    out.retry_after = f.retry_after;
  };
  json::Reading reading;
  if (body.find_first_of("{[") != body.npos && !body.starts_with('<')) reading = json::read(body);
  std::string message;
  json::Word word = reading.verdict.word();
  if (!reading.document.empty() && word != json::Word::broken && word != json::Word::truncated) {
    json::Value error = error_in(reading.document.root());
    message = message_in(error);
    std::string_view type = any_of(error, {"type", "status"});
    std::string_view code = any_of(error, {"code"});
    // Anthropic says there which limit it was; a spend limit looks like a rate limit otherwise.
    if (auto details = object_at(error, "details")) {
      std::string_view detail = any_of(*details, {"error_code"});
      if (!detail.empty()) code = detail;
    }
    if (message.empty() && (!type.empty() || !code.empty())) message = type.empty() ? code : type;
    if (!message.empty()) {
      const ErrorDetails details = details_of(error);
      take(classify(details.type.empty() ? type : details.type, code, message, status));
      if (details.wait) out.retry_after = details.wait;
    }
  }
  if (message.empty()) {
    message = shown(status, body);
    take(classify("", "", message, status));
  }
  if (auto wait = seconds_in(retry_after_header)) out.retry_after = wait;
  return out;
}

}  // namespace BELAY_NAMESPACE::wire
