// The loop for long pieces: whole plain tokens, one after the other, with as few decisions as the shape of a text
// leaves. Where nothing repeats, a branch that goes the other way costs more than all the work for a token.
#include "json/scan.h"
#include "json/strict.h"
#include "json/strict_tables.h"

#include <algorithm>

namespace BELAY_NAMESPACE::json {

namespace {

constexpr std::array<bool, 256> make_ends() {
  std::array<bool, 256> t{};
  for (std::size_t c = 0; c < t.size(); ++c) t[c] = ends_number(static_cast<char>(c));
  return t;
}
constexpr auto kEndsNumber = make_ends();

// The bytes of a word that a number of so many characters has; none when it does not fit.
constexpr std::array<std::uint64_t, 32> make_first() {
  std::array<std::uint64_t, 32> t{};
  for (std::size_t n = 1; n <= 8; ++n) t[n] = ~std::uint64_t{0} >> (64 - 8 * n);
  return t;
}
constexpr auto kFirst = make_first();

// What one key or value can need in the arena: a block with escapes in it, and one more.
constexpr std::size_t kRoom = 192;

}  // namespace

// Reads on from a place between two tokens in a container, or inside of its last string, and gives back where it
// stopped: at the first token that is not plain, or where less than kStride bytes are left. The members are then what
// they would be if run() had read as far as that and the piece had been cut there. What is not plain is for run(), and
// so is what is wrong.
const char* Strict::stride(const char* const from, const char* const to) {
  const char* p = from;
  Tape& tape = s_.tape();
  Arena& arena = tape.arena();
  KeyIndex& keys = s_.builder.keys();
  Tape::Ends& ends = tape.ends();
  const bool keep_repeats = s_.options.mode == Mode::strict;
  const char* const safe = to - kStride;
  Node *const begin = room_.from, *const last = room_.to - 2;
  Node* node = begin;
  Node* container = container_;
  Node* string = nullptr;     // the last string, and its quotes
  Node* known = nullptr;      // the last one with an escape as known_escape_ means it
  std::uint64_t special = 0;  // as copy32(), of the block at p inside of a string
  char* text = nullptr;       // where a string that is more than one block begins
  bool told = false;          // of known; by a branch for each escape it would take longer than the escape
  const char *opened = nullptr, *closed = nullptr, *comma = nullptr, *line = nullptr;
  const std::size_t had = ends.size;
  const std::uint64_t deepest = s_.options.limits.depth;
  std::size_t& depth = s_.builder.depth_in_place();
  arena.ensure(kRoom);
  char* out = arena.at();
  const char* limit = arena.limit() - kRoom;
  At at = at_;

  const std::uint64_t origin = base_ - reinterpret_cast<std::uint64_t>(from);
  auto offset = [&](const char* q) { return origin + reinterpret_cast<std::uint64_t>(q); };
  auto size = [&] { return had + static_cast<std::size_t>(node - begin); };
  // True when there may not be enough left of anything for one more member.
  auto short_of = [&] {
    if (p > safe || node > last) [[unlikely]]
      return true;
    if (out > limit) [[unlikely]] {
      arena.set_at(out);
      arena.ensure(kRoom);
      out = arena.at();
      limit = arena.limit() - kRoom;
    }
    return false;
  };
  // Where a string has ended the line is noted; that can wait until the next one begins.
  auto note_line = [&] {
    if (closed > line) mark_line_ = line_, mark_line_start_ = line_start_;
  };
  auto skip_space = [&] {
    while (is_space(*p) && p <= safe) {
      if (*p == '\n') {
        note_line();
        ++line_;
        line = p;
        line_start_ = offset(p) + 1;
      }
      ++p;
    }
    return p <= safe;
  };
  // Up to 32 plain bytes and the quote; whatever else there is in a string is for long_string.
  auto take_string = [&]() __attribute__((always_inline)) {
    Quoted q = copy_quoted(p + 1, out);
    container->head += 256;
    string = node++;
    opened = p++;
    *string = {head(Tag::string, q.size), reinterpret_cast<std::uint64_t>(out)};
    if (q.odd) {
      special = static_cast<std::uint32_t>(q.special);  // without the bit behind the block
      return false;
    }
    p += q.size;
    out += q.size;
    closed = p++;
    return true;
  };
  auto take_number = [&]() __attribute__((always_inline)) {
    NumberScan n = scan_number(p);
    if (!n.right || n.size >= 32 || !kEndsNumber[static_cast<unsigned char>(p[n.size])]) return false;
    std::uint64_t word;
    std::memcpy(&word, p, 8);
    move32(p, out);
    // Up to eight characters lie in the node; which it is must not be a branch.
    std::uint64_t lies_there = (8 - n.size) >> 63;
    asm("" : "+r"(lies_there));
    const std::uint64_t there = 0 - lies_there;
    const std::uint64_t few = kFirst[n.size];
    container->head += 256;
    *node++ = {head(Tag::short_number, n.size) + lies_there,
               (word & few) | (reinterpret_cast<std::uint64_t>(out) & there)};
    out += n.size & there;
    p += n.size;
    return true;
  };
  auto take_literal = [&]() __attribute__((always_inline)) {
    auto which =
        static_cast<std::size_t>(kBegins[static_cast<unsigned char>(*p)]) - static_cast<std::size_t>(Begins::yes);
    if (which > 2) return false;
    // Four letters, or five of which the first is known.
    std::size_t more = which == 1 ? 1 : 0;
    if (std::memcmp(p + more, &kLiteralWords[which][more], 4) != 0 ||
        !kEndsNumber[static_cast<unsigned char>(p[4 + more])])
      return false;
    container->head += 256;
    *node++ = {head(kLiteralTags[which], 0), 0};
    p += 4 + more;
    return true;
  };
  auto open = [&](Tag tag) __attribute__((always_inline)) {
    if (depth >= deepest) [[unlikely]]
      return false;
    ++depth;
    container->head += 256;
    std::size_t i = size();
    *node = {head(tag, 0) | Node::kOpen, ends.innermost};
    ends.innermost = i;
    container = node++;
    ++p;
    return true;
  };
  auto close = [&](std::size_t parent) __attribute__((always_inline)) {
    container->head &= ~Node::kOpen;
    container->body = size();
    ends.last_closed = ends.innermost;
    ends.innermost = parent;
    container = &tape.at(parent);
    --depth;
    ++p;
  };

  if (at == At::after) {
    if (object_) goto object_after;
    goto array_after;
  }
  if (at == At::string) {
    string = begin - 1;
    text = arena.open_string();
    arena.close();
    told = known_escape_;
    special = copy32(p, out);
    goto string_on;
  }
  if (object_) goto object_value;

array_value:
  if (short_of()) goto leave_value;
  if (*p == '"') {
    if (!take_string()) goto long_string;
    goto array_after;
  }
  if (*p <= '9' && *p >= '-') {
    if (!take_number()) goto leave_value;
    goto array_after;
  }
  if (*p == '{') {
    if (!open(Tag::object)) goto leave_value;
    goto object_begins;
  }
  if (*p == '[') {
    if (!open(Tag::array)) goto leave_value;
    goto array_value;
  }
  if (*p >= 'a') {
    if (!take_literal()) goto leave_value;
    goto array_after;
  }
  if (is_space(*p)) {
    if (!skip_space()) goto leave_value;
    goto array_value;
  }
  if (*p == ']' && container->head < 256) goto closes;
  goto leave_value;

array_after:
  if (*p == ',') {
    comma = p++;
    if (*p == ' ') ++p;
    goto array_value;
  }
  if (*p != ']') {
    if (!is_space(*p) || !skip_space()) goto leave_after;
    goto array_after;
  }

closes: {
  std::size_t parent = static_cast<std::size_t>(container->body);
  if (parent == Tape::kNone || p > safe) [[unlikely]]
    goto leave_closing;
  close(parent);
  if (container->tag() == Tag::object) goto object_after;
  goto array_after;
}

object_closes: {
  std::size_t parent = static_cast<std::size_t>(container->body);
  if (parent == Tape::kNone || p > safe) [[unlikely]]
    goto leave_closing;
  keys.leave();
  close(parent);
  if (container->tag() != Tag::object) goto array_after;
}

object_after:
  if (*p == ',') {
    comma = p++;
    at = At::key;
    if (*p == ' ') ++p;
    if (*p != '"') {
      if (!skip_space() || *p != '"') goto leave;
    }
    goto key;
  }
  if (*p == '}') goto object_closes;
  if (!is_space(*p) || !skip_space()) goto leave_after;
  goto object_after;

object_begins:
  keys.note() = kNoMemo;
  keys.enter();
  at = At::first_key;
  if (*p == '}') goto object_closes;
  if (*p != '"') {
    if (!skip_space()) goto leave;
    if (*p == '}') goto object_closes;
    if (*p != '"') goto leave;
  }

key: {
  if (short_of()) goto leave;
  if (++tried_ > kBudget) [[unlikely]] {
    // Does it repeat itself by now?
    shapeless_ = familiar_ < kBudget - kBudget / 8;
    strange_ = 0;
    tried_ = familiar_ = 0;
    if (!shapeless_) goto leave;
  }
  Quoted q = copy_quoted(p + 1, out);
  const std::size_t k = q.size;
  if (q.odd || p[k + 2] != ':') goto leave;
  *node = {head(Tag::key, k), reinterpret_cast<std::uint64_t>(out)};
  std::uint64_t h = keys.hash_padded({out, k});
  if (!keep_repeats && !keys.adds(h)) [[unlikely]] {
    ends.size = size() + 1;
    if (keys.slow_repeats(tape, ends.innermost, size(), h)) goto leave;
  }
  std::uint32_t& tag = memo_tags_[memo_slot(h)];
  familiar_ += tag == memo_tag(h);
  tag = memo_tag(h);
  ++node;
  out += k;
  p += k + 3;
  if (*p == ' ') ++p;
}

object_value:
  if (short_of()) goto leave_value;
  if (*p == '"') {
    if (!take_string()) goto long_string;
    goto object_after;
  }
  if (*p <= '9' && *p >= '-') {
    if (!take_number()) goto leave_value;
    goto object_after;
  }
  if (*p == '{') {
    if (!open(Tag::object)) goto leave_value;
    goto object_begins;
  }
  if (*p == '[') {
    if (!open(Tag::array)) goto leave_value;
    goto array_value;
  }
  if (*p >= 'a') {
    if (!take_literal()) goto leave_value;
    goto object_after;
  }
  if (is_space(*p)) {
    if (!skip_space()) goto leave_value;
    goto object_value;
  }
  goto leave_value;

long_string:
  // Any string, to its quote: at p is a block of which it is known what is special in it.
  text = out;
  told = false;
string_on: {
  std::ptrdiff_t width = 32;
  while (true) {
    // All that is special in a block, one after the other, from the one mask.
    const char* const block = p + width;
    while (special != 0) {
      auto k = first(special);
      p += k;
      out += k;
      std::size_t length = 2;
      if (*p == '"') goto string_ends;
      if (*p != '\\') goto leave_string;
      if (char e = kEscapes[static_cast<unsigned char>(p[1])]) {
        told |= tells(p[1]);
        *out++ = e;
      } else {
        char* o = out;  // a copy, so that the compiler may keep the other in a register
        length = copy_unicode(p, static_cast<std::size_t>(to - p), o);
        if (length == 0) goto leave_string;
        out = o;
        told = true;
      }
      p += length;
      special = special >> k >> length;
      move32(p, out);
      move32(p + 32, out + 32);
    }
    if (p < block) {
      out += block - p;
      p = block;
    }
    if (p > safe) goto leave_string;
    if (out > limit) [[unlikely]] {
      // It may move; a long one gets all the room that the rest of the piece can need, so that it does so only once.
      auto so_far = static_cast<std::size_t>(out - text), rest = static_cast<std::size_t>(to - p) + behind_;
      arena.set_open(text);
      arena.set_at(out);
      arena.ensure(kRoom + (so_far >= kLongString ? rest : std::min(rest, std::max<std::size_t>(so_far, 128))));
      text = arena.open_string();
      out = arena.at();
      limit = arena.limit() - kRoom;
      arena.close();
    }
    special = copy32(p, out);
    special |= copy32(p + 32, out + 32) << 32;
    width = 64;
  }
string_ends:
  if (told) known = string;
  *string = {head(Tag::string, static_cast<std::size_t>(out - text)), reinterpret_cast<std::uint64_t>(text)};
  closed = p++;
  if (container->tag() == Tag::object) goto object_after;
  goto array_after;

leave_string:
  if (told) known = string;
  *string = {head(Tag::string, 0), reinterpret_cast<std::uint64_t>(text)};
  at = At::string;
  arena.set_open(text);
  goto leave;
}

leave_value:
  at = At::value;
  if (container->tag() == Tag::array && container->head < 256) at = At::first_value;
  goto leave;

leave_closing:
  if (container->head >= 256) goto leave_after;
  at = *p == ']' ? At::first_value : At::first_key;
  goto leave;

leave_after:
  at = At::after;

leave:
  at_ = at;
  arena.set_at(out);
  room_.from = node;
  ends.size = size();
  container_ = container;
  object_ = container->tag() == Tag::object;
  memo_ = kNoMemo;
  note_line();
  if (comma) token_ = comma_ = offset(comma);
  if (string) {
    string_ = had + static_cast<std::size_t>(string - begin);
    if (opened) string_at_ = offset(opened);
    known_escape_ = known == string;
  }
  base_ += static_cast<std::uint64_t>(p - from);
  if (closed) {
    closed_ = tail_from_ = offset(closed);
    tail_.clear();
    keep_tail(closed, p);
  } else if (!tail_.empty()) {
    keep_tail(from, p);
  }
  return p;
}

}  // namespace BELAY_NAMESPACE::json
