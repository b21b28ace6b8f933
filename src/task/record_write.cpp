#include "task/call_texts.h"
#include "task/stored_members.h"
#include "task/stored_words.h"

#include <belay/json/writer.h>

#include <charconv>
#include <cmath>
#include <concepts>
#include <type_traits>

namespace BELAY_NAMESPACE::task {

namespace {

class Writer {
 public:
  explicit Writer(std::string& out) : out_(out) {}

  /// The members, without the braces.
  template <class T>
  void members(const T& object) {
    if constexpr (std::same_as<T, Turn>) {
      const CallTexts texts(object.message);
      called_with_ = &texts;
      Members<T>::list(Object<T>{*this, object});
      called_with_ = nullptr;
    } else {
      Members<T>::list(Object<T>{*this, object});
    }
    if constexpr (std::same_as<T, PlannedCall>) runs(object);
  }

  void member(std::string_view name, const auto& value) {
    if (out_.back() != '{') out_ += ',';
    json::write_string(name, out_);
    out_ += ':';
    write(value);
  }

 private:
  template <class T>
  struct Object {
    Writer& writer;
    const T& object;
    const T blank{};

    template <class M>
    void operator()(std::string_view name, M T::* member) const {
      if (!(object.*member == blank.*member)) writer.member(name, object.*member);
    }
    template <class M>
    void always(std::string_view name, M T::* member) const {
      writer.member(name, object.*member);
    }
    template <class M>
    void when(bool T::* flag, std::string_view name, M T::* member) const {
      if (object.*flag) return always(name, member);
      (*this)(name, member);
    }
  };

  void runs(const PlannedCall& call) {
    const auto text = called_with_ && call.runs.size() == 1 ? called_with_->find(call.id) : std::nullopt;
    if (text && *text == call.runs[0])
      member("as_called", true);
    else if (!call.runs.empty())
      member("runs", call.runs);
  }

  void write(bool value) { out_ += value ? "true" : "false"; }
  void write(std::uint64_t value) { out_ += std::to_string(value); }
  void write(std::int64_t value) { out_ += std::to_string(value); }
  // The shortest text that reads back as the same number. Infinity is a number that no double can hold, which is read
  // as infinity; what is no number at all cannot be said, and is nothing.
  void write(double value) {
    if (std::isnan(value)) value = 0;
    if (std::isinf(value)) {
      out_ += value > 0 ? "1e999" : "-1e999";
      return;
    }
    char buffer[32];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value);
    out_.append(buffer, end.ptr);
  }
  void write(const std::string& value) { json::write_string(value, out_); }
  void write(const std::optional<std::uint64_t>& value) { write(*value); }  // one without a value is left out
  template <class E>
    requires std::is_enum_v<E>
  void write(E value) {
    json::write_string(word_of(value), out_);
  }
  template <class T>
  void write(const std::vector<T>& list) {
    out_ += '[';
    bool first = true;
    for (const T& item : list) {
      if (!first) out_ += ',';
      first = false;
      write(item);
    }
    out_ += ']';
  }
  template <class T>
    requires requires { sizeof(Members<T>); }
  void write(const T& object) {
    out_ += '{';
    members(object);
    out_ += '}';
  }

  std::string& out_;
  const CallTexts* called_with_ = nullptr;  // while a turn is written
};

}  // namespace

std::string to_json(const Body& body) {
  std::string out = "{";
  Writer writer(out);
  writer.member("v", kRecordVersion);
  writer.member("kind", std::string(kind_of(body)));
  std::visit([&](const auto& it) { writer.members(it); }, body);
  out += '}';
  return out;
}

}  // namespace BELAY_NAMESPACE::task
