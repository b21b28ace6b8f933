#include "schema/idna.h"

#include <algorithm>
#include <optional>
#include <span>

namespace BELAY_NAMESPACE::schema {
namespace {

using CodePoints = std::span<const std::uint32_t>;

constexpr std::uint32_t kNonJoiner = 0x200C, kJoiner = 0x200D;

bool between(std::uint32_t c, std::uint32_t first, std::uint32_t last) { return c >= first && c <= last; }
bool is_lower_letter_or_digit(std::uint32_t c) { return between(c, 'a', 'z') || between(c, '0', '9'); }
bool is_arabic_digit(std::uint32_t c) { return between(c, 0x660, 0x669); }
bool is_extended_arabic_digit(std::uint32_t c) { return between(c, 0x6F0, 0x6F9); }

bool hyphens_inside(CodePoints label) { return !label.empty() && label.front() != '-' && label.back() != '-'; }

// RFC 5892, A.1: breaks a connection that would be there without it. The marks between do not matter.
bool between_joining_letters(CodePoints label, std::size_t at) {
  std::size_t before = at, after = at + 1;
  while (before > 0 && is_mark(label[before - 1])) --before;
  while (after < label.size() && is_mark(label[after])) ++after;
  return before > 0 && is_dual_joining(label[before - 1]) && after < label.size() &&
         (is_dual_joining(label[after]) || is_right_joining(label[after]));
}

// RFC 5892, appendix A: characters that are allowed only in some company.
bool fits_context(CodePoints label, std::size_t at) {
  const std::uint32_t c = label[at];
  const std::uint32_t before = at > 0 ? label[at - 1] : 0;
  const std::uint32_t after = at + 1 < label.size() ? label[at + 1] : 0;
  if (is_arabic_digit(c)) return std::ranges::none_of(label, is_extended_arabic_digit);
  if (is_extended_arabic_digit(c)) return std::ranges::none_of(label, is_arabic_digit);
  switch (c) {
    case kNonJoiner: return is_virama(before) || between_joining_letters(label, at);
    case kJoiner: return is_virama(before);
    case 0x00B7: return before == 'l' && after == 'l';               // middle dot, as in Catalan
    case 0x0375: return is_greek(after);                             // keraia
    case 0x05F3:                                                     // geresh
    case 0x05F4: return is_hebrew(before);                           // gershayim
    case 0x30FB: return std::ranges::any_of(label, is_kana_or_han);  // katakana middle dot
    default: return true;
  }
}

// RFC 5891, 4.2.3.
bool is_u_label(CodePoints label) {
  if (!hyphens_inside(label) || is_mark(label.front())) return false;
  if (label.size() >= 4 && label[2] == '-' && label[3] == '-') return false;
  for (std::size_t i = 0; i < label.size(); ++i) {
    const std::uint32_t c = label[i];
    if (c < 0x80 ? c != '-' && !is_lower_letter_or_digit(c) : is_disallowed(c) || !fits_context(label, i)) return false;
  }
  return true;
}

enum class Direction : std::uint8_t { left, right, european_digit, arabic_digit, mark, neutral };

Direction direction(std::uint32_t c) {
  if (between(c, '0', '9') || is_extended_arabic_digit(c)) return Direction::european_digit;
  if (is_arabic_digit(c)) return Direction::arabic_digit;
  if (c == '-' || c == 0x00B7 || c == 0x0375 || c == 0x30FB || c == kNonJoiner || c == kJoiner)
    return Direction::neutral;
  if (c < 0x300) return Direction::left;
  if (is_mark(c)) return Direction::mark;
  return is_right_to_left(c) ? Direction::right : Direction::left;
}

// RFC 5893, section 2.
bool keeps_direction(CodePoints label) {
  bool has[6] = {};
  for (std::uint32_t c : label) has[static_cast<std::size_t>(direction(c))] = true;
  auto any = [&has](Direction d) { return has[static_cast<std::size_t>(d)]; };
  std::size_t end = label.size();
  while (end > 1 && direction(label[end - 1]) == Direction::mark) --end;
  const Direction first = direction(label.front()), last = direction(label[end - 1]);
  if (first == Direction::left)
    return !any(Direction::right) && !any(Direction::arabic_digit) &&
           (last == Direction::left || last == Direction::european_digit);
  return first == Direction::right && !any(Direction::left) && last != Direction::neutral &&
         !(any(Direction::european_digit) && any(Direction::arabic_digit));
}

bool is_right_to_left_label(CodePoints label) {
  return std::ranges::any_of(label, [](std::uint32_t c) {
    const Direction d = direction(c);
    return d == Direction::right || d == Direction::arabic_digit;
  });
}

LabelVerdict verdict(CodePoints label, std::size_t ascii_length) {
  return {true, ascii_length, is_right_to_left_label(label), keeps_direction(label)};
}

std::optional<Label> in_lower_case(const Label& label) {
  Label lower;
  for (std::uint32_t c : label.code_points()) {
    if (between(c, 'A', 'Z')) c += 'a' - 'A';
    if (c != '-' && !is_lower_letter_or_digit(c)) return std::nullopt;
    lower.push_back(c);
  }
  return lower;
}

bool is_ascii(const Label& label) {
  return std::ranges::all_of(label.code_points(), [](std::uint32_t c) { return c < 0x80; });
}

}  // namespace

LabelVerdict judge_label(const Label& label) {
  if (!hyphens_inside(label.code_points())) return {};
  if (!is_ascii(label)) {
    if (!is_u_label(label.code_points())) return {};
    const std::optional<Label> encoded = to_a_label(label);
    return encoded ? verdict(label.code_points(), encoded->size()) : LabelVerdict{};
  }
  const std::optional<Label> lower = in_lower_case(label);
  if (!lower) return {};
  const Label& plain = *lower;
  if (plain.size() < 4 || plain[0] != 'x' || plain[1] != 'n' || plain[2] != '-' || plain[3] != '-')
    return verdict(plain.code_points(), plain.size());
  // An A-label has to be the one that its U-label would be written as.
  const std::optional<Label> decoded = from_a_label(plain);
  if (!decoded || is_ascii(*decoded) || !is_u_label(decoded->code_points()) || to_a_label(*decoded) != plain) return {};
  return verdict(decoded->code_points(), plain.size());
}

}  // namespace BELAY_NAMESPACE::schema
