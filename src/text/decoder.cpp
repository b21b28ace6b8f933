// Prose, and where calls and reasoning begin in it.
#include <belay/text/decoder.h>

#include "text/active.h"
#include "text/peek.h"
#include "text/state.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace belay::text {

const Tool* Context::tool(std::string_view name, bool any_case) const {
  const Tool* like = nullptr;
  for (const Tool& tool : options.tools) {
    if (tool.name == name) return &tool;
    if (any_case && same_word(tool.name, name)) {
      if (like) return nullptr;
      like = &tool;
    }
  }
  return like;
}

void Decoder::State::push(std::string_view bytes) {
  if (active.none) return context.output.text(bytes);
  if (bytes.empty()) return;
  if (held.empty()) {
    std::size_t used = run(bytes, false);
    held.assign(bytes.substr(used));
  } else {
    held += bytes;
    // What could not be decided with so many bytes is looked at again when there are clearly more.
    if (held.size() < look_again) return;
    std::size_t used = run(held, false);
    held.erase(0, used);
  }
  look_again = held.size() > 64 && !payload ? held.size() + held.size() / 8 : 0;
}

void Decoder::State::finish() {
  if (active.none) return context.output.flush();
  std::string rest = std::exchange(held, {});
  run(rest, true);
  if (mode == Mode::reasoning && !quarantine.empty()) replay();
  context.output.flush();
}

// What is held back and is no call is text; a call stays open.
void Decoder::State::boundary() {
  if (active.none || payload || held.empty()) return;
  std::string rest = std::exchange(held, {});
  look_again = 0;
  std::size_t used = run(rest, true);
  held.assign(std::string_view(rest).substr(used));
}

std::size_t Decoder::State::run(std::string_view window, bool final) {
  std::size_t pos = 0;
  while (true) {
    std::string_view rest = window.substr(pos);
    std::size_t used = 0;
    bool go = false;
    if (payload) {
      used = payload->read(rest, at, final);
      advance(at, rest.substr(0, used));
      pos += used;
      if (!payload->done()) break;
      end_payload();
      continue;
    }
    if (rest.empty()) break;
    go = mode == Mode::reasoning ? think(rest, final, used) : prose(rest, final, used);
    advance(at, rest.substr(0, used));
    pos += used;
    if (!go) break;
  }
  return pos;
}

void Decoder::State::end_payload() {
  for (std::string_view word : payload->owed())
    if (std::find(owed.begin(), owed.end(), word) == owed.end()) owed.push_back(word);
  again = payload->again();
  doubt = payload->doubt();
  payload.reset();
  span = 0;
  line_blank = true;
}

// Bytes of the prompt's end are there only to be understood.
void Decoder::State::text(std::string_view bytes) {
  std::size_t skip = std::min(unsaid, bytes.size());
  unsaid -= skip;
  context.output.text(bytes.substr(skip));
}

void Decoder::State::reasoning(std::string_view bytes) {
  std::size_t skip = std::min(unsaid, bytes.size());
  unsaid -= skip;
  context.output.reasoning(bytes.substr(skip));
}

// Takes text up to something that may begin a call, and that too when it does. False: more bytes are needed.
bool Decoder::State::prose(std::string_view rest, bool final, std::size_t& used) {
  std::size_t i = 0;
  auto give = [&](std::size_t to) {
    text(rest.substr(used, to - used));
    used = to;
  };
  while (i < rest.size()) {
    const bool code = fence > 0 || span > 0;
    char c = rest[i];
    if (c == '\n') {
      line_blank = true;
      span = 0;
      ++i;
      continue;
    }
    if (c == '`') {
      std::size_t n = i;
      while (n < rest.size() && rest[n] == '`') ++n;
      if (n == rest.size() && !final && n - i < 64) {
        give(i);
        return false;
      }
      if (!code && line_blank && n - i >= 3 && active.bare_json) {
        Fenced fenced = fenced_call(rest.substr(i), n - i, final);
        if (fenced.is == Is::more) {
          give(i);
          return false;
        }
        if (fenced.is == Is::yes) {
          give(i);
          used = i + fenced.length;
          begin_json(*active.bare_row, true);
          return true;
        }
      }
      ticks(n - i);
      line_blank = fresh = false;
      again.clear();
      i = n;
      continue;
    }
    std::size_t plain = 1;
    if (!code && (active.stops.has(c) || (line_blank && active.line_stops.has(c)))) {
      Begin begin = begins(rest.substr(i), final);
      if (begin.is == Is::no && active.literals.begins(rest.substr(i)) != Is::no)
        begin = turn_ends(rest.substr(i), final);
      plain = std::max(plain, begin.length);
      if (begin.is == Is::more) {
        give(i);
        return false;
      }
      if (begin.is == Is::yes) {
        give(i);
        used = i + begin.length;
        start(begin, i);
        return true;
      }
    }
    if (line_blank && c != ' ' && c != '\t') {
      line_blank = fresh = false;
      again.clear();
    }
    i += plain;
    if (line_blank) continue;
    i = code ? code_stops.find(rest, i) : active.stops.find(rest, i);
  }
  give(i);
  return true;
}

