// Between tokens: brackets, commas, colons, comments, and what stands in their place.
#include "json/mender.h"
#include "json/plain.h"
#include "json/scan.h"

#include <algorithm>
#include <utility>

namespace BELAY_NAMESPACE::json {
namespace {

// Brackets that open, less those that close.
std::int64_t opened(std::string_view text) {
  std::int64_t n = 0;
  const char* const end = text.data() + text.size();
  for (const char* p = text.data(); p < end; ++p) {
    p += words_length(p, end);
    if (p == end) break;
    n += (*p == '{' || *p == '[') - (*p == '}' || *p == ']');
  }
  return n;
}

}  // namespace

bool Mender::open(Frame::Type type) {
  text_before_value();
  if (type != Frame::Type::wrapper) {
    bool object = type == Frame::Type::object;
    if (!(object ? s_.builder.open_object() : s_.builder.open_array())) {
      failed_ = true;
      s_.fail_limit("depth", s_.options.limits.depth, position());
      return false;
    }
    emit(object ? "{" : "[");
  }
  frames_.push_back({type});
  comma_seen_ = colon_seen_ = elided_ = false;
  in_ = type == Frame::Type::object ? In::key : In::value;
  return true;
}

void Mender::value_done() {
  comma_seen_ = colon_seen_ = elided_ = false;
  if (frames_.empty())
    in_ = In::top_scalar;
  else
    in_ = In::after;
}

void Mender::missing_value() {
  guess(EditKind::missing_value, offset(), 0);
  s_.builder.null();
  value_done();
}

// A closer came (or the end): what was begun before it is finished as well as can be.
void Mender::settle_before_close() {
  if (in_ == In::colon || (in_ == In::value && (in_object() || frames_.back().type == Frame::Type::wrapper))) {
    missing_value();
  } else if ((in_ == In::key || in_ == In::value) && comma_seen_) {
    // [1, // one "b"
    const bool doubtful = comma_hides_ || comma_ends_code_;
    s_.edit(EditKind::trailing_comma, doubtful ? Grade::guess : Grade::safe, comma_, comma_length_);
    // ["x", ]]: the last item may be a list that lost its bracket.
    if (frames_.size() == 1 && frames_.back().type == Frame::Type::array) prose_.set_hidden_opener();
  }
}

void Mender::pop() {
  Frame::Type type = frames_.back().type;
  frames_.pop_back();
  comma_seen_ = colon_seen_ = elided_ = false;
  if (type != Frame::Type::wrapper) {
    bool object = type == Frame::Type::object;
    s_.builder.close();
    std::string_view closer = object ? "}" : "]";
    if (frames_.empty())
      text_closer_ = s_.wants_text() ? closer : "";
    else
      emit(closer);
  }
  in_ = In::after;
  if (frames_.empty()) end_top_value();
}

std::size_t Mender::past_space(std::size_t k) const {
  while (k < left() && k <= kHold && is_space(here()[k])) ++k;
  return k;
}

void Mender::skip_space(const Glyph& g) {
  if (g.odd) s_.edit(EditKind::odd_space, *here() == '\\' ? Grade::guess : Grade::safe, offset(), g.length);
  if ((offset() == string_end_ || offset() == string_line_) && *here() != '\n') string_line_ = offset() + g.length;
  skip(g);
}

Mender::Next Mender::close(Is closer, std::size_t length) {
  std::size_t to = closes(closer, frames_, frames_.size());
  bool one = false;
  if (to == frames_.size() && frames_.back().doubled) {
    // {{"b":1}}: both of them.
    std::size_t k = past_space(std::max(length, seek_));
    seek_ = k;
    if (k == left() && !final_ && k <= kHold) return Next::wait;
    seek_ = 0;
    if (k < left() && k <= kHold && here()[k] == '}') length = k + 1;
  }
  if (to != frames_.size()) {
    // It is not what is innermost that it would close: what follows says whether it is meant.
    std::size_t k = past_space(std::max(length, seek_));
    seek_ = k;
    if (k == left() && !final_ && k <= kHold) return Next::wait;
    seek_ = 0;
    char next = k < left() && k <= kHold ? here()[k] : '\0';
    Frame::Type inner = frames_.back().type;
    if (next == ',' && to != 0 && closer == Is::close_brace && inner == Frame::Type::array && in_ == In::after) {
      // {"x":[{"a":1}},{"b":2}]}: the list goes on.
      const std::size_t item = past_space(k + 1);
      if (item == left() && !final_ && item <= kHold) return Next::wait;
      if (item < left() && item <= kHold && here()[item] == '{') to = 0;
    }
    bool stray = to == 0 && ((inner == Frame::Type::object && (next == ',' || next == '}')) ||
                             (inner != Frame::Type::object && closer == Is::close_brace && next == ','));
    if (stray && in_ == In::after) {
      guess(EditKind::surplus_closer, offset(), length);
      pos_ += length;
      return Next::go;
    }
    // {"a":[1,2},"b":3}: it would close everything, yet the text goes on.
    one = to == 1 && next == ',';
  }
  settle_before_close();
  if (to == 0 || one) {
    // It closes nothing of its kind: it was meant for what is innermost.
    guess(EditKind::wrong_closer, offset(), length);
    pos_ += length;
    pop();
    return Next::go;
  }
  while (frames_.size() > to) {
    guess(EditKind::missing_closer, offset(), 0);
    pop();
  }
  pos_ += length;
  pop();
  return Next::go;
}

// The text went on to something that cannot be part of the value: a fence, a special token.
void Mender::abandon() {
  settle_before_close();
  while (!frames_.empty()) {
    guess(EditKind::missing_closer, offset(), 0);
    pop();
  }
}

// What means the same in every place between tokens: white space, comments, closers.
std::optional<Mender::Next> Mender::step_between(const Glyph& g) {
  switch (g.is) {
    case Is::more: return Next::wait;
    case Is::space: skip_space(g); return Next::go;
    case Is::line_comment:
    case Is::block_comment:
    case Is::html_comment: begin_comment(g); return Next::go;
    case Is::close_brace:
    case Is::close_bracket:
    case Is::close_paren: return close(g.is, g.length);
    case Is::word:
      if (!is_control(*here())) return std::nullopt;
      guess(EditKind::stray_bytes, offset(), g.length);
      skip(g);
      return Next::go;
    default: return std::nullopt;
  }
}

Mender::Next Mender::step_value() {
  Glyph g = look();
  bool array = !in_object();
  if (g.hash) {
    // [#12] is no comment; # one is.
    if (left() < 2 && !final_) return Next::wait;
    char next = left() > 1 ? here()[1] : ' ';
    if ((next >= 'a' && next <= 'z') || (next >= 'A' && next <= 'Z') || is_digit(next)) g = {Is::word};
  }
  if (auto next = step_between(g)) return *next;
  switch (g.is) {
    case Is::quote:
    case Is::fence: open_string(g, false); return Next::go;
    case Is::open_brace:
      if (open(Frame::Type::object)) skip(g);
      return Next::go;
    case Is::open_bracket:
      if (open(Frame::Type::array)) skip(g);
      return Next::go;
    case Is::open_paren:
      guess(EditKind::wrong_opener, offset(), 1);
      if (open(Frame::Type::paren)) skip(g);
      return Next::go;
    case Is::comma:
      if (!array) {
        missing_value();
        return Next::go;  // the comma is read again, behind the value
      }
      guess(comma_seen_ ? EditKind::doubled_comma : EditKind::leading_comma, offset(), g.length);
      comma_seen_ = true;
      comma_ = offset();
      comma_length_ = g.length;
      skip(g);
      return Next::go;
    case Is::colon:
      // {"a"::1}. A third one, one that is spelled otherwise and one behind a comment may belong to the value, as in
      // ::1 and =TRUE, or to the next key.
      if (colon_seen_ && colon_only_ && colon_sign(g) == colon_ && colon_ != ColonSign::arrow)
        safe(EditKind::doubled_colon, offset(), g.length);
      else
        guess(colon_seen_ ? EditKind::doubled_colon : EditKind::stray_bytes, offset(), g.length);
      colon_only_ = false;
      skip(g);
      return Next::go;
    case Is::ellipsis:
      guess(EditKind::ellipsis, offset(), g.length);
      skip(g);
      if (!array || frames_.back().type == Frame::Type::wrapper) s_.builder.null();
      comma_seen_ = colon_seen_ = false;
      elided_ = true;
      in_ = In::after;
      return Next::go;
    case Is::tag: abandon(); return Next::go;
    case Is::word:
      start_word();
      in_ = In::word;
      return Next::go;
    default: break;  // done above
  }
  return Next::wait;
}

Mender::Next Mender::step_key() {
  Glyph g = look();
  if (auto next = step_between(g)) return *next;
  switch (g.is) {
    case Is::quote: open_string(g, true); return Next::go;
    case Is::comma:
      safe(comma_seen_ ? EditKind::doubled_comma : EditKind::leading_comma, offset(), g.length);
      skip(g);
      return Next::go;
    case Is::ellipsis:
      guess(EditKind::ellipsis, offset(), g.length);
      skip(g);
      comma_seen_ = false;
      elided_ = true;
      in_ = In::after;
      return Next::go;
    case Is::fence:
    case Is::tag: abandon(); return Next::go;
    case Is::colon:
    case Is::open_brace:
    case Is::open_bracket:
    case Is::open_paren: {
      elided_ = false;  // what follows is no remark on what was left out
      if (g.is == Is::open_brace && s_.tape().node(s_.tape().innermost()).size() == 0) {
        // {{"a":1}}: a template's doubled brace.
        guess(EditKind::wrong_opener, offset(), 1);
        frames_.back().doubled = frames_.size() > 1;
        skip(g);
        return Next::go;
      }
      if (g.is == Is::open_brace && leaves_object()) {
        in_ = In::value;
        return Next::go;
      }
      if (g.is == Is::open_brace && only_objects(frames_, frames_.size()) && begins_line()) {
        abandon();
        return Next::go;
      }
      // A value without a key: it is read, and not kept.
      guess(EditKind::missing_key, offset(), 0);
      s_.builder.no_key();
      in_ = In::value;
      if (g.is == Is::colon) skip(g);
      return Next::go;
    }
    case Is::word:
      start_word();
      in_ = In::key_word;
      return Next::go;
    default: break;  // done above
  }
  return Next::wait;
}

Mender::ColonSign Mender::colon_sign(const Glyph& g) const {
  if (*here() != '=') return ColonSign::colon;
  return g.length == 1 ? ColonSign::equals : ColonSign::arrow;
}

void Mender::see_colon(ColonSign sign) {
  colon_seen_ = colon_only_ = true;
  colon_ = sign;
}

// [{"a":1,{"b":2}]: a brace where it cannot be, in an object of a list: the object lacks its own.
bool Mender::leaves_object() {
  if (frames_.size() < 2 || frames_.back().type != Frame::Type::object ||
      frames_[frames_.size() - 2].type != Frame::Type::array)
    return false;
  guess(EditKind::missing_closer, offset(), 0);
  pop();
  return true;
}

Mender::Next Mender::step_colon() {
  Glyph g = look();
  if (auto next = step_between(g)) return *next;
  switch (g.is) {
    case Is::colon:
      if (g.odd) safe(EditKind::colon_spelling, offset(), g.length);
      if (*here() == '=') frames_.back().bare_keys = true;
      see_colon(colon_sign(g));
      skip(g);
      in_ = In::value;
      return Next::go;
    case Is::comma: missing_value(); return Next::go;
    case Is::tag: abandon(); return Next::go;
    case Is::quote:
      if (g.quote == Quote::straight_double && offset() == string_end_) {
        // {"a"":1}: a quote too many.
        if (left() < 2 && !final_) return Next::wait;
        if (left() >= 2 && here()[1] == ':') {
          guess(EditKind::stray_bytes, offset(), 1);
          skip(g);
          return Next::go;
        }
      }
      [[fallthrough]];
    default:
      guess(EditKind::missing_colon, offset(), 0);
      in_ = In::value;
      return Next::go;
  }
}

// [1,2;3,4] and [1,5;2,5]: semicolons and commas in one list separate rows, or the commas are decimal ones. In an
// object whose keys have no quotes a semicolon right behind a word ends a statement: body { margin: 0; }
bool Mender::begins_row(const Glyph& g) {
  Frame& frame = frames_.back();
  const std::string_view sign(here(), g.length);
  if (sign != ";" && sign != "\uFF1B") return frame.semicolons && !std::exchange(frame.commas, true);
  if (frame.type == Frame::Type::object) return frame.bare_keys && (prose_.body() || prose_.behind_word());
  const Tape& tape = s_.tape();
  return !std::exchange(frame.semicolons, true) && tape.node(tape.innermost()).size() > 1;
}

Mender::Next Mender::step_after() {
  Glyph g = look();
  Frame::Type type = frames_.back().type;
  if (prose_at_ > 0 && offset() == prose_at_) {
    abandon();
    return Next::go;
  }
  if (auto next = step_between(g)) return *next;
  switch (g.is) {
    case Is::comma:
      if (type == Frame::Type::wrapper) {
        guess(EditKind::stray_bytes, offset(), g.length);
        argument_depth_ = 0;
        argument_quote_ = 0;
        in_ = In::arguments;
        skip(g);
        return Next::go;
      }
      if (begins_row(g))
        guess(EditKind::comma_spelling, offset(), g.length);
      else if (g.odd)
        safe(EditKind::comma_spelling, offset(), g.length);
      comma_ = offset();
      comma_length_ = g.length;
      comma_seen_ = true;
      comma_hides_ = false;
      comma_ends_code_ = *here() == ';' && behind_open_string();
      elided_ = false;
      skip(g);
      in_ = type == Frame::Type::object ? In::key : In::value;
      return Next::go;
    case Is::colon:
    case Is::ellipsis:
      guess(g.is == Is::colon ? EditKind::stray_bytes : EditKind::ellipsis, offset(), g.length);
      elided_ = g.is == Is::ellipsis;
      skip(g);
      return Next::go;
    case Is::fence:
    case Is::tag: abandon(); return Next::go;
    default:
      if (g.is == Is::open_brace && leaves_object()) return Next::go;
      // {"a":1
      // {"b":2}
      if (g.is == Is::open_brace && only_objects(frames_, frames_.size()) && begins_line()) {
        abandon();
        return Next::go;
      }
      if (type == Frame::Type::wrapper) {
        guess(EditKind::stray_bytes, offset(), 0);
        argument_depth_ = 0;
        argument_quote_ = 0;
        in_ = In::arguments;
        return Next::go;
      }
      guess(EditKind::missing_comma, offset(), 0);
      in_ = type == Frame::Type::object ? In::key : In::value;
      return Next::go;
  }
}

// Passes the further arguments of a wrapper call, up to its parenthesis.
Mender::Next Mender::step_arguments() {
  while (pos_ < size_) {
    char c = data_[pos_];
    if (argument_quote_) {
      if (c == '\\') {
        if (left() < 2 && !final_) return Next::wait;
        ++pos_;
      } else if (c == argument_quote_) {
        argument_quote_ = 0;
      }
    } else if (c == '"' || c == '\'') {
      argument_quote_ = c;
    } else if (c == '(' || c == '[' || c == '{') {
      ++argument_depth_;
    } else if (c == ')' || c == ']' || c == '}') {
      if (argument_depth_ == 0) {
        in_ = In::after;
        return Next::go;
      }
      --argument_depth_;
    }
    if (pos_ < size_) ++pos_;
  }
  return Next::go;
}

void Mender::begin_comment(const Glyph& g) {
  back_ = in_;
  comment_at_ = offset();
  comment_holds_ = comment_brackets_ = comment_half_ = comment_quotes_ = comment_slash_ = false;
  comment_open_ = 0;
  comment_touches_ = back_ != In::top && string_end_ == offset() && offset() > 0;
  comment_string_ = comment_touches_ || (back_ != In::top && string_line_ == offset() && offset() > 0);
  comment_string_ &= g.is == Is::line_comment;
  comment_tail_.clear();
  comment_loose_.begin();
  comment_losses_.begin(g.is == Is::line_comment    ? CommentLosses::Ends::line
                        : g.is == Is::block_comment ? CommentLosses::Ends::block
                                                    : CommentLosses::Ends::html);
  comment_scheme_ = behind_scheme(g);
  comment_divides_ = divides(g);
  // {@id:1,#text:"x"␊}
  comment_is_key_ = g.hash && back_ == In::key && in_object() &&
                    (frames_.back().bare_keys || s_.tape().node(s_.tape().size() - 1).container());
  colon_only_ = false;
  comment_alone_ = back_ == In::top && !prose_.line_begun();
  in_ = g.is == Is::line_comment ? In::line_comment : g.is == Is::block_comment ? In::block_comment : In::html_comment;
  skip(g);
  comment_text_at_ = offset();
}

// {"n": 10//3: what stands behind the sign may be what the number is divided by.
Mender::Divides Mender::divides(const Glyph& g) const {
  const Tape& tape = s_.tape();
  if (back_ != In::after || g.is != Is::line_comment || g.hash) return Divides::no;
  const Tag tag = tape.node(tape.size() - 1).tag();
  if (tag != Tag::number && tag != Tag::short_number) return Divides::no;
  return word_end_ == offset() && offset() > 0 ? Divides::touches : Divides::apart;
}

// {"a":"f() { return 0"; }: the semicolon and the brace may be the string's.
bool Mender::behind_open_string() const {
  const Tape& tape = s_.tape();
  const std::size_t last = tape.size() - 1;
  if (tape.node(last).tag() != Tag::string) return false;
  const std::string_view text = tape.text(last);
  return leaves_open(text, '{', '}') || leaves_open(text, '[', ']') || leaves_open(text, '(', ')');
}

// "http:"//x: an address whose quote came too early.
bool Mender::behind_scheme(const Glyph& g) const {
  const Tape& tape = s_.tape();
  return comment_touches_ && back_ == In::after && g.is == Is::line_comment && !g.hash &&
         tape.node(tape.size() - 1).tag() == Tag::string && tape.text(tape.size() - 1).ends_with(':');
}

// "Use 5" # or 6" pipe": the quote before it may stand inside a string that the comment's last quote ends. Not so where
// that one ends a string of the comment's own, and no quote is left over: "a" # was "b".
bool Mender::comment_ends_in_quote() const {
  if (quote_ == Quote::straight_double && comment_loose_.whole_doubles()) return false;
  if (quote_ == Quote::straight_single && comment_loose_.whole_singles()) return false;
  for (std::size_t i = 0; i < comment_tail_.size(); ++i) {
    Glyph g = glyph(comment_tail_.data() + i, comment_tail_.size() - i, true);
    if (g.is == Is::quote && i + g.length == comment_tail_.size()) return can_close(quote_, g.quote);
  }
  return false;
}

void Mender::end_comment() {
  // Inside of values, half a string makes it doubtful, or strings behind a quote that may not have closed one.
  const bool line = in_ == In::line_comment;
  comment_loose_.end(line);
  comment_losses_.end();
  const bool inside = back_ != In::top && back_ != In::top_scalar;
  if (inside && comment_open_ > 0) prose_.set_hidden_opener();
  const bool quotient =
      comment_divides_ == Divides::touches || (comment_divides_ == Divides::apart && comment_losses_.number());
  if (comma_seen_)
    comma_hides_ |=
        in_object() ? comment_losses_.ends_bare_member() && frames_.back().bare_keys : comment_losses_.ends_item();
  bool doubtful = comment_holds_ || quotient || (comment_is_key_ && comment_losses_.labelled()) ||
                  (line && comment_loose_.half()) || comment_scheme_ || (comment_touches_ && comment_quotes_) ||
                  comment_ends_in_quote() || comment_loose_.loose() || comment_losses_.elided() ||
                  comment_losses_.member();
  s_.edit(EditKind::comment, doubtful ? Grade::guess : Grade::safe, comment_at_, offset() - comment_at_);
  in_ = back_;
}

// Keeps the last bytes that do not stand behind a string.
void Mender::note_comment_tail(std::string_view inside) {
  constexpr std::string_view kBehindString = " \t\r,;}])";
  constexpr std::size_t kLongestQuote = 3;  // bytes of a character
  char last[kLongestQuote];
  std::size_t from = kLongestQuote;
  for (std::size_t i = inside.size(); i > 0 && from > 0; --i)
    if (kBehindString.find(inside[i - 1]) == kBehindString.npos) last[--from] = inside[i - 1];
  const std::size_t more = kLongestQuote - from;
  if (comment_tail_.size() > from) comment_tail_.erase(0, comment_tail_.size() - from);
  comment_tail_.append(last + from, more);
}

// Outside of values a comment may hide what was meant to be read: the rest of a value that seems to have ended, another
// value, or all that stands between two patterns of files. On a line of its own it may hold whole values; elsewhere a
// bracket in it is enough to doubt it.
void Mender::note_hidden(std::string_view inside, bool ended) {
  if (offset() == comment_text_at_ && !inside.empty()) comment_alone_ &= !in_name(inside[0]);
  for (char c : inside) {
    if (c == '{' || c == '[') ++comment_open_;
    if (c == '}' || c == ']') --comment_open_;
    comment_brackets_ |= c == '{' || c == '[' || c == '}' || c == ']';
    comment_half_ ^= c == '"';
  }
  const bool block = in_ != In::line_comment;
  if (!inside.empty()) comment_slash_ = inside.ends_with('/');
  const bool alone = comment_alone_ && (!block || (ended && !comment_slash_));
  comment_holds_ = comment_half_ || (alone ? comment_open_ != 0 : comment_brackets_);
}

Mender::Next Mender::step_comment() {
  const bool line = in_ == In::line_comment;
  std::string_view end = in_ == In::block_comment ? "*/" : "-->";
  std::string_view rest(here(), left());
  std::size_t at = line ? find_line_end(rest) : rest.find(end);
  // Keep what may be the start of the end.
  std::size_t keep = final_ ? 0 : line ? begins_line_end(rest) : std::min(rest.size(), end.size() - 1);
  std::string_view inside = rest.substr(0, at == std::string_view::npos ? rest.size() - keep : at);
  if (offset() == comment_text_at_ && !inside.empty() && is_space(inside[0]) && comment_divides_ == Divides::touches)
    comment_divides_ = Divides::apart;
  if (comment_string_) note_comment_tail(inside);
  if (back_ == In::top || back_ == In::top_scalar) {
    note_hidden(inside, at != std::string_view::npos);
  } else {
    comment_loose_.add(inside);
    comment_losses_.add(inside);
    comment_quotes_ |= line && inside.contains('"');
    comment_open_ += opened(inside);
  }
  if (at != std::string_view::npos) {
    pos_ += at + (line ? 0 : end.size());
  } else {
    pos_ += rest.size() - keep;
    if (!final_) return Next::wait;
  }
  end_comment();
  return Next::go;
}

}  // namespace BELAY_NAMESPACE::json
