#include <belay/json/value.h>

#include "json/number.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <vector>

namespace BELAY_NAMESPACE::json {
namespace {

struct Pair {
  Value a, b;
};

// Queues the members of two objects for comparison, matched by key. False when the keys differ.
bool match_members(const Value& a, const Value& b, std::vector<Pair>& todo) {
  std::size_t from = todo.size();
  auto bi = b.members().begin();
  bool ordered = true;
  for (Member m : a.members()) {
    Member n = *bi;
    ++bi;
    if (m.key != n.key) {
      ordered = false;
      break;
    }
    todo.push_back({m.value, n.value});
  }
  if (ordered) return true;
  todo.erase(todo.begin() + static_cast<std::ptrdiff_t>(from), todo.end());
  auto sorted = [](const Value& v) {
    std::vector<Member> ms;
    for (Member m : v.members()) ms.push_back(m);
    std::stable_sort(ms.begin(), ms.end(), [](const Member& x, const Member& y) { return x.key < y.key; });
    return ms;
  };
  std::vector<Member> as = sorted(a), bs = sorted(b);
  for (std::size_t i = 0; i < as.size(); ++i) {
    if (as[i].key != bs[i].key) return false;
    todo.push_back({as[i].value, bs[i].value});
  }
  return true;
}

}  // namespace

std::optional<std::int64_t> Value::as_int64() const {
  if (!is_number()) return std::nullopt;
  auto i = integer(number_text());
  if (!i) return std::nullopt;
  constexpr std::uint64_t kTop = std::uint64_t{1} << 63;
  if (i->negative) {
    if (i->magnitude > kTop) return std::nullopt;
    return static_cast<std::int64_t>(0 - i->magnitude);
  }
  if (i->magnitude >= kTop) return std::nullopt;
  return static_cast<std::int64_t>(i->magnitude);
}

std::optional<std::uint64_t> Value::as_uint64() const {
  if (!is_number()) return std::nullopt;
  auto i = integer(number_text());
  if (!i || (i->negative && i->magnitude)) return std::nullopt;
  return i->magnitude;
}

double Value::as_double() const {
  std::string_view t = number_text();
  double d = 0;
  auto r = std::from_chars(t.data(), t.data() + t.size(), d);
  if (r.ec == std::errc::result_out_of_range) {
    // from_chars does not say which way it went: a negative exponent, or leading zeros only, means towards zero.
    std::size_t e = t.find_first_of("eE");
    bool tiny = e != std::string_view::npos ? t.substr(e + 1).starts_with('-') : t.find('.') != std::string_view::npos;
    if (tiny) return t.starts_with('-') ? -0.0 : 0.0;
    return t.starts_with('-') ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
  }
  return d;
}

std::size_t Value::size() const {
  const Node& n = tape_->node(at_);
  return n.container() ? static_cast<std::size_t>(n.size()) : 0;
}

Items Value::items() const { return is_array() ? Items{tape_, at_ + 1, tape_->next(at_)} : Items{tape_, 0, 0}; }

Members Value::members() const {
  return is_object() ? Members{tape_, at_ + 1, tape_->next(at_)} : Members{tape_, 0, 0};
}

Member Members::iterator::operator*() const { return {tape_->text(at_), Value{tape_, at_ + 1}}; }

std::optional<Value> Value::find(std::string_view key) const {
  if (!is_object()) return std::nullopt;
  // Tag and length are one word: most keys are told apart by it.
  const std::uint64_t head = static_cast<std::uint64_t>(Tag::key) | static_cast<std::uint64_t>(key.size()) << 8;
  const std::size_t end = tape_->next(at_);
  std::size_t found = Tape::kNone;
  for (std::size_t i = at_ + 1; i < end;) {
    if (tape_->node(i).head == head && tape_->text(i) == key) found = i + 1;
    const Node& value = tape_->node(i + 1);
    i = value.container() ? static_cast<std::size_t>(value.body) : i + 2;
  }
  if (found == Tape::kNone) return std::nullopt;
  return Value(tape_, found);
}

std::optional<Value> Value::at(std::size_t i) const {
  for (Value v : items())
    if (i-- == 0) return v;
  return std::nullopt;
}

bool operator==(const Value& left, const Value& right) {
  std::vector<Pair> todo{{left, right}};
  while (!todo.empty()) {
    auto [a, b] = todo.back();
    todo.pop_back();
    if (a.kind() != b.kind()) return false;
    switch (a.kind()) {
      case Kind::null: break;
      case Kind::boolean:
        if (a.as_bool() != b.as_bool()) return false;
        break;
      case Kind::number:
        if (!same_number(a.number_text(), b.number_text())) return false;
        break;
      case Kind::string:
        if (a.as_string() != b.as_string()) return false;
        break;
      case Kind::array: {
        if (a.size() != b.size()) return false;
        auto bi = b.items().begin();
        for (Value v : a.items()) todo.push_back({v, *bi++});
        break;
      }
      case Kind::object:
        if (a.size() != b.size() || !match_members(a, b, todo)) return false;
        break;
    }
  }
  return true;
}

}  // namespace BELAY_NAMESPACE::json
