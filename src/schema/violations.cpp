#include "schema/violations.h"

#include <belay/json/writer.h>

#include "schema/keywords.h"
#include "schema/near.h"
#include "schema/places.h"

#include <algorithm>
#include <tuple>

namespace BELAY_NAMESPACE::schema {
namespace {

constexpr std::size_t kShown = 60;   // characters of a value or name in a message
constexpr std::size_t kListed = 12;  // values or names in one list

// At most kShown bytes, cut between characters.
std::string cut(std::string_view s) {
  if (s.size() <= kShown) return std::string(s);
  std::size_t n = kShown;
  while (n > 0 && (static_cast<unsigned char>(s[n]) & 0xc0) == 0x80) --n;
  return std::string(s.substr(0, n)) + "…";
}

std::string quoted(std::string_view s) {
  std::string out = "\"";
  for (char c : cut(s)) {
    if (c == '\n')
      out += "\\n";
    else if (c == '\t')
      out += "\\t";
    else if (c == '"' || c == '\\')
      (out += '\\') += c;
    else
      append_named(out, c);
  }
  return out + "\"";
}

std::string plural(std::uint64_t n, std::string_view what, std::string_view many) {
  return std::to_string(n) + " " + std::string(n == 1 ? what : many);
}

std::string types(std::uint64_t mask) {
  constexpr std::pair<std::uint8_t, std::string_view> names[] = {
      {kString, "a string"}, {kBoolean, "a boolean"}, {kNumber, "a number"}, {kInteger, "an integer"},
      {kArray, "an array"},  {kObject, "an object"},  {kNull, "null"},
  };
  std::vector<std::string_view> parts;
  for (auto [bit, text] : names)
    if ((mask & bit) != 0 && !(bit == kInteger && (mask & kNumber) != 0)) parts.push_back(text);
  if (parts.empty()) return "of a type that does not exist";
  std::string out;
  for (std::size_t i = 0; i < parts.size(); ++i)
    (out += i == 0 ? "" : i + 1 == parts.size() ? " or " : ", ") += parts[i];
  return out;
}

// A name as it is when it reads well, quoted when not.
std::string named(std::string_view name) {
  std::string plain = readable({{name, 0, false}});
  return plain == name ? plain : quoted(name);
}

template <class List, class Show>
std::string list_of(const List& list, Show&& show) {
  std::string out;
  std::size_t i = 0;
  for (const auto& item : list) {
    if (i == kListed) return out + " and " + std::to_string(list.size() - kListed) + " more";
    (out += i++ == 0 ? "" : ", ") += show(item);
  }
  return out;
}

// The node that a fault is shown at: an unknown member stands at its name.
std::size_t stands_at(const Fault& fault, json::Value root) {
  const json::Tape& tape = *root.tape();
  const bool member = fault.kind == OpKind::never && fault.node > root.index() &&
                      tape.node(fault.node).tag() != json::Tag::key &&
                      tape.node(fault.node - 1).tag() == json::Tag::key;
  return member ? fault.node - 1 : fault.node;
}

class Speaker {
 public:
  Speaker(const Program& program, json::Value root, const Machine& machine)
      : p_(program), root_(root), machine_(machine) {}
  Violation say(const Fault& fault) const;

