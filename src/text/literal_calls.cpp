// Calls in a language's notation: [f(x=1), g(y='a')] and call:f{x:1}.
#include "text/members.h"
#include "text/object_part.h"
#include "text/payload.h"
#include "text/peek.h"
#include "text/scan.h"
#include "text/tag_doubt.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace BELAY_NAMESPACE::text {
namespace {

using json::EditKind;

class LiteralCalls final : public Payload {
 public:
  LiteralCalls(Context& context, const Row& row, Receipt receipt)
      : c_(context),
        row_(row),
        builder_(context.options.limits),
        receipt_(context.options.limits.edits),
        after_(std::move(receipt)) {}

  std::size_t read(std::string_view window, Position at, bool final) override;
  [[nodiscard]] json::MaybePartial partial() const override {
    return members_ ? builder_.value() : json::MaybePartial();
  }
  [[nodiscard]] bool guessed() const override { return std::max(receipt_.grade, after_.grade) == json::Grade::guess; }

 private:
  enum class Next : std::uint8_t { go, wait, over };
  Next between(std::string_view rest, Position at, bool final, std::size_t& used);
  Next in_members(std::string_view rest, Position at, bool final, std::size_t& used);
  void begin(std::string_view name, std::uint64_t offset);
  void end(bool closed, bool cut, Position at = {});
  void give_pending();
  [[nodiscard]] Is begins_call(std::string_view rest, bool final) const;
  [[nodiscard]] bool script() const { return row_.grammar == Grammar::script; }

