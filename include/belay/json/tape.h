// The storage behind values: nodes of 16 bytes in the order of the text, and their strings.
//
// A node is a tag, a length or count, and a pointer, an index or up to eight characters. Containers come before their
// children; a closed one knows where its children end, an open one knows its parent instead. So the tree is legal
// after every byte, nothing is moved when it grows, and no stack is needed to walk or build it.
//
// Most code wants Value, Partial, Builder or Reader; this is for those.
#pragma once

#include <belay/version.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

namespace BELAY_NAMESPACE::json {
BELAY_API_BEGIN

enum class Tag : std::uint8_t {
  null,
  no,
  yes,
  short_number,  ///< body holds up to eight characters
  number,        ///< body points at the characters
  string,
  key,
  array,
  object,
};

struct Node {
  std::uint64_t head;  ///< bits 0-6 tag, bit 7 open, bits 8-63 length (text) or count (containers)
  std::uint64_t body;  ///< pointer, characters, end of the children, or (open container) the parent

  static constexpr std::uint64_t kOpen = 0x80;
  [[nodiscard]] Tag tag() const { return static_cast<Tag>(head & 0x7f); }
  [[nodiscard]] bool open() const { return (head & kOpen) != 0; }
  [[nodiscard]] std::uint64_t size() const { return head >> 8; }
  [[nodiscard]] bool container() const { return tag() >= Tag::array; }
};
static_assert(sizeof(Node) == 16);

/// Bytes of strings, in blocks that are never moved once a string in them is closed. At most one string is open, and
/// it is the last.
class Arena {
 public:
  Arena() = default;
  Arena(Arena&&) noexcept;
  Arena& operator=(Arena&&) noexcept;
  ~Arena();

  /// Room behind at() for n bytes of the open string or of new ones, and kSlack more that may be scribbled on.
  void ensure(std::size_t n) {
    if (static_cast<std::size_t>(c_.end - c_.at) < n + kSlack) grow(n);
  }
  static constexpr std::size_t kSlack = 64;

  [[nodiscard]] char* at() const { return c_.at; }
  [[nodiscard]] char* limit() const { return c_.end; }
  void set_at(char* p) { c_.at = p; }
  /// Starts a string at at(). Until close() it may move when ensure() is called.
  void open() { c_.open = c_.at; }
  void set_open(char* p) { c_.open = p; }
  [[nodiscard]] char* open_string() const { return c_.open; }
  [[nodiscard]] std::size_t open_size() const { return static_cast<std::size_t>(c_.at - c_.open); }
  void close() { c_.open = nullptr; }
  /// Opens again the last string that was closed, forgetting what lies behind it. It may move.
  void reopen(const char* start, std::size_t size);

  void append(std::string_view s) {
    if (s.empty()) return;
    ensure(s.size());
    std::memcpy(c_.at, s.data(), s.size());
    c_.at += s.size();
  }

  void clear();  ///< forgets everything, keeps memory
  void swap(Arena&) noexcept;
  [[nodiscard]] std::size_t capacity() const;

  /// For the reader's inner loop, which keeps it in registers or works on it in place.
  struct Cursor {
    char* at = nullptr;
    char* end = nullptr;
    char* open = nullptr;
  };
  [[nodiscard]] Cursor& cursor() { return c_; }

 private:
  struct Block {
    char* data = nullptr;
    std::size_t size = 0;
    bool mapped = false;  ///< by the kernel; otherwise from malloc
    static Block make(std::size_t size);
    void grow(std::size_t more, std::size_t kept);  ///< the first `kept` bytes stay as they are; it may move
    void release() noexcept;
  };
  void grow(std::size_t n);
  void release() noexcept;
  std::vector<Block> blocks_;
  std::size_t used_ = 0;   ///< blocks in use; the last of them holds c_.at
  std::size_t total_ = 0;  ///< bytes of the blocks in use
  Cursor c_;
};

class Tape {
 public:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  static constexpr std::size_t kUnknown = static_cast<std::size_t>(-2);

  Tape() = default;
  Tape(Tape&&) noexcept;
  Tape& operator=(Tape&&) noexcept;
  ~Tape();
  void swap(Tape&) noexcept;

