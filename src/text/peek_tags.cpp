// A call in tags begins.
#include "text/object_part.h"
#include "text/peek_parts.h"
#include "text/scan.h"
#include "text/tag_doubt.h"

#include <algorithm>

namespace BELAY_NAMESPACE::text {
namespace {

using json::EditKind;

// Tools that are known without being declared, by the agents that use tags for them.
constexpr std::string_view kTools[] = {
    "read_file",       "write_to_file",      "apply_diff",         "list_files",
    "search_files",    "execute_command",    "insert_content",     "search_and_replace",
    "replace_in_file", "attempt_completion", "update_todo_list",   "ask_followup_question",
    "new_task",        "switch_mode",        "use_mcp_tool",       "access_mcp_resource",
    "browser_action",  "codebase_search",    "fetch_instructions", "list_code_definition_names"};

// Whether a call that has only its tags to show for it stands apart from prose and other markup. `last`: nothing at all
// may follow it.
Is stands_apart(std::string_view text, std::size_t at, const Context& context, bool final, bool last = false) {
  if (context.place == Place::inside || context.markup) return Is::no;
  while (at < text.size() && (text[at] == ' ' || text[at] == '\t' || text[at] == '\r')) ++at;
  if (at < text.size() && text[at] != '\n') return Is::no;
  at = past_gap(text, at);
  if (at == text.size()) return final ? Is::yes : Is::more;
  if (last || text[at] != '<') return last ? Is::no : Is::yes;
  // Another call may follow it.
  const Tag next = read_tag(text.substr(at), {}, final);
  return next.is != Is::yes ? next.is : !next.closing && context.tool(next.name, true) ? Is::yes : Is::no;
}

// Attributes of a call's tag that may be parameters.
void take_attributes(const Tag& tag, const TagStyle& style, std::string_view text, Start& start) {
  tag.each_attribute([&](std::string_view key, std::string_view value) {
    constexpr std::string_view kReserved[] = {"name", "tool", "id", "type", "index"};
    const bool reserved = std::find(std::begin(kReserved), std::end(kReserved), key) != std::end(kReserved);
    if (style.name != Where::tag && (reserved || same_word(key, style.name_attribute))) return;
    start.attributes.push_back(
        {std::string(key), std::string(value), static_cast<std::uint64_t>(value.data() - text.data()), value.size()});
  });
  if (tag.assigned)
    start.receipt.guess(EditKind::stray_bytes, static_cast<std::uint64_t>(tag.assigned->data() - text.data()),
                        tag.assigned->size());
}

// What follows the tag of a call: a parameter, an object, or its end. `structure` says whether it is so.
// `empty`: where the call ends, if its end is all there is.
Is body_begins(std::string_view text, const TagStyle& style, const Row& row, std::string_view name, const Shape* shape,
               bool final, std::size_t& empty) {
  std::size_t i = past_gap(text, 0);
  if (i == text.size()) return final ? Is::no : Is::more;
  std::string_view rest = text.substr(i);
  if (rest.front() == '{' && style.name != Where::tag) return Is::yes;
  if (style.name == Where::equals)
    if (const Is quoted = looks_quoted(rest, final); quoted != Is::no) return quoted;
  Tag tag = read_tag(rest, style, final);
  if (tag.is != Is::yes) return tag.is;
  if (tag.closing) empty = i + tag.length;
  if (tag.closing)
    return (style.name == Where::tag ? same_word(tag.name, name) : named(tag, style.call)) ||
                   match_any(rest, row.outer_end, true)
               ? Is::yes
               : Is::no;
  if (style.key == Where::tag) {
    if (!shape || !shape->declared) return Is::yes;
    return parameter_named(tag.name, *shape).empty() ? Is::no : Is::yes;
  }
  return named(tag, style.parameter) || (shape && shape->has(tag.name)) ? Is::yes : Is::no;
}

Start peek_name_text(std::string_view text, std::size_t at, const Row& row, const Context& context, bool strict,
                     bool final, Start start) {
  const TagStyle& style = *row.tags;
  auto wait = [&] {
    start.is = final ? Is::no : Is::more;
    return start;
  };
  Match marker = match_any(text.substr(at), row.start, final, true);
  if (marker.is != Is::yes) {
    start.is = marker.is;
    return start;
  }
  if (!marker.exact) start.receipt.safe(EditKind::marker_spelling, at, marker.length);
  at += marker.length;
  if (past_twice(text, row, final, at, start.receipt) == Is::more) return wait();
  at = past_gap(text, at);
  std::size_t from = at;
  while (at < text.size() && is_name_byte(text[at])) ++at;
  std::string_view name = text.substr(from, at - from);
  std::size_t behind = past_gap(text, at);
  if (behind == text.size() && !final) return wait();
  if (name.empty() || name.size() > 256 || (strict && is_placeholder(name, context))) return start;
  start.name = context.plain_name(name);
  start.length = at;
  std::string_view rest = text.substr(behind);
  Match separator = style.after_name.empty() ? Match{} : match_literal(rest, style.after_name, final);
  if (separator.is == Is::more && !rest.empty()) return wait();
  if (separator.is == Is::yes) {
    start.is = Is::yes;
    return start;
  }
  Tag tag = read_tag(rest, style, final);
  if (tag.is == Is::more) return wait();
  if (tag.is != Is::yes) return start;
  if (!tag.closing && named(tag, style.parameter)) start.is = Is::yes;
  // Without any parameter, a word between two markers is a call if it is a tool, or stands as a call would.
  const bool stands = context.options.tools.empty() && text[from - 1] != ' ' && text[at] != ' ';
  if (tag.closing && named(tag, style.call) && (context.tool(start.name) || stands)) start.is = Is::yes;
  return start;
}

}  // namespace

Start peek_tags(std::string_view text, const Row& row, const Context& context, bool strict, bool final) {
  const TagStyle& style = *row.tags;
  Start start;
  auto wait = [&] {
    start.is = final ? Is::no : Is::more;
    return start;
  };
  std::size_t at = 0;
  if (past_outer(text, row, final, at, start.receipt) == Is::more) return wait();
  const bool outer = at > 0;
  if (style.name == Where::text) return peek_name_text(text, at, row, context, strict, final, std::move(start));
  Tag tag = read_tag(text.substr(at), style, final);
  if (tag.is == Is::more) return wait();
  if (tag.is == Is::no || tag.closing) return start;
  const Tool* tool = nullptr;
  if (style.name == Where::tag) {
    tool = context.tool(tag.name, true);
    // Markup has no underscores in the names of its tags; tools do.
    const bool known = tool || (context.options.tools.empty() &&
                                (std::find(std::begin(kTools), std::end(kTools), tag.name) != std::end(kTools) ||
                                 (!strict && tag.name.find('_') != std::string_view::npos)));
    if (!known) return start;
    start.name = tool ? tool->name : tag.name;
    if (tag.name != start.name) start.receipt.safe(EditKind::marker_spelling, at, tag.length);
  } else {
    if (!named(tag, style.call)) return start;
    std::string_view name = tag.value;
    for (std::string_view key : {style.name_attribute, std::string_view("name"), std::string_view("tool")})
      if (name.empty()) name = tag.attribute(key);
    // <function name="f"> alone is another format's.
    if (strict && !outer && style.name == Where::equals && tag.value.empty()) return start;
    if (name.empty() || (strict && is_placeholder(name, context))) return start;
    start.name = context.plain_name(name);
    tool = context.tool(start.name);
    if (auto id = tag.attribute("id"); !id.empty()) start.id = id;
    if (tag.odd() || (torn_name(start.name) && !tool)) start.receipt.guess(EditKind::marker_spelling, at, tag.length);
    if (!same_word(tag.name, *style.call.begin()) || tag.name != *style.call.begin())
      start.receipt.safe(EditKind::marker_spelling, at, tag.length);
  }
  start.length = at + tag.length;
  if (style.name == Where::tag && (tag.odd() || !tag.value.empty()))
    start.receipt.guess(EditKind::marker_spelling, at, tag.length);
  take_attributes(tag, style, text, start);
  if (style.name == Where::tag && !tag.attributes.empty() && start.attributes.empty() && tag.name == start.name)
    start.receipt.safe(EditKind::marker_spelling, at, tag.length);
  // <ping/> is a whole call where tools are known; of `auto` it may just as well be markup.
  if (tag.empty) {
    start.ended = true;
    start.is = tool || (outer && style.name != Where::tag) ? Is::yes : Is::no;
    if (strict && style.name == Where::tag && start.is == Is::yes)
      start.is = stands_apart(text, start.length, context, final, true);
    return start;
  }
  const bool sure = style.open != "<";
  const Shape* shape = tool ? &tool->parameters : nullptr;
  std::size_t empty = 0;
  Is body = body_begins(text.substr(start.length), style, row, start.name, shape, final, empty);
  if (body == Is::more && !final) return wait();
  if (body == Is::yes && empty > 0 && strict && style.name == Where::tag)
    body = stands_apart(text, start.length + empty, context, final);
  if (body == Is::no && empty == 0 && style.name == Where::tag && tool) {
    // Parameters that the tool does not have: the model should be told.
    std::size_t end = 0;
    body = like_parameters(text.substr(start.length), style, start.name, *shape, final, {}, &end);
    if (body == Is::yes && strict && end > 0) body = stands_apart(text, start.length + end, context, final);
    if (!strict) start.beyond = Is::yes;
  }
  if (body == Is::more && !final) return wait();
  if (body == Is::yes || sure || (outer && !strict)) {
    start.is = Is::yes;
    return start;
  }
  // At the end of the text a call that has only begun is one that was cut off.
  const bool at_end = final && past_gap(text, start.length) == text.size();
  if (at_end && (outer || tool)) start.is = Is::yes;
  return start;
}

}  // namespace BELAY_NAMESPACE::text
