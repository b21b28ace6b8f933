// Damage that has several readings, or none that is certain. A reader may offer one, but never as trusted.
#include "../damage.h"

#include <algorithm>
#include <array>

namespace belay::check {
namespace {

using namespace std::string_view_literals;
using Part = Token::Part;

bool is_words(std::string_view s) {
  return s.size() > 2 && std::all_of(s.begin(), s.end(), [](char c) { return (c >= 'a' && c <= 'z') || c == ' '; }) &&
         s != "true" && s != "false" && s != "null" && s.front() != ' ' && s.back() != ' ';
}
bool is_string(const Token& t) { return t.part == Part::string && !t.touched; }
bool is_wordy(const Token& t) { return is_string(t) && is_words(t.content); }
bool is_number(const Token& t) { return t.part == Part::number && !t.touched; }

bool drop_last_closer(Specimen& s, Choices&) { return !s.tokens.back().touched && respell(&s.tokens.back(), ""); }
bool drop_any_closer(Specimen& s, Choices& c) {
  return respell(pick_token(s, c, [](const Token& t) { return t.part == Part::close && !t.touched; }), "");
}
bool wrong_closer(Specimen& s, Choices& c) {
  Token* t = pick_token(s, c, [](const Token& k) { return k.part == Part::close && !k.touched; });
  return t != nullptr && respell(t, c.once_in(4) ? ")" : t->text == "}" ? "]" : "}");
}
// One too many: with another that is lost or changed it would be JSON again.
bool early_closer(Specimen& s, Choices& c) {
  for (const Token& k : s.tokens)
    if (k.part == Part::close && k.touched) return false;
  Token* t = pick_token(s, c, [](const Token& k) { return k.part == Part::comma && !k.touched; });
  if (!respell(t, t != nullptr && t->inside == Tree::Kind::object ? "}," : "],")) return false;
  for (Token& k : s.tokens) k.touched |= k.part == Part::close;
  return true;
}
bool missing_comma(Specimen& s, Choices& c) {
  Token* t = pick_token(s, c, [](const Token& k) { return k.part == Part::comma && !k.touched; });
  return respell(t, c.flip() ? " " : "\n");
}
bool missing_colon(Specimen& s, Choices& c) {
  return respell(pick_token(s, c, [](const Token& t) { return t.part == Part::colon && !t.touched; }), " ");
}
bool missing_value(Specimen& s, Choices& c) {
  // Only where an object's member has a plain value, so that what follows the colon is a comma or a closer.
  Token* t = pick_token(s, c, [](const Token& k) {
    return !k.touched && k.inside == Tree::Kind::object &&
           (k.part == Part::string || k.part == Part::number || k.part == Part::literal);
  });
  return respell(t, "");
}
bool inner_quote(Specimen& s, Choices& c) {
  static constexpr std::array kQuoting = {" \"so to say\" indeed"sv, " 27\" wide"sv,   " (\"this\")"sv, " \"end\""sv,
                                          " \"one\", then two"sv,    " \"key: x\" y"sv};
  Token* t = pick_token(s, c, is_wordy);
  return t != nullptr && respell(t, "\"" + t->content + std::string(c.pick(kQuoting)) + "\"");
}
bool open_string(Specimen& s, Choices& c) {
  Token* t = pick_token(s, c, is_wordy);
  return t != nullptr && respell(t, "\"" + t->content);
}
bool unquoted_value(Specimen& s, Choices& c) {
  Token* t = pick_token(s, c, is_wordy);
  return t != nullptr && respell(t, t->content);
}
bool elided_item(Specimen& s, Choices& c) {
  Token* t = pick_token(
      s, c, [](const Token& k) { return k.part == Part::comma && k.inside == Tree::Kind::array && !k.touched; });
  return respell(t, ",,");
}
bool repeated_key(Specimen& s, Choices& c) {
  for (std::size_t i = 0; i + 2 < s.tokens.size(); ++i) {
    const Token &key = s.tokens[i], &value = s.tokens[i + 2];
    if (key.part != Part::key || key.touched || value.part == Part::open || value.touched || c.once_in(4)) continue;
    s.tokens[i].before += key.text + ":\"another\",";
    s.tokens[i].touched = s.tokens[i + 2].touched = true;
    return true;
  }
  return false;
}
bool not_a_number(Specimen& s, Choices& c) {
  static constexpr std::array kSpellings = {"NaN"sv, "Infinity"sv, "-Infinity"sv};
  return respell(pick_token(s, c, is_number), std::string(c.pick(kSpellings)));
}
bool leading_zero(Specimen& s, Choices& c) {
  Token* t = pick_token(s, c, [](const Token& k) { return is_number(k) && k.text[0] != '-'; });
  return t != nullptr && respell(t, "0" + t->text);
}
bool wrapper_call(Specimen& s, Choices& c) {
  Token* t = pick_token(s, c, is_string);
  return t != nullptr && respell(t, "ObjectId(" + t->text + ")");
}
bool ellipsis(Specimen& s, Choices& c) {
  Token* t = pick_token(s, c, [](const Token& k) { return k.part == Part::comma && !k.touched; });
  return respell(t, c.flip() ? ", ..., " : ", …, ");
}
bool in_string(Specimen& s, Choices& c, std::string_view what) {
  Token* t = pick_token(s, c, is_string);
  return t != nullptr && respell(t, t->text.substr(0, t->text.size() - 1) + std::string(what) + "\"");
}
bool hex_escape(Specimen& s, Choices& c) { return in_string(s, c, "\\x41"); }
bool lone_surrogate(Specimen& s, Choices& c) { return in_string(s, c, c.flip() ? "\\ud83d" : "\\ude00 "); }
bool bad_bytes(Specimen& s, Choices& c) { return in_string(s, c, c.flip() ? "\xe9 "sv : "\xff"sv); }
bool continued_line(Specimen& s, Choices& c) { return in_string(s, c, "\\\n"); }

bool template_literal(Specimen& s, Choices& c) {
  Token* t = pick_token(s, c, is_wordy);
  return t != nullptr && respell(t, "`" + t->content + "${x}`");
}
/// {"a: 1, and b": 2} on the next line: two keys that lack a quote each.
bool keys_without_inner_quotes(Specimen& s, Choices& c) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i + 4 < s.tokens.size(); ++i) {
    const Token* t = &s.tokens[i];
    if (t[0].part == Part::key && !t[0].touched && !t[1].touched && !t[3].touched &&
        (t[2].part == Part::number || t[2].part == Part::literal) && t[3].part == Part::comma &&
        t[4].part == Part::key && !t[4].touched)
      places.push_back(i);
  }
  if (places.empty()) return false;
  Token* t = &s.tokens[c.pick(places)];
  t[1].touched = t[2].touched = t[3].touched = true;
  t[4].before += "\n  ";
  return respell(t, t[0].text.substr(0, t[0].text.size() - 1)) && respell(t + 4, t[4].text.substr(1));
}
/// {"a":1} b: "x"
bool member_behind(Specimen& s, Choices& c) {
  const std::size_t n = s.tokens.size();
  if (n < 9 || s.tokens[n - 1].text != "}") return false;
  Token* t = &s.tokens[n - 5];
  if (t[0].part != Part::comma || t[1].part != Part::key || !is_words(t[1].content) || !is_string(t[3])) return false;
  if (t[2].touched) return false;
  if (t[1].content.find(' ') != std::string::npos) return false;
  t[2].touched = t[3].touched = true;
  t[1].before = c.flip() ? " " : "\n";
  return respell(t, "}") && respell(t + 1, t[1].content) && respell(t + 4, "\n");
}

