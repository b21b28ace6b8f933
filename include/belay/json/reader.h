// The tolerant incremental reader: bytes in as they arrive; the value so far, the mends and a verdict out.
#pragma once

#include <belay/base.h>
#include <belay/json/edit.h>
#include <belay/json/partial.h>
#include <belay/json/value.h>
#include <belay/json/verdict.h>

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace BELAY_NAMESPACE::json {
BELAY_API_BEGIN

enum class Mode : std::uint8_t {
  tolerant,  ///< mend, and list every mend
  strict,    ///< RFC 8259 exactly, but lone surrogates are refused; the first deviation ends it as broken
};

/// What a value at the top may be.
enum class Root : std::uint8_t {
  any,     ///< any value; a scalar counts only when it is the whole input
  object,  ///< an object, as for a call's arguments; arrays and scalars around it are prose
};

struct ReaderOptions {
  Mode mode = Mode::tolerant;
  Root root = Root::any;
  bool one = false;   ///< stop behind the first value at the top, if it is damaged; see Reader::push_strict()
  bool text = false;  ///< also make valid JSON text while the input arrives; see Reader::take_text()
  Limits limits{};
};

/// How the input stopped: by itself, or cut off (a token limit, a lost connection).
enum class Ending : std::uint8_t { complete, cut };

/// Where the bytes so far have led.
enum class Place : std::uint8_t {
  outside,  ///< outside of any value
  inside,   ///< in a value: between its tokens, in a number or word, or behind a quote that may end a string
  string,   ///< in a string or a key
  comment,  ///< in a comment inside a value
};

/// What finish() gives.
struct Reading {
  Document document{};        ///< the values; what was understood when the verdict is guessed, truncated or broken
  std::vector<Edit> edits{};  ///< in the order of their offsets, at most Limits::edits
  std::uint64_t edits_total = 0;
  Verdict verdict{};
  Error error{};  ///< set for truncated and broken
};

/// Reads one text. Amortised constant work for each byte, whatever the bytes and however they are cut; any cut gives
/// the same Reading. State lives in the object: use one Reader a text, or reset() between texts (which keeps memory).
/// Not thread-safe; distinct Readers are independent. Never throws but std::bad_alloc.
class Reader {
 public:
  explicit Reader(ReaderOptions = {});
  ~Reader();
  Reader(Reader&&) noexcept;
  Reader& operator=(Reader&&) noexcept;

  /// Takes the next bytes. They are not kept beyond the call.
  void push(std::string_view bytes);
  /// Says that no more bytes come, and how it ended. Call once; then only reset() or destruction.
  Reading finish(Ending ending = Ending::complete);
  /// As finish(), but the Reading stays inside, valid until reset(), which uses its memory again.
  const Reading& finish_in_place(Ending ending = Ending::complete);

  /// The value so far: the first value at the top, or nothing while none is certain to have begun
  /// ([ may be a word of the text around, until something fits behind it). O(1), no copy.
  [[nodiscard]] MaybePartial value() const {
    if (shown_.end == 0) return std::nullopt;
    return Partial(&shown_, 0);
  }
  /// Mends so far. An edit's grade can still change from safe to guess until the text ends.
  [[nodiscard]] const std::vector<Edit>& edits() const;
  /// Mends so far, those beyond Limits::edits included.
  [[nodiscard]] std::uint64_t edits_total() const;
  /// The worst grade of them. It can still rise until the text ends.
  [[nodiscard]] Grade grade() const;
  /// True once a limit or (strict mode) a deviation has ended the reading; further bytes are ignored.
  [[nodiscard]] bool failed() const;
  /// Bytes taken so far.
  [[nodiscard]] std::uint64_t offset() const;

  /// For who looks for the end of a value in a longer text, with ReaderOptions::one (docs/reader.md, section 11): what
  /// the reader makes of brackets, quotes and comments is what counts.
  ///
  /// As push(), but stops before the first byte that is not strict JSON, and says how many bytes were taken; the rest
  /// is for push(). Brackets and quotes are what they look like so far, and one byte behind the last bracket is enough
  /// to see whether it was the last: only another quote can show that a string had not ended.
  std::size_t push_strict(std::string_view bytes);
  /// True when push() has come to the end of a damaged value: offset() is that end. What was pushed beyond it was not
  /// read. A value that is strict JSON does not end by itself: who uses push_strict() counts its brackets.
  [[nodiscard]] bool ended() const;
  /// No more bytes come: what waits for them is decided, and ended() may be true then.
  void over();
  /// Another value follows.
  void go_on();
  [[nodiscard]] Place place();
  /// How many of the last bytes are held back, and may still turn out to stand behind the end.
  [[nodiscard]] std::uint64_t undecided() const;
  /// In a string: whether the first quote in `next` that can end it has something behind it that fits there. Nothing:
  /// `next` is too short to say. O(next). Takes none of it.
  [[nodiscard]] std::optional<bool> string_ends_in(std::string_view next, bool final) const;

  /// With ReaderOptions::text: the valid JSON text that has become certain since the last call. All pieces joined are
  /// a prefix of valid JSON text (several values: one a line). Strict input passes byte for byte. Nothing is taken
  /// back; what was left open is never closed; before the first guess it stops for good (text_stopped()), and also
  /// where a mend comes after more than 4 KiB of bytes that had to wait for it. It is complete only after finish().
  std::string take_text();
  [[nodiscard]] bool text_stopped() const;

  /// Ready for the next text, with the memory of the last.
  void reset();

 private:
  struct State;
  void push_escaped(std::string_view bytes);
  void push_odd(std::string_view bytes);
  void push_line(std::string_view bytes);
  void push_wide(std::string_view bytes, std::uint64_t special);
  void push_structure(std::string_view bytes);
  void push_more(std::string_view bytes);
  void after(std::string_view bytes, std::size_t used);
  void show();
  void settle();
  std::unique_ptr<State> state_;
  Shown shown_;  // what value() shows, kept up to date by push()
};

/// Reads a whole text at once.
Reading read(std::string_view text, ReaderOptions = {}, Ending = Ending::complete);

BELAY_API_END
}  // namespace BELAY_NAMESPACE::json
