// From a model's text to text, reasoning and calls.
#pragma once

#include <belay/base.h>
#include <belay/json/partial.h>
#include <belay/json/reader.h>
#include <belay/text/shape.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace BELAY_NAMESPACE::text {
BELAY_API_BEGIN

/// What to make of a call inside a block of reasoning.
enum class InReasoning : std::uint8_t {
  unless_closed,  ///< ignored in a block that closes; in one that never closes, the first call marker ends it
  ignore,         ///< never a call
  take,           ///< a call marker ends the block
};

struct Options {
  std::string format = "auto";  ///< a name of formats(), `auto` or `none`
  std::vector<Tool> tools{};    ///< what may be called; names and shapes help to tell calls from prose
  std::string prompt_tail{};    ///< what the prompt ended with: an opening <think>, say
  InReasoning in_reasoning = InReasoning::unless_closed;
  Limits limits{};
};

/// A call as it was found. Offsets of edits and errors count bytes of the whole text.
struct Found {
  std::string id{};         ///< "" when the text has none; one that stood behind the name was not announced
  std::string name{};       ///< "" when the text has none
  json::Reading reading{};  ///< of the arguments: one object, or nothing
  bool closed = false;      ///< by its end marker, by what followed it, or by being whole where there is no marker
};

/// What a text holds, in order. Views are valid during the call only, and hold whole characters of valid UTF-8.
class Sink {
 public:
  virtual void on_text(std::string_view) = 0;
  virtual void on_reasoning(std::string_view) = 0;
  /// A call began; `call` counts from 0. Its name is "" when it has none.
  virtual void on_call_start(std::size_t call, std::string_view id, std::string_view name) = 0;
  /// A piece of the call's arguments, as the model wrote them.
  virtual void on_call_delta(std::size_t call, std::string_view piece) = 0;
  /// It is over, one way or the other. Calls end in the order in which they began, each once.
  virtual void on_call_end(std::size_t call, Found found) = 0;
  /// What came later shows that a call may have ended too early: an edit more for it, a guess.
  virtual void on_call_doubt(std::size_t call, json::Edit edit) = 0;
  /// Where calls stand in the whole text, their markers included: from `first` to before `last`, all that one marker
  /// began. After they ended, or at the end of the text.
  virtual void on_call_place(std::size_t /*first*/, std::size_t /*last*/, std::uint64_t /*begin*/,
                             std::uint64_t /*end*/) {}
  virtual void on_notice(std::string_view kind, std::string_view message) = 0;

 protected:
  ~Sink() = default;
};

/// Reads one text as it arrives. Linear time; any cut gives the same events, pieces aside. What is held back until its
/// meaning is certain is bounded (docs/formats.md says by what, for each grammar). Markers are never given as text;
/// every other byte is given once: as text, as reasoning, or to a call.
class Decoder {
 public:
  /// An unknown format counts as `none`; see known_format().
  Decoder(Sink& sink, Options options);
  ~Decoder();
  Decoder(Decoder&&) noexcept;
  Decoder& operator=(Decoder&&) noexcept;

  void push(std::string_view bytes);
  /// Something else comes between this text and the next: what is held back and no call yet is text.
  void boundary();
  /// No more bytes come.
  void finish();
  /// The arguments of the call that is open, so far. Nothing when they have not begun, or for another call.
  [[nodiscard]] json::MaybePartial partial(std::size_t call) const;
  /// Something of the call that is open had to be guessed, as far as it is known by now.
  [[nodiscard]] bool guessed(std::size_t call) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// True for `auto`, `none` and every name that formats() lists.
bool known_format(std::string_view name);
/// The names of all formats, in the order of docs/formats.md.
std::vector<std::string_view> formats();

/// Reads arguments that are XML parameters (<path>a</path>...), typed by the shape, as a guess: what a model sends when
/// it mixes up its protocols. Tags around them that name `tool`, or that formats have around a call, are left out.
/// Broken when the text is nothing of that kind.
json::Reading read_parameters(std::string_view text, const Shape& shape, std::string_view tool,
                              const Limits& limits = {});

BELAY_API_END
}  // namespace BELAY_NAMESPACE::text