constexpr auto kSeveral = Certainty::several_readings;
constexpr std::array kGuesses = {
    Damage{"last closer dropped", kSeveral, drop_last_closer},
    Damage{"a closer dropped", kSeveral, drop_any_closer},
    Damage{"wrong closer", kSeveral, wrong_closer},
    Damage{"a closer too early", kSeveral, early_closer},
    Damage{"missing comma", kSeveral, missing_comma},
    Damage{"missing colon", kSeveral, missing_colon},
    Damage{"missing value", kSeveral, missing_value},
    Damage{"inner quote", kSeveral, inner_quote},
    Damage{"open string", kSeveral, open_string},
    Damage{"unquoted value", kSeveral, unquoted_value},
    Damage{"elided item", kSeveral, elided_item},
    Damage{"repeated key", kSeveral, repeated_key},
    Damage{"not a number", kSeveral, not_a_number},
    Damage{"leading zero", kSeveral, leading_zero},
    Damage{"wrapper call", kSeveral, wrapper_call},
    Damage{"ellipsis", kSeveral, ellipsis},
    Damage{"hex escape", kSeveral, hex_escape},
    Damage{"lone surrogate", kSeveral, lone_surrogate},
    Damage{"bad bytes", kSeveral, bad_bytes},
    Damage{"continued line", kSeveral, continued_line},
    Damage{"template", kSeveral, template_literal},
    Damage{"keys without inner quotes", kSeveral, keys_without_inner_quotes},
    Damage{"member behind", kSeveral, member_behind},
};

}  // namespace

std::span<const Damage> guess_damages() { return kGuesses; }

}  // namespace belay::check
