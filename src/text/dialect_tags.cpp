// A call whose parameters stand in tags.
#include "text/dialect_parts.h"

#include <belay/json/writer.h>

namespace BELAY_NAMESPACE::text {
namespace {

constexpr std::string_view kData = "<![CDATA[", kDataEnd = "]]>";

// The section holds everything up to the first thing that would end it, which may follow it as plain text.
void put_data(std::string_view text, std::string_view line, std::string& out) {
  const std::size_t end = text.find(kDataEnd);
  out += kData;
  out += line;
  out += text.substr(0, end);
  if (end == std::string_view::npos) out += line;
  out += kDataEnd;
  if (end == std::string_view::npos) return;
  out += text.substr(end);
  out += line;
}

void put_text(std::string_view text, Guard guard, std::string_view gap, std::string& out) {
  if (guard == Guard::data || guard == Guard::data_line) return put_data(text, guard == Guard::data ? "" : "\n", out);
  if (guard == Guard::line) gap = "\n";
  if (guard == Guard::bare) gap = "";
  out += gap;
  out += text;
  out += gap;
}

// A byte that can begin a tag stands in strings only.
std::string escaped(std::string_view text, char byte) {
  constexpr char kHex[] = "0123456789abcdef";
  std::string out;
  for (char c : text) {
    if (c == byte)
      out += {'\\', 'u', '0', '0', kHex[static_cast<unsigned char>(c) >> 4], kHex[c & 15]};
    else
      out += c;
  }
  return out;
}

void put_value(json::Value value, Guard guard, const Written& how, const TagStyle& style, std::string& out) {
  if (value.is_string()) return put_text(value.as_string(), guard, how.value_gap, out);
  std::string text;
  write_value(value, {}, text);
  if (guard == Guard::escaped) text = escaped(text, style.open.front());
  put_text(text, Guard::plain, how.value_gap, out);
}

std::string type_attribute(Typed typed, json::Value value) {
  if (typed == Typed::string) return value.is_string() ? " string=\"true\"" : " string=\"false\"";
  if (typed == Typed::type) return " type=\"" + std::string(json::name(value.kind())) + "\"";
  return {};
}

std::string attribute(std::string_view name, std::string_view value) {
  const char quote = value.find('"') == std::string_view::npos ? '"' : '\'';
  return " " + std::string(name) + "=" + quote + std::string(value) + quote;
}

}  // namespace

std::string put_tag_call(const Written& how, const Row& row, const Piece& piece) {
  const TagStyle& style = *row.tags;
  const std::string_view line = how.broken_lines ? "\n" : "";
  const std::string call(style.name == Where::tag ? piece.name : *style.call.begin());
  std::string out;
  auto open = [&](std::string_view name, const std::string& more = {}) {
    out += style.open;
    out += name;
    out += more;
    out += style.end;
  };
  auto close = [&](std::string_view name) {
    out += style.close;
    out += name;
    out += style.end;
  };
  switch (style.name) {
    case Where::equals: open(call, "=" + std::string(piece.name)); break;
    case Where::attribute: {
      std::string more = attribute(style.name_attribute, piece.name);
      if (!how.index_attribute.empty()) more += attribute(how.index_attribute, std::to_string(piece.index + 1));
      open(call, more);
      break;
    }
    default: open(call); break;
  }
  if (style.name == Where::text) {
    out += piece.name;
    out += style.after_name;
  }
  out += line;
  if (piece.body) {
    std::string body;
    write_value(piece.arguments, {}, body);
    out += without_markers(std::move(body), row);
    out += line;
    close(call);
    return out;
  }
  std::size_t i = 0;
  for (json::Member member : piece.arguments.members()) {
    const std::string key(member.key);
    const Guard guard = i < piece.guards.size() ? piece.guards[i] : Guard::plain;
    ++i;
    std::string_view tag = style.key == Where::tag ? std::string_view(key) : *style.parameter.begin();
    switch (style.key) {
      case Where::equals: open(tag, "=" + key); break;
      case Where::attribute:
        open(tag, attribute(style.key_attribute, key) + type_attribute(how.typed, member.value));
        break;
      case Where::pair:
        open(tag);
        out += key;
        close(tag);
        out += line;
        tag = style.value;
        open(tag);
        break;
      default: open(tag); break;
    }
    put_value(member.value, guard, how, style, out);
    close(tag);
    out += line;
  }
  close(call);
  return out;
}

}  // namespace BELAY_NAMESPACE::text
