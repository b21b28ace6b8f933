// A member without its object, right behind a value: {"path":"a"} content: "x". The object was closed too early, then.
#pragma once

#include "json/glyph.h"

#include <string>
#include <string_view>

namespace BELAY_NAMESPACE::json {

/// Fed with what follows a value, up to the first thing that is no part of such a member. A key without quotes, a
/// colon, and a string, a number, a literal or a bracket that is all there is on its line. What is not a string must
/// begin on the line on which the value ended: "Confidence: 0.9" on a line of its own is a remark.
class LooseMember {
 public:
  /// A value ended.
  void begin() { *this = {}, in_ = In::start; }
  void add(const Glyph& g, char c, bool touches);
  void add_plain(std::string_view run);
  void new_line();
  /// The rest of the line may be a comment: {"path":"a"}, # see below, and content: "x" on the next line.
  void comment() {
    if (in_ == In::start) in_ = In::skipped;
  }
  /// A bracket, or the end of the text.
  void bracket();
  void end();

  /// Once true, it stays so until the next value.
  [[nodiscard]] bool found() const { return found_; }

 private:
  // A comment may stand before the colon (comment, then named), or right behind it (mark and remark, or block; then
  // colon again).
  enum class In : std::uint8_t {
    nothing,
    start,
    skipped,
    name,
    comment,
    named,
    colon,
    mark,
    remark,
    block,
    string,
    word,
    done
  };
  void append(char c);
  [[nodiscard]] bool ends_block(const Glyph& g, char c) const;
  void word_done();

  In in_ = In::nothing;
  bool found_ = false;
  bool small_ = false;     // the key begins with a small letter
  bool string_ = false;    // its value is a string
  bool new_line_ = false;  // since the value
  Quote quote_ = Quote::none;
  char before_ = 0;  // in a comment: the byte before
  std::string word_;
};

}  // namespace BELAY_NAMESPACE::json
