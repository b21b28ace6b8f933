#include "task/conversation.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace BELAY_NAMESPACE::task {
namespace {

using chat::Block;
using chat::Message;
using chat::Role;

// Texts and images: two pictures of a screen are two results.
std::uint64_t fingerprint_of(const std::vector<Block>& content) {
  std::string said;
  for (const Block& b : content) {
    said += untimed(b.text);
    if (b.kind == Block::Kind::image) said += std::to_string(fingerprint(b.data, b.url));
  }
  return fingerprint(said);
}

// The results of a turn in the order of its calls, in one message.
void close_turn(Conversation& c) {
  Message results{Role::tool, {}, {}};
  for (OpenCall& call : c.open) {
    Block block;
    block.kind = Block::Kind::tool_result;
    block.id = call.plan.id;
    block.name = call.plan.name;
    // As the call stands there: a name that no provider takes was changed.
    for (const Block& b : c.history.back().blocks)
      if (b.kind == Block::Kind::tool_call && b.id == block.id) block.name = b.name;
    block.is_error = call.failed;
    block.content = std::move(call.content);
    const std::string arguments = call.plan.runs.empty() ? std::string() : call.plan.runs.front();
    c.breakers.acted(fingerprint(call.plan.tool, call.plan.name, arguments), fingerprint_of(block.content));
    results.blocks.push_back(std::move(block));
  }
  c.open.clear();
  c.approved.clear();
  c.history.push_back(std::move(results));
  std::ranges::move(c.waiting, std::back_inserter(c.history));
  c.waiting.clear();
}

// A mistake of the model's, not a decision of the person's or the machine's.
bool is_mistake(const Finding& f) {
  return f.is_error && (f.why == Finding::Why::ran || f.why == Finding::Why::refused || f.why == Finding::Why::denied);
}

struct Applying {
  Conversation& c;
  const Record& record;

  using Fault = std::optional<std::string>;

  // What the provider counted, and what it did not.
  void count(const auto& spent) {
    const chat::Usage &measured = spent.usage, &estimated = spent.estimated;
    const std::uint64_t input = estimated.input_tokens.value_or(0), output = estimated.output_tokens.value_or(0);
    c.input_tokens += measured.input_tokens.value_or(0) + input;
    c.output_tokens += measured.output_tokens.value_or(0) + output;
    c.estimated_tokens += input + output;
    c.cost += spent.cost;
  }

  Fault operator()(const Created& created) {
    if (record.number != 1) return "a task begins twice";
    c.created = created;
    c.settings = created.settings;
    c.breakers = Breakers(created.settings.breakers);
    c.todos = created.todos;
    c.history = created.history;
    for (const Message& m : c.history)
      for (const Block& b : m.blocks)
        if (b.kind == Block::Kind::tool_call) c.ids.insert(b.id);
    c.history.push_back({Role::user, created.goal, {}});
    return {};
  }

  Fault operator()(const Said& said) {
    Message message{Role::user, said.blocks, {}};
    if (c.open.empty())
      c.history.push_back(std::move(message));
    else
      c.waiting.push_back(std::move(message));
    if (said.why == Said::Why::person) {
      if (c.finished) c.breakers.reset();
      c.finished.reset();
    } else if (said.why != Said::Why::no_tool) {
      const bool filtered = c.stop == chat::StopReason::content_filter;
      c.breakers.mistake({said.why != Said::Why::cut ? "malformed" : filtered ? "content_filter" : "cut", "", 0});
    }
    return {};
  }

  Fault operator()(const Turn& turn) {
    if (!c.open.empty()) return "an answer stands where results are missing";
    ++c.turns;
    ++c.turns_since_reset;
    count(turn);
    c.output_taken = c.settings.output_tokens;
    c.cached_tokens += turn.usage.cached_tokens.value_or(0);
    c.stop = turn.stop;
    c.result.clear();
    for (const Block& b : turn.message.blocks) {
      if (b.kind == Block::Kind::text || b.kind == Block::Kind::refusal) c.result += b.text;
      if (b.kind == Block::Kind::tool_call) c.ids.insert(b.id);
    }
    if (turn.message.blocks.empty()) {
      c.breakers.empty();
      return {};
    }
    c.history.push_back(turn.message);
    if (turn.usage.input_tokens.value_or(0) > 0) {  // servers that do not count say 0
      c.counted_tokens =
          *turn.usage.input_tokens + turn.usage.output_tokens.value_or(0) + turn.estimated.output_tokens.value_or(0);
      c.counted = c.history.size();
    }
    if (turn.calls.empty()) {
      if (turn.stop != chat::StopReason::pause) c.breakers.no_tool();
      return {};
    }
    c.breakers.used_tool();
    for (const PlannedCall& plan : turn.calls) {
      OpenCall call;
      call.plan = plan;
      call.partly = !plan.not_run.empty();
      c.open.push_back(std::move(call));
      if (plan.runs.empty() && plan.error != "held")
        c.unsettled.push_back({plan.id, plan.tool.empty() ? plan.name : plan.tool, plan.damage});
    }
    return {};
  }

