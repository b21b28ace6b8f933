// Damage that has one reading only: docs/reader.md lists it as safe.
#include "../damage.h"

#include <algorithm>
#include <array>

namespace belay::check {
namespace {

using namespace std::string_view_literals;
using Part = Token::Part;

bool has_any(std::string_view s, std::string_view bytes) { return s.find_first_of(bytes) != s.npos; }
bool has_control(std::string_view s) {
  return std::any_of(s.begin(), s.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; });
}
bool is_text(const Token& t) { return !t.touched && (t.part == Part::string || t.part == Part::key); }

bool insert_comma(Specimen& s, Choices& c, auto fits_before) {
  std::vector<std::size_t> places;
  for (std::size_t i = 1; i < s.tokens.size(); ++i)
    if (fits_before(s.tokens[i - 1], s.tokens[i])) places.push_back(i);
  if (places.empty()) return false;
  std::size_t at = c.pick(places);
  Token comma{
      .part = Part::comma, .inside = s.tokens[at].inside, .text = ",", .content = {}, .before = {}, .touched = true};
  s.tokens.insert(s.tokens.begin() + static_cast<std::ptrdiff_t>(at), comma);
  return true;
}

bool ends_in_closer(const Specimen& s) { return has_any(s.suffix, "}]"); }

bool trailing_comma(Specimen& s, Choices& c) {
  const bool closer = ends_in_closer(s);
  return insert_comma(s, c, [&](const Token& before, const Token& at) {
    // ["x",]]: the last item may be a list that lost its bracket.
    if (closer && &at == &s.tokens.back() && at.inside == Tree::Kind::array) return false;
    return at.part == Part::close && before.part != Part::open && before.part != Part::comma;
  });
}
bool leading_comma(Specimen& s, Choices& c) {
  return insert_comma(s, c, [](const Token& before, const Token& at) {
    return before.part == Part::open && before.inside == Tree::Kind::object && at.part == Part::key;
  });
}
bool doubled_comma(Specimen& s, Choices& c) {
  return insert_comma(s, c, [](const Token& before, const Token& at) {
    return before.part == Part::comma && before.inside == Tree::Kind::object && at.part == Part::key;
  });
}

bool comma_spelling(Specimen& s, Choices& c) {
  Token* t = pick_token(s, c, [](const Token& k) { return k.part == Part::comma && !k.touched; });
  if (t == nullptr) return false;
  // In a list, a semicolon beside commas may separate the rows of a matrix.
  return respell(t, t->inside == Tree::Kind::object && c.flip() ? ";" : "，");
}
bool colon_spelling(Specimen& s, Choices& c) {
  static constexpr std::array kSpellings = {"="sv, " = "sv, " => "sv, "："sv, "::"sv};
  Token* t = pick_token(s, c, [](const Token& k) { return k.part == Part::colon && !k.touched; });
  return respell(t, std::string(c.pick(kSpellings)));
}

bool between_tokens(Specimen& s, Choices& c, std::string_view what) {
  Token* t = pick_token(s, c, [&](const Token& k) { return &k != s.tokens.data(); });
  if (t == nullptr) return false;
  t->before += what;
  return true;
}
bool comment(Specimen& s, Choices& c) {
  static constexpr std::array kComments = {
      " /* why */ "sv, " // as agreed\n"sv, " # see below\n"sv, " /* {\"x\": [1, \"y\" */ "sv, " // \"b\": 2,\n"sv,
      "/**/"sv,        "<!-- why -->"sv,    "// it's so\n"sv};
  const std::string_view text = c.pick(kComments);
  return !(ends_in_closer(s) && has_any(text, "{")) && between_tokens(s, c, text);
}
bool odd_space(Specimen& s, Choices& c) {
  static constexpr std::array kSpaces = {"\xc2\xa0"sv, "\xe2\x80\x8b"sv, "\xe3\x80\x80"sv, "\xe2\x80\xa8"sv,
                                         "\f"sv,       "\v"sv,           "\xe2\x80\x83"sv};
  return between_tokens(s, c, c.pick(kSpaces));
}

bool quote_spelling(Specimen& s, Choices& c) {
  static constexpr std::array<std::array<std::string_view, 2>, 4> kQuotes = {
      {{"'", "'"}, {"“", "”"}, {"‘", "’"}, {"`", "`"}}};
  Token* t = pick_token(
      s, c, [](const Token& k) { return is_text(k) && !has_any(k.content, "'\"`\\$\xe2") && !has_control(k.content); });
  if (t == nullptr) return false;
  const auto& quotes = c.pick(kQuotes);
  return respell(t, std::string(quotes[0]) + t->content + std::string(quotes[1]));
}
bool unquoted_key(Specimen& s, Choices& c) {
  Token* t = pick_token(s, c, [&](const Token& k) {
    // Behind a string with one of a pair of quotes the other may have ended it.
    const auto at = static_cast<std::size_t>(&k - s.tokens.data());
    if (at >= 2 && std::ranges::count(s.tokens[at - 2].content, '"') % 2 != 0) return false;
    return is_text(k) && k.part == Part::key && !k.content.empty() && (k.content[0] < '0' || k.content[0] > '9') &&
           std::all_of(k.content.begin(), k.content.end(),
                       [](char x) { return (x >= 'a' && x <= 'z') || (x >= '0' && x <= '9') || x == '_' || x == '$'; });
  });
  return t != nullptr && respell(t, t->content);
}

bool literal_spelling(Specimen& s, Choices& c) {
  static constexpr std::array kTrue = {"True"sv, "TRUE"sv}, kFalse = {"False"sv, "FALSE"sv};
  static constexpr std::array kNull = {"None"sv, "NULL"sv, "Null"sv, "undefined"sv};
  Token* t = pick_token(s, c, [](const Token& k) { return k.part == Part::literal && !k.touched; });
  if (t == nullptr) return false;
  return respell(t, std::string(t->text == "true"    ? c.pick(kTrue)
                                : t->text == "false" ? c.pick(kFalse)
                                                     : c.pick(kNull)));
}

bool is_plain_integer(const Token& t) {
  return t.part == Part::number && !t.touched && t.text.size() < 9 && !has_any(t.text, "-.eE");
}
bool number_spelling(Specimen& s, Choices& c) {
  Token* t = pick_token(s, c, [](const Token& k) { return k.part == Part::number && !k.touched && k.text[0] != '-'; });
  if (t == nullptr) return false;
  if (t->text.starts_with("0.") && c.flip()) return respell(t, t->text.substr(1));
  if (!is_plain_integer(*t) || c.flip()) return respell(t, "+" + t->text);
  if (c.flip()) return respell(t, t->text + ".");
  static constexpr char kHex[] = "0123456789abcdef";
  std::string hex;
  for (unsigned long n = std::stoul(t->text); n > 0 || hex.empty(); n /= 16) hex.insert(hex.begin(), kHex[n % 16]);
  return respell(t, "0x" + hex);
}

bool raw_control(Specimen& s, Choices& c) {
  Token* t = pick_token(s, c, [](const Token& k) { return is_text(k) && has_control(k.content); });
  if (t == nullptr) return false;
  std::string text = "\"";
  for (char x : t->content) (text += x == '"' || x == '\\' ? "\\" : "") += x;
  return respell(t, text + "\"");
}
bool escaped_quote(Specimen& s, Choices& c) {
  Token* t = pick_token(s, c, [](const Token& k) { return is_text(k) && has_any(k.content, "'"); });
  if (t == nullptr) return false;
  std::string text;
  for (char x : json_string(t->content)) (text += x == '\'' ? "\\" : "") += x;
  return respell(t, text);
}
bool unknown_escape(Specimen& s, Choices& c) {
  Token* t = pick_token(s, c, [](const Token& k) {
    if (!is_text(k) || k.part == Part::key || !has_any(k.content, "\\") || has_any(k.content, "\"'`") ||
        has_control(k.content))
      return false;
    for (std::size_t i = 0; i < k.content.size(); ++i)
      if (k.content[i] == '\\' && (i + 1 == k.content.size() || !has_any(k.content.substr(i + 1, 1), "dswp.()[]+*$^ ")))
        return false;
    return true;
  });
  return t != nullptr && respell(t, "\"" + t->content + "\"");
}

bool around(Specimen& s, std::string_view before, std::string_view after) {
  if (!s.prefix.empty() || !s.suffix.empty()) return false;
  s.prefix = before;
  s.suffix = after;
  return true;
}
bool fence(Specimen& s, Choices& c) {
  return c.flip() ? around(s, "```json\n", "\n```") : around(s, "```\n", "\n```\n");
}
bool prose(Specimen& s, Choices& c) {
  static constexpr std::array kBefore = {""sv, "Here is the call:\n"sv, "Sure, I'll do that. "sv, "Result: "sv};
  static constexpr std::array kAfter = {"\nDone."sv, " That's all."sv, "\n\nLet me know, ok?"sv, ""sv};
  return around(s, c.pick(kBefore), c.pick(kAfter));
}
bool special_token(Specimen& s, Choices& c) {
  static constexpr std::array<std::array<std::string_view, 2>, 4> kTokens = {
      {{"", "</tool>"}, {"<tool_call>", "</tool_call>"}, {"", "<|im_end|>"}, {"<s>", "</s>"}}};
  const auto& pair = c.pick(kTokens);
  return around(s, pair[0], pair[1]);
}
bool surplus(Specimen& s, Choices& c) {
  static constexpr std::array kSurplus = {"}"sv, "]"sv, "}}"sv, ";"sv};
  // It may be the closer of what a comment hides, or of a last item.
  for (const Token& t : s.tokens)
    if (has_any(t.before, "{")) return false;
  const std::size_t n = s.tokens.size();
  if (n > 1 && s.tokens[n - 1].inside == Tree::Kind::array && s.tokens[n - 2].part == Part::comma) return false;
  const std::string_view closer = c.pick(kSurplus);
  // Or of a container in one of its own kind, whose closer came too early.
  const Tree::Kind kind = closer == "]" ? Tree::Kind::array : closer == ";" ? Tree::Kind::null : Tree::Kind::object;
  for (std::size_t i = 0; i + 1 < n; ++i)
    if (s.tokens[i].part == Part::close && s.tokens[i].inside == kind && s.tokens[i + 1].part == Part::comma &&
        s.tokens[i + 1].inside == kind)
      return false;
  return around(s, "", closer);
}
bool byte_order_mark(Specimen& s, Choices&) {
  if (s.prefix.starts_with("\xef\xbb\xbf")) return false;
  s.prefix.insert(0, "\xef\xbb\xbf");
  return true;
}

constexpr auto kOne = Certainty::one_reading;
constexpr std::array kSafe = {
    Damage{"trailing comma", kOne, trailing_comma},
    Damage{"leading comma", kOne, leading_comma},
    Damage{"doubled comma", kOne, doubled_comma},
    Damage{"comma spelling", kOne, comma_spelling},
    Damage{"colon spelling", kOne, colon_spelling},
    Damage{"comment", kOne, comment},
    Damage{"odd space", kOne, odd_space},
    Damage{"quote spelling", kOne, quote_spelling},
    Damage{"unquoted key", kOne, unquoted_key},
    Damage{"literal spelling", kOne, literal_spelling},
    Damage{"number spelling", kOne, number_spelling},
    Damage{"raw control", kOne, raw_control},
    Damage{"escaped quote", kOne, escaped_quote},
    Damage{"unknown escape", kOne, unknown_escape},
    Damage{"fence", kOne, fence},
    Damage{"prose", kOne, prose},
    Damage{"special token", kOne, special_token},
    Damage{"surplus", kOne, surplus},
    Damage{"byte order mark", kOne, byte_order_mark},
};

}  // namespace

std::span<const Damage> safe_damages() { return kSafe; }

}  // namespace belay::check
