#include "task/pairing.h"

#include <deque>

namespace BELAY_NAMESPACE::task {

namespace {

using chat::Block;
using chat::Message;

/// The calls of one id that have no result yet, those of a message together.
struct Open {
  struct Group {
    std::size_t message;
    std::deque<std::size_t> calls;
  };
  std::vector<Group> groups;
  std::optional<std::size_t> last;  // the latest call of the id, answered or not

  void add(std::size_t message, std::size_t call) {
    if (groups.empty() || groups.back().message != message) groups.push_back({message, {}});
    groups.back().calls.push_back(call);
    last = call;
  }
  std::optional<std::size_t> take() {
    if (groups.empty()) return std::nullopt;
    std::deque<std::size_t>& calls = groups.back().calls;
    const std::size_t call = calls.front();
    calls.pop_front();
    if (calls.empty()) groups.pop_back();
    return call;
  }
};

}  // namespace

Pairing::Pairing(const std::vector<Message>& history) {
  std::unordered_map<std::string_view, Open> open;
  std::unordered_map<std::string_view, std::deque<std::size_t>> early;  // results before any call of their id
  for (std::size_t m = 0; m < history.size(); ++m) {
    const std::vector<Block>& blocks = history[m].blocks;
    // First the calls: a result in the same message is one of theirs wherever it stands.
    if (history[m].role == chat::Role::assistant)
      for (std::size_t b = 0; b < blocks.size(); ++b)
        if (blocks[b].kind == Block::Kind::tool_call) {
          open[blocks[b].id].add(m, calls.size());
          calls.push_back({{m, b}, std::nullopt});
        }
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      if (blocks[b].kind != Block::Kind::tool_result) continue;
      PairedResult result{{m, b}, std::nullopt, std::nullopt};
      const auto of_id = open.find(blocks[b].id);
      if (of_id == open.end()) {
        early[blocks[b].id].push_back(results.size());
      } else {
        result.call = of_id->second.take();
        if (result.call)
          calls[*result.call].result = result.spot;
        else
          result.repeats = of_id->second.last;
      }
      results.push_back(result);
    }
  }
  if (early.empty()) return;
  for (std::size_t c = 0; c < calls.size(); ++c) {
    if (calls[c].result) continue;
    const auto waiting = early.find(history[calls[c].spot.message].blocks[calls[c].spot.block].id);
    if (waiting == early.end() || waiting->second.empty()) continue;
    PairedResult& result = results[waiting->second.front()];
    waiting->second.pop_front();
    result.call = c;
    calls[c].result = result.spot;
  }
}

}  // namespace BELAY_NAMESPACE::task
