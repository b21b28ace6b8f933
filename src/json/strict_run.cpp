// The main loop of the fast half: tokens of strict JSON, one after the other.
#include "json/number.h"
#include "json/scan.h"
#include "json/strict.h"
#include "json/strict_tables.h"

#include <algorithm>
#include <type_traits>

namespace BELAY_NAMESPACE::json {

namespace {

template <bool kInPlace, class T>
using InPlace = std::conditional_t<kInPlace, T&, T>;

// True when all of a memo's bytes, up to the value, can lie in what is left of the piece, and one more.
bool whole(std::uint8_t length, std::ptrdiff_t left) { return length != 0 && left > length; }

}  // namespace

// What the loop touches for every token lives in locals, because stores of characters could alias anything else. For a
// small piece it is cheaper to work on the members themselves (kSmall): fetching and storing them all would be most of
// the work. Of a line (kLine) it is known what is special in it, and there is a copy that may be read beyond its end.
template <bool kText, Strict::Piece kPiece>
std::size_t Strict::run(const char* const from, const char* const to, const Padded padded) {
  constexpr bool kLine = kPiece == Piece::line, kSmall = kPiece == Piece::few || kLine;
  Tape& tape = s_.tape();
  Arena& arena = tape.arena();
  KeyIndex& keys = s_.builder.keys();
  std::size_t& depth = s_.builder.depth_in_place();
  InPlace<kSmall, Tape::Ends> ends = tape.ends();
  InPlace<kSmall, Arena::Cursor> cursor = arena.cursor();
  InPlace<kSmall, Tape::Room> room = room_;
  InPlace<kSmall, Node*> container = container_;
  InPlace<kSmall, bool> object = object_;
  InPlace<kSmall, std::uint8_t> memo = memo_;
  InPlace<kSmall, At> at = at_;
  const bool keep_repeats = s_.options.mode == Mode::strict;
  const char* p = from;
  const char* commit = nullptr;   // what comes before it is certain
  const char* key_end = nullptr;  // of the last key: the same, if key_certain
  bool key_certain = false;
  const char* start = nullptr;
  const char* member = nullptr;  // where the separator before the current key began, in this piece
  std::uint8_t guess = kNoMemo;
  std::string_view digits;
  Node* slot = nullptr;
  char*& out = cursor.at;
  char*& text = cursor.open;
  char* limit = nullptr;  // while a string is read: where out must not be any more

  const std::uint64_t origin = base_ - reinterpret_cast<std::uint64_t>(from);
  auto offset = [&](const char* q) { return origin + reinterpret_cast<std::uint64_t>(q); };
  // Where the piece ends inside a member that begins like the one expected, its bytes wait for the rest of the key:
  // one look at all of them is cheaper than many at a few. Up to that key's end they change nothing that is shown.
  auto may_wait = [&] {
    const Memo& m = memos_[guess];
    auto left = static_cast<std::size_t>(to - p);
    if (kText || left > m.quoted || settling_ || (behind_ | utf8_pending_) != 0 || ends.size < 2) return false;
    if (string_ + 1 == ends.size && offset(p) - closed_ > kHold / 2) return false;
    if (!same(m.bytes, p, left)) return false;
    expected_ = guess;
    waiting_ = static_cast<std::uint8_t>(left);
    return true;
  };
  auto push_node = [&](std::uint64_t h, std::uint64_t b) __attribute__((always_inline)) {
    *room.from++ = {h, b};
    ++ends.size;
    if (room.from == room.to) [[unlikely]] {
      room = tape.room(ends.size);
      // The first chunk moves when it grows.
      if (ends.innermost != Tape::kNone) container = &tape.at(ends.innermost);
    }
  };
  auto open_container = [&](Tag tag) __attribute__((always_inline)) {
    ++depth;
    if (!container) {
      top_ = offset(p);
      mark_line_ = line_;
      mark_line_start_ = line_start_;
      if (!kText) commit = p;
    } else {
      container->head += 256;
    }
    std::size_t i = ends.size;
    container = room.from;
    push_node(head(tag, 0) | Node::kOpen, ends.innermost);
    ends.innermost = i;
    if (room.from != container + 1) container = &tape.at(i);
    ++p;
    // The first bracket may yet turn out to be prose.
    if (kText && depth > 1) commit = p;
  };
  auto count = [&] {
    if (container) container->head += 256;
  };
  // The arena may move the open string when it grows.
  auto more_room = [&](std::size_t bytes) {
    if constexpr (!kSmall) arena.cursor() = cursor;
    arena.ensure(bytes);
    if constexpr (!kSmall) cursor = arena.cursor();
  };
  auto fresh = [&](Memo& m) {
    if constexpr (!kSmall) arena.cursor() = cursor;
    bool good = renew(m);
    if constexpr (!kSmall) cursor = arena.cursor();
    return good;
  };
  // Two keys of an object may share the bit by which they are known, in all objects of the text.
  auto new_key = [&](const Memo& m) {
    return keys.adds_by_name(tape, ends.innermost, ends.size, {m.key, std::size_t{m.size}});
  };
  // Copies, so that the compiler may keep the two in registers.
  auto read_escape = [&] {
    const char* q = p;
    char* o = out;
    Escape e = escape(q, to, o);
    p = q;
    out = o;
    return e;
  };
  auto full = [&](std::size_t bytes) {
    return static_cast<std::size_t>(cursor.end - cursor.at) < Arena::kSlack + bytes;
  };

  if (p == to) return 0;
  switch (at) {
    case At::start:
      if (!room.from) {
        room = tape.room(0);
        if (full(0)) more_room(0);  // so that a string has a place to begin; when it goes on it asks for room
      }
      if (*p == '{') goto object_opens;  // mostly: a jump that is always the same is foreseen
      goto value;
    case At::value:
    case At::first_value: goto plain_value;
    case At::first_key:
      if (carried_ == 0) goto first_member;
      goto key;
    case At::key: goto key;
    case At::colon: goto colon;
    case At::after: goto plain_after;
    case At::done: goto done;
    case At::string:
      slot = &tape.at(string_);
      if (kSmall && *p == '"') goto string_end;
      goto string;
    case At::key_string: goto string;
    case At::number: goto number_on;
    case At::literal: goto literal_on;
  }

value:
  if (kPiece == Piece::step && container && to - p > kStride) goto out;
plain_value:
  switch (kBegins[static_cast<unsigned char>(*p)]) {
    case Begins::space:
      do {
        if (*p == '\n') ++line_, line_start_ = offset(p) + 1;
        if (++p == to) goto out;
      } while (is_space(*p));
      goto value;
    case Begins::string: goto value_string;
    case Begins::object: goto object_opens;
    case Begins::array:
      if (!container && s_.options.root == Root::object) goto unexpected;
      if (depth >= s_.options.limits.depth) [[unlikely]]
        goto too_deep;
      object = false;
      open_container(Tag::array);
      at = At::first_value;
      if (p == to) goto out;
      goto value;
    case Begins::number:
      if (!container && s_.options.root == Root::object) goto unexpected;
      goto number;
    case Begins::yes:
    case Begins::no:
    case Begins::null: goto literal;
    case Begins::closer:
      if (at == At::first_value) goto plain_after;  // which closes it
      [[fallthrough]];
    case Begins::nothing: goto unexpected;
  }

object_opens:
  if (depth >= s_.options.limits.depth) [[unlikely]]
    goto too_deep;
  object = true;
  open_container(Tag::object);
  keys.note() = memo;
  keys.enter();
  memo = kFirstMemo;
  at = At::first_key;
  member = nullptr;
  carried_ = 0;
  if (p == to) goto out;
  goto first_member;

value_string:
  if (!container && s_.options.root == Root::object) goto unexpected;
  string_at_ = offset(p);
  known_escape_ = false;
  text = out;
  count();
  string_ = ends.size;
  slot = room.from;
  push_node(head(Tag::string, 0), reinterpret_cast<std::uint64_t>(text));
  if (room.from != slot + 1) slot = &tape.at(string_);
  at = At::string;
  ++p;

string:
  if constexpr (kLine) {
    if (full(0)) [[unlikely]]
      more_room(64);
    while (p != to) {
      auto left = static_cast<std::size_t>(to - p), done = static_cast<std::size_t>(p - from);
      std::uint64_t special = padded.special >> done;
      move32(padded.bytes + done, out);
      auto k = special != 0 ? static_cast<std::size_t>(std::countr_zero(special)) : left;
      p += k;
      out += k;
      if (p == to) break;
      if (*p == '"') goto string_end;
      if (*p != '\\') goto control;
      Escape e = read_escape();
      if (e == Escape::done) continue;
      if (e == Escape::bad) goto out_in_string;
      goto escape_more;
    }
    if (at == At::string) {
      *slot = {head(Tag::string, static_cast<std::size_t>(out - text)), reinterpret_cast<std::uint64_t>(text)};
      open_node_ = plain_node_ = slot;
    }
    goto out;
  }
  limit = cursor.end - Arena::kSlack;
  while (!kSmall && to - p >= 32) {
    if (out > limit) [[unlikely]] {
      // A long string gets all the room that the rest of the piece can need, so that it moves only once.
      auto size = static_cast<std::size_t>(out - text);
      auto rest = static_cast<std::size_t>(to - p) + behind_;
      more_room(size >= kLongString ? rest : std::min(rest, std::max<std::size_t>(size, 128)));
      limit = cursor.end - Arena::kSlack;
    }
    std::uint64_t mask = copy32(p, out);
    if (mask == 0) {
      p += 32;
      out += 32;
      continue;
    }
    // All that is special in these bytes, one after the other, from the one mask.
    const char* const block = p + 32;
    while (true) {
      auto k = std::countr_zero(mask);
      p += k;
      out += k;
      if (*p == '"') goto string_end;
      if (*p != '\\') goto control;
      if (to - p < 2) break;
      auto c = static_cast<unsigned char>(p[1]);
      char e = kEscapes[c];
      if (!e) break;
      known_escape_ |= tells(p[1]);
      *out++ = e;
      p += 2;
      if (p >= block) goto string;
      mask >>= k + 2;
      if (to - p < 32) goto string;
      move32(p, out);
      if (mask == 0) {
        out += block - p;
        p = block;
        goto string;
      }
    }
    Escape e = read_escape();
    if (e == Escape::done) continue;
    if (e == Escape::bad) goto out_in_string;
    goto escape_more;
  }
  if (full(0)) [[unlikely]]
    more_room(32);
  while (p != to) {
    // The last bytes of a piece.
    auto left = static_cast<std::size_t>(to - p);
    Small small = copy_small(p, left, out);
    auto k = small.special ? std::countr_zero(small.special) : static_cast<int>(left);
    p += k;
    out += k;
    if (p == to) break;
    if (*p == '"') goto string_end;
    if (*p != '\\') goto control;
    Escape e = read_escape();
    if (e == Escape::done) continue;
    if (e == Escape::bad) goto out_in_string;
    goto escape_more;
  }
  goto out_in_string;

string_end:
  if (at == At::string) {
    *slot = {head(Tag::string, static_cast<std::size_t>(out - text)), reinterpret_cast<std::uint64_t>(text)};
    text = nullptr;
    closed_ = offset(p);
    mark_line_ = line_;
    mark_line_start_ = line_start_;
    if (!kText || container) commit = p;
    ++p;
    if (!container) {
      at = At::done;
      if (p == to) goto out;
      goto done;
    }
    at = At::after;
    if (p == to) goto out;
    goto after;
  }
  {
    std::string_view name(text, static_cast<std::size_t>(out - text));
    std::size_t k = ends.size;
    push_node(head(Tag::key, name.size()), reinterpret_cast<std::uint64_t>(text));
    text = nullptr;
    at = At::colon;
    closed_key_ = offset(p);
    key_line_ = line_;
    key_line_start_ = line_start_;
    // What comes before the key is certain, or a string there may yet go on. No branch: nothing says which it will be.
    key_end = p;
    key_certain = (string_ + 2 != ends.size) | (closed_key_ - closed_ > kHold);
    ++p;
    std::uint64_t h = keys.hash_padded(name);
    if (!keep_repeats && !keys.adds(h)) [[unlikely]] {
      tape.ends() = ends;
      if (keys.slow_repeats(tape, ends.innermost, k, h)) {
        repeated_key_ = true;
        why_ = ErrorKind::unexpected_byte;
        goto out;
      }
    }
    memo = note_key(name, h, member, from, p, to, memo);
    if (kPiece == Piece::any && !kText && shapeless_) goto out;
  }
  if (p == to) goto out;

colon:
  if (*p != ':') {
    while (is_space(*p)) {
      if (*p == '\n') ++line_, line_start_ = offset(p) + 1;
      if (++p == to) goto out;
    }
    if (*p != ':') goto unexpected;
  }
  ++p;
  at = At::value;
  if (p == to) goto out;
  goto value;

key:
  if (*p != '"') {
    while (is_space(*p)) {
      if (*p == '\n') ++line_, line_start_ = offset(p) + 1;
      if (++p == to) goto out;
    }
    if (*p == '}' && at == At::first_key) goto plain_after;  // which closes it
    if (*p != '"') goto unexpected;
  }
  key_ = offset(p);
  known_escape_ = false;
  text = out;
  at = At::key_string;
  ++p;
  goto string;

first_member:
  member = p;
  guess = first_memo_;
  // The same key may have come behind a comma since: that is no first member.
  if (guess != kNoMemo && memos_[guess].bytes[0] != ',') {
    if (whole(memos_[guess].length, to - p)) goto recall;
    if (may_wait()) goto out;
  }
  goto key;

recall: {
  // The bytes that followed the last member like this one probably follow again.
  Memo& m = memos_[guess];
  if ((kSmall ? follow_few(m, p) : follow(m, p, to)) && (m.generation == generation_ || fresh(m)) &&
      (keep_repeats || keys.adds(m.hash) || new_key(m))) {
    if (kText && at == At::after) comma_ = offset(p);
    push_node(head(Tag::key, m.size), reinterpret_cast<std::uint64_t>(m.key));
    if (m.lines) line_ += m.lines, line_start_ = offset(p) + m.last_line;
    memo = guess;
    ++hits_;
    at = At::value;
    p += m.length;
    if (*p == '"') goto value_string;
    goto value;
  }
  if (at == At::first_key) goto key;
  goto comma;
}

number:
  start = p;
  token_ = offset(p);
  if ((kLine || to - p >= 8) && container) {
    // Mostly a few digits: they end where one of eight bytes is none.
    std::uint64_t word;
    std::memcpy(&word, kLine ? padded.bytes + (p - from) : p, 8);
    std::uint64_t other = word ^ 0x3030303030303030ull;
    other = (other | (other + 0x0606060606060606ull)) & 0xf0f0f0f0f0f0f0f0ull;
    auto size = static_cast<std::size_t>(std::countr_zero(other)) / 8;
    if (size - 1 < 7 && (!kLine || to - p > static_cast<std::ptrdiff_t>(size)) && (*p != '0' || size == 1) &&
        ends_number(p[size])) {
      container->head += 256;
      push_node(head(Tag::short_number, size), word & ((std::uint64_t{1} << (8 * size)) - 1));
      p += size;
      if (kText) commit = p;
      at = At::after;
      goto after;
    }
  }
  if (!kSmall && to - p >= 32 && container) {
    // Any other, without a branch that depends on how long it is or what it is made of.
    NumberScan n = scan_number(p);
    if (n.right && n.size < 32 && ends_number(p[n.size])) {
      if (full(0)) [[unlikely]]
        more_room(64);
      std::uint64_t word;
      std::memcpy(&word, p, 8);
      move32(p, out);
      const std::uint64_t lies_there = n.size > 8 ? ~std::uint64_t{0} : 0;
      word &= ~std::uint64_t{0} >> (64 - 8 * std::min<std::uint64_t>(n.size, 8));
      word ^= (word ^ reinterpret_cast<std::uint64_t>(out)) & lies_there;
      container->head += 256;
      push_node(head(Tag::short_number, n.size) + (lies_there & 1), word);
      out += n.size & lies_there;
      p += n.size;
      if (kText) commit = p;
      at = At::after;
      goto after;
    }
  }
  while (p != to && kNumberBytes[static_cast<unsigned char>(*p)]) ++p;
  if (p == to) {
    number_.assign(start, p);
    at = At::number;
    goto out;
  }
  digits = {start, static_cast<std::size_t>(p - start)};
  goto number_end;

number_on:
  start = p;
  while (p != to && kNumberBytes[static_cast<unsigned char>(*p)]) ++p;
  number_.append(start, p);
  if (p == to) goto out;
  digits = number_;

number_end: {
  std::size_t size = digits.size();
  bool ok = false;
  if (size <= 8) {
    // Mostly short integers: digits only, and no zero in front.
    std::size_t i = digits[0] == '-' ? 1 : 0;
    if (i < size && (digits[i] != '0' || size == i + 1)) {
      while (i < size && is_digit(digits[i])) ++i;
      ok = i == size;
    }
  }
  // What ends a number must be able to stand behind one.
  bool ended = is_space(*p) || (container && (*p == ',' || *p == '}' || *p == ']'));
  if (!ended || (!ok && !is_number(digits))) {
    if (at != At::number) p = start;
    why_ = ErrorKind::bad_number;
    goto out;
  }
  count();
  if (size <= 8) {
    std::uint64_t body = 0;
    std::memcpy(&body, digits.data(), size);
    push_node(head(Tag::short_number, size), body);
  } else {
    if (full(size)) more_room(size);
    std::memcpy(out, digits.data(), size);
    push_node(head(Tag::number, size), reinterpret_cast<std::uint64_t>(out));
    out += size;
  }
  if (at == At::number) number_.clear();
}
  if (kText && container) commit = p;
  at = container ? At::after : At::done;
  if (at == At::done) goto done;
  goto after;

literal:
  if (!container && s_.options.root == Root::object) goto unexpected;
  token_ = offset(p);
  literal_ =
      static_cast<std::uint8_t>(kBegins[static_cast<unsigned char>(*p)]) - static_cast<std::uint8_t>(Begins::yes);
  if (container && to - p >= 8) {
    // Four letters, or five of which the first is known.
    std::size_t more = literal_ == 1 ? 1 : 0;
    if (std::memcmp(p + more, &kLiteralWords[literal_][more], 4) == 0 && ends_number(p[4 + more])) {
      container->head += 256;
      push_node(head(kLiteralTags[literal_], 0), 0);
      p += 4 + more;
      if (kText) commit = p;
      at = At::after;
      goto after;
    }
  }
  matched_ = 0;
  at = At::literal;
literal_on: {
  std::string_view word = kLiteralWords[literal_];
  while (matched_ < word.size()) {
    if (p == to) goto out;
    if (*p != word[matched_]) {
      why_ = ErrorKind::bad_literal;
      goto out;
    }
    ++p;
    ++matched_;
  }
  if (p == to) goto out;
  if (!is_space(*p) && !(container && (*p == ',' || *p == '}' || *p == ']'))) {
    why_ = ErrorKind::bad_literal;
    goto out;
  }
}
  count();
  push_node(head(kLiteralTags[literal_], 0), 0);
  if (kText && container) commit = p;
  at = container ? At::after : At::done;
  if (at == At::done) goto done;

after:
  if (kPiece == Piece::step && to - p > kStride) goto out;
plain_after:
  switch (*p) {
    case ',':
      if (at != At::after) goto unexpected;
      if (object) {
        guess = memo < kMemos ? memos_[memo].next : kNoMemo;
        if (guess != kNoMemo) {
          if (whole(memos_[guess].length, to - p)) goto recall;
          if (may_wait()) goto out;
        }
        goto comma;
      }
      token_ = comma_ = offset(p);
      at = At::value;
      if (++p == to) goto out;
      goto value;
    case '}':
    case ']': {
      if (object != (*p == '}')) goto unexpected;
      ends.last_closed = ends.innermost;
      ends.innermost = static_cast<std::size_t>(container->body);
      container->head &= ~Node::kOpen;
      container->body = ends.size;
      if (object) {
        keys.leave();
        memo = keys.note();
      }
      --depth;
      if constexpr (kText)
        if (string_ + 1 != ends.size) commit = ends.innermost == Tape::kNone ? p : p + 1;
      ++p;
      if (ends.innermost == Tape::kNone) {
        container = nullptr;
        object = false;
        top_end_ = offset(p);
        at = At::done;
        if (p == to) goto out;
        goto done;
      }
      container = &tape.at(ends.innermost);
      object = container->tag() == Tag::object;
      at = At::after;
      if (p == to) goto out;
      goto after;
    }
    default:
      if (!is_space(*p)) goto unexpected;
      do {
        if (*p == '\n') ++line_, line_start_ = offset(p) + 1;
        if (++p == to) goto out;
      } while (is_space(*p));
      goto plain_after;
  }

comma:  // in an object
  token_ = comma_ = offset(p);
  member = p;
  ++p;
  at = At::key;
  if (p == to) goto out;
  goto key;

done:
  while (is_space(*p)) {
    if (*p == '\n') ++line_, line_start_ = offset(p) + 1;
    if (++p == to) goto out;
  }
  why_ = ErrorKind::trailing_bytes;
  goto out;

control:
  why_ = ErrorKind::control_character;
  goto out_in_string;

escape_more:
  if (kText && at == At::string && container) commit = p;
  pending_ = static_cast<std::uint8_t>(to - p);
  std::memcpy(escape_.data(), p, pending_);
  p = to;
  goto out;

too_deep:
  why_ = ErrorKind::limit;
  goto out;

unexpected:
  why_ = ErrorKind::unexpected_byte;
  goto out;

out_in_string:
  // A scalar at the top may yet turn out to be prose: its text waits.
  if constexpr (kText) {
    if (at == At::string && container) {
      if (why_ != ErrorKind::none)
        commit = p;
      else if (p - from >= utf8_pending_)
        commit = p - utf8_pending_;
    }
  }

out:
  if constexpr (!kSmall) {
    at_ = at;
    arena.cursor() = cursor;
    tape.ends() = ends;
    room_ = room;
    container_ = container;
    object_ = object;
    memo_ = memo;
  }
  base_ += static_cast<std::uint64_t>(p - from);
  if (at == At::key || at == At::key_string || at == At::first_key) {
    if (member) carried_ = 0;
    if (member || carried_ != 0) carry(member ? member : from, p);
  }
  if (!kText && key_certain && (!commit || commit < key_end)) commit = key_end;
  if (kText || commit || !tail_.empty()) {
    if (commit) {
      if constexpr (kText) {
        s_.text += tail_.view().substr(passed_);
        s_.text.append(from, commit);
      }
      tail_.clear();
      overrun_ = false;
      passed_ = 0;
      tail_from_ = base_ - static_cast<std::uint64_t>(p - commit);
      keep_tail(commit, p);
    } else {
      keep_tail(from, p);
    }
  }
  return static_cast<std::size_t>(p - from) + waiting_;
}

template std::size_t Strict::run<true, Strict::Piece::any>(const char*, const char*, Padded);
template std::size_t Strict::run<false, Strict::Piece::any>(const char*, const char*, Padded);
template std::size_t Strict::run<false, Strict::Piece::step>(const char*, const char*, Padded);
template std::size_t Strict::run<false, Strict::Piece::few>(const char*, const char*, Padded);
template std::size_t Strict::run<false, Strict::Piece::line>(const char*, const char*, Padded);

}  // namespace BELAY_NAMESPACE::json
