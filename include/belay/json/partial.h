// The value so far, while its text still arrives.
#pragma once

#include <belay/json/value.h>

#include <cstring>
#include <optional>
#include <string_view>

namespace BELAY_NAMESPACE::json {
BELAY_API_BEGIN

/// What a growing tape shows: nodes before `end`; `held` is the string whose end is not decided yet, or kNone.
struct Shown {
  const Tape* tape = nullptr;
  std::size_t end = 0;
  std::size_t held = Tape::kNone;
};

class MaybePartial;

/// A live view of a value that may still grow. A type of its own: nothing that takes final arguments accepts it, and
/// there is no conversion to Value. Two words; valid until what it came from is pushed to, finished, reset or moved.
///
/// What it promises (docs/reader.md, property 2): a closed value never changes, an open string only grows, numbers and
/// literals appear when they are delimited, nothing speculative is ever visible.
class Partial {
 public:
  Partial(const Shown* shown, std::size_t at) : shown_(shown), at_(at) {}

  [[nodiscard]] Kind kind() const { return kind_of(tape().node(at_).tag()); }
  /// True when nothing that is still to come can change it. A string is closed when what follows its quote has shown
  /// that it was the end, brackets right behind it with it: the last value of a text only when that is finished.
  [[nodiscard]] bool closed() const;
  /// True when the value's own end has come, though later bytes may yet show that a quote before it was text.
  [[nodiscard]] bool seems_closed() const {
    const Node& n = tape().node(at_);
    return n.container() ? !n.open() && n.body <= shown_->end : at_ != shown_->held;
  }
  [[nodiscard]] bool as_bool() const { return Value(shown_->tape, at_).as_bool(); }
  /// The string so far, whole characters only.
  [[nodiscard]] std::string_view as_string() const { return Value(shown_->tape, at_).as_string(); }
  /// Of numbers, which are shown only when they are whole: as for Value.
  [[nodiscard]] std::string_view number_text() const { return Value(shown_->tape, at_).number_text(); }
  [[nodiscard]] std::optional<std::int64_t> as_int64() const { return Value(shown_->tape, at_).as_int64(); }
  [[nodiscard]] std::optional<std::uint64_t> as_uint64() const { return Value(shown_->tape, at_).as_uint64(); }
  [[nodiscard]] double as_double() const { return Value(shown_->tape, at_).as_double(); }

  /// Items or members with a value, so far. O(1) for arrays and closed objects.
  [[nodiscard]] std::size_t size() const;
  /// The last item of an array, or the value of an object's last member. O(depth below this value) while it grows; of
  /// a closed one O(items) for the first of several calls.
  [[nodiscard]] MaybePartial last() const;
  /// The member of that name, if its value has begun. O(members).
  [[nodiscard]] MaybePartial find(std::string_view key) const;
  [[nodiscard]] MaybePartial at(std::size_t i) const;

  /// Calls f(key, Partial) for each member, or f(Partial) for each item.
  template <class F>
  void each_member(F&& f) const;
  template <class F>
  void each_item(F&& f) const;

 private:
  [[nodiscard]] std::size_t children_end() const {
    std::size_t end = tape().next_within(at_, shown_->end);
    // A key whose value has not begun is not shown. It can only be the last node.
    if (end > at_ + 1 && tape().node(end - 1).tag() == Tag::key) --end;
    return end;
  }
  [[nodiscard]] bool next_is_whole() const;
  static bool is_key(const Node& n, std::string_view key) {
    return n.head == (static_cast<std::uint64_t>(Tag::key) | static_cast<std::uint64_t>(key.size()) << 8) &&
           std::memcmp(reinterpret_cast<const char*>(n.body), key.data(), key.size()) == 0;
  }
  [[nodiscard]] static MaybePartial find_behind(Partial of, std::string_view key, std::size_t i, std::size_t end);
  // Of a copy: a value that is asked for its last item on every piece stays in registers.
  [[nodiscard]] static MaybePartial last_closed_child(Partial of);
  [[nodiscard]] Partial child(std::size_t at) const { return {shown_, at}; }
  [[nodiscard]] const Tape& tape() const { return *shown_->tape; }
  friend class MaybePartial;
  friend class TextSoFar;
  const Shown* shown_;
  std::size_t at_;
};

/// A Partial, or nothing: as std::optional, but passed in registers, because it is asked for after every piece.
class MaybePartial {
 public:
  MaybePartial() = default;
  MaybePartial(std::nullopt_t) {}
  MaybePartial(Partial p) : value_(p) {}
  [[nodiscard]] bool has_value() const { return value_.shown_ != nullptr; }
  explicit operator bool() const { return has_value(); }
  const Partial& operator*() const { return value_; }
  const Partial* operator->() const { return &value_; }
  /// Throws std::bad_optional_access when there is none; ends the program where the library was built without
  /// exceptions.
  [[nodiscard]] const Partial& value() const {
    if (!has_value()) none();
    return value_;
  }
  operator std::optional<Partial>() const { return has_value() ? std::optional(value_) : std::nullopt; }

 private:
  [[noreturn]] static void none();
  Partial value_{nullptr, 0};
};

inline MaybePartial Partial::last() const {
  const Tape& t = tape();
  // The usual case, while this value still grows: climb from the innermost open container.
  if (shown_->end == t.size()) {
    std::size_t i = t.innermost();
    while (i != Tape::kNone && i > at_) {
      auto parent = static_cast<std::size_t>(t.node(i).body);
      if (parent == at_) return child(i);
      i = parent;
    }
  }
  return last_closed_child(*this);
}

inline MaybePartial Partial::find(std::string_view key) const {
  const Tape& t = tape();
  const Node& self = t.node(at_);
  if (self.tag() != Tag::object) return std::nullopt;
  std::size_t end = shown_->end;
  if (!self.open() && self.body < end) end = static_cast<std::size_t>(self.body);
  std::size_t i = at_ + 1;
  if (i + 1 >= end) return std::nullopt;
  if (is_key(t.node(i), key)) return child(i + 1);
  if (end > Tape::kFirst) return find_behind(*this, key, i, end);
  // All in one stretch of memory, where a step from member to member takes little.
  const Node* const first = t.first();
  for (const Node *n = first + i, *const last = first + end - 1;;) {
    const Node& v = n[1];
    if (!v.container())
      n += 2;
    else if (v.open())
      return std::nullopt;
    else
      n = first + v.body;
    if (n >= last) return std::nullopt;
    if (is_key(*n, key)) return child(static_cast<std::size_t>(n - first) + 1);
  }
}

template <class F>
void Partial::each_member(F&& f) const {
  if (kind() != Kind::object) return;
  for (std::size_t i = at_ + 1, e = children_end(); i + 1 < e; i = tape().next_within(i + 1, e))
    f(tape().text(i), child(i + 1));
}

template <class F>
void Partial::each_item(F&& f) const {
  if (kind() != Kind::array) return;
  for (std::size_t i = at_ + 1, e = children_end(); i < e; i = tape().next_within(i, e)) f(child(i));
}

BELAY_API_END
}  // namespace BELAY_NAMESPACE::json
