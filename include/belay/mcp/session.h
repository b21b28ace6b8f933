// A client's session with one server, as a state machine: facts in, outputs out. Pure: no clock, no thread, no I/O.
#pragma once

#include <belay/mcp/types.h>

#include <cstdint>
#include <deque>
#include <expected>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace BELAY_NAMESPACE::mcp {

/// Every bound of a session. An error or a note that comes from one names it; the server's entry in mcp.json raises it
/// with `"limits": {"NAME": VALUE}`.
struct SessionLimits {
  std::size_t pages = 100;               ///< of one list
  std::size_t tools = 1000;              ///< of one server
  std::size_t list_bytes = 16ull << 20;  ///< of all definitions of one list
  std::size_t requests = 10'000;         ///< of ours, waiting for their answers
  std::size_t asks = 16;                 ///< of the server, waiting for a person or a model
  std::size_t questions = 100;           ///< of the server altogether, from one start to the next
  std::size_t rounds = 8;                ///< that one request may ask for input
  std::size_t log_lines = 100;           ///< kept until they are taken; older ones are dropped and counted
  std::size_t log_bytes = 64ull << 10;   ///< of those lines
  bool operator==(const SessionLimits&) const = default;
};

struct SessionOptions {
  ClientFacts facts{};        ///< what is offered; what is not offered is refused
  std::vector<Root> roots{};  ///< answers to roots/list, when facts.roots says so
  bool http = false;          ///< cancelling closes the exchange in 2026-07-28, rather than sending a notification
  Version newest = Version::v2025_11_25;  ///< that initialize asks for
  /// Ask with server/discover before initialize. Off: initialize comes first, which costs servers of today nothing;
  /// one that knows only 2026-07-28 answers with an error, and is asked in its own way then.
  bool discover_first = false;
  std::int64_t startup_ms = 30'000;  ///< from start() until the tools are listed
  std::int64_t list_ms = 30'000;     ///< for one page of a later list
  std::int64_t relist_ms = 250;      ///< between the end of a list and the next, however often the server says changed
  SessionLimits limits{};
  CodecLimits codec{};
  std::string place = "its definition";  ///< where time-outs are raised
};

/// Why there is no result.
struct Failure {
  enum class Kind : std::uint8_t {
    answered,  ///< by the server, with an error: `code`
    timeout,
    cancelled,  ///< by us
    closed,     ///< the server has gone, or was closed
    garbage,    ///< what came as the answer cannot be read
    refused,    ///< a limit of ours, or something that we do not do
    transport,  ///< HTTP: a status, a content type, a connection; `code` is the status, if there was one
  };
  Kind kind = Kind::closed;
  std::string message;  ///< one sentence; what the server says is in it as it came, bounded
  std::int64_t code = 0;
  /// The request may have reached the server, which did not say what became of it: it may be done, or half of it.
  bool unknown = false;
  bool operator==(const Failure&) const = default;
};
std::string_view name(Failure::Kind) noexcept;
using Answer = std::expected<Payload, Failure>;

/// A request of ours, for as long as it waits. A request of MCP may need several exchanges; the ticket stays the same.
using Ticket = std::uint64_t;

struct RequestOptions {
  std::int64_t timeout_ms = 60'000;  ///< without an answer and without progress
  std::int64_t total_ms = 600'000;   ///< progress or not
  bool progress = false;             ///< the server may say how far it is
};

