// Looking ahead: does this quote end the string, does this bracket start a value? Each question is a small state
// machine over the bytes that follow, so that it can wait for more of them and never reads one twice.
//
// Every question passes at most four further quotes of the text before it is answered, and one about code a dozen more;
// that, and the bound kHold, is what keeps the whole reader linear.
#pragma once

#include "json/glyph.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace BELAY_NAMESPACE::json {

/// A container that is open in damaged text. Wrappers are calls around a value, as in ObjectId("…").
struct Frame {
  enum class Type : std::uint8_t { object, array, paren, wrapper };
  Type type = Type::object;
  bool bare_keys = false;   // has a key without quotes, or = for a colon
  bool doubled = false;     // its brace stood twice
  bool semicolons = false;  // a list: one stood for a comma
  bool commas = false;      // and behind that one came
};
using Frames = std::vector<Frame>;

enum class Answer : std::uint8_t {
  more,
  yes,
  no,
  join,  // the string goes on behind the next quote: "a" + "b"
};

class Ahead {
 public:
  /// Does the quote before p end a string value of the innermost frame? `around`: the quote before the value at the
  /// top. `inner`: the string has quotes inside already. `one`: what stands behind the value is nobody's business.
  /// `curly`: the string and its key began with curly quotes, and this one is straight.
  Answer ends_string(const char* p, std::size_t n, bool final, const Frames& frames, Quote quote, Quote around,
                     bool inner, bool one, bool curly);
  /// True when a straight quote before p ends a string value of the innermost frame beyond doubt: what ends_string()
  /// would say then, without its questions, if none is open. False: ask that.
  [[nodiscard]] bool clearly_ends_string(const char* p, std::size_t n, const Frames& frames, bool inner) const;
  /// Does the quote before p end a key? `inner`: the key has quotes inside already.
  Answer ends_key(const char* p, std::size_t n, bool final, bool inner);
  /// Does the comma before p end a value without quotes?
  Answer ends_item(const char* p, std::size_t n, bool final, const Frames& frames);
  /// Does the brace (bracket) before p start an object (array)? `first`: nothing but white space came before it.
  Answer starts_object(const char* p, std::size_t n, bool final, bool first);
  Answer starts_array(const char* p, std::size_t n, bool final, bool first);

  /// After join: the bytes between the quote and the rest of the string, and the quote that starts it.
  [[nodiscard]] std::size_t joined() const { return joined_; }
  [[nodiscard]] Quote joined_quote() const { return inner_; }
  /// After yes: where behind the quote a line begins from which on all is prose. 0: nowhere.
  [[nodiscard]] std::size_t prose() const { return prose_; }
  /// No question is open.
  [[nodiscard]] bool idle() const { return state_ == State::idle; }
  /// The open question has come to another string, and is in it.
  [[nodiscard]] bool in_string() const {
    return state_ == State::key_string || state_ == State::item_string || state_ == State::value_string;
  }
  /// What the open question has passed fits behind a string: closers and white space, or a comma and half an item.
  [[nodiscard]] bool fits_so_far() const {
    return state_ == State::after || state_ == State::top || (state_ == State::item_string && by_comma_);
  }
  void reset() {
    state_ = State::idle;
    at_ = 0;
    spaced_ = newline_ = closed_ = by_comma_ = semicolon_ = odd_paren_ = odd_close_ = unended_ = quotes_inside_ = one_ =
        curly_ = false;
    stray_ = line_word_ = far_quotes_ = 0;
    word_.clear();
  }

 private:
  enum class State : std::uint8_t {
    idle,
    after,
    comma,
    key_string,
    key_word,
    key_quote,  // behind a word and a quote that touches it
    key_done,
    value,  // of a key that came without a comma or a colon: it has to stand alone
    value_string,
    value_word,
    value_done,
    equals,
    equals_word,
    item_string,
    item_done,
    item_word,
    item_quote,  // behind one and a quote that touches it
    next_item,
    ellipsis,  // it touches the quote
    token,     // in a tag that touches it
    token_end,
    top,
    rest,       // in lines that may be prose
    top_quote,  // behind another quote that touches the last closer
    plus,
    key_after,
    brace,
    brace_word,
    brace_quote,  // behind one and a quote that touches it
    bracket,
    bracket_word,
    bracket_done,
    bracket_paren,  // behind one right behind the bracket
    line,
    far,           // behind closers of everything, and text: see ahead_far.cpp
    far_quote,     // behind a quote there, and closers
    far_comma,     // and a comma
    far_key,       // and a quote
    far_key_done,  // and another
    far_top,       // behind such closers of everything
  };
  // How a key with quotes begins: "name: would be one that lacks its last quote, and " -f1" (sign) is hardly one.
  enum class Begins : std::uint8_t { empty, name, space, colon, sign, other };
  Answer walk(const char* p, std::size_t n, bool final, const Frames& frames, Quote quote, Quote around);
  [[nodiscard]] Answer at_end() const;
  Answer after(const Glyph& g, const char* p, const Frames& frames);
  Answer comma(const Glyph& g, const char* p, const Frames& frames);
  void note_prefix(const Glyph& g, const char* p);
  [[nodiscard]] bool behind_prefix(const Glyph& g) const;
  Answer next_item(const Glyph& g, const char* p, const Frames& frames);
  Answer lone_value(const Glyph& g, const char* p);
  [[nodiscard]] Answer glued(const char* p, std::size_t n, bool final) const;
  Answer top(const Glyph& g, Quote quote, Quote around);
  Answer look_far(const Glyph& g);
  Answer far(const Glyph& g, const char* p, const Frames& frames, Quote quote);
  Answer pass_line(State then);
  void note_key(char c);
  /// Of what has quotes and stands where a key may, without a colon behind it.
  [[nodiscard]] bool may_be_key() const { return inner_ == Quote::none || begins_ != Begins::sign; }
  Answer skip_string(const char* p, std::size_t n, bool final);
  Answer settle(Answer a) {
    if (a != Answer::more) reset();
    return a;
  }

  State state_ = State::idle;
  bool spaced_ = false, newline_ = false, closed_ = false, by_comma_ = false, odd_paren_ = false;
  bool odd_close_ = false;      // a closer came that fits nothing
  bool unended_ = false;        // the input ended in a string that was passed
  bool semicolon_ = false;      // the comma is one
  bool quotes_inside_ = false;  // the string has had some
  bool one_ = false;
  bool curly_ = false;
  std::size_t stray_ = 0;  // the depth before the last closer, if that fits nothing and may be one too many
  State behind_line_ = State::idle;
  Begins begins_ = Begins::empty;
  Quote inner_ = Quote::none;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
  std::size_t joined_ = 0;
  std::size_t line_word_ = 0;  // where the first word stands, if it begins a line
  std::size_t far_quotes_ = 0, far_nested_ = 0;
  std::size_t prose_ = 0;
  std::string word_;
};

/// The first `depth` are objects, one in the other, and few.
bool only_objects(const Frames& frames, std::size_t depth);

/// The frame that a closer belongs to, counted from 1 among the first `depth`, or 0.
std::size_t closes(Is closer, const Frames& frames, std::size_t depth);

}  // namespace BELAY_NAMESPACE::json
