#include "schemas.h"

#include "outcome.h"

#include <algorithm>
#include <array>
#include <utility>

namespace belay::check {
namespace {

using namespace std::string_view_literals;

// Some are near to others, some are the same but for case and filling.
constexpr std::array kNames = {"path"sv, "paths"sv, "file_path"sv, "filePath"sv, "content"sv, "limit"sv,
                               "mode"sv, "a"sv,     "b"sv,         "x-y"sv,      "x/~z"sv};
constexpr std::array kStrings = {"a"sv,      "A"sv,   "auto"sv, "AUTO"sv,  "5"sv,          "5.5"sv,
                                 "05"sv,     "-3"sv,  "true"sv, "False"sv, "[1]"sv,        "{\"a\":1}"sv,
                                 "[\"a\""sv, "1e2"sv, "null"sv, " 5"sv,    "héllo"sv,      "😀"sv,
                                 ""sv,       "a b"sv, "path"sv, "x-1"sv,   "2024-02-30"sv, "::1"sv};
constexpr std::array kNumbers = {"0"sv,   "1"sv,   "2"sv,   "5"sv,   "-3"sv, "5.5"sv,
                                 "1e2"sv, "100"sv, "1.0"sv, "0.5"sv, "-0"sv, "12345678901234567890"sv};
constexpr std::array kCounts = {"0"sv, "1"sv, "2"sv, "3"sv, "2.0"sv};
constexpr std::array kDivisors = {"1"sv, "2"sv, "0.5"sv, "3"sv, "1e1"sv};
constexpr std::array kPatterns = {"^a"sv, "^[a-z]+$"sv, "a|b"sv, "\\d"sv, "^x-"sv, "path"sv, "^.{2,4}$"sv};
constexpr std::array kTypes = {"string"sv, "integer"sv, "object"sv, "array"sv, "number"sv, "boolean"sv, "null"sv};
constexpr std::array kFormats = {"date"sv, "ipv6"sv, "email"sv, "uri"sv, "regex"sv, "unheard-of"sv};

void put(Tree& object, std::string_view key, Tree value) {
  for (std::size_t i = 0; i < object.keys.size(); ++i)
    if (object.keys[i] == key) {
      object.items[i] = std::move(value);
      return;
    }
  object.keys.emplace_back(key);
  object.items.push_back(std::move(value));
}

Tree make_scalar(Choices& choices) {
  switch (choices.below(8)) {
    case 0:
    case 1:
    case 2: return Tree::string(choices.pick(kStrings));
    case 3:
    case 4:
    case 5: return Tree::number(choices.pick(kNumbers));
    case 6: return Tree::boolean(choices.flip());
    default: return Tree::null();
  }
}

Tree make_plain(Choices& choices, std::size_t depth) {
  const std::size_t kind = depth == 0 ? 0 : choices.below(5);
  if (kind < 3) return make_scalar(choices);
  Tree out = kind == 3 ? Tree::array() : Tree::object();
  for (std::size_t n = choices.below(4); n > 0; --n) {
    Tree item = make_plain(choices, depth - 1);
    if (kind == 3)
      out.items.push_back(std::move(item));
    else
      put(out, choices.pick(kNames), std::move(item));
  }
  return out;
}

class SchemaMaker {
 public:
  SchemaMaker(Choices& choices, schema::Draft draft) : choices_(choices), old_(draft == schema::Draft::draft7) {}

  Tree make() {
    defs_ = choices_.below(4);
    ids_ = !old_ && choices_.once_in(4);
    dynamic_ = !old_ && choices_.once_in(4);
    Tree out = one(kDepth, 0);
    if (out.kind != Tree::Kind::object) return out;
    out = with_room(std::move(out));
    if (ids_) put(out, "$id", Tree::string("http://example.test/root"));
    if (dynamic_) put(out, "$dynamicAnchor", Tree::string("node"));
    Tree defs = Tree::object();
    for (std::size_t i = 0; i < defs_; ++i) {
      const std::string name = "d" + std::to_string(i);
      Tree def = with_room(one(kDepth - 1, i + 1));
      if (ids_) put(def, "$id", Tree::string("http://example.test/" + name));
      if (ids_ && dynamic_ && choices_.flip()) put(def, "$dynamicAnchor", Tree::string("node"));
      if (!old_ && !ids_) put(def, "$anchor", Tree::string(name));
      put(defs, name, std::move(def));
    }
    if (defs_ > 0) put(out, old_ ? "definitions" : "$defs", std::move(defs));
    return out;
  }

 private:
  static constexpr std::size_t kDepth = 3;

