#include "json/ahead.h"

#include "json/number.h"
#include "json/scan.h"
#include "json/session.h"
#include "json/strict_tables.h"
#include "json/word.h"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace belay::json {
namespace {

constexpr bool is_closer(Is is) { return is == Is::close_brace || is == Is::close_bracket || is == Is::close_paren; }
constexpr bool is_opener(Is is) { return is == Is::open_brace || is == Is::open_bracket || is == Is::open_paren; }
constexpr bool is_comment(Is is) { return is == Is::line_comment || is == Is::block_comment || is == Is::html_comment; }

// Numbers, true, false and null, as JSON spells them.
bool is_json_scalar(std::string_view word) {
  return is_number(word) || std::ranges::find(kLiteralWords, word) != std::end(kLiteralWords);
}
// True when more characters could make one of the word. Only the last one is new, so that a long number is not read
// again.
bool may_become_scalar(std::string_view word) {
  if (is_digit(word[0]) || word[0] == '-') return kNumberBytes[static_cast<unsigned char>(word.back())];
  return std::ranges::any_of(kLiteralWords, [&](std::string_view w) { return w.starts_with(word); });
}

}  // namespace

std::size_t closes(Is closer, const Frames& frames, std::size_t depth) {
  for (std::size_t i = depth; i > 0; --i) {
    Frame::Type t = frames[i - 1].type;
    if (closer == Is::close_brace && t == Frame::Type::object) return i;
    if (closer == Is::close_bracket && t == Frame::Type::array) return i;
    if (closer == Is::close_paren && (t == Frame::Type::paren || t == Frame::Type::wrapper)) return i;
    // An unbounded search would make a long row of wrong closers quadratic; what is further out is not meant.
    if (depth - i >= 16) return 0;
  }
  return 0;
}

Answer Ahead::ends_string(const char* p, std::size_t n, bool final, const Frames& frames, Quote quote, Quote around,
                          bool inner, bool one) {
  if (state_ == State::idle) {
    reset();
    state_ = State::after;
    depth_ = frames.size();
    quotes_inside_ = inner;
    one_ = one;
  }
  return settle(walk(p, n, final, frames, quote, around));
}

Answer Ahead::ends_item(const char* p, std::size_t n, bool final, const Frames& frames) {
  if (state_ == State::idle) {
    reset();
    state_ = State::comma;
    depth_ = frames.size();
    by_comma_ = true;
  }
  return settle(walk(p, n, final, frames, Quote::none, Quote::none));
}

