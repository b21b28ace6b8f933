// One token of a call's framing is damaged: missing, there twice, or misspelt. What is read then is never trusted with
// other values than those that were written, and no call is trusted that nobody wrote.
#include "support/outcome.h"
#include "support/text_events.h"
#include "support/text_writers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>
#include <set>

namespace belay::check {
namespace {

// Names and values that occur in no framing, so that they can be told apart from it.
const std::vector<WrittenCall>& calls() {
  static const std::vector<WrittenCall> kCalls = [] {
    std::vector<WrittenCall> out;
    WrittenCall deploy{"deploy_app", Tree::object()};
    deploy.arguments.keys = {"command_line", "dry_run", "environ"};
    deploy.arguments.items = {Tree::string("rm -r build7"), Tree::boolean(true), Tree::string("testing9")};
    WrittenCall search{"look_for", Tree::object()};
    search.arguments.keys = {"what_for", "max_hits"};
    search.arguments.items = {Tree::string("zebras42"), Tree::number("777")};
    out.push_back(deploy);
    out.push_back(search);
    return out;
  }();
  return kCalls;
}

std::vector<text::Tool> tools() {
  const json::Document deploy = document_of(
      R"({"type":"object","properties":{"command_line":{"type":"string"},"dry_run":{"type":"boolean"},)"
      R"("environ":{"type":"string"}}})");
  const json::Document search = document_of(
      R"({"type":"object","properties":{"what_for":{"type":"string"},"max_hits":{"type":"integer"}}})");
  return {{"deploy_app", text::shape_of(deploy.root())}, {"look_for", text::shape_of(search.root())}};
}

struct Range {
  std::size_t from, to;
  bool value = false;
};

// What is no framing: the values, and the names where they stand first.
std::vector<Range> content(std::string_view text) {
  std::vector<Range> out;
  auto add = [&](std::string_view word, bool value = false) {
    const std::size_t at = text.find(word);
    if (at != std::string_view::npos) out.push_back({at, at + word.size(), value});
  };
  for (const WrittenCall& call : calls()) {
    add(call.name);
    for (const std::string& key : call.arguments.keys) add(key);
  }
  for (std::string_view value : {"rm -r build7", "testing9", "zebras42", "777"}) add(value, true);
  for (std::string_view yes : {"true", "True"})
    for (std::size_t at = text.find(yes); at != std::string_view::npos; at = text.find(yes, at + 1))
      out.push_back({at, at + yes.size(), true});
  return out;
}

bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

// The pieces that framing is made of: characters, words, and all that stands between two brackets.
std::vector<Range> tokens(std::string_view text, const std::vector<Range>& content) {
  std::set<std::pair<std::size_t, std::size_t>> out;
  auto add = [&](std::size_t from, std::size_t to) {
    for (const Range& c : content) {
      // Of what holds a name only the whole is a token.
      const bool inside = from >= c.from && to <= c.to;
      const bool half = (from > c.from && from < c.to) || (to > c.from && to < c.to);
      const bool around = c.value && from <= c.from && to >= c.to;
      if (inside || half || around) return;
    }
    if (from < to && to - from < 48) out.emplace(from, to);
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xc0) == 0x80) continue;
    std::size_t next = i + 1;
    while (next < text.size() && (static_cast<unsigned char>(text[next]) & 0xc0) == 0x80) ++next;
    add(i, next);
    if (letter(text[i]) && (i == 0 || !letter(text[i - 1]))) {
      std::size_t end = i;
      while (end < text.size() && letter(text[end])) ++end;
      add(i, end);
    }
    for (auto [open, close] : {std::pair{'<', '>'}, {'[', ']'}, {'"', '"'}})
      if (text[i] == open) {
        const std::size_t end = text.find(close, i + 1);
        if (end != std::string_view::npos) add(i, end + 1);
      }
    for (std::string_view mark : {"]<]minimax[>[", "</", "<|", "|>", "```", "<｜", "｜>", "｜DSML｜", "=\"", "\">"})
      if (text.substr(i).starts_with(mark)) add(i, i + mark.size());
  }
  std::vector<Range> ranges;
  for (auto [from, to] : out) ranges.push_back({from, to, false});
  return ranges;
}

struct Mutant {
  std::string what, text;
};

std::vector<Mutant> mutants(std::string_view text) {
  std::vector<Mutant> out;
  for (const Range& r : tokens(text, content(text))) {
    const std::string before(text.substr(0, r.from)), token(text.substr(r.from, r.to - r.from)),
        behind(text.substr(r.to));
    out.push_back({"without " + token, before + behind});
    // White space that is there twice, or another one, may as well be a part of the value beside it.
    if (token == " " || token == "\n") continue;
    out.push_back({"twice " + token, before + token + token + behind});
    if (token.size() == 1) {
      const std::string other = letter(token[0]) ? (token == "q" ? "p" : "q") : " ";
      if (token != other) out.push_back({"other " + token, before + other + behind});
    }
    if (token.size() == 1 && letter(token[0]) && !behind.empty() && letter(behind[0]))
      out.push_back({"swapped " + token, before + behind[0] + token + behind.substr(1)});
  }
  return out;
}

// What is wrong about the calls that would be trusted; empty when nothing is.
std::string wrong(const TextEvents& got, const std::vector<TextCall>& written, bool known) {
  if (!got.fault.empty()) return got.fault;
  std::map<std::string, int> seen;
  for (const TextCall& call : got.calls) {
    if (!call.sound) continue;
    if (known && call.name != "deploy_app" && call.name != "look_for") continue;
    const auto same = std::find_if(written.begin(), written.end(), [&](const TextCall& w) {
      return w.name == call.name && w.arguments == call.arguments;
    });
    if (same == written.end()) return call.verdict + " " + call.name + " " + call.arguments;
    if (++seen[call.name] > 1) return "twice " + call.name;
  }
  return {};
}

TEST(TextDamage, one_damaged_token_of_framing_never_makes_another_call_that_is_trusted) {
  const char* only = std::getenv("BELAY_DAMAGE_FORMAT");
  std::size_t tried = 0;
  std::map<std::string, int> faults;
  for (const TextWriter& writer : text_writers())
    for (const bool automatic : {false, true})
      for (const bool known : {true, false}) {
        if (only && writer.format != only) continue;
        text::Options options;
        options.format = automatic ? "auto" : writer.format;
        if (known) options.tools = tools();
        const std::string text = writer.write(calls());
        const TextEvents whole = read_text({text}, options);
        if (!automatic || known) {
          EXPECT_EQ(whole.calls.size(), 2u) << writer.format << text;
        }
        for (const Mutant& mutant : mutants(text)) {
          ++tried;
          const TextEvents got = read_text({mutant.text}, options);
          const std::string fault = wrong(got, whole.calls, known);
          if (fault.empty()) continue;
          const std::string label = std::string(writer.format) + (automatic ? " (auto)" : "") + (known ? " tools" : "");
          if (faults[label]++ < (only ? 1000 : 3)) ADD_FAILURE() << label << ", " << mutant.what << ": " << fault << "\n" << mutant.text;
        }
      }
  for (const auto& [label, n] : faults) std::cerr << label << ": " << n << '\n';
  std::cerr << tried << " tried\n";
  EXPECT_GT(tried, 10'000u);
}

}  // namespace
}  // namespace belay::check