  Fault operator()(const Intent& intent) {
    OpenCall* call = c.find(intent.call);
    if (!call || call->answered || call->begun || call->done != intent.run)
      return "an intent names a run that is not next: " + intent.call;
    call->begun = true;
    call->confined = intent.confined;
    return {};
  }

  Fault operator()(const Finding& f) {
    OpenCall* call = c.find(f.call);
    if (!call || call->answered || call->done != f.run) return "a result names a run that is not next: " + f.call;
    call->done = f.run + 1;
    call->begun = false;
    call->failed |= f.is_error;
    call->why = f.why;
    call->answered = f.last;
    std::ranges::copy(f.content, std::back_inserter(call->content));
    if (is_mistake(f)) {
      std::string said;
      for (const Block& b : f.content) said += untimed(b.text);
      const std::string& arguments = f.run < call->plan.runs.size() ? call->plan.runs[f.run] : call->plan.damage.raw;
      c.breakers.mistake({call->plan.error.empty() ? "failed" : call->plan.error,
                          call->plan.tool.empty() ? call->plan.name : call->plan.tool, fingerprint(arguments, said)});
    } else if (!f.is_error) {
      c.breakers.success();
    }
    if (std::ranges::all_of(c.open, &OpenCall::answered)) close_turn(c);
    return {};
  }

  Fault operator()(const Approved& approved) {
    if (!approved.call.empty()) c.approved[approved.about] = approved;
    return {};
  }

  Fault operator()(const Todos& todos) {
    c.todos = todos.list;
    return {};
  }

  Fault operator()(const ChildStarted& child) {
    OpenCall* call = c.find(child.call);
    if (!call || call->answered) return "a task was started for a call that is not open: " + child.call;
    call->child = child.child;
    ++c.children;
    return {};
  }

  Fault operator()(const Folded& folded) {
    if (folded.upto > c.history.size()) return "a summary reaches beyond the history";
    std::ranges::copy(folded.results, std::back_inserter(c.fold.results));
    if (folded.upto > 0) {
      c.fold.upto = folded.upto;
      c.fold.summary = folded.summary;
      // Stubs that stand in the summary now need not be remembered.
      std::set<std::string_view> left;
      for (std::size_t i = folded.upto; i < c.history.size(); ++i)
        for (const Block& b : c.history[i].blocks)
          if (b.kind == Block::Kind::tool_result) left.insert(b.id);
      std::erase_if(c.fold.results, [&](const std::string& call) { return !left.contains(call); });
    }
    count(folded);
    c.counted_tokens = c.counted = 0;
    ++c.folds;
    return {};
  }

  Fault operator()(const Changed& changed) {
    if (changed.output_tokens > 0) c.settings.output_tokens = changed.output_tokens;
    if (changed.output_tokens_at_most > 0) c.settings.output_tokens_at_most = changed.output_tokens_at_most;
    if (changed.has_budget) c.settings.budget = changed.budget;
    if (changed.reset > 0) c.breakers.reset();
    return {};
  }

  Fault operator()(const RequestFailed& failed) {
    count(failed);
    return {};
  }

  Fault operator()(const Outcome& outcome) {
    std::erase_if(c.unsettled, [&](const Unsettled& u) { return u.call == outcome.call; });
    if (OpenCall* call = c.find(outcome.call)) call->settled = true;
    return {};
  }

  Fault operator()(const Finished& finished) {
    if (!c.open.empty()) return "a task ends where results are missing";
    c.finished = finished;
    return {};
  }
};

}  // namespace

OpenCall* Conversation::find(std::string_view call) {
  auto it = std::ranges::find_if(open, [&](const OpenCall& o) { return o.plan.id == call; });
  return it == open.end() ? nullptr : &*it;
}

std::optional<std::string> apply(Conversation& c, const Record& record) {
  if (record.number != c.number + 1)
    return "record " + std::to_string(record.number) + " of " + record.task + " follows record " +
           std::to_string(c.number);
  if (c.number == 0 && !std::holds_alternative<Created>(record.body)) return record.task + " has no beginning";
  const bool idle = c.finished.has_value();  // nobody waited for it but its person
  if (auto fault = std::visit(Applying{c, record}, record.body))
    return "record " + std::to_string(record.number) + " of " + record.task + ": " + *fault;
  const auto* changed = std::get_if<Changed>(&record.body);
  if (changed && changed->resumed)
    c.elapsed += std::max<std::int64_t>(changed->worked, 0);
  else if (c.number > 0 && !idle && record.time > c.time)
    c.elapsed += record.time - c.time;
  c.id = record.task;
  c.number = record.number;
  c.time = record.time;
  return {};
}

bool open_todos(std::string_view todos) {
  while (!todos.empty()) {
    std::string_view line = todos.substr(0, todos.find('\n'));
    todos.remove_prefix(std::min(line.size() + 1, todos.size()));
    std::size_t box = line.find('[');
    if (box == std::string_view::npos || box + 2 >= line.size() || line[box + 2] != ']') continue;
    if (line[box + 1] != 'x' && line[box + 1] != 'X') return true;
  }
  return false;
}

}  // namespace BELAY_NAMESPACE::task