// What may follow a string value: the next member or item, closers, the end. Anything else means that the quote was
// part of the text.
Answer Ahead::walk(const char* p, std::size_t n, bool final, const Frames& frames, Quote quote, Quote around) {
  while (true) {
    if (at_ > kHold) return Answer::yes;
    if (in_string()) {
      Answer a = skip_string(p, n, final);
      if (a == Answer::more) return Answer::more;
      if (a == Answer::no) {
        bool key = state_ == State::key_string && begins_ == Begins::colon;
        if (semicolon_ && begins_ == Begins::other) return Answer::no;  // const x = "y";"}
        if (by_comma_ && state_ == State::item_string) return Answer::yes;
        return by_comma_ && (unended_ || key) ? Answer::yes : Answer::no;
      }
      spaced_ = false;
      state_ = state_ == State::key_string    ? State::key_done
               : state_ == State::item_string ? State::item_done
                                              : State::value_done;
      continue;
    }
    if (at_ >= n && final) {
      if (state_ == State::key_done || state_ == State::key_word) return by_comma_ ? Answer::yes : Answer::no;
      if (state_ == State::next_item || state_ == State::value_word)
        return is_json_scalar(word_) ? Answer::yes : Answer::no;
      if (state_ == State::key_quote || state_ == State::item_quote || state_ == State::value) return Answer::no;
      return Answer::yes;
    }
    Glyph g = glyph(p + at_, n - at_, final);
    if (g.is == Is::more) return Answer::more;
    if (g.is == Is::space && state_ != State::key_word && state_ != State::line) {
      spaced_ = true;
      newline_ |= p[at_] == '\n';
      at_ += g.length;
      continue;
    }
    Answer a = Answer::no;
    switch (state_) {
      case State::after: a = after(g, p, frames); break;
      case State::comma: a = comma(g, p, frames); break;
      case State::key_word:
        if (g.is == Is::word) {
          a = Answer::more;
        } else if (g.is == Is::quote && g.quote == Quote::straight_double) {
          state_ = State::key_quote;
          a = Answer::more;
        } else {
          state_ = State::key_done;
          inner_ = Quote::none;
          continue;
        }
        break;
      // ,b": 1: the key lacks its first quote.
      case State::key_quote: return by_comma_ && g.is == Is::colon && p[at_] == ':' ? Answer::yes : Answer::no;
      case State::key_done: {
        bool bare = inner_ == Quote::none;
        bool style = depth_ > 0 && frames[depth_ - 1].bare_keys;
        if (bare && !by_comma_ && !style) {
          // "x" b: 2}: a comma is missing, if the value stands alone.
          if (g.is != Is::colon || p[at_] != ':') return Answer::no;
          state_ = State::value;
          spaced_ = false;
          a = Answer::more;
          break;
        }
        if (g.is == Is::colon) {
          if (!bare || p[at_] != '=' || g.length == 2 || style) return Answer::yes;
          // b=[1] is a member; y = 3 may be prose.
          state_ = State::equals;
          spaced_ = false;
          a = Answer::more;
          break;
        }
        if (g.is == Is::block_comment || g.is == Is::html_comment) return Answer::yes;
        if (g.is == Is::line_comment) {
          if (spaced_ || (!g.hash && (!bare || style))) return Answer::yes;
          a = pass_line(State::key_done);
          break;
        }
        // "c:"d": a key that lacks its last quote.
        if (!bare && by_comma_ && begins_ == Begins::colon && (g.is == Is::word || g.is == Is::quote))
          return Answer::yes;
        // "b" 2}: a colon is missing, if the value stands alone.
        if (!bare && by_comma_ && begins_ == Begins::name && (g.is == Is::word || g.is == Is::quote)) {
          a = lone_value(g, p);
          break;
        }
        return by_comma_ && g.is == Is::close_brace && !bare ? Answer::yes : Answer::no;
      }
      case State::value: a = is_opener(g.is) ? Answer::yes : lone_value(g, p); break;
      case State::value_word:
        if (g.is == Is::word && !spaced_) {
          word_.append(p + at_, g.length);
          a = may_become_scalar(word_) ? Answer::more : Answer::no;
          break;
        }
        if (!is_json_scalar(word_)) return Answer::no;
        return g.is == Is::comma || is_closer(g.is) || is_comment(g.is) ? Answer::yes : Answer::no;
      case State::value_done:
        return g.is == Is::comma || is_closer(g.is) || is_comment(g.is) ? Answer::yes : Answer::no;
      case State::equals:
        if (g.is == Is::quote || is_opener(g.is) || is_comment(g.is) || (g.is == Is::word && !spaced_))
          return Answer::yes;
        if (g.is != Is::word) return Answer::no;
        // y = 3 is a member when nothing but a separator or a closer follows.
        state_ = State::equals_word;
        spaced_ = false;
        a = Answer::more;
        break;
      case State::equals_word:
        if (g.is == Is::comma || is_closer(g.is) || is_comment(g.is)) return Answer::yes;
        a = g.is == Is::word && !spaced_ ? Answer::more : Answer::no;
        break;
      case State::item_done:
        // print("x", "y")": as for words.
        if (by_comma_) return g.is == Is::close_paren && closes(g.is, frames, depth_) == 0 ? Answer::no : Answer::yes;
        if (g.is == Is::word && spaced_ && !quotes_inside_) {
          state_ = State::next_item;
          spaced_ = false;
          word_.clear();
          a = next_item(g, p, frames);
          break;
        }
        return g.is == Is::comma || is_closer(g.is) || g.is == Is::quote || is_comment(g.is) ? Answer::yes : Answer::no;
      case State::item_word:
        if (g.is == Is::colon && p[at_] == ':' && !spaced_) {
          // https://: no comment, and no end.
          if (n - at_ < 3 && !final) return Answer::more;
          if (n - at_ < 3 || p[at_ + 1] != '/' || p[at_ + 2] != '/') return Answer::no;
          at_ += 2;
          a = Answer::more;
          break;
        }
        // print("x", 2)": a parenthesis that closes nothing is text.
        if (g.is == Is::close_paren && closes(g.is, frames, depth_) == 0) return Answer::no;
        if (g.is == Is::comma || is_closer(g.is) || is_comment(g.is)) return Answer::yes;
        if (g.is == Is::quote && g.quote == Quote::straight_double && !spaced_ && !quotes_inside_) {
          state_ = State::item_quote;
          a = Answer::more;
          break;
        }
        a = g.is == Is::word ? Answer::more : Answer::no;
        break;
      // ["a",b"]: the item lacks its first quote.
      case State::item_quote: return g.is == Is::comma || is_closer(g.is) ? Answer::yes : Answer::no;
      case State::next_item: a = next_item(g, p, frames); break;
      case State::ellipsis:
        // ["a"...]: items were left out. "wait"... he said: text.
        if (g.is != Is::comma && !is_closer(g.is)) return Answer::no;
        state_ = State::after;
        a = after(g, p, frames);
        break;
      case State::plus:
        if (g.is != Is::quote || g.quote == Quote::escaped_double || g.quote == Quote::escaped_single)
          return Answer::no;
        inner_ = g.quote;
        joined_ = at_ + g.length;
        return Answer::join;
      case State::line:
        // A quote in it may be the string's own; an apostrophe is none.
        if (g.is == Is::quote &&
            (g.quote == quote || (g.quote != Quote::straight_single && g.quote != Quote::smart_single)))
          return Answer::no;
        if (find_line_end({p + at_, g.length}) == 0) {
          state_ = behind_line_;
          spaced_ = newline_ = true;
        }
        a = Answer::more;
        break;
      case State::top: a = top(g, quote, around); break;
      default: return Answer::yes;
    }
    if (a != Answer::more) return a;
    at_ += g.length;
  }
}

