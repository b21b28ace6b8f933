#include "tree.h"

#include <algorithm>
#include <charconv>

namespace belay::check {

bool Tree::operator==(const Tree& other) const {
  if (kind != other.kind || keys != other.keys || items != other.items) return false;
  if (kind == Kind::number) return canonical_number(text) == canonical_number(other.text);
  return text == other.text;
}

const Tree* Tree::find(std::string_view key) const {
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (keys[i] == key) return &items[i];
  return nullptr;
}

std::string canonical_number(std::string_view text) {
  std::string_view rest = text;
  bool negative = !rest.empty() && rest.front() == '-';
  if (negative) rest.remove_prefix(1);
  std::int64_t exponent = 0;
  if (std::size_t e = rest.find_first_of("eE"); e != rest.npos) {
    std::string_view digits = rest.substr(e + 1);
    if (!digits.empty() && digits.front() == '+') digits.remove_prefix(1);
    auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
    // An exponent that no machine can hold: only the same spelling counts as the same.
    if (error != std::errc() || end != digits.data() + digits.size()) return std::string(text);
    rest = rest.substr(0, e);
  }
  std::string digits(rest);
  if (std::size_t point = digits.find('.'); point != digits.npos) {
    exponent -= static_cast<std::int64_t>(digits.size() - point - 1);
    digits.erase(point, 1);
  }
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
  while (!digits.empty() && digits.back() == '0') digits.pop_back(), ++exponent;
  if (digits.empty()) return "0";
  return (negative ? "-" : "") + digits + "e" + std::to_string(exponent);
}

Tree to_tree(const json::Value& value) {
  switch (value.kind()) {
    case json::Kind::null: return Tree::null();
    case json::Kind::boolean: return Tree::boolean(value.as_bool());
    case json::Kind::number: return Tree::number(value.number_text());
    case json::Kind::string: return Tree::string(value.as_string());
    case json::Kind::array: {
      Tree out = Tree::array();
      for (json::Value item : value.items()) out.items.push_back(to_tree(item));
      return out;
    }
    case json::Kind::object: {
      Tree out = Tree::object();
      for (json::Member member : value.members()) {
        out.keys.emplace_back(member.key);
        out.items.push_back(to_tree(member.value));
      }
      return out;
    }
  }
  return {};
}

std::vector<Tree> to_trees(const json::Document& document) {
  std::vector<Tree> out;
  for (json::Value value : document.values()) out.push_back(to_tree(value));
  return out;
}

std::string json_string(std::string_view content) {
  static constexpr char kHex[] = "0123456789abcdef";
  std::string out = "\"";
  for (char c : content) {
    switch (c) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\b': out += "\\b"; break;
      case '\f': out += "\\f"; break;
      case '\n': out += "\\n"; break;
      case '\r': out += "\\r"; break;
      case '\t': out += "\\t"; break;
      default: {
        auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20)
          (((out += "\\u00") += kHex[byte >> 4]) += kHex[byte & 15]);
        else
          out += c;
      }
    }
  }
  return out += '"';
}

std::string to_text(const Tree& tree) {
  switch (tree.kind) {
    case Tree::Kind::null: return "null";
    case Tree::Kind::no: return "false";
    case Tree::Kind::yes: return "true";
    case Tree::Kind::number: return tree.text;
    case Tree::Kind::string: return json_string(tree.text);
    case Tree::Kind::array: {
      std::string out = "[";
      for (const Tree& item : tree.items) (out += out.size() > 1 ? "," : "") += to_text(item);
      return out += ']';
    }
    case Tree::Kind::object: {
      std::string out = "{";
      for (std::size_t i = 0; i < tree.items.size(); ++i)
        (((out += i > 0 ? "," : "") += json_string(tree.keys[i])) += ':') += to_text(tree.items[i]);
      return out += '}';
    }
  }
  return {};
}

std::string to_text(const std::vector<Tree>& trees) {
  std::string out;
  for (const Tree& tree : trees) (out += out.empty() ? "" : " ") += to_text(tree);
  return out;
}

}  // namespace belay::check
