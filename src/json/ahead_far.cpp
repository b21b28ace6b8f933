// Code in a string whose quotes are not escaped: {"code":"x = {"a": "b"}␊print(x)␊","n":1}. Behind the second last
// quote of the code everything seems to be closed, and text follows. If another quote comes that ends the string
// better, with a member or the end of everything behind it, the first one is part of the code.
#include "json/ahead.h"

namespace BELAY_NAMESPACE::json {
namespace {

// What keeps this linear: no question passes more quotes than these.
constexpr std::size_t kMostQuotes = 12;

}  // namespace

// From g on, which is no quote of the string's own.
Answer Ahead::look_far(const Glyph& g) {
  state_ = State::far;
  stray_ = line_word_ = 0;
  far_nested_ = g.is == Is::open_brace || g.is == Is::open_bracket;
  return Answer::more;
}

Answer Ahead::far(const Glyph& g, const char* p, const Frames& frames, Quote quote) {
  switch (state_) {
    case State::far_quote:
      if (is_closer(g.is) && depth_ > 0 && closes(g.is, frames, depth_) == depth_) {
        if (--depth_ == 0) state_ = State::far_top;
        return Answer::more;
      }
      if (g.is == Is::comma && p[at_] == ',' && depth_ > 0) {
        state_ = State::far_comma;
        return Answer::more;
      }
      break;
    case State::far_comma:
      if (frames[depth_ - 1].type == Frame::Type::object) {
        if (!is_straight(g)) break;
        inner_ = g.quote;
        state_ = State::far_key;
        return Answer::more;
      }
      // Behind an item that was closed, not "a", "b" in code.
      if (depth_ < frames.size() && is_opener(g.is)) return Answer::no;
      break;
    case State::far_key:
      if (g.is == Is::word) return Answer::more;
      if (g.is != Is::quote || g.quote != inner_) break;
      state_ = State::far_key_done;
      return Answer::more;
    case State::far_key_done:
      if (g.is == Is::colon) return Answer::no;
      break;
    case State::far_top:
      if (g.is == Is::fence || g.is == Is::tag) return Answer::no;
      break;
    default: break;
  }
  state_ = State::far;
  if (g.is == Is::quote && g.quote == quote) {
    if (++far_quotes_ > kMostQuotes) return Answer::yes;
    // Between brackets of its own it belongs to another value.
    if (far_nested_ > 0) return Answer::more;
    depth_ = frames.size();
    state_ = State::far_quote;
  } else if (g.is == Is::open_brace || g.is == Is::open_bracket) {
    ++far_nested_;
  } else if ((g.is == Is::close_brace || g.is == Is::close_bracket) && far_nested_ > 0) {
    --far_nested_;
  }
  return Answer::more;
}

}  // namespace BELAY_NAMESPACE::json
