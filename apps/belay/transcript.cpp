#include "transcript.h"

#include "kept_tasks.h"
#include "table.h"

#include <limits>
#include <map>
#include <string_view>

namespace belay::cli {
namespace {

constexpr std::size_t kArgumentLines = 4, kResultLines = 8, kThoughtLines = 4, kTextLines = 400;

std::string_view word(task::Said::Why why) {
  switch (why) {
    case task::Said::Why::person: return "You";
    case task::Said::Why::no_tool: return "Belay, since there was no call";
    case task::Said::Why::cut: return "Belay, since the answer was cut";
    case task::Said::Why::malformed: return "Belay, since the call was malformed";
    case task::Said::Why::refused: return "Belay, since the model refused";
  }
  return {};
}

std::string_view word(task::Finding::Why why) {
  switch (why) {
    case task::Finding::Why::ran: return "";
    case task::Finding::Why::refused: return "refused by the gate";
    case task::Finding::Why::denied: return "denied by the permissions";
    case task::Finding::Why::not_approved: return "not approved";
    case task::Finding::Why::held: return "held: something before it did not go well";
    case task::Finding::Why::interrupted: return "interrupted, outcome unknown";
    case task::Finding::Why::aborted: return "aborted";
    case task::Finding::Why::not_run: return "not run: the task ended";
  }
  return {};
}

std::string_view word(task::Outcome::Became became) {
  switch (became) {
    case task::Outcome::Became::mended: return "mended";
    case task::Outcome::Became::split: return "split";
    case task::Outcome::Became::guessed: return "guessed";
    case task::Outcome::Became::re_asked: return "asked for again, and right then";
    case task::Outcome::Became::lost: return "lost";
  }
  return {};
}

std::string text_of(const std::vector<chat::Block>& blocks) {
  std::string out;
  for (const chat::Block& block : blocks) {
    if (!out.empty()) out += "\n";
    if (block.kind == chat::Block::Kind::image)
      out += "[image " +
             (block.url.empty() ? block.media_type + ", " + std::to_string(block.data.size()) + " characters"
                                : block.url) +
             "]";
    else
      out += block.text;
  }
  return out;
}

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& w : words) out += (out.empty() ? "" : ", ") + w;
  return out;
}

class Transcript {
 public:
  Transcript(const TranscriptOptions& options, const Style& style) : options_(options), style_(style) {}

  void add(const task::Record& record) {
    time_ = record.time;
    std::visit([&](const auto& body) { on(body); }, record.body);
  }
  std::string take() { return std::move(out_); }

 private:
  void heading(std::string_view text) {
    if (!out_.empty()) out_ += "\n";
    out_ += style_.bold(clipped(text, options_.width - 10)) + "  " + style_.dim(local_second(time_)) + "\n";
  }

  // Lines behind `mark`, which stands before the first of them only.
  void lines(std::string_view text, std::size_t at_most, std::string_view mark = "  ", bool dim = false) {
    const std::string indent(columns(mark), ' ');
    const std::size_t most = options_.full ? std::numeric_limits<std::size_t>::max() : at_most;
    bool first = true;
    for (const std::string& line : wrapped(text, options_.width - indent.size(), most)) {
      std::string whole = (first ? std::string(mark) : indent) + line;
      while (whole.ends_with(' ')) whole.pop_back();
      out_ += (dim ? style_.dim(whole) : whole) + "\n";
      first = false;
    }
  }
  void remark(const std::string& text) { lines(text, kResultLines, "  * ", true); }

  void on(const task::Created& c) {
    heading("Goal");
    lines(text_of(c.goal), kTextLines);
    if (!c.forked_from.empty()) remark("forked from " + c.forked_from);
    if (!c.parent.empty()) remark("started by task " + c.parent);
    if (!c.history.empty())
      remark("goes on from a history of " + std::to_string(c.history.size()) + " messages from elsewhere");
    for (const std::string& healed : c.healed) remark("healed: " + healed);
    if (!c.todos.empty()) lines(c.todos, kTextLines);
  }

  void on(const task::Said& s) {
    heading(word(s.why));
    lines(text_of(s.blocks), kTextLines);
  }

