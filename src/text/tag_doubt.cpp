#include "text/tag_doubt.h"

#include "text/payload.h"
#include "text/scan.h"

#include <algorithm>

namespace BELAY_NAMESPACE::text {

bool doubtful_edges(const Edges& edges, const TagStyle& style, std::string_view key, std::int64_t brackets) {
  // <x>>a: the last byte of the opening tag, or more of it, twice. "> a", ">= 1" and ">>> f()" are how texts begin.
  const std::string_view second = edges.head().substr(std::min<std::size_t>(1, edges.head().size()), 1);
  const bool usual = style.end == ">" && (second == " " || second == "=" || second == ">");
  if (edges.after(style.end) && !usual) return true;
  if (style.key != Where::tag && style.key != Where::pair && !edges.head().empty() &&
      (edges.head()[0] == '"' || edges.head()[0] == '\'') && edges.head().substr(1).starts_with(style.end))
    return true;
  // <x> type="number">1: what the tag says behind its end.
  if (style.typed) {
    const std::string_view head = edges.head().substr(past_space(edges.head(), 0));
    if (head.starts_with("string=\"") || head.starts_with("type=\"")) return true;
  }
  // a<</x>: the first bytes of the closing tag twice. A bracket alone ends lists.
  const bool bracket = style.close.front() == ']';
  if (edges.before(style.close, bracket ? 2 : 1) || edges.before(style.open, bracket ? 2 : 1)) return true;
  if (bracket && brackets > 0 && edges.tail().ends_with(']')) return true;
  // The tag once more, without what makes it one.
  if (style.open.size() > 1 && style.open.ends_with('<') &&
      edges.head().find("<" + std::string(key.substr(0, 32)) + ">") != std::string_view::npos)
    return true;
  if (style.open != "<") return false;
  // CDATA that was not recognised.
  if (edges.head().find("CDATA[") != std::string_view::npos) return true;
  std::string_view tail = edges.tail();
  while (!tail.empty() && is_space(tail.back())) tail.remove_suffix(1);
  return tail.ends_with("]]>");
}

bool like_own(const Tag& tag, std::string_view text, const TagStyle& style) {
  // No value has these brackets by chance.
  if (style.open != "<")
    return text.starts_with(style.open) || text.starts_with(style.close) ||
           (!style.mark.empty() && text.starts_with(style.mark));
  std::string_view name = tag.name;
  while (name.starts_with('/')) name.remove_prefix(1);
  if (name.empty()) return false;
  // #include <functional> is no call: a name that is only nearly right needs the form of the format's tags, too.
  const std::size_t behind = static_cast<std::size_t>(tag.name.data() - text.data()) + tag.name.size();
  const bool form =
      text.size() > 1 && (text[1] == '/' || (behind < text.size() && (text[behind] == '=' || text[behind] == ' ')) ||
                          name.find_first_of("_:") != std::string_view::npos);
  for (std::string_view own : {style.call.items[0], style.parameter.items[0], style.value})
    if (!own.empty() && (same_word(name, own) || (form && nearly_named(name, own)))) return true;
  return false;
}

Match Doubt::parameter(std::string_view text, bool final) const {
  if (!style) return {};
  const Tag tag = read_tag(text, *style, final);
  if (tag.is != Is::yes) return {tag.is};
  const bool one = style->key == Where::tag ? shape && !parameter_named(tag.name, *shape).empty()
                                            : named(tag, style->parameter) || same_word(tag.name, style->value);
  return one && !tag.closing ? Match{Is::yes, tag.length} : Match{};
}

Is parameter_follows(std::string_view text, const Tool* tool, const std::function<bool(std::string_view)>& is_argument,
                     bool final) {
  if (!text.starts_with('<')) return Is::no;
  const Tag tag = read_tag(text, {}, final);
  if (tag.is != Is::yes) return tag.is;
  if (tag.closing) return Is::no;
  for (std::string_view usual : {"parameter", "param", "arg_key"})
    if (same_word(tag.name, usual)) return Is::yes;
  return (tool && tool->parameters.has(tag.name)) || is_argument(tag.name) ? Is::yes : Is::no;
}

bool torn_name(std::string_view name) {
  if (!name.empty() && (name.front() == '/' || name.front() == ':' || name.front() == '.')) return true;
  return std::any_of(name.begin(), name.end(),
                     [](char c) { return !is_name_byte(c) && static_cast<signed char>(c) >= 0; });
}

}  // namespace BELAY_NAMESPACE::text
