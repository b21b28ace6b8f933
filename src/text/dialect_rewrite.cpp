// A request with tools to one without: everything as text.
#include "text/dialect_state.h"

#include <algorithm>
#include <map>
#include <utility>

namespace BELAY_NAMESPACE::text {
namespace {

using chat::Block;
using chat::Message;
using chat::Role;

// Fields that only mean something with tools.
bool about_tools(const chat::Opaque& opaque) {
  constexpr std::string_view kKeys[] = {"@tools",    "@toolConfig",   "@functionCallingConfig",
                                        "tools",     "tool_choice",   "toolConfig",
                                        "functions", "function_call", "parallel_tool_calls"};
  return std::find(std::begin(kKeys), std::end(kKeys), opaque.key) != std::end(kKeys);
}

// Texts side by side are one, so that wires without parts keep the line breaks between them.
void add_text(std::vector<Block>& blocks, std::string text) {
  if (text.empty()) return;
  if (blocks.empty() || blocks.back().kind != Block::Kind::text) {
    blocks.push_back(chat::text_block(std::move(text)));
    return;
  }
  std::string& before = blocks.back().text;
  if (!before.empty()) before += before.ends_with("\n\n") ? "" : before.ends_with('\n') ? "\n" : "\n\n";
  before += text;
}

std::string text_of(const Block& result) {
  std::string out = result.text;
  for (const Block& part : result.content) {
    if (part.kind != Block::Kind::text) continue;
    if (!out.empty() && !out.ends_with('\n')) out += '\n';
    out += part.text;
  }
  return out;
}

class Rewriter {
 public:
  Rewriter(const DialectState& state, const Dialect& dialect) : state_(state), dialect_(dialect) {}

  std::vector<Message> run(std::vector<Message> messages) {
    for (Message& message : messages) {
      if (message.role == Role::assistant)
        assistant(std::move(message));
      else if (message.role == Role::system)
        out_.push_back(std::move(message));
      else
        user(std::move(message));
    }
    return std::move(out_);
  }

 private:
  void assistant(Message message) {
    after_results_ = false;
    std::vector<Block> blocks;
    std::vector<Call> calls;
    for (Block& block : message.blocks) {
      if (block.kind == Block::Kind::tool_call) {
        calls.push_back(call_of(block));
        continue;
      }
      give(calls, blocks);
      if (block.kind == Block::Kind::text && block.opaque.empty())
        add_text(blocks, std::move(block.text));
      else
        blocks.push_back(std::move(block));
    }
    give(calls, blocks);
    message.blocks = std::move(blocks);
    out_.push_back(std::move(message));
  }

  Call call_of(const Block& block) {
    Call call{block.name, block.arguments, written_id(state_.how, block.name, block.id, counter_++)};
    Call& known = known_[block.id];
    known = call;
    return call;
  }

  void give(std::vector<Call>& calls, std::vector<Block>& blocks) {
    if (calls.empty()) return;
    if (auto text = state_.write(calls, true)) {
      add_text(blocks, *std::move(text));
    } else {
      // One of them has arguments that are none: it is told in words, the others as they are.
      for (const Call& call : calls) {
        auto one = state_.write({&call, 1}, true);
        add_text(blocks,
                 one ? *std::move(one)
                     : "[" + call.name + " was called with arguments that are no JSON object: " + call.arguments + "]");
      }
    }
    calls.clear();
  }

  // Results, and what the person says: one message of the user, because many models take no two in a row.
  void user(Message message) {
    std::vector<Block> blocks, images;
    std::vector<Result> results;
    auto flush = [&] {
      if (!results.empty()) add_text(blocks, dialect_.write_results(results));
      results.clear();
      std::move(images.begin(), images.end(), std::back_inserter(blocks));
      images.clear();
    };
    bool any = false;
    for (Block& block : message.blocks) {
      if (block.kind != Block::Kind::tool_result) {
        flush();
        if (any && block.kind == Block::Kind::text && block.opaque.empty())
          add_text(blocks, std::move(block.text));
        else
          blocks.push_back(std::move(block));
        continue;
      }
      any = true;
      results.push_back(result_of(block));
      for (Block& part : block.content)
        if (part.kind == Block::Kind::image) images.push_back(std::move(part));
    }
    flush();
    if (message.role == Role::tool) {
      message.role = Role::user;
      message.opaque.clear();
    }
    message.blocks = std::move(blocks);
    if (after_results_ && !out_.empty()) {
      for (Block& block : message.blocks) {
        if (block.kind == Block::Kind::text && block.opaque.empty())
          add_text(out_.back().blocks, std::move(block.text));
        else
          out_.back().blocks.push_back(std::move(block));
      }
    } else {
      out_.push_back(std::move(message));
    }
    after_results_ = any;
  }

  Result result_of(const Block& block) {
    Result result;
    result.id = block.id;
    result.name = block.name;
    if (auto call = known_.find(block.id); call != known_.end()) {
      result.name = call->second.name;
      result.arguments = call->second.arguments;
      result.id = call->second.id;
    }
    result.text = text_of(block);
    result.is_error = block.is_error;
    return result;
  }

  const DialectState& state_;
  const Dialect& dialect_;
  std::vector<Message> out_;
  std::map<std::string, Call, std::less<>> known_;
  std::size_t counter_ = 0;  // of calls in the conversation
  bool after_results_ = false;
};

}  // namespace

chat::Request Dialect::rewrite(std::string_view format, chat::Request request, Limits limits) {
  const Dialect dialect(format, request.tools, limits);
  request.messages = Rewriter(*dialect.state_, dialect).run(std::move(request.messages));
  const bool none = request.tool_choice && request.tool_choice->kind == chat::ToolChoice::Kind::none;
  std::string rules =
      none ? std::string()
           : dialect.define({request.tool_choice.value_or(chat::ToolChoice{}), request.parallel_calls.value_or(true)});
  if (!rules.empty()) {
    // Behind the last of the system messages at the front.
    std::size_t systems = 0;
    while (systems < request.messages.size() && request.messages[systems].role == Role::system) ++systems;
    if (systems == 0)
      request.messages.insert(request.messages.begin(),
                              Message{Role::system, {chat::text_block(std::move(rules))}, {}});
    else
      add_text(request.messages[systems - 1].blocks, std::move(rules));
  }
  request.tools.clear();
  request.tool_choice.reset();
  request.parallel_calls.reset();
  std::erase_if(request.opaque, about_tools);
  return request;
}

}  // namespace BELAY_NAMESPACE::text
