#include "schema/program.h"

#include <bit>
#include <cstring>

namespace BELAY_NAMESPACE::schema {
namespace {

std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  __extension__ using Product = unsigned __int128;
  Product product = static_cast<Product>(a ^ 0x9e3779b97f4a7c15ull) * (b ^ 0xe7037ed1a0b428dbull);
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

constexpr std::uint64_t kOdd = 0x9fb21c651e98df25ull;

std::uint64_t load(const char* p, std::size_t n) {
  std::uint64_t v = 0;
  std::memcpy(&v, p, n);
  return v;
}

}  // namespace

std::uint64_t hash_text(std::string_view s) {
  const char* p = s.data();
  std::size_t n = s.size();
  std::uint64_t h = n;
  // What came before must stay in the hash even where somebody has chosen a factor to be zero: hence the sums.
  for (; n > 16; p += 16, n -= 16) h = std::rotl(h, 29) * kOdd + mix(load(p, 8) ^ h, load(p + 8, 8));
  std::uint64_t a = 0, b = 0;
  if (n >= 8)
    a = load(p, 8), b = load(p + n - 8, 8);
  else if (n >= 4)
    a = load(p, 4), b = load(p + n - 4, 4);
  else if (n > 0)
    a = load(p, 1) << 16 | load(p + n / 2, 1) << 8 | load(p + n - 1, 1);
  return mix(a ^ h, b) + std::rotl(h ^ a, 23) * kOdd + b * kOdd;
}

std::uint64_t hash_value(json::Value value) {
  const json::Tape& tape = *value.tape();
  struct Open {
    std::size_t end;
    std::uint64_t hash, key;
    bool object;
  };
  std::vector<Open> open;
  std::size_t i = value.index();
  while (true) {
    std::uint64_t h = 0;
    const json::Node& node = tape.node(i);
    switch (node.tag()) {
      case json::Tag::null: h = 11; break;
      case json::Tag::no: h = 12; break;
      case json::Tag::yes: h = 13; break;
      case json::Tag::short_number:
      case json::Tag::number: h = Decimal(tape.text(i)).hash(); break;
      case json::Tag::string: h = mix(hash_text(tape.text(i)), 14); break;
      case json::Tag::key: open.back().key = hash_text(tape.text(i++)); continue;
      case json::Tag::array:
      case json::Tag::object: {
        bool object = node.tag() == json::Tag::object;
        open.push_back({tape.next(i++), object ? 15u : 16u, 0, object});
        h = 0;
        if (i < open.back().end) continue;
        h = open.back().hash;
        open.pop_back();
        --i;
        break;
      }
    }
    ++i;
    // A value ended; so may those around it.
    while (true) {
      if (open.empty()) return h;
      Open& o = open.back();
      // Members count in any order, items in theirs.
      o.hash = o.object ? o.hash + mix(o.key, h) : mix(o.hash, h);
      if (i < o.end) break;
      h = o.hash;
      open.pop_back();
    }
  }
}

std::uint8_t types_of(json::Value value) {
  switch (value.kind()) {
    case json::Kind::null: return kNull;
    case json::Kind::boolean: return kBoolean;
    case json::Kind::string: return kString;
    case json::Kind::array: return kArray;
    case json::Kind::object: return kObject;
    case json::Kind::number: break;
  }
  std::string_view text = value.tape()->text(value.index());
  for (char c : text)
    if (c == '.' || c == 'e' || c == 'E') return Decimal(text).integer() ? kInteger | kNumber : kNumber;
  return kInteger | kNumber;
}

}  // namespace BELAY_NAMESPACE::schema
