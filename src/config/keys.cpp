#include "keys.h"

#include <belay/text.h>

#include "url.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace BELAY_NAMESPACE::config {
namespace {

using std::operator""sv;

constexpr double kMany = 1e15;
constexpr std::array kWires{"openai-chat"sv, "openai-responses"sv, "anthropic"sv, "gemini"sv, "ollama"sv};
constexpr std::array kEfforts{"minimal"sv, "low"sv, "medium"sv, "high"sv};
constexpr std::array kModes{"default"sv, "acceptEdits"sv, "plan"sv, "dontAsk"sv, "bypassPermissions"sv};
constexpr std::array kLevels{"read-only"sv, "workspace-write"sv, "danger-full-access"sv};
constexpr std::array kLogLevels{"trace"sv, "debug"sv, "info"sv, "warn"sv, "error"sv, "off"sv};
constexpr std::array kColours{"auto"sv, "always"sv, "never"sv};

constexpr Key text(std::string_view name, std::span<const std::string_view> words = {}) {
  return {.name = name, .shape = Shape::text, .words = words};
}
constexpr Key truth(std::string_view name) { return {.name = name, .shape = Shape::truth}; }
constexpr Key whole(std::string_view name, double most = kMany) {
  return {.name = name, .shape = Shape::whole, .least = 1, .most = most};
}
constexpr Key number(std::string_view name, double most) {
  return {.name = name, .shape = Shape::number, .least = 0, .most = most};
}
constexpr Key several(std::string_view name, Shape shape = Shape::texts) { return {.name = name, .shape = shape}; }
constexpr Key both(Key key) {
  key.in_models = true;
  return key;
}
constexpr Key of_models(Key key) {
  key.in_models = key.only_models = true;
  return key;
}

constexpr std::array kKeys{
    text("model"),
    both(text("wire", kWires)),
    both(text("base_url")),
    both(text("key")),
    both(text("key_env")),
    both(truth("bearer")),
    both(truth("insecure_http")),
    both(several("headers", Shape::pairs)),
    both(text("format")),
    both(text("effort", kEfforts)),
    both(whole("max_tokens", 1e9)),
    of_models(whole("max_output", 1e9)),
    of_models(whole("context", 1e9)),
    of_models(number("price.input", 1e6)),
    of_models(number("price.output", 1e6)),
    of_models(number("price.cached", 1e6)),
    of_models(number("price.cache_write", 1e6)),
    whole("max_turns"),
    whole("max_tokens_total"),
    number("max_cost", 1e9),
    whole("max_seconds", 1e9),
    whole("breakers.mistakes"),
    whole("breakers.same_mistake"),
    whole("breakers.mistakes_in_all"),
    whole("breakers.repeats"),
    whole("breakers.cycle", 1000),
    whole("breakers.nudges"),
    whole("breakers.empty"),
    text("permissions.mode", kModes),
    several("permissions.allow"),
    several("permissions.ask"),
    several("permissions.deny"),
    text("sandbox", kLevels),
    truth("network"),
    truth("ask_for_guesses"),
    truth("todos_before_completion"),
    text("log_level", kLogLevels),
    text("colour", kColours),
};

std::string listed(std::span<const std::string_view> words) {
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i)
    out.append(i == 0 ? "" : i + 1 == words.size() ? " or " : ", ").append(words[i]);
  return out;
}

std::string figure(double n) {
  std::array<char, 32> text{};
  const auto [end, code] = std::to_chars(text.data(), text.data() + text.size(), n, std::chars_format::fixed);
  return {text.data(), end};
}

std::string expected_of(const Key& key) {
  switch (key.shape) {
    case Shape::truth: return "expected true or false";
    case Shape::whole: return "expected a whole number from " + figure(key.least) + " to " + figure(key.most);
    case Shape::number: return "expected a number from " + figure(key.least) + " to " + figure(key.most);
    case Shape::text: return key.words.empty() ? "expected a text in quotes" : "expected " + listed(key.words);
    case Shape::texts: return "expected a list of texts: [\"...\", \"...\"]";
    case Shape::pairs: return "expected a table of texts: { Name = \"value\" }";
  }
  return {};
}

bool visible(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) >= 0x20 && c != 0x7F; });
}