  Context& c_;
  const Row& row_;
  Shape none_;
  json::Builder builder_;
  Receipt receipt_;
  std::optional<Members> members_;
  std::optional<Found> pending_;
  Receipt after_;
  std::string name_;
  std::uint64_t lists_ = 0;
  std::uint64_t bytes_ = 0;
  bool comma_ = false;          // one stood behind the last call
  std::uint64_t ended_at_ = 0;  // where that ended
};

void LiteralCalls::begin(std::string_view name, std::uint64_t offset) {
  give_pending();
  name = c_.plain_name(name);
  if (!row_.method.empty() && name.ends_with(row_.method) && !c_.tool(name)) name.remove_suffix(row_.method.size());
  name_ = name;
  // The namespace is the format's own.
  if (c_.options.tools.empty() && name_.starts_with("functions.")) name_.erase(0, 10);
  const Tool* tool = c_.tool(name_);
  c_.output.begin();
  c_.output.name("", name_);
  builder_.clear();
  receipt_ = Receipt(c_.options.limits.edits);
  if (!tool && torn_name(name_)) receipt_.guess(EditKind::marker_spelling, offset, name.size());
  members_.emplace(Notation{script() ? Notation::Language::script : Notation::Language::python, row_.quote},
                   tool ? tool->parameters : none_, builder_, receipt_, c_.options.limits);
  bytes_ = 0;
  comma_ = false;
}

void LiteralCalls::end(bool closed, bool cut, Position at) {
  Found found;
  found.name = name_;
  found.closed = closed;
  builder_.close_all();
  found.reading.verdict = {cut ? json::End::cut : json::End::complete, json::Grade::strict, 1};
  if (members_->error()) {
    found.reading.error = members_->error();
    found.reading.verdict.end = json::End::broken;
  } else if (cut) {
    found.reading.error = cut_error(at);
  }
  members_.reset();
  found.reading.document = builder_.take();
  add_edits(found.reading, receipt_);
  pending_ = std::move(found);
  if (cut) give_pending();
}

void LiteralCalls::give_pending() {
  if (!pending_) return;
  add_edits(pending_->reading, after_);
  after_ = Receipt(c_.options.limits.edits);
  c_.output.end(std::move(*pending_));
  pending_.reset();
}

std::size_t LiteralCalls::read(std::string_view window, Position at, bool final) {
  std::size_t i = 0;
  while (!done_) {
    std::string_view rest = window.substr(i);
    std::size_t used = 0;
    const bool inside = members_.has_value();
    Next next = inside ? in_members(rest, at, final, used) : between(rest, at, final, used);
    advance(at, rest.substr(0, used));
    i += used;
    if (next == Next::go) continue;
    if (next == Next::wait && !final) return i;
    if (members_) {
      advance(at, window.substr(i));
      end(false, true, at);
      i = window.size();
    }
    give_pending();
    done_ = true;
  }
  return i;
}

LiteralCalls::Next LiteralCalls::in_members(std::string_view rest, Position at, bool final, std::size_t& used) {
  // An end marker outside of strings means that brackets are missing.
  std::size_t stop = rest.size();
  Is marker = Is::no;
  Match last;
  std::size_t from = 0;
  while (from < rest.size() && !row_.end.empty()) {
    std::size_t hit = rest.find(row_.end.begin()->front(), from);
    if (hit == std::string_view::npos) break;
    last = match_any(rest.substr(hit), row_.end, final);
    if (last.is != Is::no) {
      stop = hit;
      marker = last.is;
      break;
    }
    from = hit + 1;
  }
  used = members_->read(rest.substr(0, stop), at.offset, final && stop == rest.size());
  c_.output.delta(rest.substr(0, used));
  bytes_ += used;
  if (members_->done()) {
    ended_at_ = at.offset + used;
    end(true, false);
    return Next::go;
  }
  if (marker == Is::yes) {
    // A quote right before it opens a string, if none is open: whether it is the first of three is not known yet.
    const bool opens =
        !members_->in_string() && rest.substr(used, stop - used).find_first_of("'\"") != std::string_view::npos;
    const bool outside = members_->outside_string() && !opens;
    // In a string it is text, all of it: no part of it ends a string.
    std::string_view left = rest.substr(used, stop - used + (outside ? 0 : last.length));
    const std::size_t taken = members_->read(left, at.offset + used, outside);
    c_.output.delta(left.substr(0, taken));
    used += taken;
    if (members_->done()) {
      ended_at_ = at.offset + used;
      end(true, false);
      return Next::go;
    }
    if (!outside) return taken > 0 ? Next::go : Next::wait;
    used = stop;
    members_->close_all(at.offset + stop);
    end(true, false);
    return Next::go;
  }
  return Next::wait;
}

// In this row's notation, or in another that its format has behind the same marker.
Is LiteralCalls::begins_call(std::string_view rest, bool final) const {
  Is is = Is::no;
  for (const Row& row : rows())
    if (row.format == row_.format && !row.start.empty() && (&row == &row_ || !row.tags))
      is = std::max(is, peek(rest, row, c_, false, final).is);
  return is;
}

LiteralCalls::Next LiteralCalls::between(std::string_view rest, Position at, bool final, std::size_t& used) {
  const std::size_t space = past_any_space(rest, 0);
  // Where nothing but the calls themselves says that they are over, white space may be text.
  if (space > 0 && !(row_.end.empty() && lists_ == 0 && pending_)) {
    after_.spaces(rest.substr(0, space), at.offset);
    used = space;
    return Next::go;
  }
  if (half_space(rest) && !final) return Next::wait;
  if (rest.empty()) {
    if (final && pending_ && !row_.end.empty()) after_.safe(EditKind::missing_marker, at.offset, 0);
    // More calls may have been on their way.
    if (final && pending_ && lists_ > 0) after_.guess(EditKind::missing_closer, at.offset, 0);
    return Next::wait;
  }
  Match last = match_any(rest, row_.end, final);
  if (last.is == Is::more) return Next::wait;
  if (last.is == Is::yes) {
    if (!last.exact) after_.safe(EditKind::marker_spelling, at.offset, last.length);
    if (lists_ > 0) after_.guess(EditKind::missing_closer, at.offset, 0);
    used = last.length;
    again_.assign(row_.end.begin(), row_.end.end());
    return Next::over;
  }
  switch (rest.front()) {
    case '[':
      ++lists_;
      used = 1;
      return Next::go;
    case ']':
      if (lists_ == 0) after_.safe(EditKind::surplus_closer, at.offset, 1);
      lists_ -= lists_ > 0 ? 1 : 0;
      used = 1;
      if (lists_ > 0 || !row_.end.empty()) return Next::go;
      // One bracket too many belongs to the calls, not to the text behind them.
      again_ = {"]"};
      return Next::over;
    case ',': comma_ = true; [[fallthrough]];
    case ';': used = 1; return Next::go;
    case ')':
    case '}':
      if (!pending_) break;
      after_.safe(EditKind::surplus_closer, at.offset, 1);
      used = 1;
      return Next::go;
    default: break;
  }
  if (rest.front() == '<' && pending_ && !row_.end.empty()) {
    // The end marker as the model spelled it, or the opening one in its place, if that does not begin the next call.
    Match wrong = match_any(rest, row_.start, final, true);
    if (wrong.is == Is::no) {
      wrong = match_closer(rest, final);
    } else if (wrong.is == Is::yes) {
      const Is another = begins_call(rest, final);
      if (another != Is::no) wrong.is = another == Is::more ? Is::more : Is::no;
    }
    if (wrong.is == Is::more) return Next::wait;
    if (wrong.is == Is::yes) {
      after_.safe(EditKind::marker_spelling, at.offset, wrong.length);
      used = wrong.length;
      return Next::over;
    }
  }
  std::size_t i = 0;
  if (script()) {
    Match call = match_literal(rest, "call:", final);
    if (call.is == Is::more) return Next::wait;
    if (call.is == Is::yes) i = call.length;
  }
  std::size_t from = i;
  while (i < rest.size() && is_name_byte(rest[i]) && i - from < 256) ++i;
  const Match behind = next_byte(rest, i, final);
  if (behind.is == Is::more) return Next::wait;
  // settings:{x:1} is a member, not a call.
  const bool member = i > from && (script() ? rest.substr(from, i - from).find(':') != std::string_view::npos
                                            : behind && rest[behind.length] == '=');
  if (i > from && !member && behind && rest[behind.length] == (script() ? '{' : '(')) {
    begin(rest.substr(from, i - from), at.offset + from);
    receipt_.spaces(rest.substr(i, behind.length - i), at.offset + i);
    used = behind.length + 1;
    return Next::go;
  }
  if (lists_ > 0 && pending_) after_.guess(EditKind::missing_closer, at.offset, 0);
  // {x:1},y:2}: a bracket may have come too early.
  const bool touches = at.offset == ended_at_ && looks_like_more(rest, true) == Is::yes;
  if (pending_ && (comma_ || touches || member)) after_.guess(EditKind::prose, at.offset, 0);
  if (!row_.end.empty()) {
    after_.safe(EditKind::missing_marker, at.offset, 0);
    owed_ = row_.end;
  }
  return Next::over;
}

}  // namespace

std::unique_ptr<Payload> literal_calls(Context& context, const Row& row, Receipt receipt) {
  return std::make_unique<LiteralCalls>(context, row, std::move(receipt));
}

}  // namespace BELAY_NAMESPACE::text
