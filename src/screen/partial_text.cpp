#include <belay/screen/partial_text.h>

#include <belay/json/writer.h>

#include <string_view>
#include <utility>

namespace BELAY_NAMESPACE::screen {
namespace {

// Ends a value with its closer, or with the mark when it is open and no child of it has said so already.
void end(const json::Partial& value, std::string_view closer, std::string& out) {
  if (value.closed())
    out += closer;
  else if (!out.ends_with(kOpenMark))
    out.append(" ").append(kOpenMark);
}

void append(const json::Partial& value, std::string& out) {
  switch (value.kind()) {
    case json::Kind::null: out += "null"; break;
    case json::Kind::boolean: out += value.as_bool() ? "true" : "false"; break;
    case json::Kind::number: out += value.number_text(); break;
    case json::Kind::string:
      json::write_string(value.as_string(), out);
      if (!value.closed()) out.replace(out.size() - 1, 1, kOpenMark);
      break;
    case json::Kind::array: {
      out += '[';
      bool first = true;
      value.each_item([&](const json::Partial& item) {
        if (!std::exchange(first, false)) out += ',';
        append(item, out);
      });
      end(value, "]", out);
      break;
    }
    case json::Kind::object: {
      out += '{';
      bool first = true;
      value.each_member([&](std::string_view key, const json::Partial& member) {
        if (!std::exchange(first, false)) out += ',';
        json::write_string(key, out);
        out += ':';
        append(member, out);
      });
      end(value, "}", out);
      break;
    }
  }
}

}  // namespace

std::string partial_text(const json::Partial& value) {
  std::string out;
  append(value, out);
  return out;
}

}  // namespace BELAY_NAMESPACE::screen
