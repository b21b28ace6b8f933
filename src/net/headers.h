// Lines of a head: what may be sent, and what came.
#pragma once

#include <belay/net/client.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace BELAY_NAMESPACE::net {

/// The same letters, in whatever case; ASCII only.
bool same_name(std::string_view a, std::string_view b) noexcept;
/// Without blanks at both ends.
std::string_view trimmed(std::string_view text) noexcept;
/// RFC 9110's token: the name of a header or a method.
bool is_token(std::string_view text) noexcept;
/// No line break and no NUL: nothing that could begin another line.
bool is_value(std::string_view text) noexcept;

/// The head of an answer, line by line. Provisional answers (1xx) are forgotten when the next begins.
class HeadReader {
 public:
  enum class Step : unsigned char { more, complete, too_large };
  /// One line, with its end. After `complete` lines are trailers, and are passed over.
  Step line(std::string_view text);
  [[nodiscard]] const Head& head() const { return head_; }
  [[nodiscard]] bool complete() const { return complete_; }

 private:
  Head head_;
  std::size_t bytes_ = 0;
  bool complete_ = false;
};
/// Of all heads of one answer together; also that of single lines, where libcurl stops before.
inline constexpr std::size_t kAnswerHeadBytes = 256u << 10;

}  // namespace BELAY_NAMESPACE::net
