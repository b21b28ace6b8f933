// What reads the inside of a call, once it is certain that there is one.
#pragma once

#include "text/formats.h"
#include "text/match.h"
#include "text/output.h"
#include "text/receipt.h"

#include <belay/json/builder.h>
#include <belay/json/reader.h>
#include <belay/text/decoder.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace BELAY_NAMESPACE::text {

/// Where something without a marker stands.
enum class Place : std::uint8_t {
  line,      ///< at the start of a line
  doubtful,  ///< behind a sentence or a colon on the same line; the first in an element of markup; in an indented block
  inside,    ///< anywhere else: in a sentence, an expression, a list
};

/// What all parts of a decoder share.
struct Context {
  Options options;
  Output output;
  Place place = Place::line;
  char fence = 0;       ///< the mark of the fence around it; 0: there is none
  bool fresh = false;   ///< nothing stands before it
  bool markup = false;  ///< a tag stands before it, white space aside
  /// The format was chosen, and nothing stands before: what has the form of a call is one, whatever its name.
  bool alone = false;
  Context(Sink& sink, Options o) : options(std::move(o)), output(sink, options.limits) {}
  /// The tool of that name; with `any_case` also in other case, when only one is like that.
  [[nodiscard]] const Tool* tool(std::string_view name, bool any_case = false) const;
  /// The name that a call is meant for: without a special token and what follows it, and without `functions.` where the
  /// tool is known without it.
  [[nodiscard]] std::string_view plain_name(std::string_view written) const;
};

/// What in the text behind a call in tags says that its end came too early: its closing tag once more, anywhere, or a
/// parameter right behind it.
struct Doubt {
  std::string closing;              ///< empty: nothing does
  const TagStyle* style = nullptr;  ///< of the parameters
  const Shape* shape = nullptr;     ///< of the tool, where tags are named like parameters

  [[nodiscard]] Match parameter(std::string_view text, bool final) const;
};

/// Reads calls from behind their commit point to their end. It never turns into text again.
class Payload {
 public:
  virtual ~Payload() = default;
  /// Takes bytes of the window, which begins at `at` of the whole text, and says how many. Fewer than all: done(), or
  /// the rest must be given again with more behind it. With `final` nothing more comes: it is done() afterwards.
  virtual std::size_t read(std::string_view window, Position at, bool final) = 0;
  [[nodiscard]] bool done() const { return done_; }
  /// The arguments of the open call so far.
  [[nodiscard]] virtual json::MaybePartial partial() const = 0;
  /// A part of it, or of its arguments so far, is a guess.
  [[nodiscard]] virtual bool guessed() const = 0;
  /// End markers that did not come: not text if they come late.
  [[nodiscard]] const Words& owed() const { return owed_; }
  /// End markers that came, and are not text if they come again at once.
  [[nodiscard]] const std::vector<std::string>& again() const { return again_; }
  /// What behind the call says that the call's own end was not its end.
  [[nodiscard]] const Doubt& doubt() const { return doubt_; }

 protected:
  bool done_ = false;
  Words owed_{};
  std::vector<std::string> again_;
  Doubt doubt_;
};

/// The text ended inside a call.
json::Error cut_error(Position at);
/// Moves a position over some bytes.
void advance(Position& at, std::string_view bytes);
/// A reading whose positions are made those of the whole text.
void shift(json::Reading& reading, Position by);
/// Adds the edits of a receipt, in the order of offsets.
void add_edits(json::Reading& reading, Receipt& receipt);

/// What stands around JSON objects that are calls, beside markers.
struct Around {
  char fence = 0;        ///< the mark of a Markdown fence; 0: there is none
  bool wrapped = false;  ///< {"tool_calls": [...]}: the list was a member of an object
};

/// JSON objects with name and arguments in them, one or a list, up to the end marker.
std::unique_ptr<Payload> json_calls(Context& context, const Row& row, Around around, Receipt receipt);
/// One JSON object that is the arguments of the named call.
std::unique_ptr<Payload> named_json(Context& context, const Row& row, std::string id, std::string name,
                                    Receipt receipt);
/// An attribute in the tag of a call that may be a parameter.
struct Attribute {
  std::string key, value;
  std::uint64_t offset = 0, length = 0;  ///< of its value
};

/// Tags: parameters typed by the tool's shape, or a JSON object in the call's tag.
/// `ended`: the tag that began the call ended it, too.
std::unique_ptr<Payload> tag_calls(Context& context, const Row& row, std::string id, std::string name, Receipt receipt,
                                   const std::vector<Attribute>& attributes = {}, bool ended = false);
/// Calls in Python's or a script's notation.
std::unique_ptr<Payload> literal_calls(Context& context, const Row& row, Receipt receipt);

}  // namespace BELAY_NAMESPACE::text
