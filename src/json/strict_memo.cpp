// What the fast half remembers of keys: texts repeat themselves, and the bytes between two values with them.
#include "json/scan.h"
#include "json/strict.h"

#include <algorithm>

namespace BELAY_NAMESPACE::json {

// A key that was not expected. Where keys do not come again in the same way, remembering all of them is not worth its
// time; now and then it is tried again.
std::uint8_t Strict::note_key(std::string_view name, std::uint64_t hash, const char* member, const char* from,
                              const char* p, const char* to, std::uint8_t before) {
  if (hits_ != 0) {
    strange_ =
        static_cast<std::int8_t>(std::max(strange_ - static_cast<int>(std::min(hits_, 2u * kTries)), -int{kTries}));
    if (strange_ == -kTries) shapeless_ = false;
    hits_ = 0;
  }
  if (shapeless_ && ++misses_ % 1024 >= kBudget) return kNoMemo;
  std::uint8_t memo = member || carried_ == 0 ? remember(name, hash, member, p, to, before)
                                              : remember_cut(name, hash, from, p, to, before);
  if (memo == kNoMemo && ++strange_ > kTries) {
    strange_ = kTries;
    shapeless_ = true;
  }
  return memo;
}

// Keeps the bytes around a key with the key, if it was seen before: from the separator to the value.
std::uint8_t Strict::remember(std::string_view name, std::uint64_t hash, const char* from, const char* p,
                              const char* to, std::uint8_t before) {
  auto i = static_cast<std::uint8_t>(memo_slot(hash));
  // Two keys of one text may share a slot, and would drive each other out again and again: the second has the one
  // beside.
  auto taken = [&](std::size_t k) { return memos_[k].generation != 0 && memos_[k].hash != hash; };
  if (taken(i) && !taken(i ^ 1u)) i ^= 1u;
  std::uint32_t tag = memo_tag(hash);
  Memo& m = memos_[i];
  if (m.hash == hash && m.generation != 0) {
    // Known, perhaps from the last text; it may follow another key than then, or be spaced in another way.
  } else if (memo_tags_[i] != tag) {
    memo_tags_[i] = tag;
    return kNoMemo;
  } else {
    m.next = kNoMemo;
    m.generation = 0;
  }
  auto quoted = static_cast<std::size_t>(p - from), length = std::size_t{0};
  if (!from || quoted > static_cast<std::size_t>(kMemoBytes)) return m.generation == generation_ ? i : kNoMemo;
  if (p != to && *p == ':') {
    ++p;
    while (p != to && is_space(*p)) ++p;
    length = static_cast<std::size_t>(p - from);
    if (p == to || length > static_cast<std::size_t>(kMemoBytes)) length = 0;
  }
  std::size_t known = length != 0 ? length : quoted;
  if (m.generation != generation_ || m.quoted != quoted || (length != 0 && m.length != length) ||
      std::memcmp(m.bytes, from, known) != 0) {
    m.hash = hash;
    m.generation = generation_;
    m.key = name.data();
    m.size = static_cast<std::uint8_t>(name.size());
    // Before the key there is only what separates it; without escapes it is as long as it was written.
    auto opener = static_cast<std::size_t>(std::find(from, from + quoted, '"') - from);
    m.name = opener + name.size() + 2 == quoted ? static_cast<std::uint8_t>(opener + 1) : std::uint8_t{0};
    // Half a character must not wait: what follows may show that it is none, and then it would have to be unread.
    m.quoted = ascii_small(from, quoted) ? static_cast<std::uint8_t>(quoted) : std::uint8_t{0};
    m.length = static_cast<std::uint8_t>(length);
    m.need = length == 32 ? 0xffffffffu : (1u << length) - 1;
    std::memcpy(m.bytes, from, known);
    m.lines = m.last_line = 0;
    for (std::size_t k = 0; k < known; ++k)
      if (from[k] == '\n') ++m.lines, m.last_line = static_cast<std::uint8_t>(k + 1);
  }
  if (before == kFirstMemo)
    first_memo_ = i;
  else if (before != kNoMemo)
    memos_[before].next = i;
  return i;
}

// A memo of the last text is as good in this one, but for the key, which went with that text: here it is once more.
[[gnu::noinline]] bool Strict::renew(Memo& m) {
  if (m.name == 0) return false;
  Arena& arena = s_.tape().arena();
  arena.ensure(m.size);
  m.key = arena.at();
  m.generation = generation_;
  arena.append({m.bytes + m.name, m.size});
  return true;
}

// The same for a member whose first bytes came with other pieces.
std::uint8_t Strict::remember_cut(std::string_view name, std::uint64_t hash, const char* from, const char* p,
                                  const char* to, std::uint8_t before) {
  char joined[3 * kMemoBytes];
  auto more = static_cast<std::size_t>(p - from),
       all = std::min(static_cast<std::size_t>(to - from), more + kMemoBytes);
  if (more > static_cast<std::size_t>(kMemoBytes)) return remember(name, hash, nullptr, p, to, before);
  std::memcpy(joined, carry_.data(), carried_);
  std::memcpy(joined + carried_, from, all);
  return remember(name, hash, joined, joined + carried_ + more, joined + carried_ + all, before);
}

// Keeps the raw bytes of a member whose key was cut, as long as a memo could hold them.
void Strict::carry(const char* from, const char* to) {
  auto n = static_cast<std::size_t>(to - from);
  if (n > carry_.size() - carried_) {
    carried_ = 0;
    return;
  }
  std::memcpy(carry_.data() + carried_, from, n);
  carried_ = static_cast<std::uint8_t>(carried_ + n);
}

}  // namespace BELAY_NAMESPACE::json
