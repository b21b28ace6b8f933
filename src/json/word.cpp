#include "json/word.h"

#include "json/number.h"
#include "json/scan.h"

#include <array>

namespace BELAY_NAMESPACE::json {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

bool same_letters(std::string_view word, std::string_view want) {
  if (word.size() != want.size()) return false;
  for (std::size_t i = 0; i < word.size(); ++i)
    if (lower(word[i]) != want[i]) return false;
  return true;
}

struct Literal {
  std::string_view text;
  Tag tag;
  EditKind kind;
  Grade grade;
};
// NaN and the infinities have no JSON value; null is the guess. nil could be a name.
constexpr Literal kLiterals[] = {
    {"true", Tag::yes, EditKind::literal_spelling, Grade::safe},
    {"false", Tag::no, EditKind::literal_spelling, Grade::safe},
    {"null", Tag::null, EditKind::literal_spelling, Grade::safe},
    {"none", Tag::null, EditKind::literal_spelling, Grade::safe},
    {"undefined", Tag::null, EditKind::literal_spelling, Grade::safe},
    {"nil", Tag::null, EditKind::foreign_literal, Grade::guess},
    {"nan", Tag::null, EditKind::foreign_literal, Grade::guess},
    {"-nan", Tag::null, EditKind::foreign_literal, Grade::guess},
    {"infinity", Tag::null, EditKind::foreign_literal, Grade::guess},
    {"-infinity", Tag::null, EditKind::foreign_literal, Grade::guess},
    {"+infinity", Tag::null, EditKind::foreign_literal, Grade::guess},
    {"inf", Tag::null, EditKind::foreign_literal, Grade::guess},
    {"-inf", Tag::null, EditKind::foreign_literal, Grade::guess},
};

// Most words are told from all literals by how they begin.
bool may_be_literal(std::string_view word) {
  switch (lower(word[0])) {
    case 't':
    case 'f':
    case 'n':
    case 'u':
    case 'i':
    case '+':
    case '-': return true;
    default: return false;
  }
}

WordValue number(std::string text, EditKind kind, Grade grade) {
  return {Tag::number, std::move(text), true, kind, grade};
}

// 0x1F and the like. Sixteen digits at most: more would need arithmetic that is not linear.
bool read_radix(std::string_view digits, unsigned radix, std::string& out) {
  std::uint64_t v = 0;
  std::size_t used = 0;
  for (char c : digits) {
    int d = hex(c);
    if (d < 0 || static_cast<unsigned>(d) >= radix) return false;
    if (__builtin_mul_overflow(v, std::uint64_t{radix}, &v)) return false;
    v += static_cast<unsigned>(d);
    ++used;
  }
  if (used == 0) return false;
  out = std::to_string(v);
  return true;
}

bool read_number(std::string_view word, WordValue& value) {
  std::string_view w = word;
  std::string sign;
  if (w[0] == '+' || w[0] == '-') {
    if (w[0] == '-') sign = "-";
    w.remove_prefix(1);
  }
  if (w.empty()) return false;
  if (w.size() > 2 && w[0] == '0') {
    std::string digits;
    char x = lower(w[1]);
    if (x == 'x' && read_radix(w.substr(2), 16, digits))
      return value = number(sign + digits, EditKind::number_spelling, Grade::safe), true;
    if (x == 'o' && read_radix(w.substr(2), 8, digits))
      return value = number(sign + digits, EditKind::foreign_number, Grade::guess), true;
    if (x == 'b' && read_radix(w.substr(2), 2, digits))
      return value = number(sign + digits, EditKind::foreign_number, Grade::guess), true;
  }
  if (!is_digit(w[0]) && !(w[0] == '.' && w.size() > 1 && is_digit(w[1]))) return false;
  if (w.find_first_not_of("0123456789_.eE+-") != std::string_view::npos) return false;
  std::string text;
  EditKind kind = EditKind::number_spelling;
  Grade grade = Grade::safe;
  // Digit separators stand between digits.
  for (std::size_t i = 0; i < w.size(); ++i) {
    if (w[i] == '_' && i > 0 && i + 1 < w.size() && is_digit(w[i - 1]) && is_digit(w[i + 1])) {
      kind = EditKind::foreign_number;
      grade = Grade::guess;
      continue;
    }
    text += w[i];
  }
  if (text[0] == '.') text.insert(0, 1, '0');
  std::size_t zeros = 0;
  while (zeros + 1 < text.size() && text[zeros] == '0' && is_digit(text[zeros + 1])) ++zeros;
  if (zeros) {
    text.erase(0, zeros);
    kind = EditKind::foreign_number;
    grade = Grade::guess;
  }
  // 1. and 1.e5 are spelled so elsewhere; 1e5. is not.
  std::size_t dot = text.find('.');
  if (dot != std::string::npos && text.find_first_of("eE") > dot &&
      (dot + 1 == text.size() || lower(text[dot + 1]) == 'e'))
    text.erase(dot, 1);
  text.insert(0, sign);
  if (!is_number(text)) return false;
  value = number(std::move(text), kind, grade);
  return true;
}

// Marks that stand around words or between them, beyond ASCII. Of valid UTF-8, the character at `i`.
bool is_mark(std::string_view s, std::size_t i) {
  auto b = [&](std::size_t k) { return i + k < s.size() ? static_cast<std::uint32_t>(s[i + k] & 0x3F) : 0; };
  const auto lead = static_cast<unsigned char>(s[i]);
  if (lead == 0xC2) {
    const std::uint32_t c = 0x80 | b(1);
    return c > 0xA0 && c != 0xAA && c != 0xB5 && c != 0xBA;  // those three are letters
  }
  if ((lead & 0xF0) != 0xE0) return false;
  const std::uint32_t c = static_cast<std::uint32_t>(lead & 0x0F) << 12 | b(1) << 6 | b(2);
  constexpr std::uint32_t kMarks[][2] = {{0x2010, 0x2027}, {0x2030, 0x205E}, {0x2329, 0x232A}, {0x275B, 0x2775},
                                         {0x2983, 0x2998}, {0x2E00, 0x2E5D}, {0x3001, 0x3003}, {0x3008, 0x3011},
                                         {0x3014, 0x301F}, {0xFE30, 0xFE6B}, {0xFF01, 0xFF0F}, {0xFF1A, 0xFF20},
                                         {0xFF3B, 0xFF40}, {0xFF5B, 0xFF65}};
  for (const auto& [from, to] : kMarks)
    if (c >= from && c <= to) return true;
  return false;
}

}  // namespace