 private:
  [[nodiscard]] std::string sentence(const Fault& fault, Violation& v, const std::string& name) const;
  [[nodiscard]] std::string missing(std::string_view what, const Fault& fault, const std::string& name) const;
  [[nodiscard]] std::string unknown(const Fault& fault, std::string_view keyword) const;
  [[nodiscard]] std::string alternatives(const Fault& fault, const std::string& name) const;
  [[nodiscard]] json::Value schema_root(const Op& op) const { return p_.documents[op.document]->document.root(); }
  [[nodiscard]] std::vector<std::string_view> keys(std::size_t node) const {
    std::vector<std::string_view> out;
    for (json::Member m : json::Value(root_.tape(), node).members()) out.push_back(m.key);
    return out;
  }
  const Program& p_;
  json::Value root_;
  const Machine& machine_;
};

std::string number(const Program& p, const Op& op) {
  return cut(json::Value(&p.documents[op.document]->document.tape(), op.keyword).number_text());
}

std::string Speaker::missing(std::string_view what, const Fault& fault, const std::string& name) const {
  std::string out = (name.empty() ? std::string() : name + ": ") + named(what) + " is required and missing";
  std::string_view near = nearest(what, keys(fault.node));
  if (!near.empty()) out += " (is it " + quoted(near) + "?)";
  return out;
}

// A schema that is `false`: what it means depends on the keyword that it stands at.
std::string Speaker::unknown(const Fault& fault, std::string_view keyword) const {
  std::vector<StepTo> steps = steps_to(root_, fault.node);
  const StepTo last = steps.empty() ? StepTo{} : steps.back();
  if (steps.empty()) return "nothing is allowed here";
  if (last.is_item) return readable(steps) + " is one item too many";
  steps.pop_back();
  std::string where = steps.empty() ? std::string() : " in " + readable(steps);
  if (keyword != "additionalProperties" && keyword != "unevaluatedProperties")
    return quoted(last.key) + " must not be there" + where;
  std::string out = quoted(last.key) + " is not a known name" + where;
  // The names beside it, as far as one rule lists them.
  const Op& op = p_.ops[fault.op];
  for (const ObjectRule& rule : p_.objects) {
    if (rule.names.empty() || rule.additional == kNone || rule.additional_keyword != op.keyword ||
        rule.additional_document != op.document)
      continue;
    std::vector<std::string_view> known;
    known.reserve(rule.names.size());
    for (const Name& n : rule.names) known.push_back(n.text);
    std::string_view near = nearest(last.key, known);
    if (!near.empty()) return out + "; did you mean " + named(near) + "?";
    return out + "; known are " + list_of(known, [](std::string_view n) { return named(n); });
  }
  return out;
}

std::string Speaker::alternatives(const Fault& fault, const std::string& name) const {
  const Op& op = p_.ops[fault.op];
  if (fault.kind == OpKind::one_of && fault.n != 0)
    return name + " fits more than one of the alternatives (number " + std::to_string(fault.n >> 32) + " and number " +
           std::to_string(fault.n & 0xffffffff) + "); exactly one is wanted";
  std::vector<json::Value> values;
  for (Index i = 0; i < op.b; ++i) {
    const Subschema& s = p_.schemas[p_.lists[op.a + i]];
    for (Index o = s.first; o < s.last; ++o)
      if (p_.ops[o].kind == OpKind::constant || p_.ops[o].kind == OpKind::enumeration)
        for (json::Value v : p_.enums[p_.ops[o].a].values) values.push_back(v);
  }
  if (!values.empty()) return name + " must be one of " + list_of(values, [](json::Value v) { return brief(v); });
  return name + " fits none of the alternatives";
}

std::string Speaker::sentence(const Fault& fault, Violation& v, const std::string& place) const {
  const Op& op = p_.ops[fault.op];
  json::Value value(root_.tape(), fault.node);
  const bool key = root_.tape()->node(fault.node).tag() == json::Tag::key;
  const std::string name = key             ? "the name " + quoted(root_.tape()->text(fault.node))
                           : place.empty() ? "the value"
                                           : place;
  const std::string got = key ? "" : ", got " + brief(value);
  auto enum_list = [&] {
    const std::vector<json::Value> values = machine_.wanted(fault);
    if (values.size() == 2) return brief(values[0]) + " or " + brief(values[1]);
    return (values.size() > 1 ? "one of " : "") + list_of(values, [](json::Value x) { return brief(x); });
  };
  switch (fault.kind) {
    case OpKind::never: return unknown(fault, v.keyword);
    case OpKind::type: return name + " must be " + types(fault.n != 0 ? fault.n : op.n) + got;
    case OpKind::constant: return name + " must be " + brief(p_.enums[op.a].values[0]) + got;
    case OpKind::enumeration:
      if (p_.enums[op.a].values.empty()) return name + ": no value is allowed here" + got;
      return name + " must be " + enum_list() + got;
    case OpKind::minimum: return name + " must be at least " + number(p_, op) + got;
    case OpKind::maximum: return name + " must be at most " + number(p_, op) + got;
    case OpKind::exclusive_minimum: return name + " must be more than " + number(p_, op) + got;
    case OpKind::exclusive_maximum: return name + " must be less than " + number(p_, op) + got;
    case OpKind::multiple_of: return name + " must be a multiple of " + number(p_, op) + got;
    case OpKind::min_length: return name + " must have at least " + plural(op.n, "character", "characters") + got;
    case OpKind::max_length: return name + " must have at most " + plural(op.n, "character", "characters") + got;
    case OpKind::pattern: return name + " must match the pattern " + cut(p_.pattern_texts[op.a]) + got;
    case OpKind::format: return name + " must be " + std::string(describe(static_cast<Format>(op.n))) + got;
    case OpKind::min_items:
      return name + " must have at least " + plural(op.n, "item", "items") + ", it has " + std::to_string(value.size());
    case OpKind::max_items:
      return name + " must have at most " + plural(op.n, "item", "items") + ", it has " + std::to_string(value.size());
    case OpKind::unique_items: return name + " must not have the same item twice";
    case OpKind::min_properties:
      return name + " must have at least " + plural(op.n, "member", "members") + ", it has " +
             std::to_string(value.size());
    case OpKind::max_properties:
      return name + " must have at most " + plural(op.n, "member", "members") + ", it has " +
             std::to_string(value.size());
    case OpKind::required: return missing(p_.name_lists[op.a][static_cast<std::size_t>(fault.n)], fault, place);
    case OpKind::dependent_required: {
      const DependentRule& rule = p_.dependents[op.a][static_cast<std::size_t>(fault.n >> 32)];
      return missing(rule.names[static_cast<std::size_t>(fault.n & 0xffffffff)], fault, place) + " where " +
             named(rule.name) + " is given";
    }
    case OpKind::contains:
      return name + " must have " +
             (fault.n < op.n ? "at least " + plural(op.n, "item", "items")
                             : "at most " + plural(p_.wide[op.b], "item", "items")) +
             " of the kind that `contains` describes, it has " + std::to_string(fault.n);
    case OpKind::negation: return name + " must not match what the schema excludes" + got;
    case OpKind::any_of:
    case OpKind::one_of: return alternatives(fault, name) + (fault.n == 0 ? got : "");
    default: return name + " does not fit the schema";
  }
}

Violation Speaker::say(const Fault& fault) const {
  const Op& op = p_.ops[fault.op];
  Violation v;
  std::vector<StepTo> steps = steps_to(root_, fault.node);
  v.path = pointer_of(steps);
  std::vector<StepTo> at = steps_to(schema_root(op), op.keyword);
  v.schema_path = (op.document == 0 ? "" : p_.documents[op.document]->uri + "#") + pointer_of(at);
  // The keyword is the last step that is one: the false in /properties/a is at `properties`.
  for (std::size_t i = at.size(); i > 0 && v.keyword.empty(); --i)
    if (!at[i - 1].is_item && keyword_named(at[i - 1].key, Dialect{})) v.keyword = at[i - 1].key;
  if (v.keyword.empty()) v.keyword = at.empty() || at.back().is_item ? "false" : std::string(at.back().key);
  // An item of a list at the top has no name before it.
  std::string place = readable(steps);
  if (!steps.empty() && steps[0].is_item) place = "item " + place;
  v.message = sentence(fault, v, place);
  v.node = stands_at(fault, root_);
  return v;
}

}  // namespace

std::string brief(json::Value value) {
  constexpr std::size_t kFewNodes = 16;
  if (value.size() > 0 && value.tape()->next(value.index()) - value.index() <= kFewNodes) {
    std::string text = json::to_string(value);
    if (text.size() <= kShown) return text;
  }
  switch (value.kind()) {
    case json::Kind::null: return "null";
    case json::Kind::boolean: return value.as_bool() ? "true" : "false";
    case json::Kind::number: return cut(value.number_text());
    case json::Kind::string: return quoted(value.as_string());
    case json::Kind::array: return value.size() == 0 ? "[]" : "an array of " + plural(value.size(), "item", "items");
    case json::Kind::object:
      return value.size() == 0 ? "{}" : "an object with " + plural(value.size(), "member", "members");
  }
  return {};
}

// A name that is missing and one that is nearly it are one slip, which the unknown name's sentence explains.
static void drop_doubled_slips(const Program& program, json::Value root, std::vector<Fault>& faults) {
  constexpr std::size_t kFew = 32;
  const json::Tape& tape = *root.tape();
  std::vector<std::pair<std::size_t, std::string_view>> unknown;
  for (const Fault& f : faults)
    if (f.kind == OpKind::never && f.node > root.index() && tape.node(f.node - 1).tag() == json::Tag::key)
      unknown.emplace_back(f.node, tape.text(f.node - 1));
  if (unknown.size() > kFew) return;
  std::erase_if(faults, [&](const Fault& f) {
    if (f.kind != OpKind::required) return false;
    std::string_view name = program.name_lists[program.ops[f.op].a][static_cast<std::size_t>(f.n)];
    return std::any_of(unknown.begin(), unknown.end(), [&](const auto& u) {
      return u.first > f.node && u.first < tape.next(f.node) && nearest(u.second, {name}) == name;
    });
  });
}

Report report_of(const Program& program, json::Value root, const Machine& machine) {
  Report report;
  if (!machine.given_up().empty()) {
    report.total = 1;
    std::string message = machine.given_up() == "loop"
                              ? "the schema refers to itself for the same value; checking was given up"
                              : "checking took more than " + std::to_string(program.limits.schema_steps) +
                                    " steps; raise the limit with --limit schema_steps=N (Limits::schema_steps)";
    report.violations.push_back({"", "limit", std::move(message), "", root.index()});
    return report;
  }
  std::vector<Fault> faults = machine.faults();
  std::erase_if(faults, [](const Fault& f) { return f.hint; });
  // In the order of the values, and for one value in that of the schema.
  auto key = [&](const Fault& f) {
    const Op& op = program.ops[f.op];
    return std::tuple(stands_at(f, root), f.node, op.document, op.keyword, f.n, f.kind);
  };
  std::stable_sort(faults.begin(), faults.end(), [&](const Fault& a, const Fault& b) { return key(a) < key(b); });
  // A schema that is reached in two ways fails twice in the same way.
  faults.erase(
      std::unique(faults.begin(), faults.end(), [&](const Fault& a, const Fault& b) { return key(a) == key(b); }),
      faults.end());
  drop_doubled_slips(program, root, faults);
  report.total = std::max<std::size_t>(1, faults.size());
  Speaker speaker(program, root, machine);
  for (const Fault& f : faults) {
    if (report.violations.size() >= program.limits.violations) break;
    Violation v = speaker.say(f);
    // Two schemas that say the same of one value need be heard once.
    if (std::any_of(report.violations.begin(), report.violations.end(), [&](const Violation& said) {
          return said.path == v.path && said.keyword == v.keyword && said.message == v.message;
        }))
      --report.total;
    else
      report.violations.push_back(std::move(v));
  }
  return report;
}

}  // namespace BELAY_NAMESPACE::schema
