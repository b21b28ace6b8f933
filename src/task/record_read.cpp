#include "task/call_texts.h"
#include "task/stored_members.h"
#include "task/stored_words.h"

#include <belay/json/reader.h>
#include <belay/json/writer.h>

#include <concepts>
#include <optional>
#include <type_traits>

namespace BELAY_NAMESPACE::task {

namespace {

/// The members of one object. Each name is asked for once; they mostly come in the order in which they are asked for.
class Taking {
 public:
  explicit Taking(json::Value object) : members_(object.members()), next_(members_.begin()), count_(object.size()) {}

  std::optional<json::Value> take(std::string_view name) {
    if (next_ != members_.end()) {
      const json::Member member = *next_;
      if (member.key == name) {
        mark(next_place_);
        ++next_;
        ++next_place_;
        return member.value;
      }
    }
    std::size_t place = 0;
    for (auto at = members_.begin(); at != members_.end() && place < kPlaces; ++at, ++place) {
      const json::Member member = *at;
      if (member.key != name) continue;
      mark(place);
      next_ = ++at;
      next_place_ = place + 1;
      return member.value;
    }
    return std::nullopt;
  }
  /// The name of a member that nobody took, if there is one.
  [[nodiscard]] std::optional<std::string_view> left() const {
    if (taken_count_ == count_) return std::nullopt;
    std::size_t place = 0;
    for (const json::Member& member : members_)
      if (!taken(place++)) return member.key;
    return std::nullopt;
  }

 private:
  // No object of a record has as many members as this. One that has is wrong anyway, and what lies behind is not read.
  static constexpr std::size_t kPlaces = 64;
  [[nodiscard]] bool taken(std::size_t place) const { return place < kPlaces && (taken_ >> place & 1) != 0; }
  void mark(std::size_t place) {
    if (place < kPlaces) taken_ |= std::uint64_t{1} << place;
    ++taken_count_;
  }
  json::Members members_;
  json::Members::iterator next_;
  std::size_t next_place_ = 0, count_, taken_count_ = 0;
  std::uint64_t taken_ = 0;
};

class Reader {
 public:
  /// Reads the members that `taking` holds, all of them. False with error().
  template <class T>
  bool members(Taking& taking, T& object) {
    bool good = true;
    if constexpr (std::same_as<T, Turn>) {
      message_ = &object.message;
      called_with_.reset();
    }
    Members<T>::list(Object<T>{*this, taking, object, good});
    if constexpr (std::same_as<T, PlannedCall>) good = good && runs(taking, object);
    if (!good) return false;
    const auto left = taking.left();
    return !left || fail("has the member " + shown(*left) + " twice, or this Belay does not know it");
  }
  /// Where it went wrong, as a JSON Pointer, and what is wrong there.
  [[nodiscard]] std::string error() const { return (path_.empty() ? "it" : path_) + " " + what_; }

 private:
  template <class T>
  struct Object {
    Reader& reader;
    Taking& taking;
    T& object;
    bool& good;

    template <class M>
    void operator()(std::string_view name, M T::* member) const {
      if (!good) return;
      if (const auto value = taking.take(name)) good = reader.read(*value, object.*member) || reader.within(name);
    }
    template <class M>
    void always(std::string_view name, M T::* member) const {
      (*this)(name, member);
    }
    template <class M>
    void when(bool T::*, std::string_view name, M T::* member) const {
      (*this)(name, member);
    }
  };

  bool runs(Taking& taking, PlannedCall& call) {
    bool as_called = false;
    if (const auto value = taking.take("as_called"))
      if (!read(*value, as_called)) return within("as_called");
    if (const auto value = taking.take("runs")) {
      if (as_called) return fail("runs", "stands beside as_called");
      return read(*value, call.runs) || within("runs");
    }
    if (!as_called) return true;
    if (!called_with_) called_with_.emplace(*message_);
    const auto text = called_with_->find(call.id);
    if (!text) return fail("as_called", "is about a call that is not in the message");
    call.runs.emplace_back(*text);
    return true;
  }

