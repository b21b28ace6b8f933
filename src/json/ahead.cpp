#include "json/ahead.h"

#include "json/number.h"
#include "json/scan.h"
#include "json/session.h"
#include "json/strict_tables.h"
#include "json/word.h"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace BELAY_NAMESPACE::json {
namespace {

constexpr std::size_t kLongestTag = 32;

// Numbers, true, false and null, as JSON spells them.
bool is_json_scalar(std::string_view word) {
  return is_number(word) || std::ranges::find(kLiteralWords, word) != std::end(kLiteralWords);
}
// The end of a message or a call: </s>, <|im_end|>, </tool_call>. Others may be text.
bool ends_call(std::string_view tag) {
  if (tag.starts_with("<|")) return tag.ends_with("|>") && tag.size() > 4;
  constexpr std::string_view kNames[] = {"s",      "tool_call", "tool_use",   "function_call", "function",
                                         "invoke", "arguments", "parameters", "json"};
  return tag.size() > 3 && std::ranges::find(kNames, tag.substr(2, tag.size() - 3)) != std::end(kNames);
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

bool only_objects(const Frames& frames, std::size_t depth) {
  constexpr std::size_t kDeepest = 8;
  return depth > 0 && depth <= kDeepest &&
         std::all_of(frames.begin(), frames.begin() + static_cast<std::ptrdiff_t>(depth),
                     [](const Frame& f) { return f.type == Frame::Type::object; });
}

Answer Ahead::ends_string(const char* p, std::size_t n, bool final, const Frames& frames, Quote quote, Quote around,
                          bool inner, bool one, bool curly) {
  if (state_ == State::idle) {
    reset();
    state_ = State::after;
    depth_ = frames.size();
    quotes_inside_ = inner;
    one_ = one;
    curly_ = curly;
    prose_ = 0;
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
    if (at_ > kHold) return state_ == State::rest ? Answer::no : Answer::yes;
    if (in_string()) {
      Answer a = skip_string(p, n, final);
      if (a == Answer::more) return Answer::more;
      if (a == Answer::no) {
        bool key = state_ == State::key_string && begins_ == Begins::colon;
        // const x = "y";"}
        if (semicolon_ && (begins_ == Begins::other || begins_ == Begins::sign)) return Answer::no;
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
      const Answer a = at_end();
      if (a == Answer::yes || line_word_ == 0) return a;
      prose_ = line_word_;
      return Answer::yes;
    }
    Glyph g = glyph(p + at_, n - at_, final);
    if (g.is == Is::more) return Answer::more;
    const bool blank = g.is == Is::space || (g.is == Is::word && is_control(p[at_]));
    if (blank && state_ != State::key_word && state_ != State::line) {
      spaced_ = true;
      newline_ |= p[at_] == '\n';
      at_ += g.length;
      continue;
    }
    if (g.is == Is::comma && stray_ > 0) {
      // {"a":["b"]],"c":1}: the closer is one too many, if a member follows.
      depth_ = stray_;
      state_ = State::after;
      if (quotes_inside_ && !one_) look_far(g);
    }
    stray_ = 0;
    // “a[href="x"]”: the string's own quote is still to come.
    if (curly_ && closed_ && !spaced_ && g.is == Is::quote && g.quote == Quote::smart_double) return Answer::no;
    if (state_ == State::after && g.is == Is::open_brace && closed_ && !odd_close_ && !odd_paren_ && !quotes_inside_ &&
        depth_ > 0 && frames[depth_ - 1].type == Frame::Type::object)
      return glued(p, n, final);
    Answer a = Answer::no;
    switch (state_) {
      case State::after: a = after(g, p, frames); break;
      case State::comma: a = comma(g, p, frames); break;
      case State::key_word:
        if (g.is == Is::word) {
          note_prefix(g, p);
          a = Answer::more;
        } else if (g.is == Is::quote && (g.quote == Quote::straight_double || behind_prefix(g))) {
          inner_ = behind_prefix(g) ? g.quote : Quote::none;
          state_ = State::key_quote;
          a = Answer::more;
        } else {
          state_ = State::key_done;
          inner_ = Quote::none;
          continue;
        }
        break;
      // ,b": 1: the key lacks its first quote. ,b"c": 1: it has a prefix.
      case State::key_quote:
        if (by_comma_ && g.is == Is::colon && p[at_] == ':') return Answer::yes;
        if (inner_ == Quote::none) return Answer::no;
        begins_ = Begins::empty;
        state_ = State::key_string;
        continue;
      case State::key_done: {
        bool bare = inner_ == Quote::none;
        bool style = depth_ > 0 && frames[depth_ - 1].bare_keys;
        if (bare && !by_comma_ && !style) {
          // "x" b: 2}: a comma is missing, if the value stands alone.
          if (g.is != Is::colon || p[at_] != ':') break;
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
        // "b"": 1: a quote too many.
        if (!bare && by_comma_ && begins_ == Begins::name && g.quote == Quote::straight_double && !spaced_) {
          if (n - at_ < 2 && !final) return Answer::more;
          if (n - at_ > 1 && p[at_ + 1] == ':') return Answer::yes;
        }
        // "b" 2}: a colon is missing, if the value stands alone.
        if (!bare && by_comma_ && begins_ == Begins::name && (g.is == Is::word || g.is == Is::quote)) {
          a = lone_value(g, p);
          break;
        }
        if (!bare && by_comma_ && begins_ == Begins::name && !quotes_inside_ && is_opener(g.is)) return Answer::yes;
        // []string{"a", "b"}: where the string has had quotes inside, what follows says whether "b" is a key.
        if (!bare && by_comma_ && quotes_inside_ && !one_ && g.is == Is::close_brace) {
          a = after(g, p, frames);
          break;
        }
        // cut -d"," -f1"}
        return by_comma_ && g.is == Is::close_brace && !bare && may_be_key() ? Answer::yes : Answer::no;
      }
      case State::value: a = is_opener(g.is) ? Answer::yes : lone_value(g, p); break;
      case State::value_word:
        if (g.is == Is::word && !spaced_) {
          word_.append(p + at_, g.length);
          a = may_become_scalar(word_) ? Answer::more : Answer::no;
          break;
        }
        if (is_json_scalar(word_) && (g.is == Is::comma || is_closer(g.is) || is_comment(g.is))) return Answer::yes;
        break;
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
        if (g.is == Is::quote && !spaced_ && behind_prefix(g)) return Answer::yes;
        if (g.is == Is::quote && g.quote == Quote::straight_double && !spaced_ && !quotes_inside_) {
          state_ = State::item_quote;
          a = Answer::more;
          break;
        }
        if (g.is == Is::word) note_prefix(g, p);
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
      case State::top:
        // {"a":"b"}": a quote too many, if it is the last thing.
        if (g.is == Is::quote && g.quote == quote && quote != around && !spaced_ && !quotes_inside_ && !odd_close_) {
          state_ = State::top_quote;
          a = Answer::more;
          break;
        }
        a = top(g, quote, around);
        break;
      case State::top_quote: return Answer::no;
      case State::token:
        // {"a":"b"</s>
        if (g.is == Is::quote || word_.size() > kLongestTag) return Answer::no;
        word_.append(p + at_, g.length);
        if (p[at_] == '>') {
          if (!ends_call(word_)) return Answer::no;
          state_ = State::token_end;
          newline_ = false;
        }
        a = Answer::more;
        break;
      case State::token_end:
        if (newline_ || g.is == Is::fence) return Answer::yes;
        if (g.is != Is::tag) return Answer::no;
        state_ = State::token;
        word_.assign(p + at_, g.length);
        a = Answer::more;
        break;
      case State::far:
      case State::far_quote:
      case State::far_comma:
      case State::far_key:
      case State::far_key_done:
      case State::far_top: a = far(g, p, frames, quote); break;
      case State::rest:
        // {"a":"b"␊Done.: without another quote or bracket up to the end.
        if (g.is == Is::quote ? g.quote == quote || g.quote == Quote::straight_double
                              : is_opener(g.is) || is_closer(g.is))
          return Answer::no;
        a = Answer::more;
        break;
      default: return Answer::yes;
    }
    if (a == Answer::no && line_word_ > 0 && g.is != Is::quote && !is_opener(g.is) && !is_closer(g.is)) {
      state_ = State::rest;
      prose_ = line_word_;
      line_word_ = 0;
      a = Answer::more;
    }
    if (a != Answer::more) return a;
    at_ += g.length;
  }
}

Answer Ahead::at_end() const {
  switch (state_) {
    case State::key_done: return by_comma_ && may_be_key() ? Answer::yes : Answer::no;
    case State::key_word: return by_comma_ ? Answer::yes : Answer::no;
    case State::next_item:
    case State::value_word: return is_json_scalar(word_) ? Answer::yes : Answer::no;
    case State::key_quote:
    case State::item_quote:
    case State::value:
    case State::token:
    case State::far_top: return Answer::no;
    default: return Answer::yes;
  }
}

// {"a":{"b":"c"}{"d":"e"}}: glued objects further in.
Answer Ahead::glued(const char* p, std::size_t n, bool final) const {
  if (n - at_ < 3) return final ? Answer::no : Answer::more;
  return p[at_ + 1] == '"' && in_name(p[at_ + 2]) ? Answer::yes : Answer::no;
}

Answer Ahead::after(const Glyph& g, const char* p, const Frames& frames) {
  bool top = depth_ == 0;
  Frame::Type type = top ? Frame::Type::array : frames[depth_ - 1].type;
  bool object = !top && type == Frame::Type::object;
  // print("x") # and so on: as behind closers of everything.
  if (odd_paren_ && quotes_inside_ && !one_ && object &&
      (is_comment(g.is) || g.is == Is::fence || g.is == Is::tag || g.is == Is::ellipsis))
    return look_far(g);
  switch (g.is) {
    case Is::comma:
      line_word_ = 0;
      if (top) return Answer::yes;
      if (odd_paren_ && g.odd) return Answer::no;  // print("a");
      state_ = State::comma;
      by_comma_ = true;
      semicolon_ = p[at_] == ';';
      return Answer::more;
    case Is::close_brace:
    case Is::close_bracket:
    case Is::close_paren: {
      line_word_ = 0;
      if (top) return Answer::yes;
      std::size_t to = closes(g.is, frames, depth_);
      if (to > 0)
        depth_ = to - 1;
      else if (g.is != Is::close_paren)
        stray_ = object ? depth_ : 0, --depth_;
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
      if (p[at_] == '+' && !closed_ && !quotes_inside_) {
        state_ = State::plus;
        return Answer::more;
      }
      if (!spaced_) return Answer::no;
      if (newline_ && !quotes_inside_ && !top) line_word_ = at_;
      if (type == Frame::Type::array || type == Frame::Type::paren) {
        if (top || quotes_inside_) return Answer::no;
        state_ = State::next_item;
        spaced_ = false;
        word_.clear();
        return next_item(g, p, frames);
      }
      if (!object || ((quotes_inside_ || closed_) && !frames[depth_ - 1].bare_keys)) return Answer::no;
      state_ = State::key_word;
      word_.clear();
      return Answer::more;
    case Is::open_brace:
      // {"a":"b"
      // {"c":"d"}
      if (!quotes_inside_ && at_ > 0 && p[at_ - 1] == '\n' && only_objects(frames, depth_)) return Answer::yes;
      [[fallthrough]];
    case Is::open_bracket:
    case Is::open_paren: return (spaced_ || closed_) && !object ? Answer::yes : Answer::no;
    case Is::ellipsis:
      if (spaced_) return Answer::yes;
      state_ = State::ellipsis;
      return Answer::more;
    case Is::block_comment:
    case Is::html_comment: return Answer::yes;
    case Is::line_comment: return spaced_ || closed_ || !g.hash ? Answer::yes : pass_line(State::after);
    case Is::fence:
      if (newline_ || closed_) return Answer::yes;
      state_ = State::token_end;
      return Answer::more;
    case Is::tag:
      if (spaced_ || closed_) return Answer::yes;
      state_ = State::token;
      word_.assign(p + at_, g.length);
      return Answer::more;
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
Answer Ahead::top(const Glyph& g, Quote quote, Quote around) {
  const bool own = g.is == Is::quote && g.quote == quote && quote != around;
  if (own && !spaced_) return Answer::no;
  if (one_ || (!quotes_inside_ && !odd_close_)) return Answer::yes;
  if (own) return Answer::no;
  if (odd_close_ && (g.is == Is::word || g.is == Is::colon)) return Answer::no;
  if (is_closer(g.is)) return Answer::more;
  if (g.is == Is::comma && (g.odd || odd_close_)) return Answer::more;
  return quotes_inside_ ? look_far(g) : Answer::yes;
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
        if (curly_ && g.quote == Quote::straight_double) return Answer::no;  // “{"k":"v","n":1}”
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
      word_.assign(p + at_, g.length);
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
      word_.assign(p + at_, g.length);
      return Answer::more;
  }
}

// A word that is too long for a prefix is none, whatever it goes on with.
void Ahead::note_prefix(const Glyph& g, const char* p) {
  if (word_.size() <= 2) word_.append(p + at_, g.length);
}

// ['a', u'b']: the quote opens the next string. Where the string has had quotes inside, it may be code.
bool Ahead::behind_prefix(const Glyph& g) const {
  return (g.quote == Quote::straight_double || g.quote == Quote::straight_single) && !quotes_inside_ && by_comma_ &&
         is_string_prefix(word_);
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
  if (begins_ == Begins::colon || begins_ == Begins::sign || begins_ == Begins::other) return;
  if (in_name(c) && begins_ != Begins::space)
    begins_ = Begins::name;
  else if (c == ' ' && begins_ != Begins::empty)
    begins_ = Begins::space;
  else if (begins_ == Begins::empty)
    begins_ = Begins::sign;
  else
    begins_ = c == ':' ? Begins::colon : Begins::other;
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

}  // namespace BELAY_NAMESPACE::json
