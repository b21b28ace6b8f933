// JSON pointers (RFC 6901), relative ones (draft-bhutton-relative-json-pointer-00) and UUIDs (RFC 4122).
#include "schema/chars.h"
#include "schema/format_checks.h"

#include <cstddef>

namespace BELAY_NAMESPACE::schema {
namespace {

// Takes "0", or digits that do not start with it.
bool take_natural(std::string_view& s) {
  const std::size_t digits = count_digits(s);
  if (digits == 0 || (digits > 1 && s.front() == '0')) return false;
  s.remove_prefix(digits);
  return true;
}

}  // namespace

bool is_json_pointer(std::string_view s) {
  if (!s.empty() && s.front() != '/') return false;
  for (std::size_t i = 0; i < s.size(); ++i)
    if (s[i] == '~' && (i + 1 == s.size() || (s[i + 1] != '0' && s[i + 1] != '1'))) return false;
  return true;
}

bool is_relative_json_pointer(std::string_view s) {
  if (!take_natural(s)) return false;
  if (s.starts_with('+') || s.starts_with('-')) {  // to a neighbour in an array
    s.remove_prefix(1);
    if (!take_natural(s)) return false;
  }
  return s == "#" || is_json_pointer(s);
}

bool is_uuid(std::string_view s) {
  if (s.size() != 36) return false;
  for (std::size_t i = 0; i < s.size(); ++i) {
    const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
    if (dash ? s[i] != '-' : hex_value(s[i]) < 0) return false;
  }
  return true;
}

}  // namespace BELAY_NAMESPACE::schema
