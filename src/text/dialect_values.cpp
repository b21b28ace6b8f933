// Values as JSON, Python and Gemma write them.
#include "text/dialect_parts.h"
#include "text/scan.h"

#include <belay/json/writer.h>

#include <algorithm>
#include <optional>

namespace BELAY_NAMESPACE::text {
namespace {

constexpr char kHex[] = "0123456789abcdef";

void put_python(std::string_view text, std::string& out) {
  out += '"';
  for (char c : text) {
    switch (c) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\n': out += "\\n"; break;
      case '\r': out += "\\r"; break;
      case '\t': out += "\\t"; break;
      default:
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
          out += "\\x";
          out += kHex[static_cast<unsigned char>(c) >> 4];
          out += kHex[c & 15];
        } else {
          out += c;
        }
    }
  }
  out += '"';
}

void put_string(std::string_view text, const Language& language, std::string& out) {
  if (language.python) return put_python(text, out);
  if (language.quote.empty()) return json::write_string(text, out);
  out += language.quote;
  out += text;
  out += language.quote;
}

bool is_word(std::string_view key) {
  auto part = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  return !key.empty() && !(key.front() >= '0' && key.front() <= '9') && std::all_of(key.begin(), key.end(), part);
}

void put_key(std::string_view key, const Language& language, std::string& out) {
  if (!language.quote.empty() && is_word(key))
    out += key;
  else
    put_string(key, language, out);
}

void put_scalar(json::Value value, const Language& language, std::string& out) {
  switch (value.kind()) {
    case json::Kind::null: out += language.null; break;
    case json::Kind::boolean: out += value.as_bool() ? language.yes : language.no; break;
    case json::Kind::number: out += value.number_text(); break;
    case json::Kind::string: put_string(value.as_string(), language, out); break;
    default: break;
  }
}

// A container that is being written.
struct Open {
  explicit Open(json::Value v) : object(v.is_object()), member(v.members().begin()), members_end(v.members().end()) {
    if (object) return;
    item = v.items().begin();
    items_end = v.items().end();
  }
  bool object;
  json::Members::iterator member, members_end;
  json::Items::iterator item, items_end;
  bool first = true;
};

}  // namespace

void write_value(json::Value value, const Language& language, std::string& out) {
  std::vector<Open> open;
  std::optional<json::Value> next = value;
  while (true) {
    if (next) {
      if (next->is_object() || next->is_array()) {
        out += next->is_object() ? '{' : '[';
        open.emplace_back(*next);
      } else {
        put_scalar(*next, language, out);
      }
      next.reset();
    }
    if (open.empty()) return;
    Open& top = open.back();
    if (top.object ? top.member == top.members_end : top.item == top.items_end) {
      out += top.object ? '}' : ']';
      open.pop_back();
      continue;
    }
    if (!top.first) out += language.comma;
    top.first = false;
    if (top.object) {
      json::Member member = *top.member;
      put_key(member.key, language, out);
      out += language.colon;
      next = member.value;
      ++top.member;
    } else {
      next = *top.item;
      ++top.item;
    }
  }
}

void write_members(json::Value object, const Language& language, std::string& out) {
  bool first = true;
  for (json::Member member : object.members()) {
    if (!first) out += language.comma;
    first = false;
    if (language.python) {
      out += member.key;
      out += '=';
    } else {
      put_key(member.key, language, out);
      out += language.colon;
    }
    write_value(member.value, language, out);
  }
}

std::string without_markers(std::string text, const Row& row) {
  std::vector<std::string_view> markers(last_tokens().begin(), last_tokens().end());
  for (const Words* words : {&row.start, &row.end, &row.outer, &row.outer_end})
    markers.insert(markers.end(), words->begin(), words->end());
  markers.insert(markers.end(), {row.separator, row.before_id});
  ByteSet firsts;
  // Letters and line breaks are no tokens; a backslash before a letter would change its meaning.
  std::erase_if(markers, [](std::string_view m) { return m.empty() || (m.front() != '<' && m.front() != '['); });
  for (std::string_view marker : markers) firsts.add(marker.front());
  for (std::size_t i = firsts.find(text, 0); i < text.size(); i = firsts.find(text, i + 1)) {
    std::string_view here = std::string_view(text).substr(i);
    if (std::none_of(markers.begin(), markers.end(), [&](std::string_view m) { return here.starts_with(m); })) continue;
    const auto c = static_cast<unsigned char>(text[i]);
    text.replace(i, 1, {'\\', 'u', '0', '0', kHex[c >> 4], kHex[c & 15]});
  }
  return text;
}

}  // namespace BELAY_NAMESPACE::text
