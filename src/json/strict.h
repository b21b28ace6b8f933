// The fast half of the reader: JSON exactly as RFC 8259 has it, at any cut. At the first deviation it stops in a
// state from which Mender (or, in strict mode, an error) goes on.
#pragma once

#include "json/scan.h"
#include "json/session.h"
#include "json/strict_tables.h"
#include "json/unicode_escape.h"
#include "json/wide.h"

#include <array>
#include <new>
#include <string>
#include <string_view>

namespace BELAY_NAMESPACE::json {

/// Where the reading stands between two tokens, or inside one.
enum class At : std::uint8_t {
  start,        // before the first value
  value,        // a value must come (after ',' or ':')
  first_value,  // after '[': a value or ']'
  key,          // after ',' in an object
  first_key,    // after '{': a key or '}'
  colon,
  after,  // after a value in a container
  done,   // after the value at the top
  string,
  key_string,
  number,
  literal,
};

/// All that Mender needs to go on: the state, and the bytes that must be read again.
struct Handover {
  At at = At::start;
  std::uint64_t offset = 0;      // of the first byte of `again`, or of what follows when there is none
  std::uint64_t line = 1;        // of that byte
  std::uint64_t line_start = 0;  // offset of that line's first byte
  std::string again;             // bytes that Strict has taken and that have to be read again
  std::uint64_t token = 0;       // offset of the open string's quote, of the scalar at the top, or of the last comma
  std::uint64_t top = 0;         // offsets of the first bracket and behind its closer
  std::uint64_t top_end = 0;
  bool closer_passed = false;  // the text output has that closer already
  bool known_escape = false;   // the open string has one of \b \f \n \r \t \u \/
  bool repeated_key = false;   // the last key stands twice
  std::uint64_t key = 0;       // its offset
  std::uint64_t key_length = 0;
};

/// A few bytes that are kept for a while; small pieces are put behind them without a call.
class Tail {
 public:
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::string_view view() const { return {bytes_.data(), size_}; }
  void clear() { size_ = 0; }
  void append(const char* from, const char* to) {
    auto n = static_cast<std::size_t>(to - from);
    if (n - 1 >= 8 || bytes_.size() - size_ < 8) return append_many(from, n);
    std::uint64_t word = load_few(from, n);
    std::memcpy(bytes_.data() + size_, &word, 8);
    size_ += n;
  }
  void drop_front(std::size_t n) {
    size_ -= n;
    std::memmove(bytes_.data(), bytes_.data() + n, size_);
  }

 private:
  void append_many(const char* from, std::size_t n);
  std::string bytes_ = std::string(64, '\0');
  std::size_t size_ = 0;
};

class Strict {
 public:
  explicit Strict(Session& session) : s_(session), limit_(session.options.limits.bytes) {}

