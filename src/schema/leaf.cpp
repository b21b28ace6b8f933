// Operations that are decided by looking at the value itself.
#include "schema/machine.h"

#include <algorithm>
#include <unordered_set>

namespace BELAY_NAMESPACE::schema {
namespace {

std::uint64_t characters(std::string_view s) {
  return static_cast<std::uint64_t>(
      std::count_if(s.begin(), s.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

// Bounds on characters are mostly decided by the number of bytes.
bool at_least(std::string_view s, std::uint64_t n) {
  if (s.size() < n) return false;
  return s.size() / 4 >= n || characters(s) >= n;
}
bool at_most(std::string_view s, std::uint64_t n) { return s.size() <= n || (s.size() / 4 <= n && characters(s) <= n); }

// The keys of an object, to be asked about: one after the other when that is quick, by hash when it is not. To hash a
// key takes as long as to compare some, so that few questions are never worth it.
class Keys {
 public:
  Keys(const json::Tape& tape, std::size_t node, std::size_t questions) : tape_(tape), node_(node) {
    constexpr std::size_t kFew = 4, kQuick = 256;
    if (questions <= kFew || questions * static_cast<std::size_t>(tape.node(node).size()) <= kQuick) return;
    hashed_ = true;
    each([&](std::string_view key) { return set_.insert(key), false; });
  }
  [[nodiscard]] bool have(std::string_view name) const {
    return hashed_ ? set_.contains(name) : each([&](std::string_view key) { return key == name; });
  }

 private:
  template <class F>
  bool each(F&& f) const {
    for (std::size_t i = node_ + 1, end = tape_.next(node_); i < end; i = tape_.next(i + 1))
      if (f(tape_.text(i))) return true;
    return false;
  }
  const json::Tape& tape_;
  std::size_t node_;
  bool hashed_ = false;
  std::unordered_set<std::string_view> set_;
};

}  // namespace

bool Machine::leaves(Index schema, std::size_t node) {
  const Subschema& s = program_.schemas[schema];
  bool ok = true;
  for (Index op = s.first; op < s.last; ++op) {
    if (leaf(op, node)) continue;
    ok = false;
    // What follows a wrong type or an unknown value would only repeat it.
    if (!collect_ || program_.ops[op].kind <= OpKind::enumeration) return false;
  }
  return ok;
}

// What it costs to compare a value, in steps.
std::uint64_t Machine::weight(std::size_t node) const {
  const json::Node& n = tape_.node(node);
  return n.container() ? tape_.next(node) - node : n.size() / 16;
}

bool Machine::leaf(Index index, std::size_t node) {
  const Op& op = program_.ops[index];
  const json::Node& n = tape_.node(node);
  const json::Tag tag = n.tag();
  json::Value value(&tape_, node);
  // A key is asked about as a string.
  const bool string = tag == json::Tag::string || tag == json::Tag::key;
  bool ok = true;
  switch (op.kind) {
    case OpKind::never: ok = false; break;
    case OpKind::type: {
      constexpr std::uint8_t types[] = {kNull,   kBoolean, kBoolean, kInteger | kNumber, kInteger | kNumber, kString,
                                        kString, kArray,   kObject};
      std::uint8_t have = types[static_cast<std::size_t>(tag)];
      ok = (op.n & have) != 0;
      // Numbers are whole or not: that takes a look.
      if (ok && (have & kNumber) != 0 && (op.n & kNumber) == 0) ok = (types_of(value) & op.n) != 0;
      break;
    }
    case OpKind::constant:
      if (!step(weight(node))) return false;
      ok = value == program_.enums[op.a].values[0];
      break;
    case OpKind::enumeration:
      if (!step(weight(node))) return false;
      ok = listed(program_.enums[op.a], value);
      break;
    case OpKind::minimum:
    case OpKind::maximum:
    case OpKind::exclusive_minimum:
    case OpKind::exclusive_maximum: {
      if (!value.is_number()) break;
      if (!step(tape_.text(node).size() / 64)) return false;
      auto order = Decimal(tape_.text(node)) <=> program_.numbers[op.a];
      ok = op.kind == OpKind::minimum             ? order >= 0
           : op.kind == OpKind::maximum           ? order <= 0
           : op.kind == OpKind::exclusive_minimum ? order > 0
                                                  : order < 0;
      break;
    }
    case OpKind::multiple_of:
      if (!value.is_number()) break;
      if (!step(tape_.text(node).size() / 64)) return false;
      ok = Decimal(tape_.text(node)).multiple_of(program_.numbers[op.a]);
      break;
    case OpKind::min_length:
      if (!string) break;
      if (!step(tape_.text(node).size() / 64)) return false;
      ok = at_least(tape_.text(node), op.n);
      break;
    case OpKind::max_length:
      if (!string) break;
      if (!step(tape_.text(node).size() / 64)) return false;
      ok = at_most(tape_.text(node), op.n);
      break;
    case OpKind::pattern:
      if (string) {
        std::string_view text = tape_.text(node);
        ok = step(text.size() / 16) && program_.patterns[op.a]->found_in(text);
      }
      break;
    case OpKind::format:
      if (string) {
        auto format = static_cast<Format>(op.n);
        std::string_view text = tape_.text(node);
        if (!step(text.size() / 16)) return false;
        ok = format == Format::regex ? program_.patterns[op.a]->found_in(text) : has_format(text, format);
      }
      break;
    case OpKind::min_items:
      if (tag == json::Tag::array) ok = n.size() >= op.n;
      break;
    case OpKind::max_items:
      if (tag == json::Tag::array) ok = n.size() <= op.n;
      break;
    case OpKind::min_properties:
      if (tag == json::Tag::object) ok = n.size() >= op.n;
      break;
    case OpKind::max_properties:
      if (tag == json::Tag::object) ok = n.size() <= op.n;
      break;
    case OpKind::unique_items:
      if (tag == json::Tag::array) ok = unique(node);
      break;
    case OpKind::required: {
      if (tag != json::Tag::object) break;
      const std::vector<std::string_view>& names = program_.name_lists[op.a];
      if (!step(n.size() / 4 + names.size())) return false;
      Keys keys(tape_, node, names.size());
      for (std::size_t i = 0; i < names.size() && (ok || collect_); ++i) {
        if (keys.have(names[i])) continue;
        ok = false;
        if (collect_) fault(node, op.kind, index, i);
      }
      return ok;
    }
    case OpKind::dependent_required: {
      if (tag != json::Tag::object) break;
      const std::vector<DependentRule>& rules = program_.dependents[op.a];
      std::size_t questions = rules.size();
      for (const DependentRule& rule : rules) questions += rule.names.size();
      if (!step(n.size() / 4 + questions)) return false;
      Keys keys(tape_, node, questions);
      for (std::size_t r = 0; r < rules.size() && (ok || collect_); ++r) {
        if (!keys.have(rules[r].name)) continue;
        for (std::size_t i = 0; i < rules[r].names.size(); ++i) {
          if (keys.have(rules[r].names[i])) continue;
          ok = false;
          if (collect_) fault(node, op.kind, index, static_cast<std::uint64_t>(r) << 32 | i);
        }
      }
      return ok;
    }
    default: break;
  }
  if (!ok && collect_) fault(node, op.kind, index);
  return ok;
}

bool Machine::listed(const EnumRule& rule, json::Value value) {
  if (rule.by_hash.empty()) return std::find(rule.values.begin(), rule.values.end(), value) != rule.values.end();
  std::uint64_t h = hash_value(value);
  auto from = std::lower_bound(rule.by_hash.begin(), rule.by_hash.end(), std::pair<std::uint64_t, Index>{h, 0});
  for (; from != rule.by_hash.end() && from->first == h; ++from) {
    if (!step(8)) return false;
    if (rule.values[from->second] == value) return true;
  }
  return false;
}

bool Machine::unique(std::size_t node) {
  json::Value array(&tape_, node);
  if (array.size() < 2) return true;
  std::vector<std::pair<std::uint64_t, std::size_t>> hashes;
  for (json::Value v : array.items()) hashes.emplace_back(hash_value(v), v.index());
  if (!step(tape_.next(node) - node)) return false;
  std::sort(hashes.begin(), hashes.end());
  // Equal hashes are nearly always equal values; where somebody has seen to it that they are not, steps run out.
  for (std::size_t i = 0; i < hashes.size(); ++i)
    for (std::size_t k = i + 1; k < hashes.size() && hashes[k].first == hashes[i].first; ++k) {
      if (!step(1 + (tape_.next(hashes[k].second) - hashes[k].second))) return false;
      if (json::Value(&tape_, hashes[i].second) == json::Value(&tape_, hashes[k].second)) return false;
    }
  return true;
}

}  // namespace BELAY_NAMESPACE::schema
