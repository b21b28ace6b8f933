#include "text/match.h"

#include "text/scan.h"

#include <algorithm>

namespace BELAY_NAMESPACE::text {
namespace {

constexpr std::size_t kAttributeBytes = 128;

}  // namespace

Match match_literal(std::string_view text, std::string_view literal, bool final) {
  std::size_t n = std::min(text.size(), literal.size());
  if (text.substr(0, n) != literal.substr(0, n)) return {};
  if (n == literal.size()) return {Is::yes, n, true};
  return {final ? Is::no : Is::more, 0, true};
}

Match match_marker(std::string_view text, std::string_view marker, bool final, bool attributes) {
  Match literal = match_literal(text, marker, final);
  if (literal.is == Is::yes) return literal;
  if (marker.size() < 3 || marker.front() != '<' || marker.back() != '>' || marker[marker.size() - 2] == '|' ||
      static_cast<unsigned char>(marker[1]) >= 0x80)
    return literal;
  // All but the closing bracket, in any case, with white space behind the slash.
  std::size_t i = 0;
  for (std::size_t k = 0; k + 1 < marker.size(); ++k) {
    if (k >= 2 && marker[1] == '/' && k == 2)
      while (i < text.size() && text[i] == ' ' && i < 8) ++i;
    if (i == text.size()) return {final ? Is::no : Is::more, 0, false};
    if (lower(text[i]) != lower(marker[k])) return {};
    ++i;
  }
  std::size_t end = past_gap(text.substr(0, i + 16), i);
  if (end == text.size()) return {final ? Is::no : Is::more, 0, false};
  if (text[end] == '>') return {Is::yes, end + 1, false};
  if (!attributes || end == i) return {};
  for (; end < text.size() && end - i < kAttributeBytes; ++end) {
    if (text[end] == '>') return {Is::yes, end + 1, false};
    if (text[end] == '<' || text[end] == '\n') return {};
  }
  if (end == text.size() && end - i < kAttributeBytes) return {final ? Is::no : Is::more, 0, false};
  return {};
}

Match match_closer(std::string_view text, bool final) {
  constexpr std::size_t kLongest = 64;
  if (text.empty() || text.front() != '<') return {};
  if (text.size() < 2) return {final ? Is::no : Is::more};
  if (text[1] != '/' && text[1] != '|') return {};
  std::size_t end = text.substr(0, kLongest).find('>');
  std::string_view name = text.substr(1, std::min(end, kLongest) - 1);
  if (name.find_first_of("<\n ") != std::string_view::npos) return {};
  if (end == std::string_view::npos) return {text.size() < kLongest && !final ? Is::more : Is::no};
  return {Is::yes, end + 1, false};
}

Match next_byte(std::string_view text, std::size_t from, bool final) {
  const std::string_view near = text.substr(0, kHold);
  const std::size_t at = final ? past_any_space(near, from) : past_gap(near, from);
  if (at >= kHold) return {};
  if (at == text.size()) return {final ? Is::no : Is::more};
  return {Is::yes, at};
}

Match match_any(std::string_view text, const Words& markers, bool final, bool attributes) {
  Match best;
  for (std::string_view marker : markers) {
    Match m = match_marker(text, marker, final, attributes);
    if (m.is == Is::yes && (best.is != Is::yes || m.length > best.length)) best = m;
    if (m.is == Is::more && best.is == Is::no) best = m;
  }
  return best;
}

}  // namespace BELAY_NAMESPACE::text
