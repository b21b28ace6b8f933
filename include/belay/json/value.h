// Final JSON values: immutable documents and cheap views into them.
#pragma once

#include <belay/json/tape.h>

#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>

namespace BELAY_NAMESPACE::json {
BELAY_API_BEGIN

enum class Kind : std::uint8_t { null, boolean, number, string, array, object };
std::string_view name(Kind) noexcept;

/// The kind of value that a node with this tag is.
inline constexpr Kind kKinds[] = {Kind::null,   Kind::boolean, Kind::boolean, Kind::number, Kind::number,
                                  Kind::string, Kind::string,  Kind::array,   Kind::object};
constexpr Kind kind_of(Tag tag) { return kKinds[static_cast<std::size_t>(tag)]; }

class Value;

struct Member;

/// The children of an array (or the values at the top of a document), in order. Forward iteration, O(1) a step.
class Items {
 public:
  class iterator {
   public:
    using value_type = Value;
    using difference_type = std::ptrdiff_t;
    iterator() = default;
    iterator(const Tape* tape, std::size_t at) : tape_(tape), at_(at) {}
    Value operator*() const;
    iterator& operator++() {
      at_ = tape_->next(at_);
      return *this;
    }
    iterator operator++(int) {
      auto old = *this;
      ++*this;
      return old;
    }
    bool operator==(const iterator&) const = default;

   private:
    const Tape* tape_ = nullptr;
    std::size_t at_ = 0;
  };
  Items(const Tape* tape, std::size_t from, std::size_t to) : tape_(tape), from_(from), to_(to) {}
  [[nodiscard]] iterator begin() const { return {tape_, from_}; }
  [[nodiscard]] iterator end() const { return {tape_, to_}; }
  [[nodiscard]] bool empty() const { return from_ == to_; }

 private:
  const Tape* tape_;
  std::size_t from_, to_;
};

/// The members of an object, in the order of the text.
class Members {
 public:
  class iterator {
   public:
    using value_type = Member;
    using difference_type = std::ptrdiff_t;
    iterator() = default;
    iterator(const Tape* tape, std::size_t at) : tape_(tape), at_(at) {}
    Member operator*() const;
    iterator& operator++() {
      at_ = tape_->next(at_ + 1);
      return *this;
    }
    iterator operator++(int) {
      auto old = *this;
      ++*this;
      return old;
    }
    bool operator==(const iterator&) const = default;

   private:
    const Tape* tape_ = nullptr;
    std::size_t at_ = 0;
  };
  Members(const Tape* tape, std::size_t from, std::size_t to) : tape_(tape), from_(from), to_(to) {}
  [[nodiscard]] iterator begin() const { return {tape_, from_}; }
  [[nodiscard]] iterator end() const { return {tape_, to_}; }
  [[nodiscard]] bool empty() const { return from_ == to_; }

 private:
  const Tape* tape_;
  std::size_t from_, to_;
};

/// A view of one finished value. Two words, copied freely, valid as long as its Document. Asking for the wrong kind
/// gives the empty answer of that kind (false, "", no items), never undefined behaviour.
class Value {
 public:
  Value(const Tape* tape, std::size_t at) : tape_(tape), at_(at) {}

  [[nodiscard]] Kind kind() const { return kind_of(tape_->node(at_).tag()); }
  [[nodiscard]] bool is_null() const { return kind() == Kind::null; }
  [[nodiscard]] bool is_bool() const { return kind() == Kind::boolean; }
  [[nodiscard]] bool is_number() const { return kind() == Kind::number; }
  [[nodiscard]] bool is_string() const { return kind() == Kind::string; }
  [[nodiscard]] bool is_array() const { return kind() == Kind::array; }
  [[nodiscard]] bool is_object() const { return kind() == Kind::object; }

  [[nodiscard]] bool as_bool() const { return tape_->node(at_).tag() == Tag::yes; }
  /// Valid UTF-8, where it was read or built as Builder wants it; may hold NUL.
  [[nodiscard]] std::string_view as_string() const {
    const Node& n = tape_->node(at_);
    if (n.tag() != Tag::string && n.tag() != Tag::key) return {};
    return {reinterpret_cast<const char*>(n.body), static_cast<std::size_t>(n.size())};
  }
  /// The number as written, always a JSON number. Integers keep all their digits.
  [[nodiscard]] std::string_view number_text() const { return is_number() ? tape_->text(at_) : std::string_view{}; }
  /// The exact integer, if the number is one that fits (1e2 and 1.0 count as integers).
  [[nodiscard]] std::optional<std::int64_t> as_int64() const;
  [[nodiscard]] std::optional<std::uint64_t> as_uint64() const;
  /// The nearest double; ±infinity beyond its range.
  [[nodiscard]] double as_double() const;

  /// Items of an array or members of an object. O(1).
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] Items items() const;
  [[nodiscard]] Members members() const;
  /// The member of that name; the last one if strict mode let several through. O(members).
  [[nodiscard]] std::optional<Value> find(std::string_view key) const;
  /// Item i. O(i).
  [[nodiscard]] std::optional<Value> at(std::size_t i) const;

  [[nodiscard]] const Tape* tape() const { return tape_; }
  [[nodiscard]] std::size_t index() const { return at_; }

  /// Deep equality: member order does not count, numbers are equal when their values are (1 and 1.0). Iterative.
  friend bool operator==(const Value& a, const Value& b);

 private:
  const Tape* tape_;
  std::size_t at_;
};

struct Member {
  std::string_view key;
  Value value;
};

inline Value Items::iterator::operator*() const { return {tape_, at_}; }

/// Owns the values of one text. Moves are cheap and do not invalidate views' text, but views point at the Document:
/// keep it still while they are used. Of a temporary neither
/// root() nor values() compiles: they would outlive it.
class Document {
 public:
  Document() = default;
  explicit Document(Tape tape) : tape_(std::move(tape)) {}

  /// The values at the top, in order: none, one, or several that were glued together.
  [[nodiscard]] Items values() const& { return {&tape_, 0, tape_.size()}; }
  Items values() const&& = delete;
  [[nodiscard]] bool empty() const { return tape_.size() == 0; }
  /// The first value. Call only when not empty().
  [[nodiscard]] Value root() const& { return {&tape_, 0}; }
  Value root() const&& = delete;
  [[nodiscard]] const Tape& tape() const { return tape_; }
  [[nodiscard]] Tape release() && { return std::move(tape_); }
  void swap(Tape& tape) noexcept { tape_.swap(tape); }

 private:
  Tape tape_;
};

BELAY_API_END
}  // namespace BELAY_NAMESPACE::json
