#include "regex/search.h"

#include <re2/re2.h>

#include <utility>

namespace BELAY_NAMESPACE::regex {
namespace {

re2::RE2::Options options_for(const RegexOptions& options) {
  re2::RE2::Options out;
  out.set_log_errors(false);
  out.set_max_mem(static_cast<std::int64_t>(options.memory));
  return out;
}

}  // namespace

struct Search::Compiled {
  Compiled(std::string_view pattern, const RegexOptions& options)
      : re2(re2::StringPiece(pattern.data(), pattern.size()), options_for(options)) {}
  re2::RE2 re2;
};

Search::Search(std::unique_ptr<const Compiled> compiled) : compiled_(std::move(compiled)) {}
Search::Search(Search&&) noexcept = default;
Search& Search::operator=(Search&&) noexcept = default;
Search::~Search() = default;

std::expected<Search, std::string> Search::compile(std::string_view pattern, const RegexOptions& options) {
  if (pattern.size() > options.pattern_bytes)
    return std::unexpected("the pattern is longer than " + std::to_string(options.pattern_bytes) + " bytes");
  auto compiled = std::make_unique<const Compiled>(pattern, options);
  if (!compiled->re2.ok()) return std::unexpected(compiled->re2.error());
  return Search(std::move(compiled));
}

std::optional<Search::Match> Search::find(std::string_view text) const {
  re2::StringPiece found;
  if (!compiled_->re2.Match(re2::StringPiece(text.data(), text.size()), 0, text.size(), re2::RE2::UNANCHORED, &found,
                            1))
    return std::nullopt;
  const auto from = static_cast<std::size_t>(found.data() - text.data());
  return Match{from, from + found.size()};
}

}  // namespace BELAY_NAMESPACE::regex
