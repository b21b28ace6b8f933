#include "builtin/glob.h"

#include "base/utf8.h"

#include <algorithm>
#include <array>

namespace BELAY_NAMESPACE::builtin {
namespace {

// The first character, and how many bytes it has. Bytes that are no character are beyond all code points.
std::pair<std::uint32_t, std::size_t> character_of(std::string_view text) {
  const utf8::Step step = utf8::step(text.data(), text.size());
  const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i])); };
  if (step.is != utf8::Step::Is::whole) return {0x110000 + byte(0), 1};
  switch (step.length) {
    case 1: return {byte(0), 1};
    case 2: return {(byte(0) & 0x1f) << 6 | (byte(1) & 0x3f), 2};
    case 3: return {(byte(0) & 0x0f) << 12 | (byte(1) & 0x3f) << 6 | (byte(2) & 0x3f), 3};
    default: return {(byte(0) & 0x07) << 18 | (byte(1) & 0x3f) << 12 | (byte(2) & 0x3f) << 6 | (byte(3) & 0x3f), 4};
  }
}

struct Named {
  std::string_view name;
  std::array<std::pair<std::uint32_t, std::uint32_t>, 4> ranges;
};
// Of ASCII only. A range that is not used is the one before.
constexpr std::array<Named, 12> kNamed = {{{"[:alnum:]", {{{'0', '9'}, {'A', 'Z'}, {'a', 'z'}, {'a', 'z'}}}},
                                           {"[:alpha:]", {{{'A', 'Z'}, {'a', 'z'}, {'a', 'z'}, {'a', 'z'}}}},
                                           {"[:blank:]", {{{' ', ' '}, {'\t', '\t'}, {' ', ' '}, {' ', ' '}}}},
                                           {"[:cntrl:]", {{{0, 31}, {127, 127}, {0, 31}, {0, 31}}}},
                                           {"[:digit:]", {{{'0', '9'}, {'0', '9'}, {'0', '9'}, {'0', '9'}}}},
                                           {"[:graph:]", {{{33, 126}, {33, 126}, {33, 126}, {33, 126}}}},
                                           {"[:lower:]", {{{'a', 'z'}, {'a', 'z'}, {'a', 'z'}, {'a', 'z'}}}},
                                           {"[:print:]", {{{32, 126}, {32, 126}, {32, 126}, {32, 126}}}},
                                           {"[:punct:]", {{{33, 47}, {58, 64}, {91, 96}, {123, 126}}}},
                                           {"[:space:]", {{{9, 13}, {' ', ' '}, {9, 13}, {9, 13}}}},
                                           {"[:upper:]", {{{'A', 'Z'}, {'A', 'Z'}, {'A', 'Z'}, {'A', 'Z'}}}},
                                           {"[:xdigit:]", {{{'0', '9'}, {'A', 'F'}, {'a', 'f'}, {'a', 'f'}}}}}};

}  // namespace

// Behind the bracket. False when it is not closed.
bool Glob::read_class(std::string_view& pattern, Token& token) {
  const auto take = [&]() -> std::optional<std::uint32_t> {
    if (pattern.starts_with('\\')) pattern.remove_prefix(1);
    if (pattern.empty()) return std::nullopt;
    const auto [character, length] = character_of(pattern);
    pattern.remove_prefix(length);
    return character;
  };
  if (pattern.starts_with('!') || pattern.starts_with('^')) {
    token.negated = true;
    pattern.remove_prefix(1);
  }
  for (bool first = true; first || !pattern.starts_with(']'); first = false) {
    const auto* named = std::ranges::find_if(kNamed, [&](const Named& n) { return pattern.starts_with(n.name); });
    if (named != kNamed.end()) {
      token.ranges.insert(token.ranges.end(), named->ranges.begin(), named->ranges.end());
      pattern.remove_prefix(named->name.size());
      continue;
    }
    const auto from = take();
    if (!from) return false;
    auto to = from;
    if (pattern.size() >= 2 && pattern[0] == '-' && pattern[1] != ']') {
      pattern.remove_prefix(1);
      to = take();
      if (!to) return false;
    }
    token.ranges.emplace_back(*from, *to);
    if (pattern.empty()) return false;
  }
  pattern.remove_prefix(1);
  return true;
}

std::optional<Glob> Glob::compile(std::string_view pattern) {
  Glob glob;
  bool part_begins = true;
  while (!pattern.empty()) {
    Token token{Is::one, 0, false, {}};
    const bool begins = std::exchange(part_begins, false);
    if (begins && pattern.starts_with("**/")) {
      pattern.remove_prefix(3);
      token.is = Is::parts;
      part_begins = true;
      // Two of them in a row say no more than one.
      if (!glob.tokens_.empty() && glob.tokens_.back().is == Is::parts) continue;
    } else if (begins && pattern == "**") {
      pattern = {};
      token.is = Is::rest;
    } else if (pattern[0] == '*') {
      while (pattern.starts_with('*')) pattern.remove_prefix(1);
      token.is = Is::star;
    } else if (pattern[0] == '?') {
      pattern.remove_prefix(1);
      token.is = Is::any;
    } else if (pattern[0] == '[') {
      pattern.remove_prefix(1);
      token.is = Is::some;
      if (!read_class(pattern, token)) return std::nullopt;
    } else {
      if (pattern[0] == '\\') pattern.remove_prefix(1);
      if (pattern.empty()) return std::nullopt;
      const auto [character, length] = character_of(pattern);
      token.character = character;
      part_begins = character == '/';
      pattern.remove_prefix(length);
    }
    glob.tokens_.push_back(std::move(token));
  }
  return glob;
}

bool Glob::fits(const Token& token, std::uint32_t character) {
  if (token.is == Is::one) return character == token.character;
  if (character == '/') return false;
  if (token.is == Is::any) return true;
  const bool inside = std::ranges::any_of(
      token.ranges, [&](const auto& range) { return character >= range.first && character <= range.second; });
  return inside != token.negated;
}

// Goes back to the last star, and when that cannot take a slash, to the last `**`. Nothing before those needs another
// try: they take whatever it would have given.
bool Glob::matches(std::string_view path) const {
  constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  std::size_t t = 0, at = 0;
  std::size_t star = kNone, star_at = 0, parts = kNone, parts_at = 0;
  while (true) {
    if (t == tokens_.size() && at == path.size()) return true;
    if (t < tokens_.size()) {
      const Token& token = tokens_[t];
      if (token.is == Is::parts) {
        parts = ++t;
        parts_at = at;
        star = kNone;
        continue;
      }
      if (token.is == Is::star) {
        star = ++t;
        star_at = at;
        continue;
      }
      if (token.is == Is::rest && at < path.size()) return true;
      if (at < path.size() && token.is != Is::rest) {
        const auto [character, length] = character_of(path.substr(at));
        if (fits(token, character)) {
          ++t;
          at += length;
          continue;
        }
      }
    }
    if (star != kNone && star_at < path.size() && path[star_at] != '/') {
      star_at += character_of(path.substr(star_at)).second;
      at = star_at;
      t = star;
      continue;
    }
    if (parts == kNone) return false;
    const std::size_t slash = path.find('/', parts_at);
    if (slash == std::string_view::npos) return false;
    parts_at = slash + 1;
    at = parts_at;
    t = parts;
    star = kNone;
  }
}

}  // namespace BELAY_NAMESPACE::builtin
