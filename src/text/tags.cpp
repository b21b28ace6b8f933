#include "text/tags.h"

#include "text/scan.h"

#include <algorithm>
#include <array>

namespace BELAY_NAMESPACE::text {
namespace {

std::string_view unquoted(std::string_view s) {
  s = without_spaces(s);
  if (s.size() >= 2 && (s.front() == '"' || s.front() == '\'') && s.back() == s.front()) {
    s.remove_prefix(1);
    s.remove_suffix(1);
  }
  return s;
}

// A value in quotes, or up to white space; `i` moves behind it.
std::string_view quoted_value(std::string_view s, std::size_t& i) {
  std::size_t begin = i, end;
  if (i < s.size() && (s[i] == '"' || s[i] == '\'')) {
    begin = i + 1;
    end = std::min(s.find(s[i], begin), s.size());
    i = end + 1;
  } else {
    while (i < s.size() && !is_gap(s, i)) ++i;
    end = i;
  }
  return s.substr(begin, end - begin);
}

// Behind the = of a tag: its value, what is assigned to that, and attributes.
void split_value(std::string_view s, Tag& tag) {
  tag.value = unquoted(s);
  std::size_t i = past_any_space(s, 0);
  if (i == s.size() || s[i] == '"' || s[i] == '\'') {
    const std::string_view value = quoted_value(s, i);
    if (i < s.size() && is_gap(s, i) && s.find('=', i) != std::string_view::npos) {
      tag.value = value;
      tag.attributes = s.substr(i);
    }
    return;
  }
  const std::size_t from = i;
  while (i < s.size() && !is_gap(s, i) && s[i] != '=') ++i;
  // White space alone may be part of a name.
  if (s.find('=', i) == std::string_view::npos) return;
  tag.value = s.substr(from, i - from);
  std::size_t behind = past_any_space(s, i);
  if (s[behind] == '=') {
    behind = past_any_space(s, behind + 1);
    tag.assigned = quoted_value(s, behind);
  }
  tag.attributes = s.substr(std::min(behind, s.size()));
}

// The place of the tag's end, outside of quotes; npos when it is not there. A quote that is still open where the line
// ends or the next tag begins was forgotten: `torn`, and the first end counts.
std::size_t find_end(std::string_view text, std::size_t from, const TagStyle& style, bool& wrong, bool& torn) {
  char quote = 0;
  std::size_t inside = std::string_view::npos;  // an end in quotes
  text = text.substr(0, kHold);
  for (std::size_t i = from; i < text.size(); ++i) {
    char c = text[i];
    if (quote != 0) {
      if (inside == std::string_view::npos && text.substr(i).starts_with(style.end)) inside = i;
      if (c == quote) quote = 0;
      if (inside == std::string_view::npos || (c != '<' && c != '\n' && i + 1 < kHold)) continue;
      torn = true;
      return inside;
    }
    if (text.substr(i).starts_with(style.end)) return i;
    if ((c == '"' || c == '\'') && (text[i - 1] == '=' || is_space(text[i - 1]))) quote = c;
    if (c == '\n' || (c == '<' && style.end == ">")) {
      wrong = true;
      return std::string_view::npos;
    }
  }
  if (text.size() == kHold) wrong = true;
  return std::string_view::npos;
}

// Whether attributes are spelled as they should be: words with values in quotes, or with words.
bool tidy(std::string_view s) {
  for (std::size_t i = past_any_space(s, 0); i < s.size(); i = past_any_space(s, i)) {
    const std::size_t from = i;
    while (i < s.size() && is_name_byte(s[i])) ++i;
    if (i == from) return false;
    i = past_any_space(s, i);
    if (i == s.size() || s[i] != '=') return false;
    i = past_any_space(s, i + 1);
    if (i == s.size()) return false;
    const char quote = s[i];
    if (quote == '"' || quote == '\'') {
      i = s.find(quote, i + 1);
      if (i == std::string_view::npos) return false;
      ++i;
      if (i < s.size() && !is_gap(s, i)) return false;
    } else {
      if (!is_name_byte(quote)) return false;
      while (i < s.size() && is_name_byte(s[i])) ++i;
      if (i < s.size() && !is_gap(s, i)) return false;
    }
  }
  return true;
}

}  // namespace

bool Tag::odd() const { return torn || !tidy(attributes); }

bool Tag::has_attribute(std::string_view key) const {
  return attributes.data() != nullptr && attribute(key).data() != nullptr;
}

std::string_view Tag::attribute(std::string_view key) const {
  std::string_view found;
  each_attribute([&](std::string_view one, std::string_view its_value) {
    if (found.data() == nullptr && same_word(one, key)) found = its_value;
  });
  return found;
}

void Tag::each_attribute(const std::function<void(std::string_view, std::string_view)>& f) const {
  std::size_t i = 0;
  while (i < attributes.size()) {
    i = past_any_space(attributes, i);
    std::size_t from = i;
    while (i < attributes.size() && is_name_byte(attributes[i])) ++i;
    std::string_view found = attributes.substr(from, i - from);
    i = past_any_space(attributes, i);
    if (i >= attributes.size() || attributes[i] != '=') {
      if (i == from) ++i;
      continue;
    }
    i = past_any_space(attributes, i + 1);
    f(found, quoted_value(attributes, i));
  }
}

Tag read_tag(std::string_view text, const TagStyle& style, bool final) {
  Tag tag;
  auto more = [&]() -> Tag {
    tag.is = final ? Is::no : Is::more;
    return tag;
  };
  Match close = match_literal(text, style.close, final), open = match_literal(text, style.open, final);
  std::size_t i = 0;
  if (close.is == Is::yes) {
    tag.closing = true;
    i = close.length;
  } else if (open.is == Is::yes) {
    if (close.is == Is::more) return more();
    i = open.length;
  } else {
    if (close.is == Is::more || open.is == Is::more) return more();
    return tag;
  }
  // A closing tag may have white space behind its slash.
  if (tag.closing)
    while (i < text.size() && text[i] == ' ' && i < close.length + 4) ++i;
  std::size_t from = i;
  while (i < text.size() && is_name_byte(text[i]) && i - from < 128) ++i;
  tag.name = text.substr(from, i - from);
  if (i == text.size()) return more();
  if (i == from) return tag;
  // <name/>: the slash is no part of the name.
  bool wrong = false;
  std::size_t end = find_end(text, i, style, wrong, tag.torn);
  if (wrong) return tag;
  if (end == std::string_view::npos) {
    // Half of the end may be there already.
    return more();
  }
  std::string_view inside = text.substr(i, end - i);
  if (tag.name.ends_with('/') && !tag.closing) {
    tag.name.remove_suffix(1);
    tag.empty = true;
  } else if (inside.ends_with('/') && !tag.closing) {
    inside.remove_suffix(1);
    tag.empty = true;
  }
  std::size_t k = past_any_space(inside, 0);
  if (k < inside.size() && inside[k] == '=')
    split_value(inside.substr(k + 1), tag);
  else if (k == 0 && !inside.empty())
    return tag;  // something else sticks to the name
  else
    tag.attributes = inside;
  tag.length = end + style.end.size();
  tag.is = Is::yes;
  return tag;
}

bool named(const Tag& tag, const Words& names) {
  return std::any_of(names.begin(), names.end(), [&](std::string_view name) { return same_word(tag.name, name); });
}

std::string_view parameter_named(std::string_view tag, const Shape& shape) {
  std::string_view found;
  for (const Shape::Property& property : shape.properties) {
    if (property.name == tag) return property.name;
    if (!same_word(property.name, tag)) continue;
    if (!found.empty()) return {};
    found = property.name;
  }
  return found;
}

Is like_parameters(std::string_view text, const TagStyle& style, std::string_view call, const Shape& shape, bool final,
                   std::string_view open, std::size_t* end) {
  const Is more = final ? Is::no : Is::more;
  std::size_t at = 0;
  for (bool any = false;; any = true) {
    at = past_gap(text, at);
    if (at == text.size()) return more;
    const Tag tag = read_tag(text.substr(at), style, final);
    if (tag.is != Is::yes) return tag.is;
    if (tag.closing && end) *end = at + tag.length;
    if (tag.closing) return any && same_word(tag.name, call) ? Is::yes : Is::no;
    if (any && !parameter_named(tag.name, shape).empty()) return Is::yes;
    at += tag.length;
    if (tag.empty) continue;
    // Its own closing tag.
    for (bool closed = false; !closed;) {
      at = text.find(style.close, at);
      if (at == std::string_view::npos) return more;
      const Tag closing = read_tag(text.substr(at), style, final);
      if (closing.is == Is::more) return more;
      closed = closing.is == Is::yes && same_word(closing.name, tag.name);
      if (!closed && closing.is == Is::yes && same_word(closing.name, open)) return Is::no;
      at += closed ? closing.length : style.close.size();
    }
  }
}

bool nearly_named(std::string_view name, std::string_view wanted) {
  constexpr std::size_t kLong = 48;
  if (name.size() > kLong || wanted.size() > kLong || wanted.size() < 4) return false;
  if (same_word(name, wanted)) return true;
  if (name.size() + 2 < wanted.size() || wanted.size() + 2 < name.size()) return false;
  std::array<std::size_t, kLong + 1> row{};
  for (std::size_t j = 0; j <= wanted.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= name.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= wanted.size(); ++j) {
      std::size_t up = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (lower(name[i - 1]) == lower(wanted[j - 1]) ? 0 : 1)});
      diagonal = up;
    }
  }
  return row[wanted.size()] <= (wanted.size() >= 6 ? 2u : 1u);
}

}  // namespace BELAY_NAMESPACE::text
