// E-mail addresses: the mailbox of RFC 5321, 4.1.2, and with RFC 6531 beyond ASCII. No display names, no comments.
#include "schema/chars.h"
#include "schema/format_checks.h"

#include <cstddef>

namespace BELAY_NAMESPACE::schema {
namespace {

bool is_atom_character(char c) {
  return is_alnum(c) || std::string_view("!#$%&'*+-/=?^_`{|}~").find(c) != std::string_view::npos;
}

// Takes a character beyond ASCII, if those are allowed; RFC 6531 allows every one.
bool take_wide(std::string_view& s, Alphabet alphabet) {
  return alphabet == Alphabet::unicode && !is_ascii(s.front()) && next_code_point(s) != kNoCodePoint;
}

// Takes atoms with single dots between them.
bool take_dotted(std::string_view& s, Alphabet alphabet) {
  bool in_atom = false;
  while (!s.empty() && s.front() != '@') {
    if (is_atom_character(s.front())) {
      s.remove_prefix(1);
      in_atom = true;
    } else if (s.front() == '.' && in_atom) {
      s.remove_prefix(1);
      in_atom = false;
    } else if (take_wide(s, alphabet)) {
      in_atom = true;
    } else {
      return false;
    }
  }
  return in_atom;
}

bool is_printable(char c) { return c >= ' ' && c <= '~'; }

bool take_quoted(std::string_view& s, Alphabet alphabet) {
  s.remove_prefix(1);
  while (!s.empty()) {
    const char c = s.front();
    if (!is_ascii(c)) {
      if (!take_wide(s, alphabet)) return false;
      continue;
    }
    s.remove_prefix(1);
    if (c == '"') return true;
    if (!is_printable(c)) return false;
    if (c != '\\') continue;
    if (s.empty() || !is_printable(s.front())) return false;
    s.remove_prefix(1);
  }
  return false;
}

bool is_tagged_ipv6(std::string_view s) {
  constexpr std::string_view kTag = "ipv6:";
  if (s.size() < kTag.size()) return false;
  for (std::size_t i = 0; i < kTag.size(); ++i)
    if (to_lower(s[i]) != kTag[i]) return false;
  return is_ipv6(s.substr(kTag.size()));
}

}  // namespace

bool is_email(std::string_view s, Alphabet alphabet) {
  const bool local = s.starts_with('"') ? take_quoted(s, alphabet) : take_dotted(s, alphabet);
  if (!local || !s.starts_with('@')) return false;
  s.remove_prefix(1);
  if (!s.starts_with('[')) return is_hostname(s, alphabet);
  if (!s.ends_with(']')) return false;
  const std::string_view address = s.substr(1, s.size() - 2);
  return is_ipv4(address) || is_tagged_ipv6(address);
}

}  // namespace BELAY_NAMESPACE::schema