void Decoder::State::ticks(std::size_t n) {
  if (fence > 0) {
    if (line_blank && n >= fence) fence = 0;
  } else if (span > 0) {
    if (n == span) span = 0;
  } else if (line_blank && n >= 3) {
    fence = n;
  } else {
    span = n;
  }
}

// A fence with a call in it.
Decoder::State::Fenced Decoder::State::fenced_call(std::string_view rest, std::size_t ticks, bool final) {
  std::size_t i = ticks;
  while (i < rest.size() && is_name_byte(rest[i])) ++i;
  std::string_view language = rest.substr(ticks, i - ticks);
  if (i == rest.size()) return {final || i > 64 ? Is::no : Is::more, 0};
  constexpr std::string_view kLanguages[] = {"", "json", "tool_call", "tool_calls", "tool_code", "jsonc", "json5"};
  if (std::find(std::begin(kLanguages), std::end(kLanguages), language) == std::end(kLanguages)) return {Is::no, 0};
  std::size_t body = past_space(rest, i);
  if (body == rest.size()) return {final || body > kHold ? Is::no : Is::more, 0};
  if (rest[body] != '{' && rest[body] != '[') return {Is::no, 0};
  Start start = peek(rest.substr(body), *active.bare_row, context, active.automatic, final);
  return {start.is, body};
}

// What begins at a byte that matters.
Decoder::State::Begin Decoder::State::begins(std::string_view text, bool final) {
  const bool bare =
      (text.front() == '{' && active.bare_json) || (text.front() == '[' && (active.bare_json || active.bare_python));
  const Is marker = active.literals.begins(text);
  const bool late = !owed.empty() || !again.empty() || !doubt.empty();
  if (marker == Is::no && !bare && !late) return {};
  if (marker == Is::more && !final && !late) return {Is::more};
  context.alone = fresh && !active.automatic && context.options.format != "json";
  Begin more;
  auto is = [&](const Match& m) {
    if (m.is == Is::more) more.is = Is::more;
    return m.is == Is::yes;
  };
  // Late end markers of a call that is over.
  for (std::size_t k = 0; k < owed.size(); ++k)
    if (Match m = match_marker(text, owed[k], final); is(m)) return {Is::yes, m.length, What::owed, k};
  for (const std::string& word : again)
    if (Match m = match_marker(text, word, final); is(m)) return {Is::yes, m.length, What::again};
  if (!doubt.empty())
    if (Match m = match_marker(text, doubt, final); is(m)) return {Is::yes, 0, What::doubt};
  if (line_blank || fresh)
    for (std::size_t k = 0; k < active.thinking.size(); ++k)
      if (Match m = match_marker(text, active.thinking[k].open, final); is(m))
        return {Is::yes, m.length, What::thinking, k};
  const std::size_t byte = static_cast<unsigned char>(text.front()) % active.anywhere_by.size();
  for (const auto* list : {&active.anywhere_by[byte], &active.at_line_by[byte]}) {
    if (list == &active.at_line_by[byte] && !line_blank) break;
    for (const Row* row : *list) {
      if (marker == Is::no && row->grammar != Grammar::bare_json && row->grammar != Grammar::bare_python) continue;
      Start start = peek(text, *row, context, active.automatic, final);
      if (start.is == Is::more) more.is = Is::more;
      if (start.is == Is::yes) {
        Begin b{Is::yes, start.length, What::call};
        b.row = row;
        b.start = std::move(start);
        return b;
      }
      // In the order of the table: one that may still match comes before all that follow.
      if (start.is == Is::more) return more;
    }
  }
  // A call may begin with one of them, so they come behind the calls.
  if (!active.automatic || fresh)
    for (std::string_view token : active.silent)
      if (Match m = match_literal(text, token, final); is(m)) return {Is::yes, m.length, What::silent};
  return more;
}

