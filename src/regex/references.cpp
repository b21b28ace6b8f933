#include "regex/references.h"

#include "base/utf8.h"
#include "regex/escape.h"
#include "regex/unicode.h"

#include <algorithm>
#include <utility>

namespace BELAY_NAMESPACE::regex {

bool References::may_stand_in_name(char32_t c, bool first) {
  if (c < 0x80) {
    const char ascii = static_cast<char>(c);
    return is_letter(ascii) || ascii == '$' || ascii == '_' || (!first && is_digit(ascii));
  }
  if (!first && (c == 0x200C || c == 0x200D)) return true;  // joiner and non-joiner
  std::optional<CodeSet>& set = first ? starts_ : continues_;
  if (!set) set = unicode_property(first ? "ID_Start" : "ID_Continue");
  return set && set->contains(c);
}

std::expected<std::string, std::string> References::read_identifier(Cursor& cursor, std::size_t from) {
  std::string name;
  while (!cursor.done()) {
    if (cursor.take(">")) break;
    const std::size_t at = cursor.at();
    char32_t c = 0;
    if (cursor.take("\\u")) {
      const std::expected<char32_t, std::string> escaped = read_unicode_escape(cursor, at);
      if (!escaped) return std::unexpected(escaped.error());
      c = *escaped;
    } else {
      c = cursor.next();
    }
    if (!may_stand_in_name(c, name.empty()))
      return refuse(cursor.since(at), at, "may not stand there in a group's name");
    utf8::append(c, name);
  }
  if (!cursor.since(from).ends_with('>')) return refuse(cursor.since(from), from, "is a name without its >");
  if (name.empty()) return refuse(cursor.since(from), from, "has no name between < and >");
  return name;
}

References::Step References::read_group_name(Cursor& cursor, std::size_t from) {
  std::expected<std::string, std::string> name = read_identifier(cursor, from);
  if (!name) return std::unexpected(name.error());
  group_names_.insert(std::move(*name));
  return {};
}

void References::read_number(Cursor& cursor, std::size_t from) {
  std::uint64_t number = 0;
  for (; is_digit(cursor.peek()); cursor.next())
    number = std::min<std::uint64_t>(number * 10 + static_cast<std::uint64_t>(cursor.peek() - '0'), 1 << 30);
  if (number <= highest_) return;
  highest_ = number;
  highest_at_ = from;
}

References::Step References::read_name(Cursor& cursor, std::size_t from) {
  if (!cursor.take("<")) return refuse("\\k", from, "needs the name of a group, as in \\k<name>");
  std::expected<std::string, std::string> name = read_identifier(cursor, from);
  if (!name) return std::unexpected(name.error());
  names_.push_back({std::move(*name), from});
  return {};
}

References::Step References::check() const {
  if (highest_ > groups_)
    return refuse("\\" + std::to_string(highest_), highest_at_,
                  "refers to a group that is not there; of groups there are " + std::to_string(groups_));
  for (const Name& name : names_)
    if (!group_names_.contains(name.name))
      return refuse("\\k<" + name.name + ">", name.at, "refers to a group that is not there");
  return {};
}

}  // namespace BELAY_NAMESPACE::regex
