// Operations that apply schemas to the values inside a value.
//
// Each is entered again after every schema that it had to call: `resumed` says that answer_ is that schema's answer,
// and the frame holds how far it had come.
#include "schema/machine.h"

namespace BELAY_NAMESPACE::schema {

Machine::Next Machine::apply_object(Frame& f, const Op& op) {
  if (tape_.node(f.node).tag() != json::Tag::object) return Next::more;
  const ObjectRule& rule = program_.objects[op.a];
  const std::size_t end = tape_.next(f.node);
  const auto patterns = static_cast<std::uint32_t>(rule.patterns.size());
  // The parts of a member: 0 its own schema, then each pattern, last what is additional.
  for (; f.cursor < end; f.cursor = tape_.next(f.cursor + 1), ++f.i, f.part = 0, f.matched = false) {
    std::string_view key = tape_.text(f.cursor);
    for (; f.part <= patterns + 1; ++f.part) {
      Index schema = kNone;
      if (f.part == 0) {
        Index name = rule.find(key, hash_text(key));
        if (name != kNone) schema = rule.names[name].schema;
      } else if (f.part <= patterns) {
        const auto& [pattern, applies] = rule.patterns[f.part - 1];
        if (f.resumed || (step(1 + key.size() / 16) && program_.patterns[pattern]->found_in(key))) schema = applies;
      } else if (!f.matched) {
        schema = rule.additional;
      }
      if (schema == kNone) continue;
      Tri t = answer_ ? Tri::yes : Tri::no;
      if (!f.resumed) t = call(f, schema, f.cursor + 1, false);
      if (t == Tri::called) return Next::called;
      f.resumed = false;
      f.matched = true;
      if (t == Tri::no) {
        f.ok = false;
        if (!collect_) return Next::fail;
      }
    }
    if (f.matched) mark(f, f.i);
  }
  return Next::more;
}

Machine::Next Machine::apply_names(Frame& f, const Op& op) {
  if (tape_.node(f.node).tag() != json::Tag::object) return Next::more;
  const std::size_t end = tape_.next(f.node);
  for (; f.cursor < end; f.cursor = tape_.next(f.cursor + 1)) {
    // A key is a node like a string; only its tag differs, and operations take it for one.
    Tri t = answer_ ? Tri::yes : Tri::no;
    if (!f.resumed) t = call(f, op.a, f.cursor, false);
    if (t == Tri::called) return Next::called;
    f.resumed = false;
    if (t == Tri::no) {
      f.ok = false;
      if (!collect_) return Next::fail;
    }
  }
  return Next::more;
}

Machine::Next Machine::apply_array(Frame& f, const Op& op) {
  if (tape_.node(f.node).tag() != json::Tag::array) return Next::more;
  const ArrayRule& rule = program_.arrays[op.a];
  const std::size_t end = tape_.next(f.node);
  for (; f.cursor < end; f.cursor = tape_.next(f.cursor), ++f.i) {
    Index schema = f.i < rule.prefix.size() ? rule.prefix[f.i] : rule.rest;
    if (schema == kNone) break;
    Tri t = answer_ ? Tri::yes : Tri::no;
    if (!f.resumed) t = call(f, schema, f.cursor, false);
    if (t == Tri::called) return Next::called;
    f.resumed = false;
    mark(f, f.i);
    if (t == Tri::no) {
      f.ok = false;
      if (!collect_) return Next::fail;
    }
  }
  return Next::more;
}

Machine::Next Machine::apply_contains(Frame& f, const Op& op) {
  if (tape_.node(f.node).tag() != json::Tag::array) return Next::more;
  const std::uint64_t most = program_.wide[op.b];
  const std::size_t end = tape_.next(f.node);
  for (; f.cursor < end; f.cursor = tape_.next(f.cursor), ++f.i) {
    Tri t = answer_ ? Tri::yes : Tri::no;
    if (!f.resumed) t = call(f, op.a, f.cursor, false);
    if (t == Tri::called) return Next::called;
    f.resumed = false;
    faults_.resize(std::min(faults_.size(), f.faults));
    if (t == Tri::no) continue;
    ++f.count;
    if (op.contains_marks) mark(f, f.i);
    if (!f.track && f.count >= op.n && most == ~std::uint64_t{0}) return Next::more;
  }
  if (f.count >= op.n && f.count <= most) return Next::more;
  if (collect_) fault(f, f.count);
  return Next::fail;
}

Machine::Next Machine::apply_unevaluated(Frame& f, const Op& op) {
  bool object = op.kind == OpKind::unevaluated_properties;
  if (tape_.node(f.node).tag() != (object ? json::Tag::object : json::Tag::array)) return Next::more;
  const std::size_t end = tape_.next(f.node);
  for (; f.cursor < end; f.cursor = tape_.next(object ? f.cursor + 1 : f.cursor), ++f.i) {
    if (marked(f, f.i)) continue;
    Tri t = answer_ ? Tri::yes : Tri::no;
    if (!f.resumed) t = call(f, op.a, object ? f.cursor + 1 : f.cursor, false);
    if (t == Tri::called) return Next::called;
    f.resumed = false;
    if (t == Tri::no) {
      f.ok = false;
      if (!collect_) return Next::fail;
    }
  }
  mark_all(f);
  return Next::more;
}

}  // namespace BELAY_NAMESPACE::schema
