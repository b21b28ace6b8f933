#include "screen/short_text.h"

#include <belay/json/reader.h>
#include <belay/json/writer.h>
#include <belay/screen/text.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace BELAY_NAMESPACE::screen {
namespace {

// What a call is about. Shown first, and without its key.
constexpr std::array<std::string_view, 6> kSubjects{"command", "path", "regex", "url", "query", "question"};
constexpr std::size_t kLongText = 60;   // bytes of a text that is shown as it is
constexpr std::size_t kMembers = 8;     // shown of one call
constexpr std::size_t kLargeList = 16;  // items of a list that is shown as it is

std::string fixed(double number, int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, number);
  return text;
}

bool is_subject(std::string_view key) { return std::ranges::find(kSubjects, key) != kSubjects.end(); }

// No more than a line of anything, and no more work than that.
std::string short_value(json::Value value) {
  if (value.is_string()) {
    const std::string_view text = value.as_string();
    if (text.size() > kLongText || text.find('\n') != text.npos) return size_text(text);
  }
  if (value.is_array() && value.size() > kLargeList) return counted(value.size(), "item");
  if (value.is_object() && value.size() > kLargeList) return counted(value.size(), "member");
  std::string text = json::to_string(value);
  return text.size() > 2 * kLongText ? clipped(text, kLongText) : text;
}

}  // namespace

std::string grouped(std::uint64_t n) {
  std::string out = std::to_string(n);
  for (std::size_t i = out.size(); i > 3; i -= 3) out.insert(i - 3, ",");
  return out;
}

std::string counted(std::uint64_t n, std::string_view what) {
  return grouped(n) + " " + std::string(what) + (n == 1 ? "" : "s");
}

std::string tokens_text(std::uint64_t n) {
  if (n < 1000) return std::to_string(n);
  if (n < 999'950) return fixed(static_cast<double>(n) / 1e3, n < 99'950 ? 1 : 0) + "k";
  return fixed(static_cast<double>(n) / 1e6, 1) + "M";
}

std::string duration_text(std::int64_t ms) {
  if (ms < 0) ms = 0;
  if (ms < 10'000) return fixed(std::floor(static_cast<double>(ms) / 100) / 10, 1) + " s";
  const std::int64_t seconds = ms / 1000;
  if (seconds < 60) return std::to_string(seconds) + " s";
  if (seconds < 3600) return std::to_string(seconds / 60) + " min " + std::to_string(seconds % 60) + " s";
  return std::to_string(seconds / 3600) + " h " + std::to_string(seconds / 60 % 60) + " min";
}

std::string clock_text(std::int64_t ms) {
  const std::int64_t seconds = std::max<std::int64_t>(ms, 0) / 1000;
  auto two = [](std::int64_t n) { return (n < 10 ? "0" : "") + std::to_string(n); };
  const std::string tail = ":" + two(seconds % 60);
  if (seconds < 3600) return std::to_string(seconds / 60) + tail;
  return std::to_string(seconds / 3600) + ":" + two(seconds / 60 % 60) + tail;
}

std::string money_text(double dollars) {
  if (!(dollars > 0) || !(dollars < 1e9)) dollars = dollars > 0 ? 1e9 : 0;
  return "$" + fixed(dollars, dollars < 1 ? 4 : 2);
}

std::size_t line_count(std::string_view text) {
  const auto ends = static_cast<std::size_t>(std::ranges::count(text, '\n'));
  return ends + (text.empty() || text.ends_with('\n') ? 0 : 1);
}

std::string size_text(std::string_view text) {
  const std::size_t lines = line_count(text);
  return counted(text.size(), "byte") + (lines > 1 ? ", " + counted(lines, "line") : "");
}

std::string short_arguments(json::Value arguments, std::size_t width, bool about) {
  std::string first, rest;
  std::size_t shown = 0;
  for (json::Member m : arguments.members()) {
    if (first.empty() && is_subject(m.key) && m.value.is_string()) {
      const std::string_view text = m.value.as_string();
      first = printable(text.substr(0, 4 * width));
      if (first.empty()) first = "\"\"";
      continue;
    }
    if (++shown > kMembers) continue;
    rest += (rest.empty() ? "" : ", ") + clipped(m.key, 24) + ": " + printable(short_value(m.value));
  }
  if (shown > kMembers) rest += ", " + std::to_string(shown - kMembers) + " more";
  if (!about) first.clear();
  if (!first.empty() && !rest.empty()) first += "  ";
  return clipped(first + rest, width);
}

std::string short_arguments(std::string_view arguments, std::size_t width, bool about) {
  const json::Reading reading = json::read(arguments, {.root = json::Root::object});
  if (reading.document.empty()) return {};
  return short_arguments(reading.document.root(), width, about);
}

std::string member_of(std::string_view object, std::string_view key) {
  const json::Reading reading = json::read(object);
  if (reading.document.empty()) return {};
  const auto value = reading.document.root().find(key);
  return value && value->is_string() ? std::string(value->as_string()) : std::string();
}

double number_of(std::string_view object, std::string_view key) {
  const json::Reading reading = json::read(object);
  if (reading.document.empty()) return 0;
  const auto value = reading.document.root().find(key);
  return value && value->is_number() ? value->as_double() : 0;
}

}  // namespace BELAY_NAMESPACE::screen
