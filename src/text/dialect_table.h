// The table of what is written: for each format how tools, calls and results look. A new format is a row here, beside
// the one in formats.cpp, whose markers it uses.
#pragma once

#include "text/formats.h"

#include <string_view>

namespace BELAY_NAMESPACE::text {

/// How the tools are shown.
enum class Shown : std::uint8_t {
  prose,       ///< a section for each tool, with its parameters and a usage example
  lines,       ///< {"type": "function", "function": ...}, one a line
  list,        ///< a JSON list of those
  bare_list,   ///< a JSON list of {"name", "description", "parameters"}
  elements,    ///< <function><name>..., as Qwen3-Coder has them
  typescript,  ///< type f = (_: {...}) => any
};

/// What a parameter's tag says about its type.
enum class Typed : std::uint8_t {
  no,
  string,  ///< string="true" for raw text, "false" for JSON
  type,    ///< type="number"
};

struct Written {
  std::string_view format;
  Grammar grammar = Grammar::json;  ///< which of the format's rows in formats.cpp
  Shown shown = Shown::lines;
  std::string_view tools_open{}, tools_close{};  ///< around the tools
  std::string_view result{};                     ///< see fill() in dialect_results.cpp for its words; empty: generic
  std::string_view results_open{}, results_close{}, results_between = "\n";  ///< around and between several

  bool list = false;                                       ///< json: all calls in one list
  std::string_view gap{};                                  ///< white space between the markers and what is in them
  std::string_view between{};                              ///< between two calls
  std::string_view id_key{};                               ///< json: the member for the id; empty: none
  std::string_view arguments_key{};                        ///< json: where the row has none
  std::string_view before_name{};                          ///< named: what stands before the name
  std::string_view before_arguments{}, after_arguments{};  ///< named: a fence
  bool counted = false;                                    ///< named: functions.NAME:INDEX is the name
  bool name_inside = false;                                ///< named: the object has the name in it once more
  bool each = false;                                       ///< what may stand around all calls stands around each
  bool outer_nests = false;                                ///< tags: the second one stands around each
  bool broken_lines = false;                               ///< tags: one tag a line
  std::string_view value_gap{};                            ///< tags: around values
  std::string_view index_attribute{};                      ///< tags: of the call
  Typed typed = Typed::no;
  bool body = false;  ///< tags: the arguments are a JSON object in the call's tag
  bool one = false;   ///< one call a message is the rule
};

/// The row of a format; the row of `xml` when there is none.
const Written& written(std::string_view format);
/// Its markers.
const Row& row_of(const Written& how);

}  // namespace BELAY_NAMESPACE::text
