// Operations that apply other schemas to the same value.
#include "schema/machine.h"

#include <algorithm>

namespace belay::schema {

Machine::Next Machine::apply_all(Frame& f, const Op& op) {
  for (; f.i < op.b; ++f.i) {
    Tri t = answer_ ? Tri::yes : Tri::no;
    if (!f.resumed) t = call(f, program_.lists[op.a + f.i], f.node, true);
    if (t == Tri::called) return Next::called;
    f.resumed = false;
    if (t == Tri::no) {
      f.ok = false;
      if (!collect_) return Next::fail;
    }
  }
  return Next::more;
}

Machine::Next Machine::apply_any(Frame& f, const Op& op) {
  for (; f.i < op.b; ++f.i) {
    Tri t = answer_ ? Tri::yes : Tri::no;
    if (!f.resumed) t = call(f, program_.lists[op.a + f.i], f.node, true);
    if (t == Tri::called) return Next::called;
    f.resumed = false;
    if (t == Tri::yes) {
      ++f.count;
      if (!f.track) break;  // the others could only add to what was looked at
    } else if (collect_) {
      weigh(f, f.best);
    }
  }
  return finish(f, f.count > 0);
}

Machine::Next Machine::apply_one(Frame& f, const Op& op) {
  for (; f.i < op.b; ++f.i) {
    Tri t = answer_ ? Tri::yes : Tri::no;
    if (!f.resumed) t = call(f, program_.lists[op.a + f.i], f.node, true);
    if (t == Tri::called) return Next::called;
    f.resumed = false;
    if (t == Tri::yes) {
      ++f.count;
      // Which two, for whoever has to say it.
      if (f.count == 1) f.part = f.i;
      if (f.count == 2) {
        if (collect_) {
          faults_.resize(std::min(faults_.size(), f.faults));
          fault(f, static_cast<std::uint64_t>(f.part + 1) << 32 | (f.i + 1));
        }
        return Next::fail;
      }
    } else if (collect_) {
      weigh(f, f.best);
    }
  }
  return finish(f, f.count == 1);
}

// After all alternatives: the faults of the best of them stand if none held. Those that failed by their type alone are
// summed up in one.
Machine::Next Machine::finish(Frame& f, bool held) {
  if (!collect_) return held ? Next::more : Next::fail;
  if (held) {
    faults_.resize(std::min(faults_.size(), f.faults));
    return Next::more;
  }
  constexpr std::uint64_t kWrongType = 1'000'000;
  if (f.score > kWrongType && f.types != 0) {
    faults_.resize(std::min(faults_.size(), f.faults));
    faults_.push_back({f.node, OpKind::type, f.op, false, f.types});
  } else if (faults_.size() == f.faults) {
    fault(f);
  } else if (f.tied) {
    for (std::size_t i = f.faults; i < faults_.size(); ++i) faults_[i].doubtful = true;
  }
  return Next::fail;
}

// Keeps the faults of the alternative that just failed, which begin at `begin`, if they are nearer than the best ones
// so far: a wrong type is far, a wrong constant (which often says which alternative is meant) is less so.
void Machine::weigh(Frame& f, std::size_t begin) {
  begin = std::min(begin, faults_.size());
  std::uint64_t score = 1;
  std::uint8_t types = 0;
  for (std::size_t i = begin; i < faults_.size(); ++i) {
    const Fault& fault = faults_[i];
    bool here = fault.node == f.node;
    if (here && fault.kind == OpKind::type) {
      score += 1'000'000;
      types = static_cast<std::uint8_t>(types | (fault.n != 0 ? fault.n : program_.ops[fault.op].n));
    } else if (fault.kind == OpKind::constant || fault.kind == OpKind::enumeration || fault.kind == OpKind::never) {
      score += here ? 100'000 : 1'000;
    } else {
      score += 1;
    }
  }
  f.types = static_cast<std::uint8_t>(f.types | types);
  if (f.score != 0 && score == f.score) f.tied = true;
  if (f.score == 0 || score < f.score) {
    f.tied = false;
    faults_.erase(faults_.begin() + static_cast<std::ptrdiff_t>(f.faults),
                  faults_.begin() + static_cast<std::ptrdiff_t>(begin));
    f.best = faults_.size();
    f.score = score;
  } else {
    faults_.resize(begin);
  }
}

Machine::Next Machine::apply_not(Frame& f, const Op& op) {
  Tri t = answer_ ? Tri::yes : Tri::no;
  if (!f.resumed) t = call(f, op.a, f.node, true);
  if (t == Tri::called) return Next::called;
  f.resumed = false;
  faults_.resize(std::min(faults_.size(), f.faults));
  if (t == Tri::no && given_up_.empty()) return Next::more;
  if (collect_) fault(f);
  return Next::fail;
}

Machine::Next Machine::apply_if(Frame& f, const Op& op) {
  Tri t = answer_ ? Tri::yes : Tri::no;
  if (f.part == 0) {
    if (!f.resumed) t = call(f, op.a, f.node, true);
    if (t == Tri::called) return Next::called;
    f.resumed = false;
    faults_.resize(std::min(faults_.size(), f.faults));
    f.part = t == Tri::yes ? 1 : 2;
  }
  Index schema = f.part == 1 ? op.b : op.c;
  if (schema == kNone) return Next::more;
  t = answer_ ? Tri::yes : Tri::no;
  if (!f.resumed) t = call(f, schema, f.node, true);
  if (t == Tri::called) return Next::called;
  f.resumed = false;
  return t == Tri::yes ? Next::more : Next::fail;
}

Machine::Next Machine::apply_dependents(Frame& f, const Op& op) {
  if (tape_.node(f.node).tag() != json::Tag::object) return Next::more;
  const std::vector<DependentRule>& rules = program_.dependents[op.a];
  for (; f.i < rules.size(); ++f.i) {
    Tri t = answer_ ? Tri::yes : Tri::no;
    if (!f.resumed) {
      json::Value object(&tape_, f.node);
      if (!step(1 + object.size() / 8) || !object.find(rules[f.i].name)) continue;
      t = call(f, rules[f.i].schema, f.node, true);
    }
    if (t == Tri::called) return Next::called;
    f.resumed = false;
    if (t == Tri::no) {
      f.ok = false;
      if (!collect_) return Next::fail;
    }
  }
  return Next::more;
}

}  // namespace belay::schema
