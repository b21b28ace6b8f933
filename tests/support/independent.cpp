#include "independent.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace belay::check {
namespace {

/// Builds a Tree from nlohmann's events. Its own value type would lose members that stand twice and digits of
/// integers beyond 64 bits; the events lose neither.
class Builder final : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit Builder(std::size_t max_depth) : max_depth_(max_depth) {}
  Independent result;

  bool null() override { return put(Tree::null()); }
  bool boolean(bool b) override { return put(Tree::boolean(b)); }
  /// Only numbers with a minus come here, so that a zero is -0.
  bool number_integer(number_integer_t n) override { return put(Tree::number(n == 0 ? "-0" : std::to_string(n))); }
  bool number_unsigned(number_unsigned_t n) override { return put(Tree::number(std::to_string(n))); }
  bool number_float(number_float_t, const string_t& text) override { return put(Tree::number(text)); }
  bool string(string_t& s) override { return put(Tree::string(s)); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(Tree::object()); }
  bool start_array(std::size_t) override { return open(Tree::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& k) override {
    auto& keys = open_.back().keys;
    result.repeats |= std::find(keys.begin(), keys.end(), k) != keys.end();
    keys.push_back(k);
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& e) override {
    if (e.id == 406) result.opinion = Opinion::unsure;  // a number beyond double
    return false;
  }

 private:
  bool put(Tree tree) {
    if (open_.empty())
      result.tree = std::move(tree);
    else
      open_.back().items.push_back(std::move(tree));
    return true;
  }
  bool open(Tree tree) {
    if (open_.size() >= max_depth_) {
      result.opinion = Opinion::unsure;
      return false;
    }
    open_.push_back(std::move(tree));
    return true;
  }
  bool close() {
    Tree done = std::move(open_.back());
    open_.pop_back();
    return put(std::move(done));
  }
  std::size_t max_depth_;
  std::vector<Tree> open_;
};

}  // namespace

Independent parse_independently(std::string_view text, std::size_t max_depth) {
  // nlohmann skips a byte order mark and takes NUL for the end of the text; RFC 8259 has neither in its grammar.
  if (text.starts_with("\xef\xbb\xbf") || text.find('\0') != text.npos) return {};
  Builder builder(max_depth);
  if (nlohmann::json::sax_parse(text.begin(), text.end(), &builder)) builder.result.opinion = Opinion::accepted;
  return std::move(builder.result);
}

}  // namespace belay::check