  /// Takes bytes up to the first deviation and says how many. Fewer than given means that deviates() is true.
  std::size_t push(std::string_view piece) {
    std::size_t used = 0;
    if (piece.size() - 1 < 32 && (pending_ | utf8_pending_) == 0 && why_ == ErrorKind::none && !s_.options.text &&
        ascii_small(piece.data(), piece.size())) {
      behind_ = 0;
      used = run<false, Piece::few>(piece.data(), piece.data() + piece.size());
    }
    // What is left is an escape that was cut.
    if (used != piece.size() && why_ == ErrorKind::none) return push_on(piece, used);
    sync_string();
    return used;
  }
  /// Takes 4 to 8 plain bytes inside a string, which change nothing but that string; false if they are not so.
  bool push_few(std::string_view piece) {
    const std::size_t n = piece.size();
    if (!plain_node_ || n - 4 > 4 || limit_ - base_ < n) return false;
    Arena::Cursor& cursor = s_.tape().arena().cursor();
    char* const out = cursor.at;
    if (cursor.end - out < 8) return false;
    std::uint32_t a, z;
    std::memcpy(&a, piece.data(), 4);
    std::memcpy(&z, piece.data() + n - 4, 4);
    if (!plain_halves(a, z)) return false;
    std::memcpy(out, &a, 4);
    std::memcpy(out + n - 4, &z, 4);
    cursor.at = out + n;
    base_ += n;
    plain_node_->head += n << 8;
    return true;
  }
  /// The same for 1 to 8 bytes with short escapes among them, which may be cut behind their backslashes. Says how many
  /// it took: those before the first that is something else.
  std::size_t push_escaped(std::string_view piece);
  /// The same for up to 8 bytes with any escapes and characters beyond ASCII among them, which may be cut at either
  /// end. Says how many it took.
  std::size_t push_odd(std::string_view piece);
  /// Takes the quote at which the string ends, if it is no value at the top. What is shown stays the same, since the
  /// end of the string is not certain yet.
  bool end_string(std::string_view piece) {
    if (!plain_node_ || !container_ || piece.empty() || piece[0] != '"' || limit_ == base_) return false;
    s_.tape().arena().close();
    closed_ = base_++;
    mark_line_ = line_;
    mark_line_start_ = line_start_;
    at_ = At::after;
    tail_from_ = closed_;
    tail_.clear();
    tail_.append(piece.data(), piece.data() + 1);
    stop();
    return true;
  }
  /// The same for 16 to 32 bytes with short escapes among them, in two steps: whether it may be so, and what is special
  /// in them; and then, if all characters are right, how many of the bytes were taken.
  bool begins_line(std::string_view piece, Line& line) {
    if (!plain_node_ || piece.size() - 16 > 16 || limit_ - base_ < piece.size()) return false;
    Arena::Cursor& cursor = s_.tape().arena().cursor();
    if (cursor.end - cursor.at < 64) return false;
    line = copy_line(piece.data(), piece.size(), cursor.at);
    return true;
  }
  /// Takes what is left of such a piece when its first bytes were taken. Says how many of the piece are taken then. All
  /// its characters must be right and whole.
  std::size_t push_line(std::string_view piece, std::size_t used, std::uint64_t special) {
    const char *from = piece.data() + used, *to = piece.data() + piece.size();
    behind_ = 0;
    stop();
    used += run<false, Piece::line>(from, to, {raw_.data() + used, special >> used});
    // What is left is an escape that was cut.
    if (used != piece.size() && why_ == ErrorKind::none) return push_on(piece, used);
    if (at_ == At::string && !plain_node_) sync_open_string();
    return used;
  }
  /// Prepares 16 to 32 bytes outside of a string for that, if it may be so.
  bool pads_line(std::string_view piece, Line& line) {
    line = copy_line(piece.data(), piece.size(), raw_.data());
    return (pending_ | utf8_pending_) == 0 && !s_.options.text;
  }
  std::size_t take_line(std::string_view piece, std::uint64_t special) {
    Arena::Cursor& cursor = s_.tape().arena().cursor();
    char* out = cursor.at;
    std::size_t left = copy_escapes<false>(piece, special, out);
    plain_node_->head += static_cast<std::uint64_t>(out - cursor.at) << 8;
    cursor.at = out;
    base_ += piece.size() - left;
    return piece.size() - left;
  }
  /// The same for a piece that begins inside a character: whether it may be so.
  bool begins_within(std::string_view piece, Line& line) {
    if (!open_node_ || pending_ != 0 || piece.size() - 16 > 16 || limit_ - base_ < piece.size()) return false;
    Arena::Cursor& cursor = s_.tape().arena().cursor();
    if (cursor.end - cursor.at < 64) return false;
    line = copy_line(piece.data(), piece.size(), cursor.at);
    return true;
  }
  /// Then, and for one with characters beyond ASCII: whether they are right, and how many bytes at the end wait for
  /// more.
  [[nodiscard]] Wide check_line(std::size_t size) const {
    const Arena& arena = s_.builder.tape().arena();
    return arena.open_size() < 3 ? Wide{false, 0} : check_wide(arena.at(), size);
  }
  std::size_t take_wide(std::string_view piece, std::uint64_t special, std::size_t tail) {
    Arena::Cursor& cursor = s_.tape().arena().cursor();
    char* out = cursor.at;
    std::size_t left = copy_escapes<true>(piece, special, out);
    cursor.at = out;
    utf8_pending_ = left == 0 ? static_cast<std::uint8_t>(tail) : std::uint8_t{0};
    base_ += piece.size() - left;
    show_string(*open_node_);
    return piece.size() - left;
  }
  [[nodiscard]] bool in_string() const { return open_node_ != nullptr; }
  /// Takes what it can of a small piece inside a string, again without a change to anything else, and says how much.
  std::size_t push_small(std::string_view piece);
  /// Takes the first bytes of a string in a container, if nothing among them is special.
  bool begins_string(std::string_view piece) {
    std::size_t n = piece.size() - 1;
    if (at_ != At::value || piece[0] != '"' || n > 8 || !container_ || s_.options.text || room_.to - room_.from < 2)
      return false;
    Arena::Cursor& cursor = s_.tape().arena().cursor();
    if (static_cast<std::size_t>(cursor.end - cursor.at) < Arena::kSlack) return false;
    if (n != 0) {
      std::uint64_t word = load_few(piece.data() + 1, n);
      if (odd_few(word, n) != 0) return false;
      std::memcpy(cursor.at, &word, 8);
    }
    cursor.open = cursor.at;
    cursor.at += n;
    string_at_ = base_;
    base_ += piece.size();
    known_escape_ = false;
    container_->head += 256;
    string_ = s_.tape().ends().size++;
    *room_.from = {head(Tag::string, n), reinterpret_cast<std::uint64_t>(cursor.open)};
    open_node_ = plain_node_ = room_.from++;
    at_ = At::string;
    tail_.clear();  // the last string has ended, since this is another value
    return true;
  }
  /// Takes the first bytes behind a member if the one that is expected begins like that: they wait.
  bool begins_member(std::string_view piece) {
    if (at_ != At::after || !object_ || piece[0] != ',' || memo_ >= kMemos || s_.options.text) return false;
    std::uint8_t next = memos_[memo_].next;
    if (next == kNoMemo || piece.size() > memos_[next].quoted || !string_live(base_) || base_ - closed_ > kHold / 2 ||
        !same(memos_[next].bytes, piece.data(), piece.size()))
      return false;
    expected_ = next;
    waiting_ = static_cast<std::uint8_t>(piece.size());
    return true;
  }
  /// True while the last bytes, the beginning of a member like one before, wait for the rest of its key. They change
  /// nothing that is shown. Until they are read only goes_on() and resume() may be called.
  [[nodiscard]] bool waits() const { return waiting_ != 0; }
  /// Takes a piece if it is what was expected of that key.
  bool goes_on(std::string_view piece) {
    const Memo& m = memos_[expected_];
    if (piece.size() > std::size_t{m.quoted} - waiting_ || limit_ - offset() < piece.size() ||
        !same(m.bytes + waiting_, piece.data(), piece.size()))
      return false;
    waiting_ = static_cast<std::uint8_t>(waiting_ + piece.size());
    return true;
  }
  /// Reads what waits and the first bytes of the piece, and says how many of those. Nothing waits then but at the end
  /// of the piece. An empty piece: whatever comes next, it is not what was expected.
  std::size_t resume(std::string_view piece) {
    std::size_t used = finish_key(piece);
    return used != 0 ? used : read_again(piece);
  }
  /// No more bytes go in here.
  void stop() { open_node_ = plain_node_ = nullptr; }
  [[nodiscard]] bool deviates() const { return why_ != ErrorKind::none; }
  [[nodiscard]] ErrorKind why() const { return why_; }
  /// The place of the deviation, or of the next byte.
  [[nodiscard]] Position position() const;
  [[nodiscard]] std::uint64_t offset() const { return base_ + waiting_; }
  [[nodiscard]] At at() const { return at_; }
  [[nodiscard]] bool in_key() const { return at_ == At::key_string; }

