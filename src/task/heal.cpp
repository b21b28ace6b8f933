#include <belay/task/history.h>

#include "task/history_parts.h"
#include "task/pairing.h"
#include "task/words.h"

#include <algorithm>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

namespace BELAY_NAMESPACE::task {

namespace {

using chat::Block;
using chat::Message;
using chat::Role;
using Kind = Block::Kind;

/// What stands inside a result, with texts in place of calls and results.
void append_flat(std::vector<Block> content, std::vector<Block>& out) {
  for (Block& block : content) {
    if (block.kind == Kind::tool_result) {
      out.push_back(chat::text_block(words::result_of_nobody(block.id)));
      append_flat(std::move(block.content), out);
    } else if (block.kind == Kind::tool_call) {
      out.push_back(chat::text_block(words::call_as_text(block.name, block.arguments)));
    } else {
      out.push_back(std::move(block));
    }
  }
}

/// Goes through the messages once. A result is moved out of its place when its call is written, or left there as text.
class Healer {
 public:
  explicit Healer(std::vector<Message> history) : history_(std::move(history)), pairs_(history_) {
    for (const PairedCall& call : pairs_.calls) taken_.insert(block_at(call.spot).id);
    for (const PairedResult& result : pairs_.results) same_.push_back(is_same_again(result));
  }

  Healed run() {
    for (at_ = 0; at_ < history_.size(); ++at_) {
      Message& message = history_[at_];
      if (!says_something(message)) changed("said nothing and was dropped");
      Message kept{message.role, {}, std::move(message.opaque)};
      std::vector<Block> aside;  // what must not stand in this message, as the person's
      const std::size_t first_call = next_call_;
      std::vector<std::string> ids;
      if (kept.role == Role::tool) {
        // What is left here when the results are with their calls was said beside them.
        kept = {Role::user, {}, {}};
        const auto is_other = [](const Block& block) {
          return block.kind != Kind::tool_result && says_something(block);
        };
        if (std::ranges::any_of(message.blocks, is_other))
          changed("held something else beside results, which is the person's message now");
      }
      for (Block& block : message.blocks) take(block, kept, aside, ids);
      emit(std::move(kept));
      if (!ids.empty()) emit(results(first_call, ids));
      emit({Role::user, std::move(aside), {}});
    }
    return std::move(healed_);
  }

 private:
  Block& block_at(Spot spot) { return history_[spot.message].blocks[spot.block]; }

  bool is_same_again(const PairedResult& result) {
    if (result.call || !result.repeats) return false;
    const auto first = pairs_.calls[*result.repeats].result;
    return first && block_at(*first) == block_at(result.spot);
  }

  void take(Block& block, Message& kept, std::vector<Block>& aside, std::vector<std::string>& ids) {
    // What a tool said is no word of the model, and least of all one of the system.
    std::vector<Block>& said = kept.role == Role::user ? kept.blocks : aside;
    if (block.kind == Kind::tool_result) {
      const std::size_t n = next_result_++;
      if (pairs_.results[n].call) return;
      if (same_[n]) return changed("held the same result of " + block.id + " again, which was dropped");
      changed("held a result of " + (block.id.empty() ? "no id" : block.id) +
              " that no call waits for; it is text now");
      said.push_back(chat::text_block(words::result_of_nobody(block.id)));
      append_flat(std::move(block.content), said);
    } else if (block.kind != Kind::tool_call) {
      kept.blocks.push_back(std::move(block));
    } else if (kept.role != Role::assistant) {
      changed("held a call of " + block.name + " that the model did not make; it is text now");
      said.push_back(chat::text_block(words::call_as_text(block.name, block.arguments)));
    } else {
      heal_call(block);
      ids.push_back(block.id);
      kept.blocks.push_back(std::move(block));
      ++next_call_;
    }
  }

  void heal_call(Block& call) {
    if (call.id.empty() || !given_.insert(call.id).second) {
      std::string id = made_id();
      changed(call.id.empty() ? "held a call without an id, which is " + id + " now"
                              : "held another call with the id " + call.id + ", which is " + id + " now");
      call.id = std::move(id);
    }
    if (call.name.empty()) {
      call.name = "unknown";
      changed("held the call " + call.id + " without a name; it is called unknown now");
    }
    if (is_object_text(call.arguments)) return;
    std::string mended = mended_object_text(call.arguments);
    changed("held the call " + call.id + " with arguments of " + std::to_string(call.arguments.size()) +
            " bytes that are not a JSON object; what could be understood of them has " + std::to_string(mended.size()));
    call.arguments = std::move(mended);
  }

  std::string made_id() {
    for (;;) {
      std::string id = std::string(kMadeId) + "healed_" + std::to_string(++made_);
      if (!taken_.contains(id)) return id;
    }
  }

  /// The results of the calls of one message, from wherever they are.
  Message results(std::size_t call, const std::vector<std::string>& ids) {
    Message out{Role::tool, {}, {}};
    bool moved = false;
    for (std::size_t n = 0; n < ids.size(); ++n, ++call) {
      const auto spot = pairs_.calls[call].result;
      if (!spot) {
        changed("held the call " + ids[n] + ", whose result was missing; there is one now that says so");
        out.blocks.push_back(chat::result_block(ids[n], words::missing_result(), true));
        continue;
      }
      moved = moved || spot->message != at_ + 1 || spot->block != n || history_[spot->message].role != Role::tool;
      Message& from = history_[spot->message];
      if (from.role == Role::tool && out.opaque.empty()) out.opaque = std::move(from.opaque);
      Block result = std::move(from.blocks[spot->block]);
      from.blocks[spot->block] = Block();
      from.blocks[spot->block].kind = Kind::tool_result;  // it is counted again when its message comes
      result.id = ids[n];
      heal_content(result);
      out.blocks.push_back(std::move(result));
    }
    if (moved) changed("held calls whose results stood elsewhere or in another order; they are behind it now");
    return out;
  }

  void heal_content(Block& result) {
    if (std::ranges::all_of(result.content, fits_into_result)) return;
    changed("held the call " + result.id + ", whose result has a call or a result inside; that is text now");
    std::vector<Block> content;
    append_flat(std::move(result.content), content);
    result.content = std::move(content);
  }

  void emit(Message message) {
    if (!says_something(message)) return;
    if (message.role == Role::assistant && !begun_) {
      changed("was an answer to nothing; a message before it says that the beginning is missing");
      healed_.history.push_back({Role::user, {chat::text_block(words::missing_beginning())}, {}});
      begun_ = true;
    }
    begun_ = begun_ || begins(message);
    healed_.history.push_back(std::move(message));
  }

  void changed(std::string what) {
    healed_.changes.push_back("Message " + std::to_string(at_ + 1) + " " + std::move(what) + ".");
  }

  std::vector<Message> history_;
  Pairing pairs_;
  std::vector<bool> same_;                 // of each result: it says again what the first one of its call said
  std::unordered_set<std::string> taken_;  // ids that calls came with
  std::unordered_set<std::string> given_;  // ids that calls have now
  std::size_t at_ = 0, next_call_ = 0, next_result_ = 0, made_ = 0;
  bool begun_ = false;
  Healed healed_;
};

}  // namespace

Healed heal(std::vector<Message> history) {
  if (!flaw(history)) return {std::move(history), {}};
  return Healer(std::move(history)).run();
}

}  // namespace BELAY_NAMESPACE::task
