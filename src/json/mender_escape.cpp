// Escapes in the strings of damaged text: those of JSON, those of other languages, and backslashes that are text.
#include "base/utf8.h"
#include "json/mender.h"
#include "json/quotes.h"
#include "json/scan.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace BELAY_NAMESPACE::json {

Mender::Next Mender::step_escape() {
  key_plain_ = false;
  const char* p = here();
  std::size_t n = left();
  std::size_t slash = 1;
  if (raw_) {
    // In Python's raw strings a quote behind one does not end the string, and both are text.
    if (n < 2 && !final_) return Next::wait;
    const std::size_t length = n > 1 && (p[1] == '\\' || p[1] == first_byte(quote_)) ? 2 : 1;
    add({p, length});
    pos_ += length;
    return Next::go;
  }
  if (is_escaped(quote_)) {
    // In a text that was escaped as a whole, \\n is what \n is elsewhere, and \\\" a quote inside.
    if (n < 2 && !final_) return Next::wait;
    if (n >= 2 && p[1] == '\\') slash = 2;
    if (slash == 2 && n < 4 && !final_) return Next::wait;
    if (slash == 2 && n >= 4 && p[2] == '\\') slash = 3;
  }
  if (n <= slash) {
    if (!final_) return Next::wait;
    // The input ends in a backslash: half an escape is nobody's text.
    pos_ = size_;
    return Next::go;
  }
  char c = p[slash];
  auto known = [&](char out) {
    if (out == '\\') last_pair_ = string_so_far().size();
    known_escape_ |= c != '"' && c != '\\';
    // Beside an escape that JSON knows, an unknown one has two readings after all, and so has this one.
    if (known_escape_ && unknown_escape_) spoil_escapes();
    add({&out, 1});
    pos_ += slash + 1;
  };
  switch (c) {
    case '"':
    case '\\':
    case '/': known(c); return Next::go;
    case 'b': known('\b'); return Next::go;
    case 'f': known('\f'); return Next::go;
    case 'n': known('\n'); return Next::go;
    case 'r': known('\r'); return Next::go;
    case 't': known('\t'); return Next::go;
    case '\'':
    case '`':
      note_escape(EditKind::escaped_quote, slash + 1);
      // In a string that this quote would end there is nothing else that it can be.
      if (quote_ != (c == '`' ? Quote::backtick : Quote::straight_single))
        ++(c == '`' ? escaped_backticks_ : escaped_singles_);
      add({&c, 1});
      pos_ += slash + 1;
      return Next::go;
    case '\n':
    case '\r': {
      if (c == '\r' && n == slash + 1 && !final_) return Next::wait;
      std::size_t len = c == '\r' && n > slash + 1 && p[slash + 1] == '\n' ? 2 : 1;
      guess(EditKind::foreign_escape, offset(), slash + len);
      pos_ += slash + len;
      return Next::go;
    }
    case 'x':
      if (n < slash + 3 && !final_) {
        bool possible = n < slash + 2 || hex(p[slash + 1]) >= 0;
        if (possible) return Next::wait;
      }
      if (n >= slash + 3 && hex(p[slash + 1]) >= 0 && hex(p[slash + 2]) >= 0) {
        std::string out;
        utf8::append(static_cast<std::uint32_t>(hex(p[slash + 1]) << 4 | hex(p[slash + 2])), out);
        guess(EditKind::foreign_escape, offset(), slash + 3);
        add(out);
        pos_ += slash + 3;
        return Next::go;
      }
      break;
    case 'U': {
      // \U0001F600 of Python; with fewer digits it is no escape anywhere: C:\Users.
      const char* h = p + slash + 1;
      std::size_t have = n - slash - 1;
      std::size_t digits = 0;
      std::uint32_t code = 0;
      for (; digits < 8 && digits < have && hex(h[digits]) >= 0; ++digits)
        code = code << 4 | static_cast<std::uint32_t>(hex(h[digits]));
      if (digits < 8 && digits == have && !final_) return Next::wait;
      if (digits < 8) break;
      if (code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) {
        guess(EditKind::broken_escape, offset(), slash + 9);
        take_raw(slash + 9);
        return Next::go;
      }
      std::string out;
      utf8::append(code, out);
      guess(EditKind::foreign_escape, offset(), slash + 9);
      add(out);
      pos_ += slash + 9;
      return Next::go;
    }
    case 'u': {
      const char* h = p + slash + 1;
      std::size_t have = n - slash - 1;
      std::size_t digits = 0;
      while (digits < 4 && digits < have && hex(h[digits]) >= 0) ++digits;
      if (digits < 4 && digits == have) {
        if (!final_) return Next::wait;
        pos_ = size_;  // cut inside the escape
        return Next::go;
      }
      known_escape_ = true;
      if (unknown_escape_) spoil_escapes();
      if (digits < 4) {
        guess(EditKind::broken_escape, offset(), slash + 1 + digits);
        take_raw(slash + 1 + digits);
        return Next::go;
      }
      auto code = static_cast<std::uint32_t>(hex4(h));
      std::size_t used = slash + 5;
      if (code >= 0xD800 && code <= 0xDBFF) {
        // The other half must follow; wait for as much as could be it.
        const char* q = p + used;
        std::size_t m = n - used;
        std::size_t fit = 0;
        while (fit < m && fit < slash && q[fit] == '\\') ++fit;
        if (fit == slash && m > slash && q[slash] == 'u') {
          fit = slash + 1;
          while (fit < m && fit < slash + 5 && hex(q[fit]) >= 0) ++fit;
        }
        if (fit == slash + 5) {
          auto low = static_cast<std::uint32_t>(hex4(q + slash + 1));
          if (low >= 0xDC00 && low <= 0xDFFF) {
            code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
            used += slash + 5;
          }
        } else if (fit == m) {
          if (!final_) return Next::wait;
          pos_ = size_;  // cut between the halves
          return Next::go;
        }
      }
      if (code >= 0xD800 && code <= 0xDFFF) guess(EditKind::lone_surrogate, offset(), used);
      std::string out;
      utf8::append(code, out);
      add(out);
      pos_ += used;
      return Next::go;
    }
    default: break;
  }
  if (static_cast<unsigned char>(c) >= 0x80) {
    Glyph g = glyph(p + slash, n - slash, final_);
    if (g.is == Is::more) return Next::wait;
    if (g.is == Is::quote) {
      note_escape(EditKind::escaped_quote, slash + g.length);
      typographic_escape_ = true;
      add({p + slash, g.length});
      pos_ += slash + g.length;
      return Next::go;
    }
  }
  // Not an escape of JSON: the backslash is text.
  if (known_escape_ || in_share(c)) spoil_escapes();
  unknown_escape_ = true;
  note_escape(EditKind::unknown_escape, slash + 1);
  add("\\");
  pos_ += slash;
  return Next::go;
}

