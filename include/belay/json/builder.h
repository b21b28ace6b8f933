// Builds values step by step: for the reader, and for grammars that are not JSON.
#pragma once

#include <belay/base.h>
#include <belay/json/key_index.h>
#include <belay/json/partial.h>
#include <belay/json/value.h>

#include <string_view>

namespace BELAY_NAMESPACE::json {
BELAY_API_BEGIN

/// Builds one document. Calls must follow the shape of JSON: a key before each member's value, numbers spelled as JSON
/// has them, strings and keys in valid UTF-8, everything closed before take(). That is the caller's duty; what is built
/// otherwise is not JSON. Values of a repeated key are built and dropped: the first stands. Of the limits, depth
/// counts; how many bytes are built is up to the caller.
class Builder {
 public:
  explicit Builder(Limits limits = {}) : limits_(limits) {}

  /// False, and nothing is opened, when Limits::depth would be passed.
  bool open_object();
  bool open_array();
  void close();
  /// False when the innermost object has the key already: the member that follows will be dropped.
  bool key(std::string_view);
  void null() {
    tape_.leaf(Tag::null);
    end_value();
  }
  void boolean(bool b) {
    tape_.leaf(b ? Tag::yes : Tag::no);
    end_value();
  }
  /// `text` must be a JSON number.
  void number(std::string_view text) {
    tape_.number(text);
    end_value();
  }
  void string(std::string_view);
  /// A copy of a finished value, all of it whatever its depth.
  void copy(Value);
  /// A string in pieces. Pieces must be whole characters of valid UTF-8.
  void open_string();
  void append(std::string_view);
  void close_string();

  [[nodiscard]] std::size_t depth() const { return depth_; }
  /// The first value so far. See Partial.
  [[nodiscard]] MaybePartial value() const;
  /// Closes everything that is open, as it stands; a key without a value goes.
  void close_all();
  [[nodiscard]] Document take();
  void clear();

  // What follows is for the reader, which builds in place.

  /// Goes on with a string that is open in the tape's arena already.
  void resume_string(std::size_t node) { string_ = node; }
  /// Stands for a key that is missing: the member that follows will be dropped.
  void no_key() {
    if (dropped_from_ != Tape::kNone) {
      key("");  // its object goes as a whole; until then it is an object like any other
      return;
    }
    drop_member(tape_.size());
    tape_.text(Tag::key, "", 0);
  }
  /// Takes back a key whose value never came. It must be the last thing built.
  void forget_key() {
    tape_.truncate(tape_.size() - 1);
    if (dropped_from_ != Tape::kNone && dropped_from_ >= tape_.size()) dropped_from_ = dropped_in_ = Tape::kNone;
  }
  [[nodiscard]] Tape& tape() { return tape_; }
  [[nodiscard]] const Tape& tape() const { return tape_; }
  [[nodiscard]] KeyIndex& keys() { return keys_; }
  /// Nodes from here on belong to a member that will be dropped, or kNone.
  [[nodiscard]] std::size_t dropped_from() const { return dropped_from_; }
  void set_depth(std::size_t depth) { depth_ = depth; }
  [[nodiscard]] std::size_t& depth_in_place() { return depth_; }
  /// The key node that was just pushed repeats an earlier one: drop its member when it ends.
  void drop_member(std::size_t key_node) {
    if (dropped_from_ == Tape::kNone) dropped_from_ = key_node, dropped_in_ = tape_.innermost();
  }

 private:
  void end_value() {
    if (dropped_from_ != Tape::kNone && tape_.innermost() == dropped_in_) drop();
  }
  void drop();
  Limits limits_;
  Tape tape_;
  KeyIndex keys_;
  std::size_t depth_ = 0;
  std::size_t dropped_from_ = Tape::kNone;
  std::size_t dropped_in_ = Tape::kNone;
  std::size_t string_ = Tape::kNone;  ///< the open string's node
  mutable Shown shown_;               ///< what value() gave last
};

BELAY_API_END
}  // namespace BELAY_NAMESPACE::json
