#include "schema/places.h"

#include <algorithm>
#include <charconv>

namespace BELAY_NAMESPACE::schema {

std::vector<StepTo> steps_to(json::Value root, std::size_t node) {
  const json::Tape& tape = *root.tape();
  std::vector<StepTo> steps;
  std::size_t at = root.index();
  while (at != node && tape.node(at).container() && node > at && node < tape.next(at)) {
    bool object = tape.node(at).tag() == json::Tag::object;
    std::size_t child = at + 1, item = 0;
    // A node of the key counts as its member.
    while (true) {
      std::size_t value = object ? child + 1 : child;
      if (node < tape.next(value)) {
        steps.push_back(object ? StepTo{tape.text(child), 0, false} : StepTo{{}, item, true});
        at = value;
        if (node <= value) return steps;
        break;
      }
      child = tape.next(value);
      ++item;
    }
  }
  return steps;
}

void append_token(std::string& pointer, std::string_view token) {
  pointer += '/';
  for (char c : token) {
    if (c == '~')
      pointer += "~0";
    else if (c == '/')
      pointer += "~1";
    else
      pointer += c;
  }
}

void append_named(std::string& out, char c) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  const auto u = static_cast<unsigned char>(c);
  if (u >= 0x20 && u != 0x7f) {
    out += c;
    return;
  }
  out += "<U+00";
  out += kDigits[u >> 4];
  out += kDigits[u & 15];
  out += '>';
}

std::string pointer_of(const std::vector<StepTo>& steps) {
  std::string out;
  for (const StepTo& s : steps) append_token(out, s.is_item ? std::to_string(s.item) : std::string(s.key));
  return out;
}

namespace {

bool plain_name(std::string_view key) {
  if (key.empty() || key.size() > 64 || (key[0] >= '0' && key[0] <= '9')) return false;
  return std::all_of(key.begin(), key.end(), [](char c) {
    auto u = static_cast<unsigned char>(c);
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
           c == '$' || u >= 0x80;
  });
}

std::string one_step(const StepTo& s, bool first) {
  if (s.is_item) return "[" + std::to_string(s.item) + "]";
  if (plain_name(s.key)) return (first ? "" : ".") + std::string(s.key);
  std::string quoted = "[\"";
  std::size_t shown = 0;
  for (char c : s.key) {
    // Cut between characters only.
    if (++shown > 48 && (static_cast<unsigned char>(c) & 0xc0) != 0x80) {
      quoted += "…";
      break;
    }
    if (c == '"' || c == '\\') quoted += '\\';
    append_named(quoted, c);
  }
  return quoted + "\"]";
}

}  // namespace

std::string readable(const std::vector<StepTo>& steps) {
  constexpr std::size_t kShown = 12;
  std::string out;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps.size() > kShown && i == kShown / 2) {
      out += " … ";
      i = steps.size() - kShown / 2;
    }
    out += one_step(steps[i], i == 0);
  }
  return out;
}

std::string next_token(std::string_view& pointer) {
  std::size_t end = pointer.find('/', 1);
  std::string_view raw = pointer.substr(1, end == pointer.npos ? pointer.npos : end - 1);
  pointer = end == pointer.npos ? std::string_view{} : pointer.substr(end);
  std::string token;
  for (std::size_t i = 0; i < raw.size(); ++i) {
    if (raw[i] == '~' && i + 1 < raw.size() && (raw[i + 1] == '0' || raw[i + 1] == '1'))
      token += raw[++i] == '0' ? '~' : '/';
    else
      token += raw[i];
  }
  return token;
}

std::optional<std::size_t> index_of(std::string_view token) {
  if (token.empty() || token.size() > 18 || (token[0] == '0' && token.size() > 1)) return std::nullopt;
  std::size_t i = 0;
  auto r = std::from_chars(token.data(), token.data() + token.size(), i);
  if (r.ec != std::errc() || r.ptr != token.data() + token.size()) return std::nullopt;
  return i;
}

}  // namespace BELAY_NAMESPACE::schema
