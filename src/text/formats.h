// The table of formats: what marks a call, and which grammar is inside. A new format is a row here and a case.
#pragma once

#include "text/match.h"

#include <span>
#include <string_view>

namespace BELAY_NAMESPACE::text {

enum class Grammar : std::uint8_t {
  json,       ///< marker, then JSON objects with name and arguments
  named,      ///< marker, name, separator, then the arguments as JSON
  tags,       ///< tags for the call and its parameters
  python,     ///< marker, then calls in Python's notation
  script,     ///< marker, name, then members in a script's notation
  harmony,    ///< channels with a recipient
  bare_json,  ///< no marker: an object or a list that looks like a call, at the start of a line or in a fence
  bare_python,
};

/// Where a tag says a name.
enum class Where : std::uint8_t {
  equals,     ///< <function=f>
  attribute,  ///< <invoke name="f">
  tag,        ///< <read_file>: the tag itself
  text,       ///< <tool_call>f<arg_key>: what follows the tag
  pair,       ///< <arg_key>k</arg_key><arg_value>v</arg_value>
};

/// Line breaks between a parameter's tags and its value.
enum class Lines : std::uint8_t {
  exact,   ///< none are added: every byte between the tags is the value
  padded,  ///< a line break behind the opening tag, and then one before the closing tag, are no part of the value
  own,     ///< the format puts both there: neither is part of the value, also where the other is missing
};

struct TagStyle {
  std::string_view open = "<", close = "</", end = ">";
  Words call{};  ///< the tag that holds a call; none: tags are named like tools
  Where name = Where::equals;
  std::string_view name_attribute = "name";
  Words parameter{};  ///< the tag that holds a parameter; none: tags are named like parameters
  Where key = Where::equals;
  std::string_view key_attribute = "name";
  std::string_view value{};       ///< pair: the tag of the value
  std::string_view after_name{};  ///< text: what may stand behind the name
  bool nested = false;            ///< tags inside a parameter are its members
  std::string_view mark{};        ///< a part of its tags that no value has
  bool typed = false;             ///< a parameter's tag says its type
  Lines lines = Lines::padded;
};

struct Row {
  std::string_view format;
  Grammar grammar = Grammar::json;
  Words start{};  ///< any of them begins a call
  Words end{};    ///< any of them ends it; none: its own last bracket does
  Words outer{};  ///< may stand before the first call
  Words outer_end{};
  std::string_view name_key = "name", arguments_key = "arguments";  ///< json: as the format spells them
  std::string_view separator{};                                     ///< named: between name and arguments
  Words lead{};                                                     ///< what may stand behind `outer`, and says nothing
  std::string_view before_id{};                                     ///< named: between name and id
  const TagStyle* tags = nullptr;
  std::string_view method{};  ///< python: what stands behind a tool's name; without it the name must be a tool's
  std::string_view quote{};   ///< script: what stands around strings
  bool key_is_name = false;   ///< json: {"f": {...}}
  bool line_start = false;    ///< the marker counts at the start of a line only
  bool fence = false;         ///< named: the arguments stand in a Markdown fence
  bool only_named = false;    ///< not part of `auto`
};

std::span<const Row> rows();

/// Blocks of reasoning.
struct Thinking {
  std::string_view format;  ///< of one format only; empty: of all
  std::string_view open, close;
  bool at_start = false;    ///< words, which count where the text begins only; known in `auto` as well
  std::string_view then{};  ///< a marker that ends what follows the block
};
std::span<const Thinking> thinking();

/// Markers that mean nothing by themselves, in the text of one format.
struct Silent {
  std::string_view format;
  std::string_view token;
  std::string_view close{};  ///< the marker that ends what this one begins
};
std::span<const Silent> silent();

/// What stands around text that is shown, not meant: comments, and results of tools.
struct Quotation {
  std::string_view open, close;
  bool line_start = false;  ///< it begins at the start of a line only
  bool paragraph = false;   ///< it ends at an empty line as well
};
std::span<const Quotation> quotations();

/// <think>, as match_marker() has it; with attributes also, if they are some.
Match match_thinking(std::string_view text, std::string_view open, bool final);

/// The end of a block of reasoning or of a tool's result, of all formats.
Match match_shown_end(std::string_view text, bool final);

/// Tokens that end a turn: not text at the end of one.
std::span<const std::string_view> last_tokens();

}  // namespace BELAY_NAMESPACE::text
