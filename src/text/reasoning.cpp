// Blocks of reasoning, and calls inside of them.
#include "text/state.h"

#include <algorithm>

namespace BELAY_NAMESPACE::text {
namespace {

// How much of a block of reasoning may wait for its end, once there is a call in it.
constexpr std::size_t kQuarantine = 1u << 20;

// Whether all that stands on a line is blank, with some bytes more on it.
bool blank_line(bool blank, std::string_view bytes) {
  std::size_t line = bytes.rfind('\n');
  if (line != std::string_view::npos) {
    bytes.remove_prefix(line + 1);
    blank = true;
  }
  return blank && bytes.find_first_not_of(" \t") == std::string_view::npos;
}

}  // namespace

Decoder::State::State(Sink& sink, Options options) : context(sink, std::move(options)), active(context.options) {
  code_stops.add('`');
  code_stops.add('\n');
  if (!active.none) read_tail();
}

// The prompt's end can leave the text inside of reasoning, or behind the marker of a call.
void Decoder::State::read_tail() {
  std::string_view tail = context.options.prompt_tail;
  std::size_t opened = std::string_view::npos, closed = std::string_view::npos;
  const Thinking* open = nullptr;
  for (const Thinking& t : active.thinking) {
    std::size_t o = tail.rfind(t.open), c = tail.rfind(t.close);
    if (o != std::string_view::npos && (opened == std::string_view::npos || o > opened)) {
      opened = o;
      open = &t;
    }
    if (c != std::string_view::npos && (closed == std::string_view::npos || c > closed)) closed = c;
  }
  if (open && (closed == std::string_view::npos || opened > closed)) {
    mode = Mode::reasoning;
    set_closers(*open);
    return;
  }
  // The last marker of the tail, if nothing but white space follows it.
  std::size_t end = tail.size();
  while (end > 0 && is_space(tail[end - 1])) --end;
  std::string_view trimmed = tail.substr(0, end);
  std::string_view last;
  // A header of a channel, or the beginning of one.
  if (active.harmony) {
    std::size_t from = trimmed.rfind("<|start|>");
    if (from == std::string_view::npos) from = trimmed.rfind("<|channel|>");
    const std::string_view header = from == std::string_view::npos ? std::string_view() : trimmed.substr(from);
    const Start start = peek(header, *active.harmony, context, active.automatic, false);
    if (start.is == Is::more || (start.is == Is::yes && start.length == header.size())) last = header;
  }
  auto take = [&](std::string_view marker) {
    if (trimmed.ends_with(marker) && marker.size() > last.size()) last = marker;
  };
  for (const auto* list : {&active.anywhere, &active.at_line})
    for (const Row* row : *list)
      for (const Words* words : {&row->start, &row->outer})
        for (std::string_view word : *words) take(word);
  if (last.empty()) return;
  held = last;
  unsaid = last.size();
  at.offset = 0 - static_cast<std::uint64_t>(last.size());
}

// Models mix up the two that differ by three letters.
std::vector<std::string_view> Decoder::State::closers_of(const Thinking& block) {
  std::vector<std::string_view> words = {block.close};
  if (block.close == "</think>") words.push_back("</thinking>");
  if (block.close == "</thinking>") words.push_back("</think>");
  return words;
}

void Decoder::State::set_closers(const Thinking& block) { set_closers(closers_of(block), block.then); }

void Decoder::State::set_closers(std::vector<std::string_view> words, std::string_view after) {
  closers = std::move(words);
  then = after;
  thought_blank = true;
  data.clear();
  set_think_stops(context.options.in_reasoning != InReasoning::ignore);
}

void Decoder::State::set_think_stops(bool calls) {
  think_stops = {};
  for (std::string_view closer : closers) think_stops.add(closer.front());
  if (!calls) return;
  for (const auto* list : {&active.anywhere, &active.at_line})
    for (const Row* row : *list) {
      for (const Words* words : {&row->start, &row->outer})
        for (std::string_view word : *words) think_stops.add(word.front());
      if (row->tags) think_stops.add(row->tags->open.front());
    }
  if (active.bare_json) think_stops.add('{'), think_stops.add('`');
  if (active.bare_json || active.bare_python) think_stops.add('[');
}

bool Decoder::State::think(std::string_view rest, bool final, std::size_t& used) {
  const bool calls = context.options.in_reasoning != InReasoning::ignore && quarantine.empty();
  auto give = [&](std::size_t to) {
    std::string_view bytes = rest.substr(used, to - used);
    if (quarantine.empty())
      reasoning(bytes);
    else
      quarantine += bytes;
    used = to;
    if (quarantine.size() <= kQuarantine) return;
    context.output.notice("reasoning_too_long",
                          "a call inside a block of reasoning was not looked at: the block goes on for too long");
    reasoning(quarantine);
    quarantine.clear();
    context.options.in_reasoning = InReasoning::ignore;
  };
  std::size_t i = 0, seen = 0, fed = 0;
  // What stands inside of JSON data is no call here either.
  auto feed = [&](std::size_t to) {
    while (fed < to && data.open() && data.step(rest[fed])) ++fed;
    fed = to;
  };
  while (i < rest.size()) {
    i = think_stops.find(rest, i);
    thought_blank = blank_line(thought_blank, rest.substr(seen, i - seen));
    seen = i;
    feed(i);
    if (i == rest.size()) break;
    std::string_view here = rest.substr(i);
    Match end;
    std::size_t closer_at = 0;
    for (const std::string_view& closer : closers) {
      Match m = match_marker(here, closer, final);
      if (m.is == Is::yes || (m.is == Is::more && end.is == Is::no)) end = m;
      if (m.is == Is::yes) closer_at = static_cast<std::size_t>(&closer - closers.data());
      // Where a header follows, it is read by itself.
      if (m.is == Is::yes && (closer == "<|start|>" || closer == "<|channel|>")) end.length = 0;
      if (m.is == Is::yes) break;
    }
    if (end.is == Is::more) {
      give(i);
      return false;
    }
    if (end.is == Is::yes) {
      give(i);
      if (closer_at > 0 && closers[closer_at].starts_with("</"))
        context.output.notice("marker_spelling", "a block of reasoning was closed by the tag of another");
      if (!quarantine.empty()) {
        context.output.notice("call_in_reasoning", "a call inside a block of reasoning was not taken for one");
        reasoning(quarantine);
        quarantine.clear();
      }
      used = i + end.length;
      mode = Mode::prose;
      new_text();
      if (!then.empty() && std::find(owed.begin(), owed.end(), then) == owed.end()) owed.push_back(then);
      return true;
    }
    if (calls) {
      context.place = Place::line;
      context.fence = 0;
      context.markup = false;
      context.fresh = false;
      const std::size_t byte = static_cast<unsigned char>(here.front()) % active.anywhere_by.size();
      const bool marked = active.literals.begins(here) != Is::no;
      // Only looked at: with too few bytes to decide, this byte comes again.
      const bool inner = data.open() && Data(data).step(here.front());
      if (!inner) data.clear();
      // Where the fence around it begins, the call does.
      Is fenced = Is::no;
      const bool in_fence = thought_blank && !inner && begins_fenced(here, final, fenced);
      if (fenced == Is::more) {
        give(i);
        return false;
      }
      std::vector<const Row*> candidates;
      if (marked || thought_blank) candidates = active.anywhere_by[byte];
      if (thought_blank)
        candidates.insert(candidates.end(), active.at_line_by[byte].begin(), active.at_line_by[byte].end());
      bool begins = in_fence;
      for (const Row* row : candidates) {
        if (begins) break;
        const bool bare = row->grammar == Grammar::bare_json || row->grammar == Grammar::bare_python;
        if (row->grammar == Grammar::harmony || !(bare || marked)) continue;
        // What no marker announces counts at the start of a line only.
        if ((bare || (row->tags && row->tags->name == Where::tag)) && (!thought_blank || inner)) continue;
        Start start = peek(here, *row, context, active.automatic, final);
        if (start.is == Is::more) {
          give(i);
          return false;
        }
        if (start.is != Is::yes) continue;
        begins = true;
        break;
      }
      if (begins) {
        give(i);
        if (context.options.in_reasoning == InReasoning::take) {
          mode = Mode::prose;
          new_text();
          return true;
        }
        // It is a call only if the block never closes.
        quarantine_at = at;
        advance(quarantine_at, rest.substr(0, i));
        quarantine += rest[i];
        set_think_stops(false);
        thought_blank = false;
        used = i + 1;
        return true;
      }
      if (!inner && (here.front() == '{' || here.front() == '[')) {
        data.begin(here.front());
        fed = i + 1;
      }
    }
    ++i;
  }
  thought_blank = blank_line(thought_blank, rest.substr(seen));
  feed(i);
  give(i);
  return true;
}

// A fence with a call in it.
bool Decoder::State::begins_fenced(std::string_view here, bool final, Is& is) {
  if (here.front() != '`' || !active.bare_json) return false;
  std::size_t marks = 0;
  while (marks < here.size() && marks < kHold && here[marks] == '`') ++marks;
  if (marks == here.size() && !final) {
    is = Is::more;
  } else if (marks >= 3) {
    is = fenced_call(here, marks, final).is;
  }
  return is == Is::yes;
}

// The block was never closed: it ended where the first call began.
void Decoder::State::replay() {
  std::string bytes = std::move(quarantine);
  quarantine.clear();
  mode = Mode::prose;
  new_text();
  at = quarantine_at;
  run(bytes, true);
}

}  // namespace BELAY_NAMESPACE::text
