// What a ledger keeps while its turn lasts.
#pragma once

#include "turn/blocks.h"
#include "turn/judge.h"
#include "turn/open_call.h"
#include "turn/slots.h"
#include "turn/strays.h"

#include <belay/turn/ledger.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace BELAY_NAMESPACE::turn {

namespace delta = chat::delta;

struct Ledger::State final : text::Sink {
  State(EventSink& s, LedgerOptions o);

  // deltas (ledger.cpp)
  void on(const chat::Delta& d);
  void check_format();
  void take(const delta::Start& d);
  void take(const delta::Text& d);
  void take(const delta::Reasoning& d);
  void take(const delta::Refusal& d);
  void take(const delta::Call& d);
  void take(const delta::CallEnd& d);
  void take(const delta::CallOpaque& d);
  void take(const delta::BlockOpaque& d);
  void take(const delta::Usage& d);
  void take(const delta::Stop& d);
  void take(const delta::End&) { ending.ended = true; }
  void take(const chat::Failure& failure);
  void take(const delta::Notice& d) { sink.on_notice(d.kind, d.message); }
  void add_beside(Block::Kind kind, std::string_view block, std::string_view piece);
  void fail_limit(std::string what, std::string_view limit, std::uint64_t most);
  Answer finish();

  // native calls (native_calls.cpp)
  void on_call(const delta::Call& d);
  [[nodiscard]] bool begins_another(std::size_t slot, const delta::Call& d) const;
  [[nodiscard]] bool begins_again(std::size_t slot, const delta::Call& d) const;
  std::optional<std::size_t> new_slot(const delta::Call& d);
  void take_name(OpenCall& call, const delta::Call& d);
  bool take_arguments(OpenCall& call, std::size_t slot, const delta::Call& d);
  bool take_whole(OpenCall& call, std::size_t slot, const delta::Call& d);
  bool add(OpenCall& call, std::size_t slot, std::string_view piece);

  // what speaks against them (doubts.cpp)
  void check_keys(OpenCall& call, std::size_t slot, const delta::Call& d);
  void dispute(OpenCall& call, std::uint64_t at, std::uint64_t length);
  void on_lost(const delta::Call& d);
  void on_nameless(std::size_t slot, bool disputed);
  void lose_open(bool whole_too);
  void lose_middles(std::size_t but);
  void keep_stray(std::string_view piece);
  void doubt_strays();

  // all calls (calls.cpp)
  [[nodiscard]] bool is_held(std::size_t slot) const;
  void begin(OpenCall& call, std::size_t slot);
  void close(std::size_t slot);
  void close_and_tell(std::size_t slot);
  void tell_certain(std::size_t slot);
  void complete_certain(Call& call);
  void tell_repeated();
  [[nodiscard]] std::string made_id(std::size_t slot) const;
  Call judged(std::size_t slot);
  std::vector<Call> judge_all();
  std::vector<Call> leave_out_repeated(std::vector<Call> all);

  // what stands in the model's text (text_calls.cpp)
  void on_text(std::string_view piece) override;
  void on_reasoning(std::string_view piece) override;
  void on_call_start(std::size_t call, std::string_view id, std::string_view name) override;
  void on_call_delta(std::size_t call, std::string_view piece) override;
  void on_call_end(std::size_t call, text::Found found) override;
  void on_call_doubt(std::size_t call, json::Edit edit) override;
  void on_call_place(std::size_t first, std::size_t last, std::uint64_t begin, std::uint64_t end) override;
  void on_notice(std::string_view kind, std::string_view message) override { sink.on_notice(kind, message); }
  bool leave_out(OpenCall& call);
  void place_blocks();

  EventSink& sink;
  LedgerOptions options;
  Answer answer;
  Ending ending;
  Blocks blocks;
  Slots slots;
  Strays strays;
  std::vector<std::unique_ptr<OpenCall>> calls;  // by slot
  std::uint64_t clock = 0;                       // counts what the model said, to know what followed what
  bool started = false, stop_seen = false, usage_seen = false, finished = false;
  bool unknown_format = false;
  bool sole = false;  // the last fragment named no call, and there was only one that it could be for
  std::optional<text::Decoder> decoder;
  std::vector<std::size_t> text_slots;  // of the calls in the text
  std::size_t source = 0;               // of the text that is read
};

/// A call that began before, said again as a whole: on a wire that does not close calls, so that nothing else tells.
inline bool repeats(const delta::Call& d) { return d.whole && d.fragment && !d.awaits_end; }

}  // namespace BELAY_NAMESPACE::turn
