// What the tags of a call say, and parts of it that are not a parameter between its tags: attributes, keys in tags of
// their own, JSON.
#include "text/scan.h"
#include "text/tag_calls.h"

#include <algorithm>
#include <iterator>

namespace BELAY_NAMESPACE::text {

using json::EditKind;

std::uint8_t type_named(std::string_view name) {
  if (same_word(name, "string") || same_word(name, "str")) return kString;
  if (same_word(name, "integer") || same_word(name, "int")) return kInteger;
  if (same_word(name, "number") || same_word(name, "float")) return kInteger | kNumber;
  if (same_word(name, "boolean") || same_word(name, "bool")) return kBoolean;
  if (same_word(name, "array") || same_word(name, "list")) return kArray;
  if (same_word(name, "object") || same_word(name, "dict")) return kObject;
  if (same_word(name, "null")) return kNull;
  return kNoType;
}

// The name that the tag of a call says.
std::string_view TagCall::called(const Tag& tag) const {
  if (style_.name == Where::tag) {
    const Tool* tool = c_.tool(tag.name, true);
    return tool ? std::string_view(tool->name) : tag.name;
  }
  if (!tag.value.empty()) return c_.plain_name(tag.value);
  for (std::string_view key : {style_.name_attribute, std::string_view("name"), std::string_view("tool")})
    if (tag.has_attribute(key)) return c_.plain_name(tag.attribute(key));
  return {};
}

std::optional<std::string> TagCall::key_of(const Tag& tag) const {
  if (style_.key == Where::tag) {
    std::string_view known = parameter_named(tag.name, shape_);
    return std::string(known.empty() ? tag.name : known);
  }
  if (!named(tag, style_.parameter)) {
    // A tag that is called like a parameter which is still missing.
    if (shape_.has(tag.name) && !given_.contains(tag.name)) return std::string(tag.name);
    return std::nullopt;
  }
  if (style_.key == Where::pair) return std::string();
  if (!tag.value.empty()) return std::string(tag.value);
  if (tag.has_attribute(style_.key_attribute)) return std::string(tag.attribute(style_.key_attribute));
  for (std::string_view other : {"name", "key"})
    if (tag.has_attribute(other)) return std::string(tag.attribute(other));
  return std::nullopt;
}

std::uint8_t TagCall::types_of(const Tag& tag, std::string_view key) const {
  if (tag.has_attribute("string")) {
    if (same_word(tag.attribute("string"), "true")) return kString;
    if (same_word(tag.attribute("string"), "false"))
      return shape_.at(key).declared ? shape_.at(key).types : kAnyType & ~kString;
  }
  if (tag.has_attribute("type"))
    if (std::uint8_t t = type_named(tag.attribute("type")); t != kNoType) return t;
  return shape_.at(key).types;
}

// A value in the tag itself stands for the parameter if nothing stands between its tags; other attributes mean nothing
// that is known. Either way it is a guess.
void TagCall::take_attributes(const Tag& tag, std::string_view key_name, Position at) {
  given_value_.reset();
  if (tag.assigned) given_value_ = std::string(*tag.assigned);
  // <arg_value=1>: only a tag that says a key has something behind its name.
  const bool behind = !tag.value.empty() && (style_.key == Where::tag || style_.key == Where::pair);
  const bool says_key = style_.key != Where::pair || same_word(tag.name, style_.value);
  bool odd = tag.odd() || behind || (says_key && key_name.empty()) || (torn_name(key_name) && !shape_.has(key_name));
  if (tag.has_attribute("string")) {
    if (same_word(tag.attribute("string"), "false")) value_.declare(kAnyType);
  } else if (const std::uint8_t type = type_named(tag.attribute("type")); type != kNoType && type != kString) {
    value_.declare(type);
  }
  // Whether it is a text the tag has to say, where nothing else is known.
  if (style_.typed) {
    const bool text = tag.has_attribute("string"), type = tag.has_attribute("type");
    if (text) odd |= !same_word(tag.attribute("string"), "true") && !same_word(tag.attribute("string"), "false");
    if (type) odd |= type_named(tag.attribute("type")) == kNoType;
    if (!text && !type) odd |= !shape_.at(key_name).declared;
  }
  tag.each_attribute([&](std::string_view key, std::string_view value) {
    constexpr std::string_view kHarmless[] = {"name", "key",  "type",     "string",   "id",       "index",
                                              "tool", "lang", "language", "encoding", "xml:lang", "xml:space"};
    if (same_word(key, "value") && !given_value_)
      given_value_ = std::string(value);
    else
      odd |= std::none_of(std::begin(kHarmless), std::end(kHarmless),
                          [&](std::string_view word) { return same_word(word, key); });
  });
  if (given_value_ || odd) receipt_.guess(EditKind::marker_spelling, at.offset, tag.length);
}

void TagCall::give(const std::vector<Attribute>& attributes) {
  for (const Attribute& attribute : attributes) {
    const std::string_view known = parameter_named(attribute.key, shape_);
    if (known.empty() && shape_.declared) {
      receipt_.guess(EditKind::stray_bytes, attribute.offset, attribute.length);
      continue;
    }
    receipt_.guess(EditKind::loose_arguments, attribute.offset, attribute.length);
    const std::string key = known.empty() ? attribute.key : std::string(known);
    begin_value(key, shape_.at(key).types, {attribute.offset, 1, 1});
    value_.append(attribute.value);
    end_value();
  }
}

// Of a key that is too long nothing is kept, so that what is left of it does not depend on the cut.
void TagCall::add_to_key(std::string_view bytes) {
  const std::uint64_t limit = c_.options.limits.name_bytes;
  if (!key_too_long_) key_ += bytes;
  if (key_.size() <= limit) return;
  fail_limit(key_at_, "name of a parameter", "name_bytes", limit);
  key_.clear();
  key_too_long_ = true;
}

// <arg_key>k</arg_key><arg_value>
TagCall::Next TagCall::in_key(std::string_view rest, Position at, bool final, std::size_t& used) {
  if (in_ == In::key) {
    std::size_t end = std::min(rest.find(style_.close.front()), rest.size());
    add_to_key(rest.substr(0, end));
    used = end;
    if (end == rest.size()) return Next::wait;
    Tag tag = read_tag(rest.substr(end), style_, final);
    if (tag.is == Is::more) return Next::wait;
    if (tag.is == Is::no || (!tag.closing && !same_word(tag.name, style_.value))) {
      add_to_key(rest.substr(end, 1));
      used = end + 1;
      return Next::go;
    }
    if (tag.closing) used = end + tag.length;
    if (!tag.closing) receipt_.safe(EditKind::missing_marker, at.offset + end, 0);
    in_ = In::before_value;
    return Next::go;
  }
  const std::size_t space = past_any_space(rest, 0);
  if (space > 0) {
    receipt_.spaces(rest.substr(0, space), at.offset);
    used = space;
    return Next::go;
  }
  if (rest.empty() || (half_space(rest) && !final)) return Next::wait;
  Tag tag = read_tag(rest, style_, final);
  if (tag.is == Is::more) return Next::wait;
  const std::string_view key = key_, plain = without_spaces(key);
  const std::size_t before = static_cast<std::size_t>(plain.data() - key.data());
  receipt_.spaces(key.substr(0, before), key_at_.offset);
  receipt_.spaces(key.substr(before + plain.size()), key_at_.offset + before + plain.size());
  std::string name(plain);
  if (tag.is == Is::yes && !tag.closing && same_word(tag.name, style_.value)) {
    used = tag.length;
    Position behind = at;
    behind.offset += used;
    begin_value(name, types_of(tag, name), behind);
    take_attributes(tag, name, at);
    return Next::go;
  }
  if (tag.is == Is::yes && tag.closing && named(tag, style_.parameter)) {
    receipt_.guess(EditKind::surplus_marker, at.offset, tag.length);
    used = tag.length;
    return Next::go;
  }
  // A key without a value.
  receipt_.guess(EditKind::missing_value, at.offset, 0);
  in_ = In::between;
  return Next::go;
}

// The arguments as a JSON object in the call's tag.
TagCall::Next TagCall::in_body(std::string_view rest, Position at, bool final, std::size_t& used) {
  if (!body_closed_) {
    ObjectPart::Then then;
    used = body_->read(rest, final, then);
    if (then == ObjectPart::Then::more) return Next::wait;
    body_closed_ = true;
    return Next::go;
  }
  // Behind it: its closing tag, or anything else, which ends it as well.
  if (const std::size_t space = past_any_space(rest, 0); space > 0) {
    receipt_.spaces(rest.substr(0, space), at.offset);
    body_touches_ = false;
    used = space;
    return Next::go;
  }
  if ((rest.empty() || half_space(rest)) && !final) return Next::wait;
  const Position here = at;
  const std::string_view behind = rest;
  if (behind.starts_with('}')) {
    receipt_.safe(EditKind::surplus_closer, here.offset, 1);
    ++used;
    return Next::go;
  }
  Tag tag = read_tag(behind, style_, final);
  if (tag.is == Is::more) return Next::wait;
  if (tag.is == Is::yes && tag.closing && (named(tag, style_.call) || nearly_named(tag.name, *style_.call.begin()))) {
    if (!named(tag, style_.call)) receipt_.safe(EditKind::marker_spelling, here.offset, tag.length);
    used += tag.length;
  } else {
    if (tag.is == Is::yes && !tag.closing && (named(tag, style_.parameter) || shape_.has(tag.name)))
      receipt_.guess(EditKind::prose, here.offset, 0);
    const Is more = behind.empty()  ? Is::no
                    : body_touches_ ? looks_like_more(behind, final)
                                    : looks_like_member(behind, final);
    if (more == Is::more) return Next::wait;
    if (more == Is::yes) receipt_.guess(EditKind::prose, here.offset, 0);
    receipt_.safe(EditKind::missing_marker, here.offset, 0);
  }
  end_call(true, false);
  return Next::go;
}

}  // namespace BELAY_NAMESPACE::text
