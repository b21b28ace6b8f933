#include <belay/json/writer.h>

#include "base/utf8.h"
#include "json/escaped.h"

#include <vector>

namespace BELAY_NAMESPACE::json {
namespace {

constexpr char kHex[] = "0123456789abcdef";

// The text must be valid UTF-8.
void write_valid(std::string_view s, std::string& out) {
  if (s.size() >= 4096) out.reserve(out.size() + s.size() + s.size() / 16);
  out += '"';
  append_escaped(s, out);
  out += '"';
}

}  // namespace

void append_escaped(std::string_view s, std::string& out) {
  std::size_t from = 0;
  for (std::size_t i = 0; i < s.size(); ++i) {
    auto c = static_cast<unsigned char>(s[i]);
    if (c >= 0x20 && c != '"' && c != '\\') continue;
    out.append(s, from, i - from);
    from = i + 1;
    out += '\\';
    switch (c) {
      case '"': out += '"'; break;
      case '\\': out += '\\'; break;
      case '\b': out += 'b'; break;
      case '\f': out += 'f'; break;
      case '\n': out += 'n'; break;
      case '\r': out += 'r'; break;
      case '\t': out += 't'; break;
      default:
        out += "u00";
        out += kHex[c >> 4];
        out += kHex[c & 15];
    }
  }
  out.append(s, from);
}

void write_string(std::string_view s, std::string& out) {
  if (utf8::valid(s)) return write_valid(s, out);
  write_valid(utf8::replaced(s), out);
}

void write(const Value& value, std::string& out) {
  const Tape& tape = *value.tape();
  // The tape is in the order of the text: one pass writes it. The ends of the open containers are all that has to be
  // remembered.
  std::vector<std::size_t> ends;
  std::size_t i = value.index();
  const std::size_t stop = tape.next(i);
  bool comma = false;
  while (true) {
    while (!ends.empty() && ends.back() >> 1 == i) {
      out += ends.back() & 1 ? '}' : ']';
      ends.pop_back();
      comma = true;
    }
    if (i == stop) return;
    const Node& n = tape.node(i);
    if (comma) out += ',';
    comma = true;
    switch (n.tag()) {
      case Tag::null: out += "null"; break;
      case Tag::no: out += "false"; break;
      case Tag::yes: out += "true"; break;
      case Tag::short_number:
      case Tag::number: out += tape.text(i); break;
      case Tag::string: write_valid(tape.text(i), out); break;
      case Tag::key:
        write_valid(tape.text(i), out);
        out += ':';
        comma = false;
        break;
      case Tag::array:
      case Tag::object:
        out += n.tag() == Tag::object ? '{' : '[';
        ends.push_back(tape.next(i) << 1 | (n.tag() == Tag::object ? 1 : 0));
        comma = false;
        break;
    }
    ++i;
  }
}

std::string to_string(const Value& value) {
  std::string out;
  write(value, out);
  return out;
}

}  // namespace BELAY_NAMESPACE::json
