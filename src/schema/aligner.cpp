// What to change.
#include "schema/aligner.h"

#include <belay/json/reader.h>

#include "schema/near.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace BELAY_NAMESPACE::schema {
namespace {

json::Reading read_strictly(std::string_view text) {
  json::ReaderOptions options;
  options.mode = json::Mode::strict;
  return json::read(text, options);
}

bool is_number(std::string_view text) {
  if (text.empty() || text.size() > 400) return false;
  json::Reading r = read_strictly(text);
  return r.verdict.word() == json::Word::valid && r.document.root().is_number() &&
         r.document.root().number_text() == text;
}

bool same_letters(std::string_view a, std::string_view b) {
  auto low = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return low(x) == low(y); });
}

// A text that may hold several items, or none: an empty one can mean an empty list as well.
bool not_one(std::string_view s) { return s.find_first_not_of(' ') == s.npos || s.find_first_of(",;\n\t|") != s.npos; }

}  // namespace

std::string_view Aligner::near(std::string_view name, const std::vector<std::string_view>& names) {
  if (names.size() > comparisons_) return {};
  comparisons_ -= names.size();
  return nearest(name, names);
}

Changes Aligner::propose() {
  const std::vector<Fault>& faults = machine_.faults();
  // A missing name first: a key that is near to it is worth more than one that is dropped.
  for (const Fault& f : faults)
    if (f.kind == OpKind::required) on_missing(f);
  for (const Fault& f : faults) {
    if (changes_.contains(f.node)) continue;
    const Op& op = p_.ops[f.op];
    if (!drop_null(f)) switch (f.kind) {
        case OpKind::type: on_type(f, f.n != 0 ? f.n : op.n); break;
        case OpKind::constant:
        case OpKind::enumeration: on_values(f, machine_.wanted(f)); break;
        case OpKind::any_of:
        case OpKind::one_of: on_values(f, values_of(f)); break;
        case OpKind::never: on_unknown(f); break;
        default: break;
      }
    // Another alternative may have been meant, with another edit.
    if (auto it = changes_.find(f.node); it != changes_.end() && f.doubtful) it->second.guess = true;
  }
  if (ambiguous_) return {};
  return std::move(changes_);
}

// A null for a member that may be absent. Whether it may shows afterwards.
bool Aligner::drop_null(const Fault& f) {
  if (!value(f.node).is_null() || f.node == root_.index() || f.kind == OpKind::never) return false;
  if (root_.tape()->node(f.node - 1).tag() != json::Tag::key) return false;
  change(f.node, AlignKind::null_dropped);
  return true;
}

void Aligner::on_type(const Fault& f, std::uint64_t types) {
  json::Value v = value(f.node);
  if (root_.tape()->node(f.node).tag() == json::Tag::key) return;  // a name, not a value
  const bool wants_number = (types & (kNumber | kInteger)) != 0, wants_list = (types & kArray) != 0;
  switch (v.kind()) {
    case json::Kind::string: {
      std::string_view s = v.as_string();
      bool number = wants_number && is_number(s) && ((types & kNumber) != 0 || Decimal(s).integer());
      bool boolean = (types & kBoolean) != 0 && (same_letters(s, "true") || same_letters(s, "false"));
      if (number && !boolean && !wants_list) {
        change(f.node, AlignKind::number_from_string).text = s;
      } else if (boolean && !wants_list) {
        change(f.node, AlignKind::boolean_from_string).boolean = same_letters(s, "true");
      } else if ((types & ~std::uint64_t{kArray | kObject | kNull}) == 0 && (types & (kArray | kObject)) != 0) {
        json::Reading r = json::read(s);  // valid only if it is strict JSON without repeated keys
        bool fits =
            r.verdict.word() == json::Word::valid && (types_of(r.document.root()) & types & (kArray | kObject)) != 0;
        if (fits)
          change(f.node, AlignKind::json_in_string).document = std::move(r.document);
        else if (wants_list && (r.verdict.word() == json::Word::valid || !(s.starts_with('[') || s.starts_with('{'))))
          change(f.node, AlignKind::item_to_list).guess = not_one(s);
      } else if (wants_list && !number && !boolean) {
        change(f.node, AlignKind::item_to_list).guess = not_one(s);
      }
      break;
    }
    case json::Kind::number:
      if ((types & kString) != 0 && !wants_list)
        change(f.node, AlignKind::string_from_number).text = v.number_text();
      else if (wants_list && (types & kString) == 0)
        change(f.node, AlignKind::item_to_list);
      break;
    case json::Kind::boolean:
    case json::Kind::object:
      if (wants_list) change(f.node, AlignKind::item_to_list);
      break;
    default: break;
  }
}

