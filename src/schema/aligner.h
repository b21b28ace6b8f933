// The two halves of aligning: what to change, and the copy with the changes made.
#pragma once

#include <belay/json/builder.h>
#include <belay/schema/align.h>

#include "schema/machine.h"
#include "schema/program.h"

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace BELAY_NAMESPACE::schema {

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

/// Proposes edits by what is wrong: a value that breaks no rule is never looked at, let alone changed.
class Aligner {
 public:
  /// `dropped`: the names of members whose null was dropped in rounds before.
  Aligner(const Program& program, json::Value root, const Machine& machine, const std::vector<std::string>& dropped)
      : p_(program), root_(root), machine_(machine), dropped_(dropped) {}
  /// One edit for each value that has a fault and can be helped.
  Changes propose();

 private:
  void on_type(const Fault& fault, std::uint64_t types);
  void on_values(const Fault& fault, const std::vector<json::Value>& values);
  void on_missing(const Fault& fault);
  void on_unknown(const Fault& fault);
  [[nodiscard]] std::vector<json::Value> values_of(const Fault& fault) const;
  [[nodiscard]] const ObjectRule* rule_beside(Index op);
  [[nodiscard]] const ObjectRule* rule_that_refuses(const Op& op);
  [[nodiscard]] std::size_t object_of(std::size_t key);
  std::string_view near(std::string_view name, const std::vector<std::string_view>& names);
  bool drop_null(const Fault& fault);
  Change& change(std::size_t node, AlignKind kind) {
    Change& c = changes_[node];
    c.kind = kind;
    return c;
  }
  [[nodiscard]] json::Value value(std::size_t node) const { return {root_.tape(), node}; }

  const Program& p_;
  json::Value root_;
  const Machine& machine_;
  const std::vector<std::string>& dropped_;
  Changes changes_;
  bool ambiguous_ = false;
  // Looked up once, since there may be as many faults as values.
  std::unordered_map<Index, const ObjectRule*> beside_;
  std::unordered_map<std::uint64_t, const ObjectRule*> refusing_;
  std::vector<std::size_t> objects_;  // for each key, its object
  struct Absent {
    const ObjectRule* rule = nullptr;
    std::vector<std::string_view> names;  // that the rule knows and the object has not
    std::vector<std::string_view> taken;  // that other keys are renamed to
  };
  std::unordered_map<std::size_t, Absent> absent_;
  std::size_t comparisons_ = 200'000;  // of names that are left; beyond, a key is dropped rather than renamed
};

/// Makes a copy with the changes, and notes them in the order of the values.
class Applier {
 public:
  Applier(json::Value root, Changes& changes, std::vector<AlignEdit>& edits)
      : root_(root), tape_(*root.tape()), changes_(changes), edits_(edits), out_(unlimited()) {}
  /// Nothing when a key stands twice in one object: one of the two would be lost.
  std::optional<json::Document> run();

 private:
  struct Open {
    std::size_t end;
    bool array;
    std::size_t item = 0;       // of an array: the one that is next
    std::string_view key = {};  // of an object: the last one
  };
  static Limits unlimited() {
    Limits limits;
    limits.depth = kUnlimited;
    return limits;
  }
  void note(const Change& change);
  void take(std::size_t node, Change& change);
  bool member(std::size_t& i);
  void open(std::size_t node, bool array) { open_.push_back({tape_.next(node), array}); }

  json::Value root_;
  const json::Tape& tape_;
  Changes& changes_;
  std::vector<AlignEdit>& edits_;
  json::Builder out_;
  std::vector<Open> open_;
};

}  // namespace BELAY_NAMESPACE::schema