std::string_view Mender::string_so_far() const {
  return is_key_ ? std::string_view(key_) : std::string_view(s_.tape().text(string_node_));
}

// "\\host\share", also behind a space or a sign: who writes one backslash for one may have written two for two. Before
// the first of them every backslash stands for two. "\\d\w" is a pattern. The search back ends at the last backslash.
bool Mender::in_share(char next) const {
  if (!is_letter(next) && !is_digit(next)) return false;
  const std::string_view text = string_so_far();
  std::size_t name = text.size();
  while (name > 0 &&
         (in_name(text[name - 1]) || std::string_view("?@%{}").find(text[name - 1]) != std::string_view::npos))
    --name;
  if (name == text.size() || name == 0 || text[name - 1] != '\\') return false;
  if (name + 1 == text.size() && std::string_view("dwsbDWSB").find(text[name]) != std::string_view::npos) return false;
  if (unknown_escape_ && name - 1 != last_pair_) return false;
  return name == 1 || std::string_view(" \t\n\"'`(=,<").find(text[name - 2]) != std::string_view::npos;
}

void Mender::note_escape(EditKind kind, std::size_t length) {
  if (first_escape_ == kNoEdit) {
    first_escape_ = s_.edits.size();
    escape_ = {kind, Grade::guess, offset(), length};
  }
  // {"file\_path":1}: a name is no pattern, and Markdown has such backslashes before signs.
  // “say \“hi\” now”: they may stand for \".
  const bool typographic = typographic_ && kind == EditKind::escaped_quote && length <= left() &&
                           static_cast<unsigned char>(here()[length - 1]) >= 0x80;
  const bool doubtful =
      spoiled_ || typographic ||
      (is_key_ && kind == EditKind::unknown_escape && !(length <= left() && is_letter(here()[length - 1])));
  s_.edit(kind, doubtful ? Grade::guess : Grade::safe, offset(), length);
}

// Once is enough: later ones are graded as they come.
void Mender::spoil_escapes() {
  if (spoiled_) return;
  spoiled_ = true;
  if (first_escape_ == kNoEdit) return;
  s_.grade = Grade::guess;
  s_.text_stopped = true;
  for (std::size_t i = first_escape_; i < s_.edits.size(); ++i)
    if (s_.edits[i].kind == EditKind::unknown_escape || s_.edits[i].kind == EditKind::escaped_quote)
      s_.edits[i].grade = Grade::guess, s_.guess_listed = true;
  s_.list_guess(escape_);
}

// At the end of a string: whether the backslashes that were taken for escapes are those of a writer who escapes.
void Mender::judge_escapes() {
  if (spoiled_ || first_escape_ == kNoEdit) return;
  const std::string_view text = string_so_far();
  auto bare = [&](char quote, std::uint64_t escaped) {
    if (escaped == 0 || static_cast<std::uint64_t>(std::ranges::count(text, quote)) <= escaped) return false;
    // "don't and won\'t": apostrophes only.
    for (std::size_t i = text.find(quote); i != text.npos; i = text.find(quote, i + 1))
      if (!is_apostrophe(text, i)) return true;
    return false;
  };
  // "echo 'it'\''s'": who leaves this quote bare has escaped it for the shell.
  // "\$HOME \`pwd\`": a backslash that stays beside one that goes.
  if (bare('\'', escaped_singles_) || bare('`', escaped_backticks_) ||
      (unknown_escape_ && escaped_singles_ + escaped_backticks_ > 0))
    spoil_escapes();
}

}  // namespace BELAY_NAMESPACE::json
