// The words of records for what is one of several. They are part of the format: a name elsewhere may change, these may
// not while kRecordVersion stays.
#pragma once

#include <belay/task/record.h>

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

namespace BELAY_NAMESPACE::task {

/// The words of an enumeration, in the order of its values.
template <class E>
struct Stored;

/// False when a value was added to the enumeration and got no word.
template <class E>
constexpr bool has_all_words(E last) {
  return std::size(Stored<E>::words) == static_cast<std::size_t>(std::to_underlying(last)) + 1;
}

template <>
struct Stored<chat::Role> {
  static constexpr std::string_view words[] = {"system", "user", "assistant", "tool"};
};
static_assert(has_all_words(chat::Role::tool));

template <>
struct Stored<chat::Block::Kind> {
  static constexpr std::string_view words[] = {"text",      "reasoning",   "refusal", "image",
                                               "tool_call", "tool_result", "other"};
};
static_assert(has_all_words(chat::Block::Kind::other));

template <>
struct Stored<chat::StopReason> {
  static constexpr std::string_view words[] = {"end",     "tool_calls", "length",    "content_filter",
                                               "refusal", "pause",      "malformed", "none"};
};
static_assert(has_all_words(chat::StopReason::none));

template <>
struct Stored<json::Word> {
  static constexpr std::string_view words[] = {"valid", "mended", "split", "guessed", "truncated", "broken"};
};
static_assert(has_all_words(json::Word::broken));

template <>
struct Stored<tool::Effect> {
  static constexpr std::string_view words[] = {"read", "meta", "write", "execute"};
};
static_assert(has_all_words(tool::Effect::execute));

template <>
struct Stored<policy::Handling> {
  static constexpr std::string_view words[] = {"run", "run_say", "run_each", "run_first", "refuse", "ask", "text"};
};
static_assert(has_all_words(policy::Handling::text));

template <>
struct Stored<Said::Why> {
  static constexpr std::string_view words[] = {"person", "no_tool", "cut", "malformed", "refused"};
};
static_assert(has_all_words(Said::Why::refused));

template <>
struct Stored<Finding::Why> {
  static constexpr std::string_view words[] = {"ran",  "refused",     "denied",  "not_approved",
                                               "held", "interrupted", "aborted", "not_run"};
};
static_assert(has_all_words(Finding::Why::not_run));

template <>
struct Stored<Outcome::Became> {
  static constexpr std::string_view words[] = {"mended", "split", "guessed", "re_asked", "lost"};
};
static_assert(has_all_words(Outcome::Became::lost));

template <>
struct Stored<EndReason> {
  static constexpr std::string_view words[] = {"completed", "aborted", "turns",          "tokens", "cost",
                                               "time",      "stuck",   "authentication", "failed"};
};
static_assert(has_all_words(EndReason::failed));

template <class E>
constexpr std::string_view word_of(E value) {
  const auto i = static_cast<std::size_t>(std::to_underlying(value));
  return i < std::size(Stored<E>::words) ? Stored<E>::words[i] : std::string_view("?");
}

template <class E>
constexpr std::optional<E> value_of(std::string_view word) {
  for (std::size_t i = 0; i < std::size(Stored<E>::words); ++i)
    if (Stored<E>::words[i] == word) return static_cast<E>(i);
  return std::nullopt;
}

/// The words for the kinds of bodies, in the order of Body's alternatives.
inline constexpr std::string_view kKinds[] = {"created", "said",   "turn",    "intent", "finding", "approved", "todos",
                                              "child",   "folded", "changed", "failed", "outcome", "finished"};
static_assert(std::size(kKinds) == std::variant_size_v<Body>);

}  // namespace BELAY_NAMESPACE::task