  // An object that more keywords can be put into: nothing beside a `$ref` counts in draft 7.
  Tree with_room(Tree schema) const {
    if (schema.kind == Tree::Kind::object && !(old_ && schema.find("$ref") != nullptr)) return schema;
    Tree around = Tree::object(), list = Tree::array();
    list.items.push_back(std::move(schema));
    put(around, "allOf", std::move(list));
    return around;
  }

  // What is applied to the same value may refer to definitions from `from` on; what is applied inside, to all.
  Tree one(std::size_t depth, std::size_t from) {
    if (choices_.once_in(16)) return Tree::boolean(choices_.flip());
    Tree out = Tree::object();
    for (std::size_t n = 1 + choices_.below(4); n > 0; --n) keyword(out, depth, from);
    if (old_ && out.find("$ref") != nullptr) {
      Tree alone = Tree::object();
      put(alone, "$ref", *out.find("$ref"));
      return alone;
    }
    return out;
  }
  Tree inside(std::size_t depth) {
    if (depth == 0) return leaf();
    if (choices_.once_in(8)) return reference(0, true);
    return one(depth - 1, 0);
  }
  Tree here(std::size_t depth, std::size_t from) { return depth == 0 ? leaf() : one(depth - 1, from); }
  Tree leaf() {
    Tree out = Tree::object();
    put(out, "type", Tree::string(choices_.pick(kTypes)));
    return out;
  }

  Tree reference(std::size_t from, bool root_too) {
    Tree out = Tree::object();
    const std::size_t n = (from < defs_ ? defs_ - from : 0) + (root_too ? 1 : 0);
    if (n == 0) return leaf();
    const std::size_t pick = choices_.below(n);
    if (root_too && pick + 1 == n) {
      if (dynamic_ && choices_.flip())
        put(out, "$dynamicRef", Tree::string(ids_ ? "/root#node" : "#node"));
      else
        put(out, "$ref", Tree::string(ids_ ? "/root" : "#"));
      return out;
    }
    const std::string name = "d" + std::to_string(from + pick);
    if (ids_)
      put(out, "$ref", Tree::string(choices_.flip() ? "/" + name : "/root#/$defs/" + name));
    else if (!old_ && choices_.flip())
      put(out, "$ref", Tree::string("#" + name));
    else
      put(out, "$ref", Tree::string((old_ ? "#/definitions/" : "#/$defs/") + name));
    return out;
  }

  Tree names() {
    Tree out = Tree::array();
    for (std::size_t n = choices_.below(3) + 1; n > 0; --n) {
      Tree name = Tree::string(choices_.pick(kNames));
      if (std::find(out.items.begin(), out.items.end(), name) == out.items.end()) out.items.push_back(std::move(name));
    }
    return out;
  }
  Tree number(auto& pool) { return Tree::number(choices_.pick(pool)); }
  template <class Make>
  Tree map(const auto& pool, Make&& make) {
    Tree out = Tree::object();
    for (std::size_t n = choices_.below(4) + 1; n > 0; --n) put(out, choices_.pick(pool), make());
    return out;
  }
  template <class Make>
  Tree list(Make&& make) {
    Tree out = Tree::array();
    for (std::size_t n = choices_.below(3) + 1; n > 0; --n) out.items.push_back(make());
    return out;
  }