WordValue read_word(std::string_view word) {
  WordValue v;
  v.edited = true;
  if (word.empty()) return v;
  if (word == "true") return {Tag::yes, {}, false, {}, Grade::strict};
  if (word == "false") return {Tag::no, {}, false, {}, Grade::strict};
  if (word == "null") return {Tag::null, {}, false, {}, Grade::strict};
  if (is_number(word)) return {Tag::number, std::string(word), false, {}, Grade::strict};
  if (may_be_literal(word))
    for (const Literal& l : kLiterals)
      if (same_letters(word, l.text)) return {l.tag, {}, true, l.kind, l.grade};
  read_number(word, v);
  return v;
}

bool is_scalar(std::string_view word) { return !word.empty() && read_word(word).tag != Tag::string; }

Grade grade_key(std::string_view word) {
  if (word.empty()) return Grade::guess;
  if (may_be_literal(word))
    for (const Literal& l : kLiterals)
      if (same_letters(word, l.text) && word != l.text) return Grade::guess;
  if (is_digit(word[0]) || word[0] == '-' || word[0] == '+' || word[0] == '.') {
    // {0x1F: 1}, {1e3: 1}, {007: 1} and {1n: 1} are other keys in the languages that allow them.
    const std::size_t digits = std::min(word.find_first_not_of("0123456789"), word.size());
    if (word.size() > 1 && word[0] == '0' && digits == word.size()) return Grade::guess;
    if (digits > 0 && word.substr(digits) == "n") return Grade::guess;
    if (is_scalar(word) && word.find_first_not_of("0123456789", word[0] == '-') != std::string_view::npos)
      return Grade::guess;
  }
  if (word.back() == '-') return Grade::guess;  // {n-=1}
  for (std::size_t i = 0; i < word.size(); ++i) {
    char c = word[i];
    bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '$' || c == '-' ||
                 c == '.' || c == '@' || static_cast<unsigned char>(c) >= 0x80;
    // Whether a mark belongs to the key or stands around it is a choice.
    if (!plain || (static_cast<unsigned char>(c) >= 0xC0 && is_mark(word, i))) return Grade::guess;
  }
  return Grade::safe;
}

bool is_string_prefix(std::string_view w) {
  for (std::string_view p : {"b", "u", "r", "f", "rb", "br", "fr", "rf"})
    if (same_letters(w, p)) return true;
  return false;
}

bool is_callee(std::string_view w) {
  if (w.size() > 64) return false;
  if (w.starts_with("new ")) w.remove_prefix(4);
  if (w.empty() || is_digit(w[0]) || is_scalar(w)) return false;
  for (char c : w) {
    bool name = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '$' || c == '.';
    if (!name) return false;
  }
  return true;
}

}  // namespace BELAY_NAMESPACE::json
