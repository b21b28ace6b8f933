// Raw text between a parameter's tags: what of it is text, and which tag ends it.
#include "text/scan.h"
#include "text/tag_calls.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace BELAY_NAMESPACE::text {

using json::EditKind;

namespace {

// What the items of a list are called.
constexpr std::string_view kItem = "item";

}  // namespace

bool TagCall::closes_value(const Tag& tag) const {
  if (!levels_.empty() || style_.key == Where::tag || closes_own_) return same_word(tag.name, key_);
  if (style_.key == Where::pair) return same_word(tag.name, style_.value);
  return named(tag, style_.parameter);
}

void TagCall::end_value() {
  if (given_value_ && value_.blank()) {
    value_.forget();
    value_.append(*given_value_);
  }
  given_value_.reset();
  if (doubtful_edges(edges_, style_, key_, brackets_)) receipt_.guess(EditKind::tag_in_text, value_.begun_at(), 0);
  edges_.clear();
  value_.end();
  closes_own_ = false;
  in_ = levels_.empty() ? In::between : In::inside;
}

// Whether what follows a closing tag is what would follow the end of a value. With `call_end`: of a call.
TagCall::Follows TagCall::what_follows(std::string_view rest, bool final, bool call_end) const {
  const Match byte = next_byte(rest, 0, final);
  if (byte.is == Is::more) return Follows::unknown;
  // Nothing near: the tag is what it says.
  if (byte.is == Is::no) return Follows::structure;
  std::string_view next = rest.substr(byte.length);
  for (const Words* words : {&row_.outer_end, &row_.end, &row_.start}) {
    Match m = match_any(next, *words, final);
    if (m.is == Is::yes) return Follows::structure;
    if (m.is == Is::more) return Follows::unknown;
  }
  const Is outer = outer_call(next, final);
  if (outer == Is::more) return Follows::unknown;
  if (outer == Is::yes) return Follows::structure;
  Tag tag = read_tag(next, style_, final);
  if (tag.is == Is::more) return Follows::unknown;
  if (tag.is == Is::no) return Follows::text;
  if (call_end) return !tag.closing && is_call(tag) ? Follows::structure : Follows::text;
  if (tag.closing) {
    if (style_.name == Where::tag)
      return nearly_named(tag.name, name_) || same_word(tag.name, name_) || closes_value(tag) ? Follows::structure
                                                                                              : Follows::text;
    if (named(tag, style_.call) || nearly_named(tag.name, *style_.call.begin())) return Follows::structure;
    return closes_value(tag) ? Follows::structure : Follows::text;
  }
  if (style_.key == Where::tag) {
    // Any tag when nothing is known of the tool; otherwise one of its parameters, or what has the form of some.
    if (!shape_.declared || !parameter_named(tag.name, shape_).empty()) return Follows::structure;
    if (style_.name != Where::tag) return Follows::text;
    Is like = like_parameters(next.substr(0, kHold), style_, name_, shape_, final && next.size() < kHold, key_);
    if (like == Is::more && next.size() >= kHold) like = Is::no;
    if (like == Is::no) like = call_begins(next, final);
    return like == Is::more ? Follows::unknown : like == Is::yes ? Follows::structure : Follows::text;
  }
  return named(tag, style_.parameter) || is_call(tag) ? Follows::structure : Follows::text;
}