  /// True when the bytes so far are one whole JSON text. A number at the top ends here.
  bool finish(Ending ending);
  /// What goes on from the deviation, or from the end. Takes back what was read too far.
  Handover hand_over();

  /// The node whose end is not decided: the open string, or the last one if something may yet reopen it.
  [[nodiscard]] std::size_t held_node() const {
    if (at_ == At::string) return string_;
    return string_live(base_) ? string_ : Tape::kNone;
  }
  /// As for Reader.
  [[nodiscard]] std::uint64_t undecided() const;
  /// False while the value at the top is a scalar that the next bytes may turn into prose or a key.
  [[nodiscard]] bool shown() const {
    const Tape& t = s_.builder.tape();
    if (t.size() > 1 && t.node(0).container()) return true;
    return t.size() > 0 && shown_slow();
  }
  void clear();

 private:
  // A key with the bytes around it: what comes between two values, in texts that repeat themselves.
  struct Memo {
    alignas(16) char bytes[32 + 8] = {};  // the last ones only so that they can be read
    std::uint64_t hash = 0;
    const char* key = nullptr;
    std::uint64_t generation = 0;  // the text that `key` points into
    std::uint32_t need = 0;        // a bit for each of the bytes that must match
    std::uint8_t size = 0;         // of the key
    std::uint8_t name = 0;         // where the key stands in the bytes; 0 when it has escapes
    std::uint8_t length = 0;       // up to the value; 0 when that was not seen in one piece
    std::uint8_t quoted = 0;       // up to the end of the key
    std::uint8_t next = 0xff;
    std::uint8_t lines = 0;
    std::uint8_t last_line = 0;
  };
  static constexpr std::uint8_t kMemos = 64, kNoMemo = 0xff, kFirstMemo = 0xfe;
  static constexpr std::ptrdiff_t kMemoBytes = 32;
  static bool follow(const Memo& memo, const char* p, const char* to) {
    if (to - p >= kMemoBytes) return (same32(memo.bytes, p) & memo.need) == memo.need;
    return std::memcmp(memo.bytes, p, memo.length) == 0;
  }
  // The same for a small piece, in which the memo's bytes are known to lie.
  static bool follow_few(const Memo& memo, const char* p) {
    std::size_t n = memo.length;
    if (n > 16) return std::memcmp(memo.bytes, p, n) == 0;
    if (n < 8) return same(memo.bytes, p, n);
    std::uint64_t kept[2], here[2];
    std::memcpy(&kept[0], memo.bytes, 8);
    std::memcpy(&kept[1], memo.bytes + n - 8, 8);
    std::memcpy(&here[0], p, 8);
    std::memcpy(&here[1], p + n - 8, 8);
    return ((kept[0] ^ here[0]) | (kept[1] ^ here[1])) == 0;
  }
  std::uint8_t note_key(std::string_view name, std::uint64_t hash, const char* member, const char* from, const char* p,
                        const char* to, std::uint8_t before);
  std::uint8_t remember(std::string_view name, std::uint64_t hash, const char* from, const char* p, const char* to,
                        std::uint8_t before);
  std::uint8_t remember_cut(std::string_view name, std::uint64_t hash, const char* from, const char* p, const char* to,
                            std::uint8_t before);
  bool renew(Memo& memo);
  static constexpr std::int8_t kTries = 6;  // so many keys more that are new than expected: it does not repeat itself
  static constexpr std::uint32_t kBudget = 64;  // after so many it is asked again
  static std::size_t memo_slot(std::uint64_t hash) { return hash >> 6 & (kMemos - 1); }
  std::uint32_t memo_tag(std::uint64_t hash) const {
    return static_cast<std::uint32_t>(hash >> 32) ^ static_cast<std::uint32_t>(generation_);
  }
  void carry(const char* from, const char* to);
  std::size_t finish_key(std::string_view piece);
  std::size_t read_again(std::string_view piece);