  bool read(json::Value value, bool& out) {
    out = value.as_bool();
    return value.is_bool() || fail("is not true or false");
  }
  bool read(json::Value value, std::uint64_t& out) {
    const auto number = value.as_uint64();
    out = number.value_or(0);
    return number || fail("is not a whole number from 0 to 2^64 - 1");
  }
  bool read(json::Value value, std::int64_t& out) {
    const auto number = value.as_int64();
    out = number.value_or(0);
    return number || fail("is not a whole number of 64 bits");
  }
  bool read(json::Value value, double& out) {
    out = value.as_double();
    return value.is_number() || fail("is not a number");
  }
  bool read(json::Value value, std::string& out) {
    out = value.as_string();
    return value.is_string() || fail("is not a text");
  }
  bool read(json::Value value, std::optional<std::uint64_t>& out) { return read(value, out.emplace()); }
  template <class E>
    requires std::is_enum_v<E>
  bool read(json::Value value, E& out) {
    const auto known = value.is_string() ? value_of<E>(value.as_string()) : std::nullopt;
    if (!known) return fail("is not one of the words for it");
    out = *known;
    return true;
  }
  template <class T>
  bool read(json::Value value, std::vector<T>& out) {
    if (!value.is_array()) return fail("is not a list");
    for (const json::Value item : value.items())
      if (!read(item, out.emplace_back())) return within(std::to_string(out.size() - 1));
    return true;
  }
  template <class T>
    requires requires { sizeof(Members<T>); }
  bool read(json::Value value, T& out) {
    if (!value.is_object()) return fail("is not an object");
    Taking taking(value);
    return members(taking, out);
  }

  bool fail(std::string what) {
    what_ = std::move(what);
    return false;
  }
  bool fail(std::string_view name, std::string what) {
    fail(std::move(what));
    return within(name);
  }
  bool within(std::string_view name) {
    path_.insert(0, name).insert(0, 1, '/');
    return false;
  }
  static std::string shown(std::string_view name) {
    constexpr std::size_t kBytes = 64;
    std::string out;
    json::write_string(name.substr(0, kBytes), out);
    return out;
  }

  std::string path_, what_;
  const chat::Message* message_ = nullptr;  // of the turn
  std::optional<CallTexts> called_with_;    // the same, once somebody asked
};

template <std::size_t I = 0>
bool read_body(Reader& reader, Taking& taking, std::size_t kind, std::optional<Body>& out) {
  if constexpr (I == std::variant_size_v<Body>) {
    return false;
  } else {
    if (kind != I) return read_body<I + 1>(reader, taking, kind, out);
    return reader.members(taking, out.emplace().emplace<I>());
  }
}

std::unexpected<std::string> wrong(std::string text) { return std::unexpected(std::move(text)); }

}  // namespace

std::expected<Body, std::string> body_from_json(std::string_view text) {
  json::ReaderOptions options;
  options.mode = json::Mode::strict;
  options.limits.bytes = kUnlimited;  // it was written whole, so it is read whole
  const json::Reading reading = json::read(text, options);
  if (reading.verdict.word() != json::Word::valid)
    return wrong("The record is not JSON: " + reading.error.message + " (byte " +
                 std::to_string(reading.error.position.offset) + ").");
  const json::Value root = reading.document.root();
  if (!root.is_object()) return wrong("The record is not an object.");

  Taking taking(root);
  const auto version = taking.take("v");
  const auto number = version ? version->as_uint64() : std::nullopt;
  if (!number || *number == 0) return wrong("The record does not say its version.");
  if (*number > kRecordVersion)
    return wrong("The record has version " + std::to_string(*number) + ", and this Belay reads up to " +
                 std::to_string(kRecordVersion) + ": use the newer Belay that wrote it.");
  const auto kind = taking.take("kind");
  const std::string_view word = kind ? kind->as_string() : std::string_view();
  std::size_t index = 0;
  while (index < std::size(kKinds) && kKinds[index] != word) ++index;
  if (index == std::size(kKinds)) return wrong("The record is of no kind that this Belay knows.");

  std::optional<Body> body;
  Reader reader;
  if (!read_body(reader, taking, index, body))
    return wrong("A record of kind " + std::string(word) + " cannot be read: " + reader.error() + ".");
  return std::move(*body);
}

}  // namespace BELAY_NAMESPACE::task
