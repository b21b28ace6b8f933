// Builds values step by step: for the reader, and for grammars that are not JSON.
#pragma once

#include <belay/base.h>
#include <belay/json/partial.h>
#include <belay/json/value.h>

#include <array>
#include <memory>
#include <string_view>
#include <vector>

namespace belay::json {

/// Finds keys that stand twice in one object, in amortised constant time a key, whatever the keys are.
class KeyIndex {
 public:
  KeyIndex();
  KeyIndex(KeyIndex&&) noexcept;
  KeyIndex& operator=(KeyIndex&&) noexcept;
  [[gnu::always_inline]] void enter() {
    if (used_ + 1 >= frames_.size()) [[unlikely]]
      more_frames();
    frames_[++used_] = {};
  }
  void leave() {
    if (top().table) [[unlikely]]
      free_tables_.push_back(top().table);
    --used_;
  }
  /// `key` is a node of the innermost object `object`. True when that object has the key already.
  bool repeats(const Tape& tape, std::size_t object, std::size_t key) {
    std::uint64_t h = hash(tape.text(key));
    return !adds(h) && slow_repeats(tape, object, key, h);
  }
  /// The quick half of repeats(): true when a key of this hash is certainly new, and now counted.
  bool adds(std::uint64_t h) {
    Frame& f = top();
    std::uint64_t bit = std::uint64_t{1} << (h & 63);
    if ((f.mask & bit) || f.keys >= kManyKeys) return false;
    f.mask |= bit;
    ++f.keys;
    return true;
  }
  bool slow_repeats(const Tape& tape, std::size_t object, std::size_t key, std::uint64_t h);
  /// For a key that adds() does not know to be new, and that is not in the tape yet, of which `end` is the end: true
  /// when its object is a small one and has no such key, and now it is counted.
  bool adds_by_name(const Tape& tape, std::size_t object, std::size_t end, std::string_view name);
  [[nodiscard]] std::uint64_t hash(std::string_view s) const {
    if (s.size() > 16) return long_hash(s);
    const char* p = s.data();
    std::size_t n = s.size();
    if (n >= 8) return short_hash(load(p, 8), n > 8 ? load(p + n - 8, 8) >> (128 - 8 * n) : 0, n);
    std::uint64_t a = 0;
    if (n >= 4)
      a = load(p, 4) | load(p + n - 4, 4) << (8 * n - 32);
    else if (n > 0)
      a = load(p, 1) | load(p + n / 2, 1) << (8 * (n / 2)) | load(p + n - 1, 1) << (8 * n - 8);
    return short_hash(a, 0, n);
  }
  /// The same for a key behind which 16 bytes can be read, whatever they are: without asking how long it is.
  [[nodiscard]] std::uint64_t hash_padded(std::string_view s) const {
    std::size_t n = s.size();
    if (n > 16) return long_hash(s);
    return short_hash(load(s.data(), 8) & kWithin[n + 8], load(s.data() + 8, 8) & kWithin[n], n);
  }
  /// A byte that the reader keeps with each open object, and with none.
  [[nodiscard]] std::uint8_t& note() { return top().note; }
  /// Starts over from the objects that are open in the tape. O(their members).
  void rebuild(const Tape& tape);
  void clear();

 private:
  struct Frame {
    std::uint64_t mask = 0;  ///< one bit for each hash seen
    std::uint32_t keys = 0;
    std::uint32_t table = 0;  ///< 1-based, when there are many keys
    std::uint8_t note = 0xff;
  };
  struct Table {
    std::vector<std::uint64_t> slots;
    std::size_t used = 0;
  };
  static constexpr std::uint32_t kManyKeys = 24;
  /// Those of the second eight bytes that lie within n, and at n + 8 those of the first.
  static constexpr std::array<std::uint64_t, 25> kWithin = [] {
    std::array<std::uint64_t, 25> t{};
    for (std::size_t n = 9; n < t.size(); ++n)
      t[n] = n < 16 ? ~(~std::uint64_t{0} << (8 * (n - 8))) : ~std::uint64_t{0};
    return t;
  }();
  [[nodiscard]] Frame& top() { return frames_[used_]; }
  void more_frames();
  static std::uint64_t load(const char* p, std::size_t n) {
    std::uint64_t v = 0;
    std::memcpy(&v, p, n);
    return v;
  }
  static std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
    __extension__ using Wide = unsigned __int128;
    Wide product = static_cast<Wide>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
  }
  [[nodiscard]] std::uint64_t short_hash(std::uint64_t a, std::uint64_t b, std::size_t n) const {
    return mix(a ^ 0xe7037ed1a0b428dbull, b ^ seed_ ^ n);
  }
  [[nodiscard]] std::uint64_t long_hash(std::string_view) const;
  bool insert(Table&, const Tape&, std::size_t key, std::uint64_t h);
  bool add_to_table(Frame&, const Tape&, std::size_t object, std::size_t key, std::uint64_t h);

  std::vector<Frame> frames_;  ///< the first stands below all objects
  std::size_t used_ = 0;       ///< objects that are open
  std::vector<std::unique_ptr<Table>> tables_;
  std::vector<std::uint32_t> free_tables_;
  std::uint64_t seed_;
};

/// Builds one document. Calls must follow the shape of JSON: a key before each member's value, numbers spelled as JSON
/// has them, everything closed before take(). That is the caller's duty; what is built otherwise is not JSON. Values of
/// a repeated key are built and dropped: the first stands.
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
  /// Goes on with a string that is open in the tape's arena already.
  void resume_string(std::size_t node) { string_ = node; }

  [[nodiscard]] std::size_t depth() const { return depth_; }
  /// The first value so far. See Partial.
  [[nodiscard]] MaybePartial value() const;
  /// Closes everything that is open, as it stands; a key without a value goes.
  void close_all();
  [[nodiscard]] Document take();
  void clear();

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

}  // namespace belay::json