Answer Ahead::after(const Glyph& g, const char* p, const Frames& frames) {
  bool top = depth_ == 0;
  Frame::Type type = top ? Frame::Type::array : frames[depth_ - 1].type;
  bool object = !top && type == Frame::Type::object;
  switch (g.is) {
    case Is::comma:
      if (top) return Answer::yes;
      if (odd_paren_ && g.odd) return Answer::no;  // print("a");
      state_ = State::comma;
      by_comma_ = true;
      semicolon_ = p[at_] == ';';
      return Answer::more;
    case Is::close_brace:
    case Is::close_bracket:
    case Is::close_paren: {
      if (top) return Answer::yes;
      std::size_t to = closes(g.is, frames, depth_);
      if (to > 0)
        depth_ = to - 1;
      else if (g.is != Is::close_paren)
        --depth_;
      else
        odd_paren_ = true;
      odd_close_ |= to == 0 && g.is != Is::close_paren;
      closed_ = true;
      spaced_ = by_comma_ = false;
      if (depth_ == 0) state_ = State::top;
      return Answer::more;
    }
    case Is::quote:
      if (top) return Answer::yes;
      if (g.quote == Quote::escaped_double || g.quote == Quote::escaped_single) return Answer::no;
      inner_ = g.quote;
      begins_ = Begins::empty;
      state_ = object ? State::key_string : State::item_string;
      return Answer::more;
    case Is::colon: return object ? Answer::no : Answer::yes;
    case Is::word:
      if (p[at_] == '+' && !closed_) {
        state_ = State::plus;
        return Answer::more;
      }
      if (!spaced_) return Answer::no;
      if (type == Frame::Type::array || type == Frame::Type::paren) {
        if (top || quotes_inside_) return Answer::no;
        state_ = State::next_item;
        spaced_ = false;
        word_.clear();
        return next_item(g, p, frames);
      }
      if (!object || ((quotes_inside_ || closed_) && !frames[depth_ - 1].bare_keys)) return Answer::no;
      state_ = State::key_word;
      return Answer::more;
    case Is::open_brace:
    case Is::open_bracket:
    case Is::open_paren: return (spaced_ || closed_) && !object ? Answer::yes : Answer::no;
    case Is::ellipsis:
      if (spaced_) return Answer::yes;
      state_ = State::ellipsis;
      return Answer::more;
    case Is::block_comment:
    case Is::html_comment: return Answer::yes;
    case Is::line_comment: return spaced_ || closed_ || !g.hash ? Answer::yes : pass_line(State::after);
    case Is::fence: return newline_ || closed_ ? Answer::yes : Answer::no;
    case Is::tag: return spaced_ || closed_ ? Answer::yes : Answer::no;
    default: return Answer::no;
  }
}

