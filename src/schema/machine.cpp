#include "schema/machine.h"

#include <algorithm>

namespace BELAY_NAMESPACE::schema {
Machine::Machine(const Program& program, json::Value root, Want want, std::size_t most)
    : program_(program), root_(root), tape_(*root.tape()), most_(most), collect_(want == Want::faults) {
  std::uint64_t values = tape_.next(root.index()) - root.index();
  steps_left_ = program.limits.schema_steps + 100 * values;
}

bool Machine::step(std::uint64_t n) {
  if (n < steps_left_) {
    steps_left_ -= n;
    return true;
  }
  steps_left_ = 0;
  if (given_up_.empty()) given_up_ = "schema_steps";
  return false;
}

void Machine::fault(std::size_t node, OpKind kind, Index op, std::uint64_t n) {
  if (faults_.size() < most_) faults_.push_back({node, kind, op, false, false, n});
}

void Machine::push(Index schema, std::size_t node, bool in_place, const Frame* below) {
  const Subschema& s = program_.schemas[schema];
  Frame f;
  f.schema = schema;
  f.op = s.first;
  f.node = node;
  f.in_place = in_place;
  f.chain = in_place ? below->chain + 1 : 0;
  f.track = s.unevaluated || (in_place && below->track);
  f.faults = f.best = faults_.size();
  if (f.track) {
    const json::Node& n = tape_.node(node);
    f.track = n.container();
    f.marks = marks_.size();
    if (f.track) marks_.resize(marks_.size() + static_cast<std::size_t>(n.size()) / 64 + 1, 0);
  }
  if (program_.dynamic && (scopes_.empty() || scopes_.back() != s.resource)) {
    scopes_.push_back(s.resource);
    f.scoped = true;
  }
  frames_.push_back(f);
}

// Ends the frame on top with answer_. What it looked at counts for the one below if it held.
void Machine::pop() {
  Frame f = frames_.back();
  frames_.pop_back();
  if (f.scoped) scopes_.pop_back();
  if (!f.track) return;
  if (f.in_place && answer_ && frames_.back().track) {
    std::size_t words = marks_.size() - f.marks, below = frames_.back().marks;
    step(words / 16);
    for (std::size_t i = 0; i < words; ++i) marks_[below + i] |= marks_[f.marks + i];
  }
  marks_.resize(f.marks);
}

// Applies a schema: at once where that needs no frame.
Machine::Tri Machine::call(Frame& frame, Index schema, std::size_t node, bool in_place) {
  if (!step()) return Tri::no;
  const Subschema* s = &program_.schemas[schema];
  while (s->alias != kNone) {
    schema = s->alias;
    s = &program_.schemas[schema];
  }
  if (s->leaf) return leaves(schema, node) ? Tri::yes : Tri::no;
  // References are known not to go round in circles, but where the dynamic scope decides they still may.
  if (in_place && frame.chain > 4 * program_.schemas.size() + 64) {
    given_up_ = "loop";
    steps_left_ = 0;
    return Tri::no;
  }
  frame.resumed = true;
  push(schema, node, in_place, &frame);
  return Tri::called;
}

bool Machine::run() {
  Frame bottom;
  bottom.node = root_.index();
  Tri first = call(bottom, program_.root, root_.index(), false);
  if (first != Tri::called) return first == Tri::yes;
  while (!frames_.empty()) {
    Frame& f = frames_.back();
    Next next = advance(f);
    if (next == Next::called) {
      if (given_up_.empty()) continue;
      return false;
    }
    answer_ = next == Next::more && f.ok;
    pop();
    if (!given_up_.empty()) return false;
  }
  return answer_;
}

// Runs the operations of a frame until one calls a schema or all are done.
Machine::Next Machine::advance(Frame& f) {
  for (const Index last = program_.schemas[f.schema].last; f.op < last; ++f.op) {
    const Op& op = program_.ops[f.op];
    if (is_leaf(op.kind)) {
      if (leaf(f.op, f.node)) continue;
      f.ok = false;
      if (!collect_ || op.kind <= OpKind::enumeration) return Next::fail;
      continue;
    }
    if (!f.resumed) {
      // Marks would be incomplete after a failure, and what they show only noise.
      if (op.kind >= OpKind::unevaluated_items && !f.ok) continue;
      f.i = f.part = 0;
      f.count = 0;
      f.cursor = f.node + 1;
      f.matched = f.tied = false;
      f.summed = true;
      f.values = values_.size();
      f.types = 0;
      f.score = 0;
      f.faults = f.best = faults_.size();
    }
    Next next = apply(f, op);
    if (next == Next::called) return next;
    if (next == Next::fail) {
      f.ok = false;
      if (!collect_) return next;
    }
    f.resumed = false;
    if (!given_up_.empty()) return Next::fail;
  }
  return Next::more;
}

Machine::Next Machine::apply(Frame& f, const Op& op) {
  switch (op.kind) {
    case OpKind::object: return apply_object(f, op);
    case OpKind::property_names: return apply_names(f, op);
    case OpKind::array: return apply_array(f, op);
    case OpKind::contains: return apply_contains(f, op);
    case OpKind::all_of: return apply_all(f, op);
    case OpKind::any_of: return apply_any(f, op);
    case OpKind::one_of: return apply_one(f, op);
    case OpKind::negation: return apply_not(f, op);
    case OpKind::condition: return apply_if(f, op);
    case OpKind::dependent_schemas: return apply_dependents(f, op);
    case OpKind::unevaluated_items:
    case OpKind::unevaluated_properties: return apply_unevaluated(f, op);
    default: break;
  }
  // A reference: its answer is the operation's.
  bool resumed = f.resumed;
  f.resumed = false;
  if (resumed) return answer_ ? Next::more : Next::fail;
  Tri t = call(f, op.kind == OpKind::dynamic_reference ? dynamic_target(op) : op.a, f.node, true);
  return t == Tri::called ? Next::called : t == Tri::yes ? Next::more : Next::fail;
}

// The outermost resource of those that checking has come through, that has the anchor.
Index Machine::dynamic_target(const Op& op) const {
  for (Index resource : scopes_) {
    auto it = program_.dynamic_anchors.find(static_cast<std::uint64_t>(resource) << 32 | op.b);
    if (it != program_.dynamic_anchors.end()) return it->second;
  }
  return op.a;
}

std::vector<json::Value> Machine::wanted(const Fault& fault) const {
  std::vector<json::Value> out;
  auto add = [&](Index op) {
    for (json::Value v : program_.enums[program_.ops[op].a].values)
      if (std::find(out.begin(), out.end(), v) == out.end()) out.push_back(v);
  };
  // A few alternatives are told apart; a large enum is not compared with itself.
  if (fault.n == 0) return program_.enums[program_.ops[fault.op].a].values;
  for (Index op : lists_[static_cast<std::size_t>(fault.n - 1)]) add(op);
  return out;
}

void Machine::mark(Frame& f, std::uint32_t child) {
  if (f.track) marks_[f.marks + child / 64] |= std::uint64_t{1} << (child % 64);
}

void Machine::mark_all(Frame& f) {
  if (!f.track) return;
  std::size_t words = static_cast<std::size_t>(tape_.node(f.node).size()) / 64 + 1;
  std::fill_n(marks_.begin() + static_cast<std::ptrdiff_t>(f.marks), words, ~std::uint64_t{0});
}

bool Machine::marked(const Frame& f, std::uint32_t child) const {
  return f.track && (marks_[f.marks + child / 64] >> (child % 64) & 1) != 0;
}

}  // namespace BELAY_NAMESPACE::schema
