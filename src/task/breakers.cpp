#include <belay/task/breakers.h>

#include <algorithm>

namespace BELAY_NAMESPACE::task {

std::uint64_t fingerprint(std::string_view a, std::string_view b, std::string_view c) {
  // FNV-1a, with the lengths in it, so that ("ab", "c") and ("a", "bc") differ. Nobody gains by a collision here.
  std::uint64_t h = 0xcbf29ce484222325u;
  auto add = [&](std::string_view s) {
    for (char ch : s) h = (h ^ static_cast<unsigned char>(ch)) * 0x100000001b3u;
    h = (h ^ s.size()) * 0x100000001b3u;
  };
  add(a);
  add(b);
  add(c);
  return h;
}

std::string untimed(std::string_view text) {
  std::string out(text);
  const std::size_t line = text.rfind('\n') + 1;  // without one, the beginning
  if (!text.ends_with(']') || text[line] != '[') return out;
  for (std::size_t unit = text.find(" s", line); unit != text.npos; unit = text.find(" s", unit + 1)) {
    const std::size_t before = text.find_last_not_of("0123456789.", unit - 1);
    if (before + 1 == unit || text.find_first_of("];", unit) != unit + 2) continue;
    return out.erase(before + 1, unit - before - 1);
  }
  return out;
}

void Breakers::mistake(const Mistake& m) {
  const bool same = last_ && last_->kind == m.kind && last_->tool == m.tool && last_->fingerprint == m.fingerprint;
  same_ = same ? same_ + 1 : 1;
  last_ = m;
  ++row_;
  ++all_;
  ++by_kind_[m.tool.empty() ? m.kind : m.kind + " " + m.tool];
}

void Breakers::success() {
  row_ = 0;
  same_ = 0;
  last_.reset();
}

void Breakers::acted(std::uint64_t call, std::uint64_t result) {
  acted_.push_back({call, result});
  while (acted_.size() > limits_.cycle * limits_.repeats) acted_.pop_front();
}

void Breakers::no_tool() {
  ++no_tool_;
  ++all_;
  ++by_kind_["no_tool"];
}

void Breakers::empty() {
  ++empty_;
  ++all_;
  ++by_kind_["empty"];
}

void Breakers::used_tool() {
  no_tool_ = 0;
  empty_ = 0;
}

void Breakers::reset() {
  row_ = same_ = no_tool_ = empty_ = 0;
  last_.reset();
  acted_.clear();
  if (all_ >= limits_.mistakes_in_all + all_limit_raised_) all_limit_raised_ = all_;
}

// What the last mistake was, as the end of a sentence.
std::string Breakers::the_last() const {
  if (!last_) return {};
  if (last_->kind == "cut" || last_->kind == "truncated")
    return "; the last answer was cut off, and --max-tokens raises the output limit";
  return "; the last: " + last_->kind + (last_->tool.empty() ? "" : ", " + last_->tool);
}

std::optional<std::string> Breakers::tripped() const {
  auto times = [](std::uint64_t n) { return std::to_string(n) + (n == 1 ? " time" : " times"); };
  // A limit of nothing means the first one: without any there is nothing to speak of.
  if (same_ > 0 && same_ >= limits_.same_mistake) {
    if (last_->kind == "cut")
      return "the answer was cut off at the output limit " + times(same_) + " in a row; --max-tokens raises that limit";
    if (last_->kind == "truncated")
      return "the call of " + (last_->tool.empty() ? "a tool" : last_->tool) + " was cut off " + times(same_) +
             " in a row; where the output limit does it, --max-tokens raises that limit";
    return "the same mistake was made " + times(same_) + " in a row (" + last_->kind +
           (last_->tool.empty() ? "" : ", " + last_->tool) + ")";
  }
  if (row_ > 0 && row_ >= limits_.mistakes) return std::to_string(row_) + " mistakes were made in a row" + the_last();
  if (all_ > all_limit_raised_ && all_ >= limits_.mistakes_in_all + all_limit_raised_)
    return std::to_string(all_) + " mistakes were made in all";
  if (no_tool_ > limits_.nudges) return "the model answered without a call " + times(no_tool_) + " in a row";
  if (empty_ > limits_.empty) return "the model answered with nothing " + times(empty_) + " in a row";
  // A round of n calls that came `repeats` times in a row, each call with the result that it had before.
  for (std::size_t n = 1; n <= limits_.cycle; ++n) {
    const std::size_t all = n * limits_.repeats;
    if (limits_.repeats < 2 || acted_.size() < all) break;
    auto begin = acted_.end() - static_cast<std::ptrdiff_t>(all);
    if (std::equal(begin, acted_.end() - static_cast<std::ptrdiff_t>(n), begin + static_cast<std::ptrdiff_t>(n)))
      return n == 1 ? "the same call gave the same result " + times(limits_.repeats) + " in a row"
                    : std::to_string(n) + " calls with the same results went round " + times(limits_.repeats);
  }
  return std::nullopt;
}

}  // namespace BELAY_NAMESPACE::task