  void keyword(Tree& out, std::size_t depth, std::size_t from) {
    const auto child = [&] { return inside(depth); };
    const auto same = [&] { return here(depth, from); };
    switch (choices_.below(46)) {
      case 0:
      case 1:
      case 2:
      case 3: put(out, "type", Tree::string(choices_.pick(kTypes))); break;
      case 4: {
        Tree types = Tree::array();
        for (std::string_view type : kTypes)
          if (choices_.once_in(3)) types.items.push_back(Tree::string(type));
        if (types.items.empty()) types.items.push_back(Tree::string("string"));
        put(out, "type", std::move(types));
        break;
      }
      case 5:
      case 6:
      case 7:
      case 8:
        put(out, "properties", map(kNames, child));
        if (choices_.flip()) put(out, "type", Tree::string("object"));
        if (choices_.once_in(3)) put(out, "required", names());
        if (choices_.once_in(3)) put(out, "additionalProperties", Tree::boolean(false));
        break;
      case 9: put(out, "required", names()); break;
      case 10: put(out, "patternProperties", map(kPatterns, child)); break;
      case 11:
      case 12: put(out, "additionalProperties", choices_.flip() ? Tree::boolean(false) : child()); break;
      case 13: put(out, "propertyNames", child()); break;
      case 14:
      case 15:
      case 16:
        put(out, "items", child());
        if (choices_.flip()) put(out, "type", Tree::string("array"));
        break;
      case 17:
        put(out, old_ ? "items" : "prefixItems", list(child));
        if (old_ && choices_.flip()) put(out, "additionalItems", child());
        break;
      case 18:
      case 19:
        put(out, "contains", child());
        if (!old_ && choices_.flip()) put(out, "minContains", number(kCounts));
        if (!old_ && choices_.flip()) put(out, "maxContains", number(kCounts));
        break;
      case 20: put(out, "uniqueItems", Tree::boolean(true)); break;
      case 21: put(out, "minItems", number(kCounts)); break;
      case 22: put(out, "maxItems", number(kCounts)); break;
      case 23: put(out, "minLength", number(kCounts)); break;
      case 24: put(out, "maxLength", number(kCounts)); break;
      case 25: put(out, "pattern", Tree::string(choices_.pick(kPatterns))); break;
      case 26: put(out, "format", Tree::string(choices_.pick(kFormats))); break;
      case 27: put(out, "minimum", number(kNumbers)); break;
      case 28: put(out, "maximum", number(kNumbers)); break;
      case 29: put(out, choices_.flip() ? "exclusiveMinimum" : "exclusiveMaximum", number(kNumbers)); break;
      case 30: put(out, "multipleOf", number(kDivisors)); break;
      case 31: put(out, choices_.flip() ? "minProperties" : "maxProperties", number(kCounts)); break;
      case 32:
      case 33: put(out, "enum", list([&] { return make_plain(choices_, choices_.once_in(4) ? 1 : 0); })); break;
      case 34: put(out, "const", make_plain(choices_, choices_.once_in(4) ? 1 : 0)); break;
      case 35: put(out, "allOf", list(same)); break;
      case 36:
      case 37: put(out, "anyOf", list(same)); break;
      case 38: put(out, "oneOf", list(same)); break;
      case 39: put(out, "not", same()); break;
      case 40:
        put(out, "if", same());
        if (!choices_.once_in(4)) put(out, "then", same());
        if (choices_.flip()) put(out, "else", same());
        break;
      case 41: put(out, old_ ? "dependencies" : "dependentSchemas", map(kNames, same)); break;
      case 42: put(out, old_ ? "dependencies" : "dependentRequired", map(kNames, [&] { return names(); })); break;
      case 43:
      case 44: {
        Tree ref = reference(from, false);
        put(out, ref.keys[0], ref.items[0]);
        break;
      }
      default:
        if (!old_)
          put(out, choices_.flip() ? "unevaluatedProperties" : "unevaluatedItems",
              choices_.flip() ? Tree::boolean(false) : child());
        break;
    }
  }

  Choices& choices_;
  bool old_;
  std::size_t defs_ = 0;
  bool ids_ = false, dynamic_ = false;
};

char other_case(char c) {
  if (c >= 'a' && c <= 'z') return static_cast<char>(c - 'a' + 'A');
  if (c >= 'A' && c <= 'Z') return static_cast<char>(c - 'A' + 'a');
  return c;
}

std::string nearly(std::string_view name, Choices& choices) {
  std::string out(name);
  switch (choices.below(4)) {
    case 0:
      for (char& c : out) c = other_case(c);
      break;
    case 1: out += 's'; break;
    case 2:
      if (out.size() > 1) std::swap(out[0], out[1]);
      break;
    default:
      if (std::size_t at = out.find('_'); at != out.npos) out.erase(at, 1);
      break;
  }
  return out;
}

class ValueMaker {
 public:
  ValueMaker(const Tree& root, Choices& choices) : root_(root), choices_(choices) {}

  Tree make(const Tree& schema, std::size_t depth) {
    if (choices_.once_in(12)) return make_plain(choices_, 1);
    Tree out = suited(schema, depth);
    return choices_.once_in(5) ? damaged(std::move(out)) : out;
  }

 private:
  const Tree& pick(const Tree& list) { return list.items[choices_.below(list.items.size())]; }

  const Tree* target(std::string_view reference) const {
    const std::size_t at = reference.rfind('d');
    const Tree* defs = root_.find("$defs") != nullptr ? root_.find("$defs") : root_.find("definitions");
    const Tree* found = defs != nullptr && at != reference.npos ? defs->find(reference.substr(at)) : nullptr;
    return found != nullptr ? found : &root_;
  }

