// A call as it stands at the end of its turn: what it says, and whether it can be trusted.
#pragma once

#include <belay/base.h>
#include <belay/chat.h>
#include <belay/json.h>
#include <belay/schema.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace BELAY_NAMESPACE::turn {
BELAY_API_BEGIN

/// What is known of a tool: enough to check a call of it.
struct KnownTool {
  std::string name{};
  const schema::Schema* parameters = nullptr;  ///< must outlive the Ledger; none: every object will do
  std::vector<std::string> aliases{};          ///< other names of the tool
  /// Other names of parameters, each with the parameter's own.
  std::vector<std::pair<std::string, std::string>> parameter_aliases{};
};

/// Why a call may not be trusted, beside its verdict.
struct CallError {
  std::string kind{};  ///< a json::ErrorKind's name, or unknown_tool, no_name, schema, limit
  std::string message{};
  /// In the argument text; of a call from text, in the whole text. For `schema` where the first wrong value begins, if
  /// the text is JSON as it should be, else where the arguments do. A name has no place in them: 0 then.
  Position position{};
  bool operator==(const CallError&) const = default;
};

/// A call and its verdict.
struct Call {
  std::size_t slot = 0;  ///< its place among the calls of the turn, in the order in which they began; some stay empty
  std::string id{};      ///< as the wire gave it, or made: unique in the turn and stable under any cut
  bool made_id = false;
  std::string name{};  ///< as the wire gave it; "" for none
  std::string tool{};  ///< the tool that it means, by its own name; "" when that is unknown or every name is known
  /// The arguments as they came: all fragments, or the last whole; of a call from text as the model wrote them. At most
  /// Limits::bytes of them.
  std::string raw{};
  /// With LedgerOptions::certain_text: its arguments as valid JSON text, as far as that was certain while they came;
  /// several objects one a line. Nothing of it is ever taken back, and it stops before the first guess. Bytes that are
  /// JSON as they should be stand as they came. Before aligning.
  std::string certain{};
  bool certain_whole = false;  ///< it is all of them; else it must not be shown as a whole call
  json::Reading reading{};
  json::Verdict verdict{};  ///< of the arguments, aligning included
  bool from_text = false;   ///< found in the model's text, not given by the wire
  /// Of a call from text: where it stands in Answer::received, markers included. Calls that one marker began have one
  /// place. Empty when that is not known.
  std::uint64_t begin = 0, end = 0;
  bool closed = false;  ///< by its own end, by the start of the next call, or by a proper end with whole JSON
  bool trusted = false;
  std::string
      distrust{};  ///< why it is not trusted, in a few words: the end of its turn, else its error, else its verdict
  bool properly_ended = false;  ///< the turn ended as it should, or something followed the call
  /// Edits that the schema asked for; the value is then `value`. Where there are several, their paths begin with the
  /// place of the object among them: /1/path.
  std::vector<schema::AlignEdit> aligned{};
  /// The arguments after aligning (all of several objects), or the one of several that was meant; empty when those of
  /// the reading stand.
  json::Document value{};
  std::optional<CallError> error{};
  std::vector<chat::Opaque> opaque{};

  /// The arguments that were shown, approved and run: one and the same object. Nothing when there is none.
  [[nodiscard]] std::optional<json::Value> arguments() const;
  /// All objects that the arguments are, after aligning: one, or several that were glued together (verdict.count).
  [[nodiscard]] json::Items values() const { return value.empty() ? reading.document.values() : value.values(); }
};

BELAY_API_END
}  // namespace BELAY_NAMESPACE::turn
