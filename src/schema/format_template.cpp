// URI templates: RFC 6570, all four levels. The operators that it keeps for later ("=,!@|") are refused.
#include "schema/chars.h"
#include "schema/format_checks.h"

#include <cstddef>

namespace BELAY_NAMESPACE::schema {
namespace {

// Takes letters, digits, "_" and escapes, in groups with single dots between them.
bool take_name(std::string_view& s) {
  bool in_group = false;
  while (!s.empty()) {
    if (is_escape(s, 0)) {
      s.remove_prefix(3);
      in_group = true;
    } else if (is_alnum(s.front()) || s.front() == '_') {
      s.remove_prefix(1);
      in_group = true;
    } else if (s.front() == '.' && in_group) {
      s.remove_prefix(1);
      in_group = false;
    } else {
      break;
    }
  }
  return in_group;
}

// What may follow a name: "*", or a length of 1 to 9999.
bool take_modifier(std::string_view& s) {
  if (s.starts_with('*')) {
    s.remove_prefix(1);
  } else if (s.starts_with(':')) {
    s.remove_prefix(1);
    const std::size_t digits = count_digits(s);
    if (digits == 0 || digits > 4 || s.front() == '0') return false;
    s.remove_prefix(digits);
  }
  return true;
}

// The inside of {…}.
bool is_expression(std::string_view s) {
  if (!s.empty() && std::string_view("+#./;?&").find(s.front()) != std::string_view::npos) s.remove_prefix(1);
  for (;;) {
    if (!take_name(s) || !take_modifier(s)) return false;
    if (s.empty()) return true;
    if (s.front() != ',') return false;
    s.remove_prefix(1);
  }
}

// Takes one character, or escape, that stands for itself. The apostrophe is one since erratum 6937.
bool take_literal(std::string_view& s) {
  const char c = s.front();
  if (!is_ascii(c)) return is_iri_character(next_code_point(s), true);
  if (c == '%') {
    if (!is_escape(s, 0)) return false;
    s.remove_prefix(3);
    return true;
  }
  s.remove_prefix(1);
  return c > ' ' && c < 0x7F && std::string_view("\"<>\\^`{|}").find(c) == std::string_view::npos;
}

}  // namespace

bool is_uri_template(std::string_view s) {
  while (!s.empty()) {
    if (s.front() != '{') {
      if (!take_literal(s)) return false;
      continue;
    }
    const std::size_t close = s.find('}');
    if (close == s.npos || !is_expression(s.substr(1, close - 1))) return false;
    s.remove_prefix(close + 1);
  }
  return true;
}

}  // namespace BELAY_NAMESPACE::schema
