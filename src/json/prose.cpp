#include "json/prose.h"

#include "json/scan.h"

#include <algorithm>
#include <iterator>

namespace BELAY_NAMESPACE::json {

namespace {

// What models put around what they think: <think>.
bool names_thought(std::string_view tag) {
  constexpr std::string_view kNames[] = {"think",     "thinking", "thought",    "thoughts",
                                         "reasoning", "reason",   "seed:think", "scratchpad"};
  return std::ranges::find(kNames, tag) != std::end(kNames);
}

// Tokens in brackets that models put around values, without their spaces: {"a":1}[/INST]. Other names may be a
// subscript.
bool names_mark(std::string_view label) {
  constexpr std::string_view kNames[] = {"args",
                                         "available_tools",
                                         "bos",
                                         "call_id",
                                         "cls",
                                         "done",
                                         "end",
                                         "end_of_text",
                                         "end_tool_request",
                                         "endfinalresponse",
                                         "eos",
                                         "eot",
                                         "inst",
                                         "mask",
                                         "pad",
                                         "sep",
                                         "stop",
                                         "system_prompt",
                                         "tool_call",
                                         "tool_calls",
                                         "tool_content",
                                         "tool_result",
                                         "tool_results",
                                         "unk"};
  return label.starts_with('/') || std::ranges::find(kNames, label) != std::end(kNames);
}

// Tokens like that: <|START_THINKING|>. Their first sign is spelled as that of an end, </.
constexpr std::string_view kBeginToken = "/start_thinking|", kEndToken = "/end_thinking|";

}  // namespace

void Prose::begin(std::uint64_t offset) {
  if (active_) return;
  active_ = true;
  at_ = offset;
  text_ = tag_ = closer_ = separator_ = suspicious_ = after_comma_ = in_tag_ = after_colon_ = ends_comma_ = false;
  last_quote_ = Quote::none;
  last_ = before_comma_ = 0;
  touches_ = value_end_ > 0 && value_end_ == offset;
  glued_ = lone_scalar_ = in_label_ = ellipsis_ = dotted_ = subscript_ = false;
  sign_count_ = 0;
  lines_ = value_end_ > 0 && !value_line_;
}

void Prose::sign(char c) {
  // [1]*3
  if (touches_ && sign_count_ == 1 && signs_[0] == '*' && is_digit(c)) suspicious_ = true;
  if (sign_count_ < sizeof signs_) signs_[sign_count_] = c;
  ++sign_count_;
}

// {"a":1} + {"b":2} is an expression, and {"a":1} ... {"b":2} leaves something out.
bool Prose::joins() const {
  if (value_end_ == 0 || sign_count_ == 0 || sign_count_ >= sizeof signs_) return false;
  const std::string_view signs(signs_, sign_count_);
  return ellipsis_ || (!lines_ && (signs == "->" || signs.find_first_not_of("+*/|&=>^?%!:") == signs.npos));
}

void Prose::space() {
  if (in_tag_) end_tag();  // <think >
  in_tag_ = touches_ = false;
}

void Prose::new_line() {
  space();
  end_row();
  end_lead();
  line_text_ = value_line_ = false;
  comment_line_ = Doubt::no;
  apart_ = lines_ = true;
  member_.new_line();
  parts_.new_line();
}

void Prose::fence() {
  apart_ = fenced_ = true;
  parts_.fence();
}

void Prose::note_text() {
  text_ = line_text_ = text_behind_ = true;
  in_sentence_ |= value_line_;
}

void Prose::after_value(std::uint64_t offset) {
  value_end_ = offset;
  value_line_ = true;
  text_behind_ = false;
  member_.begin();
  parts_.begin();
}

void Prose::add(const Glyph& g, char c, std::uint64_t offset, std::uint64_t values) {
  bool first = !active_;
  begin(offset);
  // f({"a":1}, 2): the value was one argument of several.
  if (first && calls_ > 0 && g.is != Is::close_paren) suspicious_ = true;
  lone_scalar_ = false;
  sign(c);
  ellipsis_ = first && g.is == Is::ellipsis;
  if (row_ == Row::closed && g.is != Is::comma) row_ = Row::none;
  if (row_ == Row::open && g.is == Is::comma) row_comma_ = true;
  const bool touches = !first && end_ == offset;
  // Behind a digit, and with white space behind it, it was an inch mark.
  if (inch_ && touches) in_quotes_ = true;
  inch_ = false;
  see_lead(g, c, first, touches, values);
  member_.add(g, c, touches);
  if (!in_tag_) parts_.add(g, c, touches);
  bool word = false;
  switch (g.is) {
    case Is::close_brace:
    case Is::close_bracket:
      if (std::uint64_t& open = c == '}' ? braces_ : brackets_; open > 0) {
        --open;
        loose_ &= braces_ + brackets_ > 0;
        if (row_ == Row::open && braces_ + brackets_ == 0) row_ = Row::closed;
        if (in_label_) end_tag();  // [THINK]
        if (in_label_ && !label_small_ && names_mark(spelled())) subscript_ = false;
      } else {
        closer_ = true;
        // It is surplus only behind one value, and where nothing else was taken for prose that it could close, such as
        // the object or list that the value was a part of: arguments: {"a":1}}.
        if (values != 1 || structural_ || text_ || separator_ || part_ || hidden_opener_) suspicious_ = true;
        // Or for as many of them inside that may stand too early.
        // Or of a string in it: {"a":"f() {"}}
        if (c == '}' ? open_in_strings_.brace : open_in_strings_.bracket) suspicious_ = true;
        ++(c == '}' ? surplus_braces_ : surplus_brackets_);
        for (const Early& early : early_)
          if (surplus_braces_ >= early.braces && surplus_brackets_ >= early.brackets) suspicious_ = true;
      }
      break;
    case Is::open_paren:
      // [1].map(f): a method of the value.
      if (touches && dotted_) suspicious_ = true;
      ++parens_;
      word = true;
      break;
    case Is::close_paren:
      if (parens_ > 0)
        --parens_;
      else if (calls_ > 0)
        --calls_;
      else if (open_in_strings_.paren)
        suspicious_ = true;  // {"a":"f(x"})
      if (parens_ == 0) comma_in_parens_ = false;
      word = true;
      break;
    case Is::tag:
      tag_ = in_tag_ = true;
      tag_length_ = 0;
      spell_tag('/');  // the sign is </
      break;
    case Is::comma:
      separator_ = true;
      if (first && values > 0 && c != ';') after_comma_ = true;
      if (parens_ > 0) comma_in_parens_ = true;
      // f(g({"a":1}), 2)
      if (calls_ > 0 && parens_ == 0) suspicious_ = true;
      before_comma_ = last_;
      break;
    case Is::colon:
      word = !in_tag_;
      if (in_tag_) spell_tag(c);
      break;
    case Is::quote:
      // Behind a value, a string may be the next item of a list that lost its brackets.
      // Or the value's closer was the start of one: ["a", ]b"".
      if (values > 0 && c == '"' && ((!text_ && lead_ == Lead::none) || touches_ || glued_)) suspicious_ = true;
      if (c == '"') {
        structural_ = true;
        inch_ = !in_quotes_ && touches && is_digit(last_);
        in_quotes_ ^= !inch_;
      }
      word = true;
      break;
    default:
      word = !in_tag_;
      if (c == '<' && !in_tag_) {
        tag_ = in_tag_ = true;
        word = false;
        tag_length_ = 0;
      } else if (c == '>' && in_tag_) {
        end_tag();
        in_tag_ = false;
      } else if (in_tag_) {
        spell_tag(c);
      }
  }
  if (in_label_ && g.is == Is::word)
    spell_label({&c, 1});
  else
    in_label_ = false;
  if (after_comma_ && word && in_list_) suspicious_ = true;
  // A key in a list that does not count.
  if (in_list_ && g.is == Is::colon && c == ':') suspicious_ = true;
  // {path "a"} and [- "a"]: too damaged to be read. {path} is a placeholder, [see: x] a remark.
  if (loose_ && g.is == Is::quote && g.quote != Quote::backtick && (c == '"' || !touches)) suspicious_ = true;
  if (loose_ && braces_ > 0 && g.is == Is::colon) suspicious_ = true;
  // f(x={"a":1}): one argument, whose name is lost.
  if (c == '=' && parens_ > 0) comma_in_parens_ = true;
  if (word) note_text();
  // {"a":12}3 and {"a":[1,]b c"": a closer that changed places with what it stood behind.
  if (first && touches_ && g.is == Is::word) glued_ = true;
  if (first && touches_ && is_digit(c)) suspicious_ = true;
  dotted_ = (dotted_ && touches && g.is == Is::word) || (first && touches_ && c == '.');
  if (word && g.is == Is::word && comment_line_ == Doubt::without_words) comment_line_ = Doubt::no;
  last_quote_ = g.is == Is::quote ? g.quote : Quote::none;
  after_colon_ = g.is == Is::colon;
  apart_ = fenced_ = false;
  // "x", `{"a":1}`: backticks mark code, and say nothing about the comma.
  if (g.quote != Quote::backtick) {
    ends_comma_ = g.is == Is::comma && c != ';';
    if (g.is != Is::comma) before_comma_ = 0;
  }
  last_ = g.is == Is::quote && c != '\'' && c != '`' ? '"' : c;
  end_ = offset + g.length;
}

// {"path":1}
// "path" is all that it needs: a sentence that begins with a word in quotes, once two others follow it. Otherwise the
// string may be the next item of a list, or the key of a member, that lost its brackets.
void Prose::see_lead(const Glyph& g, char c, bool first, bool touches, std::uint64_t values) {
  switch (lead_) {
    case Lead::none:
      if (first && values > 0 && g.is == Is::quote && g.quote != (touches_ ? around_ : Quote::backtick)) {
        lead_ = touches_ ? Lead::touching : Lead::open;
        lead_quote_ = g.quote;
      }
      break;
    case Lead::touching:
      // Two that touch each other are what is left of something.
      if (g.is == Is::quote && can_close(lead_quote_, g.quote))
        lead_ = touches && end_ == at_ + 1 ? Lead::none : Lead::touching_closed;
      break;
    case Lead::touching_closed:
      if (g.is != Is::word || !touches) suspicious_ = true;
      lead_ = Lead::none;
      break;
    case Lead::open:
      if (g.is == Is::quote && can_close(lead_quote_, g.quote)) lead_ = Lead::closed;
      break;
    case Lead::closed:
      if (g.is != Is::word || touches || is_digit(c)) suspicious_ = true;
      lead_ = Lead::word;
      break;
    case Lead::word:
      if (touches && g.is != Is::colon) break;
      if (g.is != Is::word) suspicious_ = true;
      lead_ = Lead::none;
      break;
  }
}

void Prose::end_lead() {
  if (lead_ != Lead::none && lead_ != Lead::touching) suspicious_ = true;
  lead_ = Lead::none;
}

void Prose::spell_tag(char c) {
  if (tag_length_ < sizeof tag_spelling_)
    tag_spelling_[tag_length_] = static_cast<char>(c >= 'A' && c <= 'Z' ? c | 32 : c);
  ++tag_length_;
}

void Prose::spell_label(std::string_view run) {
  for (char c : run) label_small_ |= c >= 'a' && c <= 'z';
  for (char c : run.substr(0, sizeof tag_spelling_ + 1)) spell_tag(c);
}

std::string_view Prose::spelled() const {
  return {tag_spelling_, std::min<std::size_t>(tag_length_, sizeof tag_spelling_)};
}

bool Prose::ends_thought() const {
  return spelled() == kEndToken || (spelled().starts_with('/') && names_thought(spelled().substr(1)));
}

bool Prose::begins_thought() const { return spelled() == kBeginToken || names_thought(spelled()); }

// Of a tag, a token or a label in brackets: the value before the end of a thought was thought, not said.
void Prose::end_tag() {
  if (value_end_ > 0 && ends_thought()) suspicious_ = true;
  if (ends_thought()) thinking_ = false;
  if (begins_thought()) thinking_ = true;
  if (spelled() == "<<<<<<") conflict_ = true;
  // <parameter=a>, <arg_key>: the value is one argument, whose name is lost.
  // So is it in <ns:parameter>.
  const std::string_view tag = spelled().substr(0, spelled().find('='));
  const std::size_t space = tag.find_last_not_of("abcdefghijklmnopqrstuvwxyz_-");
  const std::string_view local = space == tag.npos || space == 0 ? tag : tag.substr(space + 1);
  for (std::string_view name :
       {"parameter", "param", "argument", "arg", "arg_key", "arg_value", "arg-key", "arg-value"})
    if (local == name) suspicious_ = true;
}

// [a, b] alone on a line, and {a 1} with nothing but values beside it on its line, may be values that are too damaged
// to be read; [NOTE] is none, and {name} in a sentence is a placeholder.
void Prose::begin_row(char c) {
  if (line_text_ || braces_ + brackets_ > 0) return;
  row_ = Row::open;
  row_brace_ = c == '{';
  row_comma_ = false;
}

void Prose::end_row() {
  if (row_ == Row::closed && (row_brace_ || row_comma_)) suspicious_ = true;
  row_ = Row::none;
}

void Prose::add_plain(std::string_view run, std::uint64_t end) {
  // [1].length
  if (dotted_ && last_ == '.' && run[0] >= 'a' && run[0] <= 'z') suspicious_ = true;
  lone_scalar_ = ellipsis_ = false;
  sign(run[0]);
  sign_count_ = sizeof signs_;
  if (row_ == Row::closed) row_ = Row::none;
  if (in_label_)
    spell_label(run);
  else if (in_tag_)
    for (char c : run.substr(0, sizeof tag_spelling_ + 1)) spell_tag(c);
  if (!in_tag_) parts_.add_plain(run);
  member_.add_plain(run);
  note_text();
  if (comment_line_ == Doubt::without_words) comment_line_ = Doubt::no;
  if (after_comma_ && in_list_) suspicious_ = true;
  before_comma_ = 0;
  last_ = run.back();
  after_colon_ = ends_comma_ = false;
  last_quote_ = Quote::none;
  end_ = end;
}

void Prose::add_bracket(char c, std::uint64_t offset) {
  const bool first = !active_;
  begin(offset);
  end_lead();
  if (inch_ && end_ == offset) in_quotes_ = true;
  inch_ = false;
  // [1,2,3][1:] is a part of the list.
  if (first && touches_ && c == '[') subscript_ = true;
  // ${x:-"y"} and \frac{a}: what touches a word is part of it.
  // So is the body of a function behind its parenthesis.
  const bool word = active_ && (last_ == ')' || (end_ == offset && (in_name(last_) || last_ == '\\')));
  loose_ |= !word;
  if (!word) begin_row(c);
  ++(c == '{' ? braces_ : brackets_);
  structural_ = true;
  pass_bracket(c, offset);
  in_label_ = c == '[';
  label_small_ = false;
  tag_length_ = 0;
}

void Prose::add_list_end(std::uint64_t offset) {
  begin(offset);
  pass_bracket(']', offset);
}

void Prose::pass_bracket(char c, std::uint64_t offset) {
  ellipsis_ = dotted_ = false;
  sign_count_ = sizeof signs_;
  member_.bracket();
  parts_.add_bracket();
  note_text();
  lone_scalar_ = false;
  after_colon_ = ends_comma_ = false;
  last_quote_ = Quote::none;
  before_comma_ = 0;
  last_ = c;
  end_ = offset + 1;
}

void Prose::add_scalar(std::uint64_t from, std::uint64_t to, bool brackets, Quote quote) {
  const bool quoted = quote != Quote::none;
  active_ = false;
  begin(from);
  sign_count_ = sizeof signs_;
  end_ = to;
  note_text();
  suspicious_ = brackets;
  structural_ |= quoted;
  if (quoted) parts_.add_string(quote);
  last_ = quoted ? '"' : '0';
}

Prose::Stretch Prose::finish() {
  Stretch s;
  end_lead();
  if (active_ && (subscript_ || member_.found() || parts_.found())) suspicious_ = true;
  s.any = active_;
  s.kind = text_        ? EditKind::prose
           : tag_       ? EditKind::special_token
           : closer_    ? EditKind::surplus_closer
           : separator_ ? EditKind::surplus_separator
                        : EditKind::prose;
  s.grade = suspicious_ ? Grade::guess : Grade::safe;
  s.offset = at_;
  s.length = end_ - at_;
  any_text_ |= active_ && text_;
  active_ = false;
  return s;
}

Prose::Stretch Prose::before_value(std::uint64_t offset, char c) {
  bool was = active_;
  member_.bracket();
  around_ = quote_before(offset);
  part_ = was && ((after_colon_ && !apart_) || ends_comma_ || parts_.behind_comma() || parts_.behind_marker() ||
                  parts_.behind_label());
  // The body of a function stands behind a parenthesis.
  labelled_ = line_text_ && after_colon_;
  body_ = was && last_ == ')' && !fenced_;
  behind_word_ = was && !apart_ && in_name(last_) && last_ != '.';
  in_sentence_ = (line_text_ && !labelled_) || body_;
  line_text_ = false;
  // list[1]: a subscript.
  bool name = (last_ >= 'a' && last_ <= 'z') || (last_ >= 'A' && last_ <= 'Z') || is_digit(last_) || last_ == '_' ||
              last_ == ')';
  if (was && c == '[' && end_ == offset && name) suspicious_ = true;
  // Closers are surplus only at the very end.
  if (closer_ && was) suspicious_ = true;
  // 1, 2, [3]: the value may be an item like those before it.
  if (was && ends_comma_ && !fenced_ &&
      (before_comma_ == '"' || is_digit(before_comma_) || before_comma_ == ']' || before_comma_ == '}'))
    suspicious_ = true;
  if (was && ends_comma_ && text_ && in_list_) suspicious_ = true;
  if (was && lone_scalar_) suspicious_ = true;
  if (was && joins()) suspicious_ = true;
  // The lines of a change: -{"a":1} and +{"a":2}.
  if (was && last_ == '+' && end_ == offset && parts_.behind_marker()) suspicious_ = true;
  if (parts_.before_value()) suspicious_ = true;
  if (comma_in_parens_ || calls_ > 0 || thinking_ || conflict_) suspicious_ = true;
  bool quoted = was && ((last_ == '"' && (in_quotes_ || inch_ || end_ == offset)) || last_ == '\'');
  bool open = braces_ + brackets_ > 0 || comment_line_ != Doubt::no || in_quotes_;
  if (!was) at_ = end_ = offset;
  if (quoted || open || (row_ == Row::closed && row_brace_)) suspicious_ = true;
  bool doubt = suspicious_;
  Stretch s = finish();
  if (!was && doubt && (open || comma_in_parens_ || calls_ > 0 || thinking_ || conflict_)) {
    // What makes it doubtful came before a comment.
    s = {true, EditKind::stray_bytes, Grade::guess, offset, 0};
  } else if (!was) {
    s.any = false;
  }
  if (quoted) s.kind = EditKind::quoted_document;
  calls_ = parens_;
  braces_ = brackets_ = parens_ = 0;
  comma_in_parens_ = in_quotes_ = inch_ = loose_ = false;
  row_ = Row::none;
  suspicious_ = closer_ = false;
  return s;
}

Prose::Stretch Prose::at_end(std::uint64_t values) {
  // A bracket behind the value that was never closed may be the start of another one.
  // So may half a string.
  member_.end();
  parts_.end();
  end_row();
  if (in_tag_) end_tag();
  // {"a":1}{"b":2} ...
  if (active_ && values > 1 && ellipsis_) suspicious_ = true;
  if (active_ && values > 0 && (braces_ + brackets_ > 0 || in_quotes_)) suspicious_ = true;
  return finish();
}

}  // namespace BELAY_NAMESPACE::json
