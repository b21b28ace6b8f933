// Runs the operations of a program on a value. Iterative: what is open lies on a stack of its own.
#pragma once

#include "schema/program.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace BELAY_NAMESPACE::schema {

/// One failed operation. `kind` is that of the operation, unless several were summed up.
struct Fault {
  std::size_t node = 0;  // of the value
  OpKind kind = OpKind::never;
  Index op = kNone;       // in Program::ops
  bool doubtful = false;  // of one alternative, where another was as near
  bool hint = false;      // of an alternative that is not the nearest: for aligning, not for telling
  std::uint64_t n = 0;    // which name is missing, how many there were, the types that would do, ...
};

class Machine {
 public:
  enum class Want : std::uint8_t { answer, faults };
  /// At most `most` faults are kept.
  Machine(const Program& program, json::Value root, Want want, std::size_t most = 4096);

  /// True when the value satisfies the program. Call once.
  bool run();

  /// With Want::faults and a false answer: what to say about it, in no order.
  [[nodiscard]] const std::vector<Fault>& faults() const { return faults_; }
  /// The reason when it was given up: then the answer is false, and no fault counts.
  [[nodiscard]] std::string_view given_up() const { return given_up_; }
  /// The values that would do for a fault of kind constant or enumeration.
  [[nodiscard]] std::vector<json::Value> wanted(const Fault& fault) const;

 private:
  struct Frame {
    Index schema = 0;
    Index op = 0;
    std::size_t node = 0;    // the value
    std::size_t cursor = 0;  // inside it: the next member or item
    std::size_t marks = 0;   // where its marks begin; one bit for each child
    std::size_t faults = 0;  // where the faults of the current operation begin
    std::size_t best = 0;    // ... and where those of the best alternative end
    std::uint64_t score = 0;
    std::uint64_t count = 0;  // alternatives that held, items that matched
    std::uint32_t i = 0;      // which alternative, or which child
    std::uint32_t part = 0;   // of a member: which schema
    std::uint32_t chain = 0;  // schemas applied to this same value, one from the other
    std::uint8_t types = 0;   // of alternatives that failed by nothing but their type
    bool resumed = false;     // a schema was called, and answer_ is its answer
    bool in_place = false;    // called for the same value by the frame below
    bool track = false;       // somebody asks which children were looked at
    bool scoped = false;      // entered a resource
    bool ok = true;
    bool matched = false;
    bool tied = false;       // another alternative is as near as the best one
    bool summed = true;      // so far each alternative failed by a value that it wants at one and the same place
    std::size_t place = 0;   // that place
    std::size_t values = 0;  // where its alternatives' operations begin in values_
  };
  enum class Tri : std::uint8_t { no, yes, called };
  enum class Next : std::uint8_t { more, called, fail };

  Tri call(Frame& frame, Index schema, std::size_t node, bool in_place);
  void push(Index schema, std::size_t node, bool in_place, const Frame* below);
  void pop();
  Next advance(Frame& frame);
  Next apply(Frame& frame, const Op& op);
  Next apply_all(Frame& frame, const Op& op);
  Next apply_any(Frame& frame, const Op& op);
  Next apply_one(Frame& frame, const Op& op);
  Next apply_not(Frame& frame, const Op& op);
  Next apply_if(Frame& frame, const Op& op);
  Next apply_dependents(Frame& frame, const Op& op);
  Next apply_object(Frame& frame, const Op& op);
  Next apply_names(Frame& frame, const Op& op);
  Next apply_array(Frame& frame, const Op& op);
  Next apply_contains(Frame& frame, const Op& op);
  Next apply_unevaluated(Frame& frame, const Op& op);
  Next finish(Frame& frame, bool held);
  void weigh(Frame& frame, std::size_t begin);
  [[nodiscard]] Index dynamic_target(const Op& op) const;

  // leaf.cpp
  bool leaves(Index schema, std::size_t node);
  bool leaf(Index op, std::size_t node);
  [[nodiscard]] std::uint64_t weight(std::size_t node) const;
  bool unique(std::size_t node);
  bool listed(const EnumRule& rule, json::Value value);

  void fault(std::size_t node, OpKind kind, Index op, std::uint64_t n = 0);
  void fault(const Frame& frame, std::uint64_t n = 0) { fault(frame.node, program_.ops[frame.op].kind, frame.op, n); }
  bool step(std::uint64_t n = 1);
  void mark(Frame& frame, std::uint32_t child);
  void mark_all(Frame& frame);
  [[nodiscard]] bool marked(const Frame& frame, std::uint32_t child) const;

  const Program& program_;
  json::Value root_;
  const json::Tape& tape_;
  std::size_t most_;
  bool collect_;
  bool answer_ = true;
  std::vector<Frame> frames_;
  std::vector<std::uint64_t> marks_;
  std::vector<Index> scopes_;
  std::vector<Fault> faults_;
  std::vector<Index> values_;              // operations that want a value, of the alternatives that are open
  std::vector<std::vector<Index>> lists_;  // the same, summed up: Fault::n is one more than a place in it
  std::uint64_t steps_left_ = 0;
  std::string_view given_up_;
};

}  // namespace BELAY_NAMESPACE::schema