  Tree suited(const Tree& schema, std::size_t depth) {
    if (schema.kind != Tree::Kind::object || depth == 0) return make_plain(choices_, 1);
    if (const Tree* constant = schema.find("const")) return *constant;
    if (const Tree* values = schema.find("enum"); values != nullptr && !values->items.empty()) return pick(*values);
    for (std::string_view key : {"$ref"sv, "$dynamicRef"sv})
      if (const Tree* ref = schema.find(key)) return suited(*target(ref->text), depth - 1);
    std::string_view type;
    if (const Tree* types = schema.find("type"))
      type = types->kind == Tree::Kind::string ? types->text : pick(*types).text;
    if (type.empty())
      for (std::string_view key : {"oneOf"sv, "anyOf"sv, "allOf"sv})
        if (const Tree* list = schema.find(key); list != nullptr && !choices_.once_in(4))
          return suited(pick(*list), depth - 1);
    if (type.empty()) {
      if (schema.find("properties") != nullptr || schema.find("required") != nullptr) type = "object";
      if (schema.find("items") != nullptr || schema.find("prefixItems") != nullptr) type = "array";
    }
    if (type == "object") return object(schema, depth);
    if (type == "array") return array(schema, depth);
    if (type == "string") return Tree::string(choices_.pick(kStrings));
    if (type == "integer" || type == "number") return Tree::number(choices_.pick(kNumbers));
    if (type == "boolean") return Tree::boolean(choices_.flip());
    if (type == "null") return Tree::null();
    return make_plain(choices_, 1);
  }

  Tree object(const Tree& schema, std::size_t depth) {
    Tree out = Tree::object();
    const Tree* properties = schema.find("properties");
    if (properties != nullptr)
      for (std::size_t i = 0; i < properties->keys.size(); ++i)
        if (!choices_.once_in(3)) put(out, properties->keys[i], make(properties->items[i], depth - 1));
    if (const Tree* required = schema.find("required"))
      for (const Tree& name : required->items)
        if (out.find(name.text) == nullptr && !choices_.once_in(6)) {
          const Tree* wanted = properties != nullptr ? properties->find(name.text) : nullptr;
          put(out, name.text, wanted != nullptr ? make(*wanted, depth - 1) : make_plain(choices_, 0));
        }
    if (choices_.once_in(4)) put(out, choices_.pick(kNames), make_plain(choices_, 1));
    return out;
  }

  Tree array(const Tree& schema, std::size_t depth) {
    Tree out = Tree::array();
    const Tree* items = schema.find("items");
    const Tree* prefix = schema.find("prefixItems");
    if (items != nullptr && items->kind == Tree::Kind::array) std::swap(items, prefix);
    if (prefix != nullptr)
      for (const Tree& one : prefix->items) out.items.push_back(make(one, depth - 1));
    for (std::size_t n = choices_.below(4); n > 0; --n)
      out.items.push_back(items != nullptr ? make(*items, depth - 1) : make_plain(choices_, 1));
    return out;
  }

  Tree damaged(Tree tree) {
    switch (tree.kind) {
      case Tree::Kind::number: return Tree::string(tree.text);
      case Tree::Kind::yes:
      case Tree::Kind::no: return Tree::string(choices_.flip() == (tree.kind == Tree::Kind::yes) ? "true" : "FALSE");
      case Tree::Kind::null: return Tree::string("null");
      case Tree::Kind::string: {
        if (is_number(tree.text) && choices_.flip()) return Tree::number(tree.text);
        for (char& c : tree.text) c = other_case(c);
        return tree;
      }
      case Tree::Kind::array:
        if (choices_.flip() || tree.items.empty()) return Tree::string(to_text(tree));
        return tree.items[0];
      case Tree::Kind::object: {
        if (choices_.once_in(3) || tree.items.empty()) return Tree::string(to_text(tree));
        const std::size_t at = choices_.below(tree.items.size());
        if (choices_.flip()) {
          tree.items[at] = Tree::null();
          return tree;
        }
        // Once in a while two names that are near to the same.
        const std::string key = tree.keys[at];
        for (std::size_t n = choices_.once_in(4) ? 2 : 1; n > 0; --n) {
          std::string near = nearly(key, choices_);
          if (tree.find(near) != nullptr) continue;
          if (tree.keys[at] == key)
            tree.keys[at] = std::move(near);
          else
            put(tree, near, tree.items[at]);
        }
        return tree;
      }
    }
    return tree;
  }

  static bool is_number(std::string_view text) {
    return std::find(kNumbers.begin(), kNumbers.end(), text) != kNumbers.end();
  }

  const Tree& root_;
  Choices& choices_;
};

}  // namespace

Tree make_schema(Choices& choices, schema::Draft draft) { return SchemaMaker(choices, draft).make(); }

Tree make_value_for(const Tree& schema, Choices& choices) { return ValueMaker(schema, choices).make(schema, 5); }

Tree shuffled(const Tree& tree, Choices& choices) {
  Tree out = tree;
  for (Tree& item : out.items) item = shuffled(item, choices);
  if (out.kind != Tree::Kind::object) return out;
  for (std::size_t i = out.items.size(); i > 1; --i) {
    const std::size_t other = choices.below(i);
    std::swap(out.items[i - 1], out.items[other]);
    std::swap(out.keys[i - 1], out.keys[other]);
  }
  return out;
}

json::Document document_of(const Tree& tree) { return document_of(to_text(tree)); }

}  // namespace belay::check
