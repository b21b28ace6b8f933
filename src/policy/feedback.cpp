#include "policy/feedback.h"

#include <belay/json/writer.h>

#include <algorithm>

namespace BELAY_NAMESPACE::policy::feedback {
namespace {

constexpr std::size_t kShown = 400;  // bytes of what was understood
constexpr std::size_t kNamed = 3;    // in one line of a receipt, or of what was not run
constexpr std::size_t kGuesses = 4;  // guesses that have a sentence of their own

std::string cut(std::string text, std::size_t room) {
  if (text.size() <= room) return text;
  while (room > 0 && (static_cast<unsigned char>(text[room]) & 0xc0) == 0x80) --room;
  return text.substr(0, room) + "…";
}

std::string quoted(std::string_view name) {
  std::string out;
  json::write_string(cut(std::string(name), 80), out);
  return out;
}

std::string place(const Position& p) {
  return "line " + std::to_string(p.line) + ", column " + std::to_string(p.column) + " (byte " +
         std::to_string(p.offset) + ")";
}

std::string understood(const turn::Call& call) {
  auto value = call.arguments();
  if (!value) return "";
  std::string text = json::to_string(*value);
  if (text == "{}") return "";
  return " Understood so far: " + cut(text, kShown);
}

// The key that a JSON Pointer ends with; an item of a list is called by the list and its number.
std::string key_of(std::string_view pointer) {
  std::size_t slash = pointer.rfind('/');
  if (slash == pointer.npos) return "";
  const std::string_view last = pointer.substr(slash + 1);
  const bool number = !last.empty() && std::ranges::all_of(last, [](char c) { return c >= '0' && c <= '9'; });
  if (number && slash > 0) slash = pointer.substr(0, slash).rfind('/');
  std::string out;
  for (std::size_t i = slash + 1; i < pointer.size(); ++i) {
    const bool escaped = pointer[i] == '~' && i + 1 < pointer.size();
    if (escaped) ++i;
    out += escaped ? (pointer[i] == '0' ? '~' : '/') : pointer[i];
  }
  return out;
}

std::string parameter(const schema::AlignEdit& edit) { return edit.path.empty() ? "" : quoted(key_of(edit.path)); }

// The key that an edit says is there twice. Of the text only the length of the key is left; where several keys have
// that length, none is named.
std::string repeated_key(const turn::Call& call, const json::Edit& edit) {
  constexpr std::size_t kLookedAt = 10'000;
  if (edit.kind != json::EditKind::duplicate_key || call.reading.document.values().empty()) return "";
  std::vector<json::Value> open = {call.reading.document.root()};
  std::string found;
  for (std::size_t i = 0; i < open.size(); ++i) {
    const json::Value value = open[i];
    if (value.is_array())
      for (json::Value item : value.items()) open.push_back(item);
    if (value.is_object())
      for (json::Member m : value.members()) {
        open.push_back(m.value);
        std::string key;
        json::write_string(m.key, key);
        if (key.size() != edit.length || key == found) continue;
        if (!found.empty()) return "";
        found = std::move(key);
      }
    if (open.size() > kLookedAt) return "";
  }
  return found.size() > 82 ? cut(found, 80) + "\"" : found;
}

struct GuessWords {
  std::string sentences;
  bool of_text = false;  // something had to be guessed in the text itself, before any schema
};

// What to do about each guess; the first few.
GuessWords guess_words(const turn::Call& call) {
  GuessWords words;
  std::size_t said = 0;
  auto say = [&](const std::string& sentence) {
    if (++said > kGuesses) return;
    (words.sentences += words.sentences.empty() ? "" : " ") += sentence;
  };
  for (const json::Edit& e : call.reading.edits) {
    if (e.grade != json::Grade::guess) continue;
    if (e.kind == json::EditKind::duplicate_key) {
      const std::string key = repeated_key(call, e);
      say((key.empty() ? "A key" : "The key " + key) + " stands twice, the second time at byte " +
          std::to_string(e.offset) + "; send it once.");
    } else {
      words.of_text = true;
    }
  }
  for (const schema::AlignEdit& e : call.aligned) {
    if (e.grade != json::Grade::guess) continue;
    const std::string key = parameter(e);
    const bool inside = std::ranges::count(e.path, '/') > 1;
    const std::string no_parameter = key + (inside ? " at " + quoted(e.path) + " is not a key that is known"
                                                   : " is not a parameter of " + call.name);
    if (e.kind == schema::AlignKind::unknown_key_dropped)
      say(no_parameter + "; leave it out.");
    else if (e.kind == schema::AlignKind::near_key)
      say(no_parameter + "; " + quoted(e.note) + " is.");
    else if (e.kind == schema::AlignKind::item_to_list)
      say(key + " is to be a list; send one, with each item by itself.");
    else
      say("What " + key + " means is not certain (" + std::string(schema::name(e.kind)) +
          "); send the type that it is to have.");
  }
  if (said > kGuesses) words.sentences += " " + std::to_string(said - kGuesses) + " more like these.";
  if (words.of_text && !words.sentences.empty()) words.sentences = receipt(call) + " " + words.sentences;
  return words;
}

std::string tool_of(const turn::Call& call) { return call.name.empty() ? "The call" : "The call of " + call.name; }

}  // namespace

std::string unknown_tool(std::string_view name, const std::vector<std::string_view>& near,
                         const tool::Registry& tools) {
  std::string out = "There is no tool " + quoted(name) + ". Nothing was run.";
  if (!near.empty()) {
    out += " Did you mean ";
    for (std::size_t i = 0; i < near.size(); ++i)
      (out += i == 0 ? "" : i + 1 == near.size() ? " or " : ", ") += near[i];
    return out + "?";
  }
  out += " The tools are: ";
  std::size_t i = 0;
  for (const tool::Tool& tool : tools.tools()) {
    if (i == 24) {
      out += " and " + std::to_string(tools.tools().size() - i) + " more";
      break;
    }
    (out += i++ == 0 ? "" : ", ") += tool.spec().name;
  }
  return out + ".";
}

std::string no_name() { return "The call has no name, so nothing was run. Send it again with the name of a tool."; }

std::string against_schema(std::string_view tool, std::string_view why) {
  return "The arguments of " + std::string(tool) + " are not what it takes: " + cut(std::string(why), 1200) +
         ". Nothing was run. Send the call again with these put right.";
}

std::string truncated(const turn::Call& call) {
  std::string out = tool_of(call) + " was cut off";
  if (call.reading.error.position.offset > 0)
    out += " after " + std::to_string(call.reading.error.position.offset) + " bytes of its arguments";
  out += ", so nothing was run.";
  out += understood(call);
  return out + " Send the call again, whole; if it is long, send it in smaller pieces, one call each.";
}

std::string broken(const turn::Call& call) {
  std::string out = tool_of(call) + " has arguments that cannot be read, so nothing was run.";
  if (call.error) {
    // The message is "what; what to do". The place belongs to the first; of remedies there is one.
    std::string what = cut(call.error->message.substr(0, call.error->message.find("; ")), 400);
    if (!what.empty() && what[0] >= 'a' && what[0] <= 'z') what[0] = static_cast<char>(what[0] - 'a' + 'A');
    out += " " + what + ", at " + place(call.error->position) + ".";
    if (call.error->kind == "limit") return out + " Send less in one call.";
  }
  return out + " Send one JSON object with the arguments.";
}

std::string guessed(const turn::Call& call) {
  std::string out =
      tool_of(call) + " could be read only by guessing, and what it does cannot be taken back, so nothing was run. ";
  const GuessWords words = guess_words(call);
  out += words.sentences.empty() ? receipt(call) : words.sentences;
  out += understood(call);
  if (!words.of_text) return out + " Send the call again with that put right.";
  return out + " Send the call again as valid JSON" + (words.sentences.empty() ? "." : ", with that put right.");
}

std::string not_ended(std::string_view tool) {
  return "The answer with the call of " + std::string(tool) +
         " did not end properly, so nothing was run. Send the call again.";
}

std::string held(std::string_view tool, std::string_view because_of) {
  return std::string(tool) + " was not run, because " + std::string(because_of) +
         " before it in the same turn did not go through. Look at that result first, then send this call again.";
}

std::string first_only(std::string_view tool, std::span<const std::string> rest) {
  std::string out = "The call held " + std::to_string(rest.size() + 1) + " objects. Only the first was run, because " +
                    std::string(tool) + " has effects; the other " + std::to_string(rest.size()) +
                    (rest.size() == 1 ? " was" : " were") + " not: ";
  for (std::size_t i = 0; i < rest.size() && i < kNamed; ++i) out += (i == 0 ? "" : ", ") + cut(rest[i], 200);
  if (rest.size() > kNamed) out += ", and " + std::to_string(rest.size() - kNamed) + " more";
  return out + ". Send one object a call; for more, send more calls.";
}

std::string denied(std::string_view tool, std::string_view reason) {
  return std::string(tool) + " was not run: it is not permitted here (" + cut(std::string(reason), 300) +
         "). Do not send the same call again; find another way, or say what you would need.";
}

std::string not_approved(std::string_view tool, std::string_view words) {
  std::string out = "The person did not approve of this call of " + std::string(tool) + ", so it was not run.";
  if (!words.empty()) out += " They said: " + cut(std::string(words), 2000);
  return out;
}

std::string nth_run(std::size_t n, std::size_t count, std::string_view arguments, bool failed) {
  return "Object " + std::to_string(n) + " of " + std::to_string(count) + ", " + cut(std::string(arguments), 120) +
         (failed ? ", failed:" : ":");
}

std::string runs_left(std::size_t ran, std::size_t count) {
  return "Of " + std::to_string(count) + " objects " + std::to_string(ran) +
         " were run; the others were not. Send one object a call.";
}

std::string receipt(const turn::Call& call) {
  struct Line {
    std::string_view kind;
    std::uint64_t offset;
    std::size_t count;
    json::Grade grade;
    std::vector<std::string> about;  // the first few parameters
  };
  std::vector<Line> lines;
  auto add = [&](std::string_view kind, std::uint64_t offset, json::Grade grade, const std::string& about) {
    auto line = std::ranges::find_if(lines, [&](const Line& l) { return l.kind == kind && l.grade == grade; });
    if (line == lines.end()) line = lines.insert(line, {kind, offset, 0, grade, {}});
    ++line->count;
    if (!about.empty() && line->about.size() < kNamed && std::ranges::find(line->about, about) == line->about.end())
      line->about.push_back(about);
  };
  for (const json::Edit& e : call.reading.edits) add(json::name(e.kind), e.offset, e.grade, repeated_key(call, e));
  for (const schema::AlignEdit& e : call.aligned) add(schema::name(e.kind), 0, e.grade, parameter(e));
  if (lines.empty()) return "";
  std::string out = "Mended: ";
  for (std::size_t i = 0; i < lines.size() && i < 8; ++i) {
    const Line& l = lines[i];
    (out += i == 0 ? "" : ", ") += l.kind;
    for (std::size_t n = 0; n < l.about.size(); ++n) out += (n == 0 ? " " : " and ") + l.about[n];
    if (l.count > 1) out += " (" + std::to_string(l.count) + " times)";
    if (l.offset > 0) out += " at byte " + std::to_string(l.offset);
    if (l.grade == json::Grade::guess) out += " [a guess]";
  }
  if (lines.size() > 8) out += " and " + std::to_string(lines.size() - 8) + " other kinds";
  return out + ".";
}

}  // namespace BELAY_NAMESPACE::policy::feedback