// A value that is all there is before a comma or a closer: a string, a number or a literal.
Answer Ahead::lone_value(const Glyph& g, const char* p) {
  if (g.is == Is::quote && g.quote != Quote::escaped_double && g.quote != Quote::escaped_single) {
    inner_ = g.quote;
    state_ = State::value_string;
    return Answer::more;
  }
  if (g.is != Is::word) return Answer::no;
  state_ = State::value_word;
  spaced_ = false;
  word_.assign(p + at_, g.length);
  return may_become_scalar(word_) ? Answer::more : Answer::no;
}

// Behind the closers of everything that is open. Where the string had quotes inside, or a closer fits nothing, they may
// be code in it: then another quote, or text, says so.
Answer Ahead::top(const Glyph& g, Quote quote, Quote around) const {
  const bool own = g.is == Is::quote && g.quote == quote && quote != around;
  if (own && !spaced_) return Answer::no;
  if (one_ || (!quotes_inside_ && !odd_close_)) return Answer::yes;
  if (own) return Answer::no;
  if (odd_close_ && (g.is == Is::word || g.is == Is::colon)) return Answer::no;
  if (is_closer(g.is)) return Answer::more;
  return g.is == Is::comma && (g.odd || odd_close_) ? Answer::more : Answer::yes;
}

// What touches a # may be text. It is a comment when what follows its line says so.
Answer Ahead::pass_line(State then) {
  behind_line_ = then;
  state_ = State::line;
  return Answer::more;
}

Answer Ahead::comma(const Glyph& g, const char* p, const Frames& frames) {
  // return "z"; }": code, unless nothing but the end follows.
  if (semicolon_ && is_closer(g.is) && depth_ > 0) {
    state_ = State::after;
    return after(g, p, frames);
  }
  // f("x", {"k": 1}): no key begins with a bracket.
  if (is_opener(g.is) && quotes_inside_ && depth_ > 0 && frames[depth_ - 1].type == Frame::Type::object)
    return Answer::no;
  if (depth_ == 0 || is_closer(g.is) || g.is == Is::ellipsis || is_comment(g.is) || is_opener(g.is)) return Answer::yes;
  if (g.is == Is::comma) return Answer::yes;
  switch (frames[depth_ - 1].type) {
    case Frame::Type::object:
      if (g.is == Is::quote && g.quote != Quote::escaped_double && g.quote != Quote::escaped_single) {
        inner_ = g.quote;
        begins_ = Begins::empty;
        state_ = State::key_string;
        return Answer::more;
      }
      if (g.is == Is::quote) return Answer::yes;
      if (g.is != Is::word) return Answer::no;
      // "f("b", c: "d")": where all keys have quotes, behind a quote inside this is code.
      if (quotes_inside_ && !frames[depth_ - 1].bare_keys) return Answer::no;
      state_ = State::key_word;
      return Answer::more;
    case Frame::Type::wrapper: return Answer::yes;
    default:
      if (g.is == Is::quote && quotes_inside_ && g.quote == Quote::straight_double) {
        inner_ = g.quote;
        begins_ = Begins::empty;
        state_ = State::item_string;
        return Answer::more;
      }
      if (g.is == Is::quote) return Answer::yes;
      if (g.is != Is::word) return Answer::no;
      state_ = State::item_word;
      spaced_ = false;
      return Answer::more;
  }
}

