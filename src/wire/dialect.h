// What each wire implements. A dialect is a pair of files: NAME_read.cpp and NAME_write.cpp.
#pragma once

#include <belay/json/partial.h>
#include <belay/wire.h>

#include <memory>
#include <string>
#include <string_view>

namespace BELAY_NAMESPACE::wire {

namespace delta = chat::delta;

/// Reads the events of one answer; a whole answer that was not streamed is one event.
class Dialect {
 public:
  explicit Dialect(chat::DeltaSink& sink) : sink_(sink) {}
  Dialect(const Dialect&) = delete;
  Dialect& operator=(const Dialect&) = delete;
  virtual ~Dialect() = default;

  /// One event. `event` is SSE's field of that name. Nothing may be assumed of the value's shape.
  virtual void on_event(json::Value value, std::string_view event) = 0;
  /// `[DONE]`, which several wires use.
  virtual void on_done() { end(); }
  /// The stream's bytes are over inside an event, before an end marker: as much of it as came. Called before on_over().
  virtual void on_unfinished(const json::Partial&) {}
  /// The stream's bytes are over, before an end marker. For what has to be said at the end.
  virtual void on_over() {}

  /// The wire's end marker came; nothing more is read.
  [[nodiscard]] bool ended() const { return ended_; }
  /// A failure was said; nothing more is read.
  [[nodiscard]] bool failed() const { return failed_; }
  /// Something that only this wire says was seen: the body is an answer of this wire.
  [[nodiscard]] bool recognised() const { return recognised_; }
  /// What of an answer is kept until its end has bounds. Set before the first event.
  void set_limits(const Limits& limits) { limits_ = limits; }
  /// What had to be guessed to read the current event, if anything. Set before on_event().
  void set_guess(std::optional<json::EditKind> guess) { guess_ = guess; }

 protected:
  // Each sends one delta. Empty texts are not sent.
  void start(std::string_view id, std::string_view model);
  void text(std::string_view piece, std::string_view block = {});
  void reasoning(std::string_view piece, std::string_view block = {});
  void refusal(std::string_view piece, std::string_view block = {});
  /// What the server's word for the end means. One that nobody knows is an end, with a notice.
  chat::StopReason stop_reason(std::string_view raw);
  void send(const chat::Delta& delta) { sink_.on(delta); }
  /// What had to be guessed in the event is filled in.
  void send(delta::Call call);
  void usage(const chat::Usage& usage);
  void stop(chat::StopReason reason, std::string_view raw);
  void end();
  void fail(const chat::Failure& failure);
  /// Fails because there is more of something than the limit of that name allows.
  void fail_limit(std::string_view what, std::string_view limit, std::uint64_t most);
  void notice(std::string_view kind, std::string_view message);
  /// A notice that something cannot be read. It may have been a part of a call: the one that `where` names is not
  /// trusted then, nor, where that names none, any that is open, unless its arguments come as a whole.
  void lost(std::string_view kind, std::string_view message, const delta::CallKey& where = {});
  void lose(const delta::CallKey& where = {});
  /// Something of the provider's own, and what it belongs to.
  void opaque(std::string_view key, json::Value value, const delta::Place& place = {});
  void opaque(std::string_view key, json::Value value, const delta::CallKey& call);

  bool ended_ = false;
  bool failed_ = false;
  bool recognised_ = false;
  Limits limits_;

 private:
  [[nodiscard]] virtual std::string_view wire_name() const = 0;
  chat::DeltaSink& sink_;
  std::optional<json::EditKind> guess_;
};

/// Writes one answer as a stream.
class Encoder {
 public:
  explicit Encoder(StreamEncoder::Head head) : head_(std::move(head)) {}
  Encoder(const Encoder&) = delete;
  Encoder& operator=(const Encoder&) = delete;
  virtual ~Encoder() = default;
  // As in StreamEncoder. Bytes go to out_.
  virtual void text(std::string_view piece) = 0;
  virtual void reasoning(std::string_view piece) = 0;
  virtual void refusal(std::string_view piece) { text(piece); }
  virtual void begin_call(std::string_view id, std::string_view name) = 0;
  virtual void arguments(std::string_view piece) = 0;
  virtual void end_call() = 0;
  virtual void opaque(const chat::Opaque&) {}
  virtual void usage(const chat::Usage& usage) = 0;
  virtual void stop(chat::StopReason reason, std::string_view raw) = 0;
  virtual void failure(const chat::Failure& failure) = 0;
  std::string take() { return std::exchange(out_, {}); }

 protected:
  StreamEncoder::Head head_;
  std::string out_;
};

/// Everything that one wire can do.
struct Codec {
  std::unique_ptr<Dialect> (*reader)(chat::DeltaSink& sink);
  std::unique_ptr<Encoder> (*writer)(StreamEncoder::Head head);
  std::expected<chat::Request, WireError> (*read_request)(json::Value body, std::string_view model);
  std::string (*write_request)(const chat::Request& request);
  std::string (*write_response)(const chat::Response& response);
};
extern const Codec kOpenaiChat, kOpenaiResponses, kAnthropic, kGemini, kOllama;
const Codec& codec_of(Wire wire) noexcept;

// Shared by the dialects; src/wire/common.cpp.

/// Members that may be missing or of the wrong kind: the empty answer then.
std::string_view text_at(json::Value object, std::string_view key);
std::optional<json::Value> object_at(json::Value object, std::string_view key);
std::optional<json::Value> array_at(json::Value object, std::string_view key);
std::optional<std::uint64_t> count_at(json::Value object, std::string_view key);
std::optional<std::int64_t> index_at(json::Value object, std::string_view key);
/// There is a member, not null, that index_at() cannot use.
bool odd_index_at(json::Value object, std::string_view key);

/// The member `error` of an event; nothing when it is null, or false or "" among others, as some servers fill it.
std::optional<json::Value> error_at(json::Value event);

/// A failure from what providers put into errors: type, code (also as a number, an HTTP status) and message. Seconds to
/// wait are read out of messages such as "Please try again in 11.054s". The views point into the arguments.
chat::Failure classify(std::string_view type, std::string_view code, std::string_view message, int status = 0);

/// What Google lists beside an error: how long to wait, and the type that the list makes of it: a key that is not known
/// comes as an INVALID_ARGUMENT, and a quota of the day like one of the minute.
struct ErrorDetails {
  std::optional<double> wait;
  std::string_view type;  ///< empty: as the error says
};
ErrorDetails details_of(json::Value error);

/// JSON text, piece by piece. Commas are put where they belong.
class JsonText {
 public:
  explicit JsonText(std::string& out) : out_(out) {}
  JsonText& open(char bracket);
  JsonText& close(char bracket);
  JsonText& key(std::string_view name);
  JsonText& string(std::string_view text);
  JsonText& number(std::uint64_t n);
  JsonText& number(std::int64_t n);
  JsonText& number(double d);
  JsonText& boolean(bool b);
  JsonText& null();
  /// JSON text as it is; it must be JSON.
  JsonText& raw(std::string_view json);
  // key and value at once
  JsonText& member(std::string_view name, std::string_view text) { return key(name).string(text); }

 private:
  void separate();
  std::string& out_;
  bool first_ = true;
};

}  // namespace BELAY_NAMESPACE::wire
