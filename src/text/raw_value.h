// A value written as raw text: what it is, the tool's shape says.
#pragma once

#include "text/formats.h"
#include "text/output.h"
#include "text/receipt.h"

#include <belay/json/builder.h>
#include <belay/text/shape.h>

#include <string>
#include <string_view>

namespace BELAY_NAMESPACE::text {

/// Drives a Builder with one value. Strings grow as their text arrives. Everything else is read at the end, by the
/// tolerant reader.
class RawValue {
 public:
  RawValue(json::Builder& builder, Receipt& receipt, const Limits& limits, Lines lines)
      : builder_(builder), receipt_(receipt), limits_(limits), lines_(lines) {}

  /// `types`: what it may be. Anything at all, or a string only: a string. `bare`: the format writes numbers and
  /// literals without quotes, lists and objects as tags, and leaves nothing between the tags of an empty one.
  void begin(std::uint8_t types, std::uint64_t offset, bool bare = false);
  /// What its tag says of it, before any byte: JSON, of these types. Something else is a guess.
  void declare(std::uint8_t types) {
    declared_ = types;
    streams_ = false;
  }
  void append(std::string_view bytes);
  /// Its closing tag came.
  void end();
  /// The text was cut off in it. True when something of it was kept: a string's beginning.
  bool cut();
  /// Nothing but white space so far.
  [[nodiscard]] bool blank() const { return blank_; }
  /// Where its first byte stands.
  [[nodiscard]] std::uint64_t begun_at() const { return offset_; }
  [[nodiscard]] bool is_string() const { return streams_; }
  /// What comes next stands in a string of an object or a list, if that is whole so far.
  [[nodiscard]] bool in_json_string() const { return quoting_; }
  /// What follows is the value byte for byte, its line breaks included.
  void exactly() { start_ = padded_ = false; }
  /// Takes back a value that has not begun: tags follow instead.
  void forget();

 private:
  void stream(std::string_view bytes);
  void give(std::string_view bytes);
  void read_text();
  void note_quotes(std::string_view bytes);
  bool read_nothing();
  void doubt_bare(std::string_view text);

  json::Builder& builder_;
  Receipt& receipt_;
  const Limits& limits_;
  Lines lines_;
  std::uint8_t types_ = kAnyType;
  std::uint8_t declared_ = kNoType;  // what the tag says
  bool streams_ = true;
  bool bare_ = false;
  std::string head_;  // the beginning of a string that grows, if it may be something else
  bool opened_ = false;
  bool start_ = true;  // no byte yet, or a carriage return
  bool blank_ = true;
  bool padded_ = false;  // a line break at the end is the tag's
  std::string tail_;     // line break at the end, so far
  std::string text_;     // all of it, when it is not a string that grows
  std::uint64_t offset_ = 0;
  bool quoting_ = false, escaping_ = false;
  Characters characters_;
};

}  // namespace BELAY_NAMESPACE::text
