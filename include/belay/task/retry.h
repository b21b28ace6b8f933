// When a request that failed is sent again. Policy only: who performs it keeps the time.
#pragma once

#include <belay/chat.h>
#include <belay/task/settings.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace BELAY_NAMESPACE::task {
BELAY_API_BEGIN

/// Why a request did not lead to an answer.
struct Trouble {
  std::string kind{};  ///< of chat::Failure, or `connection`, `timeout`, `stream_broke_off`, `too_long`, ...
  std::string message{};
  bool retryable = false;               ///< what the wire makes of it
  std::optional<double> retry_after{};  ///< seconds from now
  chat::Usage usage{};                  ///< what the provider counted before it failed
  /// About how many tokens of an answer came before it failed. Nothing: no answer had begun, and nothing is counted.
  std::optional<std::uint64_t> came{};
  bool operator==(const Trouble&) const = default;
};

struct Retry {
  bool again = false;
  std::int64_t delay = 0;  ///< milliseconds
  std::string why_not{};   ///< one sentence, when it is not sent again
  bool operator==(const Retry&) const = default;
};

/// Whether and when to send it again: exponential backoff with full jitter, or what the server asked for. Never for
/// quota, spending limits, authentication, or what would fail the same way. `attempt` counts from 1, `random` is any
/// number.
Retry retry(const RetryLimits& limits, const Trouble& trouble, std::uint64_t attempt, std::uint64_t random);

/// The header's value in seconds: `120`, `1.5`, an HTTP date (three spellings) after `now`; milliseconds of
/// `retry-after-ms`; durations such as `1m30s`. Nothing when it cannot be read. Never negative.
std::optional<double> retry_after(std::string_view value, std::int64_t now);

/// The same numbers from the same seed, everywhere.
std::uint64_t random_number(std::uint64_t seed, std::uint64_t n);

BELAY_API_END
}  // namespace BELAY_NAMESPACE::task