  // How much is given to the main loop at once: any number of bytes, 1 to 32, or 16 to 32 of which a copy was made. And
  // any number again, of which it takes only what stride() does not.
  enum class Piece : std::uint8_t { any, few, line, step };
  // Such a copy, which may be read 32 bytes beyond its end, and a bit for each of its bytes that is special in a
  // string.
  struct Padded {
    const char* bytes;
    std::uint64_t special;
  };
  template <bool kText, Piece kPiece>
  std::size_t run(const char* from, const char* to, Padded padded = {});
  // More than is read at a time: a block, what an escape has beyond it, and as much again.
  static constexpr std::ptrdiff_t kStride = 144;
  const char* stride(const char* from, const char* to);
  std::size_t stride_last(const char* to, std::size_t left);
  std::size_t read(const char* from, const char* to);
  std::size_t resume_small(std::string_view piece, char*& out);
  // Goes over a line that was copied to `out` as it is: escapes become what they stand for, those with \u only if asked
  // for. Gives how many bytes are left at the first thing that is none.
  template <bool kUnicode>
  std::size_t copy_escapes(std::string_view piece, std::uint64_t special, char*& out) {
    std::size_t left = piece.size();
    if (special != 0) {
      // A copy that may be read beyond its end.
      copy_rest(piece.data(), left, raw_.data());
      const char* raw = raw_.data();
      do {
        auto k = static_cast<std::size_t>(std::countr_zero(special));
        raw += k;
        out += k;
        left -= k;
        char e = kEscapes[static_cast<unsigned char>(raw[1])];
        std::size_t length = 2;
        if (*raw != '\\' || left < 2 || (!kUnicode && !e)) return left;  // the rest is for the others
        if (!kUnicode || e) {
          known_escape_ |= tells(raw[1]);
          *out++ = e;
        } else {
          length = copy_unicode(raw, left, out);
          if (length == 0) return left;
          known_escape_ = true;
        }
        raw += length;
        left -= length;
        move32(raw, out);
        special = special >> k >> length;
      } while (special != 0);
    }
    out += left;
    return 0;
  }
  std::size_t push_on(std::string_view piece, std::size_t used);
  void show_string(Node& node);
  void sync_string() {
    stop();
    if (at_ == At::string) sync_open_string();
  }
  void sync_open_string();
  bool string_live(std::uint64_t now) const {
    const Tape& t = s_.builder.tape();
    if (string_ + 2 < t.size() || string_ == Tape::kNone || at_ == At::string || now - closed_ > kHold) return false;
    // A string at the top that is longer than the bound stands as it is.
    if (t.innermost() == Tape::kNone && string_ == 0 && now - string_at_ > kHold) return false;
    return string_ + 1 == t.size() || (at_ == At::colon && string_ + 2 == t.size());
  }
  [[nodiscard]] bool first_bracket_open() const;
  [[nodiscard]] std::uint64_t token_end() const;
  [[nodiscard]] std::uint64_t doubtful() const;
  [[nodiscard]] bool shown_slow() const;
  void keep_tail(const char* from, const char* to) {
    if (!s_.options.text) {
      if (at_ == At::string) return tail_.clear();
      if (string_live(base_)) return tail_.append(from, to);
    }
    keep_tail_on(from, to);
  }
  void keep_tail_on(const char* from, const char* to);
  enum class Escape : std::uint8_t { done, more, bad };
  Escape escape(const char*& p, const char* end, char*& out);
  std::size_t resume_escape(std::string_view piece);
  std::size_t resume_utf8(std::string_view piece, bool& ok);