  void on(const task::Turn& t) {
    std::string head = "Turn " + std::to_string(++turns_);
    // What the server did not count is an estimate.
    const auto tokens = [](const auto& counted, const auto& estimated) {
      return estimated ? "~" + std::to_string(*estimated) : std::to_string(counted.value_or(0));
    };
    const chat::Usage &counted = t.usage, &guess = t.estimated;
    if (counted.input_tokens || counted.output_tokens || guess != chat::Usage{})
      head += ", tokens in " + tokens(counted.input_tokens, guess.input_tokens) + ", out " +
              tokens(counted.output_tokens, guess.output_tokens);
    heading(head);
    for (const chat::Block& block : t.message.blocks) {
      if (block.kind == chat::Block::Kind::reasoning && !block.text.empty())
        lines(block.text, kThoughtLines, "  ~ ", true);
      else if (block.kind == chat::Block::Kind::tool_call)
        call(block, t.calls);
      else if (!block.text.empty())
        lines(block.text, kTextLines);
    }
    if (chat::cuts(t.stop)) remark("stopped: " + std::string(chat::name(t.stop)));
  }

  void call(const chat::Block& block, const std::vector<task::PlannedCall>& planned) {
    names_[block.id] = block.name;
    lines(block.name + " " + block.arguments, kArgumentLines, "  -> ");
    for (const task::PlannedCall& p : planned) {
      if (p.id != block.id) continue;
      if (p.damage.verdict != json::Word::valid)
        lines(std::string(json::name(p.damage.verdict)) + ": " + joined(p.damage.kinds), kResultLines, "     ");
      if (!p.receipt.empty()) lines(p.receipt, kResultLines, "     ");
      if (!p.not_run.empty()) lines(p.not_run, kResultLines, "     ");
    }
  }

  void on(const task::Intent&) {}

  void on(const task::Finding& f) {
    std::string head;
    if (const auto name = names_.find(f.call); name != names_.end()) head = name->second;
    if (f.is_error) head += " failed";
    if (const std::string_view why = word(f.why); !why.empty()) head += (head.empty() ? "" : ", ") + std::string(why);
    if (f.milliseconds > 0) head += " (" + std::to_string(f.milliseconds) + " ms)";
    lines(head + ":", 2, f.is_error ? "  <! " : "  <- ");
    lines(text_of(f.content), kResultLines, "     ");
  }

  void on(const task::Approved& a) {
    remark(std::string(a.yes ? "approved" : "not approved") + (a.words.empty() ? "" : ": " + a.words));
  }
  void on(const task::Todos& t) {
    heading("Todos");
    lines(t.list, kTextLines);
  }
  void on(const task::ChildStarted& c) { remark("started task " + c.child); }
  void on(const task::Folded& f) {
    if (!f.results.empty()) remark(std::to_string(f.results.size()) + " older results are sent shorter from here on");
    if (f.upto > 0) remark("what came before is summarised from here on: " + f.summary);
  }
  void on(const task::Changed& c) {
    if (c.resumed) remark("resumed " + local_minute(time_));
    if (c.reset != 0) remark("goes on, with the breakers at their beginning");
    if (c.output_tokens > 0) remark("the output limit is " + std::to_string(c.output_tokens) + " tokens now");
    if (c.has_budget) remark("the budget is changed");
  }
  void on(const task::RequestFailed& f) {
    remark("request failed: " + f.kind + ": " + f.message + (f.retried ? " (sent again)" : ""));
  }
  void on(const task::Outcome& o) {
    remark("damaged call of " + o.tool + " (" + joined(o.kinds) + "): " + std::string(word(o.became)));
  }
  void on(const task::Finished& f) {
    heading("End: " + std::string(name(f.reason)));
    if (!f.detail.empty()) lines(f.detail, kTextLines);
    if (!f.result.empty()) lines(f.result, kTextLines);
  }

  const TranscriptOptions& options_;
  const Style& style_;
  std::int64_t time_ = 0;
  std::uint64_t turns_ = 0;
  std::map<std::string, std::string> names_;  // of calls, by id
  std::string out_;
};

}  // namespace

std::string transcript(std::span<const task::Record> records, const TranscriptOptions& options, const Style& style) {
  Transcript out(options, style);
  for (const task::Record& record : records) out.add(record);
  return out.take();
}

}  // namespace belay::cli
