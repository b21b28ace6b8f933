// Does this quote end a key, does this bracket start a value?
#include "json/ahead.h"
#include "json/scan.h"
#include "json/session.h"
#include "json/word.h"

#include <algorithm>

namespace BELAY_NAMESPACE::json {

Answer Ahead::ends_key(const char* p, std::size_t n, bool final, bool inner) {
  if (state_ == State::idle) {
    reset();
    state_ = State::key_after;
  }
  while (at_ < n) {
    if (at_ > kHold) return settle(Answer::yes);
    Glyph g = glyph(p + at_, n - at_, final);
    if (g.is == Is::more) return Answer::more;
    if (g.is == Is::space || (g.is == Is::word && is_control(p[at_]))) {
      spaced_ = true;
      at_ += g.length;
      continue;
    }
    bool yes = false;
    switch (g.is) {
      case Is::colon:
      case Is::tag:
      case Is::fence:
      case Is::line_comment:
      case Is::block_comment:
      case Is::html_comment: yes = true; break;
      case Is::word: yes = !inner && (spaced_ || is_digit(p[at_]) || p[at_] == '-'); break;
      default: yes = !inner; break;
    }
    return settle(yes ? Answer::yes : Answer::no);
  }
  return final ? settle(Answer::yes) : Answer::more;
}

Answer Ahead::starts_object(const char* p, std::size_t n, bool final, bool first) {
  if (state_ == State::idle) {
    reset();
    state_ = State::brace;
  }
  while (at_ < n) {
    if (at_ > kHold) return settle(Answer::no);
    Glyph g = glyph(p + at_, n - at_, final);
    if (g.is == Is::more) return Answer::more;
    at_ += g.length;
    if (g.is == Is::space) {
      spaced_ = state_ == State::brace_word;
      continue;
    }
    if (state_ == State::brace_quote) return settle(g.is == Is::colon ? Answer::yes : Answer::no);
    if (state_ == State::brace_word) {
      if (g.is == Is::word) continue;
      // {path": 1}: the key lacks its first quote.
      if (g.is == Is::quote && g.quote == Quote::straight_double && !first && !spaced_) {
        state_ = State::brace_quote;
        continue;
      }
      return settle(g.is == Is::colon || is_comment(g.is) || (g.is == Is::quote && first) ? Answer::yes : Answer::no);
    }
    if (g.is == Is::word) {
      state_ = State::brace_word;
      continue;
    }
    bool no = is_opener(g.is) || g.is == Is::colon || (g.is == Is::close_bracket && !first) ||
              g.is == Is::close_paren || g.is == Is::tag || g.is == Is::fence;
    return settle(no ? Answer::no : Answer::yes);
  }
  if (!final) return Answer::more;
  return settle(state_ == State::brace || first ? Answer::yes : Answer::no);  // brace_quote: no colon came
}

Answer Ahead::starts_array(const char* p, std::size_t n, bool final, bool first) {
  if (state_ == State::idle) {
    reset();
    state_ = State::bracket;
  }
  while (at_ < n) {
    if (at_ > kHold) return settle(Answer::no);
    Glyph g = glyph(p + at_, n - at_, final);
    if (g.is == Is::more) return Answer::more;
    std::size_t here = at_;
    at_ += g.length;
    if (state_ == State::bracket_done) {
      // [word] and nothing else is a list; with something behind it, it is a label.
      if (g.is == Is::space) continue;
      return settle(Answer::no);
    }
    if (state_ == State::bracket_word) {
      bool scalar = is_scalar(word_);
      if (g.is == Is::word && !spaced_ && word_.size() < 64) {
        word_.append(p + here, g.length);
        continue;
      }
      if (g.is == Is::space || (g.is == Is::word && first)) {
        spaced_ = true;
        continue;
      }
      if (g.is == Is::colon && p[here] == ':' && first && !spaced_) {
        // https://
        if (n - here < 3 && !final) {
          at_ = here;
          return Answer::more;
        }
        if (n - here >= 3 && p[here + 1] == '/' && p[here + 2] == '/') {
          at_ = here + 3;
          spaced_ = true;
          continue;
        }
      }
      if (g.is == Is::comma) return settle(scalar || first ? Answer::yes : Answer::no);
      if (g.is == Is::word && spaced_ && scalar && (is_digit(p[here]) || p[here] == '-')) return settle(Answer::yes);
      if (g.is == Is::close_bracket && scalar) return settle(Answer::yes);
      if (g.is == Is::close_bracket && first) {
        state_ = State::bracket_done;
        continue;
      }
      if (is_straight(g) && !spaced_ && is_string_prefix(word_)) return settle(Answer::yes);
      // [a","b"]: the item lacks its first quote.
      if (g.is == Is::quote && g.quote == Quote::straight_double && first && !spaced_ &&
          std::ranges::all_of(word_, in_name))
        return settle(Answer::yes);
      return settle(scalar && g.is != Is::word && g.is != Is::colon ? Answer::yes : Answer::no);
    }
    if (g.is == Is::space && word_.empty()) continue;
    if (state_ == State::bracket_paren) {
      // [('a', 1)]: words in parentheses are prose.
      if (g.is == Is::word && word_.size() < 2) {
        word_.append(p + here, g.length);
        continue;
      }
      return settle(is_straight(g) && (word_.empty() || is_string_prefix(word_)) ? Answer::yes : Answer::no);
    }
    if (g.is == Is::open_paren && !first) {
      state_ = State::bracket_paren;
      continue;
    }
    if (g.is == Is::word) {
      state_ = State::bracket_word;
      word_.assign(p + here, g.length);
      continue;
    }
    bool no = g.is == Is::colon || (g.is == Is::close_brace && !first) || g.is == Is::close_paren || g.is == Is::tag ||
              g.is == Is::fence || ((g.is == Is::ellipsis || g.is == Is::comma) && !first);
    return settle(no ? Answer::no : Answer::yes);
  }
  if (!final) return Answer::more;
  if (state_ == State::bracket || first) return settle(Answer::yes);
  return settle(state_ == State::bracket_word && is_scalar(word_) ? Answer::yes : Answer::no);
}

}  // namespace BELAY_NAMESPACE::json
