// The other direction: tools, calls and results as text, for models without native tools.
#pragma once

#include <belay/base.h>
#include <belay/chat/message.h>

#include <expected>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace BELAY_NAMESPACE::text {
BELAY_API_BEGIN

/// A call to be written.
struct Call {
  std::string name{};
  std::string arguments{};  ///< JSON text of an object; empty for none
  std::string id{};         ///< empty for none; written where the format has a place for it
};

/// What a call gave, to be written. Name and arguments are those of the call, as far as they are known.
struct Result {
  std::string name{};
  std::string arguments{};
  std::string id{};
  std::string text{};
  bool is_error = false;
};

/// Why a call cannot be written so that it is read back as the same call.
struct Unwritable {
  std::string call{};       ///< the name of the call
  std::string parameter{};  ///< which of its parameters; empty when it is the call as a whole
  std::string reason{};     ///< one sentence
  bool operator==(const Unwritable&) const = default;
};

struct DialectState;

/// What the definitions say besides the tools.
struct Rules {
  chat::ToolChoice choice{};  ///< that a tool must be used, or which; `none` has no words of its own
  bool parallel = true;       ///< several calls in one message, where the format allows it
};

/// How one format of formats() writes tools, calls and results into a prompt. What write_call() writes was read back by
/// a Decoder of the same format and tools: the same call, valid, without edits. Results and definitions are for the
/// model's eyes: they are not escaped, except where the format puts them into JSON. Pure; immutable once made, so that
/// threads may share it. Linear in what is written.
class Dialect {
 public:
  /// The tools say which types parameters have, which formats with raw text need. An unknown format, `auto` and `none`
  /// count as `xml`; see known_format().
  explicit Dialect(std::string_view format, std::span<const chat::Tool> tools = {}, Limits limits = {});
  ~Dialect();
  Dialect(Dialect&&) noexcept;
  Dialect& operator=(Dialect&&) noexcept;

  /// The format that is written.
  [[nodiscard]] std::string_view format() const;
  /// The section of a system prompt that states the rules, and has all tools in it. Empty without tools.
  [[nodiscard]] std::string define(const Rules& rules = {}) const;
  [[nodiscard]] std::expected<std::string, Unwritable> write_call(const Call& call) const;
  /// Several calls of one message, with what the format puts around them.
  [[nodiscard]] std::expected<std::string, Unwritable> write_calls(std::span<const Call> calls) const;
  [[nodiscard]] std::string write_result(const Result& result) const;
  /// Several results of one message.
  [[nodiscard]] std::string write_results(std::span<const Result> results) const;

  /// The same request without tools: definitions behind the system message, calls in the assistant's text, results in
  /// the user's, images of results behind them. History never fails: a call that cannot be written exactly is written
  /// as closely as the format can; one whose arguments are no object is told in words. Blocks of other kinds stay.
  [[nodiscard]] static chat::Request rewrite(std::string_view format, chat::Request request, Limits limits = {});

 private:
  std::unique_ptr<const DialectState> state_;
};

BELAY_API_END
}  // namespace BELAY_NAMESPACE::text
