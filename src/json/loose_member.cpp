#include "json/loose_member.h"

#include "json/scan.h"
#include "json/word.h"

namespace BELAY_NAMESPACE::json {
namespace {

constexpr std::size_t kLongestScalar = 64;

}  // namespace

void LooseMember::add(const Glyph& g, char c, bool touches) {
  switch (in_) {
    case In::nothing:
    case In::skipped: break;
    case In::start:
      in_ = g.is == Is::word && in_name(c) ? In::name : In::nothing;
      small_ = !(c >= 'A' && c <= 'Z');
      break;
    case In::name:
      if (g.is == Is::colon)
        in_ = In::colon;
      else if (c == '/' || c == '#')
        in_ = In::comment;
      else if (g.is != Is::word || !touches || !in_name(c))
        in_ = In::nothing;
      break;
    case In::comment:  // between the key and its colon; it ends with its line, or as /* does
      if (ends_block(g, c)) in_ = In::named;
      before_ = c;
      break;
    case In::named:
      if (c == '/' || c == '#')
        in_ = In::comment;
      else
        in_ = g.is == Is::colon ? In::colon : In::nothing;
      break;
    case In::colon:
      if (g.is == Is::quote) {
        quote_ = g.quote;
        string_ = true;
        in_ = In::string;
      } else if (g.is == Is::line_comment) {
        in_ = In::mark;
      } else if (g.is == Is::block_comment) {
        in_ = In::block;
        before_ = 0;
      } else if (g.is == Is::word && !new_line_) {
        word_ = c;
        in_ = In::word;
      } else {
        in_ = In::nothing;
      }
      break;
    case In::mark:  // what touches it makes it an address, https://x, or a number, issue:#12
      in_ = touches ? In::nothing : In::remark;
      break;
    case In::remark: break;  // it ends with its line
    case In::block:
      if (ends_block(g, c)) in_ = In::colon;
      before_ = c;
      break;
    case In::string:
      if (g.is == Is::quote && can_close(quote_, g.quote)) in_ = In::done;
      break;
    case In::word:
      if (g.is == Is::word && touches) {
        append(c);
        break;
      }
      word_done();
      if (in_ == In::done) add(g, c, touches);
      break;
    case In::done:
      // Words behind it make it a sentence: Note: "x" is the default. Not so behind content: "x".
      found_ |= g.is != Is::word || (string_ && small_);
      in_ = In::nothing;
      break;
  }
}

// Two slashes: the second one begins another comment, as in /**//**/.
bool LooseMember::ends_block(const Glyph& g, char c) const {
  return c == '/' && before_ == '*' && g.is != Is::line_comment;
}

void LooseMember::add_plain(std::string_view run) {
  // Behind so many of them more change nothing but what came last.
  for (char c : run.substr(0, kLongestScalar + 1)) add({Is::word}, c, true);
  if (in_ == In::comment || in_ == In::block) before_ = run.back();
}

void LooseMember::append(char c) {
  if (word_.size() <= kLongestScalar) word_ += c;
}

void LooseMember::word_done() { in_ = word_.size() <= kLongestScalar && is_scalar(word_) ? In::done : In::nothing; }

void LooseMember::new_line() {
  if (in_ == In::word) word_done();
  if (in_ == In::done) found_ = true;
  if (in_ == In::word || in_ == In::done) in_ = In::nothing;
  if (in_ == In::skipped) in_ = In::start;
  if (in_ == In::comment) in_ = In::named;
  if (in_ == In::mark || in_ == In::remark) in_ = In::colon;
  new_line_ = true;
}

void LooseMember::bracket() {
  if (in_ == In::colon && !new_line_) found_ = true;
  end();
}

void LooseMember::end() {
  new_line();
  in_ = In::nothing;
}

}  // namespace BELAY_NAMESPACE::json