// Tokens that end a turn are no text when nothing but their like follows, or something that begins. Otherwise all of
// them are text: `length` says how far, so that none is asked again.
Decoder::State::Begin Decoder::State::turn_ends(std::string_view text, bool final) {
  std::size_t first = 0, passed = 0, k = 0;
  while (true) {
    if (k > 0) {
      if (k > kHold) return {Is::no, passed};
      if (k == text.size()) return final ? Begin{Is::yes, first, What::silent} : Begin{Is::more};
      Begin next = begins(text.substr(k), final);
      if (next.is == Is::more) return {Is::more};
      if (next.is == Is::yes) return {Is::yes, first, What::silent};
    }
    Match token;
    for (std::string_view word : last_tokens()) {
      token = match_literal(text.substr(k), word, final);
      if (token.is != Is::no) break;
    }
    if (token.is == Is::more) return {Is::more};
    if (token.is == Is::no) return {Is::no, passed};
    passed = k + token.length;
    if (first == 0) first = passed;
    k = past_space(text, passed);
  }
}

void Decoder::State::begin_json(const Row& row, bool fenced) {
  payload = json_calls(context, row, fenced, Receipt(context.options.limits.edits));
  unsaid = 0;
}

void Decoder::State::start(Begin& begin, std::size_t index) {
  fresh = false;
  unsaid = unsaid > begin.length ? unsaid - begin.length : 0;
  switch (begin.what) {
    case What::owed:
      again.emplace_back(owed[begin.index]);
      owed.erase(owed.begin() + static_cast<std::ptrdiff_t>(begin.index));
      return;
    case What::doubt:
      context.output.doubt({json::EditKind::tag_in_text, json::Grade::guess, at.offset + index, doubt.size()});
      doubt.clear();
      return;
    case What::again:
      context.output.notice("surplus_marker", "an end marker came twice; the second was left out");
      return;
    case What::silent: return;
    case What::thinking:
      mode = Mode::reasoning;
      set_closers({active.thinking[begin.index].close});
      return;
    case What::call: break;
  }
  Start& s = *begin.start;
  for (json::Edit& edit : s.receipt.edits) edit.offset += at.offset + index;
  s.receipt.limit = context.options.limits.edits;
  const Row& row = *begin.row;
  if (s.kind == Start::Kind::text) return;
  if (s.kind == Start::Kind::reasoning) {
    mode = Mode::reasoning;
    set_closers({"<|end|>", "<|start|>", "<|channel|>", "<|return|>"});
    return;
  }
  switch (row.grammar) {
    case Grammar::json: payload = json_calls(context, row, s.fenced, std::move(s.receipt)); break;
    case Grammar::bare_json: payload = json_calls(context, row, false, std::move(s.receipt)); break;
    case Grammar::named:
    case Grammar::harmony:
      payload = named_json(context, row, std::move(s.id), std::move(s.name), std::move(s.receipt));
      break;
    case Grammar::tags:
      payload = tag_calls(context, row, std::move(s.id), std::move(s.name), std::move(s.receipt), s.ended);
      break;
    case Grammar::python:
    case Grammar::script:
    case Grammar::bare_python: payload = literal_calls(context, row, std::move(s.receipt)); break;
  }
}

Decoder::Decoder(Sink& sink, Options options) : state_(std::make_unique<State>(sink, std::move(options))) {}
Decoder::~Decoder() = default;
Decoder::Decoder(Decoder&&) noexcept = default;
Decoder& Decoder::operator=(Decoder&&) noexcept = default;
void Decoder::push(std::string_view bytes) { state_->push(bytes); }
void Decoder::boundary() { state_->boundary(); }
void Decoder::finish() { state_->finish(); }
json::MaybePartial Decoder::partial(std::size_t call) const {
  const State& s = *state_;
  if (!s.payload || call + 1 != s.context.output.calls() || !s.context.output.open()) return std::nullopt;
  return s.payload->partial();
}

}  // namespace belay::text