/// A message to send. `request` is the number of the request that it is, 0 for any other message.
struct Send {
  std::string text;
  std::uint64_t request = 0;
  std::string method{}, name{};      ///< of a request; name: of the tool, the prompt or the resource
  std::optional<Version> version{};  ///< that was agreed on, or is tried; nothing before that
  /// Parameters of a call that are wanted in headers, too: names and plain values. Only over HTTP, from 2026-07-28 on.
  std::vector<std::pair<std::string, std::string>> headers{};
};
/// The answer to this exchange is not waited for any more.
struct Abandon {
  std::uint64_t request = 0;
};
struct Done {
  Ticket ticket = 0;
  Answer answer;
};
struct Progressed {
  Ticket ticket = 0;
  Progress progress;
};
/// The server wants something of the person (elicitation/create) or of a model (sampling/createMessage).
struct Ask {
  std::uint64_t number = 0;
  std::string method;
  Payload params;
  bool first = false;  ///< the request that brought it about is sent again when it is accepted
};
/// Nobody waits for the answer to this any more.
struct AskDropped {
  std::uint64_t number = 0;
};
/// The tools are listed, for the first time or anew.
struct Listed {
  bool changed = false;
};
using Output = std::variant<Send, Abandon, Done, Progressed, Ask, AskDropped, Listed>;

/// What was odd about a server. Nothing of it is kept but the numbers.
struct Oddities {
  std::uint64_t noise = 0;           ///< lines that are no JSON
  std::uint64_t garbage = 0;         ///< JSON that is no message
  std::uint64_t unknown_ids = 0;     ///< answers to requests that nobody made
  std::uint64_t late = 0;            ///< answers to requests that were given up
  std::uint64_t duplicates = 0;      ///< second answers
  std::uint64_t refused = 0;         ///< requests of the server that were refused
  std::uint64_t dropped_logs = 0;    ///< lines of its log
  std::uint64_t stray_progress = 0;  ///< of requests that do not wait
  bool operator==(const Oddities&) const = default;
};

/// One session. Times are milliseconds of any clock that does not go back. Not thread-safe. Memory is bounded by the
/// limits and by what waits. After every call, take() has what is to be done, in order.
class Session {
 public:
  using Time = std::int64_t;
  enum class Phase : std::uint8_t { idle, introducing, listing, ready, failed };

  explicit Session(SessionOptions options = {});

  void start(Time now);
  /// A line of stdout, the body of an answer, the data of an event. `exchange`: the request whose body it is, if that
  /// is known; an error without an id is the answer to it.
  void on_text(std::string_view text, Time now, std::uint64_t exchange = 0);
  /// The exchange of this request failed; nothing was answered.
  void on_exchange_failed(std::uint64_t request, Failure failure, Time now);
  /// The server does not know this session any more (HTTP 404): it begins again, once, and what was not answered is
  /// sent again. A second time without an answer in between the request fails. `current` false: it was the session
  /// before this one; the request alone is sent again.
  void on_session_lost(std::uint64_t request, Time now, bool current = true);
  /// The transport is closed: everything that waits fails.
  void on_closed(std::string reason, Time now);
  void on_time(Time now);
  /// When on_time() has something to do.
  [[nodiscard]] std::optional<Time> deadline() const;

  /// `params` is JSON text of an object, or empty. Sent at once, or when the introduction is over. A Done with this
  /// ticket follows exactly once, whatever happens.
  Ticket request(std::string method, std::string params, const RequestOptions& options, Time now);
  void cancel(Ticket ticket, std::string_view reason, Time now);
  void notify(std::string_view method, std::string_view params);
  /// The result of an Ask as JSON text, or a sentence why there is none.
  void answer(std::uint64_t ask, const std::expected<std::string, std::string>& result, Time now);

  [[nodiscard]] std::vector<Output> take();

