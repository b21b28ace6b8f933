// Deltas put together to calls. The end decides which of them may be trusted.
#pragma once

#include <belay/base.h>
#include <belay/chat.h>
#include <belay/json.h>
#include <belay/schema.h>
#include <belay/text.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace belay::call {

/// What is known of a tool: enough to check a call of it.
struct KnownTool {
  std::string name;
  const schema::Schema* parameters = nullptr;  ///< must outlive the Assembler; none: every object will do
  std::vector<std::string> aliases{};          ///< other names of the tool
  /// Other names of parameters, each with the parameter's own.
  std::vector<std::pair<std::string, std::string>> parameter_aliases{};
};

/// Why a call may not be trusted, beside its verdict.
struct CallError {
  std::string kind;  ///< a json::ErrorKind's name, or unknown_tool, no_name, schema, limit
  std::string message;
  /// In the argument text; of a call from text, in the whole text. For `schema` where the first wrong value begins, if
  /// the text is JSON as it should be, else where the arguments do. A name has no place in them: 0 then.
  Position position;
  bool operator==(const CallError&) const = default;
};

/// A call as it stands at the end of its turn.
struct Call {
  std::size_t slot = 0;  ///< its place among the calls of the turn, in the order in which they began; some stay empty
  std::string id;        ///< as the wire gave it, or made: unique in the turn and stable under any cut
  bool made_id = false;
  std::string name;  ///< as the wire gave it; "" for none
  std::string tool;  ///< the tool that it means, by its own name; "" when that is unknown or every name is known
  json::Reading reading;
  json::Verdict verdict;   ///< of the arguments, aligning included
  bool from_text = false;  ///< found in the model's text, not given by the wire
  std::string written;     ///< of a call from text: its arguments as the model wrote them
  /// Of a call from text: where it stands in the turn's whole text, markers included. Calls that one marker began have
  /// one place. Empty when that is not known.
  std::uint64_t begin = 0, end = 0;
  bool closed = false;  ///< by its own end, by the start of the next call, or by a proper end with whole JSON
  bool trusted = false;
  std::string
      distrust;  ///< why it is not trusted, in a few words: the end of its turn, else its error, else its verdict
  bool properly_ended = false;  ///< the turn ended as it should, or something followed the call
  /// Edits that the schema asked for; the value is then `value`. Where there are several, their paths begin with the
  /// place of the object among them: /1/path.
  std::vector<schema::AlignEdit> aligned;
  /// The arguments after aligning (all of several objects), or the one of several that was meant; empty when those of
  /// the reading stand.
  json::Document value;
  std::optional<CallError> error;
  std::vector<chat::Opaque> opaque;

  /// The arguments that were shown, approved and run: one and the same object. Nothing when there is none.
  [[nodiscard]] std::optional<json::Value> arguments() const;
  /// All objects that the arguments are, after aligning: one, or several that were glued together (verdict.count).
  [[nodiscard]] json::Items values() const { return value.empty() ? reading.document.values() : value.values(); }
};

/// What happens in a turn, in order. Views are valid during EventSink's calls only.
class EventSink {
 public:
  virtual void on_text(std::string_view) {}
  virtual void on_reasoning(std::string_view) {}
  /// A call that may only repeat another one, by its id and name, is told at the end of the turn, or not at all.
  virtual void on_call_start(std::size_t /*slot*/, std::string_view /*id*/, std::string_view /*name*/) {}
  virtual void on_call_delta(std::size_t /*slot*/, std::string_view /*piece*/) {}
  /// It is closed; only the end of the turn says whether it is trusted.
  virtual void on_call_closed(std::size_t /*slot*/) {}
  /// At the end of the turn, in the order of slots.
  virtual void on_call_end(const Call&) {}
  virtual void on_usage(const chat::Usage&) {}
  virtual void on_stop(chat::StopReason, std::string_view /*raw*/) {}
  virtual void on_notice(std::string_view /*kind*/, std::string_view /*message*/) {}
  virtual void on_failure(const chat::Failure&) {}

 protected:
  ~EventSink() = default;
};

struct AssemblerOptions {
  /// The tools that were offered. Empty and `any_tool`: every name that is not empty counts as known.
  std::vector<KnownTool> tools;
  bool any_tool = true;
  /// Calls that the model writes into its text: a name of text::formats(), `auto`, or `none`.
  std::string format = "none";
  bool raw_text = false;  ///< text can be any bytes, not only whole characters of valid UTF-8
  /// Shapes of the tools' parameters, for the formats whose values are raw text.
  std::vector<text::Tool> shapes;
  std::string prompt_tail;          ///< what the prompt ended with
  std::string made_ids = "belay_";  ///< what an id begins with where the provider gave none; the slot follows
  text::InReasoning in_reasoning = text::InReasoning::unless_closed;
  Limits limits{};
};

/// Puts the deltas of one turn together. State belongs to this object; it does no I/O. Work for a delta is constant
/// beside its bytes; once buffers are warm a delta of arguments allocates nothing.
class Assembler final : public chat::DeltaSink {
 public:
  Assembler(EventSink& sink, AssemblerOptions options = {});
  ~Assembler();

  void on(const chat::Delta& delta) override;
  /// The stream is over; whether it ended as it should, its deltas said. Gives all calls, after all events were sent.
  std::vector<Call> finish();

  /// The arguments of a call so far, readable after every delta without a copy.
  [[nodiscard]] json::MaybePartial partial(std::size_t slot) const;
  [[nodiscard]] std::size_t size() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// `server__tool` split at the first separator; no server when there is none.
struct ToolName {
  std::string_view server, tool;
  bool operator==(const ToolName&) const = default;
};
ToolName split_name(std::string_view name);
/// `functions.name`, `default_api.name` and `tools.name` without what stands before the dot: the namespaces that models
/// know tools under. Other names as they are.
std::string_view without_namespace(std::string_view name);
/// The tool of `names` that a call means: itself; else the only one that is the same tool of the same server, with or
/// without `mcp__` in front (split_name()); else what its name is without_namespace().
std::optional<std::size_t> resolve_name(std::string_view name, const std::vector<std::string>& names);

}  // namespace belay::call
