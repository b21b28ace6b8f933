#include "wire/stop_words.h"

#include <string>

namespace BELAY_NAMESPACE::wire {
namespace {

using enum chat::StopReason;

struct Row {
  std::string_view word;
  chat::StopReason reason;
};

// Words as they stand, without what separates their parts.
constexpr Row kWords[] = {
    {"stop", end},
    {"end", end},
    {"endturn", end},
    {"endofturn", end},
    {"eos", end},
    {"eostoken", end},
    {"eot", end},
    {"stopsequence", end},
    {"stoptoken", end},
    {"stopstring", end},
    {"complete", end},
    {"completed", end},
    {"done", end},
    {"finish", end},
    {"finished", end},
    {"success", end},
    {"toolcalls", tool_calls},
    {"toolcall", tool_calls},
    {"tooluse", tool_calls},
    {"functioncall", tool_calls},
    {"functioncalls", tool_calls},
    {"pause", pause},
    {"pauseturn", pause},
    // Of servers that broke an answer off: SGLang; DeepSeek.
    {"repetitiontruncation", none},
    {"insufficientsystemresource", none},
    // Ollama: a model was loaded or unloaded, and nobody asked it anything yet.
    {"load", none},
    {"unload", none},
    // Gemini's for calls that are none.
    {"unexpectedtoolcall", malformed},
    {"toomanytoolcalls", malformed},
};

// Parts that decide what a longer word means, the first that it has. All but the first mean that something is missing:
// to take a proper end for a cut costs another request, the other way round half a call is run.
constexpr Row kParts[] = {
    {"delimiter", end},  // before "limit"
    {"malformed", malformed},
    {"refus", refusal},
    {"filter", content_filter},
    {"safety", content_filter},
    {"block", content_filter},
    {"prohibited", content_filter},
    {"recitation", content_filter},
    {"guardrail", content_filter},
    {"sensitive", content_filter},
    {"spii", content_filter},
    {"policy", content_filter},
    {"moderat", content_filter},
    {"length", length},
    {"limit", length},
    {"maxtoken", length},
    {"maxoutput", length},
    {"maxnewtoken", length},
    {"contextwindow", length},
    {"exceed", length},
    {"truncat", length},
    {"cancel", none},
    {"abort", none},
    {"timeout", none},
    {"timedout", none},
    {"error", none},
    {"fail", none},
    {"incomplete", none},
    {"notfinished", none},
    {"unfinished", none},
    {"interrupt", none},
    {"disconnect", none},
    {"exhaust", none},
    {"terminated", none},
    {"overload", none},
    {"kill", none},
    {"expire", none},
};

// What is longer is a sentence, and its beginning will do.
constexpr std::size_t kLongest = 200;

}  // namespace

std::optional<chat::StopReason> stop_word(std::string_view raw) {
  std::string word;
  for (char c : raw.substr(0, kLongest))
    if (c != '_' && c != '-' && c != ' ') word += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  for (const Row& row : kWords)
    if (word == row.word) return row.reason;
  for (const Row& row : kParts)
    if (word.find(row.word) != std::string::npos) return row.reason;
  return std::nullopt;
}

}  // namespace BELAY_NAMESPACE::wire
