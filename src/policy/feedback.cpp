#include "policy/feedback.h"

#include <belay/json/writer.h>

#include <algorithm>

namespace belay::policy::feedback {
namespace {

constexpr std::size_t kShown = 400;  // bytes of what was understood

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

std::string understood(const call::Call& call) {
  auto value = call.arguments();
  if (!value) return "";
  std::string text = json::to_string(*value);
  if (text == "{}") return "";
  return " Understood so far: " + cut(text, kShown);
}

std::string tool_of(const call::Call& call) { return call.name.empty() ? "The call" : "The call of " + call.name; }

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

std::string truncated(const call::Call& call) {
  std::string out = tool_of(call) + " was cut off";
  if (call.reading.error.position.offset > 0)
    out += " after " + std::to_string(call.reading.error.position.offset) + " bytes of its arguments";
  out += ", so nothing was run.";
  out += understood(call);
  return out + " Send the call again, whole; if it is long, send it in smaller pieces, one call each.";
}

std::string broken(const call::Call& call) {
  std::string out = tool_of(call) + " has arguments that cannot be read, so nothing was run.";
  if (call.error) out += " " + cut(call.error->message, 400) + ", at " + place(call.error->position) + ".";
  return out + " Send one JSON object with the arguments.";
}

std::string guessed(const call::Call& call) {
  return tool_of(call) +
         " could be read only by guessing, and what it does cannot be taken back, so nothing was run. " +
         receipt(call) + understood(call) + " Send the call again as valid JSON.";
}

std::string not_ended(std::string_view tool) {
  return "The answer with the call of " + std::string(tool) +
         " did not end properly, so nothing was run. Send the call again.";
}

std::string held(std::string_view tool, std::string_view because_of) {
  return std::string(tool) + " was not run, because " + std::string(because_of) +
         " before it in the same turn did not go through. Look at that result first, then send this call again.";
}

std::string first_only(std::string_view tool, std::size_t count) {
  return "The call held " + std::to_string(count) + " objects. Only the first was run, because " + std::string(tool) +
         " has effects; the other " + std::to_string(count - 1) + (count == 2 ? " was" : " were") +
         " not. Send one object a call; for more, send more calls.";
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

std::string receipt(const call::Call& call) {
  struct Line {
    std::string_view kind;
    std::uint64_t offset;
    std::size_t count;
    json::Grade grade;
  };
  std::vector<Line> lines;
  auto add = [&](std::string_view kind, std::uint64_t offset, json::Grade grade) {
    for (Line& line : lines)
      if (line.kind == kind && line.grade == grade) {
        ++line.count;
        return;
      }
    lines.push_back({kind, offset, 1, grade});
  };
  for (const json::Edit& e : call.reading.edits) add(json::name(e.kind), e.offset, e.grade);
  for (const schema::AlignEdit& e : call.aligned) add(schema::name(e.kind), 0, e.grade);
  if (lines.empty()) return "";
  std::string out = "Mended: ";
  for (std::size_t i = 0; i < lines.size() && i < 8; ++i) {
    const Line& l = lines[i];
    (out += i == 0 ? "" : ", ") += l.kind;
    if (l.count > 1) out += " (" + std::to_string(l.count) + " times)";
    if (l.offset > 0) out += " at byte " + std::to_string(l.offset);
    if (l.grade == json::Grade::guess) out += " [a guess]";
  }
  if (lines.size() > 8) out += " and " + std::to_string(lines.size() - 8) + " other kinds";
  return out + ".";
}

}  // namespace belay::policy::feedback