TagCall::Next TagCall::in_value(std::string_view rest, Position at, bool final, std::size_t& used) {
  std::size_t i = 0;
  auto text = [&](std::size_t n) {
    const std::string_view bytes = rest.substr(i, n);
    line_start_ = bytes.back() == '\n';
    if (quoted_ && past_space(bytes, 0) == n) {
      behind_data_ += bytes;
    } else {
      // Behind CDATA stands nothing but the closing tag, or its end was a part of its text.
      if (quoted_) {
        receipt_.guess(EditKind::tag_in_text, at.offset + i - behind_data_.size(), 0);
        value_.append(std::exchange(behind_data_, {}));
      }
      quoted_ = false;
      value_.append(bytes);
      edges_.add(bytes);
      if (style_.open.front() == ']')
        brackets_ += std::count(bytes.begin(), bytes.end(), ']') - std::count(bytes.begin(), bytes.end(), '[');
    }
    i += n;
  };
  while (i < rest.size()) {
    const void* hit = std::memchr(rest.data() + i, style_.open.front(), rest.size() - i);
    std::size_t next = hit ? static_cast<std::size_t>(static_cast<const char*>(hit) - rest.data()) : rest.size();
    if (next > i) text(next - i);
    if (i == rest.size()) break;
    std::string_view here = rest.substr(i);
    if (value_.blank() && style_.open == "<") {
      Match data = match_literal(here, "<![CDATA[", final);
      if (data.is == Is::more) break;
      if (data.is == Is::yes) {
        value_.forget();
        value_.exactly();
        quoted_ = true;
        in_ = In::character_data;
        used = i + data.length;
        return Next::go;
      }
    }
    Tag tag = read_tag(here, style_, final);
    if (tag.is == Is::more || match_literal(here, style_.mark, final).is == Is::more) break;
    Position p = at;
    p.offset += i;
    Step step = Step::text;
    if (tag.is == Is::yes)
      step =
          tag.closing && closes_value(tag) ? closer_in_value(tag, here, p, final) : tag_in_value(tag, here, p, final);
    if (step == Step::wait) break;
    if (step == Step::over) {
      used = i;
      return Next::go;
    }
    if (step == Step::taken) {
      receipt_.spaces(here.substr(0, tag.length), p.offset);
      used = i + tag.length;
      return Next::go;
    }
    if (step == Step::text && (sure_tags() || style_.key != Where::tag) && like_own(tag, here, style_))
      receipt_.guess(EditKind::tag_in_text, p.offset, 1);
    text(step == Step::content ? tag.length : 1);
  }
  used = i;
  return Next::wait;
}

// The tag that ends values of this kind.
TagCall::Step TagCall::closer_in_value(const Tag& tag, std::string_view rest, Position at, bool final) {
  const bool in_string = value_.in_json_string();
  if (sure_tags() && !in_string) {
    end_value();
    return Step::taken;
  }
  Follows follows = what_follows(rest.substr(tag.length), final, false);
  if (follows == Follows::unknown) return Step::wait;
  // {"a": "x </parameter> y"}: in a string it ends nothing, unless the string lacks its quote and the call goes on.
  if (in_string && follows == Follows::text) return Step::content;
  if (sure_tags()) {
    receipt_.guess(EditKind::tag_in_text, at.offset, tag.length);
    end_value();
    return Step::taken;
  }
  if (nested_ > 0) {
    --nested_;
    // It may just as well be the end of all.
    if (follows == Follows::structure) receipt_.guess(EditKind::tag_in_text, at.offset, tag.length);
    return Step::content;
  }
  if (follows == Follows::text) {
    receipt_.guess(EditKind::tag_in_text, at.offset, tag.length);
    return Step::content;
  }
  if (style_.key == Where::tag && tag.name != key_) receipt_.safe(EditKind::marker_spelling, at.offset, tag.length);
  end_value();
  return Step::taken;
}

// Any other tag.
TagCall::Step TagCall::tag_in_value(const Tag& tag, std::string_view rest, Position at, bool final) {
  if (style_.nested && !tag.closing && value_.blank()) return open_level(tag, at) ? Step::taken : Step::content;
  if (tag.closing) {
    const bool call = style_.name == Where::tag ? same_word(tag.name, name_) : named(tag, style_.call);
    if (!call) return Step::text;
    // The call's own end, where the value's is missing: only if nothing but structure follows that.
    Follows follows = what_follows(rest.substr(tag.length), final, true);
    if (follows == Follows::unknown) return Step::wait;
    if (follows == Follows::text || nested_ > 0) return Step::text;
    receipt_.guess(EditKind::missing_marker, at.offset, 0);
    end_value();
    return Step::over;
  }
  if (style_.key == Where::tag) {
    if (same_word(tag.name, key_)) ++nested_;
    return Step::text;
  }
  if (style_.key == Where::pair || !named(tag, style_.parameter) || tag.empty) return Step::text;
  // <param name="x"> is markup where the format says <parameter=x>.
  if (style_.key == Where::equals && tag.value.empty() && !same_word(tag.name, *style_.parameter.begin()))
    return Step::text;
  // The next parameter, at the start of a line and still missing: this one was not closed.
  std::optional<std::string> key = key_of(tag);
  const bool fresh = key && !given_.contains(*key);
  if (line_start_ && nested_ == 0 && fresh && (!shape_.declared || shape_.has(*key))) {
    receipt_.guess(EditKind::missing_marker, at.offset, 0);
    end_value();
    return Step::over;
  }
  ++nested_;
  return Step::text;
}

