#include <belay/regex.h>

#include "regex/translate.h"

#include <re2/re2.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <string>
#include <utility>

namespace BELAY_NAMESPACE::regex {
namespace {

RE2::Options re2_options(std::size_t memory) {
  RE2::Options options;
  options.set_encoding(RE2::Options::EncodingUTF8);
  options.set_longest_match(false);
  options.set_case_sensitive(true);
  options.set_never_nl(false);
  options.set_never_capture(true);
  options.set_log_errors(false);
  // RE2 takes thirds of this, and 0 for no limit.
  options.set_max_mem(static_cast<std::int64_t>(std::clamp<std::size_t>(memory, 3, std::size_t{1} << 40)));
  return options;
}

class Re2Pattern final : public schema::Pattern {
 public:
  Re2Pattern(const std::string& re2, std::size_t memory) : re2_(re2, re2_options(memory)) {}

  [[nodiscard]] const RE2& re2() const { return re2_; }

  [[nodiscard]] bool found_in(std::string_view text) const override {
    // RE2 counts in std::size_t and in pointers; texts of more than 2 GiB are like others.
    return re2_.Match({text.data(), text.size()}, 0, text.size(), RE2::UNANCHORED, nullptr, 0);
  }

 private:
  RE2 re2_;
};

// Found in what is a pattern of ECMA-262, those that RE2 cannot match included.
class AnyRegex final : public schema::Pattern {
 public:
  [[nodiscard]] bool found_in(std::string_view text) const override { return is_ecma(text); }
};

class Re2Regexes final : public schema::Regexes {
 public:
  explicit Re2Regexes(RegexOptions options) : options_(options) {}

  [[nodiscard]] std::expected<std::unique_ptr<const schema::Pattern>, std::string> compile(
      std::string_view pattern) const override {
    if (pattern.size() > options_.pattern_bytes)
      return std::unexpected("the pattern has " + std::to_string(pattern.size()) + " bytes; at most " +
                             std::to_string(options_.pattern_bytes) + " are allowed (RegexOptions::pattern_bytes)");
    try {
      const std::expected<std::string, std::string> re2 = translate(pattern);
      if (!re2) return std::unexpected(re2.error());
      auto compiled = std::make_unique<const Re2Pattern>(*re2, options_.memory);
      if (compiled->re2().ok()) return compiled;
      if (compiled->re2().error_code() == RE2::ErrorPatternTooLarge)
        return std::unexpected("the pattern is too large: compiled, it needs more than " +
                               std::to_string(options_.memory) + " bytes (RegexOptions::memory)");
      return std::unexpected("RE2 refuses the pattern: " + compiled->re2().error());
    } catch (const std::exception& error) {
      return std::unexpected(std::string("the pattern cannot be compiled: ") + error.what());
    }
  }

  [[nodiscard]] std::unique_ptr<const schema::Pattern> patterns() const override {
    return std::make_unique<const AnyRegex>();
  }

 private:
  RegexOptions options_;
};

}  // namespace

std::unique_ptr<const schema::Regexes> make_regexes(RegexOptions options) {
  return std::make_unique<const Re2Regexes>(options);
}

bool is_regex(std::string_view pattern) { return is_ecma(pattern); }

}  // namespace BELAY_NAMESPACE::regex
