// Keys that repeat. Small objects are covered by one 64-bit mask; when a bit is set already, the keys themselves are
// compared. Large ones get a hash table, whose hash is seeded by this object's address: no text can be made to collide.
#include <belay/json/builder.h>

namespace BELAY_NAMESPACE::json {

KeyIndex::KeyIndex() : frames_(4), seed_(mix(reinterpret_cast<std::uintptr_t>(this) | 1, 0x9e3779b97f4a7c15ull)) {}

KeyIndex::KeyIndex(KeyIndex&& other) noexcept
    : frames_(std::move(other.frames_)),
      used_(std::exchange(other.used_, 0)),
      tables_(std::move(other.tables_)),
      free_tables_(std::move(other.free_tables_)),
      seed_(other.seed_) {}

KeyIndex& KeyIndex::operator=(KeyIndex&& other) noexcept {
  frames_ = std::move(other.frames_);
  used_ = std::exchange(other.used_, 0);
  tables_ = std::move(other.tables_);
  free_tables_ = std::move(other.free_tables_);
  seed_ = other.seed_;
  return *this;
}

std::uint64_t KeyIndex::long_hash(std::string_view s) const {
  std::uint64_t h = seed_ ^ s.size();
  const char* p = s.data();
  std::size_t n = s.size();
  for (; n > 16; p += 16, n -= 16) h = mix(load(p, 8) ^ 0xa0761d6478bd642full, load(p + 8, 8) ^ h);
  // The last sixteen overlap what was read: the text is longer than that.
  return mix(load(p + n - 16, 8) ^ 0xe7037ed1a0b428dbull, load(p + n - 8, 8) ^ h);
}

void KeyIndex::more_frames() { frames_.resize(2 * used_ + 4); }

bool KeyIndex::slow_repeats(const Tape& tape, std::size_t object, std::size_t key, std::uint64_t h) {
  Frame& f = top();
  if (f.table || f.keys >= kManyKeys) return add_to_table(f, tape, object, key, h);
  std::string_view text = tape.text(key);
  for (std::size_t i = object + 1; i < key; i = tape.next(i + 1))
    if (tape.text(i) == text) return true;
  ++f.keys;
  return false;
}

bool KeyIndex::adds_by_name(const Tape& tape, std::size_t object, std::size_t end, std::string_view name) {
  Frame& f = top();
  if (f.table || f.keys >= kManyKeys) return false;
  for (std::size_t i = object + 1; i < end; i = tape.next(i + 1))
    if (tape.text(i) == name) return false;
  ++f.keys;
  return true;
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
  while (used_ > 0) leave();
  if (!frames_.empty()) note() = 0xff;
}

}  // namespace BELAY_NAMESPACE::json
