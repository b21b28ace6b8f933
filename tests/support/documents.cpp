#include "documents.h"

#include <algorithm>
#include <array>

namespace belay::check {
namespace {

using namespace std::string_view_literals;

constexpr std::array kKeys = {"path"sv, "content"sv, "a"sv, "b_2"sv,  "$ref"sv, "line count"sv, ""sv,
                              "it's"sv, "\""sv,      "é"sv, "日本"sv, "x-y"sv,  "__proto__"sv,  "a\\b"sv};

constexpr std::array kStrings = {""sv,
                                 "hello"sv,
                                 "src/main.cpp"sv,
                                 "two words"sv,
                                 "she said \"no\""sv,
                                 "it's"sv,
                                 "line one\nline two\n"sv,
                                 "tab\there"sv,
                                 "C:\\dir\\file"sv,
                                 "^\\d+\\s*$"sv,
                                 "{\"a\":1}"sv,
                                 "}]"sv,
                                 "a, b: c"sv,
                                 "</tool>"sv,
                                 "```json\n"sv,
                                 "// not a comment"sv,
                                 "naïve café"sv,
                                 "😀 grin"sv,
                                 "\x01\x1f"sv,
                                 "true"sv,
                                 "12"sv,
                                 "…"sv,
                                 "“smart”"sv,
                                 "back`tick"sv,
                                 "word"sv,
                                 "green"sv,
                                 "please do"sv,
                                 "one more time"sv,
                                 "\xc2\xa0"sv,
                                 "#!/bin/sh\necho \"$1\"\n"sv};

constexpr std::array kNumbers = {"0"sv,
                                 "1"sv,
                                 "-1"sv,
                                 "42"sv,
                                 "3.25"sv,
                                 "-0.5"sv,
                                 "0.125"sv,
                                 "1e5"sv,
                                 "2E-3"sv,
                                 "-7.5e+2"sv,
                                 "65535"sv,
                                 "9007199254740993"sv,
                                 "18446744073709551616"sv,
                                 "123456789012345678901234567890"sv};

std::string make_string(Choices& choices) {
  std::string out(choices.pick(kStrings));
  while (choices.once_in(3)) out += choices.pick(kStrings);
  if (choices.once_in(16)) out += std::string(choices.below(400), 'x');
  return out;
}

std::string make_space(Choices& choices) {
  static constexpr std::array kSpaces = {""sv, ""sv, ""sv, " "sv, "\n  "sv, "\t"sv, "\r\n"sv};
  return std::string(choices.pick(kSpaces));
}

Tree make_object(Choices& choices, std::size_t depth, std::size_t least) {
  Tree out = Tree::object();
  for (std::size_t n = least + choices.below(5); n > 0; --n) {
    std::string key(choices.pick(kKeys));
    while (out.find(key) != nullptr) key += static_cast<char>('a' + choices.below(26));
    out.keys.push_back(std::move(key));
    out.items.push_back(make_any(choices, depth - 1));
    if (out.items.size() > 1 && choices.used_up()) break;
  }
  return out;
}

/// A valid spelling of the content that is not always the shortest one.
std::string spell(std::string_view content, Choices& choices) {
  if (!choices.once_in(4)) return json_string(content);
  static constexpr char kHex[] = "0123456789ABCDEF";
  std::string out = "\"";
  for (char c : content) {
    auto byte = static_cast<unsigned char>(c);
    if (c == '/')
      out += "\\/";
    else if (byte < 0x20 || c == '"' || c == '\\' || c == 'a')
      ((out += "\\u00") += kHex[byte >> 4]) += kHex[byte & 15];
    else
      out += c;
  }
  return out += '"';
}

class Writer {
 public:
  explicit Writer(Choices& choices) : choices_(choices) {}
  Tokens tokens;

  void value(const Tree& tree, Tree::Kind inside) {
    switch (tree.kind) {
      case Tree::Kind::array:
      case Tree::Kind::object: container(tree); break;
      case Tree::Kind::string: put(Token::Part::string, inside, spell(tree.text, choices_), tree.text); break;
      case Tree::Kind::number: put(Token::Part::number, inside, tree.text); break;
      default: put(Token::Part::literal, inside, to_text(tree)); break;
    }
  }

 private:
  void container(const Tree& tree) {
    const bool object = tree.kind == Tree::Kind::object;
    put(Token::Part::open, tree.kind, object ? "{" : "[");
    for (std::size_t i = 0; i < tree.items.size(); ++i) {
      if (i > 0) put(Token::Part::comma, tree.kind, ",");
      if (object) {
        put(Token::Part::key, tree.kind, spell(tree.keys[i], choices_), tree.keys[i]);
        put(Token::Part::colon, tree.kind, ":");
      }
      value(tree.items[i], tree.kind);
    }
    put(Token::Part::close, tree.kind, object ? "}" : "]");
  }
  void put(Token::Part part, Tree::Kind inside, std::string text, std::string_view content = {}) {
    tokens.push_back({.part = part,
                      .inside = inside,
                      .text = std::move(text),
                      .content = std::string(content),
                      .before = make_space(choices_),
                      .touched = false});
  }
  Choices& choices_;
};

}  // namespace

Tree make_any(Choices& choices, std::size_t depth) {
  switch (choices.below(depth == 0 ? 5 : 8)) {
    case 0: return Tree::string(make_string(choices));
    case 1: return Tree::number(choices.pick(kNumbers));
    case 2: return Tree::boolean(choices.flip());
    case 3: return Tree::null();
    case 4: return Tree::string(make_string(choices));
    case 5: {
      Tree out = Tree::array();
      for (std::size_t n = choices.below(5); n > 0; --n) out.items.push_back(make_any(choices, depth - 1));
      return out;
    }
    default: return make_object(choices, depth, 0);
  }
}

Tree make_document(Choices& choices) { return make_object(choices, 4, 1); }

Tokens tokens_of(const Tree& tree, Choices& choices) {
  Writer writer(choices);
  writer.value(tree, Tree::Kind::null);
  return std::move(writer.tokens);
}

std::string join(const Tokens& tokens) {
  std::string out;
  for (const Token& token : tokens) (out += token.before) += token.text;
  return out;
}

}  // namespace belay::check
