// The beginning of a body: that it is not compressed, its byte order mark, and which framing it has.
#include <belay/sse.h>

#include "sse/event_stream.h"
#include "sse/json_values.h"

namespace BELAY_NAMESPACE::sse {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t kBeginning = 256;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// What bodies begin with that were compressed although nobody asked. Brotli has no mark of its own.
struct Mark {
  std::string_view bytes, name;
};
constexpr Mark kMarks[] = {
    {"\x1f\x8b"sv, "gzip"},        {"\x28\xb5\x2f\xfd"sv, "zstd"},
    {"\x78\x01"sv, "deflate"},     {"\x78\x9c"sv, "deflate"},
    {"\x78\xda"sv, "deflate"},     {"\x1f\x9d"sv, "compress"},
    {"\x04\x22\x4d\x18"sv, "lz4"}, {"\xfd\x37\x7a\x58\x5a\x00"sv, "xz"},
};

}  // namespace

struct Decoder::State {
  State(Sink& sink, Framing f, const Limits& limits)
      : framing(f), out{.sink = sink, .limit = limits.event_bytes}, events(out), values(out) {}

  enum class Phase : std::uint8_t { marks, lead, body };

  Framing framing;
  Phase phase = Phase::marks;
  bool finished = false;
  bool indented = false;  // the line that has begun does so with white space
  std::uint64_t taken = 0;
  std::string beginning;
  std::string_view compression;
  Delivery out;
  EventStream events;
  JsonValues values;

  void push(std::string_view bytes);
  void begin(std::string_view bytes, bool more);
  void take_lead(std::string_view bytes);
  void take_body(std::string_view bytes);
};

void Decoder::State::push(std::string_view bytes) {
  if (finished) return;
  // Also after trouble, so that it is the same for every cut.
  beginning.append(bytes.substr(0, kBeginning - beginning.size()));
  if (out.failed()) return;
  switch (phase) {
    case Phase::marks: return begin(bytes, true);
    case Phase::lead: return take_lead(bytes);
    case Phase::body: return take_body(bytes);
  }
}

// Waits while the first bytes can still become a mark. Those that waited are in `beginning`, `taken` of them.
void Decoder::State::begin(std::string_view bytes, bool more) {
  const std::string_view start = beginning;
  bool waits = kByteOrderMark.starts_with(start);
  for (const Mark& mark : kMarks) {
    if (start.starts_with(mark.bytes)) {
      compression = mark.name;
      out.trouble = Trouble::compressed;
      return;
    }
    waits |= mark.bytes.starts_with(start);
  }
  if (waits && more) {
    taken = start.size();
    return;
  }
  phase = Phase::lead;
  const std::size_t skip = start.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  const std::size_t waited = taken;
  taken = skip;
  if (skip < waited) take_lead(start.substr(skip, waited - skip));
  if (out.failed()) return;
  bytes.remove_prefix(skip > waited ? skip - waited : 0);
  phase == Phase::lead ? take_lead(bytes) : take_body(bytes);
}

void Decoder::State::take_lead(std::string_view bytes) {
  const char* p = bytes.data();
  const char* const end = p + bytes.size();
  if (framing == Framing::automatic) {
    // An event stream may begin with blank lines, but not with white space before a field's name.
    for (; p != end && is_space(*p); ++p) indented = *p == ' ' || *p == '\t';
    taken += static_cast<std::uint64_t>(p - bytes.data());
    if (p == end) return;
    framing = *p == '{' || *p == '[' ? Framing::json : Framing::sse;
    if (framing == Framing::sse && indented) events.ignore_line(taken);
  }
  phase = Phase::body;
  take_body({p, end});
}

void Decoder::State::take_body(std::string_view bytes) {
  if (bytes.empty()) return;
  const std::uint64_t offset = taken;
  taken += bytes.size();
  framing == Framing::json ? values.push(bytes, offset) : events.push(bytes, offset);
}

Decoder::Decoder(Sink& sink, Framing framing, Limits limits) : state_(std::make_unique<State>(sink, framing, limits)) {}
Decoder::~Decoder() = default;
Decoder::Decoder(Decoder&&) noexcept = default;
Decoder& Decoder::operator=(Decoder&&) noexcept = default;

void Decoder::push(std::string_view bytes) { state_->push(bytes); }

void Decoder::finish(Ended ended) {
  State& s = *state_;
  if (s.finished || s.out.failed()) return;
  s.finished = true;
  if (s.phase == State::Phase::marks) s.begin({}, false);
  if (s.phase == State::Phase::body && !s.out.failed())
    s.framing == Framing::json ? s.values.finish(ended) : s.events.finish(ended);
}

Trouble Decoder::trouble() const { return state_->out.trouble; }

std::string Decoder::message() const {
  const State& s = *state_;
  switch (s.out.trouble) {
    case Trouble::none: return {};
    case Trouble::compressed:
      return "the body is compressed (" + std::string(s.compression) +
             "), which nothing asked for: send the request without Accept-Encoding";
    case Trouble::event_bytes:
      return "an event of the stream passes the limit of " + std::to_string(s.out.limit) +
             " for event_bytes; raise it with --limit event_bytes=N (Limits::event_bytes)";
  }
  return {};
}

std::uint64_t Decoder::events() const { return state_->out.events; }
std::string_view Decoder::beginning() const { return state_->beginning; }

std::uint64_t Decoder::left_over() const {
  const State& s = *state_;
  if (s.out.failed() || s.phase != State::Phase::body) return 0;
  return s.framing == Framing::json ? s.values.left_over(s.taken) : s.events.left_over(s.taken);
}

std::string_view Decoder::unfinished() const {
  const State& s = *state_;
  if (left_over() == 0) return {};
  return s.framing == Framing::json ? s.values.unfinished() : s.events.unfinished();
}

bool Decoder::comments_only() const {
  const State& s = *state_;
  return !s.out.failed() && s.phase == State::Phase::body && s.framing == Framing::sse && s.events.comments_only();
}

}  // namespace BELAY_NAMESPACE::sse