  [[nodiscard]] Phase phase() const { return phase_; }
  [[nodiscard]] const Failure& failure() const { return failure_; }  ///< in phase failed
  [[nodiscard]] std::optional<Version> version() const { return version_; }
  [[nodiscard]] const Introduction& server() const { return server_; }
  [[nodiscard]] const std::vector<ToolDefinition>& tools() const { return tools_; }
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }  ///< about the last list
  [[nodiscard]] const Oddities& oddities() const { return oddities_; }
  [[nodiscard]] const std::string& first_noise() const { return first_noise_; }  ///< for who looks for the reason
  [[nodiscard]] bool waits_for(std::uint64_t request) const { return waiting_.contains(request); }
  [[nodiscard]] std::size_t waiting() const { return waiting_.size() + held_.size(); }
  [[nodiscard]] std::vector<LogLine> take_log();

 private:
  enum class Use : std::uint8_t { person, initialize, discover, list, listen };
  struct Waiting {
    Ticket ticket = 0;
    Use use = Use::person;
    std::string method, params;
    RequestOptions options;
    Time deadline = 0, last = 0;  // last: progress or not
    std::size_t rounds = 0;
    bool sent_again = false;
  };
  // A request between two of its exchanges.
  struct Gathering {
    Waiting waiting;
    std::optional<std::string> state;
    std::map<std::string, std::string> answers;
    std::set<std::uint64_t> asks;
    std::optional<Failure> refused{};  // pages to be visited first: what it comes to when one is not
  };
  struct Asked {
    Id id{};               // of the server's request; none when it came in a result
    Ticket gathering = 0;  // then this
    std::string key;
    bool elicitation = false;
  };

  void put_out(Waiting waiting, Time now);
  void fail(Waiting&& waiting, Failure failure, Time now);
  void fail_all(const Failure& failure, Time now);
  void give_up(Failure failure, Time now);
  void retire(std::uint64_t request);
  void introduce(Use use, Version version, Time now);
  void introduced(const Waiting& waiting, const Payload& result, Time now);
  void introduction_failed(const Waiting& waiting, Failure failure, const Payload& data, Time now);
  void begin_listing(Time now);
  void next_page(Time now);
  void listed_page(const Payload& result, Time now);
  void end_listing(Time now);
  void become_ready(Time now);
  void on_message(const Message& message, Time now);
  void on_answer(const Message& message, Time now);
  void on_result(Waiting&& waiting, const Payload& result, Time now);
  void on_request(const Message& message);
  void on_notification(const Message& message, Time now);
  void refuse(const Message& message, std::int64_t code, std::string_view why);
  void gather(Waiting&& waiting, const InputRequired& wanted, Time now);
  void visit(Waiting&& waiting, const std::vector<Payload>& pages, Failure failure, Time now);
  void not_visited(Ticket ticket, Time now);
  void gathered(Ticket ticket, Time now);
  [[nodiscard]] std::string too_many_asks(std::size_t more) const;
  std::uint64_t open_ask(Asked asked, std::string method, Payload params, bool first = false);
  void keep_log(LogLine line);
  [[nodiscard]] std::string noise() const;

  SessionOptions options_;
  Phase phase_ = Phase::idle;
  Failure failure_;
  std::optional<Version> version_;
  Introduction server_;
  std::vector<Output> outputs_;
  std::uint64_t next_ = 1;                    // the number of the next request
  std::uint64_t next_ask_ = 1;                // one more than were asked so far
  std::map<std::uint64_t, Waiting> waiting_;  // by number
  std::map<Ticket, std::uint64_t> numbers_;   // of those that are a person's
  std::deque<Waiting> held_;                  // until the introduction is over
  std::map<Ticket, Gathering> gathering_;
  std::map<std::uint64_t, Asked> asks_;
  std::deque<std::uint64_t> retired_;  // given up lately
  Time startup_ = 0;
  bool tried_initialize_ = false, tried_discover_ = false, tried_older_ = false, lost_ = false, listed_once_ = false;
  std::string first_error_;

  // The list under way.
  std::vector<ToolDefinition> tools_, listing_;
  std::vector<std::string> notes_, listing_notes_;
  std::set<std::string> listing_names_, cursors_;
  std::string cursor_;
  std::size_t pages_ = 0, listing_bytes_ = 0;
  bool list_running_ = false, list_wanted_ = false;
  Time list_ended_ = 0;

  Oddities oddities_;
  std::string first_noise_;
  std::deque<LogLine> log_;
  std::size_t log_bytes_ = 0;
};

}  // namespace BELAY_NAMESPACE::mcp
