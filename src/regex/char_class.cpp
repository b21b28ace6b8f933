#include "regex/char_class.h"

#include "regex/escape.h"

namespace BELAY_NAMESPACE::regex {
namespace {

std::expected<Chars, std::string> read_member(Cursor& cursor) {
  if (cursor.peek() == '\\') return read_escape(cursor, Where::char_class);
  return cursor.next();
}

void add(CodeSet& set, const Chars& chars) {
  if (const char32_t* one = std::get_if<char32_t>(&chars))
    set.add(*one);
  else
    set.add(std::get<CodeSet>(chars));
}

}  // namespace

std::expected<CodeSet, std::string> read_class(Cursor& cursor) {
  const std::size_t open = cursor.at();
  cursor.take("[");
  const bool inverse = cursor.take("^");
  CodeSet set;
  while (!cursor.take("]")) {
    if (cursor.done()) return refuse("[", open, "is never closed");
    const std::size_t from = cursor.at();
    const std::expected<Chars, std::string> first = read_member(cursor);
    if (!first) return std::unexpected(first.error());
    // A - at either end of the class is itself.
    if (cursor.peek() != '-' || cursor.sees("-]")) {
      add(set, *first);
      continue;
    }
    cursor.take("-");
    if (cursor.done()) return refuse("[", open, "is never closed");
    const std::expected<Chars, std::string> last = read_member(cursor);
    if (!last) return std::unexpected(last.error());
    const char32_t* low = std::get_if<char32_t>(&*first);
    const char32_t* high = std::get_if<char32_t>(&*last);
    if (!low || !high)
      return refuse(cursor.since(from), from, "is a range from or to more than one character; a - of its own is \\-");
    if (*low > *high) return refuse(cursor.since(from), from, "is a range that ends before it begins");
    set.add(*low, *high);
  }
  if (inverse) set.invert();
  return set;
}

}  // namespace BELAY_NAMESPACE::regex
