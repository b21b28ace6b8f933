// Arguments in a language's own notation: Python's keyword arguments, and the JavaScript-like objects of Gemma.
#pragma once

#include "text/receipt.h"

#include <belay/base.h>
#include <belay/json/builder.h>
#include <belay/json/verdict.h>
#include <belay/text/shape.h>

#include <memory>
#include <string>
#include <string_view>

namespace BELAY_NAMESPACE::text {

/// How values are written.
struct Notation {
  enum class Language : std::uint8_t {
    python,  ///< f(x=1, y='a', z=[True, None], d={"k": 1}): '=' behind names, strings as Python has them
    script,  ///< f{x:1,y:<|"|>a<|"|>}: ':' behind names, names without quotes
  };
  Language language = Language::python;
  /// What stands around strings, where it is no quote character: <|"|> or <escape>. Strings hold no escapes then.
  std::string_view quote;
};

/// Reads the members of one call, from behind its opening bracket to its closing one, and drives a Builder with them:
/// open_object() at the start, close() at the end. State survives any cut. Never recursive; linear.
class Members {
 public:
  /// All must outlive it. `shape` names positional arguments, which are a guess.
  Members(Notation notation, const Shape& shape, json::Builder& builder, Receipt& receipt, Limits limits);
  ~Members();
  Members(Members&&) noexcept;

  /// Takes bytes from the window, whose first byte has the given offset in the whole text, and says how many. Fewer
  /// than all: it is done(), or the rest (at most 512 bytes) must be given again, with more behind it. With `final`
  /// nothing more will come, and all that is left is taken or the reading is over.
  std::size_t read(std::string_view window, std::uint64_t offset, bool final);
  /// The closing bracket was read.
  [[nodiscard]] bool done() const;
  /// A limit was passed: the error of the call. Everything is taken and ignored from there on, up to nothing.
  /// Its position has the offset only; lines are counted by who has the text.
  [[nodiscard]] const json::Error& error() const;
  /// True outside of strings, and at a quote that what follows may show to be the end of one: where an end marker of
  /// the format may stand, which means that the closers are missing.
  [[nodiscard]] bool outside_string() const;
  /// True inside of a string, and at a quote that may end one.
  [[nodiscard]] bool in_string() const;
  /// No closer came, but the call's end marker did: closes what is open, as a guess. After read() with `final`, which
  /// leaves a number or word at the very end unbuilt, because only a delimiter shows that it is whole.
  void close_all(std::uint64_t offset);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace BELAY_NAMESPACE::text