// A parameter that holds tags: an object, or a list.
bool TagCall::open_level(const Tag& tag, Position at) {
  const Shape& shape = *value_shape_;
  bool list = (shape.types & (kArray | kObject)) == kArray;
  // Where both may stand, the tag of items says which; one alone may be a member of that name.
  bool either = (shape.types & (kArray | kObject)) == (kArray | kObject);
  if (either) list = tag.name == kItem && !shape.has(tag.name);
  either = either && list && shape.properties.empty();
  if (list ? !builder_.open_array() : !builder_.open_object()) {
    if (!error_)
      error_ = {json::ErrorKind::limit, at,
                "the call is nested deeper than " + std::to_string(c_.options.limits.depth) +
                    " levels; raise the limit with --limit depth=N (Limits::depth)"};
    return false;
  }
  value_.forget();
  // <x><x>: a member of the same name, or the tag twice.
  if (same_word(tag.name, key_)) receipt_.guess(EditKind::surplus_marker, at.offset, tag.length);
  levels_.push_back({key_, list, either, 0, at.offset, &shape});
  begin_child(tag, at);
  return true;
}

void TagCall::begin_child(const Tag& tag, Position at) {
  Level& level = levels_.back();
  ++level.children;
  if (level.list && tag.name != kItem) receipt_.guess(EditKind::marker_spelling, at.offset, tag.length);
  static const Shape kUnknown;
  if (!level.list && !builder_.key(tag.name)) receipt_.guess(EditKind::duplicate_key, at.offset, 0);
  value_shape_ = level.list ? (level.shape->items ? level.shape->items.get() : &kUnknown) : &level.shape->at(tag.name);
  key_ = tag.name;
  edges_.clear();
  brackets_ = 0;
  value_.begin(value_shape_->types, at.offset + tag.length, bare_values());
  in_ = In::value;
}

// Between the tags inside of a parameter.
TagCall::Next TagCall::inside(std::string_view rest, Position at, bool final, std::size_t& used) {
  if (const std::size_t space = past_any_space(rest, 0); space > 0) {
    receipt_.spaces(rest.substr(0, space), at.offset);
    used = space;
    return Next::go;
  }
  if (rest.empty() || (half_space(rest) && !final)) return Next::wait;
  Tag tag = read_tag(rest, style_, final);
  if (tag.is == Is::more) return Next::wait;
  if (tag.is == Is::no) {
    used = std::min(rest.find(style_.open.front(), 1), rest.size());
    stray(at, rest.substr(0, used));
    return Next::go;
  }
  settle_stray();
  used = tag.length;
  if (!tag.closing) {
    begin_child(tag, at);
  } else if (same_word(tag.name, levels_.back().key)) {
    builder_.close();
    const Level& level = levels_.back();
    if (level.either && level.children == 1) receipt_.guess(EditKind::wrong_opener, level.at, 0);
    levels_.pop_back();
    in_ = levels_.empty() ? In::between : In::inside;
  } else {
    stray(at, rest.substr(0, tag.length));
  }
  return Next::go;
}

// <![CDATA[ ... ]]>: text up to its end, whatever it holds.
TagCall::Next TagCall::in_character_data(std::string_view rest, bool final, std::size_t& used) {
  std::size_t end = rest.find("]]>");
  if (end != std::string_view::npos) {
    value_.append(rest.substr(0, end));
    used = end + 3;
    in_ = In::value;
    return Next::go;
  }
  std::size_t keep = rest.ends_with("]]") ? 2 : rest.ends_with(']') ? 1 : 0;
  if (final) keep = 0;
  value_.append(rest.substr(0, rest.size() - keep));
  used = rest.size() - keep;
  return Next::wait;
}

}  // namespace BELAY_NAMESPACE::text
