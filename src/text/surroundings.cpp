#include "text/surroundings.h"

#include "text/scan.h"

#include <algorithm>
#include <utility>

namespace BELAY_NAMESPACE::text {
namespace {

bool begins_name(char c) { return (lower(c) >= 'a' && lower(c) <= 'z') || c == '_' || c == '/'; }

bool in_name(char c) { return is_name_byte(c) && c != '='; }

// A tag or a special token is shorter.
constexpr std::size_t kToken = 64;

}  // namespace

std::optional<std::size_t> Elements::step(char c, std::size_t calls) {
  if (c == '<') {
    in_ = In::name;
    name_.clear();
    empty_ = false;
  } else if (in_ == In::text) {
    return std::nullopt;
  } else if (c == '>') {
    return end_tag(calls);
  } else if (in_ == In::name && (name_.empty() ? begins_name(c) : in_name(c) && name_.size() < kName)) {
    name_ += c;
  } else if (name_.empty() || name_ == "/") {
    in_ = In::text;
  } else {
    in_ = In::attributes;
    empty_ = c == '/';
  }
  return std::nullopt;
}

std::optional<std::size_t> Elements::end_tag(std::size_t calls) {
  in_ = In::text;
  if (name_.empty() || name_ == "/" || empty_) return std::nullopt;
  if (name_.front() != '/') {
    if (open_.size() < kOpen) open_.push_back({std::move(name_), calls});
    return std::nullopt;
  }
  const std::string_view name = std::string_view(name_).substr(1);
  const auto is_it = [&](const Open& open) { return open.name == name; };
  const auto it = std::find_if(open_.rbegin(), open_.rend(), is_it);
  if (it == open_.rend()) return std::nullopt;
  const std::size_t before = it->calls;
  open_.erase(std::prev(it.base()), open_.end());
  return before < calls ? std::optional(before) : std::nullopt;
}

void Surroundings::begin_call(std::size_t call, bool bare) {
  if (bare && !bare_) bare_ = call;
}

void Surroundings::end_call() {
  quote_ = false;
  brackets_ = 0;
  token_ = 0;
}

std::optional<Surroundings::Doubt> Surroundings::text(std::string_view bytes, std::size_t calls) {
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (calls == 0 && (i = elements_.find(bytes, i)) == bytes.size()) break;
    std::optional<std::size_t> first = elements_.step(bytes[i], calls);
    if (calls == 0) continue;
    if (bare_ && is_prose(bytes[i])) {
      first = std::min(first.value_or(*bare_), *bare_);
      bare_.reset();
    }
    if (closes_string(bytes[i]) && doubted_ < calls) first = std::exchange(doubted_, calls);
    if (first) return Doubt{*first, i + 1};
  }
  return std::nullopt;
}

// Tags, tokens, fences and the signs between calls are no prose.
bool Surroundings::is_prose(char c) {
  if (token_ == 0) {
    token_ = c == '<' ? 1 : 0;
    return token_ == 0 && !is_space(c) && c != '`' && c != ';' && c != ',';
  }
  token_ = c == '>' ? 0 : token_ + 1;
  return token_ > kToken || is_space(c);
}

// A quote, and then a bracket that closes nothing: the end of the object in whose string the call stands.
bool Surroundings::closes_string(char c) {
  if (c == '"' || c == '\'') quote_ = true;
  if (c == '{' || c == '[') ++brackets_;
  if (c != '}' && c != ']') return false;
  if (brackets_ == 0) return std::exchange(quote_, false);
  --brackets_;
  return false;
}

}  // namespace BELAY_NAMESPACE::text
