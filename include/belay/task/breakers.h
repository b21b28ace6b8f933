// Counts what goes wrong, and sees when a task goes round in circles.
#pragma once

#include <belay/task/settings.h>

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace BELAY_NAMESPACE::task {
BELAY_API_BEGIN

struct Mistake {
  std::string kind{};  ///< truncated, broken, guessed, schema, unknown_tool, failed, no_tool, empty, ...
  std::string tool{};
  std::uint64_t fingerprint = 0;  ///< of the arguments and the error
};

/// The same text always has the same one.
std::uint64_t fingerprint(std::string_view a, std::string_view b = {}, std::string_view c = {});

/// A result's text without the time in the line that ends it ("[exit code 1, 0.4 s]"): what takes longer today is the
/// same result.
std::string untimed(std::string_view text);

class Breakers {
 public:
  explicit Breakers(BreakerLimits limits = {}) : limits_(limits) {}

  void mistake(const Mistake& mistake);
  /// A call ran and did not fail.
  void success();
  /// A call and its result, in the order of the history.
  void acted(std::uint64_t call, std::uint64_t result);
  /// An answer without a call; one with nothing in it; one with a call.
  void no_tool();
  void empty();
  void used_tool();
  /// A person wants to go on: everything that is counted in a row begins anew.
  void reset();

  /// Why the task should stop, one sentence for a person, or nothing. The whole count has its own limit, which a person
  /// raises by the number of its first.
  [[nodiscard]] std::optional<std::string> tripped() const;

  [[nodiscard]] std::uint64_t mistakes() const { return all_; }
  [[nodiscard]] std::uint64_t nudges() const { return no_tool_; }
  [[nodiscard]] std::uint64_t empties() const { return empty_; }
  /// How often each kind of mistake was made with each tool: `kind` and `tool` joined by a space.
  [[nodiscard]] const std::map<std::string, std::uint64_t>& by_kind() const { return by_kind_; }

 private:
  [[nodiscard]] std::string the_last() const;
  struct Acted {
    std::uint64_t call{}, result{};
    bool operator==(const Acted&) const = default;
  };
  BreakerLimits limits_;
  std::uint64_t row_ = 0, same_ = 0, all_ = 0, all_limit_raised_ = 0;
  std::uint64_t no_tool_ = 0, empty_ = 0;
  std::optional<Mistake> last_;
  std::map<std::string, std::uint64_t> by_kind_;
  std::deque<Acted> acted_;
};

BELAY_API_END
}  // namespace BELAY_NAMESPACE::task
