// Quotes of typography around strings. Who writes “ for " is not sure of quotes: the text of a string may hold what was
// meant to end it, or another, and then its members are others.
#include "json/mender.h"
#include "json/quotes.h"

namespace BELAY_NAMESPACE::json {
namespace {

Role role_of(const Tape& tape, std::size_t node) {
  if (tape.node(node).tag() == Tag::key) return Role::key;
  return node > 0 && tape.node(node - 1).tag() == Tag::key ? Role::member : Role::item;
}

// Whether a string that was read so far may have ended earlier, now that quotes of typography are known to stand around
// strings here.
bool any_may_end_inside(const Tape& tape) {
  for (std::size_t i = 0; i < tape.size(); ++i) {
    const Tag tag = tape.node(i).tag();
    if ((tag == Tag::string || tag == Tag::key) && may_end_inside(tape.text(i), role_of(tape, i))) return true;
  }
  return false;
}

}  // namespace

// One that begins a string. The first of a text casts doubt on the strings before it; later ones are judged as they
// end.
void Mender::see_quote(const Glyph& g) {
  const bool doubt = !typographic_ && (typographic_escape_ || any_may_end_inside(s_.tape()));
  typographic_ = true;
  opener_.assign(here(), g.length);
  quotes_to_ = 0;
  quote_inside_ = false;
  s_.edit(EditKind::quote_spelling, doubt ? Grade::guess : Grade::safe, string_at_, g.length);
}

// Looks for quotes in what came since the last escape.
void Mender::note_quotes() {
  const std::string_view text = string_so_far();
  quote_inside_ = quote_inside_ || has_quote(text, quotes_to_);
  quotes_to_ = text.size();
}

// A quote that is escaped does not end the string.
Mender::Next Mender::step_doubtful_escape() {
  note_quotes();
  const Next next = step_escape();
  quotes_to_ = string_so_far().size();
  return next;
}

// At the end of a string: whether a quote in it may have ended it, or the two around it are no pair.
bool Mender::quotes_differ(std::size_t quote_length) {
  if (!typographic_ || inner_quote_) return false;
  if (!is_typographic(quote_))
    return may_end_inside(string_so_far(), is_key_ ? Role::key : in_object() ? Role::member : Role::item);
  note_quotes();
  return quote_inside_ || !is_pair(opener_, {here(), quote_length});
}

}  // namespace BELAY_NAMESPACE::json
