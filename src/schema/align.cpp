// Aligning goes by what is wrong: a value that breaks no rule is never looked at, let alone changed. Each round asks
// the machine for faults, proposes one edit for each value that has some, and makes them all; a string that held JSON
// may show new faults, hence rounds. Only if the last result satisfies the schema anything is kept.
#include <belay/schema/align.h>

#include <belay/json/builder.h>
#include <belay/json/reader.h>
#include <belay/schema/schema.h>

#include "schema/machine.h"
#include "schema/near.h"
#include "schema/places.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

namespace belay::schema {
namespace {

constexpr int kRounds = 8;

// What happens to one value. `text` and `value` say what it becomes.
struct Change {
  AlignKind kind = AlignKind::number_from_string;
  std::string text;  // a number, a string, a key
  bool boolean = false;
  std::optional<json::Value> value;  // of an enum
  json::Document document;           // that a string held
  bool guess = false;
};
using Changes = std::unordered_map<std::size_t, Change>;

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

class Aligner {
 public:
  Aligner(const Program& program, json::Value root) : p_(program), root_(root) {}
  /// One edit for each value that has a fault and can be helped.
  Changes propose(const std::vector<Fault>& faults);

 private:
  void on_type(const Fault& fault, std::uint64_t types);
  void on_values(const Fault& fault, const std::vector<json::Value>& values);
  void on_missing(const Fault& fault);
  void on_unknown(const Fault& fault);
  [[nodiscard]] std::vector<json::Value> values_of(const Fault& fault) const;
  [[nodiscard]] const ObjectRule* rule_beside(Index op) const;
  [[nodiscard]] std::vector<std::string_view> keys_of(std::size_t object) const;
  [[nodiscard]] std::size_t object_of(std::size_t key) const;
  bool drop_null(const Fault& fault);
  Change& change(std::size_t node, AlignKind kind) {
    Change& c = changes_[node];
    c.kind = kind;
    return c;
  }
  [[nodiscard]] json::Value value(std::size_t node) const { return {root_.tape(), node}; }

