#include "task/pieces.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace belay::task {
namespace {

using chat::Block;
using Kind = Block::Kind;

/// A place in the text at which calls stand, usually one.
struct Spot {
  std::uint64_t begin, end;
  std::vector<std::size_t> calls;
  std::string shown;  // the text before it, since the last one
};

/// The spots in order, and what was shown behind them; nothing when the places cannot be.
struct Spots {
  std::vector<Spot> list;
  std::string behind;
};

Spots spots_of(const std::vector<call::Call>& calls, const std::vector<std::string>& around, std::uint64_t size) {
  Spots out;
  std::string shown;
  std::size_t n = 0;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    if (!calls[i].from_text) continue;
    if (n < around.size()) shown += around[n];
    ++n;
    const std::uint64_t last = out.list.empty() ? 0 : out.list.back().end;
    if (!out.list.empty() && out.list.back().begin == calls[i].begin && last == calls[i].end) {
      out.list.back().calls.push_back(i);
      continue;
    }
    if (calls[i].begin < last || calls[i].end <= calls[i].begin || calls[i].end > size) return {};
    out.list.push_back({calls[i].begin, calls[i].end, {i}, std::exchange(shown, {})});
  }
  if (n < around.size()) shown += around[n];
  out.behind = std::move(shown);
  return out;
}

class Cutting {
 public:
  Cutting(Spots spots, bool knows_shown) : spots_(std::move(spots)), knows_shown_(knows_shown) { enter(); }

  void text(Block block, std::size_t index) {
    const std::uint64_t from = at_, to = at_ + block.text.size();
    if (next_ == spots_.list.size() || spots_.list[next_].begin >= to) {
      part(block.text, from, to, from);  // it stays whole, and is shown
      at_ = to;
      out_.push_back({.block = std::move(block)});
      return;
    }
    const std::size_t first = out_.size();
    while (at_ < to) {
      const bool any = next_ < spots_.list.size();
      if (any && spots_.list[next_].begin <= at_) {
        call(index, block.text, from, to);
        continue;
      }
      const std::uint64_t end = any ? std::min(spots_.list[next_].begin, to) : to;
      Piece piece{.cut_from = index, .begin = at_, .received = block.text.substr(at_ - from, end - at_)};
      piece.block.kind = Kind::text;
      piece.block.text = part(block.text, at_, end, from);
      out_.push_back(std::move(piece));
      at_ = end;
    }
    // What the provider wants back with the text goes with the first part of it.
    for (std::size_t i = first; i < out_.size(); ++i)
      if (!out_[i].call) {
        out_[i].block.opaque = std::move(block.opaque);
        return;
      }
    if (block.opaque.empty()) return;
    Piece signature{.block = std::move(block)};
    signature.block.text.clear();
    out_.push_back(std::move(signature));
  }

  void other(Block block) { out_.push_back({.block = std::move(block)}); }
  std::vector<Piece> take() { return std::move(out_); }

 private:
  // The calls of the next spot; of one that goes on in the next text, the rest is left out there.
  void call(std::size_t index, const std::string& text, std::uint64_t from, std::uint64_t to) {
    const Spot& spot = spots_.list[next_];
    const std::uint64_t end = std::min(spot.end, to);
    if (spot.begin >= from) {
      for (std::size_t i : spot.calls) {
        Piece piece{.call = i, .cut_from = index, .begin = spot.begin, .received = text.substr(at_ - from, end - at_)};
        piece.block = chat::call_block({}, {}, {});
        out_.push_back(std::move(piece));
      }
    } else {
      Piece rest{.cut_from = index, .begin = at_, .received = text.substr(at_ - from, end - at_)};
      rest.block.kind = Kind::text;
      out_.push_back(std::move(rest));
    }
    at_ = end;
    if (end < spot.end) return;
    ++next_;
    enter();
  }

  void enter() { shown_ = next_ < spots_.list.size() ? spots_.list[next_].shown : spots_.behind; }

  // What was shown of this part: the bytes of it that come next there. Markers are not among them.
  std::string part(const std::string& text, std::uint64_t begin, std::uint64_t end, std::uint64_t from) {
    const std::string_view received = std::string_view(text).substr(begin - from, end - begin);
    if (!knows_shown_) return std::string(received);
    if (shown_.starts_with(received)) {
      shown_.remove_prefix(received.size());
      return std::string(received);
    }
    std::string out;
    for (char c : received)
      if (!shown_.empty() && shown_.front() == c) {
        out += c;
        shown_.remove_prefix(1);
      }
    return out;
  }

  Spots spots_;
  bool knows_shown_;
  std::string_view shown_;  // of the text up to the next spot, what was not given out yet
  std::size_t next_ = 0;
  std::uint64_t at_ = 0;  // in all text
  std::vector<Piece> out_;
};

}  // namespace

std::vector<Piece> pieces_of(std::vector<Block> blocks, const std::vector<call::Call>& calls,
                             const std::vector<std::string>& around) {
  std::uint64_t size = 0;
  for (const Block& block : blocks)
    if (block.kind == Kind::text) size += block.text.size();
  Cutting cutting(spots_of(calls, around, size), !around.empty());
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (blocks[i].kind == Kind::text)
      cutting.text(std::move(blocks[i]), i);
    else
      cutting.other(std::move(blocks[i]));
  }
  return cutting.take();
}

std::vector<Block> joined(std::vector<Piece> pieces) {
  std::vector<Block> out;
  for (std::size_t i = 0; i < pieces.size();) {
    // Parts of one text up to the next call that is one.
    const auto goes_on = [&](std::size_t n) {
      return n < pieces.size() && pieces[n].cut_from && pieces[n].cut_from == pieces[i].cut_from &&
             (!pieces[n].call || pieces[n].quoted);
    };
    if (!goes_on(i)) {
      out.push_back(std::move(pieces[i++].block));
      continue;
    }
    std::size_t end = i;
    while (goes_on(end)) ++end;
    const bool quotes =
        std::any_of(pieces.begin() + static_cast<std::ptrdiff_t>(i), pieces.begin() + static_cast<std::ptrdiff_t>(end),
                    [](const Piece& p) { return p.quoted; });
    if (!quotes) {
      for (; i < end; ++i) out.push_back(std::move(pieces[i].block));
      continue;
    }
    Block text = chat::text_block({});
    std::optional<std::uint64_t> last;  // calls that one marker began are one quotation
    for (; i < end; ++i) {
      if (last != pieces[i].begin) text.text += pieces[i].received;
      last = pieces[i].begin;
      if (text.opaque.empty() && !pieces[i].call) text.opaque = std::move(pieces[i].block.opaque);
    }
    out.push_back(std::move(text));
  }
  return out;
}

}  // namespace belay::task
