#include <belay/sse.h>

#include "sse/line_ends.h"

namespace BELAY_NAMESPACE::sse {
namespace {

void append_lines(std::string& out, std::string_view name, std::string_view text) {
  const char* p = text.data();
  const char* const end = p + text.size();
  LineEnds ends(p, end);
  for (;;) {
    const char* line_end = ends.next(p);
    out.append(name);
    // The one space that a reader takes away, so that those which the line begins with stay.
    if (line_end != p) out.append(1, ' ').append(p, line_end);
    out += '\n';
    if (line_end == end) return;
    p = line_end + 1;
    if (*line_end == '\r' && p != end && *p == '\n') ++p;
  }
}

}  // namespace

void append_event(std::string& out, std::string_view data, std::string_view event) {
  if (!event.empty()) {
    out.append("event: ");
    for (char c : event) out += c == '\r' || c == '\n' ? ' ' : c;
    out += '\n';
  }
  append_lines(out, "data:", data);
  out += '\n';
}

void append_comment(std::string& out, std::string_view text) { append_lines(out, ":", text); }

}  // namespace BELAY_NAMESPACE::sse
