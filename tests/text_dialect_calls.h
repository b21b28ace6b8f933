// What the tests of dialects share: a few tools, and what a decoder reads.
#pragma once

#include <belay/chat/message.h>
#include <belay/json/writer.h>
#include <belay/text.h>

#include <string>
#include <vector>

namespace belay::text::testing {

inline const std::vector<chat::Tool> kFiles = {
    {"read_file",
     "Reads a file.",
     R"({"type":"object","properties":{"path":{"type":"string","description":"Which file"},"line":{"type":"integer"},
         "deep":{"type":"boolean"}},"required":["path"]})",
     {}},
    {"write_to_file",
     "Writes a file.",
     R"({"type":"object","properties":{"path":{"type":"string"},"content":{"type":"string"},"options":{"type":"object"},
         "tags":{"type":"array","items":{"type":"string"}}},"required":["path","content"]})",
     {}},
    {"now", "Tells the time.", "", {}},
};

/// Formats whose own calls the decoder does not read as they are yet: the start marker of inkling is dropped as one
/// that means nothing, and <tool_sep> of hy_v3 is read as a stray tag.
inline bool unread(std::string_view format) { return format == "inkling" || format == "hy_v3"; }

/// Tools as a decoder wants them.
inline std::vector<Tool> shapes(const std::vector<chat::Tool>& tools) {
  std::vector<Tool> out;
  for (const chat::Tool& tool : tools) {
    json::Reading reading = json::read(tool.parameters.empty() ? "{}" : tool.parameters);
    out.push_back({tool.name, tool.parameters.empty() ? Shape{} : shape_of(reading.document.root())});
  }
  return out;
}

/// Everything that a text holds.
struct Heard final : Sink {
  void on_text(std::string_view t) override { text += t; }
  void on_reasoning(std::string_view t) override { text += t; }
  void on_call_start(std::size_t, std::string_view, std::string_view) override {}
  void on_call_delta(std::size_t, std::string_view) override {}
  void on_call_end(std::size_t, Found found) override { calls.push_back(std::move(found)); }
  void on_call_doubt(std::size_t, json::Edit) override { text += "doubt"; }
  void on_notice(std::string_view kind, std::string_view) override { text += kind; }
  std::string text;
  std::vector<Found> calls;
};

/// Decodes in two pieces.
inline void decode(Heard& heard, std::string_view format, const std::vector<chat::Tool>& tools, std::string_view text,
                   std::size_t cut) {
  Decoder decoder(heard, {.format = std::string(format), .tools = shapes(tools), .prompt_tail = {}});
  decoder.push(text.substr(0, cut));
  decoder.push(text.substr(cut));
  decoder.finish();
}

/// "NAME ARGUMENTS" of the calls in a text, and whatever else there is; the verdict where it is not valid.
inline std::string read_again(std::string_view format, const std::vector<chat::Tool>& tools, std::string_view text) {
  Heard heard;
  decode(heard, format, tools, text, text.size() / 2);
  std::string out = heard.text.substr(0, heard.text.find_last_not_of(" \n") + 1);
  for (const Found& found : heard.calls) {
    if (!out.empty()) out += "; ";
    out += found.name + " " + json::to_string(found.reading.document.root());
    if (found.reading.verdict.word() != json::Word::valid || found.reading.edits_total > 0 || !found.closed)
      out += " (" + std::string(json::name(found.reading.verdict.word())) + ")";
  }
  return out;
}

}  // namespace belay::text::testing