constexpr std::size_t kTextBytes = 4096;  // of one text
constexpr std::size_t kTexts = 10'000;    // in one list
std::string complaint_about(const Key& key, const std::string& text) {
  if (text.empty()) return "expected a text that is not empty";
  if (text.size() > kTextBytes) return "expected at most " + std::to_string(kTextBytes) + " bytes";
  if (!visible(text)) return "expected a text without control characters";
  if (!key.words.empty() && std::ranges::find(key.words, text) == key.words.end())
    return expected_of(key) + ", not " + cited(text);
  if (key.name == "format" && text != "native" && (text == "auto" || text == "none" || !text::known_format(text)))
    return "expected native or a format of calls in text (docs/formats.md lists them), not " + cited(text);
  if (key.name == "base_url")
    if (const auto url = url_from(text); !url) return url.error();
  return {};
}

std::string complaint_about(const Key& key, double n) {
  return std::isfinite(n) && n >= key.least && n <= key.most ? "" : expected_of(key);
}

}  // namespace

std::span<const Key> keys() { return kKeys; }

const Key* key_named(std::string_view name) {
  const auto found = std::ranges::find(kKeys, name, &Key::name);
  return found == kKeys.end() ? nullptr : &*found;
}

std::span<const std::string_view> words_of(std::string_view key) {
  const Key* known = key_named(key);
  return known == nullptr ? std::span<const std::string_view>() : known->words;
}

std::string complaint(const Key& key, const Value& value) {
  switch (key.shape) {
    case Shape::truth: return std::holds_alternative<bool>(value) ? "" : expected_of(key);
    case Shape::whole:
      if (const auto* n = std::get_if<std::int64_t>(&value)) return complaint_about(key, static_cast<double>(*n));
      return expected_of(key);
    case Shape::number:
      if (const auto* n = std::get_if<std::int64_t>(&value)) return complaint_about(key, static_cast<double>(*n));
      if (const auto* n = std::get_if<double>(&value)) return complaint_about(key, *n);
      return expected_of(key);
    case Shape::text:
      if (const auto* text = std::get_if<std::string>(&value)) return complaint_about(key, *text);
      return expected_of(key);
    case Shape::texts:
      if (const auto* texts = std::get_if<Texts>(&value)) {
        if (texts->size() > kTexts) return "expected at most " + std::to_string(kTexts) + " texts";
        for (const std::string& text : *texts)
          if (std::string wrong = complaint_about(key, text); !wrong.empty()) return wrong;
        return {};
      }
      return expected_of(key);
    case Shape::pairs:
      if (const auto* pairs = std::get_if<Pairs>(&value)) {
        if (pairs->size() > kTexts) return "expected at most " + std::to_string(kTexts) + " texts";
        for (const auto& [name, text] : *pairs)
          if (std::string wrong = complaint_about(key, text); !wrong.empty()) return wrong;
        return {};
      }
      return expected_of(key);
  }
  return {};
}

std::expected<Value, std::string> value_from(const Key& key, std::string_view text) {
  const char* const end = text.data() + text.size();
  Value value = std::string(text);
  if (key.shape == Shape::whole) {
    std::int64_t n = 0;
    if (const auto [rest, code] = std::from_chars(text.data(), end, n); code == std::errc{} && rest == end) value = n;
  } else if (key.shape == Shape::number) {
    double n = 0;
    if (const auto [rest, code] = std::from_chars(text.data(), end, n); code == std::errc{} && rest == end) value = n;
  } else if (key.shape == Shape::truth && (text == "true" || text == "false")) {
    value = text == "true";
  }
  if (std::string wrong = complaint(key, value); !wrong.empty()) {
    // Texts are cited where that is safe: a URL may hold a password.
    const bool is_number = key.shape == Shape::whole || key.shape == Shape::number || key.shape == Shape::truth;
    return std::unexpected(is_number ? wrong + ", not " + cited(text) : wrong);
  }
  return value;
}

bool names_a_key(std::string_view header) {
  std::string low(header);
  for (char& c : low)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return low.ends_with("authorization") || low.ends_with("api-key") || low == "cookie";
}

std::string cited(std::string_view text) {
  constexpr std::size_t kMost = 60;
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string out = "'";
  for (const char c : text.substr(0, kMost)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte != 0x7F)
      out += c;
    else
      (out += "\\x").append({kHex[byte >> 4], kHex[byte & 15]});
  }
  // Never half a character.
  if (text.size() > kMost) {
    while (!out.empty() && (static_cast<unsigned char>(out.back()) & 0xC0) == 0x80) out.pop_back();
    if (!out.empty() && static_cast<unsigned char>(out.back()) >= 0xC0) out.pop_back();
    out += "...";
  }
  return out + "'";
}

}  // namespace BELAY_NAMESPACE::config