// The value of an enum that was meant, if it can be only one.
void Aligner::on_values(const Fault& f, const std::vector<json::Value>& values) {
  json::Value v = value(f.node);
  if (root_.tape()->node(f.node).tag() == json::Tag::key) return;
  std::optional<json::Value> found;
  AlignKind kind = AlignKind::enum_case;
  std::size_t matches = 0;
  for (json::Value wanted : values) {
    AlignKind how = AlignKind::enum_case;
    bool match = false;
    if (v.is_string() && wanted.is_string()) {
      match = same_letters(v.as_string(), wanted.as_string());
    } else if (v.is_string() && wanted.is_number()) {
      how = AlignKind::number_from_string;
      match = v.as_string() == wanted.number_text();
    } else if (v.is_number() && wanted.is_string()) {
      how = AlignKind::string_from_number;
      match = v.number_text() == wanted.as_string();
    } else if (v.is_string() && wanted.is_bool()) {
      how = AlignKind::boolean_from_string;
      match = same_letters(v.as_string(), wanted.as_bool() ? "true" : "false");
    }
    if (!match || (found && *found == wanted)) continue;
    ++matches;
    found = wanted;
    kind = how;
  }
  if (matches == 1) change(f.node, kind).value = found;
}

std::vector<json::Value> Aligner::values_of(const Fault& f) const {
  std::vector<json::Value> values;
  const Op& op = p_.ops[f.op];
  for (Index i = 0; i < op.b; ++i) {
    const Subschema& s = p_.schemas[p_.lists[op.a + i]];
    for (Index o = s.first; o < s.last; ++o)
      if (p_.ops[o].kind == OpKind::constant || p_.ops[o].kind == OpKind::enumeration)
        for (json::Value v : p_.enums[p_.ops[o].a].values) values.push_back(v);
  }
  return values;
}

// The names that the schema which an operation belongs to lists.
const ObjectRule* Aligner::rule_beside(Index op) {
  auto [it, fresh] = beside_.try_emplace(op, nullptr);
  if (!fresh) return it->second;
  for (const Subschema& s : p_.schemas) {
    if (op < s.first || op >= s.last) continue;
    for (Index o = s.first; o < s.last; ++o)
      if (p_.ops[o].kind == OpKind::object) it->second = &p_.objects[p_.ops[o].a];
  }
  return it->second;
}

// The rule whose `additionalProperties` an operation is.
const ObjectRule* Aligner::rule_that_refuses(const Op& op) {
  std::uint64_t key = static_cast<std::uint64_t>(op.document) << 32 | op.keyword;
  auto [it, fresh] = refusing_.try_emplace(key, nullptr);
  if (fresh)
    for (const ObjectRule& rule : p_.objects)
      if (rule.additional != kNone && rule.additional_keyword == op.keyword && rule.additional_document == op.document)
        it->second = &rule;
  return it->second;
}

void Aligner::on_missing(const Fault& f) {
  std::string_view name = p_.name_lists[p_.ops[f.op].a][static_cast<std::size_t>(f.n)];
  // Its null was dropped, as if it were optional: nothing else may take its place.
  if (std::find(dropped_.begin(), dropped_.end(), name) != dropped_.end()) return;
  const ObjectRule* rule = rule_beside(f.op);
  std::vector<std::string_view> keys;
  for (json::Member m : value(f.node).members())
    if (!rule || rule->find(m.key, hash_text(m.key)) == kNone) keys.push_back(m.key);
  // Not only this object's members count as work, but all that had to be looked at.
  if (value(f.node).size() > comparisons_) return;
  comparisons_ -= value(f.node).size();
  std::string_view key = near(name, keys);
  if (key.empty()) return;
  for (json::Member m : value(f.node).members())
    if (m.key == key && !changes_.contains(m.value.index())) change(m.value.index(), AlignKind::near_key).text = name;
}

// A member that no rule allows: its name may be meant to be one that is absent.
void Aligner::on_unknown(const Fault& f) {
  if (f.node == root_.index() || root_.tape()->node(f.node - 1).tag() != json::Tag::key) return;
  std::string_view key = root_.tape()->text(f.node - 1);
  if (const ObjectRule* rule = rule_that_refuses(p_.ops[f.op])) {
    std::size_t object = object_of(f.node - 1);
    auto [it, fresh] = absent_.try_emplace(object);
    Absent& absent = it->second;
    if (fresh || absent.rule != rule) {
      absent = {rule, {}, {}};
      std::unordered_set<std::string_view> there;
      for (json::Member m : value(object).members()) there.insert(m.key);
      for (const Name& n : rule->names)
        if (!there.contains(n.text)) absent.names.push_back(n.text);
    }
    std::string_view name = near(key, absent.names);
    if (!name.empty()) {
      change(f.node, AlignKind::near_key).text = name;
      std::erase(absent.names, name);  // it has come
      absent.taken.push_back(name);
      return;
    }
    // Two keys that may both be meant to be one name: neither can be chosen, nor dropped.
    if (!near(key, absent.taken).empty()) ambiguous_ = true;
  }
  change(f.node, AlignKind::unknown_key_dropped);
}

std::size_t Aligner::object_of(std::size_t key) {
  const json::Tape& tape = *root_.tape();
  const std::size_t first = root_.index();
  if (objects_.empty()) {
    // One pass for all keys.
    objects_.resize(tape.next(first) - first);
    std::vector<std::size_t> open;
    for (std::size_t i = first; i < tape.next(first); ++i) {
      while (!open.empty() && i >= tape.next(open.back())) open.pop_back();
      if (tape.node(i).tag() == json::Tag::key) objects_[i - first] = open.back();
      if (tape.node(i).container()) open.push_back(i);
    }
  }
  return objects_[key - first];
}

}  // namespace BELAY_NAMESPACE::schema
