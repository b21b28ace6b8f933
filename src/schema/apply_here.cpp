// Operations that apply other schemas to the same value.
#include "schema/machine.h"

#include <algorithm>

namespace BELAY_NAMESPACE::schema {
namespace {

constexpr std::size_t kSummed = 64;  // alternatives whose values are put into one sentence

}  // namespace

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
          values_.resize(std::min(f.values, values_.size()));
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
  std::vector<Index> values(values_.begin() + static_cast<std::ptrdiff_t>(std::min(f.values, values_.size())),
                            values_.end());
  values_.resize(std::min(f.values, values_.size()));
  if (held) {
    faults_.resize(std::min(faults_.size(), f.faults));
    return Next::more;
  }
  constexpr std::uint64_t kWrongType = 1'000'000, kWrongValue = 100'000;
  if (f.score > kWrongType && f.types != 0) {
    faults_.resize(std::min(faults_.size(), f.faults));
    faults_.push_back({f.node, OpKind::type, f.op, false, false, f.types});
  } else if (f.summed && values.size() > 1 && values.size() <= kSummed) {
    faults_.resize(std::min(faults_.size(), f.faults));
    lists_.push_back(std::move(values));
    fault(f.place, OpKind::enumeration, lists_.back().front(), lists_.size());
  } else if (faults_.size() == f.faults) {
    fault(f);
  } else if (f.tied) {
    for (std::size_t i = f.faults; i < faults_.size(); ++i) faults_[i].doubtful = true;
  }
  // A value that is none of those listed may still be one of another type.
  if (f.types != 0 && f.score > kWrongValue && f.score <= kWrongType && faults_.size() < most_)
    faults_.push_back({f.node, OpKind::type, f.op, false, true, f.types});
  return Next::fail;
}

// Keeps the faults of the alternative that just failed, which begin at `begin`, if they are nearer than the best ones
// so far: a wrong type is far, a wrong constant (which often says which alternative is meant) is less so.
void Machine::weigh(Frame& f, std::size_t begin) {
  begin = std::min(begin, faults_.size());
  std::uint64_t score = 1;
  std::uint8_t types = 0;
  std::size_t wants = 0;
  for (std::size_t i = begin; i < faults_.size(); ++i) {
    const Fault& fault = faults_[i];
    bool here = fault.node == f.node;
    if (fault.kind == OpKind::constant || (fault.kind == OpKind::enumeration && fault.n == 0)) {
      // The value that an alternative is chosen by, if all of them want one at the same place.
      if (f.score == 0 && wants == 0) f.place = fault.node;
      f.summed &= ++wants == 1 && fault.node == f.place;
      if (values_.size() < f.values + kSummed) values_.push_back(fault.op);
    }
    if (here && fault.kind == OpKind::type) {
      score += 1'000'000;
      types = static_cast<std::uint8_t>(types | (fault.n != 0 ? fault.n : program_.ops[fault.op].n));
    } else if (fault.kind == OpKind::constant || fault.kind == OpKind::enumeration || fault.kind == OpKind::never) {
      score += here ? 100'000 : 1'000;
    } else {
      // What is missing cannot be mended.
      score += fault.kind == OpKind::required ? 10 : 1;
    }
  }
  f.summed &= wants == 1;
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
      if (!step(1 + object.size() / 4) || !object.find(rules[f.i].name)) continue;
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

}  // namespace BELAY_NAMESPACE::schema
