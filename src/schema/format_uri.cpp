// URIs (RFC 3986) and IRIs (RFC 3987), by the grammar: no scheme has rules of its own.
#include "schema/chars.h"
#include "schema/format_checks.h"
#include "schema/uri.h"

#include <cstddef>

namespace BELAY_NAMESPACE::schema {
namespace {

bool is_unreserved(char c) { return is_alnum(c) || c == '-' || c == '.' || c == '_' || c == '~'; }
bool is_sub_delimiter(char c) { return std::string_view("!$&'()*+,;=").find(c) != std::string_view::npos; }

// Unreserved characters, sub-delimiters, escapes, those of `also`, and in IRIs what they allow beyond ASCII.
bool made_of(std::string_view s, std::string_view also, Alphabet alphabet, bool private_use = false) {
  while (!s.empty()) {
    const char c = s.front();
    if (!is_ascii(c)) {
      if (alphabet == Alphabet::ascii || !is_iri_character(next_code_point(s), private_use)) return false;
      continue;
    }
    if (c == '%') {
      if (!is_escape(s, 0)) return false;
      s.remove_prefix(3);
      continue;
    }
    if (!is_unreserved(c) && !is_sub_delimiter(c) && also.find(c) == also.npos) return false;
    s.remove_prefix(1);
  }
  return true;
}

// An address of a kind that is still to come: [v1.xyz].
bool is_future_address(std::string_view s) {
  if (s.empty() || to_lower(s.front()) != 'v') return false;
  s.remove_prefix(1);
  std::size_t version = 0;
  while (version < s.size() && hex_value(s[version]) >= 0) ++version;
  if (version == 0 || version + 1 >= s.size() || s[version] != '.') return false;
  for (char c : s.substr(version + 1))
    if (!is_unreserved(c) && !is_sub_delimiter(c) && c != ':') return false;
  return true;
}

bool is_authority(std::string_view s, Alphabet alphabet) {
  if (const std::size_t at = s.find('@'); at != s.npos) {
    if (!made_of(s.substr(0, at), ":", alphabet)) return false;
    s.remove_prefix(at + 1);
  }
  std::string_view port;
  if (s.starts_with('[')) {
    const std::size_t close = s.find(']');
    if (close == s.npos) return false;
    const std::string_view address = s.substr(1, close - 1);
    if (!is_ipv6(address) && !is_future_address(address)) return false;
    port = s.substr(close + 1);
  } else {
    const std::size_t colon = s.find(':');
    if (!made_of(s.substr(0, colon), "", alphabet)) return false;
    if (colon != s.npos) port = s.substr(colon);
  }
  if (port.empty()) return true;
  return port.front() == ':' && count_digits(port.substr(1)) == port.size() - 1;
}

bool well_formed(const Uri& uri, Alphabet alphabet) {
  if (uri.has_authority && !is_authority(uri.authority, alphabet)) return false;
  // In the first segment of a relative path a colon would end a scheme.
  if (!uri.has_scheme && !uri.has_authority && uri.path.substr(0, uri.path.find('/')).find(':') != uri.path.npos)
    return false;
  return made_of(uri.path, ":@/", alphabet) && made_of(uri.query, ":@/?", alphabet, true) &&
         made_of(uri.fragment, ":@/?", alphabet);
}

}  // namespace

bool is_iri_character(std::uint32_t c, bool private_use) {
  if (c < 0xA0) return false;
  if (c < 0x10000) {
    if (c >= 0xE000 && c <= 0xF8FF) return private_use;
    return c <= 0xD7FF || (c >= 0xF900 && c <= 0xFDCF) || (c >= 0xFDF0 && c <= 0xFFEF);
  }
  if (c > 0x10FFFF || (c & 0xFFFF) > 0xFFFD) return false;
  if (c >= 0xF0000) return private_use;
  return c < 0xE0000 || c >= 0xE1000;
}

bool is_uri(std::string_view s, Alphabet alphabet) {
  const Uri uri = split_uri(s);
  return uri.has_scheme && well_formed(uri, alphabet);
}

bool is_uri_reference(std::string_view s, Alphabet alphabet) { return well_formed(split_uri(s), alphabet); }

}  // namespace BELAY_NAMESPACE::schema
