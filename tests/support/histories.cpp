#include "support/histories.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace belay::check {

namespace {

using chat::Block;
using chat::Message;
using chat::Role;
using Kind = Block::Kind;

const std::vector<std::string> kNames = {"read_file", "write_to_file", "execute_command", "server__tool"};
const std::vector<std::string> kObjects = {
    "{}", R"({"path":"a.txt"})", R"({"path":"b","content":"line\nline \"quoted\" 漢😀"})",
    R"({ "list" : [1, 2.50, {"deep": [null, true]}], "n": 123456789012345678901234567890 })",
    R"({"text":"<tool>{}</tool>"})"};
const std::vector<std::string> kNoObjects = {"",
                                             "   ",
                                             "[1,2]",
                                             "7",
                                             "null",
                                             "\"text\"",
                                             "{",
                                             R"({"path": "hel)",
                                             R"({"a":1,"b":[1,2)",
                                             R"({'a': True,})",
                                             R"({"a":1}{"b":2})",
                                             "prose only",
                                             R"({"a":NaN})",
                                             "<path>a</path>",
                                             std::string("{\"a\":\"\x01\"}"),
                                             "}}}",
                                             "{{{{"};
constexpr std::string_view kPixel = "iVBORw0KGgoAAAANSUhEUg==";

Block image(std::size_t n) {
  Block block;
  block.kind = Kind::image;
  if (n % 2 == 0) {
    block.media_type = "image/png";
    block.data = std::string(kPixel) + std::to_string(n);
  } else {
    block.url = "https://example.org/" + std::to_string(n) + ".png";
  }
  return block;
}

Block reasoning(Choices& c, std::size_t n) {
  Block block;
  block.kind = Kind::reasoning;
  if (!c.once_in(4)) block.text = "thought " + std::to_string(n);
  if (block.text.empty() || c.flip()) block.opaque = {{"anthropic", "signature", "\"c2ln\""}};
  return block;
}

}  // namespace

