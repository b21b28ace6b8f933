// The parts of a Dialect.
#pragma once

#include "text/dialect_table.h"

#include <belay/json/value.h>
#include <belay/text/decoder.h>
#include <belay/text/dialect.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace BELAY_NAMESPACE::text {

/// How a parameter's value is kept apart from the tags around it.
enum class Guard : std::uint8_t {
  plain,      ///< as the format has it
  line,       ///< on lines of its own
  bare,       ///< right between the tags
  data,       ///< in a CDATA section
  data_line,  ///< the same, with a line break at both ends
  escaped,    ///< JSON: with escapes for what could be a tag
};

/// A call whose arguments were read.
struct Piece {
  std::string_view name, id;
  json::Value arguments;
  std::size_t index = 0;        ///< in its message
  std::vector<Guard> guards{};  ///< tags: one a parameter; missing ones are plain
  bool body = false;            ///< tags: the arguments are a JSON object in the call's tag
};

/// How a language writes values.
struct Language {
  std::string_view yes = "true", no = "false", null = "null";
  std::string_view comma = ", ", colon = ": ";
  std::string_view quote{};  ///< around strings, where it is no quote character
  bool python = false;
};
/// Appends a value. Iterative.
void write_value(json::Value value, const Language& language, std::string& out);
/// Appends the members of an object as f(NAME=VALUE, ...) and f{NAME:VALUE,...} have them.
void write_members(json::Value object, const Language& language, std::string& out);

/// Puts escapes for the first bytes of the markers that a text in JSON or Python holds: they are in strings there, and
/// a tokenizer would take them for tokens of its own.
std::string without_markers(std::string text, const Row& row);

/// The calls as text, with nothing checked.
std::string put_calls(const Written& how, const Row& row, const std::vector<Piece>& pieces);
std::string put_tag_call(const Written& how, const Row& row, const Piece& piece);

/// functions.NAME:INDEX, where the format counts; otherwise the id itself.
std::string written_id(const Written& how, std::string_view name, std::string_view id, std::size_t index);

/// Reads calls back. True when they are the same, valid and without edits, and nothing else is there. `heard`: what was
/// read instead, if there was one call.
bool reads_back(std::string_view format, const std::vector<Tool>& tools, const Limits& limits, std::string_view text,
                const std::vector<Piece>& pieces, std::vector<Found>* heard = nullptr);

/// The tools of a prompt: what is known of each.
struct Defined {
  std::string name, description;
  json::Document schema;  ///< of its parameters; empty when there is none
};
/// All of them, as the format shows them. `usage` gives the text of a call.
std::string show_tools(const Written& how, const std::vector<Defined>& tools,
                       const std::function<std::string(const Call&)>& usage);
/// A call as a usage example could have it.
Call example_of(const Defined& tool);

}  // namespace BELAY_NAMESPACE::text
