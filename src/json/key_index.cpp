// Keys that repeat. Small objects are covered by one 64-bit mask; when a bit is set already, the keys themselves are
// compared. Large ones get a hash table, whose hash is seeded by this object's address: no text can be made to collide.
#include <belay/json/builder.h>

#include <bit>

namespace belay::json {
namespace {

constexpr std::uint32_t kManyKeys = 24;

std::uint64_t load(const char* p, std::size_t n) {
  std::uint64_t v = 0;
  std::memcpy(&v, p, n);
  return v;
}

std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  Wide product = static_cast<Wide>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

}  // namespace

KeyIndex::KeyIndex() : seed_(mix(reinterpret_cast<std::uintptr_t>(this) | 1, 0x9e3779b97f4a7c15ull)) {}

std::uint64_t KeyIndex::hash(std::string_view s) const {
  std::uint64_t h = seed_ ^ s.size();
  const char* p = s.data();
  std::size_t n = s.size();
  for (; n > 16; p += 16, n -= 16) h = mix(load(p, 8) ^ 0xa0761d6478bd642full, load(p + 8, 8) ^ h);
  std::uint64_t a = 0, b = 0;
  if (n >= 8) {
    a = load(p, 8);
    b = load(p + n - 8, 8);
  } else if (n >= 4) {
    a = load(p, 4);
    b = load(p + n - 4, 4);
  } else if (n > 0) {
    a = load(p, 1) << 16 | load(p + n / 2, 1) << 8 | load(p + n - 1, 1);
  }
  return mix(a ^ 0xe7037ed1a0b428dbull, b ^ h);
}

void KeyIndex::leave() {
  if (frames_.back().table) free_tables_.push_back(frames_.back().table);
  frames_.pop_back();
}

bool KeyIndex::repeats(const Tape& tape, std::size_t object, std::size_t key) {
  Frame& f = frames_.back();
  std::uint64_t h = hash(tape.text(key));
  if (f.table || f.keys >= kManyKeys) return add_to_table(f, tape, object, key, h);
  std::uint64_t bit = std::uint64_t{1} << (h & 63);
  if (f.mask & bit) {
    std::string_view text = tape.text(key);
    for (std::size_t i = object + 1; i < key; i = tape.next(i + 1))
      if (tape.text(i) == text) return true;
  }
  f.mask |= bit;
  ++f.keys;
  return false;
}

bool KeyIndex::add_to_table(Frame& f, const Tape& tape, std::size_t object, std::size_t key, std::uint64_t h) {
  if (!f.table) {
    if (free_tables_.empty()) {
      tables_.push_back(std::make_unique<Table>());
      free_tables_.push_back(static_cast<std::uint32_t>(tables_.size()));
    }
    f.table = free_tables_.back();
    free_tables_.pop_back();
    Table& t = *tables_[f.table - 1];
    t.slots.assign(4 * kManyKeys, 0);
    t.used = 0;
    for (std::size_t i = object + 1; i < key; i = tape.next(i + 1)) insert(t, tape, i, hash(tape.text(i)));
  }
  if (insert(*tables_[f.table - 1], tape, key, h)) return true;
  ++f.keys;
  return false;
}

bool KeyIndex::insert(Table& t, const Tape& tape, std::size_t key, std::uint64_t h) {
  if (t.used * 3 >= t.slots.size() * 2) {
    std::vector<std::uint64_t> old(t.slots.size() * 2, 0);
    old.swap(t.slots);
    for (std::uint64_t slot : old) {
      if (!slot) continue;
      std::size_t i = hash(tape.text(slot - 1)) % t.slots.size();
      while (t.slots[i]) i = i + 1 == t.slots.size() ? 0 : i + 1;
      t.slots[i] = slot;
    }
  }
  std::size_t i = h % t.slots.size();
  for (; t.slots[i]; i = i + 1 == t.slots.size() ? 0 : i + 1)
    if (tape.text(t.slots[i] - 1) == tape.text(key)) return true;
  t.slots[i] = key + 1;
  ++t.used;
  return false;
}

void KeyIndex::rebuild(const Tape& tape) {
  clear();
  std::vector<std::size_t> objects;
  for (std::size_t i = tape.innermost(); i != Tape::kNone; i = static_cast<std::size_t>(tape.node(i).body))
    if (tape.node(i).tag() == Tag::object) objects.push_back(i);
  for (; !objects.empty(); objects.pop_back()) {
    enter();
    for (std::size_t i = objects.back() + 1; i < tape.size(); i = i + 1 < tape.size() ? tape.next(i + 1) : tape.size())
      repeats(tape, objects.back(), i);
  }
}

void KeyIndex::clear() {
  for (; !frames_.empty();) leave();
}

}  // namespace belay::json