std::vector<Message> whole_history(Choices& c, std::size_t turns) {
  std::vector<Message> out;
  std::size_t n = 0, id = 0;
  const auto text = [&](std::string what) { return chat::text_block(std::move(what) + " " + std::to_string(++n)); };
  const auto said = [&] {
    Message message{Role::user, {text("said")}, {}};
    if (c.once_in(4)) message.blocks.push_back(image(++n));
    if (c.once_in(6)) message.blocks.push_back(text("and said"));
    out.push_back(std::move(message));
  };
  if (c.once_in(4)) out.push_back({Role::system, {text("system")}, {}});
  said();
  for (std::size_t turn = c.below(turns + 1); turn > 0; --turn) {
    Message message{Role::assistant, {}, {}};
    Message results{Role::tool, {}, {}};
    if (c.once_in(3)) message.blocks.push_back(reasoning(c, ++n));
    if (c.flip()) message.blocks.push_back(text("answer"));
    for (std::size_t calls = c.below(4); calls > 0; --calls) {
      const std::string made = (c.once_in(5) ? "belay_" : "call_") + std::to_string(++id);
      message.blocks.push_back(chat::call_block(made, c.pick(kNames), c.pick(kObjects)));
      Block result = chat::result_block(made, "result " + std::to_string(++n), c.once_in(4));
      if (c.once_in(4)) result.content[0].text += "\n" + std::string(100 + c.below(20'000), 'x');
      if (c.once_in(5)) result.content.push_back(image(++n));
      if (c.once_in(8)) result.content.push_back(text("more"));
      if (c.once_in(8)) result.content.clear();
      results.blocks.push_back(std::move(result));
      if (c.once_in(6)) message.blocks.push_back(text("between"));
    }
    const auto is_thought = [](const Block& block) { return block.kind == Kind::reasoning; };
    if (std::ranges::all_of(message.blocks, is_thought)) message.blocks.push_back(text("only"));
    out.push_back(std::move(message));
    if (!results.blocks.empty()) out.push_back(std::move(results));
    if (c.once_in(8)) out.push_back({Role::system, {text("reminder")}, {}});
    if (out.back().role == Role::assistant || c.once_in(4)) said();
  }
  return out;
}

std::vector<Message> any_history(Choices& c) {
  const std::vector<std::string> ids = {"a", "b", "c", "belay_healed_1", ""};
  std::vector<Message> out;
  std::size_t n = 0;
  const auto block = [&](auto& self, std::size_t depth) -> Block {
    switch (c.below(8)) {
      case 0: return chat::text_block("text " + std::to_string(++n));
      case 1:
      case 2: return chat::call_block(c.pick(ids), c.once_in(6) ? "" : c.pick(kNames), c.pick(kObjects));
      case 3: return chat::call_block(c.pick(ids), c.pick(kNames), c.pick(kNoObjects));
      case 4:
      case 5: {
        Block result = chat::result_block(c.pick(ids), "result " + std::to_string(c.flip() ? 0 : ++n), c.flip());
        if (c.once_in(4)) result.content.push_back(image(++n));
        if (depth > 0 && c.once_in(4)) result.content.push_back(self(self, depth - 1));
        return result;
      }
      case 6: return c.flip() ? image(++n) : reasoning(c, ++n);
      default: return chat::text_block(c.flip() ? "" : " \n");
    }
  };
  for (std::size_t messages = c.below(9); messages > 0; --messages) {
    Message message{static_cast<Role>(c.below(4)), {}, {}};
    for (std::size_t blocks = c.below(5); blocks > 0; --blocks) message.blocks.push_back(block(block, 2));
    out.push_back(std::move(message));
  }
  return out;
}

std::vector<Message> broken_history(Choices& c) {
  std::vector<Message> out = whole_history(c);
  const auto some_block = [&]() -> Block& {
    Message& message = out[c.below(out.size())];
    if (message.blocks.empty()) message.blocks.push_back(chat::text_block("filled"));
    return message.blocks[c.below(message.blocks.size())];
  };
  for (std::size_t damage = 1 + c.below(3); damage > 0 && !out.empty(); --damage) {
    const std::size_t at = c.below(out.size()), other = c.below(out.size());
    Message& message = out[at];
    switch (c.below(11)) {
      case 0: out.erase(out.begin() + static_cast<std::ptrdiff_t>(at)); break;
      case 1: std::swap(message, out[other]); break;
      case 2: out.insert(out.begin() + static_cast<std::ptrdiff_t>(at), Message(out[other])); break;
      case 3: message.role = static_cast<Role>(c.below(4)); break;
      case 4: std::ranges::reverse(message.blocks); break;
      case 5:
        if (!message.blocks.empty()) message.blocks.pop_back();
        break;
      case 6: {
        Block moved = some_block();
        out[other].blocks.push_back(std::move(moved));
        break;
      }
      case 7: some_block().id = some_block().id; break;
      case 8: some_block().arguments = c.pick(kNoObjects); break;
      case 9: some_block().name.clear(); break;
      default: {
        const auto place = out.begin() + static_cast<std::ptrdiff_t>(at);
        out.insert(place, {static_cast<Role>(c.below(4)), {chat::text_block("between")}, {}});
        break;
      }
    }
  }
  return out;
}

namespace {

template <class See>
void see_all(const std::vector<Block>& blocks, See see) {
  for (const Block& block : blocks) {
    see(block);
    see_all(block.content, see);
  }
}

}  // namespace

std::vector<std::string> texts_of(const std::vector<Message>& history) {
  std::vector<std::string> out;
  for (const Message& message : history)
    see_all(message.blocks, [&](const Block& block) {
      if (block.kind == Kind::text) out.push_back(block.text);
    });
  return out;
}

std::vector<std::string> images_of(const std::vector<Message>& history) {
  std::vector<std::string> out;
  for (const Message& message : history)
    see_all(message.blocks, [&](const Block& block) {
      if (block.kind == Kind::image) out.push_back(block.data + block.url);
    });
  return out;
}

}  // namespace belay::check
