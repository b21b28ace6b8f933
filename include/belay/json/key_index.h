// Keys that stand twice in one object: for the builder and the reader.
#pragma once

#include <belay/json/value.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

namespace BELAY_NAMESPACE::json {
BELAY_API_BEGIN

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

BELAY_API_END
}  // namespace BELAY_NAMESPACE::json
