// Reads texts of which each is like the one before, as the events of a stream are.
#pragma once

#include <belay/json/reader.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace BELAY_NAMESPACE::json {
BELAY_API_BEGIN

/// Reads one whole text after the other. The verdict and the values are those of json::read(), always; but a text that
/// differs from the last one in strings and numbers only is not parsed again: what stands between them is compared, and
/// they are put into the values of the last one. Once it is warm such a text costs no allocation.
class SeriesReader {
 public:
  explicit SeriesReader(ReaderOptions options = {});

  /// Reads the next text. What was read before is gone.
  Verdict read(std::string_view text);
  /// The first value of the text. Call only when the verdict is neither broken nor truncated. Valid until the next
  /// read(), and only as long as the text stays where it is: strings may lie in it.
  [[nodiscard]] Value root() const { return {tape_, 0}; }

 private:
  // A string or number in the last text that was parsed.
  struct Leaf {
    std::size_t begin = 0, end = 0;  // its bytes there, without quotes
    std::size_t node = 0;
    bool string = false;
    bool varies = false;
  };
  void learn(std::string_view text, const Tape& tape);
  bool repeats(std::string_view text);
  static constexpr std::size_t kSame = static_cast<std::size_t>(-1), kOther = static_cast<std::size_t>(-2);
  std::size_t compare(std::string_view text);
  bool let_vary(std::size_t at);
  bool take(const Leaf& leaf, const char*& p, const char* end);
  bool take_string(const Leaf& leaf, const char*& p, const char* end);
  bool take_escaped(const Leaf& leaf, const char*& p, const char* end);
  bool take_number(const Leaf& leaf, const char*& p, const char* end);

  ReaderOptions options_;
  Reader reader_;
  const Tape* tape_ = nullptr;  // of the last text: the reader's or values_
  Verdict verdict_;             // of the shape

  // The shape: the last text that was worth it, its values, and what of it may be otherwise.
  std::string shape_;
  Tape values_;
  std::vector<Leaf> leaves_;
  std::vector<Leaf> varying_;  // those of leaves_ that vary, in the order of the text
  std::string plain_;          // strings with their escapes resolved
  std::size_t plain_used_ = 0;
  std::uint32_t useless_ = 0;  // shapes in a row that no text had
  std::uint32_t wait_ = 0;     // texts to pass before another is learned
  bool known_ = false, met_ = false;
};

BELAY_API_END
}  // namespace BELAY_NAMESPACE::json
