// From bytes to deltas: framing, then JSON, then the dialect.
#include "sse/json_scan.h"
#include "wire/dialect.h"

#include <belay/json/reader.h>
#include <belay/json/series.h>

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace BELAY_NAMESPACE::wire {
namespace {

constexpr std::array<std::string_view, 5> kNames = {"openai-chat", "openai-responses", "anthropic", "gemini", "ollama"};

// How deep arguments may stand in an event. The limit is about them.
constexpr std::uint64_t kEnvelope = 64;

json::ReaderOptions reader_options(const Limits& limits) {
  json::ReaderOptions options;
  options.limits = limits;
  options.limits.depth = limits.depth + kEnvelope;
  options.limits.bytes = limits.event_bytes;
  options.limits.values = 2;
  return options;
}

// The beginning of a body that nobody understood, on one line.
std::string shown(std::string_view bytes) {
  std::string out;
  for (char c : bytes.substr(0, 80)) {
    auto u = static_cast<unsigned char>(c);
    out += u < 0x20 || u >= 0x7f ? (u == '\n' || u == '\r' || u == '\t' ? ' ' : '?') : c;
  }
  return out;
}

// What had to be guessed of an event first, when all guesses are values where they stand. Where brackets or quotes had
// to be guessed, a part of the event may be missing, and nobody knows which: nothing then.
std::optional<json::EditKind> guess_in_place(const json::Reading& reading) {
  using enum json::EditKind;
  std::optional<json::EditKind> first;
  if (reading.verdict.word() != json::Word::guessed || reading.edits_total > reading.edits.size()) return first;
  for (const json::Edit& e : reading.edits) {
    if (e.grade != json::Grade::guess) continue;
    if (e.kind != invalid_utf8 && e.kind != lone_surrogate && e.kind != duplicate_key && e.kind != foreign_literal &&
        e.kind != foreign_number)
      return std::nullopt;
    if (!first) first = e.kind;
  }
  return first;
}

// A line behind the first that is an object by itself: what stands before it was cut short, and not by the end.
bool holds_whole_line(std::string_view text) {
  for (std::size_t at = text.find("\n{"); at != std::string_view::npos; at = text.find("\n{", at + 1))
    if (sse::is_whole_json(text.substr(at + 1, text.find('\n', at + 1) - at - 1))) return true;
  return false;
}

}  // namespace

std::string_view name(Wire wire) noexcept { return kNames[static_cast<std::size_t>(wire)]; }

std::optional<Wire> wire_named(std::string_view name) noexcept {
  for (std::size_t i = 0; i < kNames.size(); ++i)
    if (kNames[i] == name) return static_cast<Wire>(i);
  return std::nullopt;
}

struct StreamDecoder::State final : sse::Sink {
  State(Wire w, chat::DeltaSink& s, const Limits& l)
      : wire(w),
        sink(s),
        limits(l),
        dialect(codec_of(w).reader(s)),
        decoder(*this, sse::Framing::automatic, limits),
        reader(reader_options(limits)) {
    dialect->set_limits(limits);
  }

  void on_event(const sse::Event& event) override;
  void on_late(std::string_view data);
  void fail_malformed(std::string_view data, const json::Reading& reading);
  void on_stray_line(std::uint64_t offset) override;
  void tell_stray_line();
  void tell_mended(std::string_view data);
  void tell(std::string_view kind, std::string_view message);
  void fail(std::string_view kind, std::string_view message, bool retryable);
  void fail_unrecognised();
  [[nodiscard]] bool over() const { return failed || dialect->ended() || dialect->failed(); }

  Wire wire;
  chat::DeltaSink& sink;
  Limits limits;
  std::unique_ptr<Dialect> dialect;
  sse::Decoder decoder;
  json::SeriesReader reader;
  bool failed = false;
  bool told_late = false;                   // that something came behind the end marker
  std::optional<std::uint64_t> stray_line;  // one came before the first event; its place
  std::uint64_t mended = 0;                 // events
};

void StreamDecoder::State::fail(std::string_view kind, std::string_view message, bool retryable) {
  if (over()) return;
  failed = true;
  sink.on(chat::Failure{kind, message, retryable, std::nullopt});
}

// Nothing of this wire was in the body: why, as far as that can be seen.
void StreamDecoder::State::fail_unrecognised() {
  const std::string_view beginning = decoder.beginning();
  const std::string begins = "; it begins with: " + shown(beginning);
  if (beginning.empty()) return fail("empty", "the response is empty", true);
  if (decoder.comments_only())
    return fail("empty", "the response holds nothing but comments, which keep a connection open" + begins, true);
  if (decoder.events() == 0 && !decoder.unfinished().empty())
    return fail("cut_off",
                "the response was cut off: its JSON is not whole after " + std::to_string(decoder.left_over()) +
                    " bytes" + begins,
                true);
  fail("not_a_stream", "the response is no stream of " + std::string(name(wire)) + begins, true);
}

// Servers that speak several wires send [DONE] behind their own end marker, and some send pings.
void StreamDecoder::State::on_late(std::string_view data) {
  if (told_late || data == "[DONE]") return;
  if (data.starts_with('{') && data.size() < 100) {
    const json::Reading small = json::read(data, reader_options(limits));
    if (!small.document.empty() &&
        (small.document.root().size() == 0 || text_at(small.document.root(), "type") == "ping"))
      return;
  }
  told_late = true;
  tell("ignored_event", "something came behind the end marker and was ignored: " + shown(data));
}

void StreamDecoder::State::on_event(const sse::Event& event) {
  if (failed || dialect->failed()) return;
  std::string_view data = event.data;
  while (!data.empty() && (data.front() == ' ' || data.front() == '\n')) data.remove_prefix(1);
  while (!data.empty() && (data.back() == ' ' || data.back() == '\n')) data.remove_suffix(1);
  if (data.empty()) return;
  if (dialect->ended()) return on_late(data);
  if (data == "[DONE]") {
    dialect->on_done();
    return;
  }
  const json::Word word = reader.read(data).word();
  const bool sure = word == json::Word::valid || word == json::Word::mended;
  std::optional<json::EditKind> guess;
  if (!sure) [[unlikely]] {
    // Looked at a second time; that is rare.
    const json::Reading reading = json::read(data, reader_options(limits));
    guess = guess_in_place(reading);
    if (!guess) return fail_malformed(data, reading);
  }
  if (word == json::Word::mended) [[unlikely]]
    if (std::has_single_bit(++mended)) tell_mended(data);
  dialect->set_guess(guess);
  dialect->on_event(reader.root(), event.event);
  if (stray_line && dialect->recognised() && !over()) [[unlikely]]
    tell_stray_line();
}

// To leave it out could lose a part of a call, and what is left could look whole.
void StreamDecoder::State::fail_malformed(std::string_view data, const json::Reading& reading) {
  // Several values in one event pass a limit too, which is nobody's to raise.
  json::ReaderOptions options = reader_options(limits);
  options.limits.values = kUnlimited;
  if (reading.error.kind != json::ErrorKind::limit || json::read(data, options).error.kind != json::ErrorKind::limit)
    return fail("malformed_event", "an event of the stream is not JSON: " + shown(data), true);
  // It is read with room for what stands around the arguments, so the reader's own words name another number.
  fail("limit",
       "an event of the stream passes the limit of " + std::to_string(limits.depth) +
           " for depth; raise it with --limit depth=N (Limits::depth)",
       false);
}

// An event whose field's name was damaged, most likely. As with one that cannot be read, what is left could look whole.
// Pages and logs have such lines too, so a body that is no answer of this wire is told so at its end.
void StreamDecoder::State::on_stray_line(std::uint64_t offset) {
  if (over()) return;
  if (!dialect->recognised()) {
    if (!stray_line) stray_line = offset;
    return;
  }
  fail("malformed_event",
       "a line of the stream holds JSON and is no field of an event, at byte " + std::to_string(offset) +
           "; an event may be missing",
       true);
}

// Before the first event nothing had begun that could now be without its middle.
void StreamDecoder::State::tell_stray_line() {
  const std::string message =
      "a line before the first event holds JSON and is no field of an event, at byte " + std::to_string(*stray_line);
  stray_line.reset();
  tell("ignored_event", message);
}

// What was mended in the frame of a call is in no receipt of the call's. Said of the 1st, 2nd, 4th, 8th such event, so
// that a server which writes them all wrong does not drown the rest.
void StreamDecoder::State::tell_mended(std::string_view data) {
  constexpr std::size_t kNamed = 4;
  const json::Reading reading = json::read(data, reader_options(limits));
  std::string message = "an event had to be mended before it was read (number " + std::to_string(mended) + "):";
  for (std::size_t i = 0; i < std::min(kNamed, reading.edits.size()); ++i)
    message += std::string(i == 0 ? " " : ", ") + std::string(json::name(reading.edits[i].kind)) + " at its byte " +
               std::to_string(reading.edits[i].offset);
  if (reading.edits_total > kNamed) message += ", and " + std::to_string(reading.edits_total - kNamed) + " more";
  tell("mended_event", message);
}

void StreamDecoder::State::tell(std::string_view kind, std::string_view message) {
  sink.on(delta::Notice{kind, message});
}

StreamDecoder::StreamDecoder(Wire wire, chat::DeltaSink& sink, Limits limits)
    : state_(std::make_unique<State>(wire, sink, limits)) {}
StreamDecoder::~StreamDecoder() = default;
StreamDecoder::StreamDecoder(StreamDecoder&&) noexcept = default;
StreamDecoder& StreamDecoder::operator=(StreamDecoder&&) noexcept = default;

void StreamDecoder::push(std::string_view bytes) {
  State& s = *state_;
  // Behind the end marker it is still to be said once that there is more.
  if (s.failed || s.dialect->failed() || s.told_late) return;
  s.decoder.push(bytes);
  if (s.decoder.trouble() != sse::Trouble::none)
    s.fail(s.decoder.trouble() == sse::Trouble::compressed ? "compressed" : "limit", s.decoder.message(), false);
}

void StreamDecoder::finish(sse::Ended ended) {
  State& s = *state_;
  if (!s.failed && !s.dialect->failed() && !s.told_late) s.decoder.finish(ended);
  if (s.decoder.trouble() != sse::Trouble::none)
    s.fail(s.decoder.trouble() == sse::Trouble::compressed ? "compressed" : "limit", s.decoder.message(), false);
  if (s.over()) return;
  if (holds_whole_line(s.decoder.unfinished()))
    return s.fail(
        "malformed_event",
        "a line of the stream was cut short, and others follow it; it begins with: " + shown(s.decoder.unfinished()),
        true);
  if (!s.dialect->recognised()) {
    s.fail_unrecognised();
    return;
  }
  if (std::string_view rest = s.decoder.unfinished(); !rest.empty()) {
    json::Reader half(reader_options(s.limits));
    half.push(rest);
    if (json::MaybePartial value = half.value()) s.dialect->on_unfinished(*value);
  }
  s.dialect->on_over();
}

bool StreamDecoder::ended() const { return state_->dialect->ended(); }

}  // namespace BELAY_NAMESPACE::wire
