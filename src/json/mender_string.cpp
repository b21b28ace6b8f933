// Strings of damaged text: any quotes, any bytes. Escapes are in mender_escape.cpp.
#include "base/utf8.h"
#include "json/mender.h"
#include "json/plain.h"
#include "json/scan.h"
#include "json/strict_tables.h"

#include <belay/json/writer.h>

#include <algorithm>
#include <bit>
#include <utility>

namespace BELAY_NAMESPACE::json {
namespace {

// What stands between the quotes, as JSON writes it.
void write_content(std::string_view text, std::string& out) {
  std::string quoted;
  write_string(text, quoted);
  out.append(quoted, 1, quoted.size() - 2);
}

bool is_triple(Quote q) {
  return q == Quote::triple_double || q == Quote::triple_single || q == Quote::triple_backtick;
}
bool is_doubled(Quote q) { return q == Quote::doubled_double || q == Quote::doubled_single; }
bool is_entity(Quote q) { return q == Quote::entity_double || q == Quote::entity_single; }

bool is_special(char c, char quote) {
  const auto b = static_cast<unsigned char>(c);
  return b < 0x20 || b >= 0x80 || c == quote || c == '\\';
}

}  // namespace

void Mender::open_string(const Glyph& g, bool key) {
  is_key_ = key;
  quote_ = g.quote;
  known_escape_ = inner_quote_ = unknown_escape_ = spoiled_ = dollar_ = template_ = false;
  first_escape_ = last_pair_ = kNoEdit;
  escaped_singles_ = escaped_backticks_ = 0;
  string_at_ = offset();
  content_at_ = string_at_ + g.length;
  comma_seen_ = colon_seen_ = elided_ = false;
  inner_depth_ = inner_end_ = inner_tried_ = 0;
  inner_scan_ = {};
  raw_ = std::exchange(raw_next_, false);
  if (is_typographic(quote_))
    see_quote(g);
  else if (g.odd)
    s_.edit(EditKind::quote_spelling,
            is_escaped(quote_) || is_entity(quote_) || is_triple(quote_) ? Grade::guess : Grade::safe, string_at_,
            g.length);
  skip(g);
  in_ = In::string;
  if (key) {
    key_.clear();
    key_plain_ = true;
    key_lines_ = key_line_feed_ = false;
    key_controls_.clear();
    return;
  }
  if (!frames_.empty()) {
    text_before_value();
    emit("\"");
  }
  string_node_ = s_.tape().size();
  s_.builder.open_string();
}

void Mender::add(std::string_view text) {
  if (is_key_) {
    key_ += text;
    return;
  }
  s_.builder.append(text);
  if (s_.wants_text() && !frames_.empty()) write_content(text, s_.text);
}

void Mender::take_raw(std::size_t n) {
  if (inner_depth_ > 0 && !inner_string_) count_inner({here(), n});
  add({here(), n});
  pos_ += n;
}

// The text of a string up to what may end it or has to be looked at, straight into the tree.
void Mender::copy_clear(char quote) {
  Arena& arena = s_.tape().arena();
  const std::size_t before = arena.open_size();
  const char* p = here();
  const char* const end = data_ + size_;
  char* to = arena.at();
  // Once the escapes are guesses, another one changes nothing. Between quotes of typography each is looked at.
  const bool escapes = !raw_ && !is_escaped(quote_) && !is_typographic(quote_) && (!unknown_escape_ || spoiled_);
  while (p < end) {
    if (arena.limit() - to < static_cast<std::ptrdiff_t>(Arena::kSlack)) {
      arena.set_at(to);
      arena.ensure(0);
      s_.builder.append({});  // the string may have moved, and nothing may be added to it here
      to = arena.at();
    }
    const auto left = static_cast<std::size_t>(end - p);
    const std::size_t n = copy_plain16(p, left, to, quote);
    p += n;
    to += n;
    if (n == 16 || p == end) continue;
    if (*p == '\\') {
      if (!escapes || left - n < 2) break;
      const char c = p[1], out = kEscapes[static_cast<unsigned char>(c)];
      if (out == 0) break;
      if (c == '\\') last_pair_ = static_cast<std::size_t>(to - arena.open_string());
      known_escape_ |= c != '"' && c != '\\';
      key_plain_ = false;
      *to++ = out;
      p += 2;
      continue;
    }
    const std::size_t length = plain_character(p, left - n);
    if (length == 0) break;
    copy_rest(p, length, to);
    p += length;
    to += length;
  }
  if (p == here()) return;
  arena.set_at(to);
  pos_ = static_cast<std::size_t>(p - data_);
  s_.builder.append({});
  if (s_.wants_text() && !frames_.empty())
    write_content({arena.open_string() + before, arena.open_size() - before}, s_.text);
}

// Plain characters in one run.
void Mender::take_run(char quote) {
  std::size_t n = 0;
  while (left() - n >= 16) {
    std::uint32_t mask = special16(here() + n, quote);
    if (mask == 0) {
      n += 16;
      continue;
    }
    n += static_cast<std::size_t>(std::countr_zero(mask));
    break;
  }
  while (n < left() && !is_special(here()[n], quote)) ++n;
  if (n > 0 && quote_ == Quote::backtick && !template_) n = up_to_placeholder(n);
  if (n > 0) take_raw(n);
}

Mender::Next Mender::step_string() {
  const char quote = first_byte(quote_);
  if (is_key_ || inner_depth_ > 0 || quote_ == Quote::backtick)
    take_run(quote);
  else
    copy_clear(quote);
  if (left() == 0 || !is_special(*here(), quote)) return Next::go;
  dollar_ = false;

  char c = *here();
  if (c == quote && ends_clearly()) {
    end_string(1, false);
    return Next::go;
  }
  if (c == '\\' && is_typographic(quote_)) return step_doubtful_escape();
  if (c == '\\' && !is_escaped(quote_)) return step_escape();
  if (c == quote || static_cast<unsigned char>(c) >= 0x80 || c == '\\') {
    Glyph g = look();
    if (g.is == Is::more) return Next::wait;
    if (is_triple(quote_) || is_doubled(quote_)) {
      if (c == quote) return step_quote(g);
    } else if (g.is == Is::quote && can_close(quote_, g.quote)) {
      return step_quote(g);
    } else if (g.is == Is::fence && quote_ == Quote::backtick) {
      Glyph one = g;
      one.length = 1;
      return step_quote(one);
    }
    if (c == '\\') return step_escape();
    if (static_cast<unsigned char>(c) >= 0x80) {
      utf8::Step st = utf8::step(here(), left());
      if (st.is == utf8::Step::Is::whole) {
        // Runs of whole characters, up to one that could be a quote.
        std::size_t run = st.length;
        while (run < left() && static_cast<unsigned char>(here()[run]) >= 0x80) {
          Glyph h = glyph(here() + run, left() - run, final_);
          if (h.is == Is::more || h.is == Is::quote || (h.is == Is::word && h.odd)) break;
          run += h.length;
        }
        take_raw(run);
      } else if (st.is == utf8::Step::Is::incomplete) {
        // The input ends inside a character: half of one is nobody's text.
        if (ending_ == Ending::complete) guess(EditKind::invalid_utf8, offset(), st.length);
        pos_ += st.length;
      } else {
        guess(EditKind::invalid_utf8, offset(), st.length);
        add(utf8::kReplacement);
        key_plain_ = false;
        pos_ += st.length;
      }
      return Next::go;
    }
    take_raw(1);
    return Next::go;
  }
  if (is_key_ && key_plain_ && key_.size() <= kHold)
    key_controls_.push_back(offset());
  else
    safe(EditKind::control_character, offset(), 1);
  key_lines_ |= c == '\n' || c == '\r';
  if (c == '\n' && is_key_) note_key_line();
  take_raw(1);
  return Next::go;
}

// `a${b}` is filled in where it runs: what its value is nobody can say. Of the next n bytes of a string in backticks,
// how many come before the brace; at the brace it is a guess.
std::size_t Mender::up_to_placeholder(std::size_t n) {
  std::string_view run(here(), n);
  if (dollar_ && run[0] == '{') {
    template_ = true;
    guess(EditKind::quote_spelling, offset() - 1, 2);
    return n;
  }
  std::size_t at = run.find("${");
  if (at != run.npos) n = at + 1;
  dollar_ = run[n - 1] == '$';
  return n;
}

// A quote that ends the string beyond doubt.
bool Mender::ends_clearly() const {
  return !is_key_ && is_straight(quote_) && inner_depth_ == 0 && inner_end_ <= offset() && offset() != content_at_ &&
         !frames_.empty() && inner_scan_.at == 0 &&
         ahead_.clearly_ends_string(here() + 1, left() - 1, frames_, inner_quote_);
}

// A quote that may end the string.
Mender::Next Mender::step_quote(const Glyph& g) {
  const char* p = here();
  std::size_t n = left();
  if (is_triple(quote_)) {
    std::size_t run = 0;
    while (run < n && run < 4 && p[run] == *p) ++run;
    if (run == n && run < 4 && !final_) return Next::wait;
    // The last three of a row end it.
    if (run == 3)
      end_string(3, false);
    else if (run < 3 && run == n && cut_here())
      pos_ += run;  // the start of three
    else
      take_raw(1);
    return Next::go;
  }
  if (is_doubled(quote_)) {
    if (n < 2 && !final_) return Next::wait;
    if (n >= 2 && p[1] == *p)
      end_string(2, false);
    else if (n < 2 && cut_here())
      ++pos_;
    else
      take_raw(1);
    return Next::go;
  }
  if (inner_depth_ > 0) {
    if (auto next = step_inner_quote(g)) return *next;
  }
  if (offset() < inner_end_) {
    pass_inner_quote(g);
    return Next::go;
  }
  if (auto next = find_inner_document(g)) return *next;
  if (is_straight(quote_) && offset() == content_at_) {
    // Nothing between two quotes: empty, or the start of """ or ""a"".
    if (n < 2 && !final_) return Next::wait;
    bool dbl = quote_ == Quote::straight_double;
    if (n >= 2 && p[1] == *p) {
      if (n < 3 && !final_) return Next::wait;
      // """, and """}: nothing ends three here, a quote is all of the text.
      if (n < 3 ? !cut_here() : p[2] == ',' || p[2] == '}' || p[2] == ']') {
        pass_inner_quote(g);
        return Next::go;
      }
      quote_ = dbl ? Quote::triple_double : Quote::triple_single;
      guess(EditKind::quote_spelling, string_at_, 3);
      pos_ += 2;
      return Next::go;
    }
    Glyph next = n >= 2 ? glyph(p + 1, n - 1, final_ && !cut_here()) : Glyph{Is::space};
    if (next.is == Is::more) return wait_behind(g);
    if (next.is == Is::word) {
      // ""a"" needs two quotes at its end; otherwise the second quote was part of the text.
      std::size_t k = std::max<std::size_t>(seek_, 1);
      while (k < n && p[k] != *p && k <= kHold) ++k;
      seek_ = k;
      if (k + 1 >= n && !final_ && k <= kHold) return Next::wait;
      seek_ = 0;
      if (k + 1 >= n || k > kHold || p[k + 1] != *p) {
        guess(EditKind::inner_quote, offset(), 1);
        inner_quote_ = true;
        take_raw(1);
        return Next::go;
      }
      quote_ = dbl ? Quote::doubled_double : Quote::doubled_single;
      guess(EditKind::quote_spelling, string_at_, 2);
      pos_ += 1;
      return Next::go;
    }
  }
  if (frames_.empty() && !is_key_) return step_top_quote(g);
  const bool final = final_ && !cut_here();
  const bool curly = quote_ == Quote::smart_double && g.quote != quote_ && key_quote_ == Quote::smart_double;
  Answer a = is_key_ ? ahead_.ends_key(p + g.length, n - g.length, final, inner_quote_)
                     : ahead_.ends_string(p + g.length, n - g.length, final, frames_, g.quote, around_, inner_quote_,
                                          s_.options.one, curly);
  if (a == Answer::more) return wait_behind(g);
  if (a == Answer::yes) {
    if (is_key_ && key_swallows()) {
      if (reread_key()) return Next::go;
      guess(key_lines_ ? EditKind::control_character : EditKind::quote_spelling, string_at_,
            offset() + g.length - string_at_);
    }
    if (!is_key_ && ahead_.prose() > 0) prose_at_ = offset() + g.length + ahead_.prose();
    end_string(g.length, g.quote != quote_ && g.is == Is::quote);
    return Next::go;
  }
  if (a == Answer::join) {
    guess(EditKind::concatenated, offset(), g.length + ahead_.joined());
    quote_ = ahead_.joined_quote();
    pos_ += g.length + ahead_.joined();
    content_at_ = 0;
    return Next::go;
  }
  if (is_key_ && reread_key()) return Next::go;
  if (g.quote == Quote::straight_double && ends_in_comma()) {
    // "b,"c":1 — the string lacks its last quote.
    Answer key = key_follows(0);
    if (key == Answer::more) return Next::wait;
    if (key == Answer::yes) {
      end_without_quote();
      return Next::go;
    }
  }
  if (g.is == Is::quote && g.quote != quote_) {
    // A quote of another kind than the string's own is text like any other.
    take_raw(g.length);
    return Next::go;
  }
  if (is_escaped(quote_)) {
    guess(EditKind::inner_quote, offset(), g.length);
    inner_quote_ = true;
    add({p + 1, 1});
    pos_ += g.length;
    return Next::go;
  }
  if (!inner_quote_) note_inner_document(g);
  pass_inner_quote(g);
  return Next::go;
}

// Whether the open string is a member's value in double quotes, has had none inside, and ends with a comma.
bool Mender::ends_in_comma() const {
  if (is_key_ || inner_quote_ || quote_ != Quote::straight_double || !in_object()) return false;
  const std::string_view text = s_.tape().text(string_node_);
  const std::size_t last = text.find_last_not_of(" \t\r\n");
  return last != text.npos && text[last] == ',';
}

// The comma stays with the string: it may have been shown.
void Mender::end_without_quote() {
  guess(EditKind::missing_quote, offset(), 0);
  end_string(0, false);
  comma_seen_ = true;
  comma_ = offset();
  comma_length_ = 0;
  in_ = In::key;
}

// What follows the quote has to decide, and has not come. At a cut it never will: the string before the quote is
// certain, and of what is behind it only what fits there.
Mender::Next Mender::wait_behind(const Glyph& g) {
  if (!final_) return Next::wait;
  const bool fits = ahead_.fits_so_far();
  ahead_.reset();
  end_string(g.length, false);
  if (!fits) pos_ = size_;
  return Next::go;
}

// A quote that ends a string at the top. With something behind it, it was prose after all; or quotes stand around a
// document that was not escaped: "{"a":1}".
Mender::Next Mender::step_top_quote(const Glyph& g) {
  Glyph next = glyph(here() + g.length, left() - g.length, final_);
  if (next.is == Is::more && !final_) return Next::wait;
  std::string_view so_far = s_.tape().text(string_node_);
  std::size_t first = so_far.find_first_not_of(" \n\r\t");
  bool around = first != std::string_view::npos && so_far.size() < 64 && so_far.substr(first) == "{";
  if (!around || left() == g.length || next.is == Is::space) {
    end_string(g.length, g.quote != quote_ && g.is == Is::quote);
    return Next::go;
  }
  guess(EditKind::quoted_document, string_at_, content_at_ - string_at_);
  value_at_ = content_at_ + first;
  s_.builder.clear();
  string_node_ = Tape::kNone;
  open(Frame::Type::object);
  return Next::go;
}

// {"a": 'b", "c": "d'}: the first quote in it ends something, so it may be two strings with a wrong quote each. Behind
// a member's value a comma and the next key would follow.
bool Mender::string_swallows() const {
  constexpr std::string_view kSpace = " \n\r\t";
  if (quote_ == Quote::none || quote_ == Quote::straight_double || is_typographic(quote_)) return false;
  const std::string_view text = is_key_ ? std::string_view(key_) : s_.tape().text(string_node_);
  const std::size_t quote = std::min(text.find('"'), text.find(quote_ == Quote::straight_single ? '`' : '\''));
  if (quote == text.npos || quote == 0) return false;
  std::size_t next = text.find_first_not_of(kSpace, quote + 1);
  if (next == text.npos) return false;
  if (is_key_) return text[next] == ',' || text[next] == ':';
  if (text[next] != ',' || !in_object()) return text[next] == ',';
  next = text.find_first_not_of(kSpace, next + 1);
  if (next == text.npos) return true;
  const char sign = text[next];
  std::size_t end = next;
  if (sign == '"' || sign == '\'' || sign == '`') {
    end = text.find(sign, next + 1);
    if (end == text.npos) return true;
    ++end;
  } else {
    while (end < text.size() && in_name(text[end])) ++end;
  }
  const std::size_t colon = text.find_first_not_of(kSpace, end);
  return end > next && colon != text.npos && text[colon] == ':';
}

void Mender::end_string(std::size_t quote_length, bool mixed) {
  string_end_ = offset() + quote_length;
  judge_escapes();
  if (!mixed && (string_swallows() || quotes_differ(quote_length)))
    guess(EditKind::quote_spelling, string_at_, string_end_ - string_at_);
  if (mixed) guess(EditKind::quote_spelling, offset(), quote_length);
  pos_ += quote_length;
  if (is_key_) {
    list_key_controls(key_controls_.size());
    key_quote_ = quote_;
    if (!s_.builder.key(key_)) guess(EditKind::duplicate_key, string_at_, offset() - string_at_);
    in_ = In::colon;
    return;
  }
  if (!frames_.empty()) emit("\"");
  string_node_ = Tape::kNone;
  s_.builder.close_string();
  value_done();
}

}  // namespace BELAY_NAMESPACE::json
