#include "support/task_bodies.h"

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <string_view>

// All structs are made in one piece, member by member: one that is forgotten here is a warning of the compiler.

namespace belay::check {

namespace {

using namespace task;

template <class E>
E any_of(Choices& c, E last) {
  return static_cast<E>(c.below(static_cast<std::size_t>(last) + 1));
}

std::uint64_t any_count(Choices& c) {
  switch (c.below(6)) {
    case 0: return 0;
    case 1: return c.below(1000);
    case 2: return std::numeric_limits<std::uint64_t>::max() - c.below(3);
    case 3: return (std::uint64_t{1} << c.below(64)) - c.below(2);
    case 4: return 1;
    default: return c.below(std::size_t{1} << 40);
  }
}

std::int64_t any_integer(Choices& c) { return std::bit_cast<std::int64_t>(any_count(c)); }

double any_double(Choices& c) {
  constexpr double odd[] = {0,
                            -0.0,
                            0.1,
                            1e-7,
                            1e300,
                            -2.5,
                            std::numeric_limits<double>::max(),
                            std::numeric_limits<double>::denorm_min(),
                            std::numeric_limits<double>::infinity(),
                            -std::numeric_limits<double>::infinity(),
                            1.0 / 3};
  if (c.flip()) return c.pick(odd);
  const std::uint64_t high = c.below(std::size_t{1} << 32), low = c.below(std::size_t{1} << 32);
  const auto d = std::bit_cast<double>(high << 32 | low);
  return std::isnan(d) ? 7 : d;
}

template <class Make>
auto some(Choices& c, std::size_t most, Make make) {
  std::vector<decltype(make())> out;
  for (std::size_t n = c.below(most + 1); n > 0; --n) out.push_back(make());
  return out;
}

std::vector<std::string> any_texts(Choices& c) {
  return some(c, 3, [&] { return any_text(c); });
}

std::vector<chat::Opaque> any_opaque(Choices& c) {
  if (!c.once_in(4)) return {};
  return some(c, 2, [&] { return chat::Opaque{any_text(c), any_text(c), any_text(c)}; });
}

chat::Usage any_usage(Choices& c) {
  const auto maybe = [&]() -> std::optional<std::uint64_t> {
    if (c.flip()) return std::nullopt;
    return any_count(c);
  };
  return {maybe(), maybe(), maybe(), maybe(), maybe()};
}

Budget any_budget(Choices& c) {
  if (c.once_in(3)) return {};
  return {any_count(c), any_count(c), any_double(c), any_integer(c), any_count(c), any_count(c)};
}

Settings any_settings(Choices& c) {
  if (c.once_in(3)) return {};
  return {any_text(c),
          any_text(c),
          any_text(c),
          any_text(c),
          any_count(c),
          any_count(c),
          c.flip(),
          c.flip(),
          any_budget(c),
          {any_double(c), any_double(c), any_double(c), any_double(c)},
          {any_count(c), any_count(c), any_count(c), any_count(c), any_count(c), any_count(c), any_count(c)},
          {any_count(c), any_integer(c), any_integer(c), any_integer(c), any_count(c)},
          {any_count(c), any_double(c), any_count(c)},
          any_count(c),
          any_text(c),
          any_text(c),
          any_text(c),
          any_text(c)};
}

PlannedCall any_call(Choices& c, const chat::Message& message) {
  PlannedCall call{any_text(c),
                   any_text(c),
                   any_text(c),
                   any_of(c, tool::Effect::execute),
                   any_of(c, policy::Handling::text),
                   any_texts(c),
                   c.flip(),
                   any_text(c),
                   any_text(c),
                   any_text(c),
                   any_text(c),
                   {any_of(c, json::Word::broken), any_texts(c), any_text(c)}};
  // Often a call of the message, with its arguments, or nearly.
  if (!message.blocks.empty() && !c.once_in(3)) {
    const chat::Block& block = c.pick(message.blocks);
    call.id = block.id;
    if (c.flip()) call.runs = {block.arguments};
    if (c.once_in(4)) call.runs.push_back(block.arguments);
  }
  return call;
}

Turn any_turn(Choices& c) {
  Turn turn{any_message(c), {},           any_of(c, chat::StopReason::none), any_text(c), any_usage(c), any_usage(c),
            any_text(c),    any_double(c)};
  turn.calls = some(c, 3, [&] { return any_call(c, turn.message); });
  return turn;
}

}  // namespace

std::string any_text(Choices& c) {
  using namespace std::string_view_literals;
  static constexpr std::array parts = {"a"sv,    "word "sv, "\n"sv,     "\r\n"sv, "\t"sv,     "\""sv,      "\\"sv,
                                       "\0"sv,   "\x01"sv,  "\x7f"sv,   "é"sv,    "漢"sv,     "😀"sv,      "\u2028"sv,
                                       "{"sv,    "}"sv,     "[],"sv,    "/"sv,    "\ufeff"sv, "\\u0041"sv, "\uffff"sv,
                                       "null"sv, "{}"sv,    "call_1"sv, "0"sv,    "\b\f"sv,   "'"sv,       "</x>"sv};
  std::string out;
  for (std::size_t n = c.below(5); n > 0; --n) out += c.pick(parts);
  return out;
}

chat::Block any_block(Choices& c, std::size_t depth) {
  chat::Block block;
  block.kind = any_of(c, chat::Block::Kind::other);
  if (c.once_in(8))  // all at once
    return {block.kind,  any_text(c),  any_text(c),
            any_text(c), any_text(c),  any_text(c),
            any_text(c), any_text(c),  some(c, depth > 0 ? 2 : 0, [&] { return any_block(c, depth - 1); }),
            c.flip(),    any_opaque(c)};
  block.text = any_text(c);
  block.opaque = any_opaque(c);
  if (block.kind == chat::Block::Kind::tool_call || block.kind == chat::Block::Kind::tool_result) {
    block.id = c.flip() ? "call_1" : any_text(c);
    block.name = any_text(c);
    block.arguments = any_text(c);
    block.is_error = c.flip();
    if (depth > 0) block.content = some(c, 2, [&] { return any_block(c, depth - 1); });
  }
  return block;
}

std::vector<chat::Block> any_blocks(Choices& c) {
  return some(c, 3, [&] { return any_block(c); });
}

chat::Message any_message(Choices& c) { return {any_of(c, chat::Role::tool), any_blocks(c), any_opaque(c)}; }

task::Body any_body(Choices& c, std::size_t index) {
  switch (index) {
    case 0:
      return Created{any_settings(c),
                     any_blocks(c),
                     any_text(c),
                     any_text(c),
                     any_text(c),
                     any_count(c),
                     some(c, 3, [&] { return any_message(c); }),
                     any_texts(c),
                     any_text(c)};
    case 1: return Said{any_of(c, Said::Why::refused), any_blocks(c)};
    case 2: return any_turn(c);
    case 3: return Intent{any_text(c), any_count(c), c.flip()};
    case 4:
      return Finding{any_text(c),   any_count(c), c.flip(),      any_of(c, Finding::Why::not_run),
                     any_blocks(c), c.flip(),     any_integer(c)};
    case 5: return Approved{any_text(c), any_text(c), any_count(c), any_text(c), c.flip(), any_text(c)};
    case 6: return Todos{any_text(c)};
    case 7: return ChildStarted{any_text(c), any_text(c)};
    case 8: return Folded{any_texts(c), any_count(c), any_text(c), any_usage(c), any_usage(c), any_double(c)};
    case 9: return Changed{any_count(c), any_count(c), any_count(c), any_budget(c), c.flip(), c.flip(), any_integer(c)};
    case 10:
      return RequestFailed{any_text(c), any_text(c), any_count(c), c.flip(), any_usage(c), any_usage(c), any_double(c)};
    case 11:
      return Outcome{any_text(c),
                     any_text(c),
                     any_text(c),
                     any_texts(c),
                     any_of(c, json::Word::broken),
                     any_of(c, Outcome::Became::lost)};
    default: return Finished{any_of(c, EndReason::failed), any_text(c), any_text(c)};
  }
}

}  // namespace belay::check
