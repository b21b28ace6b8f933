// One turn read from a body, with everything that it said in a form that can be compared: whole against cut.
#pragma once

#include "outcome.h"
#include "tree.h"

#include <belay/schema.h>
#include <belay/turn.h>
#include <belay/wire.h>

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace belay::check {

/// What a turn is read with.
struct TurnOptions {
  wire::Wire wire = wire::Wire::openai_chat;
  bool plain = false;           ///< no wire: the body is the model's text
  std::string format = "none";  ///< how calls are written in the text
  std::string prompt_tail;
  std::vector<text::Tool> shapes;  ///< of the tools, for formats whose values have no types of their own
  sse::Ended ended = sse::Ended::eof;
  Limits limits{};
  /// None: every name counts as known.
  std::optional<std::vector<turn::KnownTool>> tools;
};

/// A call at the end of its turn.
struct TurnCall {
  std::string id, name, verdict;
  std::size_t slot = 0;  ///< some stay empty, so this is not its place among the calls
  bool made_id = false;
  bool trusted = false;
  std::optional<Tree> arguments;   ///< nothing when they are broken
  std::vector<Tree> values;        ///< when there are several
  std::vector<std::string> edits;  ///< as "kind grade", those that the schema asked for behind the others
  std::string error;               ///< its kind
  std::uint64_t error_at = 0;      ///< its offset
  std::string tool;                ///< that the name means; "" when none is known
  std::string deltas;              ///< what was said of its arguments while they came
};

/// A part of a turn, in the order in which they began.
struct Segment {
  enum class Kind : std::uint8_t { text, reasoning, call } kind = Kind::text;
  std::string text;
  std::size_t slot = 0;
  bool operator==(const Segment&) const = default;
};

struct Turn {
  /// Every event with every field, one a line; adjacent pieces of one text or call are one.
  std::vector<std::string> lines;
  std::vector<Segment> segments;
  std::string text, reasoning;
  std::vector<TurnCall> calls;
  std::vector<std::string> notices;  ///< their kinds
  std::string failure;               ///< its kind
  std::string stop, raw_stop;
  std::optional<chat::Usage> usage;
  bool ended = false;  ///< the wire's end marker was seen
  std::string fault;   ///< the first thing that may never be, as a sentence
};

/// Reads the pieces, one push each. `fault` is filled in: see turn.cpp for what must hold for any bytes at all.
Turn read_turn(const Pieces& pieces, const TurnOptions& options);
Turn read_turn(std::string_view body, const TurnOptions& options);

/// Reads the body byte by byte and at every two-way split (about `max_splits` of them, evenly spread), and says where
/// the events first differ from `whole`; empty when they never do. Where not every place is cut, another `shift` gives
/// other places.
std::string turn_cut_difference(std::string_view body, const TurnOptions& options, const Turn& whole,
                                std::size_t max_splits = 2048, std::size_t shift = 0);

/// The first line that differs; empty when there is none.
std::string lines_difference(const std::vector<std::string>& a, const std::vector<std::string>& b);

/// All lines, for messages.
std::string describe(const Turn& turn);

}  // namespace belay::check