  // reading
  [[nodiscard]] std::size_t size() const { return e_.size; }
  [[nodiscard]] const Node& node(std::size_t i) const {
    return i <= kMask ? first_[i] : chunks_[i >> kShift][i & kMask];
  }
  /// The first kFirst nodes, or as many as there are, one behind the other.
  [[nodiscard]] const Node* first() const { return first_; }
  static constexpr std::size_t kFirst = std::size_t{1} << 11;
  /// The node after i and all its children. For an open container: the end of the tape.
  [[nodiscard]] std::size_t next(std::size_t i) const {
    const Node& n = node(i);
    if (!n.container()) return i + 1;
    return n.open() ? e_.size : static_cast<std::size_t>(n.body);
  }
  [[nodiscard]] std::size_t next_within(std::size_t i, std::size_t end) const {
    std::size_t n = next(i);
    return n < end ? n : end;
  }
  /// The characters of a string, key or number. Short numbers live in the node: valid until the tape grows.
  [[nodiscard]] std::string_view text(std::size_t i) const {
    const Node& n = node(i);
    if (n.tag() == Tag::short_number)
      return {reinterpret_cast<const char*>(&n.body), static_cast<std::size_t>(n.size())};
    return {reinterpret_cast<const char*>(n.body), static_cast<std::size_t>(n.size())};
  }
  /// The innermost open container, or kNone.
  [[nodiscard]] std::size_t innermost() const { return e_.innermost; }
  /// The container that was closed last; kNone, or kUnknown after nodes were taken back.
  [[nodiscard]] std::size_t last_closed() const { return e_.last_closed; }

  // building
  Node& push(Node n) {
    if (e_.size == capacity_) grow();
    Node& slot = at(e_.size++);
    slot = n;
    return slot;
  }
  /// Counts a child in the innermost open container.
  void count() {
    if (e_.innermost != kNone) at(e_.innermost).head += 256;
  }
  void open(Tag tag) {
    count();
    std::size_t i = e_.size;
    push({static_cast<std::uint64_t>(tag) | Node::kOpen, e_.innermost});
    e_.innermost = i;
  }
  void close() {
    Node& n = at(e_.innermost);
    e_.last_closed = e_.innermost;
    e_.innermost = static_cast<std::size_t>(n.body);
    n.head &= ~Node::kOpen;
    n.body = e_.size;
  }
  void leaf(Tag tag) {
    count();
    push({static_cast<std::uint64_t>(tag), 0});
  }
  void number(std::string_view text);
  /// A key or string whose characters lie in arena().
  void text(Tag tag, const char* data, std::size_t size) {
    if (tag == Tag::string) count();
    push({static_cast<std::uint64_t>(tag) | static_cast<std::uint64_t>(size) << 8,
          reinterpret_cast<std::uint64_t>(data)});
  }
  [[nodiscard]] Node& at(std::size_t i) { return i <= kMask ? first_[i] : chunks_[i >> kShift][i & kMask]; }
  [[nodiscard]] Arena& arena() { return arena_; }
  [[nodiscard]] const Arena& arena() const { return arena_; }
  /// Forgets the nodes from i on; the innermost open container must lie before i.
  void truncate(std::size_t i) {
    e_.size = i;
    e_.last_closed = kUnknown;
    if (i < last_child_.end) last_child_ = {};
  }
  void set_innermost(std::size_t i) { e_.innermost = i; }
  void clear();
  /// Heap in use, for limits and measurements.
  [[nodiscard]] std::size_t capacity_bytes() const { return capacity_ * sizeof(Node) + arena_.capacity(); }

  // For the reader's inner loop, which keeps these in registers or works on them in place: the free slots from i on, at
  // least one; and where the tape ends.
  struct Room {
    Node* from = nullptr;
    Node* to = nullptr;
  };
  [[nodiscard]] Room room(std::size_t i) {
    if (i == capacity_) grow();
    std::size_t end = (i | kMask) + 1;
    Node* from = &at(i);
    return {from, from + ((end < capacity_ ? end : capacity_) - i)};
  }
  struct Ends {
    std::size_t size = 0;
    std::size_t innermost = kNone;
    std::size_t last_closed = kNone;
  };
  [[nodiscard]] Ends& ends() { return e_; }

  /// The last child of a closed container, or one that was it while the container was open: for Partial, which goes
  /// through the children once. A closed container does not know its last child.
  struct LastChild {
    std::size_t of = kNone;
    std::size_t end = 0;  ///< where the children end; a container that was opened again may end elsewhere
    std::size_t child = kNone;
  };
  [[nodiscard]] const LastChild& last_child() const { return last_child_; }
  void note_last_child(LastChild found) const { last_child_ = found; }

 private:
  // Nodes lie in chunks, so that growing neither copies nor needs room for two; only the first chunk grows in place.
  static constexpr std::size_t kShift = std::countr_zero(kFirst);
  static constexpr std::size_t kMask = kFirst - 1;
  void grow();
  void release() noexcept;
  Node* first_ = nullptr;  ///< chunks_[0]: most texts need no other
  std::vector<Node*> chunks_;
  std::size_t capacity_ = 0;
  Ends e_;
  Arena arena_;
  mutable LastChild last_child_;
};

BELAY_API_END
}  // namespace BELAY_NAMESPACE::json