  const Program& p_;
  json::Value root_;
  Changes changes_;
};

Changes Aligner::propose(const std::vector<Fault>& faults) {
  // A missing name first: a key that is near to it is worth more than one that is dropped.
  for (const Fault& f : faults)
    if (f.kind == OpKind::required) on_missing(f);
  for (const Fault& f : faults) {
    if (changes_.contains(f.node)) continue;
    const Op& op = p_.ops[f.op];
    if (!drop_null(f)) switch (f.kind) {
        case OpKind::type: on_type(f, f.n != 0 ? f.n : op.n); break;
        case OpKind::constant:
        case OpKind::enumeration: on_values(f, p_.enums[op.a].values); break;
        case OpKind::any_of:
        case OpKind::one_of: on_values(f, values_of(f)); break;
        case OpKind::never: on_unknown(f); break;
        default: break;
      }
    // Another alternative may have been meant, with another edit.
    if (auto it = changes_.find(f.node); it != changes_.end() && f.doubtful) it->second.guess = true;
  }
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
        json::Reading r = read_strictly(s);
        bool fits =
            r.verdict.word() == json::Word::valid && (types_of(r.document.root()) & types & (kArray | kObject)) != 0;
        if (fits)
          change(f.node, AlignKind::json_in_string).document = std::move(r.document);
        else if (wants_list)
          change(f.node, AlignKind::item_to_list);
      } else if (wants_list && !number && !boolean) {
        change(f.node, AlignKind::item_to_list);
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
const ObjectRule* Aligner::rule_beside(Index op) const {
  for (const Subschema& s : p_.schemas) {
    if (op < s.first || op >= s.last) continue;
    for (Index o = s.first; o < s.last; ++o)
      if (p_.ops[o].kind == OpKind::object) return &p_.objects[p_.ops[o].a];
  }
  return nullptr;
}

std::vector<std::string_view> Aligner::keys_of(std::size_t object) const {
  std::vector<std::string_view> keys;
  for (json::Member m : value(object).members()) keys.push_back(m.key);
  return keys;
}

void Aligner::on_missing(const Fault& f) {
  std::string_view name = p_.name_lists[p_.ops[f.op].a][static_cast<std::size_t>(f.n)];
  const ObjectRule* rule = rule_beside(f.op);
  std::vector<std::string_view> keys;
  for (std::string_view key : keys_of(f.node))
    if (!rule || rule->find(key, hash_text(key)) == kNone) keys.push_back(key);
  std::string_view near = nearest(name, keys);
  if (near.empty()) return;
  for (json::Member m : value(f.node).members())
    if (m.key == near && !changes_.contains(m.value.index())) change(m.value.index(), AlignKind::near_key).text = name;
}

// A member that no rule allows: its name may be meant to be one that is absent.
void Aligner::on_unknown(const Fault& f) {
  if (f.node == root_.index() || root_.tape()->node(f.node - 1).tag() != json::Tag::key) return;
  const Op& op = p_.ops[f.op];
  std::string_view key = root_.tape()->text(f.node - 1);
  const std::vector<std::string_view> there = keys_of(object_of(f.node - 1));
  for (const ObjectRule& rule : p_.objects) {
    if (rule.additional == kNone || rule.additional_keyword != op.keyword) continue;
    std::vector<std::string_view> absent;
    for (const Name& n : rule.names)
      if (std::find(there.begin(), there.end(), n.text) == there.end()) absent.push_back(n.text);
    std::string_view near = nearest(key, absent);
    bool taken = std::any_of(changes_.begin(), changes_.end(), [&](const auto& c) {
      return c.second.kind == AlignKind::near_key && c.second.text == near;
    });
    if (!near.empty() && !taken) {
      change(f.node, AlignKind::near_key).text = near;
      return;
    }
  }
  change(f.node, AlignKind::unknown_key_dropped);
}

std::size_t Aligner::object_of(std::size_t key) const {
  std::size_t at = root_.index();
  const json::Tape& tape = *root_.tape();
  while (true) {
    bool object = tape.node(at).tag() == json::Tag::object;
    for (std::size_t i = at + 1;;) {
      if (object && i == key) return at;
      std::size_t child = object ? i + 1 : i;
      if (key < tape.next(child)) {
        at = child;
        break;
      }
      i = tape.next(child);
    }
  }
}

// A copy with the changes made. Notes them in the order of the values.
json::Document apply(json::Value root, Changes& changes, std::vector<AlignEdit>& edits) {
  const json::Tape& tape = *root.tape();
  Limits limits;
  limits.depth = kUnlimited;
  json::Builder out(limits);
  struct Open {
    std::size_t end;
    bool closes;  // a container that was opened for the node itself
  };
  std::vector<Open> open;
  std::size_t i = root.index();
  const std::size_t end = tape.next(i);
  auto note = [&](std::size_t node, const Change& c) {
    bool guess = c.guess || c.kind == AlignKind::near_key || c.kind == AlignKind::unknown_key_dropped;
    edits.push_back({c.kind, guess ? json::Grade::guess : json::Grade::safe, pointer_of(steps_to(root, node)),
                     c.kind == AlignKind::near_key ? c.text : std::string()});
  };
  while (true) {
    while (!open.empty() && i == open.back().end) {
      out.close();
      open.pop_back();
    }
    if (i >= end) break;
    if (tape.node(i).tag() == json::Tag::key) {
      auto it = changes.find(i + 1);
      if (it != changes.end() &&
          (it->second.kind == AlignKind::null_dropped || it->second.kind == AlignKind::unknown_key_dropped)) {
        note(i + 1, it->second);
        i = tape.next(i + 1);
        continue;
      }
      bool renamed = it != changes.end() && it->second.kind == AlignKind::near_key;
      if (renamed) note(i + 1, it->second);
      out.key(renamed ? std::string_view(it->second.text) : tape.text(i));
      ++i;
      continue;
    }
    auto it = changes.find(i);
    if (it != changes.end() && it->second.kind != AlignKind::near_key) {
      Change& c = it->second;
      note(i, c);
      if (c.kind == AlignKind::item_to_list) {
        out.open_array();
        open.push_back({tape.next(i), true});
        changes.erase(it);
        continue;
      }
      if (c.value)
        out.copy(*c.value);
      else if (c.kind == AlignKind::json_in_string)
        out.copy(c.document.root());
      else if (c.kind == AlignKind::boolean_from_string)
        out.boolean(c.boolean);
      else if (c.kind == AlignKind::number_from_string)
        out.number(c.text);
      else
        out.string(c.text);
      i = tape.next(i);
      continue;
    }
    switch (const json::Node& node = tape.node(i); node.tag()) {
      case json::Tag::array:
      case json::Tag::object:
        node.tag() == json::Tag::array ? out.open_array() : out.open_object();
        open.push_back({tape.next(i), true});
        ++i;
        break;
      default:
        out.copy(json::Value(&tape, i));
        ++i;
        break;
    }
  }
  return out.take();
}

}  // namespace

std::string_view name(AlignKind kind) noexcept {
  constexpr std::string_view names[] = {
      "number_from_string", "string_from_number", "boolean_from_string", "item_to_list", "json_in_string", "enum_case",
      "null_dropped",       "near_key",           "unknown_key_dropped",
  };
  static_assert(std::size(names) == kAlignKinds);
  return names[static_cast<std::size_t>(kind)];
}

json::Grade Aligned::grade() const {
  json::Grade grade = json::Grade::strict;
  for (const AlignEdit& e : edits) grade = std::max(grade, e.grade);
  return grade;
}

Aligned Schema::align(json::Value value) const {
  Aligned out;
  out.valid = valid(value);
  if (out.valid) return out;
  const auto most = static_cast<std::size_t>(std::min<std::uint64_t>(program_->limits.edits, 1'000'000));
  json::Document current;
  json::Value root = value;
  for (int round = 0; round < kRounds; ++round) {
    Machine machine(*program_, root, Machine::Want::faults, most);
    if (machine.run()) {
      out.value = std::move(current);
      out.valid = true;
      return out;
    }
    if (!machine.given_up().empty()) break;
    Changes changes = Aligner(*program_, root).propose(machine.faults());
    if (changes.empty()) break;
    json::Document next = apply(root, changes, out.edits);
    if (out.edits.size() > most) break;
    current = std::move(next);
    root = current.root();
  }
  out.edits.clear();
  return out;
}

}  // namespace belay::schema
