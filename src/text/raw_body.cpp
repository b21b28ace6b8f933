#include "text/raw_body.h"

#include "text/object_part.h"
#include "text/peek.h"
#include "text/scan.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace BELAY_NAMESPACE::text {
namespace {

using json::EditKind;

bool runs_code(std::string_view name) {
  constexpr std::string_view kNames[] = {"python", "ipython", "code_interpreter", "python_interpreter"};
  return std::any_of(std::begin(kNames), std::end(kNames), [&](std::string_view one) { return same_word(one, name); });
}

bool is_text(const Shape& shape) { return shape.declared && (shape.types & kString) != 0; }

// Where headers are lines, what begins the next call may stand anywhere.
bool by_lines(const Row& row) { return row.separator == "\n"; }

}  // namespace

std::optional<RawParameter> raw_parameter(const Context& context, std::string_view name) {
  const Tool* tool = context.tool(name);
  const bool code = runs_code(name);
  if (!tool || tool->parameters.properties.empty()) {
    if (!code) return std::nullopt;
    return RawParameter{"code", true};
  }
  const Shape& shape = tool->parameters;
  const bool alone = shape.properties.size() == 1;
  if (is_text(shape.at("code")) && (code || alone)) return RawParameter{"code", true};
  const std::string* only = shape.required.size() == 1 ? &shape.required.front() : nullptr;
  if (alone) only = &shape.properties.front().name;
  if (!only || !is_text(shape.at(*only))) return std::nullopt;
  return RawParameter{*only, code};
}

Is raw_begins(std::string_view body, const Row& row, bool final) {
  const Match byte = next_byte(body, 0, final);
  if (!byte) return byte.is;
  const std::string_view rest = body.substr(byte.length);
  if (rest.front() == '{') return Is::no;
  Is marker = Is::no;
  for (const Words* words : {&row.end, &row.start, &row.outer_end})
    marker = std::max(marker, match_any(rest, *words, final).is);
  if (marker != Is::no) return marker == Is::more ? Is::more : Is::no;
  if (rest.front() != '"') return Is::yes;
  // A key, or a string that holds the object.
  const Is json = std::max(looks_like_member(rest, final), looks_quoted(rest, final));
  return json == Is::no ? Is::yes : json == Is::more ? Is::more : Is::no;
}

RawBody::RawBody(Context& context, const Row& row, RawParameter parameter, Position at)
    : context_(context),
      row_(row),
      parameter_(std::move(parameter)),
      at_(at),
      builder_(context.options.limits),
      receipt_(context.options.limits.edits),
      value_(builder_, receipt_, context.options.limits, Lines::exact) {
  marks_.add('<');
  for (std::string_view word : row.start) marks_.add(word.front());
  builder_.open_object();
  builder_.key(parameter_.key);
  value_.begin(kString, at.offset);
}

// The format's end, or the next call. In a text without an end marker, tokens that end the turn are none of it.
Is RawBody::ends(std::string_view rest, bool final) const {
  if (by_lines(row_)) return rest.front() == '>' ? peek(rest, row_, context_, true, final).is : ends_turn(rest, final);
  return std::max(match_any(rest, row_.end, final).is, match_any(rest, row_.start, final).is);
}

// Tokens with nothing behind them, or a header.
Is RawBody::ends_turn(std::string_view rest, bool final) const {
  std::size_t i = 0;
  while (i < kHoldBare) {
    Match token;
    for (std::string_view word : last_tokens())
      if (const Match m = match_literal(rest.substr(i), word, final); m.is > token.is) token = m;
    if (token.is == Is::more) return Is::more;
    if (token.is == Is::no) {
      const bool header = i > 0 && rest[i] == '>';
      return header ? peek(rest.substr(i), row_, context_, true, final).is : Is::no;
    }
    i = past_space(rest, i + token.length);
    if (i >= rest.size()) return final ? Is::yes : Is::more;
  }
  return Is::no;
}

void RawBody::give(std::string_view bytes) {
  if (bytes.empty()) return;
  if (first_ == 0)
    if (const std::size_t i = past_space(bytes, 0); i < bytes.size()) first_ = bytes[i];
  value_.append(bytes);
  context_.output.delta(bytes);
  taken_ += bytes.size();
}

std::size_t RawBody::read(std::string_view window, bool final, bool& over) {
  std::size_t i = 0, from = 0;
  // A line break waits for what follows it.
  const auto text_to = [&](std::size_t to) {
    std::string_view bytes = window.substr(from, to - from);
    from = to;
    if (bytes.empty()) return;
    if (break_ == "\r" && bytes.front() == '\n') {
      break_ = "\r\n";
      bytes.remove_prefix(1);
    }
    if (bytes.empty()) return;
    give(std::exchange(break_, {}));
    const std::size_t keep = bytes.ends_with("\r\n") ? 2 : bytes.ends_with('\n') || bytes.ends_with('\r') ? 1 : 0;
    break_ = bytes.substr(bytes.size() - keep);
    give(bytes.substr(0, bytes.size() - keep));
  };
  while (i < window.size()) {
    i = marks_.find(window, i);
    if (i == window.size()) break;
    const Is end = ends(window.substr(i), final);
    if (end != Is::no) {
      text_to(i);
      over = end == Is::yes;
      // Before a line that is a header the break is no part of the text.
      if (over && !by_lines(row_)) give(std::exchange(break_, {}));
      return i;
    }
    ++i;
  }
  text_to(window.size());
  if (final) give(std::exchange(break_, {}));
  return window.size();
}

// A line that begins an object with this parameter: words stand around the arguments, perhaps.
bool RawBody::holds_object(std::string_view text) const {
  for (std::size_t line = 0; line != std::string_view::npos; line = text.find('\n', line + 1)) {
    std::size_t i = past_space(text, line);
    if (i == text.size()) return false;
    if (text[i] != '{') continue;
    i = past_space(text, i + 1);
    if (i < text.size() && text[i] == '"' && text.substr(i + 1).starts_with(parameter_.key + "\"")) return true;
  }
  return false;
}

json::Reading RawBody::finish(bool ended) {
  value_.end();
  builder_.close_all();
  json::Reading reading;
  reading.document = builder_.take();
  reading.verdict = {json::End::complete, json::Grade::strict, 1};
  const auto text = reading.document.root().find(parameter_.key);
  if (taken_ > context_.options.limits.bytes) {
    reading.verdict.end = json::End::broken;
    reading.error = {json::ErrorKind::limit, at_,
                     "the call is longer than " + std::to_string(context_.options.limits.bytes) +
                         " bytes; raise the limit with --limit bytes=N (Limits::bytes)"};
  }
  if (!parameter_.sure) receipt_.guess(EditKind::loose_arguments, at_.offset, 0);
  if (first_ == '`') receipt_.guess(EditKind::fence, at_.offset, 0);
  if (text && text->is_string() && holds_object(text->as_string())) receipt_.guess(EditKind::prose, at_.offset, 0);
  if (!ended && !row_.end.empty()) receipt_.guess(EditKind::missing_marker, at_.offset + taken_, 0);
  add_edits(reading, receipt_);
  return reading;
}

}  // namespace BELAY_NAMESPACE::text