// ["x" 1, 2]: a number or literal, and then what can stand behind one: the comma before it is missing.
Answer Ahead::next_item(const Glyph& g, const char* p, const Frames& frames) {
  if (g.is == Is::word && !spaced_) {
    word_.append(p + at_, g.length);
    return may_become_scalar(word_) ? Answer::more : Answer::no;
  }
  if (!is_json_scalar(word_)) return Answer::no;
  if (is_comment(g.is) || g.is == Is::quote) return Answer::yes;
  if (g.is == Is::word) {
    spaced_ = false;
    word_.assign(p + at_, g.length);
    return may_become_scalar(word_) ? Answer::more : Answer::no;
  }
  if (g.is != Is::comma && !is_closer(g.is)) return Answer::no;
  state_ = State::after;
  return after(g, p, frames);
}

void Ahead::note_key(char c) {
  if (begins_ == Begins::colon || begins_ == Begins::other) return;
  if (in_name(c) && begins_ != Begins::space)
    begins_ = Begins::name;
  else if (c == ' ' && begins_ != Begins::empty)
    begins_ = Begins::space;
  else
    begins_ = c == ':' && begins_ != Begins::empty ? Begins::colon : Begins::other;
}

// Passes a string whose opening quote was seen. yes: behind its end. no: it has none.
Answer Ahead::skip_string(const char* p, std::size_t n, bool final) {
  while (at_ < n) {
    if (at_ > kHold) return Answer::yes;
    char c = p[at_];
    if (c == '\n') return Answer::no;
    if (c == '\\') {
      if (at_ + 1 >= n) break;
      note_key(c);
      at_ += 2;
      continue;
    }
    if (static_cast<unsigned char>(c) < 0x80 && c != '"' && c != '\'' && c != '`' && c != '&') {
      note_key(c);
      ++at_;
      continue;
    }
    Glyph g = glyph(p + at_, n - at_, final);
    if (g.is == Is::more) return Answer::more;
    at_ += g.length;
    if (g.is == Is::quote && can_close(inner_, g.quote)) return Answer::yes;
    note_key(c);
    if (g.is == Is::fence && inner_ == Quote::backtick) return Answer::no;
  }
  if (!final) return Answer::more;
  unended_ = true;
  return Answer::no;
}

Answer Ahead::ends_key(const char* p, std::size_t n, bool final, bool inner) {
  if (state_ == State::idle) {
    reset();
    state_ = State::key_after;
  }
  while (at_ < n) {
    if (at_ > kHold) return settle(Answer::yes);
    Glyph g = glyph(p + at_, n - at_, final);
    if (g.is == Is::more) return Answer::more;
    if (g.is == Is::space) {
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
    if (g.is == Is::space) continue;
    if (state_ == State::brace_word) {
      if (g.is == Is::word) continue;
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
  return settle(state_ == State::brace || first ? Answer::yes : Answer::no);
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
      // [a","b"]: the item lacks its first quote.
      if (g.is == Is::quote && g.quote == Quote::straight_double && first && !spaced_ &&
          std::ranges::all_of(word_, in_name))
        return settle(Answer::yes);
      return settle(scalar && g.is != Is::word && g.is != Is::colon ? Answer::yes : Answer::no);
    }
    if (g.is == Is::space) continue;
    if (g.is == Is::word) {
      state_ = State::bracket_word;
      word_.assign(p + here, g.length);
      continue;
    }
    bool no = g.is == Is::colon || (g.is == Is::close_brace && !first) || g.is == Is::close_paren || g.is == Is::tag ||
              g.is == Is::fence || ((g.is == Is::ellipsis || g.is == Is::comma || g.is == Is::open_paren) && !first);
    return settle(no ? Answer::no : Answer::yes);
  }
  if (!final) return Answer::more;
  return settle(state_ != State::bracket_word || first || is_scalar(word_) ? Answer::yes : Answer::no);
}

}  // namespace belay::json