  Session& s_;
  At at_ = At::start;
  ErrorKind why_ = ErrorKind::none;
  bool known_escape_ = false;
  bool repeated_key_ = false;
  bool overrun_ = false;           // (text) uncertain bytes were passed on, because there were too many
  std::uint8_t literal_ = 0;       // 0 true, 1 false, 2 null
  std::uint8_t matched_ = 0;       // characters of the literal so far
  std::uint8_t pending_ = 0;       // bytes of an incomplete escape
  std::uint8_t utf8_pending_ = 0;  // bytes of an incomplete character, already in the arena
  std::array<char, 12> escape_{};
  std::array<char, 64> raw_{};  // of a small piece; what lies behind its bytes means nothing
  std::uint64_t base_ = 0;      // offset of the next byte
  std::uint64_t line_ = 1;
  std::uint64_t line_start_ = 0;
  std::uint64_t mark_line_ = 1;  // both, at the place that may have to be read again
  std::uint64_t mark_line_start_ = 0;
  std::uint64_t key_line_ = 1;  // both, where the last key ended
  std::uint64_t key_line_start_ = 0;
  std::uint64_t token_ = 0;      // offset of the last number, literal or comma
  std::uint64_t string_at_ = 0;  // offset of the last string value's quote
  std::uint64_t top_end_ = 0;    // offset behind the closer of the first bracket
  std::uint64_t comma_ = 0;      // offset of the last comma
  std::uint64_t key_ = 0;
  std::uint64_t top_ = 0;             // offset of the first bracket
  std::uint64_t closed_key_ = 0;      // offset of the quote that closed the last key
  std::uint64_t closed_ = 0;          // offset of the quote that closed the last string value
  std::size_t string_ = Tape::kNone;  // node of the open or last string value
  Node* open_node_ = nullptr;         // that of the open string, where small pieces go to it directly
  Node* plain_node_ = nullptr;        // the same, while its next bytes need nothing of what came before
  std::uint64_t limit_ = 0;           // Limits::bytes
  Tape::Room room_{};                 // free slots of the tape; nobody else writes to it while this half reads
  Node* container_ = nullptr;         // the innermost open container
  bool object_ = false;               // it is an object
  std::uint8_t memo_ = kNoMemo;       // what is known of its last key
  std::size_t behind_ = 0;            // bytes of the piece behind the segment that is being read
  std::uint8_t first_memo_ = kNoMemo;
  std::uint8_t expected_ = 0;  // the memo that the waiting bytes match
  std::uint8_t waiting_ = 0;   // bytes that wait, behind base_
  std::uint8_t carried_ = 0;
  bool settling_ = false;
  std::array<char, kMemoBytes> carry_{};  // the raw bytes of a member so far, where its key was cut
  std::uint64_t generation_ = 1;
  // Whether keys come again in the same way, in this text or the one before; if not, memos are not worth their time.
  bool shapeless_ = false;
  std::int8_t strange_ = 0;   // keys that were new, less those that were expected
  std::uint32_t hits_ = 0;    // keys that were expected since the last one that was not
  std::uint32_t misses_ = 0;  // keys that were not, while it is shapeless
  std::uint32_t tried_ = 0;   // keys that stride() has read, and how many of them were not new
  std::uint32_t familiar_ = 0;
  std::array<Memo, kMemos> memos_;
  std::array<std::uint32_t, kMemos> memo_tags_{};
  std::string number_;
  Tail tail_;  // raw bytes that are not certain: since closed_, or (text) since the last value
  std::uint64_t tail_from_ = 0;
  std::size_t passed_ = 0;  // (text) of them, how many the text output has already
};

}  // namespace BELAY_NAMESPACE::json
