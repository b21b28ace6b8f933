#include "text/tag_calls.h"

#include "base/utf8.h"
#include "text/peek_parts.h"
#include "text/scan.h"

#include <algorithm>
#include <utility>

namespace BELAY_NAMESPACE::text {

using json::EditKind;
using json::Grade;

namespace {

const Shape& shape_for(const Context& context, std::string_view name, const Shape& none) {
  const Tool* tool = context.tool(name);
  return tool ? tool->parameters : none;
}

}  // namespace

TagCall::TagCall(Context& context, const Row& row, std::string id, std::string name, Receipt receipt)
    : c_(context),
      row_(row),
      style_(*row.tags),
      id_(std::move(id)),
      name_(std::move(name)),
      shape_(shape_for(context, name_, none_)),
      builder_(context.options.limits),
      receipt_(std::move(receipt)),
      value_(builder_, receipt_, context.options.limits, row.tags->lines) {
  c_.output.begin();
  c_.output.name(id_, name_);
  builder_.open_object();
}

bool TagCall::is_call(const Tag& tag) const {
  if (style_.name == Where::tag) return c_.tool(tag.name, true) != nullptr || same_word(tag.name, name_);
  return named(tag, style_.call);
}

// A call begins here, as it would in text.
Is TagCall::call_begins(std::string_view text, bool final) const {
  const bool full = text.size() >= kHold;
  const Is is = peek_tags(text.substr(0, kHold), row_, c_, false, final && !full).is;
  return is == Is::more && full ? Is::no : is;
}

// The same, with what stands around calls.
Is TagCall::outer_call(std::string_view text, bool final) const {
  const Match outer = match_any(text, row_.outer, final);
  return outer ? call_begins(text, final) : outer.is;
}

void TagCall::fail_limit(Position at, std::string_view what, std::string_view limit, std::uint64_t bytes) {
  if (error_) return;
  error_ = {json::ErrorKind::limit, at,
            "the " + std::string(what) + " is longer than " + std::to_string(bytes) +
                " bytes; raise the limit with --limit " + std::string(limit) + "=N (Limits::" + std::string(limit) +
                ")"};
}

// White space behind it does not count: whether it comes in the same piece is chance.
void TagCall::stray(Position at, std::string_view bytes) {
  while (!bytes.empty() && is_space(bytes.back())) bytes.remove_suffix(1);
  if (bytes.empty()) return;
  if (stray_length_ == 0) stray_at_ = at.offset;
  stray_length_ = at.offset + bytes.size() - stray_at_;
}

void TagCall::settle_stray() {
  if (stray_length_ > 0) receipt_.guess(EditKind::stray_bytes, stray_at_, stray_length_);
  stray_length_ = 0;
}

void TagCall::begin_value(std::string_view key, std::uint8_t types, Position at) {
  std::string name(key);
  if (!builder_.key(utf8::replaced(name))) receipt_.guess(EditKind::duplicate_key, at.offset, 0);
  given_.insert(name);
  key_ = std::move(name);
  value_shape_ = &shape_.at(key_);
  value_.begin(types, at.offset, bare_values());
  given_value_.reset();
  nested_ = 0;
  line_start_ = true;
  quoted_ = false;
  behind_data_.clear();
  edges_.clear();
  brackets_ = 0;
  in_ = In::value;
}

void TagCall::end_call(bool closed, bool cut, Position at) {
  settle_stray();
  Found found;
  found.id = id_;
  found.name = name_;
  found.closed = closed;
  if (body_) {
    found.reading = body_->finish(cut);
  } else {
    builder_.close_all();
    found.reading.document = builder_.take();
    found.reading.verdict = {cut ? json::End::cut : json::End::complete, Grade::strict, 1};
    if (cut) found.reading.error = cut_error(at);
  }
  if (error_) {
    found.reading.verdict.end = json::End::broken;
    found.reading.error = error_;
  }
  add_edits(found.reading, receipt_);
  owed_ = row_.outer_end;
  if (closed && !cut)
    again_.push_back(std::string(style_.close) +
                     (style_.name == Where::tag ? name_ : std::string(*style_.call.begin())) + std::string(style_.end));
  if (!body_ && !cut) {
    doubt_.closing = std::string(style_.close) +
                     (style_.name == Where::tag ? name_ : std::string(*style_.call.begin())) + std::string(style_.end);
    doubt_.style = &style_;
    const Tool* tool = c_.tool(name_);
    doubt_.shape = tool ? &tool->parameters : nullptr;
  }
  c_.output.end(std::move(found));
  done_ = true;
}

std::size_t TagCall::read(std::string_view window, Position at, bool final) {
  std::size_t i = 0;
  while (!done_) {
    std::string_view rest = window.substr(i);
    std::size_t used = 0;
    Next next = Next::wait;
    switch (in_) {
      case In::between: next = between(rest, at, final, used); break;
      case In::key:
      case In::before_value: next = in_key(rest, at, final, used); break;
      case In::value: next = in_value(rest, at, final, used); break;
      case In::character_data: next = in_character_data(rest, final, used); break;
      case In::inside: next = inside(rest, at, final, used); break;
      case In::body: next = in_body(rest, at, final, used); break;
    }
    delta(rest.substr(0, in_ == In::body ? 0 : used));
    if (const std::uint64_t room = c_.options.limits.bytes - bytes_; bytes_ <= c_.options.limits.bytes && used > room) {
      Position full = at;  // the byte at which it is too long, however it was cut
      advance(full, rest.substr(0, static_cast<std::size_t>(room)));
      fail_limit(full, "call", "bytes", c_.options.limits.bytes);
    }
    advance(at, rest.substr(0, used));
    i += used;
    bytes_ += used;
    if (next == Next::go) continue;
    if (!final) break;
    if (!done_) {
      if (in_ == In::value || in_ == In::character_data) {
        value_.append(window.substr(i));
        delta(window.substr(i));
        if (!value_.cut() && (levels_.empty() || !levels_.back().list)) builder_.forget_key();
      }
      advance(at, window.substr(i));
      i = window.size();
      end_call(false, true, at);
    }
  }
  return i;
}

// Something else follows where the call's end should be. One that has not even a parameter may be none; and a tag that
// is named like a tool may stand in a text.
void TagCall::not_closed(Position at) {
  const bool sure = !given_.empty() && style_.name != Where::tag;
  receipt_.add(EditKind::missing_marker, sure ? Grade::safe : Grade::guess, at.offset, 0);
  end_call(true, false);
}

// Between two parameters.
TagCall::Next TagCall::between(std::string_view rest, Position at, bool final, std::size_t& used) {
  const std::size_t space = past_any_space(rest, 0);
  if (space > 0) {
    receipt_.spaces(rest.substr(0, space), at.offset);
    used = space;
    return Next::go;
  }
  if (rest.empty() || (half_space(rest) && !final)) return Next::wait;
  const bool body = given_.empty() && stray_length_ == 0 && !sure_tags();
  const Is quoted = body && style_.name == Where::equals ? looks_quoted(rest, final) : Is::no;
  if (quoted == Is::more) return Next::wait;
  if (body && (rest.front() == '{' || quoted == Is::yes)) {
    body_.emplace(c_, row_);
    body_->begin(at, quoted == Is::yes ? ObjectPart::Opens::quoted : ObjectPart::Opens::brace);
    in_ = In::body;
    return Next::go;
  }
  // What may stand behind the name looks like a tag, too.
  if (!style_.after_name.empty() && given_.empty()) {
    Match sep = match_literal(rest, style_.after_name, final);
    if (sep.is == Is::more) return Next::wait;
    if (sep.is == Is::yes) {
      used = sep.length;
      return Next::go;
    }
  }
  const Is outer = outer_call(rest, final);
  if (outer == Is::more) return Next::wait;
  if (outer == Is::yes) {
    not_closed(at);
    return Next::go;
  }
  Tag tag = read_tag(rest, style_, final);
  if (tag.is == Is::more) return Next::wait;
  if (tag.is == Is::yes) {
    receipt_.spaces(rest.substr(0, tag.length), at.offset);
    if (!tag.closing) return opening(tag, rest, at, used);
    return closing(tag, rest, at, used);
  }
  for (const Words* words : {&row_.end, &row_.outer_end, &row_.start}) {
    Match m = match_any(rest, *words, final);
    if (m.is == Is::more) return Next::wait;
    if (m.is == Is::yes) {
      not_closed(at);
      return Next::go;
    }
  }
  // {"x": 1} where tags are expected: a body after all.
  if (rest.front() == '{' && given_.empty() && stray_length_ == 0) {
    body_.emplace(c_, row_);
    body_->begin(at);
    in_ = In::body;
    return Next::go;
  }
  std::size_t end = rest.find(style_.open.front(), 1);
  used = std::min(end, rest.size());
  stray(at, rest.substr(0, used));
  return Next::go;
}

TagCall::Next TagCall::closing(const Tag& tag, std::string_view rest, Position at, std::size_t& used) {
  used = tag.length;
  if (style_.name == Where::tag ? same_word(tag.name, name_) : named(tag, style_.call)) {
    if (style_.name == Where::tag && tag.name != name_) receipt_.safe(EditKind::marker_spelling, at.offset, tag.length);
    end_call(true, false);
    return Next::go;
  }
  const bool parameter = style_.key == Where::tag ? given_.contains(tag.name)
                                                  : named(tag, style_.parameter) || same_word(tag.name, style_.value);
  if (parameter) {
    receipt_.guess(EditKind::surplus_marker, at.offset, tag.length);
    return Next::go;
  }
  // The end of what stands around the call.
  for (const Words* words : {&row_.outer_end, &row_.end})
    if (match_any(rest, *words, true)) {
      used = 0;
      not_closed(at);
      return Next::go;
    }
  std::string_view wanted = style_.name == Where::tag ? std::string_view(name_) : *style_.call.begin();
  if (nearly_named(tag.name, wanted)) {
    // Which of the two is the tool's name only a tool can say.
    const bool sure = style_.name != Where::tag || c_.tool(name_);
    receipt_.add(EditKind::marker_spelling, sure ? Grade::safe : Grade::guess, at.offset, tag.length);
    end_call(true, false);
    return Next::go;
  }
  stray(at, rest.substr(0, tag.length));
  return Next::go;
}

TagCall::Next TagCall::opening(const Tag& tag, std::string_view rest, Position at, std::size_t& used) {
  settle_stray();
  const bool another = style_.name == Where::text ? named(tag, style_.call) : is_call(tag) && !shape_.has(tag.name);
  if (another) {
    const bool empty = given_.empty() && !body_;
    if (empty && style_.name != Where::text && called(tag) == name_) {
      // <function=f><function=f>: the tag twice, or a call without parameters before this one.
      receipt_.guess(EditKind::surplus_marker, at.offset, tag.length);
      used = tag.length;
      return Next::go;
    }
    not_closed(at);
    return Next::go;
  }
  std::optional<std::string> key = key_of(tag);
  used = tag.length;
  if (!key) {
    stray(at, rest.substr(0, tag.length));
    return Next::go;
  }
  Position behind = at;
  behind.offset += tag.length;
  if (style_.key == Where::pair && named(tag, style_.parameter)) {
    key_.clear();
    key_too_long_ = false;
    key_at_ = behind;
    in_ = In::key;
    take_attributes(tag, {}, at);
    return Next::go;
  }
  if (style_.key == Where::tag && *key != tag.name) receipt_.safe(EditKind::marker_spelling, at.offset, tag.length);
  if (style_.key != Where::tag && !named(tag, style_.parameter))
    receipt_.guess(EditKind::marker_spelling, at.offset, tag.length);
  // Of a tool that has no such parameter: text that got lost, or a name that is wrong.
  if (style_.name == Where::tag && unknown(*key)) receipt_.guess(EditKind::marker_spelling, at.offset, tag.length);
  begin_value(*key, types_of(tag, *key), behind);
  take_attributes(tag, *key, at);
  if (style_.key != Where::tag && !named(tag, style_.parameter)) closes_own_ = true;
  if (tag.empty) end_value();
  return Next::go;
}

std::unique_ptr<Payload> tag_calls(Context& context, const Row& row, std::string id, std::string name, Receipt receipt,
                                   const std::vector<Attribute>& attributes, bool ended) {
  auto call = std::make_unique<TagCall>(context, row, std::move(id), std::move(name), std::move(receipt));
  call->give(attributes);
  if (ended) call->end();
  return call;
}

}  // namespace BELAY_NAMESPACE::text
