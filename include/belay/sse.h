// Framing: a response body cut into events. Server-sent events by the WHATWG rules, and the JSON that servers send
// instead: one value a line, an array of values, or one value over many lines.
#pragma once

#include <belay/base.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace BELAY_NAMESPACE::sse {
BELAY_API_BEGIN

/// One event. All views are valid during Sink::on_event() only.
struct Event {
  std::string_view data{};   ///< the data lines, joined by '\n'; for JSON framing the text of one value
  std::string_view event{};  ///< the `event:` field; empty for none
  std::string_view id{};     ///< the last `id:` of the stream so far
  /// Of the event's first byte in the stream: of the first line of it that is neither a comment nor an unknown field,
  /// or of the value.
  std::uint64_t offset = 0;
};

class Sink {
 public:
  virtual void on_event(const Event& event) = 0;
  /// `retry:` with a number of milliseconds; at most kUnlimited.
  virtual void on_retry(std::uint64_t) {}
  /// An event without data has ended, which is dropped; this is the last `id:` of the stream so far.
  virtual void on_id(std::string_view) {}
  /// A line that is neither a known field nor a comment has a `{` or `[`. By the rules it is ignored; most likely it is
  /// an event whose field's name was damaged. Said once for a line, as soon as that is there, in its order among the
  /// events.
  virtual void on_stray_line(std::uint64_t /*offset*/) {}

 protected:
  ~Sink() = default;
};

enum class Framing : std::uint8_t {
  automatic,  ///< by the first byte that is not white space: '{' or '[' begins JSON, anything else is SSE
  sse,        ///< https://html.spec.whatwg.org/multipage/server-sent-events.html
  /// Values one after the other, with white space or commas between them, or the items of an array. What is no value is
  /// an event too, up to the end of its line, so that it can be refused.
  json,
};

/// How a stream ended: by itself, or because the connection broke.
enum class Ended : std::uint8_t { eof, reset };

enum class Trouble : std::uint8_t {
  none,
  event_bytes,  ///< one event is larger than Limits::event_bytes
  compressed,   ///< the body is gzip, zstd or the like
};

/// Cuts one body into events. Each byte is looked at once; any cut of the input gives the same events. An event that
/// lies in one piece is passed on without a copy. Memory: one event and the last id, each of its fields at most
/// Limits::event_bytes; comments and unknown fields are not kept, however long. One byte order mark at the start is
/// left out. Bytes that are not UTF-8 pass as they are.
class Decoder {
 public:
  /// The sink must outlive the decoder, and may not call it from inside its functions.
  explicit Decoder(Sink& sink, Framing framing = Framing::automatic, Limits limits = {});
  ~Decoder();
  Decoder(Decoder&&) noexcept;
  Decoder& operator=(Decoder&&) noexcept;

  /// Takes the next bytes. After trouble they are ignored.
  void push(std::string_view bytes);
  /// Says that no more bytes come. At a clean end, an event whose blank line is missing counts if its data is one whole
  /// JSON text (by its brackets and quotes) or `[DONE]` (servers forget that line), and so does a scalar that nothing
  /// follows; at a broken one they do not.
  void finish(Ended ended);

  [[nodiscard]] Trouble trouble() const;
  /// A sentence about the trouble: what it is and what to do. Empty without trouble.
  [[nodiscard]] std::string message() const;
  [[nodiscard]] std::uint64_t events() const;
  /// The first bytes of the body, at most 256: to say what it was when it held no event.
  [[nodiscard]] std::string_view beginning() const;
  /// Bytes of an event that was not complete at the end. 0 after trouble.
  [[nodiscard]] std::uint64_t left_over() const;
  /// The data of that event, as far as it came: half a JSON text, as a rule. Valid until the next push().
  [[nodiscard]] std::string_view unfinished() const;
  /// Nothing came but comments and blank lines, at least one of them: what servers send to keep a connection open.
  [[nodiscard]] bool comments_only() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// An event as text, data split into as many `data:` lines as it needs, the blank line included. Appends to `out`. Read
/// back, the data is the same but for its line ends, which are all '\n' then. Line ends in `event` become spaces.
void append_event(std::string& out, std::string_view data, std::string_view event = {});
/// A comment line, as servers send to keep a connection alive; one for each line of the text.
void append_comment(std::string& out, std::string_view text);

BELAY_API_END
}  // namespace BELAY_NAMESPACE::sse
